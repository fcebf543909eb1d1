"""The recipes: each makes a learner that learns, with the study's parameters; figures on real data."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.learners import RECIPES, Recipe
from streamlab.learners.river_recipes import GROUP, MULTI_LABEL, RIVER_RECIPES
from streamlab.measures import Counts, evaluate
from streamlab.schema import Feature, Schema
from tests.learners.generated import generated, schema_of


def test_the_recipes_are_registered_with_a_sentence_each():
    assert {each.name for each in RIVER_RECIPES} <= set(RECIPES.names())
    for recipe in RIVER_RECIPES:
        assert RECIPES.load(recipe.name) is recipe
        assert recipe.group in (GROUP, MULTI_LABEL)
        assert recipe.about.endswith(".")


@pytest.mark.parametrize("recipe", RIVER_RECIPES, ids=lambda recipe: recipe.name)
def test_each_makes_a_learner_of_its_own_that_learns(recipe):
    schema = schema_of(3, n_labels=2)
    X, Y = generated(schema, 60)
    one, other = (sl.make_learner(recipe.name, seed=1).bind(schema) for _ in range(2))
    scores, _ = one.test_then_train(X, Y)
    assert scores[1:].any()
    assert ((scores >= 0) & (scores <= 1)).all()
    # nothing is shared between the two, and a seed decides all
    np.testing.assert_array_equal(other.test_then_train(X, Y)[0], scores)


def test_an_unknown_recipe_is_refused_with_near_names():
    with pytest.raises(ValueError, match=r"unknown recipe 'HT one per labl'; did you mean .*HT one per label"):
        sl.make_learner("HT one per labl")


def test_a_registered_class_is_made_too():
    assert sl.make_learner("SMART", seed=7).seed == 7
    with pytest.raises(ValueError, match="Pipeline is made of other learners, which only Python code can give it"):
        sl.make_learner("Pipeline")


def test_a_recipe_of_another_name_is_refused():
    with pytest.raises(ValueError, match="the recipe 'mine' has the name 'yours'; expected the same"):
        RECIPES.add("mine", Recipe("yours", "It is yours.", "ours", lambda seed: sl.NoChange()))
    with pytest.raises(ValueError, match="expected a Recipe"):
        RECIPES.add("mine", sl.NoChange)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "f1"), [("HT one per label", 0.546), ("NB one per label", 0.601), ("iSOUPT", 0.292)])
def test_the_figures_of_the_study_on_emotions(name, f1, shared_data):
    stream = sl.load(shared_data / "emotions.arff.gz")
    model = sl.make_learner(name).bind(stream.schema)
    counts = Counts.zeros(stream.schema.n_labels)
    for chunk in stream.chunks(200):
        counts = counts.count(chunk.Y, model.test_then_train(chunk.X, chunk.Y)[1])
    assert evaluate(counts, ["example_f1"])["example_f1"] == pytest.approx(f1, abs=0.002)


@pytest.mark.parametrize("recipe", RIVER_RECIPES, ids=lambda recipe: recipe.name)
def test_each_takes_nominal_and_missing_values(recipe):
    schema = Schema((Feature("size"), Feature("colour", ("red", "green", "blue"))), ("a", "b"))
    rng = np.random.default_rng(4)
    X = np.column_stack([rng.random(80), rng.integers(0, 3, 80)])
    Y = np.column_stack([X[:, 1] == 1, X[:, 0] > 0.5]).astype(np.uint8)
    X[10, 0] = X[11, 1] = np.nan
    X[12] = np.nan
    scores, _ = sl.make_learner(recipe.name, seed=1).bind(schema).test_then_train(X, Y)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert scores[1:].any()


def test_models_of_numbers_learn_from_a_nominal_feature():
    schema = Schema((Feature("colour", ("red", "green")),), ("a",))
    X = np.tile([[0.0], [1.0]], (150, 1))
    for name in ("KNN one per label", "ABALR one per label"):
        model = sl.make_learner(name, seed=1).bind(schema)
        model.learn_many(X, (X == 1).astype(np.uint8))
        assert model.predict_many(X[:2]).tolist() == [[0], [1]]
