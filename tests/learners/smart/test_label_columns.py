"""SMART with columns for the labels seen only: to the bit what it is with a column for each label."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pytest

from streamlab.learners import SMART
from streamlab.learners.smart import _kernels, label_columns
from streamlab.schema import Feature, Schema

LABELS = 40
PARAMETERS = {"n_trees": 4, "height": 5, "half_life": 150.0, "bounds": (0.0, 1.0), "seed": 3}


def stream(n: int = 600, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Labels that come one after the other, and in no order."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 3))
    X[rng.random(X.shape) < 0.02] = np.nan
    order = rng.permutation(LABELS)
    Y = np.zeros((n, LABELS), np.uint8)
    for i in range(n):
        Y[i, order[rng.integers(0, 2 + i * (LABELS - 22) // n, size=rng.integers(0, 4))]] = 1
    return X, Y


def schema(n_labels: int = LABELS) -> Schema:
    return Schema(tuple(Feature(f"x{i}") for i in range(3)), tuple(f"l{j}" for j in range(n_labels)))


def few_columns():
    """Let SMART take forty labels for many."""
    return mock.patch.multiple(label_columns, MANY_LABELS=6, LEAST_COLUMNS=2, GROWTH=1.2)


def followed(model: SMART, X: np.ndarray, Y: np.ndarray) -> list[np.ndarray]:
    answers = []
    for at in range(0, len(X), 50):
        answers += model.test_then_train(X[at : at + 50], Y[at : at + 50])
    return answers


def test_columns_of_the_labels_seen_answer_as_columns_of_all_do():
    X, Y = stream()
    dense = SMART(**PARAMETERS).bind(schema())
    expected = followed(dense, X, Y)
    with few_columns():
        model = SMART(**PARAMETERS).bind(schema())
        for one, other in zip(followed(model, X, Y), expected, strict=True):
            np.testing.assert_array_equal(one, other)
        seen = int(Y.any(axis=0).sum())
        assert seen <= model._sums.shape[1] - _kernels.COUNTS < LABELS
        assert model._sums.nbytes < dense._sums.nbytes
        assert model.nodes().equals(dense.nodes())
        for node in model.node_columns()["id"][:20].tolist():
            assert model.describe_node(node) == dense.describe_node(node)
        model.tune(half_life=20.0, n_trees=3)
        dense.tune(half_life=20.0, n_trees=3)
        np.testing.assert_array_equal(model.predict_proba_many(X[:90]), dense.predict_proba_many(X[:90]))


def test_a_state_keeps_which_column_is_whose():
    X, Y = stream()
    with few_columns():
        model = SMART(**PARAMETERS).bind(schema())
        followed(model, X[:300], Y[:300])
        other = SMART.from_state(model.state())
        for one, two in zip(followed(model, X[300:], Y[300:]), followed(other, X[300:], Y[300:]), strict=True):
            np.testing.assert_array_equal(one, two)


def test_a_state_with_a_column_for_each_label_is_read_too():
    X, Y = stream()
    dense = SMART(**PARAMETERS).bind(schema())
    followed(dense, X[:300], Y[:300])
    state = dense.state()
    assert "label_of" not in state
    with few_columns():
        model = SMART.from_state(state)
        for one, two in zip(followed(model, X[300:], Y[300:]), followed(dense, X[300:], Y[300:]), strict=True):
            np.testing.assert_array_equal(one, two)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda of: np.where(np.arange(len(of)) == 1, of[0], of), "each label once"),
        (lambda of: np.where(np.arange(len(of)) == 0, -1, of), "before the columns in reserve"),
        (lambda of: np.where(np.arange(len(of)) == 0, LABELS, of), "label_of row 0"),
        (lambda of: of[:-1], "sums has the shape"),
        (lambda of: of.astype(np.int32), "expected int64"),
    ],
)
def test_altered_columns_are_refused(change, told):
    X, Y = stream(200)
    with few_columns():
        model = SMART(**PARAMETERS).bind(schema())
        followed(model, X, Y)
        state = model.state()
        state["label_of"] = change(state["label_of"])
        with pytest.raises(ValueError, match=told):
            SMART.from_state(state)


def test_columns_that_few_labels_do_not_need_are_refused():
    X, Y = stream(200)
    model = SMART(**PARAMETERS).bind(schema())
    followed(model, X, Y)
    with pytest.raises(ValueError, match="label_of; expected none with 40 labels"):
        SMART.from_state(model.state() | {"label_of": np.arange(LABELS)})


def test_shards_with_their_columns_in_different_orders_are_added():
    X, Y = stream()
    X = np.nan_to_num(X)
    times = np.arange(1, len(X) + 1)
    whole = SMART(**PARAMETERS).bind(schema())
    whole.learn_many(X, Y, timestamps=times)
    with few_columns():
        one, other = (SMART(**PARAMETERS).bind(schema()) for _ in range(2))
        other.learn_many(X[300:][:, :], Y[300:], timestamps=times[300:])
        one.learn_many(X[:300], Y[:300], timestamps=times[:300])
        assert one._label_of.tolist() != other._label_of.tolist()
        one.merge(other)
        np.testing.assert_allclose(one.predict_proba_many(X), whole.predict_proba_many(X), rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(one.predict_many(X), whole.predict_many(X))


def test_ten_thousand_labels_take_memory_for_those_seen():
    rng = np.random.default_rng(0)
    X, Y = rng.random((200, 5)), np.zeros((200, 10_000), np.uint8)
    for i in range(200):
        Y[i, rng.integers(0, 10_000, 3)] = 1
    model = SMART(bounds=(0.0, 1.0), seed=1)
    model.learn_many(X, Y)
    assert model._sums.nbytes < 120e6
    np.testing.assert_array_equal(model.predict_many(X).shape, Y.shape)
