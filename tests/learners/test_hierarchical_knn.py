"""HierarchicalKNN and FlatKNN: algorithm 1, windows, paths, graphs, delays, detectors, states, bad input."""

from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import streamlab as sl
from streamlab.schema import Feature, Hierarchy, Schema
from tests.learners.hierarchical_by_hand import ByHand, random_stream, random_tree

LEARNERS = {"hierarchical": sl.HierarchicalKNN, "flat": sl.FlatKNN}


def schema_of(n_features: int, hierarchy: Hierarchy | None, n_labels: int | None = None) -> Schema:
    n = len(hierarchy) if n_labels is None else n_labels
    return Schema(tuple(Feature(f"x{i}") for i in range(n_features)), tuple(f"c{i}" for i in range(n)), hierarchy)


def stream_of(seed: int, n: int, n_classes: int = 12, n_features: int = 3):
    rng = np.random.default_rng(seed)
    hierarchy = Hierarchy(random_tree(rng, n_classes))
    return hierarchy, *random_stream(rng, hierarchy, n, n_features)


def assert_same(a: dict, b: dict) -> None:
    assert a.keys() == b.keys()
    for key in a:
        np.testing.assert_array_equal(a[key], b[key], err_msg=key)


# ---------------------------------------------------------------------- algorithm 1


@pytest.mark.parametrize("delta", [0.0, 0.1, 0.5, 1.0])
def test_algorithm_1_word_for_word(delta):
    """5,000 random instances for each of four values of delta, over random trees, windows overflowing."""
    for seed, n_classes, k, eta in ((1, 6, 1, 8), (2, 12, 3, 15), (3, 15, 3, 20), (4, 9, 5, 40), (5, 20, 2, 3)):
        hierarchy, X, Y, paths = stream_of(seed, 1000, n_classes)
        by_hand = ByHand(hierarchy.parents, k, delta, eta)
        expected = np.zeros_like(Y)
        for row, (x, path) in enumerate(zip(X, paths, strict=True)):
            expected[row, by_hand.predict(x)] = 1
            by_hand.learn(x, path)
        model = sl.HierarchicalKNN(k, delta, eta).bind(schema_of(3, hierarchy))
        predicted = np.concatenate([model.test_then_train(X[at : at + 170], Y[at : at + 170])[1] for at in range(0, 1000, 170)])
        np.testing.assert_array_equal(predicted, expected)
        held = model.node_columns()["held"]
        assert held.max() == eta, "some window must have overflowed"
        for c, dataset in by_hand.local_dataset.items():
            np.testing.assert_array_equal(model.window_of(f"c{c}"), np.array(dataset).reshape(-1, 3))
