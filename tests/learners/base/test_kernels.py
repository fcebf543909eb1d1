"""The kernels that check a chunk."""

from __future__ import annotations

import numpy as np

from streamlab.learners.base._kernels import scan
from streamlab.learners.base.columns import LARGEST_BITS, SMALLEST_BITS


def scanned(X: np.ndarray, n_categories: np.ndarray) -> tuple[int, list[bool]]:
    missing = np.zeros(len(X), np.bool_)
    return scan(X, n_categories, missing, SMALLEST_BITS, LARGEST_BITS), missing.tolist()


def test_scan_finds_the_first_bad_value_and_the_rows_with_missing_ones():
    n_categories = np.array([0.0, 3.0])
    X = np.array([[1.0, 0.0], [np.nan, 2.0], [0.0, np.nan], [-1e100, 1.0]])
    assert scanned(X, n_categories) == (-1, [False, True, True, False])
    for row, column, value in (
        (2, 0, np.inf), (3, 0, -np.inf), (1, 1, 3.0), (0, 1, -1.0), (3, 1, 0.5), (2, 1, np.inf), (0, 0, 1.1e100),
        (1, 0, -1e308),
    ):  # fmt: skip
        bad = X.copy()
        bad[row, column] = value
        assert scanned(bad, n_categories)[0] == 2 * row + column


def test_scan_tells_of_values_that_are_too_small():
    for value, expected in ((1e-101, -2), (-5e-324, -2), (1e-100, -1), (-0.0, -1)):
        X = np.array([[1.0], [value], [np.nan]])
        assert scanned(X, np.zeros(1)) == (expected, [False, False, True])
    assert scanned(np.array([[1e-200], [np.inf]]), np.zeros(1))[0] == 1
