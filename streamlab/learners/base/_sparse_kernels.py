"""The checks of sparse rows: what ``_kernels`` does for dense ones, at the cost of the values that are kept."""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload

from streamlab.kernels import kernel
from streamlab.learners.base._kernels import COUNT, HIGH, LOW, OUTLIERS, SINCE, prefetch

# for so many values in advance the ranges are asked for
AHEAD = 8


@kernel
def check_rows(indptr, indices, n_features):
    """Return (0, 0) where the rows are well formed, else what is wrong and the row.

    1: ``indptr`` (int64 [rows + 1]) falls, or points outside ``indices``; 2: an index is outside of 0 …
    ``n_features`` - 1; 3: one occurs twice; 4: the indices do not rise.
    """
    if indptr.shape[0] == 0 or indptr[0] < 0:
        return 1, 0
    unsorted, where = False, 0
    for i in range(indptr.shape[0] - 1):
        if indptr[i + 1] < indptr[i] or indptr[i + 1] > indices.shape[0]:
            return 1, i
        before = np.int64(-1)
        for p in range(indptr[i], indptr[i + 1]):
            j = np.int64(indices[p])
            if j < 0 or j >= n_features:
                return 2, i
            if j == before:
                return 3, i
            if j < before and not unsorted:
                unsorted, where = True, i
            before = j
    return (4, where) if unsorted else (0, 0)


@kernel
def place_in(indices, begin, end, j):
    """Return where ``j`` is among ``indices[begin:end]``, which rise, or -1."""
    low, high = begin, end
    while low < high:
        middle = (low + high) >> 1
        if indices[middle] < j:
            low = middle + 1
        else:
            high = middle
    return low if low < end and indices[low] == j else -1


@kernel
def examine_rows(indptr, indices, data, has_nominal, n_categories, missing, smallest, largest):
    """Mark in ``missing`` the rows with a NaN; return the place of the first bad value; -1: none; -2: some are tiny.

    ``examine`` says which values are bad; zeros that are not stored are always good.
    """
    bits = data.view(np.int64)
    magnitude = np.int64(0x7FFFFFFFFFFFFFFF)
    any_small = False
    for i in range(indptr.shape[0] - 1):
        missing[i] = False
        for p in range(indptr[i], indptr[i + 1]):
            v = data[p]
            if np.isnan(v):
                missing[i] = True
                continue
            a = bits[p] & magnitude
            # of many columns most are in no cache
            k = n_categories[indices[p]] if has_nominal else 0.0
            if a > largest or (k > 0 and (v < 0 or v >= k or v != np.floor(v))):
                return p
            any_small |= (a < smallest) & (a != 0)
    return -2 if any_small else -1


@kernel(arrays=True)
def open_features(ranges):
    """Return the features whose range does not hold 0, int64 [..]: where a value is absent, it may be news."""
    n = 0
    found = np.empty(ranges.shape[1], np.int64)
    for j in range(ranges.shape[1]):
        found[n] = j
        n += np.int64(not (ranges[LOW, j] <= 0.0 <= ranges[HIGH, j]))
    return found[:n].copy()


@kernel
def _is_outlier(v, ranges, j, trusted, widths):
    """Whether a value of feature ``j`` is an outlier, by its range as it is."""
    width = ranges[HIGH, j] - ranges[LOW, j]
    if not (ranges[COUNT, j] >= trusted and width > 0.0):
        return False
    return v < ranges[LOW, j] - widths * width or v > ranges[HIGH, j] + widths * width


@kernel(arrays=True)
def guard_rows(indptr, indices, data, ranges, around, trusted, widths):
    """Make the outliers in ``data`` missing, by the ranges as they are; return those among the zeros, int64 [.., 2].

    ``around`` is what ``open_features`` returned: other features have no outlier zeros.
    """
    absent = np.empty((0, 2), np.int64)
    n_absent = 0
    # no range changes here: what a zero is holds for all rows
    without = np.empty(around.shape[0], np.int64)
    n_without = 0
    for t in range(around.shape[0]):
        if _is_outlier(0.0, ranges, around[t], trusted, widths):
            without[n_without] = around[t]
            n_without += 1
    for i in range(indptr.shape[0] - 1):
        begin, end = indptr[i], indptr[i + 1]
        for p in range(begin, end):
            if _is_outlier(data[p], ranges, indices[p], trusted, widths):
                data[p] = np.nan
        for t in range(n_without):
            j = without[t]
            if place_in(indices, begin, end, j) < 0:
                absent = _with_place(absent, n_absent, i, j)
                n_absent += 1
    return absent[:n_absent]


@kernel(arrays=True)
def _with_place(places, n, i, j):
    """Return ``places`` (int64 [.., 2]), longer if need be, with (i, j) as entry ``n``."""
    if n == places.shape[0]:
        longer = np.empty((2 * n + 16, 2), np.int64)
        longer[:n] = places[:n]
        places = longer
    places[n, 0], places[n, 1] = i, j
    return places


@kernel
def _meet(v, ranges, j, row, trusted, widths, patience, window):
    """Let a value of feature ``j`` widen its range, as ``learn_ranges`` does; return whether it is an outlier."""
    outlier = _is_outlier(v, ranges, j, trusted, widths)
    if outlier:
        if ranges[OUTLIERS, j] == 0.0 or row - ranges[SINCE, j] >= window:
            ranges[OUTLIERS, j], ranges[SINCE, j] = 0.0, row
        ranges[OUTLIERS, j] += 1.0
        if ranges[OUTLIERS, j] >= patience:
            ranges[OUTLIERS, j] = 0.0
            ranges[LOW, j], ranges[HIGH, j] = min(ranges[LOW, j], v), max(ranges[HIGH, j], v)
        return True
    if (v < 0.0 or v > 0.0) and ranges[LOW, j] > -np.inf:
        ranges[COUNT, j] = min(ranges[COUNT, j] + 1.0, trusted)
    if v < ranges[LOW, j]:
        ranges[LOW, j] = v
    if v > ranges[HIGH, j]:
        ranges[HIGH, j] = v
    return False


@kernel(arrays=True)
def learn_ranges_of_rows(indptr, indices, data, outliers, ranges, around, row, trusted, widths, patience, window):
    """Widen the ranges by sparse rows as ``learn_ranges`` does by dense ones, and find the outliers.

    ``outliers`` (bool, as long as ``data``) marks those among the values; returned are how many these are, the outliers
    among the zeros, int64 [.., 2], and how many features at the front of ``around`` (overwritten) are still open.
    """
    absent = np.empty((0, 2), np.int64)
    n_absent, n_outliers, n_open = 0, 0, around.shape[0]
    low, high, count = ranges[LOW], ranges[HIGH], ranges[COUNT]
    for i in range(indptr.shape[0] - 1):
        begin, end = indptr[i], indptr[i + 1]
        # first the zeros: a value of this row may close an open range for the next alone
        kept = 0
        for t in range(n_open):
            j = around[t]
            if place_in(indices, begin, end, j) >= 0:
                around[kept] = j
                kept += 1
                continue
            if _meet(0.0, ranges, j, row + i, trusted, widths, patience, window):
                absent = _with_place(absent, n_absent, i, j)
                n_absent += 1
            if not (ranges[LOW, j] <= 0.0 <= ranges[HIGH, j]):
                around[kept] = j
                kept += 1
        n_open = kept
        for p in range(begin, end):
            later = indices[min(p + AHEAD, indices.shape[0] - 1)]
            prefetch(low, later)
            prefetch(high, later)
            prefetch(count, later)
            if _meet(data[p], ranges, indices[p], row + i, trusted, widths, patience, window):
                outliers[p] = True
                n_outliers += 1
    return n_outliers, absent[:n_absent], n_open


# ---------------------------------------------------------------------- rows of either kind, for kernels of learners


def row_at(X, i):
    """Return row ``i`` of an array, or of sparse rows (``SparseRows.arrays``): its indices and its values."""
    if isinstance(X, tuple):
        indptr, indices, data = X
        return indices[indptr[i] : indptr[i + 1]], data[indptr[i] : indptr[i + 1]]
    return X[i]


def value_at(x, j):
    """Return the value of feature ``j`` in a row that ``row_at`` returned."""
    if isinstance(x, tuple):
        indices, data = x
        p = place_in(indices, 0, len(indices), j)
        return data[p] if p >= 0 else 0.0
    return x[j]


@overload(row_at, inline="always")
def _typed_row_at(X, i):
    if isinstance(X, types.BaseTuple):

        def of_rows(X, i):
            begin, end = X[0][i], X[0][i + 1]
            return X[1][begin:end], X[2][begin:end]

        return of_rows
    return lambda X, i: X[i]


@overload(value_at, inline="always")
def _typed_value_at(x, j):
    if isinstance(x, types.BaseTuple):

        def of_row(x, j):
            p = place_in(x[0], 0, x[0].shape[0], j)
            return x[1][p] if p >= 0 else 0.0

        return of_row
    return lambda x, j: x[j]
