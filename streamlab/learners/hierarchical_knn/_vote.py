"""Kernels of flat nearest neighbours over the windows of the classes in which label paths end."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._kernels import GOLDEN, mix, unit
from streamlab.learners.base._nearest import put, square_of, sum_of_both
from streamlab.learners.hierarchical_knn._windows import EUCLIDEAN, POSITION, QUERY, _absolutes, insert

NEAREST, SMALLEST, RANDOM = 0, 1, 2


@kernel(inner=True, arrays=True)
def _draw(key, position, x):
    """Return a draw from [0, 1) that belongs to this query after this many instances, whoever asks it and when."""
    z = mix(np.uint64(key) + GOLDEN * np.uint64(position))
    for value in x:
        # -0 is 0, and all NaN are one
        number = np.empty(1)
        number[0] = value + 0.0
        z = mix(z ^ (np.uint64(1) if np.isnan(value) else number.view(np.uint64)[0])) + GOLDEN
    return unit(mix(z))


@kernel(inner=True)
def _chosen(member, places, n_found, n_classes, ties, key, position, x):
    """Return the class with the most votes of the first ``n_found`` of ``places``; of equals as ``ties`` says."""
    # neighbours come by their distance: the first met is the class of the nearest
    best, most, n_equal = -1, 0, 0
    for i in range(n_found):
        for c in range(n_classes):
            if not member[places[i], c]:
                continue
            votes, is_first = 0, True
            for j in range(n_found):
                votes += member[places[j], c]
                is_first = is_first and (j >= i or not member[places[j], c])
            if not is_first:
                continue
            if votes > most:
                best, most, n_equal = c, votes, 1
            elif votes == most:
                n_equal += 1
                if ties == SMALLEST:
                    best = min(best, c)
    if ties != RANDOM or n_equal < 2:
        return best
    left = np.int64(_draw(key, position, x) * n_equal)
    for c in range(n_classes):
        votes = 0
        for i in range(n_found):
            votes += member[places[i], c]
        if votes == most:
            if left == 0:
                return c
            left -= 1
    return best


@kernel(inner=True)
def vote(windows, member, above, x, gap, nominal, any_nominal, distance, ties, key, nearest, places, scores, labels):
    """Answer one query: ``scores`` and ``labels`` [classes] are overwritten.

    ``member`` uint8 [capacity, classes] flags the windows that hold each place, ``above`` uint8 [classes, classes] each
    class's ancestors, itself included; ``ties`` is NEAREST, SMALLEST or RANDOM, ``key`` that of its draws; ``nearest``
    float64 [k] and ``places`` int64 [k] are scratch.
    """
    X, gaps = windows.X, windows.gaps
    known, n_classes, size = windows.known, windows.held.shape[0], windows.rings.shape[1]
    k = nearest.shape[0]
    windows.cursor[QUERY] += 1
    query = np.float64(windows.cursor[QUERY])
    scores[:] = 0.0
    labels[:] = 0
    n_found = 0
    # class by class, the oldest first: of equals the first met is kept, wherever it lies in a ring
    for c in range(n_classes):
        for j in range(windows.held[c]):
            s = windows.rings[c, (windows.head[c] + j) % size]
            if known[s, 0] == query:
                continue
            if gap or any_nominal or gaps[s]:
                d = sum_of_both(x, X[s], None, nominal, 0, distance != EUCLIDEAN)
            elif distance == EUCLIDEAN:
                d = square_of(x, X[s])
            else:
                d = _absolutes(x, X, s, X.shape[1])
            known[s, 0] = query
            known[s, 1] = d
            if d < math.inf and (n_found < k or d < nearest[k - 1]):
                n_found = put(places, nearest, n_found, s, d)
    if n_found == 0:
        return
    best = _chosen(member, places, n_found, n_classes, ties, key, windows.cursor[POSITION], x)
    for i in range(n_found):
        # once for each class above a neighbour's; ``labels`` marks them
        labels[:] = 0
        for c in range(n_classes):
            if member[places[i], c]:
                for a in range(n_classes):
                    labels[a] |= above[c, a]
        for a in range(n_classes):
            if labels[a]:
                scores[a] += 1.0 / n_found
    for a in range(n_classes):
        scores[a] = min(scores[a], 1.0)
        labels[a] = above[best, a]


@kernel(arrays=True)
def answer(windows, member, above, X, missing, nominal, any_nominal, distance, ties, key, k, scores, labels):
    """Answer every row."""
    nearest, places = np.empty(k), np.empty(k, np.int64)
    for i in range(X.shape[0]):
        vote(
            windows, member, above, X[i], missing[i], nominal, any_nominal, distance, ties, key, nearest,
            places, scores[i], labels[i],
        )  # fmt: skip


@kernel(arrays=True)
def run(windows, member, above, X, Y, missing, nominal, any_nominal, distance, ties, key, k, window, scores, labels):
    """Test, then train, row by row; ``Y`` flags the classes in which the paths of each row end."""
    nearest, places = np.empty(k), np.empty(k, np.int64)
    n_classes, size = windows.held.shape[0], windows.rings.shape[1]
    for i in range(X.shape[0]):
        vote(
            windows, member, above, X[i], missing[i], nominal, any_nominal, distance, ties, key, nearest,
            places, scores[i], labels[i],
        )  # fmt: skip
        windows.cursor[POSITION] += 1
        y = Y[i]
        for c in range(n_classes):
            if not y[c]:
                continue
            windows.seen[c] += 1
            if windows.held[c] == window:
                member[windows.rings[c, windows.head[c] % size], c] = 0
        s = insert(windows, X[i], missing[i], y, window)
        if s >= 0:
            for c in range(n_classes):
                member[s, c] = y[c]
