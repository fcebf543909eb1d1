"""Kernels of MLSAMPkNN: wrong votes are punished, and the memory is cut where a shorter one is right more often.

``Suffixes`` holds what is known of the memory's newest parts. Level 0 is all of it, each next level the newest share of
the one before. ``order`` lists the places of the rows, the oldest first; all other arrays of ``places`` go with them.

``errors``    int64 [places]: labels that the row had wrong when it was asked, all together.
``distances`` float64 [places, places]: of a row, to each older one, scaled by the ranges when it came.
``order``     int64 [places]

What follows from these, and is kept because it seldom changes:

``near_of``   int64 [levels, places, k]: the numbers of the nearest older rows of the level, -1 where there are fewer.
``oldest``    int64 [levels, places]: the least of these numbers.
``far``       float64 [levels, places]: how far the last of them is, infinite where there are fewer.
``equal``     int64 [levels, places]: how many labels they answer right.
``start``     int64 [levels]: number of the oldest row of the level; -1: nothing is known of the level.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._nearest import put
from streamlab.rivals._remembered import (
    HELD,
    NOW,
    add_row,
    count_row,
    euclidean_distances,
    find_values,
    fits,
    n_equal,
    nearest,
    remove_row,
    widen,
)  # fmt: skip

# above the number of any row
NOBODY = 2**62


Suffixes = namedtuple("Suffixes", "errors distances order near_of oldest far equal start")
"""What is known of the newest parts of a memory; see the module."""


# ---------------------------------------------------------------------- rows come and leave


@kernel(arrays=True)
def write_order(memory, suffixes):
    """Write the places in the order of their rows."""
    held = memory.cursor[HELD]
    suffixes.order[:held] = np.argsort(memory.born[:held])


@kernel(arrays=True)
def _remove(memory, suffixes, at):
    """Take out the row at position ``at`` of the order."""
    order, distances = suffixes.order, suffixes.distances
    i, held = order[at], memory.cursor[HELD]
    for place in range(at, held - 1):
        order[place] = order[place + 1]
    last = remove_row(memory, i)
    if i == last:
        return
    suffixes.errors[i] = suffixes.errors[last]
    for level in range(suffixes.start.shape[0]):
        suffixes.near_of[level, i] = suffixes.near_of[level, last]
        suffixes.oldest[level, i] = suffixes.oldest[level, last]
        suffixes.far[level, i] = suffixes.far[level, last]
        suffixes.equal[level, i] = suffixes.equal[level, last]
    distances[i, : last + 1] = distances[last, : last + 1]
    for p in range(last):
        distances[p, i] = distances[p, last]
        if order[p] == last:
            order[p] = i


@kernel
def drop_oldest(memory, suffixes, n):
    """Take out the ``n`` oldest rows."""
    for _ in range(n):
        _remove(memory, suffixes, 0)


# ---------------------------------------------------------------------- the newest parts


@kernel
def _find_near(distances, order, born, Y, first, at, best, who, numbers):
    """Find the neighbours of the row at position ``at`` among the older ones from ``first`` on.

    ``numbers`` int64 [k] gets theirs, -1 where there are fewer. Returns the oldest of them, how far the last is
    (infinite where there are fewer), and how many labels they answer right.
    """
    k, p, count = best.shape[0], order[at], 0
    # from the oldest on: of equals the older one stays first
    for other in range(first, at):
        i = order[other]
        d = distances[p, i]
        if count < k or d < best[k - 1]:
            count = put(who, best, count, i, d)
    oldest = np.int64(NOBODY)
    for t in range(k):
        numbers[t] = born[who[t]] if t < count else -1
        if t < count:
            oldest = min(oldest, numbers[t])
    equal = 0
    for label in range(Y.shape[1]):
        votes = 0
        for t in range(count):
            votes += Y[who[t], label]
        equal += (2 * votes > count) == (Y[p, label] == 1)
    return oldest, best[k - 1] if count == k else math.inf, equal


@kernel
def _has_removed(numbers, removed, n_removed):
    """Whether one of the numbers is among the first ``n_removed``."""
    for t in range(numbers.shape[0]):
        for other in range(n_removed):
            if numbers[t] == removed[other]:
                return True
    return False


@kernel
def _worth(memory, suffixes, level, size, removed, n_removed, hamming, best, who):
    """Return how right the neighbours within the newest ``size`` rows are about these, 0 to 1.

    Neighbours are found again where they may be others: where one was removed or is older than the level now, and where
    older rows have joined.
    """
    held, now = memory.cursor[HELD], memory.cursor[NOW]
    first = held - size
    order, distances, born, Y = suffixes.order, suffixes.distances, memory.born, memory.Y
    near_of, oldest = suffixes.near_of[level], suffixes.oldest[level]
    far, equal = suffixes.far[level], suffixes.equal[level]
    before, start = suffixes.start[level], born[order[first]]
    if before < 0:
        before = NOBODY
    n_labels, total = Y.shape[1], 0
    for at in range(first, held):
        p = order[at]
        number = born[p]
        stale = number < before or number == now or oldest[p] < start
        if not stale and n_removed > 0:
            stale = _has_removed(near_of[p], removed, n_removed)
        if not stale and start < before:
            for other in range(first, at):
                if born[order[other]] >= before:
                    break
                # of equals the older one is nearer
                stale |= distances[p, order[other]] <= far[p]
        if stale:
            oldest[p], far[p], equal[p] = _find_near(distances, order, born, Y, first, at, best, who, near_of[p])
        total += equal[p] if hamming else np.int64(equal[p] == n_labels)
    suffixes.start[level] = start
    return total / (size * (max(n_labels, 1) if hamming else 1))


@kernel
def _best_size(memory, suffixes, min_window, reduction, removed, n_removed, hamming, best, who):
    """Return the size with the highest worth, of equals the largest; its level; its worth and that of the whole."""
    size = memory.cursor[HELD]
    chosen, chosen_level, highest, whole, level = size, 0, -1.0, 0.0, 0
    if size >= 2 * min_window:
        while True:
            worth = _worth(memory, suffixes, level, size, removed, n_removed, hamming, best, who)
            if level == 0:
                whole = worth
            if worth > highest:
                chosen, chosen_level, highest = size, level, worth
            level += 1
            if size < 2 * min_window:
                break
            size = max(np.int64(size * reduction), 1)
    suffixes.start[level:] = -1
    return chosen, chosen_level, highest, whole


@kernel(arrays=True)
def _cut(memory, suffixes, size, level):
    """Keep the newest ``size`` rows, which are those of ``level``: it becomes level 0."""
    n_levels = suffixes.start.shape[0]
    drop_oldest(memory, suffixes, memory.cursor[HELD] - size)
    for to in range(n_levels):
        if to + level < n_levels:
            suffixes.near_of[to, :size] = suffixes.near_of[to + level, :size]
            suffixes.oldest[to, :size] = suffixes.oldest[to + level, :size]
            suffixes.far[to, :size] = suffixes.far[to + level, :size]
            suffixes.equal[to, :size] = suffixes.equal[to + level, :size]
            suffixes.start[to] = suffixes.start[to + level]
        else:
            suffixes.start[to] = -1


# ---------------------------------------------------------------------- rows are answered and learned


@kernel(arrays=True)
def run(
    memory, suffixes, near, X, Y, start, learns, k, window, min_window, penalty, reduction, hamming, nominal,
    n_categories, scores, labels, cuts,
):  # fmt: skip
    """Answer rows from ``start`` on and, if ``learns``, learn each after its answer; return how many are done.

    It stops early before a row that does not fit into the arrays, when nothing of it is done, and after one that has
    cut the memory: ``cuts`` float64 [5] then has 1, rows before and after, and how right both were; else 0 first.
    Other parameters are those of ARkNN's kernel ``run``.
    """
    n_labels, n_places = memory.Y.shape[1], memory.X.shape[0]
    q = np.zeros(max(memory.scaled.shape[1], X.shape[1]))
    distances = np.empty(n_places)
    best, who = np.empty(k), np.empty(k, np.int64)
    removed, wider = np.empty(n_places, np.int64), np.empty(X.shape[1], np.int64)
    cuts[0] = 0.0
    for r in range(start, X.shape[0]):
        x = X[r]
        if learns and not fits(memory, x, window):
            return r
        held = memory.cursor[HELD]
        euclidean_distances(memory, x, nominal, n_categories, q, distances)
        count = nearest(distances, memory.born, held, best, who)
        for label in range(n_labels):
            votes = 0
            for t in range(count):
                votes += memory.Y[who[t], label]
            if votes > 0:
                scores[r, label] = votes / count
                labels[r, label] = 2 * votes > count
        if not learns:
            continue
        y = Y[r]
        near[:] = -1
        for t in range(count):
            i = who[t]
            equal = n_equal(memory, i, y)
            memory.asked[i] += 1
            memory.right[i] += equal == n_labels
            suffixes.errors[i] += n_labels - equal
            near[t] = memory.born[i]
        grown = widen(memory, x, n_categories, wider) > 0
        if grown:
            euclidean_distances(memory, x, nominal, n_categories, q, distances)
        i = add_row(memory, x, y, find_values(memory, x))
        suffixes.errors[i] = 0
        suffixes.order[held] = i
        suffixes.distances[i, :held] = distances[:held]
        n_removed = 0
        for at in range(held - 1, -1, -1):
            place = suffixes.order[at]
            if suffixes.errors[place] > penalty * n_labels:
                removed[n_removed] = memory.born[place]
                n_removed += 1
                _remove(memory, suffixes, at)
        size, level, worth, whole = _best_size(
            memory, suffixes, min_window, reduction, removed, n_removed, hamming, best, who
        )
        before = memory.cursor[HELD]
        if size < before:
            _cut(memory, suffixes, size, level)
        if memory.cursor[HELD] >= window:
            drop_oldest(memory, suffixes, memory.cursor[HELD] - window + 1)
        count_row(memory)
        if size < before:
            cuts[0], cuts[1], cuts[2], cuts[3], cuts[4] = 1.0, before, size, whole, worth
            return r + 1
    return X.shape[0]
