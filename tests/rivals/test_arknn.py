"""ARkNN equals its plain twin, whatever the cutting; it is saved, tuned and widened."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.rivals._arknn_columns import MOST_CHANGES
from streamlab.schema import Feature, Schema
from tests.learners.generated import generated, schema_of
from tests.learners.states import assert_altered_is_refused, set_entry
from tests.rivals.by_hand.arknn import ByHand
from tests.rivals.remembered import assert_any_cutting, nominal_of, sparse_stream


@pytest.mark.parametrize(
    ("n_nominal", "missing", "given"),
    [
        (0, 0.0, {}),
        (2, 0.0, {"n_neighbors": 4}),
        (1, 0.1, {"measure": "hamming", "fading": 0.9}),
        (0, 0.05, {"min_fitness": 0.3, "window": 1000}),
        (0, 0.0, {"fading": 1.0, "min_fitness": 0.0}),
    ],
)
def test_it_equals_its_plain_twin(n_nominal, missing, given):
    schema = schema_of(4, n_nominal)
    X, Y = generated(schema, 160, missing=missing, seed=3)
    X[:, 0] -= 0.5
    given = {"window": 40} | given
    twin = dict(given)
    twin["k"], twin["hamming"] = twin.pop("n_neighbors", 3), twin.pop("measure", "") == "hamming"
    by_hand = ByHand(nominal_of(schema), **twin)
    expected = by_hand.test_then_train(X, Y)
    model = sl.ARkNN(**given).bind(schema)
    scores, labels = model.test_then_train(X, Y)
    np.testing.assert_allclose(scores, expected[0], atol=1e-9)
    np.testing.assert_array_equal(labels, expected[1])
    np.testing.assert_allclose(model.nodes()["standing"], [row["fitness"] for row in by_hand.rows], atol=1e-9)


def test_it_equals_its_twin_on_sparse_rows_and_rows_of_zeros():
    schema, X, Y = sparse_stream(150)
    assert not X.any(axis=1).all()
    by_hand = ByHand(nominal_of(schema), window=40)
    model = sl.ARkNN(window=40).bind(schema)
    scores, _ = model.test_then_train(X, Y)
    np.testing.assert_allclose(scores, by_hand.test_then_train(X, Y)[0], atol=1e-9)
    # the same from the moment on that a negative value makes the rows dense
    X[0, 0] = -1.0
    np.testing.assert_allclose(model.test_then_train(X, Y)[0], by_hand.test_then_train(X, Y)[0], atol=1e-9)


def alike(X):
    """By less than float32 can tell."""
    X[:] = 0.5 + 1e-4 * X
    X[0], X[1] = -1.0, 1.0


def growing(X):
    """A range with each row."""
    X *= np.arange(1, len(X) + 1)[:, None]


def shrunk(X):
    """All rows, which differ little, to a ten-millionth of their lengths by one row."""
    X[:] = 1.0 + 1e-3 * X
    X[20] *= 1e7


def tiny(X):
    """Rows beside others, as float32 cannot hold them."""
    np.abs(X, out=X)
    X[1::2] *= 1e-60


def new(X):
    """A feature that is all of a row, and most of those after it."""
    X[:, 3:] = 0.0
    X[0, :3], X[1:90, :3], X[90, :3] = (0.0, 0.0, 1.0), (1.0, 0.0, 0.1), (0.0, 1.0, 0.0)
    X[91:98, :3] = 0.6, 0.9, 0.8


@pytest.mark.whole
@pytest.mark.parametrize("made", [alike, growing, shrunk, tiny, new])
def test_single_precision_never_decides_who_is_near(made):
    rng = np.random.default_rng(2)
    n_features, n = 3 if made is new else 5, 400
    schema, X = Schema.anonymous(n_features, 3), rng.random((n, n_features)) - 0.2
    made(X)
    Y = (rng.random((n, 3)) < 0.4).astype(np.uint8)
    by_hand, model = ByHand(nominal_of(schema), window=100), sl.ARkNN(window=100).bind(schema)
    np.testing.assert_allclose(model.test_then_train(X, Y)[0], by_hand.test_then_train(X, Y)[0], atol=1e-9)
    np.testing.assert_allclose(model.nodes()["standing"], [row["fitness"] for row in by_hand.rows], atol=1e-9)
    assert_any_cutting(lambda: sl.ARkNN(window=100).bind(schema), X, Y)


def test_lengths_are_summed_up_again_before_their_rounding_adds_up():
    X = 1.0 + 1e-6 * np.arange(2 * MOST_CHANGES)[:, None]
    model = sl.ARkNN(window=3).bind(Schema.anonymous(1, 1))
    model.learn_many(X, np.ones((len(X), 1), np.uint8))
    assert model._changes[0] <= MOST_CHANGES


def test_fitness_is_written_anew_before_its_unit_is_too_large():
    schema = schema_of(3, n_labels=2)
    X, Y = generated(schema, 700, seed=5)
    given = {"window": 20, "fading": 0.7}
    by_hand, model = ByHand(nominal_of(schema), **given), sl.ARkNN(**given).bind(schema)
    model.test_then_train(X, Y)
    by_hand.test_then_train(X, Y)
    # 0.7^-700 is 1e108
    assert model.state()["sums"][2] < 1e20
    np.testing.assert_allclose(model.nodes()["standing"], [row["fitness"] for row in by_hand.rows], rtol=1e-9)


def test_an_altered_state_is_refused():
    schema = schema_of(3)
    model = sl.ARkNN(window=20).bind(schema)
    model.learn_many(*generated(schema, 60))
    state = model.state()
    for key, change in {
        "born": lambda values: np.zeros_like(values),
        "cursor": lambda values: values + 1,
    }.items():
        altered = set_entry(key, slice(None), change(state[key]))
        assert_altered_is_refused(sl.ARkNN, state, altered, key)


def test_what_it_tells_of_its_rows():
    schema = Schema((Feature("a"), Feature("b")), ("p", "q"))
    model = sl.ARkNN(n_neighbors=2, window=10).bind(schema)
    X, Y = generated(schema_of(2, n_labels=2), 12)
    model.learn_many(X, Y)
    columns = model.node_columns()
    assert columns["id"].tolist() == sorted(columns["id"])
    assert columns["age"][-1] == 0
    assert sorted(columns["rank"])[-2:] == [1, 2]
    story = model.describe_node(int(columns["id"][-1]))
    assert story["standing"] == 1.0
    assert story["Y"].tolist() == Y[-1].tolist()
    assert model.describe_node(10**6) is None
    assert model.sizes_before()[-1] == model.n_rows
    assert len(model.sizes_before()) == 12
