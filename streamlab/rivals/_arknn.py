"""Kernels of ARkNN: who is near, and how the neighbours vote with their fitness, which the row's labels change.

Cosines are computed exactly, of the rows that may be the nearest by what is known about (see ``_arknn_columns``).
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._nearest import reordered
from streamlab.rivals._arknn_columns import (
    BLOCKS,
    GROUP,
    ROUNDOFF,
    answer_ahead,
    look_ahead,
    make_ahead,
    move_column,
    widen_ahead,
    write_column,
)
from streamlab.rivals._remembered import (
    DENSE,
    HELD,
    add_row,
    count_row,
    fits,
    has_gap,
    n_equal,
    nearest,
    remove_row,
    scale_row,
    widen,
)  # fmt: skip

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
    slack = ROUNDOFF * (3.0 * columns.values.shape[0] + 512.0)
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


HITS, ROWS, UNIT = 0, 1, 2
N_SUMS = 3
# a unit beyond which all fitness is written again, as a share of 1
LARGEST_UNIT = 1e100


@kernel(inner=True)
def _remove(memory, columns, ahead, fitness, i):
    move_column(columns, memory, ahead, i, memory.cursor[HELD] - 1)
    fitness[i] = fitness[remove_row(memory, i)]


@kernel(inner=True)
def _least_fit(memory, fitness):
    """Return the place of the least fit row, of equals the older one."""
    held, bits, born = memory.cursor[HELD], fitness.view(np.int64), memory.born
    # numbers from 0 on have the order of their bits, and these are compared several at once
    smallest, n, worst = bits[0], 0, 0
    for i in range(held):
        smallest = min(smallest, bits[i])
    for i in range(held):
        n += bits[i] == smallest
        worst = max(worst, i if bits[i] == smallest else 0)
    if n > 1:
        for i in range(held):
            if bits[i] == smallest and born[i] < born[worst]:
                worst = i
    return worst


@kernel(inner=True)
def _last_unfit(memory, fitness, lowest):
    """Return the last place of a row whose fitness is below ``lowest``, or -1."""
    last = -1
    for i in range(memory.cursor[HELD]):
        last = max(last, i if fitness[i] < lowest else -1)
    return last


@kernel
def drop_least_fit(memory, columns, ahead, fitness, size, lowest):
    """Drop the rows whose fitness is below ``lowest``, and the least fit until ``size`` are left."""
    unfit = _last_unfit(memory, fitness, lowest)
    while unfit >= 0:
        _remove(memory, columns, ahead, fitness, unfit)
        unfit = _last_unfit(memory, fitness, lowest)
    while memory.cursor[HELD] > size:
        _remove(memory, columns, ahead, fitness, _least_fit(memory, fitness))


@kernel
def refade(memory, fitness, sums):
    """Write all fitness as shares of 1, and the unit as 1."""
    for i in range(memory.cursor[HELD]):
        fitness[i] /= sums[UNIT]
    sums[UNIT] = 1.0


@kernel(inner=True)
def _answer(memory, fitness, best, who, count, scores, labels, r):
    """Write the votes of the neighbours, of which ``best`` holds the distances, as the answer to row ``r``."""
    for t in range(count):
        best[t] = fitness[who[t]] * (2.0 - best[t])
    for label in range(memory.Y.shape[1]):
        votes, against = 0.0, 0.0
        for t in range(count):
            has = memory.Y[who[t], label]
            # without a branch: one vote is 0
            votes += best[t] * has
            against += best[t] * (1 - has)
        if votes > 0.0:
            scores[r, label] = votes / (votes + against)
            labels[r, label] = votes > against


@kernel(inner=True)
def _reward(memory, fitness, sums, near, who, count, y, answer, fading, hamming):
    """Give the neighbours what their labels were worth, less the learner's own recent answers; note what it was now."""
    n_labels = len(y)
    accuracy = sums[HITS] / sums[ROWS] if sums[ROWS] > 0.0 else 0.0
    near[:] = -1
    for t in range(count):
        i = who[t]
        equal = n_equal(memory, i, y)
        worth = np.float64(equal == n_labels)
        memory.asked[i] += 1
        memory.right[i] += equal == n_labels
        if hamming:
            worth = equal / max(n_labels, 1)
        fit = fitness[i] / sums[UNIT] + worth - accuracy
        fitness[i] = min(max(fit, 0.0), 1.0) * sums[UNIT]
        near[t] = memory.born[i]
    equal = 0
    for label in range(n_labels):
        equal += answer[label] == y[label]
    own = equal / max(n_labels, 1) if hamming else np.float64(equal == n_labels)
    sums[HITS] = fading * sums[HITS] + own
    sums[ROWS] = fading * sums[ROWS] + 1.0


@kernel(inner=True)
def _run(
    memory, columns, ahead, fitness, sums, near, X, Y, start, learns, window, min_fitness, fading, hamming, nominal,
    n_categories, wider, found, best, who, scores, labels,
):  # fmt: skip
    """Do ``run`` with room for what lies ahead, features, neighbours found, and the nearest of them."""
    first, stop, n_values = start, start, 0
    for r in range(start, X.shape[0]):
        x = X[r]
        if learns and not fits(memory, x, window):
            return r
        if r == stop:
            first, stop = r, min(r + (GROUP if memory.cursor[DENSE] else 1), X.shape[0])
            n_values = look_ahead(columns, memory, nominal, X, first, stop, ahead)
        count = find_nearest(memory, columns, x, nominal, ahead, r - first, found, best, who)
        _answer(memory, fitness, best, who, count, scores, labels, r)
        if not learns:
            continue
        _reward(memory, fitness, sums, near, who, count, Y[r], labels[r], fading, hamming)
        n_wider = widen(memory, x, n_categories, wider)
        if n_wider > 0 and not widen_ahead(columns, memory, nominal, wider, n_wider, ahead, X, first, r, stop):
            stop = r + 1
        sums[UNIT] /= fading
        if sums[UNIT] > LARGEST_UNIT:
            refade(memory, fitness, sums)
        drop_least_fit(memory, columns, ahead, fitness, window - 1, min_fitness * sums[UNIT])
        i = add_row(memory, x, Y[r], n_values)
        fitness[i] = sums[UNIT]
        write_column(columns, memory, nominal, i)
        answer_ahead(ahead, X, nominal, first, r, stop, i)
        count_row(memory)
    return X.shape[0]


@kernel(arrays=True)
def run(
    memory, columns, fitness, sums, near, X, Y, start, learns, k, window, min_fitness, fading, hamming, nominal,
    n_categories, scores, labels,
):  # fmt: skip
    """Answer rows from ``start`` on and, if ``learns``, learn each after its answer; return how many are done.

    It stops early before a row that does not fit into the arrays: then nothing of that row is done.

    Parameters
    ----------
    memory
        ``Memory``.
    columns
        ``Columns``.
    fitness
        float64 [places]: fitness times ``sums[UNIT]``, which grows as all fitness fades.
    sums
        float64 [3]: ``HITS``, faded sum of what own answers were worth; ``ROWS``, of rows; ``UNIT``.
    near
        int64 [k]: gets the numbers of the neighbours of the last row learned, nearest first, -1 where there are fewer.
    X, Y
        Rows, float64 [n, features], and labels, uint8 [n, labels]; Y is not read if not ``learns``.
    hamming
        Whether an answer is worth the share of its labels that are right, instead of 1 if all are.
    nominal, n_categories
        The features of more than two categories, int64; how many each has, float64 [features], 0 if it is numeric.
    scores, labels
        float64 and uint8 [n, labels], zeros: get the answers.
    """
    n_places, n_features = memory.X.shape
    places, born, distances = np.empty(n_places, np.int64), np.empty(n_places, np.int64), np.empty(n_places)
    return _run(
        memory, columns, make_ahead(memory, columns), fitness, sums, near, X, Y, start, learns, window, min_fitness,
        fading, hamming, nominal, n_categories, np.empty(n_features, np.int64), (places, distances, born),
        np.empty(k), np.empty(k, np.int64), scores, labels,
    )  # fmt: skip
