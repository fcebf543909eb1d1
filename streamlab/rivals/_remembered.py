"""Kernels over a memory of rows: how alike each is to a row that asks, ranges that grow, rows that come and leave.

``Memory`` holds it all. The first ``cursor[HELD]`` places of each array of rows are in use, in no order:

``X``         float64 [places, features]: the rows as they came; NaN is missing.
``Y``         uint8 [places, labels]
``born``      int64 [places]: number of the row in the stream, never used twice.
``asked``     int64 [places]: how often the row was among the neighbours of a row that was learned.
``right``     int64 [places]: how often it then had that row's labels, all of them.

What the rows are scaled by:

``low``, ``high``  float64 [features]: the range of all rows learned, and 0.
``scale``     float64 [features]: 1 / (high - low), 0 where they are equal.

What follows from these, and is only kept because it is asked for often:

``gaps``      uint8 [places]: whether a value is missing.
``scaled``    float64 [places, padded]: (X - low) scale, then zeros; no places where rows are sparse.
``columns``, ``values``, ``lengths``  int32 and float64 [places, width], int32 [places]: where rows are sparse, the
              columns of the values that are not 0, in order, and these times scale.

``scaled`` and ``values`` have no places where a learner does not keep them.

``found``     int64 [8 + features]: what ``find_values`` found last.

``cursor``    int64 [4]: ``HELD``, ``NOW`` rows learned, ``DENSE``: whether ``scaled`` is used, or ``columns``,
              ``VALUES``: how many values of the rows learned were not 0.
``sizes``     int64 [HISTORY]: how many rows were held after row t, at t modulo its length.

Rows are sparse as long as no value was below 0 and of all values at most one in ``SPARSE`` was not 0: then a value of 0
is 0 also when it is scaled, and adds nothing. Features of more than two categories have no range and are not scaled.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._nearest import put, square_of, sum_of_both

HELD, NOW, DENSE, VALUES = 0, 1, 2, 3
N_CURSOR = 4
HISTORY = 1024
SPARSE = 3
# a row's values are read in blocks of so many, with no rest to be read one by one
PADDING = 8


Memory = namedtuple(
    "Memory",
    "X Y born asked right low high scale gaps scaled columns values lengths found cursor sizes",
)
"""The rows that are remembered; see the module."""


# ---------------------------------------------------------------------- rows come and leave


@kernel
def count_values(x):
    """Return how many values are not 0; -1 if one is below 0."""
    n, below = 0, False
    for j in range(x.shape[0]):
        below |= x[j] < 0.0
        n += x[j] != 0.0
    return -1 if below else n


@kernel
def is_dense(memory, n_values):
    """Whether too many values are not 0 once a row with this many has been learned."""
    return SPARSE * (memory.cursor[VALUES] + n_values) > (memory.cursor[NOW] + 1) * memory.X.shape[1]


@kernel(inner=True)
def fits(memory, x, window):
    """Whether ``x`` can be learned as the arrays are: there is a free place, and room for its values that are not 0."""
    held = memory.cursor[HELD]
    if held == memory.X.shape[0] and held < window:
        return False
    if memory.cursor[DENSE]:
        return True
    n_values = count_values(x)
    if n_values < 0 or is_dense(memory, n_values):
        return False
    return n_values <= memory.columns.shape[1]


@kernel(inner=True)
def has_gap(x):
    """Whether a value is missing."""
    gap = False
    for j in range(x.shape[0]):
        gap |= np.isnan(x[j])
    return gap


@kernel(inner=True)
def scale_row(memory, x, q):
    """Write ``x`` as the rows are scaled into ``q`` float64 [padded]; what is missing becomes 0."""
    for j in range(x.shape[0]):
        q[j] = 0.0 if np.isnan(x[j]) else (x[j] - memory.low[j]) * memory.scale[j]


@kernel(inner=True)
def find_values(memory, x):
    """Where rows are sparse, write the features with a value other than 0 into ``memory.found``; return how many."""
    n, found = 0, memory.found
    if memory.cursor[DENSE]:
        return n
    # without a branch, which nothing could foretell
    for j in range(x.shape[0]):
        found[n] = j
        n += (x[j] != 0.0) & (x[j] == x[j])
    return n


@kernel(inner=True)
def write_scaled(memory, i, n_values):
    """Write what follows from the values of place ``i``, of which ``n_values`` were found."""
    X, scale = memory.X, memory.scale
    memory.gaps[i] = has_gap(X[i])
    if memory.cursor[DENSE]:
        if memory.scaled.shape[0] > 0:
            scale_row(memory, X[i], memory.scaled[i])
        return
    found = memory.found
    for p in range(n_values):
        memory.columns[i, p] = found[p]
    if memory.values.shape[0] > 0:
        for p in range(n_values):
            memory.values[i, p] = X[i, found[p]] * scale[found[p]]
    memory.lengths[i] = n_values


@kernel
def write_all(memory):
    """Write what follows from the ranges and the rows."""
    for j in range(memory.low.shape[0]):
        width = memory.high[j] - memory.low[j]
        memory.scale[j] = 1.0 / width if width > 0.0 else 0.0
    for i in range(memory.cursor[HELD]):
        write_scaled(memory, i, find_values(memory, memory.X[i]))


@kernel(inner=True)
def widen(memory, x, n_categories, wider):
    """Take ``x`` into the ranges; what was scaled by those before is scaled again.

    Return how many ranges have grown; ``wider`` int64 [features] gets their features.
    """
    low, high, scale, held = memory.low, memory.high, memory.scale, memory.cursor[HELD]
    outside = False
    # without a branch: it is seldom so; NaN is neither
    for j in range(x.shape[0]):
        outside |= (x[j] < low[j]) | (x[j] > high[j])
    n_wider, rescaled = 0, False
    if not outside:
        return n_wider
    for j in range(x.shape[0]):
        if not (x[j] < low[j] or x[j] > high[j]) or n_categories[j] > 2:
            continue
        wider[n_wider] = j
        n_wider += 1
        # where there was no range all values are 0
        rescaled |= scale[j] > 0.0
        low[j] = min(low[j], x[j])
        high[j] = max(high[j], x[j])
        scale[j] = 1.0 / (high[j] - low[j])
        if memory.scaled.shape[0] > 0:
            for i in range(held):
                v = memory.X[i, j]
                memory.scaled[i, j] = 0.0 if np.isnan(v) else (v - low[j]) * scale[j]
    if rescaled and memory.values.shape[0] > 0:
        for i in range(held):
            for p in range(memory.lengths[i]):
                j = memory.columns[i, p]
                v = memory.X[i, j]
                memory.values[i, p] = 0.0 if np.isnan(v) else v * scale[j]
    return n_wider


@kernel(inner=True)
def add_row(memory, x, y, n_values):
    """Put a row, of which ``n_values`` were found, into the first free place, and return it; there must be one."""
    i = memory.cursor[HELD]
    for j in range(x.shape[0]):
        memory.X[i, j] = x[j]
    for j in range(y.shape[0]):
        memory.Y[i, j] = y[j]
    memory.born[i] = memory.cursor[NOW]
    memory.asked[i] = 0
    memory.right[i] = 0
    write_scaled(memory, i, n_values)
    memory.cursor[HELD] += 1
    if not memory.cursor[DENSE]:
        memory.cursor[VALUES] += count_values(x)
    return i


@kernel(inner=True)
def remove_row(memory, i):
    """Take the row at place ``i`` out; the one at the last place moves there. Return that place."""
    last = memory.cursor[HELD] - 1
    memory.cursor[HELD] = last
    if i < last:
        for j in range(memory.X.shape[1]):
            memory.X[i, j] = memory.X[last, j]
        for j in range(memory.Y.shape[1]):
            memory.Y[i, j] = memory.Y[last, j]
        memory.born[i] = memory.born[last]
        memory.asked[i] = memory.asked[last]
        memory.right[i] = memory.right[last]
        memory.gaps[i] = memory.gaps[last]
        if memory.scaled.shape[0] > 0:
            for j in range(memory.scaled.shape[1]):
                memory.scaled[i, j] = memory.scaled[last, j]
        if not memory.cursor[DENSE]:
            n = memory.lengths[last]
            for j in range(n):
                memory.columns[i, j] = memory.columns[last, j]
            if memory.values.shape[0] > 0:
                for j in range(n):
                    memory.values[i, j] = memory.values[last, j]
            memory.lengths[i] = n
    return last


@kernel(inner=True)
def count_row(memory):
    """Note that a row was learned, and how many are held now."""
    memory.cursor[NOW] += 1
    memory.sizes[memory.cursor[NOW] % HISTORY] = memory.cursor[HELD]


# ---------------------------------------------------------------------- who is near


@kernel(inner=True)
def _sparse_squares(q, columns, values, lengths, n, squares):
    """Write the same for sparse rows: a feature that a row does not store adds the square of ``q``."""
    whole = 0.0
    for j in range(q.shape[0]):
        whole += q[j] * q[j]
    for i in range(n):
        shared, alone = 0.0, whole
        for p in range(lengths[i]):
            own = q[columns[i, p]]
            away = own - values[i, p]
            shared += away * away
            alone -= own * own
        squares[i] = shared + max(alone, 0.0)


@kernel(inner=True)
def euclidean_distances(memory, x, nominal, n_categories, q, distances):
    """Write the distance of ``x`` and each row, both scaled, into ``distances`` float64 [places].

    Two categories are at distance 1. ``nominal`` int64: features of more than two categories; ``q`` float64 [padded],
    of which the end is zeros, becomes ``x`` as the rows are scaled.
    """
    n, gap = memory.cursor[HELD], has_gap(x)
    scale_row(memory, x, q)
    if memory.cursor[DENSE]:
        for i in range(n):
            distances[i] = square_of(q, memory.scaled[i])
    else:
        _sparse_squares(q, memory.columns, memory.values, memory.lengths, n, distances)
    X, gaps, scale = memory.X, memory.gaps, memory.scale
    for i in range(n):
        if gap or gaps[i]:
            distances[i] = sum_of_both(x, X[i], scale, n_categories, 2, False)
        else:
            for f in range(nominal.shape[0]):
                distances[i] += x[nominal[f]] != X[i, nominal[f]]
    for i in range(n):
        distances[i] = math.sqrt(distances[i])


@kernel(inner=True)
def nearest(distances, born, n, best, who):
    """Find the smallest of ``distances[:n]``, of equals the older row; return how many there are.

    ``best`` float64 [k] and ``who`` int64 [k] get distances and places, the smallest first.
    """
    k, count = best.shape[0], 0
    for i in range(n):
        d = distances[i]
        if count < k or not (d > best[k - 1] or (d == best[k - 1] and born[i] > born[who[k - 1]])):
            count = put(who, best, count, i, d, born)
    return count


@kernel(inner=True)
def n_equal(memory, i, y):
    """Return how many labels the row at place ``i`` has as ``y`` has them."""
    equal = 0
    for label in range(y.shape[0]):
        equal += memory.Y[i, label] == y[label]
    return equal
