"""What MLHAT's leaves observe for a split: moments and exact counts, by feature and label.

Zeros are counted but never visited: moments are those of the values other than 0, and whatever is neither among them
nor missing is a zero. The same holds for the first category of a nominal feature.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._kernels import prefetch
from streamlab.learners.mlhat._tree import EXACT_VALUES, GONE, OVERFLOWN, free_list, take_pool_row


@kernel(inner=True)
def binary_entropy(p):
    """Return h(p) = -p log2 p - (1 - p) log2 (1 - p), in bits; 0 at and beyond 0 and 1."""
    if p <= 0.0 or p >= 1.0:
        return 0.0
    return -p * math.log2(p) - (1.0 - p) * math.log2(1.0 - p)


@kernel(inner=True)
def observe(tree, o, x, touched, n_touched, present, n_present, w):
    """Add an instance to observer ``o``; ``touched``: its features other than 0 (or missing), ``present``: its labels.

    Costs features touched x (1 + labels present); takes at most a row of the pool per feature touched.
    """
    # read once: what is written for one feature could, for all that a compiler knows, change the tree for the next
    seen, outlines, heads, stats, numeric = tree.seen[o], tree.outlines[o], tree.heads[o], tree.stats[o], tree.numeric
    seen[0] += w
    for i in range(n_present):
        seen[1 + present[i]] += w
    for t in range(n_touched):
        # unsigned indices, as numba asks of any other whether it counts from the end
        f = np.uintp(touched[t])
        v = x[f]
        place = numeric[f]
        if math.isnan(v):
            outlines[f].absent += w
        else:
            outlines[f].amount += w
        if place < 0:
            count_value(tree, o, np.int64(f), GONE if math.isnan(v) else v, False, present, n_present, w)
            continue
        rows = stats[np.uintp(place)]
        if math.isnan(v):
            rows[0].missing += w
            for i in range(n_present):
                rows[np.uintp(1 + present[i])].missing += w
            continue
        add_value(rows[0], v, w)
        for i in range(n_present):
            add_value(rows[np.uintp(1 + present[i])], v, w)
        if heads[f] != OVERFLOWN:
            count_value(tree, o, np.int64(f), v, True, present, n_present, w)


@kernel(inner=True)
def prefetch_moments(tree, o, touched, n_touched, present, n_present):
    """Ask the memory for what ``observe`` reads of an instance's features."""
    outlines, heads, stats = tree.outlines[o], tree.heads[o], tree.stats[o]
    for t in range(n_touched):
        f = touched[t]
        prefetch(outlines, f)
        prefetch(heads, f)
        if tree.numeric[f] >= 0:
            rows = stats[tree.numeric[f]]
            prefetch(rows, 0)
            for i in range(n_present):
                prefetch(rows, 1 + present[i])


@kernel(inner=True)
def prefetch_counts(tree, o, touched, n_touched, present, n_present):
    """Ask the memory for the first exact count of each of an instance's features."""
    for t in range(n_touched):
        p = tree.heads[o, touched[t]]
        if p >= 0:
            prefetch(tree.pool_value, p)
            counts = tree.pool_counts[p]
            prefetch(counts, 0)
            for i in range(n_present):
                prefetch(counts, 1 + present[i])


@kernel(inner=True)
def add_value(row, v, w):
    """Add a value to the moments and the range of a class (Welford, weighted)."""
    n = row.n + w
    away = v - row.mean
    mean = row.mean + w * away / n
    row.spread += w * away * (v - mean)
    row.mean = mean
    if n == w:
        row.low = row.high = v
    elif v < row.low:
        row.low = v
    elif v > row.high:
        row.high = v
    row.n = n


@kernel(inner=True)
def count_value(tree, o, f, v, bounded, present, n_present, w):
    """Add an instance to the exact counts of value ``v``; a numeric feature with too many values loses its counts."""
    p = tree.heads[o, f]
    last = np.int64(-1)
    length = 0
    while p >= 0 and tree.pool_value[p] != v:
        last = p
        p = tree.pool_next[p]
        length += 1
    if p < 0:
        if bounded and length >= EXACT_VALUES:
            free_list(tree, o, f)
            tree.heads[o, f] = OVERFLOWN
            tree.outlines[o, f].listed = EXACT_VALUES + 1
            return
        p = take_pool_row(tree, v)
        tree.outlines[o, f].listed += 1.0
        if last < 0:
            tree.heads[o, f] = p
        else:
            tree.pool_next[last] = p
    tree.pool_counts[p, 0] += w
    for i in range(n_present):
        tree.pool_counts[p, 1 + present[i]] += w


@kernel
def outline(tree):
    """Fill ``outlines`` from the moments and the exact counts."""
    n_observers, n_features = tree.heads.shape
    for o in range(n_observers):
        for f in range(n_features):
            place, p = tree.numeric[f], tree.heads[o, f]
            listed = EXACT_VALUES + 1 if p == OVERFLOWN else 0
            amount = absent = 0.0
            while p >= 0:
                listed += 1
                if tree.pool_value[p] == GONE and place < 0:
                    absent += tree.pool_counts[p, 0]
                else:
                    amount += tree.pool_counts[p, 0]
                p = tree.pool_next[p]
            if place >= 0:
                amount, absent = tree.stats[o, place, 0].n, tree.stats[o, place, 0].missing
            tree.outlines[o, f].listed = listed
            tree.outlines[o, f].amount = amount
            tree.outlines[o, f].absent = absent
