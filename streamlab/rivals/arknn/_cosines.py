"""Kernels of ARkNN's cosines: of all rows about, in float32, then exactly of those that may be the nearest.

``Columns`` follows from the memory, and is kept because it is asked for often. ``lanes`` are the places and a few more.

``values``    float32 [features, lanes]: the rows as they are scaled, what is missing as 0; of features with more than
              two categories the category.
``squares``   float64 [lanes]: the squared length of a row.
``inverse``   float32 [lanes]: 1 / length of a row; 0 where it has a missing value or hardly a length, and is always
              asked exactly.
``changes``   int64 [1]: how often ranges have grown since all squares were summed up.

``Ahead`` holds what is known of the next rows that ask, ``GROUP`` at most. They are answered together as far as they
can be: columns are read from the cache once for all of them. What follows from a row that is learned in between is
written to the others; they are asked again when a range has grown.

``rows``      float64 [GROUP, padded]: the rows as they are scaled, what is missing as 0, then zeros.
``squares``   float64 [GROUP]: their squared lengths.
``used``      int64 [features + 4]: the columns in which one of them is not 0; how many there are stands last.
``weights``   float32 [GROUP, features + 3]: the rows of length 1, in these columns.
``lengths``   float64 [GROUP]: what they were divided by, categories included; 0 if that cannot be done.
``sums``      float32 [GROUP, lanes]: their products with the rows; once a row is asked, its cosines.
``largest``, ``remembered``  float32 [2, BLOCKS] and float64 [padded]: overwritten.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from streamlab.kernels import kernel
from streamlab.rivals._remembered import DENSE, HELD, PADDING, has_gap, nearest, reordered, scale_row

__all__ = [
    "GROUP",
    "LANES",
    "Columns",
    "answer_ahead",
    "find_nearest",
    "look_ahead",
    "make_ahead",
    "move_column",
    "widen_columns",
    "write_column",
    "write_columns",
]  # fmt: skip

GROUP = 8
LANES = 16
"""Places whose float32 are a line of the cache."""
BLOCKS = 64
"""Of each the largest cosine is looked at first; block b is every 64th place from b on: all are read abreast."""
# a float32 is so exact, as a share of itself
UNIT = 2.0**-24
# squared lengths of rows that ask below this, which float32 does not hold as exactly
SMALLEST = 1e-20
# squares are summed up again after so many changes, each of which adds a rounding of 2**-52 times the features at most:
# those of at least LEAST times the features are exact to UNIT
MOST_CHANGES = 256
LEAST = 2.0**-20
# less than any cosine
LOWEST = np.float32(-2.0)

# sums in any order
about = kernel(fastmath={"reassoc", "contract", "nsz"}, inner=True)


class Columns(NamedTuple):
    """The rows by their columns; see the module."""

    values: np.ndarray
    squares: np.ndarray
    inverse: np.ndarray
    changes: np.ndarray


class Ahead(NamedTuple):
    """The next rows that ask; see the module."""

    rows: np.ndarray
    squares: np.ndarray
    used: np.ndarray
    weights: np.ndarray
    lengths: np.ndarray
    sums: np.ndarray
    largest: np.ndarray
    remembered: np.ndarray


# ---------------------------------------------------------------------- rows come and leave


@kernel(inner=True)
def _invert(columns, gaps, start, stop):
    """Write the inverse lengths of the rows at places ``start`` to ``stop``."""
    squares, inverse, least = columns.squares, columns.inverse, LEAST * columns.values.shape[0]
    # without a branch: several at once
    for i in range(start, stop):
        sure = (squares[i] >= least) & (gaps[i] == 0)
        inverse[i] = (1.0 if sure else 0.0) / math.sqrt(squares[i] if sure else 1.0)


@kernel(inner=True)
def write_column(columns, memory, nominal, i):
    """Write what follows from the row at place ``i``; where rows are sparse, only what is not 0."""
    X, low, scale, values = memory.X, memory.low, memory.scale, columns.values
    square = 0.0
    if memory.cursor[DENSE]:
        for j in range(X.shape[1]):
            v = (X[i, j] - low[j]) * scale[j]
            values[j, i] = 0.0 if np.isnan(v) else v
            square += np.float64(values[j, i]) * values[j, i]
    else:
        for p in range(memory.lengths[i]):
            j = memory.columns[i, p]
            values[j, i] = memory.values[i, p]
            square += np.float64(values[j, i]) * values[j, i]
    for f in range(nominal.shape[0]):
        v = X[i, nominal[f]]
        values[nominal[f], i] = 0.0 if np.isnan(v) else v
        square += v != 0.0
    columns.squares[i] = square
    _invert(columns, memory.gaps, i, i + 1)


@kernel
def write_columns(columns, memory, nominal):
    """Write what follows from all rows."""
    for i in range(memory.cursor[HELD]):
        write_column(columns, memory, nominal, i)
    columns.changes[0] = 0


@kernel(inner=True)
def widen_columns(columns, memory, nominal, wider, n_wider):
    """Write what follows from the ranges of ``wider[:n_wider]``, which have grown."""
    values, squares, X, held = columns.values, columns.squares, memory.X, memory.cursor[HELD]
    columns.changes[0] += n_wider
    if columns.changes[0] > MOST_CHANGES:
        write_columns(columns, memory, nominal)
        return
    for t in range(n_wider):
        j = wider[t]
        low, scale = memory.low[j], memory.scale[j]
        for i in range(held):
            v, old = (X[i, j] - low) * scale, np.float64(values[j, i])
            values[j, i] = 0.0 if np.isnan(v) else v
            squares[i] += np.float64(values[j, i]) * values[j, i] - old * old
    _invert(columns, memory.gaps, 0, held)


@kernel(inner=True)
def move_column(columns, memory, ahead, i, last):
    """Write at place ``i`` what is written at ``last``, as the memory is about to; a free place is zeros if sparse."""
    values = columns.values
    if memory.cursor[DENSE]:
        for j in range(values.shape[0]):
            values[j, i] = values[j, last]
    else:
        for p in range(memory.lengths[i]):
            values[memory.columns[i, p], i] = 0.0
        for p in range(memory.lengths[last] if i < last else 0):
            j = memory.columns[last, p]
            values[j, i] = values[j, last]
            values[j, last] = 0.0
    columns.squares[i] = columns.squares[last]
    columns.inverse[i] = columns.inverse[last]
    for s in range(GROUP):
        ahead.sums[s, i] = ahead.sums[s, last]


# ---------------------------------------------------------------------- who is near, about


@kernel(arrays=True)
def make_ahead(columns):
    """Return room for the next rows."""
    n_features, lanes = columns.values.shape[0] - 1, columns.values.shape[1]
    padded = (n_features + PADDING - 1) // PADDING * PADDING
    return Ahead(
        np.zeros((GROUP, padded)), np.zeros(GROUP), np.zeros(n_features + 4, np.int64),
        np.zeros((GROUP, n_features + 3), np.float32), np.zeros(GROUP), np.zeros((GROUP, lanes), np.float32),
        np.zeros((2, BLOCKS), np.float32), np.zeros(padded),
    )  # fmt: skip


@about
def _add_products(weights, used, n_used, values, n_rows, n, sums):
    """Add the products of an even number of rows and the first ``n`` places, four columns at once."""
    for t in range(0, n_used, 4):
        c0, c1, c2, c3 = used[t], used[t + 1], used[t + 2], used[t + 3]
        for s in range(0, n_rows, 2):
            a0, a1, a2, a3 = weights[s, t], weights[s, t + 1], weights[s, t + 2], weights[s, t + 3]
            b0, b1, b2, b3 = weights[s + 1, t], weights[s + 1, t + 1], weights[s + 1, t + 2], weights[s + 1, t + 3]
            for i in range(n):
                x0, x1, x2, x3 = values[c0, i], values[c1, i], values[c2, i], values[c3, i]
                sums[s, i] += (a0 * x0 + a1 * x1) + (a2 * x2 + a3 * x3)
                sums[s + 1, i] += (b0 * x0 + b1 * x1) + (b2 * x2 + b3 * x3)


@kernel(inner=True)
def _write_rows(memory, nominal, X, start, stop, ahead):
    """Write what ``ahead`` knows of the rows ``X[start:stop]`` by themselves; return how many columns are used."""
    rows, squares, used, weights, lengths = ahead.rows, ahead.squares, ahead.used, ahead.weights, ahead.lengths
    n_rows, n_features = stop - start, X.shape[1]
    for s in range(n_rows):
        scale_row(memory, X[start + s], rows[s])
    n_used = 0
    for j in range(n_features):
        other = False
        for s in range(n_rows):
            other |= rows[s, j] != 0.0
        used[n_used] = j
        n_used += other
    squares[:] = 0.0
    for t in range(n_used):
        for s in range(n_rows):
            squares[s] += rows[s, used[t]] * rows[s, used[t]]
    for s in range(n_rows):
        length = squares[s]
        for f in range(nominal.shape[0]):
            length += X[start + s, nominal[f]] != 0.0
        lengths[s] = math.sqrt(length) if SMALLEST < length < math.inf else 0.0
        over = 1.0 / lengths[s] if lengths[s] > 0.0 else 0.0
        for t in range(n_used):
            weights[s, t] = rows[s, used[t]] * over if over > 0.0 else 0.0
    # to an even number of rows, and a multiple of four columns: that after the last is zeros
    if n_rows < GROUP:
        weights[n_rows] = 0.0
    used[n_used : n_used + 3] = n_features
    weights[:, n_used : n_used + 3] = 0.0
    used[-1] = n_used
    return n_used


@kernel(inner=True)
def look_ahead(columns, memory, nominal, X, start, stop, ahead):
    """Write how alike the rows ``X[start:stop]`` and all places are into ``ahead``."""
    values, sums, lengths, held = columns.values, ahead.sums, ahead.lengths, memory.cursor[HELD]
    n_rows, n_used = stop - start, _write_rows(memory, nominal, X, start, stop, ahead)
    for s in range(n_rows + n_rows % 2):
        for i in range(held):
            sums[s, i] = 0.0
    _add_products(ahead.weights, ahead.used, n_used, values, n_rows, held, sums)
    for f in range(nominal.shape[0]):
        j = nominal[f]
        for s in range(n_rows):
            if X[start + s, j] != 0.0 and lengths[s] > 0.0:
                category, one = np.float32(X[start + s, j]), np.float32(1.0 / lengths[s])
                for i in range(held):
                    sums[s, i] += one if values[j, i] == category else np.float32(0.0)


@about
def answer_ahead(ahead, X, nominal, start, row, stop, i):
    """Write how alike the rows after ``row`` are to it, which has been put at place ``i``."""
    s = row - start
    n_used = ahead.used[-1]
    for later in range(s + 1, stop - start):
        total = np.float32(0.0)
        for t in range(n_used):
            total += ahead.weights[s, t] * ahead.weights[later, t]
        ahead.sums[later, i] = total * ahead.lengths[s]
        for f in range(nominal.shape[0]):
            j = nominal[f]
            if X[row, j] == X[start + later, j] and X[row, j] != 0.0 and ahead.lengths[later] > 0.0:
                ahead.sums[later, i] += 1.0 / ahead.lengths[later]


@kernel(inner=True)
def _largest_of_blocks(cosines, inverse, n, largest):
    """Multiply by the inverse lengths and note the largest of each block; return whether one is 0."""
    unsure = False
    for i in range(n):
        unsure |= inverse[i] == np.float32(0.0)
    for i in range(n):
        cosines[i] *= inverse[i]
    if unsure:
        for i in range(n):
            if inverse[i] == np.float32(0.0):
                cosines[i] = LOWEST
    whole = n // BLOCKS * BLOCKS
    for b in range(BLOCKS):
        largest[b] = cosines[whole + b] if whole + b < n else LOWEST
    for first in range(0, whole, BLOCKS):
        for b in range(BLOCKS):
            c = cosines[first + b]
            largest[b] = c if c > largest[b] else largest[b]
    return unsure


@kernel(inner=True)
def _kth_largest(values, n, k):
    """Return the ``k``-th largest of the first ``n`` values, which are put in another order."""
    for t in range(k):
        at = t
        for i in range(t + 1, n):
            if values[i] > values[at]:
                at = i
        values[t], values[at] = values[at], values[t]
    return values[k - 1]


@kernel(inner=True)
def _may_be_near(columns, ahead, s, n, k, places):
    """Find the places of the first ``n`` that may be among the ``k`` nearest of row ``s``; return how many."""
    cosines, inverse, largest, best = ahead.sums[s], columns.inverse, ahead.largest[0], ahead.largest[1]
    unsure = _largest_of_blocks(cosines, inverse, n, largest)
    for b in range(BLOCKS):
        best[b] = largest[b]
    # the rounding of a sum of products in any order, of its factors and of the lengths, with room to spare
    slack = UNIT * (3.0 * columns.values.shape[0] + 32.0)
    limit = np.float32(_kth_largest(best, BLOCKS, k) - 2.0 * slack)
    found = 0
    for b in range(BLOCKS):
        if largest[b] >= limit:
            for i in range(b, n, BLOCKS):
                if cosines[i] >= limit and inverse[i] > np.float32(0.0):
                    places[found] = i
                    found += 1
    if unsure:
        for i in range(n):
            if inverse[i] == np.float32(0.0):
                places[found] = i
                found += 1
    return found


# ---------------------------------------------------------------------- how near they are


@reordered
def _dense_products(q, row):
    """Return the product of ``q`` and a row, and that of the row with itself."""
    product, square = 0.0, 0.0
    for j in range(q.shape[0]):
        v = row[j]
        product += q[j] * v
        square += v * v
    return product, square


@kernel(inner=True)
def _sparse_products(q, columns, values, n):
    """Return the same of a row that stores what is not 0."""
    product, square = 0.0, 0.0
    for p in range(n):
        v = values[p]
        product += q[columns[p]] * v
        square += v * v
    return product, square


@kernel(inner=True)
def _products_of_both(x, y, low, scale):
    """Return the product of two rows and both with themselves, over the features that neither lacks."""
    product, own, other = 0.0, 0.0, 0.0
    for j in range(x.shape[0]):
        a, b = (x[j] - low[j]) * scale[j], (y[j] - low[j]) * scale[j]
        if not (np.isnan(a) or np.isnan(b)):
            product += a * b
            own += a * a
            other += b * b
    return product, own, other


@kernel(inner=True)
def _nominal_products(x, y, nominal):
    """Return the same of the features ``nominal``, by an indicator for each category but the first."""
    product, own, other = 0.0, 0.0, 0.0
    for f in range(nominal.shape[0]):
        a, b = x[nominal[f]], y[nominal[f]]
        if not (np.isnan(a) or np.isnan(b)):
            product += a == b and a != 0.0
            own += a != 0.0
            other += b != 0.0
    return product, own, other


@kernel(inner=True)
def find_nearest(memory, columns, x, nominal, ahead, s, found, best, who):
    """Find the rows with the smallest 1 - cosine, of equals the older; return how many there are.

    Parameters
    ----------
    x, s
        The row that asks, which is row ``s`` of ``ahead``.
    nominal
        int64: features of more than two categories.
    found
        int64, float64 and int64 [places]: overwritten.
    best, who
        float64 and int64 [k]: get distances and places, the smallest first.

    Notes
    -----
    The cosine with a row of zeros is 0.
    """
    places, distances, born = found
    n, gap, k, q, length = memory.cursor[HELD], has_gap(x), len(best), ahead.rows[s], ahead.squares[s]
    if gap or k > min(n, BLOCKS) or ahead.lengths[s] == 0.0:
        for i in range(n):
            places[i] = i
        count = n
    else:
        count = _may_be_near(columns, ahead, s, n, k, places)
    root = math.sqrt(length)
    for t in range(count):
        i = places[t]
        born[t] = memory.born[i]
        own = length
        if gap or memory.gaps[i]:
            product, own, other = _products_of_both(x, memory.X[i], memory.low, memory.scale)
        elif memory.cursor[DENSE]:
            scale_row(memory, memory.X[i], ahead.remembered)
            product, other = _dense_products(q, ahead.remembered)
        else:
            product, other = _sparse_products(q, memory.columns[i], memory.values[i], memory.lengths[i])
        if nominal.shape[0] > 0 or gap or memory.gaps[i]:
            more, its, others = _nominal_products(x, memory.X[i], nominal)
            product += more
            over = math.sqrt(own + its) * math.sqrt(other + others)
        else:
            over = root * math.sqrt(other)
        cosine = product / (over if over > 0.0 else 1.0)
        distances[t] = 1.0 - (cosine if abs(cosine) < math.inf else 0.0)
    count = nearest(distances, born, count, best, who)
    for t in range(count):
        who[t] = places[who[t]]
    return count
