"""Kernels of a leaf's attempts to split: the search through the features, the decision, the two new leaves."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.mlhat._answer import error_of
from streamlab.learners.mlhat._event_log import KEEPS, SPLIT, note
from streamlab.learners.mlhat._gains import evaluate_above, prepare, split_shares
from streamlab.learners.mlhat._hedge import drop_far, keeps
from streamlab.learners.mlhat._memory import deactivate, fits, least_promising, promise_of
from streamlab.learners.mlhat._places import move_row
from streamlab.learners.mlhat._settings import (
    DELTA,
    HEDGED,
    INHERIT,
    KEPT_LEVELS,
    LEAST_SHARE,
    MAX_DEPTH,
    MOST_SHARE,
    POINTS,
    TAU,
    UNITS,
)
from streamlab.learners.mlhat._sigmoid import bits_of
from streamlab.learners.mlhat._tree import (
    BACKGROUND,
    BEST,
    BEST_GAIN,
    BEST_POINT,
    BORN,
    BORN_ERROR,
    COUNTED,
    DEPTH,
    FEATURE,
    FILLED,
    INHERITED,
    INNER,
    INSIDE,
    LAST,
    LAST_BEST,
    LAST_GAIN,
    LAST_POINT,
    LAST_SECOND,
    LAST_SECOND_GAIN,
    LEAF,
    LEAN,
    LEFT,
    N_EVENTS,
    N_EXPERTS,
    N_SPLITS,
    NEXT,
    NOMINAL,
    OBSERVER,
    POSITION,
    RIGHT,
    SEARCH,
    SECOND,
    SECOND_GAIN,
    SINCE,
    THRESHOLD,
    TRAINED,
    clear_detectors,
    columns_used,
    copy_row,
    copy_weights,
    free_classifiers,
    free_observer,
    keep_regressions,
    new_leaf,
)

__all__ = ["begin_search", "search", "split", "split_bound", "tie_bound"]


@kernel(**INNER)
def begin_search(links, values, seen, s, settings):
    """Begin an attempt of leaf ``s`` to split, unless a label covers too much of it; ``seen``: its observer's sums."""
    for label in range(1, seen.shape[0]):
        if seen[label] > settings[MOST_SHARE] * seen[0]:
            return
    values[s, SINCE] = 0.0
    links[s, SEARCH] = 0
    links[s, BEST] = links[s, SECOND] = -1
    values[s, BEST_GAIN] = values[s, SECOND_GAIN] = 0.0


@kernel(**INNER)
def search(tree, s, n_outcomes, settings, sums, cuts):
    """Evaluate some more features; after the last one, return ε_spl if the leaf is to split, else -1.

    ``n_outcomes`` is what the bound counts, in MLHAT label sets. ``sums`` and ``cuts`` are of ``new_scratch``.
    """
    links, values = tree.links, tree.values
    o = links[s, OBSERVER]
    f = links[s, SEARCH]
    # in the order of the stream's columns, whatever their places: so equal gains are told apart as without places
    compact = tree.place_of.shape[0] > 0
    n_features = tree.place_of.shape[0] if compact else tree.heads.shape[1]
    units = 0
    n_points = np.int64(settings[POINTS])
    prepare(tree, o, sums)
    while f < n_features and units < settings[UNITS]:
        at = f
        if compact:
            at = np.int64(tree.place_of[f])
            if at < 0:
                # as much as a feature that was always 0
                units += tree.counts.shape[1]
                f += 1
                continue
        gain, point, work = evaluate_above(
            tree, o, at, n_points, settings[LEAST_SHARE], values[s, SECOND_GAIN], sums, cuts
        )  # fmt: skip
        units += work
        if gain > values[s, BEST_GAIN]:
            links[s, SECOND], values[s, SECOND_GAIN] = links[s, BEST], values[s, BEST_GAIN]
            links[s, BEST], values[s, BEST_GAIN], values[s, BEST_POINT] = at, gain, point
        elif gain > values[s, SECOND_GAIN]:
            links[s, SECOND], values[s, SECOND_GAIN] = at, gain
        f += 1
    links[s, SEARCH] = f
    if f < n_features:
        return -1.0
    links[s, SEARCH] = -1
    links[s, LAST_BEST], links[s, LAST_SECOND] = links[s, BEST], links[s, SECOND]
    values[s, LAST_GAIN], values[s, LAST_SECOND_GAIN] = values[s, BEST_GAIN], values[s, SECOND_GAIN]
    values[s, LAST_POINT] = values[s, BEST_POINT]
    if links[s, BEST] < 0:
        return -1.0
    epsilon = split_bound(n_outcomes, tree.seen[o, 0], settings[DELTA])
    if values[s, BEST_GAIN] - values[s, SECOND_GAIN] > epsilon or epsilon < tie_bound(n_outcomes, settings):
        return epsilon
    return -1.0


@kernel(**LEAN)
def split_bound(n_outcomes, weight, delta):
    """Return ε_spl (equation 9) for a leaf that has seen this many outcomes, label sets or labels."""
    reach = max(math.log2(n_outcomes), 1.0)
    return math.sqrt(reach * reach * math.log(1.0 / delta) / (2.0 * weight))


@kernel(**LEAN)
def tie_bound(n_outcomes, settings):
    """Return below which ε_spl a leaf splits whatever the gap; in a hedged tree it is relative to R, as ε_spl is."""
    return settings[TAU] * max(math.log2(n_outcomes), 1.0) if settings[HEDGED] != 0.0 else settings[TAU]


@kernel(**COUNTED, **INSIDE)
def split(tree, s, epsilon, settings):
    """Make leaf ``s`` a branch with two new leaves, if there is memory for them."""
    links, values = tree.links, tree.values
    # its own classifiers and observer become free; less promising leaves can give up their observers
    hedged = settings[HEDGED] != 0.0
    kept = hedged and keeps(tree, s, settings)
    while not fits(tree, s, 2, 1, np.int64(kept), settings):
        least = least_promising(tree)
        if least == s or promise_of(values, least) >= promise_of(values, s):
            return
        deactivate(tree, least)
    o, f, point = links[s, OBSERVER], links[s, BEST], values[s, BEST_POINT]
    depth = links[s, DEPTH] + 1
    nominal = tree.numeric[f] < 0
    left = new_leaf(tree, s, depth, links[s, BACKGROUND], settings[MAX_DEPTH], False)
    right = new_leaf(tree, s, depth, links[s, BACKGROUND], settings[MAX_DEPTH], False)
    for leaf in (left, right):
        links[leaf, BORN] = links[leaf, LAST] = tree.cursor[POSITION] + 1
        values[leaf, BORN_ERROR] = error_of(values, s)
    split_shares(tree, o, f, point, tree.born[left], tree.born[right])
    weight = tree.seen[o, 0]
    links[s, LEFT], links[s, RIGHT] = left, right
    links[s, FEATURE], links[s, NOMINAL] = f, nominal
    values[s, THRESHOLD] = point
    if settings[INHERIT] != 0.0:
        inherit(tree, s, left, right, f, point, nominal)
    if hedged:
        for leaf in (left, right):
            for k in range(N_EXPERTS):
                tree.expert_losses[leaf, k] = tree.expert_losses[s, k]
        tree.expert_losses[s] = 0.0
    if kept:
        keep_regressions(tree, s)
    free_observer(tree, s)
    free_classifiers(tree, s)
    clear_detectors(tree, s)
    tree.cursor[N_SPLITS] += 1
    note(tree, SPLIT, s, np.float64(f), point, values[s, LAST_GAIN], values[s, LAST_SECOND_GAIN], epsilon, weight)
    if hedged:
        tree.events[tree.cursor[N_EVENTS] - 1, 9] += KEEPS if kept else 0
        if settings[KEPT_LEVELS] < math.inf:
            drop_far(tree, s, settings[KEPT_LEVELS])


@kernel(**INSIDE)
def inherit(tree, s, left, right, f, point, nominal):
    """Give the new leaves the rows of the window on their side, oldest first, and copies of the bags' weights."""
    links = tree.links
    c = links[s, LEAF]
    for leaf in (left, right):
        copy_weights(tree.weights[c], tree.weights[links[leaf, LEAF]], columns_used(tree))
        copy_row(tree.intercepts[c], tree.intercepts[links[leaf, LEAF]])
        tree.values[leaf, TRAINED] = tree.values[s, TRAINED]
    size = tree.window_sets.shape[1]
    n = links[s, FILLED]
    compact = tree.place_of.shape[0] > 0
    n_left = n_right = 0
    for k in range(n):
        v = tree.window[c, f, (links[s, NEXT] - n + k) % size]
        if not math.isnan(v):
            goes_left = v == point if nominal else v <= point
            n_left += goes_left
            n_right += not goes_left
    owners, places = np.empty(size, np.int64), np.empty(size, np.int64)
    for k in range(n):
        at = (links[s, NEXT] - n + k) % size
        v = tree.window[c, f, at]
        if math.isnan(v):
            leaf = left if n_left >= n_right else right
        elif nominal:
            leaf = left if v == point else right
        else:
            leaf = left if v <= point else right
        to, free = links[leaf, LEAF], links[leaf, FILLED]
        owners[at], places[at] = to, free
        if compact:
            move_row(tree, c, at, to, free)
        for i in range(tree.window_marks.shape[2]):
            tree.window_marks[to, free, i] = tree.window_marks[c, at, i]
        tree.window_sets[to, free] = tree.window_sets[c, at]
        tree.window_norms[to, free] = tree.window_norms[c, at]
        tree.window_gaps[to, free] = tree.window_gaps[c, at]
        links[leaf, FILLED] += 1
        links[leaf, INHERITED] += 1
        links[leaf, NEXT] = links[leaf, FILLED] % size
    if compact:
        return
    # feature by feature, as the values of a row lie far apart; new arrays of zeros take no memory until written to
    first = (links[s, NEXT] - n) % size
    for g in range(tree.window.shape[1]):
        for k in range(n):
            at = first + k if first + k < size else first + k - size
            v = tree.window[c, g, at]
            if bits_of(v) != bits_of(tree.window[owners[at], g, places[at]]):
                tree.window[owners[at], g, places[at]] = v
