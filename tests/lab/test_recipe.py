"""Whatever learner or stream is written down as its recipe: what the recipe makes is the same, to the bit."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import convert

import streamlab as sl
from streamlab._packed import packed, unpacked
from streamlab.lab.fingerprint import Fingerprint
from streamlab.lab.learners import named_learners
from streamlab.lab.recipe import (
    LOST,
    STATE,
    ActionRecords,
    action_to_json,
    is_same,
    learner_recipe,
    made_action,
    make_learner,
)
from streamlab.streams import DRIFTS, from_recipe
from streamlab.streams.catalogue import generated_names
from tests.fuzz.learners import NAMES, NESTED, schema
from tests.lab.test_composed_written import WRAPPED, seeded

LEARNERS = [name for name in NAMES if issubclass(getattr(sl, name), sl.Learner)]
RECIPES = sl.learners.RECIPES.names()
ROWS = 2000
GIVEN = {"delay_labels": {"delay": 5}, "hide_labels": {"share": 0.2}}
"""Parameters of changes beside labels and rows."""


def again(plain: Any) -> Any:
    """Return what a file gives back of plain values."""
    return unpacked(json.loads(json.dumps(packed(plain), allow_nan=False)))


def made_of(name: str, way: tuple[str, ...]) -> sl.Learner:
    model = seeded(name)
    for each in way:
        if not (name in NESTED and "Council" in each):
            model = WRAPPED[each](model)
    return model


def check(model: sl.Learner, of: sl.Schema) -> None:
    for bound in (False, True):
        recipe = learner_recipe(model.bind(of) if bound else model)
        assert not recipe.keys() & {STATE, LOST}, recipe
        twin = make_learner(again(recipe), "it")
        assert is_same(model, twin.bind(of) if bound else twin)
        assert learner_recipe(twin) == recipe


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(name=st.sampled_from(LEARNERS), way=st.lists(st.sampled_from(list(WRAPPED)), max_size=2).map(tuple))
def test_the_recipe_of_a_learner_makes_the_same_one(name, way):
    if name in ("OnePerLabel", "RiverClassifier", "RiverMultiLabel", "TargetsAsLabels") and way:
        return  # what is made of them has no flat state, and no recipe names them within others
    check(made_of(name, way), schema(name))


@pytest.mark.parametrize("name", RECIPES)
def test_the_recipe_of_a_named_learner_makes_the_same_one(name):
    (model,) = named_learners(sl.learners.make_learner(name, seed=3)).values()
    check(model, schema(name))


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(sorted(generated_names() - {"instruments"})),
    seed=st.integers(1, 50),
    changes=st.lists(st.sampled_from(DRIFTS.names()), max_size=3),
    at=st.integers(1, ROWS - 1),
)
def test_the_recipe_of_a_stream_makes_the_same_rows(name, seed, changes, at):
    stream = sl.load(name, seed=seed, n_rows=ROWS)
    for each in sorted(changes, key=lambda change: change != "shuffle_rows"):  # labels come late after the shuffling
        entry = DRIFTS.load(each)
        needed = {"at": at, "a": 0, "b": 1, "label": 0, "factor": 2.0}
        parameters = {name: value for name, value in needed.items() if name in entry.parameters}
        stream = entry.put(stream, **parameters, **GIVEN.get(each, {}))
    twin = from_recipe(again(stream.recipe))
    assert twin.recipe == stream.recipe
    assert Fingerprint(twin).of(ROWS) == Fingerprint(stream).of(ROWS)


def test_the_log_of_a_run_is_the_same_log():
    run = sl.Run(sl.load("syn-tree-sudden", seed=3, n_rows=ROWS), {"it": sl.SMART(seed=1), "no": sl.NoChange()})
    run.advance(100)
    run.tune("it", half_life=float("inf"))
    run.put_drift(sl.DriftRecipe("swap_labels", a=0, b=1), at=150)
    run.fork("it", "copy", half_life=5)
    run.join("new", sl.Council({"b": sl.SMART(seed=2), "a": sl.NoChange()}, seed=1), train_on=30)
    run.remove("no")
    run.mark()
    run.set_step(7)
    run.advance(50)
    run.complete_curves()
    actions = run.actions()
    assert len({each.kind for each in actions}) == 8
    for action in actions:
        record = convert(again(action_to_json(action)), ActionRecords)
        back = made_action(record, None, lambda name, how: make_learner(how, name))
        assert action_to_json(back) == action_to_json(action)
