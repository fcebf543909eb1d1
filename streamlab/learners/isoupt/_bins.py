"""What a leaf knows of a numeric feature: its values in at most 64 bins of about the same weight.

As long as there are at most 64 different values, each is a bin. A new value that falls into no bin begins one, and if
there are 65 then, the two neighbours that weigh least together become one (of equals those whose values are nearest to
each other). Two of 65 neighbours weigh at most 2/64 of all, so no bin that was made weighed more when it was made.
"""

from __future__ import annotations

import math

from streamlab.kernels import kernel
from streamlab.learners.isoupt._tree import BINS, HIGH, LOW, POOL
from streamlab.learners.mlhat._tree import LEAN

__all__ = ["best_cut", "count_value", "merit", "spread"]


@kernel(**LEAN)
def bin_from(tree, places, n, v):
    """Return the first of ``n`` bins that ends at ``v`` or above."""
    first, last = 0, n
    while first < last:
        middle = (first + last) // 2
        if tree.bin_range[places[middle], HIGH] < v:
            first = middle + 1
        else:
            last = middle
    return first


@kernel(**LEAN)
def lightest_pair(tree, places, at, v, w):
    """Return the first of the two neighbours that weigh least, among all bins and a new one of ``v`` at ``at``."""
    best, best_weight, best_width = 0, math.inf, math.inf
    for k in range(BINS):
        weight, low, high = 0.0, 0.0, 0.0
        for side in range(2):
            j = k + side
            if j == at:
                weight += w
                begin, end = v, v
            else:
                row = places[j if j < at else j - 1]
                weight += tree.bin_sums[row, 0]
                begin, end = tree.bin_range[row, LOW], tree.bin_range[row, HIGH]
            if side == 0:
                low = begin
            high = end
        if weight < best_weight or (weight == best_weight and high - low < best_width):
            best, best_weight, best_width = k, weight, high - low
    return best


@kernel(**LEAN)
def insert(tree, slot, m, at, v, w):
    """Return the row in the pool of the bin that a value belongs to that falls into none; it is made, or widened."""
    places, n = tree.place[slot, m], tree.n_bins[slot, m]
    if n < BINS:
        row = tree.cursor[POOL]
        tree.cursor[POOL] += 1
        tree.n_bins[slot, m] = n + 1
    else:
        k = lightest_pair(tree, places, at, v, w)
        if k == at or k + 1 == at:
            # the new value itself is one of the two
            row = places[at] if k == at else places[at - 1]
            tree.bin_range[row, LOW] = min(tree.bin_range[row, LOW], v)
            tree.bin_range[row, HIGH] = max(tree.bin_range[row, HIGH], v)
            return row
        first = k if k < at else k - 1
        kept, row = places[first], places[first + 1]
        tree.bin_range[kept, HIGH] = tree.bin_range[row, HIGH]
        for j in range(tree.bin_sums.shape[1]):
            tree.bin_sums[kept, j] += tree.bin_sums[row, j]
        n = BINS - 1
        for j in range(first + 1, n):
            places[j] = places[j + 1]
        if at > first:
            at -= 1
    for j in range(n, at, -1):
        places[j] = places[j - 1]
    places[at] = row
    tree.bin_range[row, LOW] = tree.bin_range[row, HIGH] = v
    for j in range(tree.bin_sums.shape[1]):
        tree.bin_sums[row, j] = 0.0
    return row


@kernel(**LEAN)
def count_value(tree, slot, m, v, present, n_present, w):
    """Add a value of the numeric feature ``m`` to a slot; the row has the first ``n_present`` labels of ``present``."""
    places, n = tree.place[slot, m], tree.n_bins[slot, m]
    at = bin_from(tree, places, n, v)
    row = places[at] if at < n else 0
    if at == n or tree.bin_range[row, LOW] > v:
        row = insert(tree, slot, m, at, v, w)
    tree.bin_sums[row, 0] += w
    for j in range(n_present):
        tree.bin_sums[row, 1 + present[j]] += w


@kernel(**LEAN)
def spread(sums):
    """Return the variances of the labels, added up, of rows of this weight and weights with each label."""
    n, total = sums[0], 0.0
    if n <= 1.0:
        return 0.0
    for j in range(1, sums.shape[0]):
        total += sums[j] - sums[j] * sums[j] / n
    return total / (n - 1.0)


@kernel(**LEAN)
def merit(whole, left, before, least):
    """Return by how much a test reduces the labels' variances, their mean, or -inf if a side holds too little.

    ``before`` is the ``spread`` of ``whole``. Variances are divided by n - 1, as River's are.
    """
    n, n_left = whole[0], left[0]
    n_right = n - n_left
    if n_left < least or n_right < least:
        return -math.inf
    in_left, in_right = 0.0, 0.0
    for j in range(1, whole.shape[0]):
        a = left[j]
        b = whole[j] - a
        in_left += a - a * a / n_left
        in_right += b - b * b / n_right
    after = 0.0
    if n_left > 1.0:
        after += n_left / n * in_left / (n_left - 1.0)
    if n_right > 1.0:
        after += n_right / n * in_right / (n_right - 1.0)
    return (before - after) / (whole.shape[0] - 1.0)


@kernel(**LEAN)
def best_cut(tree, slot, m, least, whole, left):
    """Return merit and point of the best threshold on a numeric feature; the last two arrays are overwritten.

    ``whole`` becomes the sums of all rows whose value is known. A point lies half-way between two bins.
    """
    places, n = tree.place[slot, m], tree.n_bins[slot, m]
    whole[:] = 0.0
    left[:] = 0.0
    for k in range(n):
        for j in range(whole.shape[0]):
            whole[j] += tree.bin_sums[places[k], j]
    before, best, best_point = spread(whole), 0.0, 0.0
    for k in range(n - 1):
        for j in range(left.shape[0]):
            left[j] += tree.bin_sums[places[k], j]
        if whole[0] - left[0] < least:
            break
        found = merit(whole, left, before, least)
        if found > best:
            low, high = tree.bin_range[places[k], HIGH], tree.bin_range[places[k + 1], LOW]
            point = low + 0.5 * (high - low)
            best, best_point = found, point if point < high else low
    return best, best_point
