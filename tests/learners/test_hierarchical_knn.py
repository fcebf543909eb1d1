"""HierarchicalKNN and FlatKNN: algorithm 1, windows, paths, graphs, delays, detectors, states, bad input."""

from __future__ import annotations

import numpy as np
import pytest

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


DELTAS = (0.0, 0.1, 0.5, 1.0)


@pytest.mark.parametrize(
    ("seed", "n_classes", "k", "eta"), [(1, 6, 1, 8), (2, 12, 3, 15), (3, 15, 3, 20), (4, 9, 5, 40), (5, 20, 2, 3)]
)
def test_algorithm_1_word_for_word(seed, n_classes, k, eta):
    """20,000 instances over five random trees, each for all values of delta, windows overflowing."""
    n = 4000
    hierarchy, X, Y, paths = stream_of(seed, n, n_classes)
    by_hand = ByHand(hierarchy.parents, k, eta)
    expected = np.zeros((len(DELTAS), *Y.shape), np.uint8)
    for row, (x, path) in enumerate(zip(X, paths, strict=True)):
        for i, delta in enumerate(DELTAS):
            expected[i, row, by_hand.predict(x, delta)] = 1
        by_hand.learn(x, path)
    for i, delta in enumerate(DELTAS):
        model = sl.HierarchicalKNN(k, delta, eta).bind(schema_of(3, hierarchy))
        pieces = [slice(at, at + 170) for at in range(0, n, 170)]
        predicted = np.concatenate([model.test_then_train(X[piece], Y[piece])[1] for piece in pieces])
        np.testing.assert_array_equal(predicted, expected[i])
        assert model.node_columns()["held"].max() == eta, "some window must have overflowed"
        for c, dataset in by_hand.local_dataset.items():
            np.testing.assert_array_equal(model.window_of(f"c{c}"), np.array(dataset).reshape(-1, 3))
    # a larger delta stops sooner: every set lies in that of the smaller one
    assert (np.diff(expected.astype(int), axis=0) <= 0).all()
    assert expected[0].sum() > expected[1].sum() > expected[2].sum() > expected[3].sum()
