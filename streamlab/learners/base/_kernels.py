"""Kernels that all learners share: checks of a chunk's values, ranges of features, draws, prefetching."""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np import arrayobj

from streamlab.kernels import kernel
from streamlab.learners.base import fading

# rows of the ranges' array, for each feature: the range seen, how many values other than 0 (counted until the range is
# trusted, and not for nominal features), and of late outliers how many and the row of the first
LOW, HIGH, COUNT, OUTLIERS, SINCE, ROWS_OF_RANGES = 0, 1, 2, 3, 4, 5
ALL_WITHIN, SMALL, BEYOND, SMALL_AND_BEYOND = -1, -2, -3, -4
"""What ``examine`` returns where no value is bad."""
# numbers of 8 bytes in a page of memory
PAGE = 512

share_left = kernel(inner=True)(fading.share_left)
"""What share of evidence is left so many rows later: the function that Python calls, compiled."""


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


GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""The odd step of SplitMix64: counters are multiplied by it before they are mixed."""


@kernel(inner=True)
def mix(z):
    """Return SplitMix64's finaliser of ``z`` (uint64): a bijection in which every bit depends on every other."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel(inner=True)
def unit(z):
    """Return the upper 53 bits as a float64 in [0, 1)."""
    return np.float64(z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


# for reading, to all caches, of data
READ, ALL_CACHES, DATA = 0, 3, 1


@intrinsic
def prefetch(typingctx, row, i):
    """Ask the memory for the cache line of ``row[i]``, of a contiguous array [.], and go on without it."""

    def code(context, builder, signature, arguments):
        found = arrayobj.make_array(signature.args[0])(context, builder, arguments[0])
        number, address = ir.IntType(32), ir.IntType(8).as_pointer()
        place = builder.bitcast(builder.gep(found.data, [arguments[1]]), address)
        kind = ir.FunctionType(ir.VoidType(), [address, number, number, number])
        fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(fetch, [place, *map(number, (READ, ALL_CACHES, DATA))])
        return context.get_dummy_value()

    return types.none(row, types.int64), code
