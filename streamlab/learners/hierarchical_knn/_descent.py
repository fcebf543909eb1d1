"""Kernels of the descent from the top of a hierarchy to the nearest class, and of learning row by row after it.

A hierarchy is four arrays: ``first`` int64 [classes + 2] and ``below`` int64 name the children of node c as
``below[first[c]:first[c + 1]]``, where node ``classes`` is the root; ``above`` uint8 [classes, classes] flags each
class's ancestors, itself included; ``order`` int64 [classes + 1] are the nodes from the top down, the root first. With
them go ``first_holder`` and ``holders``: in which windows the examples of each class are.

``Sight`` is what the last query saw of each class, ``Records`` how each has done lately.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.bundle import Bundle
from streamlab.detectors._adwin import CLOCK, GRACE, SHORTEST, feed_one
from streamlab.kernels import kernel
from streamlab.learners.hierarchical_knn._windows import (
    POSITION,
    QUERY,
    average_distance,
    drop_halves,
    insert,
)

# weight of an instance relative to the next in what the classes remember of their hits and misses
FADING = 0.995


class Hierarchies(Bundle, names="first below above order first_holder holders"):
    """The classes as arrays; see the module."""


PREDICTED, TRUE, STOPPED, PASSED = 0, 1, 2, 3


@kernel(inner=True)
def find(windows, tree, sight, x, gap, nominal, any_nominal, settings, nearest, scores, labels):
    """Answer one query: ``scores`` and ``labels`` [classes] are overwritten, and ``sight``, except for the true path.

    ``settings`` are k, delta, multi_path (negative for a single path) and the distance; ``nearest`` float64 [k] is
    scratch.
    """
    n_classes = windows.held.shape[0]
    k, delta, follow, distance = np.int64(settings[0]), settings[1], settings[2], np.int64(settings[3])
    windows.cursor[QUERY] += 1
    for c in range(n_classes):
        scores[c] = 0.0
        labels[c] = 0
        sight.distance[c] = math.nan
        sight.normalised[c] = math.nan
        sight.flags[c, PREDICTED] = 0
        sight.flags[c, STOPPED] = 0
        sight.flags[c, PASSED] = 0
        sight.path[c] = -1
    length = 0
    chain = n_classes
    # from the top down, so that a class has been reached by all of its parents before it is left for its children
    for node in tree.order:
        if node < n_classes and not sight.flags[node, PASSED]:
            continue
        candidates, n_zero = 0, 0
        largest, smallest, inverses, best = 0.0, math.inf, 0.0, -1
        for i in range(tree.first[node], tree.first[node + 1]):
            c = tree.below[i]
            # with several parents and paths a class may have been asked for already
            d = sight.distance[c]
            if np.isnan(d):
                d = average_distance(windows, tree, c, x, gap, nominal, any_nominal, distance, k, nearest)
                sight.distance[c] = d
            if d == math.inf:
                continue
            candidates += 1
            largest = max(largest, d)
            if d < smallest:
                smallest, best = d, c
            n_zero += d == 0.0
        if candidates == 0:
            continue
        least = smallest / largest if largest > 0.0 else 0.0
        near = 0
        for i in range(tree.first[node], tree.first[node + 1]):
            d = sight.distance[tree.below[i]]
            if d < math.inf:
                near += (d / largest if largest > 0.0 else 0.0) - least <= delta
                # against the smallest, as 1/d itself may be too large to add up
                inverses += smallest / d if n_zero == 0 else np.float64(d == 0.0)
        stops = follow < 0.0 and near > 1
        mass = 1.0 if node == n_classes else scores[node]
        for i in range(tree.first[node], tree.first[node + 1]):
            c = tree.below[i]
            d = sight.distance[c]
            if d == math.inf:
                continue
            normalised = (d / largest if largest > 0.0 else 0.0) - least
            sight.normalised[c] = normalised
            share = (smallest / d if n_zero == 0 else np.float64(d == 0.0)) / inverses
            scores[c] = max(scores[c], mass * share)
            if stops:
                sight.flags[c, STOPPED] = 1
            elif c == best if follow < 0.0 else normalised <= follow:
                sight.flags[c, PASSED] = 1
        if node == chain and not stops:
            sight.path[length] = best
            length += 1
            chain = best
    for c in range(n_classes):
        if sight.flags[c, PASSED]:
            for a in range(n_classes):
                if tree.above[c, a]:
                    labels[a] = 1
                    sight.flags[a, PREDICTED] = 1
        if sight.distance[c] == math.inf:
            sight.distance[c] = math.nan


@kernel(arrays=True)
def answer(windows, tree, sight, X, missing, nominal, any_nominal, settings, scores, labels, paths):
    """Answer every row; ``paths`` int64 [rows, classes] end in -1.

    Writes into ``windows.known`` and ``windows.cursor[QUERY]``, which only tell queries apart, and into ``sight``.
    """
    nearest = np.empty(np.int64(settings[0]))
    for i in range(X.shape[0]):
        find(windows, tree, sight, X[i], missing[i], nominal, any_nominal, settings, nearest, scores[i], labels[i])
        for c in range(sight.path.shape[0]):
            paths[i, c] = sight.path[c]


@kernel(inner=True)
def _record(records, sight, y, labels, position):
    """Count the hits and misses of an instance at each class, older ones fading."""
    for c in range(y.shape[0]):
        sight.flags[c, TRUE] = y[c]
        if y[c] or labels[c]:
            counts = records.counts[c]
            faded = FADING ** (position - counts[3])
            counts[3] = position
            for j in range(3):
                counts[j] *= faded
            counts[0 if y[c] and labels[c] else 1 if labels[c] else 2] += 1.0
            records.arrivals[c] += y[c]


@kernel(arrays=True)
def run(
    windows,
    tree,
    sight,
    records,
    X,
    Y,
    ends,
    missing,
    nominal,
    any_nominal,
    settings,
    window,
    drift_delta,
    scores,
    labels,
    found,
):
    """Test, then train, row by row; return the number of alarms.

    ``ends`` uint8 [rows, classes] flags the windows that each row enters: those of all its classes, as ``Y``, or of
    those in which its paths end.
    ``found`` float64 [alarms at most, 6] is overwritten with row, class, mean error before and after, examples
    dropped and kept. Room for all that is learned must be there.
    """
    n_classes = windows.held.shape[0]
    nearest = np.empty(np.int64(settings[0]))
    watched = records.totals.shape[0] > 0
    n_found = 0
    for i in range(X.shape[0]):
        x, y, z = X[i], Y[i], labels[i]
        find(windows, tree, sight, x, missing[i], nominal, any_nominal, settings, nearest, scores[i], z)
        windows.cursor[POSITION] += 1
        _record(records, sight, y, z, windows.cursor[POSITION])
        insert(windows, x, missing[i], ends[i], window)
        for c in range(n_classes):
            windows.seen[c] += y[c]
        if not watched:
            continue
        for c in range(n_classes):
            # where a class was compared at all: above it the error is another's
            if np.isnan(sight.distance[c]) or not (y[c] or z[c]):
                continue
            before, after = feed_one(
                records.totals, records.spreads, records.filled, records.window, records.changed, c,
                1.0 if y[c] != z[c] else 0.0, drift_delta, CLOCK, SHORTEST, GRACE,
            )  # fmt: skip
            if after > before:
                dropped, kept = drop_halves(windows, tree, c)
                found[n_found, 0], found[n_found, 1] = i, c
                found[n_found, 2], found[n_found, 3] = before, after
                found[n_found, 4], found[n_found, 5] = dropped, kept
                n_found += 1
    return n_found
