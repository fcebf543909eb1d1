"""Kernels of MLSAkNN: for each label rows may vote or not, and 1, 3, 5 or 7 of them do.

``Votes`` holds what is known beside the memory; the first entries of all arrays of ``places`` are in use, as there.

``errors``    int64 [places]: votes that were wrong, of all labels together.
``disabled``  uint8 [places, labels]: whether the row may not vote for the label.
``older``     int32 [places, others]: slots of the rows that were older when it came, the nearest first, of equals the
              older first; -1 after them. A slot whose row is gone may have a newer one.
``equal``     int64 [places, levels]: labels that neighbours within a newest part of the memory answered right when they
              were last asked. Level 0 is all of the memory, each next one the newest share of the one before.
``start``     int64 [levels]: number of the oldest row of the level; -1: nothing is known of it.
``until``     int64 [levels]: number of the newest row for which ``equal`` is known.
``k``         int64 [labels]: rows that vote.
``outcomes``  uint8 [history, labels]: of row t, at t modulo its length, a bit for each of 1, 3, 5 and 7 votes: right.

What follows from these:

``order``     int64 [places]: places of the rows, the oldest first.
``slots``     int64 [places]: of each row a name that stays while it moves; after those in use, the free ones.
``place_of``  int64 [places]: the place of a slot, -1: it is free.
``sums``      int64 [labels, 4]: how many of the outcomes are right.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from streamlab.kernels import kernel
from streamlab.rivals._remembered import (
    HELD,
    NOW,
    add_row,
    count_row,
    euclidean_distances,
    find_values,
    fits,
    n_equal,
    remove_row,
    widen,
)  # fmt: skip

MOST = 7
"""The most rows that vote for a label."""


Votes = namedtuple("Votes", "errors disabled older equal start until k outcomes order slots place_of sums")
"""Who may vote, and how right votes are; see the module."""


# ---------------------------------------------------------------------- rows come and leave


@kernel(arrays=True)
def renumber(memory, votes):
    """Write what follows: slots become places, and lists are left with the rows that are there."""
    held, born, older, place_of = memory.cursor[HELD], memory.born, votes.older, votes.place_of
    for i in range(held):
        n = 0
        for t in range(older.shape[1]):
            slot = older[i, t]
            if slot < 0:
                break
            place = place_of[slot]
            if place >= 0 and born[place] < born[i]:
                older[i, n] = place
                n += 1
        older[i, n:] = -1
    votes.order[:held] = np.argsort(born[:held])
    for i in range(votes.slots.shape[0]):
        votes.slots[i] = i
        place_of[i] = i if i < held else -1
    for label in range(votes.k.shape[0]):
        for choice in range(votes.sums.shape[1]):
            total = 0
            for t in range(votes.outcomes.shape[0]):
                total += (votes.outcomes[t, label] >> choice) & 1
            votes.sums[label, choice] = total


@kernel(arrays=True)
def _remove(memory, votes, at):
    """Take out the row at position ``at`` of the order."""
    order, slots = votes.order, votes.slots
    i, held = order[at], memory.cursor[HELD]
    for place in range(at, held - 1):
        order[place] = order[place + 1]
    last, free = remove_row(memory, i), slots[i]
    if i != last:
        votes.errors[i] = votes.errors[last]
        for label in range(votes.k.shape[0]):
            votes.disabled[i, label] = votes.disabled[last, label]
        for level in range(votes.start.shape[0]):
            votes.equal[i, level] = votes.equal[last, level]
        votes.older[i] = votes.older[last]
        slots[i] = slots[last]
        votes.place_of[slots[i]] = i
        for place in range(held - 1):
            if order[place] == last:
                order[place] = i
    slots[last] = free
    votes.place_of[free] = -1


@kernel
def drop_oldest(memory, votes, n):
    """Take out the ``n`` oldest rows."""
    for _ in range(n):
        _remove(memory, votes, 0)


# ---------------------------------------------------------------------- the newest parts


@kernel(inner=True)
def _n_right(memory, votes, i, first, near):
    """Return how many labels of the row at place ``i`` older rows from the number ``first`` on answer right.

    ``near`` int64 [places] is room for places.
    """
    born, Y, older, place_of = memory.born, memory.Y, votes.older, votes.place_of
    n_near, t, equal, own = 0, 0, 0, born[i]
    for label in range(votes.k.shape[0]):
        n, present, c = 0, 0, 0
        while n < votes.k[label]:
            # one list for all labels, no longer than the one that asks farthest
            if c == n_near:
                while t < older.shape[1] and older[i, t] >= 0:
                    place = place_of[older[i, t]]
                    t += 1
                    if place >= 0 and first <= born[place] < own:
                        near[n_near] = place
                        n_near += 1
                        break
                if c == n_near:
                    break
            place = near[c]
            c += 1
            if not votes.disabled[place, label]:
                n += 1
                present += Y[place, label]
        equal += (n > 0 and 2 * present >= n) == (Y[i, label] == 1)
    return equal


@kernel
def _worth(memory, votes, level, size, hamming, near):
    """Return how right the neighbours within the newest ``size`` rows are about these, 0 to 1.

    A row is asked about once, when it comes. All are asked about again where an older row has left for one that is
    not gone, as the part moved on.
    """
    held, n_labels = memory.cursor[HELD], votes.k.shape[0]
    first, order, born = held - size, votes.order, memory.born
    start, before = born[order[first]], votes.start[level]
    if before < 0 or start < before or (first > 0 and born[order[first - 1]] >= before):
        votes.until[level] = -1
    total = 0
    for at in range(first, held):
        i = order[at]
        if born[i] > votes.until[level]:
            votes.equal[i, level] = _n_right(memory, votes, i, start, near)
        total += votes.equal[i, level] if hamming else np.int64(votes.equal[i, level] == n_labels)
    votes.start[level] = start
    votes.until[level] = memory.cursor[NOW]
    return total / (size * (max(n_labels, 1) if hamming else 1))


@kernel
def _best_size(memory, votes, min_window, reduction, hamming, near):
    """Return the size with the highest worth, of equals the largest; its level; its worth and that of the whole."""
    size = memory.cursor[HELD]
    chosen, chosen_level, highest, whole, level = size, 0, -1.0, 0.0, 0
    if size >= 2 * min_window:
        while True:
            worth = _worth(memory, votes, level, size, hamming, near)
            if level == 0:
                whole = worth
            if worth > highest:
                chosen, chosen_level, highest = size, level, worth
            level += 1
            if size < 2 * min_window:
                break
            size = max(np.int64(size * reduction), 1)
        votes.start[level:] = -1
    return chosen, chosen_level, highest, whole


@kernel(arrays=True)
def _cut(memory, votes, size, level):
    """Keep the newest ``size`` rows, which are those of ``level``: it becomes level 0."""
    n_levels = votes.start.shape[0]
    drop_oldest(memory, votes, memory.cursor[HELD] - size)
    for to in range(n_levels):
        known = to + level < n_levels
        votes.start[to] = votes.start[to + level] if known else -1
        votes.until[to] = votes.until[to + level] if known else -1
        for i in range(size):
            votes.equal[i, to] = votes.equal[i, to + level] if known else 0


# ---------------------------------------------------------------------- rows are answered and learned


@kernel(arrays=True)
def _sorted(votes, held, distances, nearest_first):
    """Write places by their distance into ``nearest_first`` int64 [places], of equals the older first."""
    by_age = np.empty(held)
    for at in range(held):
        by_age[at] = distances[votes.order[at]]
    found = np.argsort(by_age, kind="mergesort")
    for t in range(held):
        nearest_first[t] = votes.order[found[t]]


@kernel(inner=True)
def _newer_first(distances, held, nearest_first, outwards):
    """Write the same into ``outwards``, of equals the newer first."""
    t = 0
    while t < held:
        end = t + 1
        while end < held and distances[nearest_first[end]] == distances[nearest_first[t]]:
            end += 1
        for other in range(t, end):
            outwards[other] = nearest_first[t + end - 1 - other]
        t = end


@kernel(inner=True)
def _share(memory, votes, label, held, outwards):
    """Return the share of votes for a label, and how many there are: ``k``, or fewer where no more may vote."""
    n, present = 0, 0
    for t in range(held):
        i = outwards[t]
        if votes.disabled[i, label]:
            continue
        n += 1
        present += memory.Y[i, label]
        if n == votes.k[label]:
            break
    return present / n if n > 0 else 0.0, n


@kernel(inner=True)
def _judge(memory, votes, label, y, held, outwards):
    """Let a label's true value decide who may vote for it, and how many; ``y`` is 0 or 1."""
    n, present, k, bits = 0, 0, votes.k[label], 0
    # what is not reached counts as if it had answered that the label is absent
    for choice in range(4):
        bits |= (1 << choice) if y == 0 else 0
    for t in range(held):
        i = outwards[t]
        is_right = memory.Y[i, label] == y
        judged = n < k
        if votes.disabled[i, label]:
            if judged and is_right:
                votes.disabled[i, label] = 0
            continue
        n += 1
        present += memory.Y[i, label]
        if judged and not is_right:
            votes.disabled[i, label] = 1
            votes.errors[i] += 1
        if n % 2 == 1:
            choice = n // 2
            bits &= ~(1 << choice)
            bits |= ((2 * present >= n) == (y == 1)) << choice
            if n == MOST:
                break
    at, best = memory.cursor[NOW] % votes.outcomes.shape[0], 0
    for choice in range(4):
        votes.sums[label, choice] += ((bits >> choice) & 1) - ((votes.outcomes[at, label] >> choice) & 1)
        if votes.sums[label, choice] > votes.sums[label, best]:
            best = choice
    votes.outcomes[at, label] = bits
    votes.k[label] = 2 * best + 1


@kernel(arrays=True)
def run(
    memory, votes, near, X, Y, start, learns, window, min_window, penalty, reduction, hamming, nominal, n_categories,
    scores, labels, cuts,
):  # fmt: skip
    """Answer rows from ``start`` on and, if ``learns``, learn each after its answer; return how many are done.

    It stops early as MLSAMPkNN's kernel ``run`` does; ``cuts`` are as there.
    """
    n_labels, n_places = memory.Y.shape[1], memory.X.shape[0]
    q = np.zeros(max(memory.scaled.shape[1], X.shape[1]))
    distances, wider = np.empty(n_places), np.empty(X.shape[1], np.int64)
    nearest_first, outwards = np.empty(n_places, np.int64), np.empty(n_places, np.int64)
    cuts[0] = 0.0
    for r in range(start, X.shape[0]):
        x = X[r]
        if learns and not fits(memory, x, window):
            return r
        held = memory.cursor[HELD]
        euclidean_distances(memory, x, nominal, n_categories, q, distances)
        _sorted(votes, held, distances, nearest_first)
        _newer_first(distances, held, nearest_first, outwards)
        for label in range(n_labels):
            share, n = _share(memory, votes, label, held, outwards)
            scores[r, label] = share
            labels[r, label] = n > 0 and share >= 0.5
        if not learns:
            continue
        y = Y[r]
        near[:] = -1
        for t in range(min(held, MOST)):
            i = outwards[t]
            memory.asked[i] += 1
            memory.right[i] += n_equal(memory, i, y) == n_labels
            near[t] = memory.born[i]
        for label in range(n_labels):
            _judge(memory, votes, label, y[label], held, outwards)
        if widen(memory, x, n_categories, wider) > 0:
            euclidean_distances(memory, x, nominal, n_categories, q, distances)
            _sorted(votes, held, distances, nearest_first)
        i = add_row(memory, x, y, find_values(memory, x))
        votes.errors[i] = 0
        for label in range(n_labels):
            votes.disabled[i, label] = 0
        votes.order[held] = i
        votes.place_of[votes.slots[i]] = i
        for t in range(held):
            votes.older[i, t] = votes.slots[nearest_first[t]]
        for t in range(held, n_places):
            votes.older[i, t] = -1
        for at in range(held - 1, -1, -1):
            if votes.errors[votes.order[at]] > penalty * n_labels:
                _remove(memory, votes, at)
        size, level, worth, whole = _best_size(memory, votes, min_window, reduction, hamming, outwards)
        before = memory.cursor[HELD]
        if size < before:
            _cut(memory, votes, size, level)
        if memory.cursor[HELD] >= window:
            drop_oldest(memory, votes, memory.cursor[HELD] - window + 1)
        count_row(memory)
        if size < before:
            cuts[0], cuts[1], cuts[2], cuts[3], cuts[4] = 1.0, before, size, whole, worth
            return r + 1
    return X.shape[0]
