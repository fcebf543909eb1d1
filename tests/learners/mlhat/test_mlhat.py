"""MLHAT keeps the contract of a learner: chunks, dictionaries, parameters, errors."""

from __future__ import annotations

import math

import numpy as np
import pytest

import streamlab as sl
from streamlab.learners import MLHAT
from tests.learners.generated import rows
from tests.learners.mlhat.streams import QUICK, learn_in_chunks, same_states


def test_the_package_knows_it():
    assert sl.MLHAT is MLHAT


@pytest.mark.parametrize("size", [1, 7, 1500])
def test_cutting_has_no_effect(learned, size):
    schema, X, Y, model, (scores, labels), events = learned
    other = MLHAT(**QUICK).bind(schema)
    other_scores, other_labels = learn_in_chunks(other, X, Y, size)
    np.testing.assert_array_equal(scores, other_scores)
    np.testing.assert_array_equal(labels, other_labels)
    assert same_states(model.state(), other.state())
    assert other.take_events() == events


def test_learning_alone_and_dictionaries_learn_the_same(learned):
    schema, X, Y, *_ = learned
    many, one = MLHAT(**QUICK).bind(schema), MLHAT(**QUICK).bind(schema)
    many.learn_many(X[:400], Y[:400])
    for x, y in rows(schema, X[:400], Y[:400]):
        one.learn_one(x, y)
    assert same_states(many.state(), one.state())
    scores, labels = many.predict_proba_many(X[400:450]), many.predict_many(X[400:450])
    for i, (x, _) in enumerate(rows(schema, X[400:450], Y[400:450])):
        assert [p[True] for p in one.predict_proba_one(x).values()] == scores[i].tolist()
        assert list(one.predict_one(x).values()) == labels[i].astype(bool).tolist()


def test_predicting_changes_nothing_and_is_what_testing_says(learned):
    schema, X, Y, *_ = learned
    model = MLHAT(**QUICK).bind(schema)
    for i in range(0, 1500, 50):
        before = model.state()
        expected = model.answer_many(X[i : i + 1])
        model.nodes()
        assert same_states(before, model.state())
        scores, labels = model.test_then_train(X[i : i + 50], Y[i : i + 50])
        np.testing.assert_array_equal(expected[0][0], scores[0])
        np.testing.assert_array_equal(expected[1][0], labels[0])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("grace_period", v) for v in (0, 1.5, "x", None, math.inf)), ("delta", 0), ("delta", 1), ("tau", -1),
        ("bootstrap", "sometimes"), ("bootstrap", 1), ("alternate_on", "error"), ("combine_alternates", 0),
        ("max_depth", -1), ("max_depth", 1.5), ("max_bytes", -5), ("window", 0), ("n_neighbors", 0),
        ("learning_rate", -0.1), ("entropy_threshold", math.nan), ("switch_significance", 1.0),
    ],
)  # fmt: skip
def test_bad_values_are_refused_by_name_and_change_nothing(learned, name, value):
    with pytest.raises(ValueError, match=name):
        MLHAT(**{name: value})
    model = learned[3]
    before = model.state()
    with pytest.raises(ValueError, match=name):
        model.tune(window=33, **{name: value}) if name != "window" else model.tune(window=value)
    assert same_states(before, model.state())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("n_models", v) for v in (0, 2.5)), ("leaf_start", "warm"), ("drift_measure", "accuracy"), ("seed", -1),
        ("seed", 0.5), ("n_split_points", 0), ("min_branch_fraction", 0.6), ("max_share_to_split", 1.1),
        ("warning_delta", 0), ("drift_delta", 2),
    ],
)  # fmt: skip
def test_what_cannot_be_tuned_is_checked_too(name, value):
    with pytest.raises(ValueError, match=name):
        MLHAT(**{name: value})
    with pytest.raises(ValueError, match="no tunable parameter"):
        MLHAT().tune(**{name: value})


def test_a_bad_chunk_changes_nothing(learned):
    _, X, Y, model, *_ = learned
    before = model.state()
    for bad_X, bad_Y in ((np.full((5, 4), math.inf), Y[:5]), (X[:5, :3], Y[:5]), (X[:5], Y[:5] + 2)):
        with pytest.raises(ValueError, match=r"row|shape"):
            model.learn_many(bad_X, bad_Y)
    assert same_states(before, model.state())


def test_seeds_matter_and_no_seed_is_kept(learned):
    schema, X, Y, *_ = learned
    a, b = MLHAT(**QUICK | {"seed": None}).bind(schema), MLHAT(**QUICK | {"seed": None}).bind(schema)
    scores, _ = learn_in_chunks(a, X[:600], Y[:600])
    assert not np.array_equal(scores, learn_in_chunks(b, X[:600], Y[:600])[0])
    twin = MLHAT.from_state(a.state())
    np.testing.assert_array_equal(a.test_then_train(X[600:], Y[600:])[0], twin.test_then_train(X[600:], Y[600:])[0])


@pytest.mark.parametrize("seed", range(3))
def test_a_leaf_that_has_counted_nothing_answers_whatever_the_threshold(seed):
    rng = np.random.default_rng(seed)
    X = rng.random((1500, 5))
    Y = (X > 0.5).astype(np.uint8)
    model = MLHAT(grace_period=50, tau=0.5, cardinality_threshold=0, seed=seed)
    scores, _ = model.test_then_train(X, Y)
    assert model.nodes().is_leaf.sum() > 1
    assert np.isfinite(scores).all()
