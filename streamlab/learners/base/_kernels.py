"""The checks of a chunk's values, of numbers and of readings that are far from all before; the choice of labels."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel

__all__ = [
    "ALL_WITHIN", "BEYOND", "FARTHEST", "ROWS_OF_RANGES", "SMALL", "SMALL_AND_BEYOND", "STEP", "are_flags", "beyond",
    "bits_of", "choose_above", "choose_expected", "choose_highest", "copy_written", "count_values", "examine",
    "follow", "learn_ranges", "mark_outliers",
]  # fmt: skip

# rows of the ranges' array, for each feature: the range seen, how many values other than 0 (counted until the range is
# trusted, and not for nominal features), and of late outliers how many and the row of the first
LOW, HIGH, COUNT, OUTLIERS, SINCE, ROWS_OF_RANGES = 0, 1, 2, 3, 4, 5
ALL_WITHIN, SMALL, BEYOND, SMALL_AND_BEYOND = -1, -2, -3, -4
"""What ``examine`` returns where no value is bad."""
# for more labels, sorting all scores is quicker than looking for the highest again and again
MANY_LABELS = 12
LEAST_BITS, MOST_BITS = np.int64(-(2**63)), np.int64(2**63 - 1)
STEP = 0.05
"""How far an error of one label moves its threshold, in log-odds."""
FARTHEST = 20.0
"""Where a threshold stops, in log-odds: at scores of 2e-9 and 1 - 2e-9."""
# numbers of 8 bytes in a page of memory
PAGE = 512


def bits_of(value: float) -> int:
    """Return the bits of a float64, which order numbers above 0 as the numbers themselves."""
    return int(np.float64(value).view(np.int64))


@kernel
def copy_written(old, new):
    """Copy ``old`` (int64 [.]) to zeros, except for stretches of zeros: memory that neither has, no one then needs."""
    for start in range(0, old.shape[0], PAGE):
        stop = min(start + PAGE, old.shape[0])
        bits = 0
        for i in range(start, stop):
            bits |= old[i]
        if bits != 0:
            for i in range(start, stop):
                new[i] = old[i]


@kernel
def examine(X, n_categories, missing, smallest, largest, ranges):
    """Mark in ``missing`` (bool [rows]) the rows with a NaN; return the flat index of the first bad value, or less.

    Bad is what is larger than a bound, and in a nominal column (``n_categories`` float64 [columns] above 0) all but 0,
    1, … k - 1. The bounds are the bits of numbers. Where no value is bad: ``ALL_WITHIN`` the ranges of their features,
    one ``BEYOND`` them, one that is ``SMALL``, not 0 and under ``smallest``, or ``SMALL_AND_BEYOND``.
    """
    n, width = X.shape
    bits = X.view(np.int64)
    magnitude = np.int64(0x7FFFFFFFFFFFFFFF)
    low, high = ranges[LOW], ranges[HIGH]
    any_nominal, any_number, any_small, any_outside = False, False, False, False
    for j in range(width):
        any_nominal |= n_categories[j] > 0
        any_number |= not n_categories[j] > 0
    for i in range(n):
        # integers and their sums, so that the loops are vectorised; NaN and infinity are above all numbers
        odd, outside = 0, 0
        if any_number:
            for j in range(width):
                a = bits[i, j] & magnitude
                odd += np.int64((a > largest) | ((a < smallest) & (a != 0)))
                outside += np.int64((X[i, j] < low[j]) | (X[i, j] > high[j]))
            any_outside |= outside > 0
        if any_nominal:
            for j in range(width):
                v = X[i, j]
                k = n_categories[j]
                odd += np.int64((k > 0) & ((v < 0) | (v >= k) | (v != np.floor(v))))
        missing[i] = False
        if odd > 0:
            for j in range(width):
                v = X[i, j]
                a = bits[i, j] & magnitude
                if np.isnan(v):
                    missing[i] = True
                elif a > largest or (n_categories[j] > 0 and (v < 0 or v >= n_categories[j] or v != np.floor(v))):
                    return i * width + j
                elif a < smallest and a != 0:
                    any_small = True
    return ALL_WITHIN - np.int64(any_small) - 2 * np.int64(any_outside)


@kernel
def are_flags(Y):
    """Whether uint8 [rows, labels] holds 0 and 1 alone."""
    for i in range(Y.shape[0]):
        other = False
        for j in range(Y.shape[1]):
            other |= Y[i, j] > 1
        if other:
            return False
    return True


@kernel
def beyond(X, ranges):
    """Whether a value lies outside the range of its feature."""
    low, high = ranges[LOW], ranges[HIGH]
    for i in range(X.shape[0]):
        x = X[i]
        # a sum, so that the loop is vectorised
        outside = 0
        for j in range(x.shape[0]):
            outside += np.int64(x[j] < low[j]) + np.int64(x[j] > high[j])
        if outside > 0:
            return True
    return False


@kernel(arrays=True)
def count_values(X, ranges, trusted):
    """Count the values of a chunk that lies in the ranges, up to ``trusted``; return whether all ranges are trusted."""
    low, count = ranges[LOW], ranges[COUNT]
    found = np.zeros(count.shape[0], np.int64)
    for i in range(X.shape[0]):
        x = X[i]
        for j in range(x.shape[0]):
            found[j] += (x[j] < 0.0) | (x[j] > 0.0)
    unsettled = False
    for j in range(count.shape[0]):
        if low[j] > -np.inf:
            count[j] = min(count[j] + found[j], trusted)
            unsettled |= count[j] < trusted
    return not unsettled


@kernel(inner=True)
def _count_row(x, low, count, trusted):
    """Count the values of one row; return whether the count of a feature has got to ``trusted``."""
    settles = False
    # without a branch, so that the loop is vectorised
    for j in range(x.shape[0]):
        value = ((x[j] < 0.0) | (x[j] > 0.0)) & (low[j] > -np.inf)
        more = min(count[j] + np.float64(value), trusted)
        settles |= (more != count[j]) & (more >= trusted)
        count[j] = more
    return settles


@kernel(inner=True, arrays=True)
def _limits(ranges, trusted, widths):
    """Return the values under and above which one is an outlier, float64 [2, features]."""
    limits = np.empty((2, ranges.shape[1]))
    for j in range(ranges.shape[1]):
        width = ranges[HIGH, j] - ranges[LOW, j]
        if ranges[COUNT, j] >= trusted and width > 0.0:
            limits[0, j], limits[1, j] = ranges[LOW, j] - widths * width, ranges[HIGH, j] + widths * width
        else:
            limits[0, j], limits[1, j] = -np.inf, np.inf
    return limits


@kernel(inner=True)
def _n_outside(x, low, high):
    """Return how many values of a row lie outside of ranges."""
    n = 0
    for j in range(x.shape[0]):
        n += np.int64(x[j] < low[j]) + np.int64(x[j] > high[j])
    return n


@kernel(inner=True)
def _mark_late(x, outliers, limits, ranges, row, patience, window):
    """Mark the outliers of a row that is learned; let a range reach a feature's last one of ``patience``; how many."""
    n = 0
    for j in range(x.shape[0]):
        if x[j] < limits[0, j] or x[j] > limits[1, j]:
            n += 1
            outliers[j] = True
            if ranges[OUTLIERS, j] == 0.0 or row - ranges[SINCE, j] >= window:
                ranges[OUTLIERS, j], ranges[SINCE, j] = 0.0, row
            ranges[OUTLIERS, j] += 1.0
            if ranges[OUTLIERS, j] >= patience:
                ranges[OUTLIERS, j] = 0.0
                ranges[LOW, j], ranges[HIGH, j] = min(ranges[LOW, j], x[j]), max(ranges[HIGH, j], x[j])
    return n


@kernel(arrays=True)
def mark_outliers(X, outliers, ranges, trusted, widths):
    """Mark the outliers by the ranges as they are in ``outliers`` (bool, as X); return how many there are."""
    limits = _limits(ranges, trusted, widths)
    n = 0
    for i in range(X.shape[0]):
        late = _n_outside(X[i], limits[0], limits[1])
        if late > 0:
            n += late
            for j in range(X.shape[1]):
                outliers[i, j] = (X[i, j] < limits[0, j]) | (X[i, j] > limits[1, j])
    return n


@kernel(arrays=True)
def learn_ranges(X, outliers, ranges, row, trusted, widths, patience, window):
    """Mark the outliers in ``outliers`` (bool, as X), row by row, and widen the ranges by the others; return how many.

    ``row`` is the number of the first. After ``patience`` outliers of a feature within ``window`` rows they are no
    outliers: from the next row on the range reaches them.
    """
    n = 0
    limits = _limits(ranges, trusted, widths)
    low, high, count = ranges[LOW], ranges[HIGH], ranges[COUNT]
    for i in range(X.shape[0]):
        x = X[i]
        changed = False
        if _n_outside(x, low, high) > 0:
            changed = True
            if _n_outside(x, limits[0], limits[1]) > 0:
                n += _mark_late(x, outliers[i], limits, ranges, row + i, patience, window)
            for j in range(x.shape[0]):
                v = x[j]
                low[j] = v if (v < low[j]) & (not outliers[i, j]) else low[j]
                high[j] = v if (v > high[j]) & (not outliers[i, j]) else high[j]
        # an outlier is of a range that needs no further values
        changed |= _count_row(x, low, count, trusted)
        if changed:
            limits = _limits(ranges, trusted, widths)
    return n


@kernel(inner=True, arrays=True)
def _last_when_sorted(scores, k):
    """Return the ``k``-th highest score."""
    n = scores.shape[0]
    ranked = np.empty(n)
    for j in range(n):
        ranked[j] = scores[j]
    # Shell's sort, with the gaps of Gonnet and Baeza-Yates: numba's takes a second to compile
    gap = n // 2
    while gap > 0:
        for i in range(gap, n):
            score, j = ranked[i], i
            while j >= gap and ranked[j - gap] > score:
                ranked[j] = ranked[j - gap]
                j -= gap
            ranked[j] = score
        gap = 1 if gap == 2 else gap * 5 // 11
    return ranked[n - k]


@kernel(inner=True)
def _ordered(bits):
    """Return an integer that orders a number, of which these are the bits, among others; -0 is 0."""
    return bits if bits >= 0 else LEAST_BITS - bits


@kernel(inner=True)
def _last_by_passes(scores, k):
    """Return the ``k``-th highest score: again and again the highest under the last, until ``k`` are as high."""
    # as integers, and without a branch, so that the loops are vectorised
    bits = scores.view(np.int64)
    last = MOST_BITS
    n = 0
    while n < k:
        highest = LEAST_BITS
        for j in range(bits.shape[0]):
            a = _ordered(bits[j])
            highest = max(highest, a if a < last else LEAST_BITS)
        last, n = highest, 0
        for j in range(bits.shape[0]):
            n += np.int64(_ordered(bits[j]) >= last)
    return np.int64(_ordered(last)).view(np.float64)


@kernel
def choose_highest(scores, k, labels):
    """Set the ``k`` labels (uint8 [labels], 0 before) of the highest scores; of equals the lower index first."""
    if k <= 0:
        return
    last, left = _last_when_sorted(scores, k) if k > MANY_LABELS else _last_by_passes(scores, k), k
    for j in range(scores.shape[0]):
        labels[j] = scores[j] > last
        left -= np.int64(scores[j] > last)
    for j in range(scores.shape[0]):
        if scores[j] == last:
            labels[j] = 1
            left -= 1
            if left == 0:
                return


@kernel
def choose_expected(scores, labels):
    """Set as many labels of each row, the highest scores first, as the row's scores sum to."""
    n_labels = scores.shape[1]
    for i in range(scores.shape[0]):
        total = 0.0
        for j in range(n_labels):
            total += scores[i, j]
        choose_highest(scores[i], min(n_labels, int(np.floor(total + 0.5))), labels[i])


@kernel
def choose_above(scores, thresholds, labels):
    """Set the labels whose scores are above their thresholds (in log-odds)."""
    for j in range(scores.shape[1]):
        bound = 1.0 / (1.0 + math.exp(-thresholds[j]))
        for i in range(scores.shape[0]):
            labels[i, j] = scores[i, j] > bound


@kernel(arrays=True)
def follow(scores, truth, thresholds, labels):
    """Answer row by row; each wrong label moves its threshold, up where it was answered, down where it was missed."""
    bounds = np.empty(thresholds.shape[0])
    for j in range(thresholds.shape[0]):
        bounds[j] = 1.0 / (1.0 + math.exp(-thresholds[j]))
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            answered = scores[i, j] > bounds[j]
            labels[i, j] = answered
            if answered != (truth[i, j] != 0):
                moved = thresholds[j] + (STEP if answered else -STEP)
                thresholds[j] = min(max(moved, -FARTHEST), FARTHEST)
                bounds[j] = 1.0 / (1.0 + math.exp(-thresholds[j]))
