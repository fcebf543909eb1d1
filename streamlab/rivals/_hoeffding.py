"""Kernels of Hoeffding trees for one class attribute: many trees in one arena, each with its root.

A leaf owns a *slot* of statistics. When it splits, its left child takes the slot and the right one a new slot, so that
slots are never free; nodes are never removed, and a child's index is larger than its parent's.

N nodes, S slots, F features, C classes, K categories of all nominal features, one behind the other.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from streamlab.kernels import kernel

# columns of ``links``; FEATURE is -1 in a leaf, SLOT in a branch, and PARENT in a root
FEATURE, LEFT, RIGHT, PARENT, DEPTH, SLOT, TREE = range(7)
N_LINKS = 7
# columns of ``values``: of a branch, and of a leaf the weight since its last attempt to split; weight that came
POINT, SINCE, SEEN = range(3)
N_VALUES = 3
# columns of ``right``: weight of the rows that were answered rightly by the majority, and by naive Bayes
BY_MAJORITY, BY_BAYES = range(2)
# columns of ``moments``
N, MEAN, SPREAD, LOW, HIGH = range(5)
N_MOMENTS = 5
# entries of ``cursor``
NODES, SLOTS, POSITION, N_EVENTS = range(4)
N_CURSOR = 4
# columns of ``events``: tree, node, rows learned, feature, point, gain, second gain, bound, weight
N_EVENT = 9
# entries of ``settings``: these parameters
SETTINGS = (
    "grace_period", "delta", "tau", "n_split_points", "min_branch_fraction", "max_share_to_split", "max_depth",
)  # fmt: skip
GRACE, DELTA, TAU, POINTS, LEAST_SHARE, MOST_SHARE, MAX_DEPTH = range(7)
N_SETTINGS = 7
# columns of ``bells``: a Gaussian's variance, 0 where there is none, and one divided by twice the variance
VARIANCE, STEEPNESS = range(2)
HALF_LOG_TAU = 0.5 * math.log(2.0 * math.pi)
# a product of variances within these bounds may be multiplied by another variance within their squares
SMALL, LARGE = 1e-100, 1e100


Forest = namedtuple(
    "Forest",
    "links values roots weights right moments bells tallies n_categories first_category cursor events",
)
"""The arrays.

Parameters
----------
links, values
    Of nodes: int64 [N, .] and float64 [N, .].
roots
    The root of each tree, int64 [trees].
weights
    Of slots: weight of each class [S, C]; a new leaf starts with what the split gives its side.
right
    Of slots: float64 [S, 2].
moments
    Of slots: by feature and class weight, mean, centred square sum and range, float64 [S, F, C, 5].
bells
    What ``moments`` say of each Gaussian, float64 [S, F, C, 2]: naive Bayes reads it for every row.
tallies
    Of slots: by category and class the weight, float64 [S, K, C].
n_categories, first_category
    The schema: int64 [F], categories of each feature (0: numeric), and where they begin.
cursor
    int64: nodes and slots in use, rows learned, events in the log.
events
    float64 [E, 9].
"""


KEPT = Forest._fields[:8]
"""The arrays that are part of a state; the others follow from the schema and from these."""


@kernel(inner=True)
def new_node(forest, tree, parent, depth, slot):
    """Return a new leaf; its slot is already as it is to be."""
    s = forest.cursor[NODES]
    forest.cursor[NODES] += 1
    forest.links[s] = -1
    forest.links[s, PARENT], forest.links[s, DEPTH] = parent, depth
    forest.links[s, SLOT], forest.links[s, TREE] = slot, tree
    forest.values[s] = 0.0
    return s


@kernel
def new_root(forest, tree):
    """Give a tree a root that has seen nothing."""
    slot = forest.cursor[SLOTS]
    forest.cursor[SLOTS] += 1
    forest.roots[tree] = new_node(forest, tree, -1, 0, slot)


@kernel(inner=True)
def leaf_of(forest, tree, x, w):
    """Return the leaf of a row, and count its weight on the way; a missing value takes the side that has seen more."""
    links, values = forest.links, forest.values
    s = forest.roots[tree]
    values[s, SEEN] += w
    while links[s, FEATURE] >= 0:
        f, left, right = links[s, FEATURE], links[s, LEFT], links[s, RIGHT]
        v = x[f]
        if math.isnan(v):
            s = right if values[right, SEEN] > values[left, SEEN] else left
        elif forest.n_categories[f] > 0:
            s = left if v == values[s, POINT] else right
        else:
            s = left if v <= values[s, POINT] else right
        values[s, SEEN] += w
    return s


@kernel(inner=True)
def first_largest(shares):
    """Return the index of the largest, of equals the first."""
    best = 0
    for c in range(1, shares.shape[0]):
        if shares[c] > shares[best]:
            best = c
    return best


@kernel(inner=True)
def majority(forest, slot, shares):
    """Fill ``shares`` with each class's share of the weight; return whether there is any."""
    total = 0.0
    for c in range(shares.shape[0]):
        total += forest.weights[slot, c]
    for c in range(shares.shape[0]):
        shares[c] = forest.weights[slot, c] / total if total > 0.0 else 0.0
    return total > 0.0


@kernel(inner=True)
def naive_bayes(forest, slot, x, shares):
    """Fill ``shares`` with the probabilities of naive Bayes, given those of ``majority``, which it takes as priors.

    A class without weight has the probability 0. A feature says nothing of a class of which fewer than two different
    values came. Categories are counted with 1 added to each.
    """
    best = -math.inf
    for c in range(shares.shape[0]):
        if shares[c] <= 0.0:
            shares[c] = -math.inf
            continue
        total, product = math.log(shares[c]), 1.0
        for f in range(x.shape[0]):
            v = x[f]
            if math.isnan(v):
                continue
            if forest.n_categories[f] > 0:
                first = forest.first_category[f]
                weight = 0.0
                for k in range(forest.n_categories[f]):
                    weight += forest.tallies[slot, first + k, c]
                if weight > 0.0:
                    own = forest.tallies[slot, first + np.int64(v), c]
                    total += math.log((own + 1.0) / (weight + forest.n_categories[f]))
                continue
            variance = forest.bells[slot, f, c, VARIANCE]
            if variance > 0.0:
                away = v - forest.moments[slot, f, c, MEAN]
                total -= away * away * forest.bells[slot, f, c, STEEPNESS] + HALF_LOG_TAU
                # one logarithm for many variances
                if not SMALL * SMALL < variance < LARGE * LARGE:
                    total -= 0.5 * math.log(variance)
                else:
                    product *= variance
                    if not SMALL < product < LARGE:
                        total -= 0.5 * math.log(product)
                        product = 1.0
        total -= 0.5 * math.log(product)
        shares[c] = total
        best = max(best, total)
    total = 0.0
    for c in range(shares.shape[0]):
        shares[c] = math.exp(shares[c] - best) if shares[c] > -math.inf else 0.0
        total += shares[c]
    if not total > 0.0:
        # so far from all classes that none has a probability
        majority(forest, slot, shares)
        return
    for c in range(shares.shape[0]):
        shares[c] /= total


@kernel(inner=True)
def consult(forest, s, x, by_majority, by_bayes):
    """Fill both answers of leaf ``s``; return whether it has any, and whether that of naive Bayes counts."""
    slot = forest.links[s, SLOT]
    known = majority(forest, slot, by_majority)
    for c in range(by_bayes.shape[0]):
        by_bayes[c] = by_majority[c]
    if known:
        naive_bayes(forest, slot, x, by_bayes)
    return known, forest.right[slot, BY_BAYES] >= forest.right[slot, BY_MAJORITY]


@kernel(inner=True)
def note_right(forest, slot, c, w, by_majority, by_bayes):
    """Add a row of class ``c`` to the weight of those that were answered rightly, by either answer of ``consult``."""
    best = first_largest(by_majority)
    known = by_majority[best] > 0.0
    # of an empty leaf the majority is taken for right
    if not known or best == c:
        forest.right[slot, BY_MAJORITY] += w
    if known and first_largest(by_bayes) == c:
        forest.right[slot, BY_BAYES] += w


@kernel(inner=True)
def count(forest, slot, x, c, w):
    """Add a row of class ``c`` to the statistics of a slot."""
    forest.weights[slot, c] += w
    for f in range(x.shape[0]):
        v = x[f]
        if math.isnan(v):
            continue
        if forest.n_categories[f] > 0:
            forest.tallies[slot, forest.first_category[f] + np.int64(v), c] += w
            continue
        row = forest.moments[slot, f, c]
        if row[N] == 0.0:
            # the mean too: by its weight and divided by it again, a value may differ by its rounding
            row[LOW] = row[HIGH] = row[MEAN] = v
        elif v < row[LOW]:
            row[LOW] = v
        elif v > row[HIGH]:
            row[HIGH] = v
        row[N] += w
        away = v - row[MEAN]
        row[MEAN] += w * away / row[N]
        row[SPREAD] += w * away * (v - row[MEAN])
        set_bell(row, forest.bells[slot, f, c])


@kernel(inner=True)
def set_bell(row, bell):
    """Fill the Gaussian of moments; it stays 0 for the weight of one row and for a single value."""
    variance = row[SPREAD] / (row[N] - 1.0) if row[N] > 1.0 and row[SPREAD] > 0.0 else 0.0
    steepness = 0.5 / variance if variance > 0.0 else 0.0
    if steepness == math.inf:
        variance = steepness = 0.0
    bell[VARIANCE], bell[STEEPNESS] = variance, steepness


@kernel
def set_bells(moments, bells):
    """Fill the Gaussians of all slots, as they are not part of a state."""
    for slot in range(moments.shape[0]):
        for f in range(moments.shape[1]):
            for c in range(moments.shape[2]):
                set_bell(moments[slot, f, c], bells[slot, f, c])


@kernel(inner=True)
def entropy(weights):
    """Return the entropy of classes of these weights, in bits."""
    total, result = 0.0, 0.0
    for c in range(weights.shape[0]):
        if weights[c] > 0.0:
            total += weights[c]
            result -= weights[c] * math.log2(weights[c])
    return (result + total * math.log2(total)) / total if total > 0.0 else 0.0


@kernel(inner=True)
def share_out(forest, slot, f, point, sides):
    """Fill ``sides`` [2, C] with the weights of the classes on each side of a test, numeric ones by their Gaussians."""
    for c in range(sides.shape[1]):
        if forest.n_categories[f] > 0:
            first, all_weight = forest.first_category[f], 0.0
            for k in range(forest.n_categories[f]):
                all_weight += forest.tallies[slot, first + k, c]
            left = forest.tallies[slot, first + np.int64(point), c]
        else:
            row = forest.moments[slot, f, c]
            all_weight = row[N]
            if all_weight == 0.0 or point < row[LOW]:
                left = 0.0
            elif point >= row[HIGH]:
                left = all_weight
            else:
                sigma = math.sqrt(row[SPREAD] / (all_weight - 1.0)) if all_weight > 1.0 else 0.0
                left = 0.0
                if sigma > 0.0:
                    left = all_weight * 0.5 * math.erfc((row[MEAN] - point) / (sigma * math.sqrt(2.0)))
        sides[0, c], sides[1, c] = left, all_weight - left


@kernel(inner=True)
def gain_of(forest, slot, f, point, before, least_share, sides):
    """Return the information gain of a test, or -inf if a side holds too little; ``sides`` is overwritten."""
    share_out(forest, slot, f, point, sides)
    left, right = 0.0, 0.0
    for c in range(sides.shape[1]):
        left += sides[0, c]
        right += sides[1, c]
    total = left + right
    if total <= 0.0 or left / total <= least_share or right / total <= least_share:
        return -math.inf
    return before - (left * entropy(sides[0]) + right * entropy(sides[1])) / total


@kernel(inner=True)
def best_test(forest, slot, f, settings, before, sides):
    """Return the gain and the point of the best test on a feature; a gain of 0 where none has more."""
    best, best_point = 0.0, 0.0
    if forest.n_categories[f] > 0:
        for k in range(forest.n_categories[f]):
            gain = gain_of(forest, slot, f, np.float64(k), before, settings[LEAST_SHARE], sides)
            if gain > best:
                best, best_point = gain, np.float64(k)
        return best, best_point
    low, high = math.inf, -math.inf
    for c in range(sides.shape[1]):
        row = forest.moments[slot, f, c]
        if row[N] > 0.0:
            low, high = min(low, row[LOW]), max(high, row[HIGH])
    n_points = np.int64(settings[POINTS])
    for i in range(n_points):
        point = low + (high - low) / (n_points + 1.0) * (i + 1)
        if low < point < high:
            gain = gain_of(forest, slot, f, point, before, settings[LEAST_SHARE], sides)
            if gain > best:
                best, best_point = gain, point
    return best, best_point


@kernel(inner=True)
def attempt(forest, s, settings, sides):
    """Split leaf ``s`` if the best feature is far enough ahead of the second, or of no split."""
    links, values, slot = forest.links, forest.values, forest.links[s, SLOT]
    total, largest, n_classes = 0.0, 0.0, 0
    for c in range(sides.shape[1]):
        weight = forest.weights[slot, c]
        total += weight
        largest = max(largest, weight)
        n_classes += weight > 0.0
    if values[s, SINCE] < settings[GRACE] or links[s, DEPTH] >= settings[MAX_DEPTH]:
        return
    values[s, SINCE] = 0.0
    if n_classes < 2 or largest / total > settings[MOST_SHARE]:
        return
    before = entropy(forest.weights[slot])
    best, second, point, f = 0.0, 0.0, 0.0, -1
    for g in range(forest.n_categories.shape[0]):
        gain, at = best_test(forest, slot, g, settings, before, sides)
        if gain > best:
            best, second, point, f = gain, best, at, g
        elif gain > second:
            second = gain
    reach = math.log2(max(n_classes, 2))
    bound = math.sqrt(reach * reach * math.log(1.0 / settings[DELTA]) / (2.0 * total))
    if f < 0 or (best - second <= bound and bound >= settings[TAU]):
        return
    row = forest.events[forest.cursor[N_EVENTS]]
    forest.cursor[N_EVENTS] += 1
    row[0], row[1], row[2], row[3], row[4] = links[s, TREE], s, forest.cursor[POSITION] + 1, f, point
    row[5], row[6], row[7], row[8] = best, second, bound, total
    share_out(forest, slot, f, point, sides)
    other = forest.cursor[SLOTS]
    forest.cursor[SLOTS] += 1
    links[s, SLOT], links[s, FEATURE] = -1, f
    values[s, POINT] = point
    for side in range(2):
        own = slot if side == 0 else other
        child = new_node(forest, links[s, TREE], s, links[s, DEPTH] + 1, own)
        links[s, LEFT + side] = child
        forest.right[own] = 0.0
        forest.moments[own] = 0.0
        forest.bells[own] = 0.0
        forest.tallies[own] = 0.0
        for c in range(sides.shape[1]):
            forest.weights[own, c] = sides[side, c]
