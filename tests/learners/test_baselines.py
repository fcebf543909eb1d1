"""The two baselines against their one-line definitions."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from streamlab.learners import MajorityLabels, NoChange
from tests.learners.generated import generated, schema_of


def stream(n: int = 300):
    schema = schema_of(3, n_labels=3)
    return schema, *generated(schema, n, missing=0.1, seed=5)


def test_no_change_repeats_the_row_before():
    schema, X, Y = stream()
    model = NoChange().bind(schema)
    labels = np.concatenate([model.test_then_train(X[i : i + 70], Y[i : i + 70])[1] for i in range(0, 300, 70)])
    np.testing.assert_array_equal(labels[0], 0)
    np.testing.assert_array_equal(labels[1:], Y[:-1])
    np.testing.assert_array_equal(model.predict_many(X[:3]), Y[[-1, -1, -1]])


def test_majority_repeats_the_most_frequent_set_the_first_of_equals():
    schema, X, Y = stream()
    scores, labels = MajorityLabels().bind(schema).test_then_train(X, Y)
    for i in range(300):
        seen = Counter(map(tuple, Y[:i].tolist()))
        expected = max(seen.values(), default=0)
        chosen = tuple(labels[i].tolist())
        assert seen[chosen] == expected if i else not any(chosen)
        assert scores[i] == pytest.approx(Y[:i].mean(axis=0) if i else np.zeros(3))


def test_of_equally_frequent_sets_the_one_that_got_there_first_is_kept():
    model = MajorityLabels()
    model.learn_many(np.zeros((3, 1)), np.array([[1, 0], [0, 1], [0, 1]]))
    assert model.predict_many(np.zeros((1, 1))).tolist() == [[0, 1]]
    model.learn_many(np.zeros((1, 1)), np.array([[1, 0]]))
    assert model.predict_many(np.zeros((1, 1))).tolist() == [[0, 1]]
    model.learn_many(np.zeros((1, 1)), np.array([[1, 0]]))
    assert model.predict_many(np.zeros((1, 1))).tolist() == [[1, 0]]
