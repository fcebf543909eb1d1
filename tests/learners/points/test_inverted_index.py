"""An inverted index counts the labels of the same neighbours as distances over all columns do."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from streamlab.learners.base.rows import SparseRows
from streamlab.learners.points.point_learner import InvertedIndex
from tests.learners.sparse_streams import wide


def by_columns(points, asking, own, k, Y):
    """Count the labels of the k nearest, by sums from the first column to the last; of equals the first."""
    fill = np.array([sum(v for v in column if v == v) / max((column == column).sum(), 1) for column in points.T])
    points, asking = (np.where(np.isnan(rows), fill, rows) for rows in (points, asking))
    middle = np.add.accumulate(points)[-1] / len(points)
    counts = np.zeros((len(asking), Y.shape[1]), np.int64)
    for i, x in enumerate(asking - middle):
        away = (x - (points - middle)) ** 2
        distances = np.add.accumulate(away, axis=1)[:, -1]
        order = [j for j in np.argsort(distances, kind="stable") if j != own[i]][:k]
        counts[i] = Y[order].sum(axis=0)
    return counts


@pytest.mark.costly
@pytest.mark.parametrize("k", [1, 4, 12, 40])
@pytest.mark.parametrize(
    "how",
    [{}, {"missing": 0.05}, {"density": 0.03}, {"density": 0.7, "offset": 3}],
    ids=["plain", "gaps", "ties", "far"],
)
def test_the_neighbours_are_those_of_all_columns(how, k):
    X, Y = wide(90, 30, seed=k, **how)
    X[40:50] = X[:10]
    points, asking = X[:37], X[30:]
    index = InvertedIndex(SparseRows.of(points))
    nobody, themselves = np.full(len(asking), -1), np.arange(37)
    for rows in (asking, SparseRows.of(asking)):
        np.testing.assert_array_equal(
            index.label_counts(rows, nobody, k, Y[:37]), by_columns(points, asking, nobody, k, Y[:37])
        )
    np.testing.assert_array_equal(
        index.label_counts(points, themselves, k, Y[:37]), by_columns(points, points, themselves, k, Y[:37])
    )


def test_a_slice_of_rows_and_the_map_of_an_index_before_are_taken():
    X, Y = wide(80, 30)
    rows = SparseRows.of(X)
    first = InvertedIndex(rows[:40])
    again = InvertedIndex(rows[40:], first)
    fresh = InvertedIndex(SparseRows.of(X[40:]))
    nobody = np.full(80, -1)
    expected = fresh.label_counts(rows, nobody, 5, Y[40:])
    np.testing.assert_array_equal(again.label_counts(rows, nobody, 5, Y[40:]), expected)
    assert again.nbytes == fresh.nbytes > 0
    twin = copy.deepcopy(again)
    InvertedIndex(rows[:40], again)
    np.testing.assert_array_equal(twin.label_counts(rows, nobody, 5, Y[40:]), expected)
    assert again.label_counts(rows[:0], nobody[:0], 5, Y[40:]).shape == (0, Y.shape[1])


def test_rows_without_a_value_are_as_near_as_their_squares_say():
    rows = SparseRows.of(np.array([[0.0, 0.0], [0.0, 0.0], [3.0, 0.0]]))
    index = InvertedIndex(rows)
    counts = index.label_counts(np.zeros((1, 2)), np.array([-1]), 2, np.array([[1, 0], [1, 0], [0, 1]], np.uint8))
    assert counts.tolist() == [[2, 0]]
