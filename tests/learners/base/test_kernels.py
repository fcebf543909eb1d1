"""The kernels that check a chunk."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.learners.base._decisions import MANY_LABELS, choose_highest
from streamlab.learners.base._kernels import (
    COUNT,
    HIGH,
    LOW,
    OUTLIERS,
    ROWS_OF_RANGES,
    SINCE,
    count_values,
    examine,
    learn_ranges,
)
from streamlab.learners.base.rows import LARGEST_BITS, SMALLEST_BITS


def examined(X: np.ndarray, n_categories: np.ndarray) -> tuple[int, list[bool]]:
    missing = np.zeros(len(X), np.bool_)
    ranges = np.zeros((ROWS_OF_RANGES, X.shape[1]))
    ranges[LOW], ranges[HIGH] = -np.inf, np.inf
    return examine(X, n_categories, missing, SMALLEST_BITS, LARGEST_BITS, ranges), missing.tolist()


def test_examine_finds_the_first_bad_value_and_the_rows_with_missing_ones():
    n_categories = np.array([0.0, 3.0])
    X = np.array([[1.0, 0.0], [np.nan, 2.0], [0.0, np.nan], [-1e100, 1.0]])
    assert examined(X, n_categories) == (-1, [False, True, True, False])
    for row, column, value in (
        (2, 0, np.inf), (3, 0, -np.inf), (1, 1, 3.0), (0, 1, -1.0), (3, 1, 0.5), (2, 1, np.inf), (0, 0, 1.1e100),
        (1, 0, -1e308),
    ):  # fmt: skip
        bad = X.copy()
        bad[row, column] = value
        assert examined(bad, n_categories)[0] == 2 * row + column


def test_examine_tells_of_values_outside_the_ranges():
    ranges = np.zeros((ROWS_OF_RANGES, 3))
    ranges[LOW], ranges[HIGH] = [0.0, -np.inf, np.inf], [1.0, np.inf, -np.inf]
    n_categories, missing = np.array([0.0, 3.0, 0.0]), np.zeros(1, np.bool_)
    for row, expected in (
        ([0.5, 2.0, np.nan], -1), ([1.0, 0.0, np.nan], -1), ([1.1, 0.0, np.nan], -3), ([-0.1, 0.0, np.nan], -3),
        # a feature without a value has no range yet
        ([0.5, 0.0, 0.0], -3), ([1e-200, 0.0, np.nan], -2), ([1e-200, 0.0, 1.0], -4), ([2.0, 3.0, 1.0], 1),
    ):  # fmt: skip
        assert examine(np.array([row]), n_categories, missing, SMALLEST_BITS, LARGEST_BITS, ranges) == expected


def test_values_but_0_are_counted_until_the_range_is_trusted():
    ranges = np.zeros((ROWS_OF_RANGES, 3))
    ranges[LOW], ranges[HIGH] = [-1.0, -np.inf, -1.0], [1.0, np.inf, 1.0]
    X = np.array([[1.0, 2.0, 0.0], [-1.0, 1.0, np.nan], [0.5, 1.0, 1.0]])
    assert not count_values(X, ranges, 4.0)
    assert ranges[COUNT].tolist() == [3.0, 0.0, 1.0]
    assert not count_values(X, ranges, 4.0)
    assert ranges[COUNT].tolist() == [4.0, 0.0, 2.0]
    assert not count_values(X, ranges, 4.0)
    assert count_values(X, ranges, 4.0)
    assert ranges[COUNT].tolist() == [4.0, 0.0, 4.0]


def admitted_value_by_value(X, ranges, row, trusted, widths, patience, window) -> int:
    """``learn_ranges`` as its docstring says it, one value after the other."""
    n = 0
    for i in range(len(X)):
        for j, v in enumerate(X[i].tolist()):
            low, high, count = ranges[LOW, j], ranges[HIGH, j], ranges[COUNT, j]
            outside = v < low or v > high
            if outside and count >= trusted and high > low:
                away = widths * (high - low)
                if v > high + away or v < low - away:
                    X[i, j] = np.nan
                    n += 1
                    if ranges[OUTLIERS, j] == 0 or row + i - ranges[SINCE, j] >= window:
                        ranges[OUTLIERS, j], ranges[SINCE, j] = 0, row + i
                    ranges[OUTLIERS, j] += 1
                    if ranges[OUTLIERS, j] < patience:
                        continue
                    ranges[OUTLIERS, j] = 0
                    ranges[LOW, j], ranges[HIGH, j] = min(low, v), max(high, v)
                    continue
            if v == v and v != 0 and low > -np.inf:
                ranges[COUNT, j] = min(count + 1, trusted)
            if outside:
                ranges[LOW, j], ranges[HIGH, j] = min(low, v), max(high, v)
    return n


@pytest.mark.parametrize("seed", range(8))
def test_rows_are_admitted_as_value_by_value(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(400, 7))
    X[rng.random(X.shape) < 0.1] = np.nan
    X[rng.random(X.shape) < 0.2] = 0.0
    X[60:][rng.random((340, 7)) < 0.02] *= 1e5
    X[200:215, 3] = 1e6 + rng.random(15)
    X[:, 6] = rng.integers(0, 3, 400)
    ranges = np.zeros((ROWS_OF_RANGES, 7))
    ranges[LOW], ranges[HIGH] = [np.inf] * 6 + [-np.inf], [-np.inf] * 6 + [np.inf]
    whole, cuts = ranges.copy(), ranges.copy()
    expected = X.copy()
    n = admitted_value_by_value(expected, ranges, 5, 30.0, 100.0, 10, 100)
    assert n > 10
    outliers, marks = np.zeros(X.shape, bool), np.zeros(X.shape, bool)
    assert learn_ranges(X, outliers, whole, 5, 30.0, 100.0, 10, 100) == n
    pieces = [slice(i, i + 23) for i in range(0, 400, 23)]
    assert n == sum(learn_ranges(X[p], marks[p], cuts, 5 + p.start, 30.0, 100.0, 10, 100) for p in pieces)
    for found, widened in ((outliers, whole), (marks, cuts)):
        np.testing.assert_array_equal(np.where(found, np.nan, X), expected)
        np.testing.assert_array_equal(widened, ranges)


@pytest.mark.parametrize("k", [0, 1, 5, MANY_LABELS, MANY_LABELS + 1, 30])
def test_the_labels_of_the_highest_scores_are_chosen_of_equals_the_lower(k):
    # scores of somebody else's learner may lie under 0, or be -0
    scores = np.random.default_rng(0).integers(-3, 4, 30) / -6.0
    labels = np.zeros(30, np.uint8)
    choose_highest(scores, k, labels)
    expected = sorted(range(30), key=lambda j: (-scores[j], j))[:k]
    assert np.flatnonzero(labels).tolist() == sorted(expected)
