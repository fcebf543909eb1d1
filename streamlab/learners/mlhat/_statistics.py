"""What MLHAT's leaves observe, and the search for a split in it: entropies, moments, exact counts, gains.

Zeros are counted but never visited: moments are those of the values other than 0, and whatever is neither among them
nor missing is a zero. The same holds for the first category of a nominal feature. The search evaluates a few features
at a time (``UNITS`` in the settings), so that no single instance pays for all of it.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.mlhat._tree import (
    EXACT_VALUES,
    GONE,
    HIGH,
    LEAN,
    LOW,
    MEAN,
    MISSING,
    OVERFLOWN,
    SPREAD,
    N,
    free_list,
    take_pool_row,
)

# Φ and its derivative at equal steps from -REACH to REACH standard deviations: between them a cubic is right to 1e-12,
# and takes a quarter of the time of ``math.erf``, which would be half of the search for a split
REACH, STEPS = 8.5, 256
_Z = np.arange(-REACH, REACH + 1.5 / STEPS, 1.0 / STEPS)
TABLE = np.array(
    [(0.5 * math.erfc(-z / math.sqrt(2.0)), math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) / STEPS) for z in _Z]
)

__all__ = ["binary_entropy", "cumulative", "evaluate", "label_entropy", "observe"]


@kernel
def binary_entropy(p):
    """Return h(p) = -p log2 p - (1 - p) log2 (1 - p), in bits; 0 at and beyond 0 and 1."""
    if p <= 0.0 or p >= 1.0:
        return 0.0
    return -p * math.log2(p) - (1.0 - p) * math.log2(1.0 - p)


@kernel
def label_entropy(counts, weight):
    """Return the sum of the labels' binary entropies (equation 5), from their sums and the total weight."""
    total = 0.0
    if weight > 0.0:
        for label in range(counts.shape[0]):
            total += binary_entropy(counts[label] / weight)
    return total


@kernel(**LEAN)
def observe(tree, o, x, touched, n_touched, present, n_present, w):
    """Add an instance to observer ``o``; ``touched``: its features other than 0 (or missing), ``present``: its labels.

    Costs features touched x (1 + labels present); takes at most a row of the pool per feature touched.
    """
    seen = tree.seen
    seen[o, 0] += w
    for i in range(n_present):
        seen[o, 1 + present[i]] += w
    for t in range(n_touched):
        f = touched[t]
        v = x[f]
        place = tree.numeric[f]
        if place < 0:
            count_value(tree, o, f, GONE if math.isnan(v) else v, False, present, n_present, w)
        elif math.isnan(v):
            tree.stats[o, place, 0, MISSING] += w
            for i in range(n_present):
                tree.stats[o, place, 1 + present[i], MISSING] += w
        else:
            rows = tree.stats[o, place]
            add_value(rows, 0, v, w)
            for i in range(n_present):
                add_value(rows, 1 + present[i], v, w)
            if tree.heads[o, f] != OVERFLOWN:
                count_value(tree, o, f, v, True, present, n_present, w)


@kernel(**LEAN)
def add_value(rows, j, v, w):
    """Add a value to the moments and the range of row ``j`` (Welford, weighted)."""
    n = rows[j, N] + w
    away = v - rows[j, MEAN]
    mean = rows[j, MEAN] + w * away / n
    rows[j, SPREAD] += w * away * (v - mean)
    rows[j, MEAN] = mean
    if n == w:
        rows[j, LOW] = rows[j, HIGH] = v
    elif v < rows[j, LOW]:
        rows[j, LOW] = v
    elif v > rows[j, HIGH]:
        rows[j, HIGH] = v
    rows[j, N] = n


@kernel(**LEAN)
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
            return
        p = take_pool_row(tree, v)
        if last < 0:
            tree.heads[o, f] = p
        else:
            tree.pool_next[last] = p
    tree.pool_counts[p, 0] += w
    for i in range(n_present):
        tree.pool_counts[p, 1 + present[i]] += w


# ---------------------------------------------------------------------- the search


@kernel
def normal_cumulative(z):
    """Return Φ of the standard normal distribution, to 1e-12."""
    if z <= -REACH:
        return 0.0
    if z >= REACH:
        return 1.0
    t = (z + REACH) * STEPS
    k = np.int64(t)
    t -= k
    a, b = TABLE[k, 0], TABLE[k + 1, 0]
    slope, next_slope = TABLE[k, 1], TABLE[k + 1, 1]
    rise = b - a
    return a + t * (slope + t * (3.0 * rise - 2.0 * slope - next_slope + t * (slope + next_slope - 2.0 * rise)))


@kernel
def scale_of(n, spread):
    """Return 1/σ of a class of weight ``n`` and centred square sum ``spread``; 0 where it does not vary."""
    return math.sqrt(n / spread) if spread > 0.0 else 0.0


@kernel
def cumulative(s, mean, scale, low, high):
    """Return Φ(s), the share of a class at or below ``s``; 0 below its observed range, 1 from its end on."""
    if s < low:
        return 0.0
    if s >= high:
        return 1.0
    if scale <= 0.0:
        return 1.0 if s >= mean else 0.0
    return normal_cumulative((s - mean) * scale)


@kernel
def _side(share, part):
    """Return the entropy of one side in nats, times its share of all; ``part`` of the share has the label."""
    if part <= 0.0 or part >= share:
        return 0.0
    p = part / share
    return -part * math.log(p) - (share - part) * math.log(1.0 - p)


@kernel
def moments(row, zeros):
    """Return weight, mean, centred square sum and range of a class: values other than 0 in ``row``, and ``zeros``."""
    n = row[N] + zeros
    if row[N] <= 0.0:
        return n, 0.0, 0.0, 0.0, 0.0
    if zeros <= 0.0:
        return n, row[MEAN], row[SPREAD], row[LOW], row[HIGH]
    mean = row[MEAN] * (row[N] / n)
    spread = row[SPREAD] + row[MEAN] * row[MEAN] * (row[N] * zeros / n)
    return n, mean, spread, min(row[LOW], 0.0), max(row[HIGH], 0.0)


@kernel
def distinct_values(tree, o, f, zeros):
    """Return the number of distinct values of a numeric feature, zero included; above ``EXACT_VALUES``: not counted."""
    if tree.heads[o, f] == OVERFLOWN:
        return EXACT_VALUES + 1
    length = 1 if zeros > 0.0 else 0
    p = tree.heads[o, f]
    while p >= 0:
        length += 1
        p = tree.pool_next[p]
    return length


@kernel
def evaluate(tree, o, f, n_points, least_share):
    """Return the best split on feature ``f``: gain in bits (-1 if none), threshold or category, units of work.

    Each side must hold ``least_share``. Rows where the feature is missing are left out, and the gain is multiplied by
    the share of the others.
    """
    if tree.numeric[f] < 0:
        return _evaluate_nominal(tree, o, f, least_share)
    rows = tree.stats[o, tree.numeric[f]]
    known = tree.seen[o, 0] - rows[0, MISSING]
    zeros = known - rows[0, N]
    length = distinct_values(tree, o, f, zeros)
    if length <= EXACT_VALUES:
        return _evaluate_exact(tree, o, f, rows, length, least_share)
    return _evaluate_gaussian(tree, o, rows, known, zeros, n_points, least_share)


@kernel
def _evaluate_gaussian(tree, o, rows, known, zeros, n_points, least_share):
    """Equation 14 at thresholds equally spaced inside the observed range."""
    n_labels = rows.shape[0] - 1
    units = n_labels * n_points
    all_n, all_mean, all_spread, all_low, all_high = moments(rows[0], zeros)
    if not all_low < all_high:
        return -1.0, 0.0, units
    before = 0.0
    after = np.zeros(n_points)
    left = np.zeros(n_points)
    points = np.empty(n_points)
    for i in range(n_points):
        points[i] = all_low + (all_high - all_low) * (i + 1) / (n_points + 1)
    n_informative = 0
    for label in range(n_labels):
        in_known = tree.seen[o, 1 + label] - rows[1 + label, MISSING]
        if in_known <= 0.0 or in_known >= known:
            continue
        n_informative += 1
        n1, mean1, spread1, low1, high1 = moments(rows[1 + label], in_known - rows[1 + label, N])
        n0 = all_n - n1
        mean0 = (all_n * all_mean - n1 * mean1) / n0
        away = mean1 - mean0
        spread0 = max(all_spread - spread1 - n1 * n0 / all_n * away * away, 0.0)
        # an end of the whole range that the label does not reach is an end of the others' range; else theirs is open
        low0 = all_low if low1 > all_low else -math.inf
        high0 = all_high if high1 < all_high else math.inf
        p = n1 / all_n
        before += binary_entropy(p)
        scale1, scale0 = scale_of(n1, spread1), scale_of(n0, spread0)
        for i in range(n_points):
            s = points[i]
            with_label = cumulative(s, mean1, scale1, low1, high1) * p
            share = with_label + cumulative(s, mean0, scale0, low0, high0) * (1.0 - p)
            left[i] += share
            after[i] += _side(share, with_label) + _side(1.0 - share, p - with_label)
    best, point = -1.0, 0.0
    for i in range(n_points):
        s = points[i]
        if n_informative == 0 or not all_low <= s < all_high:
            continue
        share = left[i] / n_informative
        gain = (before - after[i] / math.log(2.0)) * (known / tree.seen[o, 0])
        if min(share, 1.0 - share) >= least_share and gain > best:
            best, point = gain, s
    return best, point, units


@kernel
def _evaluate_exact(tree, o, f, rows, length, least_share):
    """Every cut between two neighbouring distinct values, by exact counts."""
    n_labels = rows.shape[0] - 1
    units = n_labels * length
    if length < 2:
        return -1.0, 0.0, units
    values = np.empty(length)
    places = np.empty(length, np.int64)
    n = 0
    p = tree.heads[o, f]
    total = np.empty(n_labels + 1)
    for j in range(n_labels + 1):
        total[j] = tree.seen[o, j] - rows[j, MISSING]
    if total[0] > rows[0, N]:
        values[0], places[0] = 0.0, -1
        n = 1
    while p >= 0:
        v = tree.pool_value[p]
        i = n
        while i > 0 and values[i - 1] > v:
            values[i], places[i] = values[i - 1], places[i - 1]
            i -= 1
        values[i], places[i] = v, p
        n += 1
        p = tree.pool_next[p]
    before = 0.0
    for label in range(n_labels):
        before += binary_entropy(total[1 + label] / total[0])
    left = np.zeros(n_labels + 1)
    best, point = -1.0, 0.0
    for i in range(length - 1):
        p = places[i]
        for j in range(n_labels + 1):
            left[j] += tree.pool_counts[p, j] if p >= 0 else total[j] - rows[j, N]
        share = left[0] / total[0]
        if min(share, 1.0 - share) < least_share:
            continue
        gain = (before - _after(left, total)) * (total[0] / tree.seen[o, 0])
        if gain > best:
            # half of each: their sum could overflow; and never the upper one by rounding
            between = 0.5 * values[i] + 0.5 * values[i + 1]
            best, point = gain, between if between < values[i + 1] else values[i]
    return best, point, units


@kernel
def _after(left, total):
    """Return the entropy that is left after a split, from exact sums: all, then by label."""
    right = total[0] - left[0]
    after = 0.0
    for j in range(1, left.shape[0]):
        if 0.0 < total[j] < total[0]:
            after += left[0] * binary_entropy(left[j] / left[0])
            after += right * binary_entropy((total[j] - left[j]) / right)
    return after / total[0]


@kernel
def _evaluate_nominal(tree, o, f, least_share):
    """Equation 13: every category against all others, by exact counts."""
    n_labels = tree.seen.shape[1] - 1
    total = tree.seen[o].copy()
    first = tree.seen[o].copy()
    p = tree.heads[o, f]
    length = 1
    while p >= 0:
        length += 1
        for j in range(n_labels + 1):
            first[j] -= tree.pool_counts[p, j]
            if tree.pool_value[p] == GONE:
                total[j] -= tree.pool_counts[p, j]
        p = tree.pool_next[p]
    units = n_labels * length
    if total[0] <= 0.0:
        return -1.0, 0.0, units
    before = 0.0
    for label in range(n_labels):
        before += binary_entropy(total[1 + label] / total[0])
    best, point = -1.0, 0.0
    p = np.int64(-1)
    for i in range(length):
        p = tree.heads[o, f] if i == 1 else tree.pool_next[p] if i > 1 else p
        category = 0.0 if i == 0 else tree.pool_value[p]
        counts = first if i == 0 else tree.pool_counts[p]
        share = counts[0] / total[0]
        if category == GONE or min(share, 1.0 - share) < least_share or not 0.0 < share < 1.0:
            continue
        gain = (before - _after(counts, total)) * (total[0] / tree.seen[o, 0])
        # of equal gains the lower category, whatever came first
        if gain > best or (gain == best and category < point):
            best, point = gain, category
    return best, point, units


@kernel
def split_shares(tree, o, f, point, left, right):
    """Fill ``left`` and ``right`` (float64 [labels]) with the labels' probabilities on either side of a split."""
    n_labels = left.shape[0]
    place = tree.numeric[f]
    zeros = 0.0 if place < 0 else tree.seen[o, 0] - tree.stats[o, place, 0, MISSING] - tree.stats[o, place, 0, N]
    if place < 0 or distinct_values(tree, o, f, zeros) <= EXACT_VALUES:
        total = tree.seen[o].copy()
        near = np.zeros(n_labels + 1)
        nominal = tree.numeric[f] < 0
        first = tree.seen[o].copy()
        if not nominal:
            for j in range(n_labels + 1):
                missing = tree.stats[o, tree.numeric[f], j, MISSING]
                total[j] -= missing
                first[j] -= missing
        p = tree.heads[o, f]
        while p >= 0:
            v = tree.pool_value[p]
            for j in range(n_labels + 1):
                first[j] -= tree.pool_counts[p, j]
                if nominal and v == GONE:
                    total[j] -= tree.pool_counts[p, j]
                elif (nominal and v == point) or (not nominal and v <= point):
                    near[j] += tree.pool_counts[p, j]
            p = tree.pool_next[p]
        if (nominal and point == 0.0) or (not nominal and point >= 0.0):
            for j in range(n_labels + 1):
                near[j] += first[j]
        for label in range(n_labels):
            left[label] = near[1 + label] / near[0] if near[0] > 0.0 else 0.0
            far = total[0] - near[0]
            right[label] = (total[1 + label] - near[1 + label]) / far if far > 0.0 else 0.0
        return
    rows = tree.stats[o, tree.numeric[f]]
    known = tree.seen[o, 0] - rows[0, MISSING]
    all_n, all_mean, all_spread, all_low, all_high = moments(rows[0], known - rows[0, N])
    for label in range(n_labels):
        in_known = tree.seen[o, 1 + label] - rows[1 + label, MISSING]
        left[label] = right[label] = 1.0 if in_known >= known else 0.0
        if in_known <= 0.0 or in_known >= known:
            continue
        n1, mean1, spread1, low1, high1 = moments(rows[1 + label], in_known - rows[1 + label, N])
        n0 = all_n - n1
        mean0 = (all_n * all_mean - n1 * mean1) / n0
        away = mean1 - mean0
        spread0 = max(all_spread - spread1 - n1 * n0 / all_n * away * away, 0.0)
        low0 = all_low if low1 > all_low else -math.inf
        high0 = all_high if high1 < all_high else math.inf
        p = n1 / all_n
        with_label = cumulative(point, mean1, scale_of(n1, spread1), low1, high1) * p
        share = with_label + cumulative(point, mean0, scale_of(n0, spread0), low0, high0) * (1.0 - p)
        left[label] = with_label / share if share > 0.0 else p
        right[label] = (p - with_label) / (1.0 - share) if share < 1.0 else p
