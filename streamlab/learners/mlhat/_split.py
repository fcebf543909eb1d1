"""Kernels of a leaf's attempts to split: the search through the features, the decision, the two new leaves."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._kernels import prefetch
from streamlab.learners.mlhat._answer import drop_far, error_of, keeps
from streamlab.learners.mlhat._bags import bits_of
from streamlab.learners.mlhat._gains import evaluate_above, prepare, split_shares
from streamlab.learners.mlhat._memory import deactivate, fits, least_promising, promise_of
from streamlab.learners.mlhat._places import move_row
from streamlab.learners.mlhat._settings import KEEPS, SPLIT, note
from streamlab.learners.mlhat._statistics import observe
from streamlab.learners.mlhat._tree import (
    clear_detectors,
    columns_used,
    copy_row,
    copy_weights,
    free_classifiers,
    free_observer,
    keep_regressions,
    new_leaf,
)

# the search asks the memory for this many columns in advance
AHEAD = 16


@kernel(inner=True)
def watch(tree, room, s, x, n_touched, n_present, w, settings):
    """Let leaf ``s`` observe an instance, if it may grow; return whether it now searches for a split."""
    links, values, o = tree.links, tree.values, tree.links[s].observer
    if o < 0:
        return False
    observe(tree, o, x, room.touched, n_touched, room.present, n_present, w)
    values[s].since += w
    if links[s].search < 0 and values[s].since >= settings.grace_period and links[s].n_sets > 1:
        begin_search(links, values, tree.seen[o], s, settings)
    return links[s].search >= 0


@kernel
def grow(tree, s, n_outcomes, settings, sums, cuts):
    """Continue the search of leaf ``s``, and split it if that is its outcome.

    It is no inner kernel, as it is two fifths of what a tree needs compiled: another process does that beside the rest,
    and once for all kinds of trees (``HoeffdingTree.prepare_growth``).
    """
    epsilon = search(tree, s, n_outcomes, settings, sums, cuts)
    if epsilon >= 0.0:
        split(tree, s, epsilon, settings)


@kernel(inner=True)
def begin_search(links, values, seen, s, settings):
    """Begin an attempt of leaf ``s`` to split, unless a label covers too much of it; ``seen``: its observer's sums."""
    for label in range(1, seen.shape[0]):
        if seen[label] > settings.max_share_to_split * seen[0]:
            return
    values[s].since = 0.0
    links[s].search = 0
    links[s].best = links[s].second = -1
    values[s].best_gain = values[s].second_gain = 0.0


@kernel(inner=True)
def search(tree, s, n_outcomes, settings, sums, cuts):
    """Evaluate some more features; after the last one, return ε_spl if the leaf is to split, else -1.

    ``n_outcomes`` is what the bound counts, in MLHAT label sets. ``sums`` and ``cuts`` are of ``new_scratch``.
    """
    links, values = tree.links, tree.values
    o = links[s].observer
    f = links[s].search
    # in the order of the stream's columns, whatever their places: so equal gains are told apart as without places
    compact = tree.place_of.shape[0] > 0
    n_features = tree.place_of.shape[0] if compact else tree.heads.shape[1]
    units = 0
    n_points = np.int64(settings.n_split_points)
    prepare(tree, o, sums)
    outlines = tree.outlines[o]
    while f < n_features and units < settings.search_units:
        at = f
        if compact:
            prefetch(outlines, np.int64(tree.place_of[min(f + AHEAD, n_features - 1)]))
            at = np.int64(tree.place_of[f])
            if at < 0:
                # as much as a feature that was always 0
                units += tree.counts.shape[1]
                f += 1
                continue
        gain, point, work = evaluate_above(
            tree, o, at, n_points, settings.min_branch_fraction, values[s].second_gain, sums, cuts
        )  # fmt: skip
        units += work
        if gain > values[s].best_gain:
            links[s].second, values[s].second_gain = links[s].best, values[s].best_gain
            links[s].best, values[s].best_gain, values[s].best_point = at, gain, point
        elif gain > values[s].second_gain:
            links[s].second, values[s].second_gain = at, gain
        f += 1
    links[s].search = f
    if f < n_features:
        return -1.0
    links[s].search = -1
    links[s].last_best, links[s].last_second = links[s].best, links[s].second
    values[s].last_gain, values[s].last_second_gain = values[s].best_gain, values[s].second_gain
    values[s].last_point = values[s].best_point
    if links[s].best < 0:
        return -1.0
    epsilon = split_bound(n_outcomes, tree.seen[o, 0], settings.delta)
    if values[s].best_gain - values[s].second_gain > epsilon or epsilon < tie_bound(n_outcomes, settings):
        return epsilon
    return -1.0


@kernel
def split_bound(n_outcomes, weight, delta):
    """Return ε_spl (equation 9) for a leaf that has seen this many outcomes, label sets or labels."""
    reach = max(math.log2(n_outcomes), 1.0)
    return math.sqrt(reach * reach * math.log(1.0 / delta) / (2.0 * weight))


@kernel
def tie_bound(n_outcomes, settings):
    """Return below which ε_spl a leaf splits whatever the gap; in a hedged tree it is relative to R, as ε_spl is."""
    return settings.tau * max(math.log2(n_outcomes), 1.0) if settings.hedged != 0.0 else settings.tau


@kernel(inner=True, arrays=True)
def split(tree, s, epsilon, settings):
    """Make leaf ``s`` a branch with two new leaves, if there is memory for them."""
    links, values = tree.links, tree.values
    # its own classifiers and observer become free; less promising leaves can give up their observers
    hedged = settings.hedged != 0.0
    kept = hedged and keeps(tree, s, settings)
    while not fits(tree, s, 2, 1, np.int64(kept), settings):
        least = least_promising(tree)
        if least == s or promise_of(values, least) >= promise_of(values, s):
            return
        deactivate(tree, least)
    o, f, point = links[s].observer, links[s].best, values[s].best_point
    depth = links[s].depth + 1
    nominal = tree.numeric[f] < 0
    left = new_leaf(tree, s, depth, links[s].background, settings.max_depth, False)
    right = new_leaf(tree, s, depth, links[s].background, settings.max_depth, False)
    for leaf in (left, right):
        links[leaf].born = links[leaf].last = tree.cursor[0].position + 1
        values[leaf].born_error = error_of(values, s)
    split_shares(tree, o, f, point, tree.born[left], tree.born[right])
    weight = tree.seen[o, 0]
    links[s].left, links[s].right = left, right
    links[s].feature, links[s].nominal = f, nominal
    values[s].threshold = point
    if settings.leaf_start != 0.0:
        inherit(tree, s, left, right, f, point, nominal)
    if hedged:
        for leaf in (left, right):
            tree.expert_losses[leaf].first = tree.expert_losses[s].first
            tree.expert_losses[leaf].second = tree.expert_losses[s].second
        tree.plain_expert_losses[s] = 0.0
    if kept:
        keep_regressions(tree, s)
    free_observer(tree, s)
    free_classifiers(tree, s)
    clear_detectors(tree, s)
    tree.cursor[0].n_splits += 1
    note(tree, SPLIT, s, np.float64(f), point, values[s].last_gain, values[s].last_second_gain, epsilon, weight)
    if hedged:
        tree.events[tree.cursor[0].n_events - 1, 9] += KEEPS if kept else 0
        if settings.kept_levels < math.inf:
            drop_far(tree, s, settings.kept_levels)


@kernel(inner=True, arrays=True)
def inherit(tree, s, left, right, f, point, nominal):
    """Give the new leaves the rows of the window on their side, oldest first, and copies of the bags' weights."""
    links = tree.links
    c = links[s].leaf
    for leaf in (left, right):
        copy_weights(tree.weights[c], tree.weights[links[leaf].leaf], columns_used(tree))
        copy_row(tree.intercepts[c], tree.intercepts[links[leaf].leaf])
        tree.values[leaf].trained = tree.values[s].trained
    size = tree.window_sets.shape[1]
    n = links[s].filled
    compact = tree.place_of.shape[0] > 0
    n_left = n_right = 0
    for k in range(n):
        v = tree.window[c, f, (links[s].next - n + k) % size]
        if not math.isnan(v):
            goes_left = v == point if nominal else v <= point
            n_left += goes_left
            n_right += not goes_left
    owners, places = np.empty(size, np.int64), np.empty(size, np.int64)
    for k in range(n):
        at = (links[s].next - n + k) % size
        v = tree.window[c, f, at]
        if math.isnan(v):
            leaf = left if n_left >= n_right else right
        elif nominal:
            leaf = left if v == point else right
        else:
            leaf = left if v <= point else right
        to, free = links[leaf].leaf, links[leaf].filled
        owners[at], places[at] = to, free
        if compact:
            move_row(tree, c, at, to, free)
        for i in range(tree.window_marks.shape[2]):
            tree.window_marks[to, free, i] = tree.window_marks[c, at, i]
        tree.window_sets[to, free] = tree.window_sets[c, at]
        tree.window_norms[to, free] = tree.window_norms[c, at]
        tree.window_gaps[to, free] = tree.window_gaps[c, at]
        links[leaf].filled += 1
        links[leaf].inherited += 1
        links[leaf].next = links[leaf].filled % size
    if compact:
        return
    # feature by feature, as the values of a row lie far apart; new arrays of zeros take no memory until written to
    first = (links[s].next - n) % size
    for g in range(tree.window.shape[1]):
        for k in range(n):
            at = first + k if first + k < size else first + k - size
            v = tree.window[c, g, at]
            if bits_of(v) != bits_of(tree.window[owners[at], g, places[at]]):
                tree.window[owners[at], g, places[at]] = v
