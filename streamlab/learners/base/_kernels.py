"""The checks of a chunk's values: numbers that can be reckoned with, and readings that are far from all before."""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel

__all__ = ["ROWS_OF_DOOR", "admit", "beyond", "bits_of", "drop_strays", "gaps_of", "let_in", "scan"]

# rows of a door's array, for each feature: the range seen, how many values other than 0, and of late strays how many
# and the row of the first
LOW, HIGH, COUNT, STRAYS, SINCE, ROWS_OF_DOOR = 0, 1, 2, 3, 4, 5


def bits_of(value: float) -> np.int64:
    """Return the bits of a float64, which order numbers above 0 as the numbers themselves."""
    return np.float64(value).view(np.int64)


@kernel
def scan(X, n_categories, missing, smallest, largest):
    """Mark in ``missing`` (bool [rows]) the rows with a NaN; return the flat index of the first bad value, or -1.

    Bad is what is larger than a bound, and in a nominal column (``n_categories`` float64 [columns] above 0) all but 0,
    1, … k - 1. The bounds are the bits of numbers. -2: no value is bad, but one that is not 0 is under ``smallest``.
    """
    n, width = X.shape
    bits = X.view(np.int64)
    magnitude = np.int64(0x7FFFFFFFFFFFFFFF)
    any_nominal, any_small = False, False
    for j in range(width):
        any_nominal |= n_categories[j] > 0
    for i in range(n):
        # integers, so that the loop is vectorised; NaN and infinity are above all numbers
        odd = False
        for j in range(width):
            a = bits[i, j] & magnitude
            odd |= (a > largest) | ((a < smallest) & (a != 0))
        if any_nominal:
            for j in range(width):
                v = X[i, j]
                k = n_categories[j]
                odd |= (k > 0) & ((v < 0) | (v >= k) | (v != np.floor(v)))
        missing[i] = False
        if odd:
            for j in range(width):
                v = X[i, j]
                a = bits[i, j] & magnitude
                if np.isnan(v):
                    missing[i] = True
                elif a > largest or (n_categories[j] > 0 and (v < 0 or v >= n_categories[j] or v != np.floor(v))):
                    return i * width + j
                elif a < smallest and a != 0:
                    any_small = True
    return -2 if any_small else -1


@kernel
def beyond(X, door):
    """Whether a value lies outside the range of its feature."""
    low, high = door[LOW], door[HIGH]
    for i in range(X.shape[0]):
        x = X[i]
        # a sum, so that the loop is vectorised
        outside = 0
        for j in range(x.shape[0]):
            outside += np.int64(x[j] < low[j]) + np.int64(x[j] > high[j])
        if outside > 0:
            return True
    return False


@kernel
def let_in(X, door):
    """Count the values of a chunk that lies in the ranges, and return True; or return False."""
    if beyond(X, door):
        return False
    count = door[COUNT]
    for i in range(X.shape[0]):
        x = X[i]
        for j in range(x.shape[0]):
            count[j] += np.float64((x[j] < 0.0) | (x[j] > 0.0))
    return True


@kernel
def gaps_of(X):
    """Return which rows have a NaN, bool [rows]."""
    gaps = np.zeros(X.shape[0], np.bool_)
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            if np.isnan(X[i, j]):
                gaps[i] = True
                break
    return gaps


@kernel
def _is_stray(v, j, door, settled, widths):
    """Whether ``v`` is further from the range of feature ``j`` than so many widths of it, once that has settled."""
    width = door[HIGH, j] - door[LOW, j]
    return (
        door[COUNT, j] >= settled
        and width > 0.0
        and (v > door[HIGH, j] + widths * width or v < door[LOW, j] - widths * width)
    )


@kernel
def drop_strays(X, door, settled, widths):
    """Make the strays in ``X`` missing, by the ranges as they are; return how many there are."""
    n = 0
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            v = X[i, j]
            if (v < door[LOW, j] or v > door[HIGH, j]) and _is_stray(v, j, door, settled, widths):
                X[i, j] = np.nan
                n += 1
    return n


@kernel
def admit(X, door, row, settled, widths, patience, window):
    """Make the strays in ``X`` missing, row by row, and widen the ranges by the others; return how many strays.

    ``row`` is the number of the first. After ``patience`` strays of a feature within ``window`` rows they are no
    strays: from the next row on the range reaches them.
    """
    n = 0
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            v = X[i, j]
            inside = not (v < door[LOW, j] or v > door[HIGH, j])
            if inside or not _is_stray(v, j, door, settled, widths):
                door[COUNT, j] += np.float64((v < 0.0) | (v > 0.0))
            if inside:
                continue
            if _is_stray(v, j, door, settled, widths):
                X[i, j] = np.nan
                n += 1
                if door[STRAYS, j] == 0.0 or row + i - door[SINCE, j] >= window:
                    door[STRAYS, j], door[SINCE, j] = 0.0, row + i
                door[STRAYS, j] += 1.0
                if door[STRAYS, j] < patience:
                    continue
                door[STRAYS, j] = 0.0
            door[LOW, j] = min(door[LOW, j], v)
            door[HIGH, j] = max(door[HIGH, j], v)
    return n
