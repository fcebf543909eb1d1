"""The gain of a split on a feature, from what a leaf has observed, and what no split on it can exceed.

The search evaluates a few features at a time (``UNITS`` in the settings), so that no single instance pays for all of
it. Of features that cannot win it takes no logarithm.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.mlhat._statistics import binary_entropy
from streamlab.learners.mlhat._tree import EXACT_VALUES, GONE

# Φ and its derivative at equal steps from -REACH to REACH standard deviations: between them a cubic is right to 1e-12,
# and takes a quarter of the time of ``math.erf``, which would be half of the search for a split
REACH, STEPS = 8.5, 256
_Z = np.arange(-REACH, REACH + 1.5 / STEPS, 1.0 / STEPS)
TABLE = np.array(
    [(0.5 * math.erfc(-z / math.sqrt(2.0)), math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) / STEPS) for z in _Z]
)
LAST_STEP = len(TABLE) - 2

# what the bound on a gain may be wrong by, and the smallest cell for which it is right
SLACK, LEAST_CELL = 1e-9, 1e-9
HALF_BIT = 0.5 / math.log(2.0)
# rows of the room for the search: sums of a feature's known values, parts of the bound for all sums and for those, sums
# on the left; then of Gaussians two classes by label, and two rows for each threshold
TOTAL, OF_ALL, OF_KNOWN, OF_LEFT, OF_CLASSES, OF_THRESHOLDS = 0, 1, 4, 7, 8, 16
# labels whose Gaussians are taken at a time
LANES = 8
# of a class: mean, 1/σ and range
CLASS_MEAN, CLASS_SCALE, CLASS_LOW, CLASS_HIGH = range(4)


@kernel(inner=True)
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


@kernel(inner=True)
def scale_of(n, spread):
    """Return 1/σ of a class of weight ``n`` and centred square sum ``spread``; 0 where it does not vary."""
    return math.sqrt(n / spread) if spread > 0.0 else 0.0


@kernel(inner=True)
def cumulative(s, mean, scale, low, high):
    """Return Φ(s), the share of a class at or below ``s``; 0 below its observed range, 1 from its end on."""
    if s < low:
        return 0.0
    if s >= high:
        return 1.0
    if scale <= 0.0:
        return 1.0 if s >= mean else 0.0
    return normal_cumulative((s - mean) * scale)


@kernel(inner=True, error_model="numpy")
def cumulatives(s, classes, n, out):
    """Fill ``out`` with ``cumulative`` of ``n`` classes (float64 [4, .]), without a branch: many at a time."""
    means, scales, lows, highs = classes[CLASS_MEAN], classes[CLASS_SCALE], classes[CLASS_LOW], classes[CLASS_HIGH]
    for j in range(n):
        z = (s - means[j]) * scales[j]
        t = (min(max(z, -REACH), REACH) + REACH) * STEPS
        k = min(max(np.int64(t), 0), LAST_STEP)
        t -= k
        # without a sign: numba would ask whether an index counts from the end
        at = np.uint64(k)
        following = np.uint64(k + 1)
        a, b = TABLE[at, 0], TABLE[following, 0]
        slope, next_slope = TABLE[at, 1], TABLE[following, 1]
        rise = b - a
        v = a + t * (slope + t * (3.0 * rise - 2.0 * slope - next_slope + t * (slope + next_slope - 2.0 * rise)))
        v = 0.0 if z <= -REACH else v
        v = 1.0 if z >= REACH else v
        v = (1.0 if s >= means[j] else 0.0) if scales[j] <= 0.0 else v
        v = 1.0 if s >= highs[j] else v
        out[j] = 0.0 if s < lows[j] else v


@kernel(inner=True)
def _side(share, part):
    """Return the entropy of one side in nats, times its share of all; ``part`` of the share has the label."""
    if part <= 0.0 or part >= share:
        return 0.0
    p = part / share
    return -part * math.log(p) - (share - part) * math.log(1.0 - p)


@kernel(inner=True)
def moments(row, zeros):
    """Return weight, mean, centred square sum and range of a class: values other than 0 in ``row``, and ``zeros``."""
    n = row.n + zeros
    if row.n <= 0.0:
        return n, 0.0, 0.0, 0.0, 0.0
    if zeros <= 0.0:
        return n, row.mean, row.spread, row.low, row.high
    mean = row.mean * (row.n / n)
    spread = row.spread + row.mean * row.mean * (row.n * zeros / n)
    return n, mean, spread, min(row.low, 0.0), max(row.high, 0.0)


def new_scratch(n_labels: int, n_points: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the room in which features are evaluated: sums by label, and an exactly counted feature's values."""
    width = -(-(n_labels + 1) // LANES) * LANES
    return np.empty((OF_THRESHOLDS + 2 * n_points, width)), np.empty((2, EXACT_VALUES + 1))


@kernel(inner=True)
def prepare(tree, o, sums):
    """Prepare the room for the features of observer ``o``, until it observes another instance."""
    prepare_bound(tree.seen[o], sums[OF_ALL:OF_KNOWN])


@kernel(inline="always")
def evaluate_above(tree, o, f, n_points, least_share, floor, sums, cuts):
    """Return the best split on feature ``f``: gain in bits (-1 if none), threshold or category, units of work.

    Each side must hold ``least_share``. Rows where the feature is missing are left out, and the gain is multiplied by
    the share of the others. Of a feature whose gain is not above ``floor`` it may say -1, or a gain not above it.

    Most features cannot win. Of many the outline tells, as too few rows have another value than 0; of others a bound
    on their gain, which takes no logarithm. The units of work are the same either way: they decide which instance pays
    for which feature. ``sums`` and ``cuts`` are of ``new_scratch``, and the former were prepared.
    """
    n_labels = tree.seen.shape[1] - 1
    outline = tree.outlines[o, f]
    listed, amount, absent = outline.listed, outline.amount, outline.absent
    known = tree.seen[o, 0] - absent
    place = tree.numeric[f]
    # zero, or the first category of a nominal feature, is in no list
    length = np.int64(listed) + (1 if place < 0 or amount < known else 0)
    if place >= 0 and (listed > EXACT_VALUES or length > EXACT_VALUES):
        rows = tree.stats[o, place]
        units = n_labels * n_points
        gain, point = _evaluate_gaussian(tree, o, rows, known, known - amount, n_points, least_share, floor, sums)
        return gain, point, units
    units = n_labels * length
    # every split has a side without the zeros
    if known <= 0.0 or length < 2 or (amount < known and amount < least_share * known * (1.0 - SLACK)):
        return -1.0, 0.0, units
    # of two values either is one side
    two = length == 2 and absent == 0.0
    if two and _cannot_win(tree.pool_counts[tree.heads[o, f]], tree.seen[o], sums[OF_ALL:OF_KNOWN], floor):
        return -1.0, 0.0, units
    if place < 0:
        gain, point = _evaluate_nominal(tree, o, f, length, absent, least_share, floor, sums)
    else:
        gain, point = _evaluate_exact(tree, o, f, tree.stats[o, place], length, least_share, floor, sums, cuts)
    return gain, point, units


# ---------------------------------------------------------------------- what no gain exceeds


@kernel(inner=True)
def prepare_bound(total, parts):
    """Fill ``parts`` (float64 [3, 1 + labels]) with what ``gain_bound`` needs of the sums: all, then by label."""
    for j in range(1, total.shape[0]):
        a = total[j]
        b = total[0] - a
        if a > 0.0 and b > 0.0:
            parts[0, j], parts[1, j], parts[2, j] = 1.0 / (a * b), 1.0 / (a * a), 1.0 / (b * b)
        else:
            parts[0, j] = parts[1, j] = parts[2, j] = 0.0


@kernel(inner=True, fastmath=True)
def gain_bound(counts, total, parts):
    """Return what the gain of a split cannot exceed (bits), from the sums on one of its sides and of all.

    Of one label, let each of the four cells (side, label) hold Q(1 + e) of the weight, and Q if they were independent.
    Its gain is the sum of Q(1 + e) ln(1 + e) nats. A term is at most Q(e + e²/2) for e > 0, and Q(e + e²/2 + |e|³/2)
    for -1 ≤ e < 0; the sum of Qe is 0. Near independence this is next to the gain itself. The order of the sum is free:
    the bound only has to be right to ``SLACK``.
    """
    n, k = total[0], counts[0]
    other = n - k
    a, b = 1.0 / (k * k), 1.0 / (other * other)
    squares = cubes = 0.0
    for j in range(1, counts.shape[0]):
        away = counts[j] * n - k * total[j]
        square = away * away
        up, down = parts[2, j], parts[1, j]
        if away < 0.0:
            up, down = down, up
        squares += square * parts[0, j]
        cubes += abs(away) * square * (a * up + b * down)
    return (squares / (k * other) + cubes / (n * n)) * HALF_BIT


@kernel(inner=True)
def _evaluate_gaussian(tree, o, rows, known, zeros, n_points, least_share, floor, sums):
    """Equation 14 at thresholds equally spaced inside the observed range."""
    n_labels = rows.shape[0] - 1
    all_n, all_mean, all_spread, all_low, all_high = moments(rows[0], zeros)
    if not all_low < all_high:
        return -1.0, 0.0
    with_label, shares = sums[OF_THRESHOLDS : OF_THRESHOLDS + n_points], sums[OF_THRESHOLDS + n_points :]
    chances = sums[OF_LEFT]
    ones, others = sums[OF_CLASSES : OF_CLASSES + 4], sums[OF_CLASSES + 4 : OF_THRESHOLDS]
    missing = rows[0].missing > 0.0
    n_informative = 0
    for label in range(n_labels):
        in_known = tree.seen[o, 1 + label]
        if missing:
            in_known -= rows[1 + label].missing
        if in_known <= 0.0 or in_known >= known:
            continue
        n1, mean1, spread1, low1, high1 = moments(rows[1 + label], in_known - rows[1 + label].n)
        n0 = all_n - n1
        mean0 = (all_n * all_mean - n1 * mean1) / n0
        away = mean1 - mean0
        spread0 = max(all_spread - spread1 - n1 * n0 / all_n * away * away, 0.0)
        # an end of the whole range that the label does not reach is an end of the others' range; else theirs is open
        j = n_informative
        others[CLASS_LOW, j] = all_low if low1 > all_low else -math.inf
        others[CLASS_HIGH, j] = all_high if high1 < all_high else math.inf
        ones[CLASS_LOW, j], ones[CLASS_HIGH, j] = low1, high1
        ones[CLASS_MEAN, j], others[CLASS_MEAN, j] = mean1, mean0
        ones[CLASS_SCALE, j], others[CLASS_SCALE, j] = scale_of(n1, spread1), scale_of(n0, spread0)
        chances[j] = n1 / all_n
        n_informative += 1
    if n_informative == 0:
        return -1.0, 0.0
    # as many as are taken at a time: one more for which label and side are independent adds nothing to a bound
    n_taken = -(-n_informative // LANES) * LANES
    for j in range(n_informative, n_taken):
        chances[j] = 0.5
        for of in (ones, others):
            of[CLASS_MEAN, j], of[CLASS_SCALE, j] = 0.0, 1e-300
            of[CLASS_LOW, j], of[CLASS_HIGH, j] = -math.inf, math.inf
    best, point, before = -1.0, 0.0, -1.0
    for i in range(n_points):
        s = all_low + (all_high - all_low) * (i + 1) / (n_points + 1)
        cumulatives(s, ones, n_taken, with_label[i])
        cumulatives(s, others, n_taken, shares[i])
        mix_classes(with_label[i], shares[i], chances, n_taken)
        if not all_low <= s < all_high or mixture_bound(with_label[i], shares[i], chances, n_taken) <= floor:
            continue
        left = after = 0.0
        for j in range(n_informative):
            left += shares[i, j]
            after += _side(shares[i, j], with_label[i, j]) + _side(1.0 - shares[i, j], chances[j] - with_label[i, j])
        if before < 0.0:
            before = 0.0
            for j in range(n_informative):
                before += binary_entropy(chances[j])
        share = left / n_informative
        gain = (before - after / math.log(2.0)) * (known / tree.seen[o, 0])
        if min(share, 1.0 - share) >= least_share and gain > best:
            best, point = gain, s
    return best, point


@kernel(inner=True)
def mix_classes(with_label, shares, chances, n):
    """Make of both classes' shares on the left side the share of all that is there with the label, and of all."""
    for j in range(n):
        with_label[j] *= chances[j]
        shares[j] = with_label[j] + shares[j] * (1.0 - chances[j])


@kernel(inner=True, fastmath=True, error_model="numpy")
def mixture_bound(with_label, shares, chances, n):
    """Return ``gain_bound`` of a threshold, with ``SLACK``, where each label has its own share of the left side.

    Huge where a cell is so small that the bound would not be right.
    """
    total = 0.0
    small = False
    for j in range(n):
        p, share = chances[j], shares[j]
        rest, other = 1.0 - p, 1.0 - share
        # the four cells, were label and side independent, are share and other times p and rest
        away = with_label[j] - share * p
        # without a branch, and with a flag in place of a minimum: so eight labels are taken at a time
        small |= (share * p <= LEAST_CELL) | (other * rest <= LEAST_CELL)
        small |= (share * rest <= LEAST_CELL) | (other * p <= LEAST_CELL)
        a, b, c, d = 1.0 / share, 1.0 / other, 1.0 / p, 1.0 / rest
        square = away * away
        up = a * (d if away >= 0.0 else c)
        down = b * (c if away >= 0.0 else d)
        total += square * (a + b) * (c + d) + abs(away) * square * (up * up + down * down)
    return 1e300 if small else total * HALF_BIT + SLACK


@kernel(inner=True)
def _evaluate_exact(tree, o, f, rows, length, least_share, floor, sums, cuts):
    """Every cut between two neighbouring distinct values, by exact counts."""
    n_labels = rows.shape[0] - 1
    sums = sums[:, : n_labels + 1]
    total, parts, left = tree.seen[o], sums[OF_ALL:OF_KNOWN], sums[OF_LEFT]
    if rows[0].missing > 0.0:
        total, parts = sums[TOTAL], sums[OF_KNOWN:OF_LEFT]
        for j in range(n_labels + 1):
            total[j] = tree.seen[o, j] - rows[j].missing
        prepare_bound(total, parts)
    values, places = cuts[0], cuts[1]
    n = 0
    p = tree.heads[o, f]
    if total[0] > rows[0].n:
        values[0], places[0] = 0.0, -1.0
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
    for j in range(n_labels + 1):
        left[j] = 0.0
    best, point, before = -1.0, 0.0, -1.0
    for i in range(length - 1):
        p = np.int64(places[i])
        if p >= 0:
            for j in range(n_labels + 1):
                left[j] += tree.pool_counts[p, j]
        else:
            for j in range(n_labels + 1):
                left[j] += total[j] - rows[j].n
        share = left[0] / total[0]
        if min(share, 1.0 - share) < least_share or _cannot_win(left, total, parts, floor):
            continue
        if before < 0.0:
            before = _before(total)
        gain = (before - _after(left, total)) * (total[0] / tree.seen[o, 0])
        if gain > best:
            # half of each: their sum could overflow; and never the upper one by rounding
            between = 0.5 * values[i] + 0.5 * values[i + 1]
            best, point = gain, between if between < values[i + 1] else values[i]
    return best, point


@kernel(inner=True)
def _cannot_win(left, total, parts, floor):
    """Return whether the gain of a split is at most ``floor``; one that has an empty side has no bound."""
    return 0.0 < left[0] < total[0] and gain_bound(left, total, parts) + SLACK <= floor


@kernel(inner=True)
def _before(total):
    """Return the entropy before a split, from exact sums: all, then by label."""
    before = 0.0
    for j in range(1, total.shape[0]):
        before += binary_entropy(total[j] / total[0])
    return before


@kernel(inner=True)
def _after(left, total):
    """Return the entropy that is left after a split, from exact sums: all, then by label."""
    right = total[0] - left[0]
    after = 0.0
    for j in range(1, left.shape[0]):
        if 0.0 < total[j] < total[0]:
            after += left[0] * binary_entropy(left[j] / left[0])
            after += right * binary_entropy((total[j] - left[j]) / right)
    return after / total[0]


@kernel(inner=True)
def _evaluate_nominal(tree, o, f, length, absent, least_share, floor, sums):
    """Equation 13: every category against all others, by exact counts."""
    n_labels = tree.seen.shape[1] - 1
    sums = sums[:, : n_labels + 1]
    total, parts, first = tree.seen[o], sums[OF_ALL:OF_KNOWN], sums[OF_LEFT]
    p = tree.heads[o, f]
    if absent > 0.0:
        while tree.pool_value[p] != GONE:
            p = tree.pool_next[p]
        total, parts = sums[TOTAL], sums[OF_KNOWN:OF_LEFT]
        for j in range(n_labels + 1):
            total[j] = tree.seen[o, j] - tree.pool_counts[p, j]
        prepare_bound(total, parts)
    for j in range(n_labels + 1):
        first[j] = tree.seen[o, j]
    p = tree.heads[o, f]
    while p >= 0:
        for j in range(n_labels + 1):
            first[j] -= tree.pool_counts[p, j]
        p = tree.pool_next[p]
    best, point, before = -1.0, 0.0, -1.0
    p = np.int64(-1)
    for i in range(length):
        p = tree.heads[o, f] if i == 1 else tree.pool_next[p] if i > 1 else p
        category = 0.0 if i == 0 else tree.pool_value[p]
        counts = first if i == 0 else tree.pool_counts[p]
        share = counts[0] / total[0]
        if category == GONE or min(share, 1.0 - share) < least_share or not 0.0 < share < 1.0:
            continue
        if _cannot_win(counts, total, parts, floor):
            continue
        if before < 0.0:
            before = _before(total)
        gain = (before - _after(counts, total)) * (total[0] / tree.seen[o, 0])
        # of equal gains the lower category, whatever came first
        if gain > best or (gain == best and category < point):
            best, point = gain, category
    return best, point


@kernel(inner=True, arrays=True)
def split_shares(tree, o, f, point, left, right):
    """Fill ``left`` and ``right`` (float64 [labels]) with the labels' probabilities on either side of a split."""
    n_labels = left.shape[0]
    place = tree.numeric[f]
    zeros = 0.0 if place < 0 else tree.seen[o, 0] - tree.stats[o, place, 0].missing - tree.stats[o, place, 0].n
    # zero is in no list
    if place < 0 or tree.outlines[o, f].listed + (1.0 if zeros > 0.0 else 0.0) <= EXACT_VALUES:
        total = tree.seen[o].copy()
        near = np.zeros(n_labels + 1)
        nominal = place < 0
        first = tree.seen[o].copy()
        if not nominal:
            for j in range(n_labels + 1):
                missing = tree.stats[o, place, j].missing
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
    rows = tree.stats[o, place]
    known = tree.seen[o, 0] - rows[0].missing
    all_n, all_mean, all_spread, all_low, all_high = moments(rows[0], known - rows[0].n)
    for label in range(n_labels):
        in_known = tree.seen[o, 1 + label] - rows[1 + label].missing
        left[label] = right[label] = 1.0 if in_known >= known else 0.0
        if in_known <= 0.0 or in_known >= known:
            continue
        n1, mean1, spread1, low1, high1 = moments(rows[1 + label], in_known - rows[1 + label].n)
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
