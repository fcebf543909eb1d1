"""MLHAT keeps the contract of a learner: chunks, dictionaries, parameters, errors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from streamlab.learners import MLHAT
from tests.learners.mlhat.streams import QUICK, learn_in_chunks
from tests.learners.states import assert_same


@pytest.mark.parametrize("size", [1, 7, 1500])
def test_cutting_has_no_effect(learned, size):
    schema, X, Y, model, (scores, labels), events = learned
    other = MLHAT(**QUICK).bind(schema)
    other_scores, other_labels = learn_in_chunks(other, X, Y, size)
    np.testing.assert_array_equal(scores, other_scores)
    np.testing.assert_array_equal(labels, other_labels)
    assert_same(model.state(), other.state())
    assert other.take_events() == events


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
    assert_same(before, model.state())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("n_models", v) for v in (0, 2.5)), ("leaf_start", "warm"), ("drift_measure", "accuracy"), ("seed", -1),
        ("seed", 0.5), ("n_split_points", 0), ("min_branch_fraction", 0.6), ("max_share_to_split", 1.1),
        ("warning_delta", 0), ("drift_delta", 2),
    ],
)  # fmt: skip
def test_what_cannot_be_tuned_is_refused_too(name, value):
    with pytest.raises(ValueError, match=name):
        MLHAT(**{name: value})
    with pytest.raises(ValueError, match="no tunable parameter"):
        MLHAT().tune(**{name: value})


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
