"""Where an iSOUP tree keeps everything: its nodes, and for each leaf a *slot* of models and split statistics.

When a leaf splits, its left child takes the slot and the right one a new slot, so that slots are never free; nodes are
never removed, and a child's index is larger than its parent's. The first columns of ``links`` and ``values`` are those
of Hoeffding trees, whose routing this tree shares.

N nodes, S slots, L labels, F features of which M are numeric, K categories of all nominal features, one behind the
other, D columns of the models, P rows of the pool of bins. Targets are 0 and 1, so that the sum of their squares is
their sum: what a bin, a category or a leaf keeps is its weight and that of its rows with each label; of a category or a
leaf the weight is column 0.

A leaf knows of a numeric feature its values in at most 64 bins of about the same weight. As long as there are at most
64 different values, each is a bin. A new value that falls into no bin begins one, and if there are 65 then, the two
neighbours that weigh least together become one (of equals those whose values are nearest to each other). Two of 65
neighbours weigh at most 2/64 of all, so no bin that was made weighed more when it was made.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from streamlab.kernels import kernel
from streamlab.rivals._hoeffding import DEPTH, PARENT, SLOT

BINS = 64
"""Bins of a numeric feature in a leaf, at most."""
# further columns of ``links``: rows learned when it began, and at its latest row; the two best features of the last
# attempt to split, -1: none
BORN, LAST, BEST, SECOND = range(6, 10)
N_LINKS = 10
# further columns of ``values``: weight that came lately, weight times the share of labels answered wrong, and the
# merits of the last attempt to split
RECENT, WRONG, BEST_MERIT, SECOND_MERIT = range(3, 7)
N_VALUES = 7
# columns of ``errors``
OF_MEAN, OF_MODEL = range(2)
# columns of ``bins``
LOW, HIGH, WEIGHT = range(3)
# columns of ``scale``
N, MEAN, SPREAD = range(3)
# entries of ``cursor``
NODES, SLOTS, POOL, POSITION, N_EVENTS = range(5)
N_CURSOR = 5
# columns of ``events``: node, rows learned, feature, point, merit, second merit, bound, weight
N_EVENT = 8
# entries of ``settings``: these parameters
SETTINGS = (
    "grace_period", "delta", "tau", "min_samples_split", "max_depth", "learning_rate", "threshold", "leaf",
)  # fmt: skip
GRACE, DELTA, TAU, LEAST, MAX_DEPTH, STEP, THRESHOLD, KIND = range(8)
# values of ``leaf``: logistic regressions; the mean or a linear regression; the mean or a perceptron
LEAVES = ("model", "adaptive", "perceptron")
LOGISTIC, LINEAR, PERCEPTRON = range(3)


Tree = namedtuple(
    "Tree",
    "links values came totals weights errors n_bins place tallies bins bin_labels scale roots n_categories "
    "first_category numeric starts cursor events",
)
"""The arrays.

Parameters
----------
links, values
    Of nodes: int64 [N, .] and float64 [N, .].
came
    Of nodes: weight of the rows with each label that came, float64 [N, L].
totals
    Of slots: weight and weight with each label, [S, 1 + L]; a new leaf starts with what the split gives its side.
weights
    Of slots: the models' coefficients, [S, L, D]; column 0 is the constant.
errors
    Of slots: faded squared errors of mean and model, [S, L, 2].
n_bins, place
    Of slots: bins of each numeric feature, int64 [S, M], and their rows in the pool by rising value, int32
    [S, M, BINS].
tallies
    Of slots: weight and weight with each label by category, [S, K, 1 + L].
bins, bin_labels
    The pool: the least and the largest value of each bin and its weight, [P, 3], and its weight with each label,
    [P, L]. Bins of leaves that have split stay until the pool is packed.
scale
    Of columns: weight, mean and centred square sum, [D, 3]; without perceptrons [0, 3].
roots
    The root, int64 [1].
n_categories, first_category, numeric, starts
    The schema, int64 [F]: categories of each feature (0: numeric), where they begin, its place among the numeric
    features (-1: nominal), and its first column.
cursor
    int64: nodes, slots and rows of the pool in use, rows learned, events in the log.
events
    float64 [E, 8].
"""


@kernel
def new_node(tree, parent, depth, slot):
    """Return a new leaf; its slot is already as it is to be."""
    s = tree.cursor[NODES]
    tree.cursor[NODES] += 1
    tree.links[s] = -1
    tree.values[s] = 0.0
    tree.came[s] = 0.0
    tree.links[s, PARENT], tree.links[s, DEPTH], tree.links[s, SLOT] = parent, depth, slot
    tree.links[s, BORN] = tree.links[s, LAST] = tree.cursor[POSITION]
    return s


@kernel
def bin_from(bins, places, n, v):
    """Return the first of ``n`` bins that ends at ``v`` or above."""
    first, last = 0, n
    while first < last:
        middle = (first + last) // 2
        if bins[places[middle], HIGH] < v:
            first = middle + 1
        else:
            last = middle
    return first


@kernel
def lightest_pair(bins, places, at, v, w):
    """Return the first of the two neighbours that weigh least, among all bins and a new one of ``v`` at ``at``."""
    best, best_weight, best_width = 0, math.inf, math.inf
    before, begin = math.inf, 0.0
    for k in range(BINS + 1):
        if k == at:
            weight, low, high = w, v, v
        else:
            row = places[k if k < at else k - 1]
            weight, low, high = bins[row, WEIGHT], bins[row, LOW], bins[row, HIGH]
        pair = before + weight
        if pair < best_weight or (pair == best_weight and high - begin < best_width):
            best, best_weight, best_width = k - 1, pair, high - begin
        before, begin = weight, low
    return best


@kernel
def insert(bins, bin_labels, places, n, new, at, v, w):
    """Return the row in the pool of the bin that a value belongs to that falls into none: made, or widened.

    ``at`` is the first of the ``n`` bins that ends above it; ``new`` is a row that is free, if there is room for a bin.
    """
    row = new
    if n == BINS:
        k = lightest_pair(bins, places, at, v, w)
        if k == at or k + 1 == at:
            # the new value itself is one of the two
            row = places[at] if k == at else places[at - 1]
            bins[row, LOW], bins[row, HIGH] = min(bins[row, LOW], v), max(bins[row, HIGH], v)
            return row
        first = k if k < at else k - 1
        kept, row = places[first], places[first + 1]
        bins[kept, HIGH] = bins[row, HIGH]
        bins[kept, WEIGHT] += bins[row, WEIGHT]
        for j in range(bin_labels.shape[1]):
            bin_labels[kept, j] += bin_labels[row, j]
        n = BINS - 1
        for j in range(first + 1, n):
            places[j] = places[j + 1]
        if at > first:
            at -= 1
    for j in range(n, at, -1):
        places[j] = places[j - 1]
    places[at] = row
    bins[row, LOW] = bins[row, HIGH] = v
    bins[row, WEIGHT] = 0.0
    for j in range(bin_labels.shape[1]):
        bin_labels[row, j] = 0.0
    return row


@kernel
def count_values(tree, slot, x, present, n_present, w):
    """Add the values of a row to a slot; the row has the first ``n_present`` labels of ``present``."""
    # arrays on their own: to hand over a whole tree costs more than to look a value up
    bins, bin_labels, n_bins, cursor = tree.bins, tree.bin_labels, tree.n_bins[slot], tree.cursor
    places, tallies = tree.place[slot], tree.tallies[slot]
    numeric, first_category = tree.numeric, tree.first_category
    for f in range(x.shape[0]):
        v, m = x[f], numeric[f]
        if math.isnan(v):
            continue
        if m < 0:
            own = tallies[first_category[f] + np.int64(v)]
            own[0] += w
            for j in range(n_present):
                own[1 + present[j]] += w
            continue
        n = n_bins[m]
        at = bin_from(bins, places[m], n, v)
        row = np.int64(places[m, at]) if at < n else np.int64(-1)
        if row < 0 or bins[row, LOW] > v:
            row = np.int64(insert(bins, bin_labels, places[m], n, cursor[POOL], at, v, w))
            if n < BINS:
                cursor[POOL] += 1
                n_bins[m] = n + 1
        bins[row, WEIGHT] += w
        for j in range(n_present):
            bin_labels[row, present[j]] += w


@kernel
def add_bin(bins, bin_labels, row, sums):
    """Add a bin to sums: its weight and that with each label."""
    sums[0] += bins[row, WEIGHT]
    for j in range(bin_labels.shape[1]):
        sums[1 + j] += bin_labels[row, j]


@kernel
def spread(sums):
    """Return the variances of the labels, added up, of rows of this weight and weights with each label."""
    n, total, squares = sums[0], 0.0, 0.0
    for j in range(1, sums.shape[0]):
        total += sums[j]
        squares += sums[j] * sums[j]
    return (total - squares / n) / (n - 1.0) if n > 1.0 else 0.0


@kernel
def merit(whole, left, before, least):
    """Return by how much a test reduces the labels' variances, their mean, or -inf if a side holds too little.

    ``before`` is the ``spread`` of ``whole``. Variances are divided by n - 1, as River's are.
    """
    n, n_left = whole[0], left[0]
    n_right = n - n_left
    if n_left < least or n_right < least:
        return -math.inf
    # sums of whole numbers: a label that all rows of a side have, or none, has exactly no variance
    total_left, squares_left, total_right, squares_right = 0.0, 0.0, 0.0, 0.0
    for j in range(1, whole.shape[0]):
        a = left[j]
        b = whole[j] - a
        total_left += a
        squares_left += a * a
        total_right += b
        squares_right += b * b
    after = 0.0
    if n_left > 1.0:
        after += n_left / n * (total_left - squares_left / n_left) / (n_left - 1.0)
    if n_right > 1.0:
        after += n_right / n * (total_right - squares_right / n_right) / (n_right - 1.0)
    return (before - after) / (whole.shape[0] - 1.0)


@kernel
def best_cut(bins, bin_labels, places, n, least, whole, left):
    """Return merit and point of the best threshold on a numeric feature; the last two arrays are overwritten.

    ``whole`` becomes the sums of all rows whose value is known. A point lies half-way between two of the ``n`` bins.
    """
    whole[:] = 0.0
    left[:] = 0.0
    for k in range(n):
        add_bin(bins, bin_labels, places[k], whole)
    before, best, best_point = spread(whole), 0.0, 0.0
    for k in range(n - 1):
        add_bin(bins, bin_labels, places[k], left)
        if whole[0] - left[0] < least:
            break
        found = merit(whole, left, before, least)
        if found > best:
            low, high = bins[places[k], HIGH], bins[places[k + 1], LOW]
            point = low + 0.5 * (high - low)
            best, best_point = found, point if point < high else low
    return best, best_point


@kernel
def best_category(tallies, least, whole):
    """Return merit and category of the best test on a nominal feature with these tallies; ``whole`` as above."""
    whole[:] = 0.0
    for k in range(tallies.shape[0]):
        for j in range(whole.shape[0]):
            whole[j] += tallies[k, j]
    before, best, point = spread(whole), 0.0, 0.0
    for k in range(tallies.shape[0]):
        found = merit(whole, tallies[k], before, least)
        if found > best:
            best, point = found, np.float64(k)
    return best, point
