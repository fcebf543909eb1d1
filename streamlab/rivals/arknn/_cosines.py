"""Kernels of ARkNN's cosines: of the rows that may be the nearest by what is known about, exactly."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.rivals._remembered import DENSE, HELD, has_gap, nearest, reordered, scale_row
from streamlab.rivals.arknn._ahead import BLOCKS
from streamlab.rivals.arknn._columns import UNIT

# less than any cosine
LOWEST = np.float32(-2.0)


# ---------------------------------------------------------------------- who may be near


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
def _kth_largest(values, k):
    """Return the ``k``-th largest of all values but the last, which is overwritten; ``LOWEST`` if it is below 0."""
    # numbers from 0 on have the order of their bits, and these are compared several at once
    bits, limit = values.view(np.int32), np.int32(0x7FFFFFFF)
    while k > 0 and limit >= 0:
        largest = np.int32(-1)
        for b in range(BLOCKS):
            largest = max(largest, bits[b] if bits[b] < limit else np.int32(-1))
        for b in range(BLOCKS):
            k -= bits[b] == largest
        limit = largest
    bits[BLOCKS] = limit
    return values[BLOCKS] if limit >= 0 else LOWEST


@kernel(inner=True)
def _may_be_near(columns, ahead, s, n, k, places):
    """Find the places of the first ``n`` that may be among the ``k`` nearest of row ``s``; return how many."""
    cosines, inverse, largest = ahead.sums[s], columns.inverse, ahead.largest
    unsure = _largest_of_blocks(cosines, inverse, n, largest)
    # the rounding of a sum of products in any order, of its factors and lengths, and of what is added as ranges grow
    slack = UNIT * (3.0 * columns.values.shape[0] + 512.0)
    limit = np.float32(_kth_largest(largest, k) - 2.0 * slack)
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
def _sparse_products(q, row, scale, columns, n):
    """Return the same of a row that is not scaled, and whose ``n`` columns that are not 0 are known."""
    product, square = 0.0, 0.0
    for p in range(n):
        j = columns[p]
        v = row[j] * scale[j]
        product += q[j] * v
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
            product, other = _sparse_products(q, memory.X[i], memory.scale, memory.columns[i], memory.lengths[i])
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
