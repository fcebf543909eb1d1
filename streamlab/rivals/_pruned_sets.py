"""Kernels of pruned sets: many classifiers of label sets in one arena, each with a buffer first and a base after it.

A *component* is one such classifier, and has a number. It owns a row of the buffers until its buffer is full; then it
keeps its frequent label sets as *classes*, and a tree of ``hoeffding._forest`` whose number is the component's. What a
component gave back is marked and counted, and ``growth`` takes it out when an arena has no more room.

P components, U buffers of B rows, F features, C classes, W words of 64 bits, one behind the other.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from streamlab.kernels import kernel
from streamlab.rivals import _hoeffding as base
from streamlab.rivals._hoeffding import attempt, consult, count, first_largest, leaf_of, new_node, note_right

# columns of ``marks``: row of the buffers plus one, 0 for none; rows in the buffer; label sets in it; classes
BUFFER, FILLED, N_SETS, N_CLASSES = range(4)
N_MARKS = 4
# columns of ``amounts``: weight of rows that were learned as a class, and of those that were left out
LEARNED, LEFT_OUT = range(2)
# entries of ``cursor``: buffers taken, buffers given back; of the forest nodes and slots given back; rows of ``noted``
BUFFERS, IDLE_BUFFERS, IDLE_NODES, IDLE_SLOTS, N_NOTED = range(5)
WANT_BUFFERS, WANT_CLASSES, WANT_NODES, WANT_SLOTS, WANT_SPLITS = range(5, 10)
N_CURSOR = 10
# columns of ``noted``: owner, rows learned, pruning level, label sets, classes, weight kept, weight of the buffer
N_NOTES = 7
# entries of ``settings`` behind those of the forest
ROWS, SUPPORT, REINTRODUCE, BAYES = range(base.N_SETTINGS, base.N_SETTINGS + 4)
N_SETTINGS = base.N_SETTINGS + 4
NOWHERE = -1


Sets = namedtuple(
    "Sets",
    "marks amounts buffer_X buffer_weight buffer_set seen_words seen_weight classes class_weight cursor noted",
)
"""The arrays, beside those of the bases' ``Forest``.

Parameters
----------
marks, amounts
    Of components: int64 [P, 4] and float64 [P, 2].
buffer_X, buffer_weight, buffer_set
    Of buffers: rows float64 [U, B, F], their weights [U, B], and the numbers of their label sets, int64 [U, B].
seen_words, seen_weight
    The label sets of a buffer, as they came: bits uint64 [U, B, W], and their weights [U, B].
classes, class_weight
    The label sets kept: bits uint64 [P, C, W], and the weight learned of each [P, C].
cursor
    int64: what is in use, and what is wanted.
noted
    float64 [E, 7]: components that chose their label sets.
"""


Scratch = namedtuple("Scratch", "majority bayes sides taken weights class_of words")
"""What kernels write to and nobody keeps: float64 [C] twice and [2, C], uint8 [C], [B] twice, uint64 [W]."""


# ---------------------------------------------------------------------- label sets


@kernel(inner=True)
def pack(y, words):
    """Write a row of labels (uint8) as bits."""
    words[:] = 0
    for label in range(y.shape[0]):
        if y[label]:
            words[label >> 6] |= np.uint64(1) << np.uint64(label & 63)


@kernel(inner=True)
def has(words, label):
    """Return whether a label is in a set."""
    return (words[label >> 6] >> np.uint64(label & 63)) & np.uint64(1) != 0


@kernel(inner=True)
def find(sets, n, words):
    """Return which of the first ``n`` sets this is, or -1."""
    for g in range(n):
        same = True
        for k in range(words.shape[0]):
            same &= sets[g, k] == words[k]
        if same:
            return g
    return NOWHERE


@kernel(inner=True)
def size_within(part, whole):
    """Return how many labels a set has if all of them are in ``whole``, else -1."""
    n = 0
    for k in range(part.shape[0]):
        word = part[k]
        if word & ~whole[k] != 0:
            return NOWHERE
        while word != 0:
            word &= word - np.uint64(1)
            n += 1
    return n


@kernel(inner=True)
def n_above(weights, n, level):
    """Return how many of the first ``n`` weights are above a level."""
    above = 0
    for g in range(n):
        above += np.int64(weights[g] > level)
    return above


@kernel(inner=True)
def pruning_level(weights, n, support):
    """Return p: the smallest whole number that at most ``support`` weights exceed; one less if fewer than two do."""
    level = 0.0
    while n_above(weights, n, level) > support:
        least = math.inf
        for g in range(n):
            if weights[g] > level:
                least = min(least, weights[g])
        level = math.ceil(least)
    if level > 0.0 and n_above(weights, n, level) < 2:
        level -= 1.0
    return level


# ---------------------------------------------------------------------- answers


@kernel(inner=True)
def answer(sets, forest, p, x, settings, scratch, scores, labels):
    """Answer a row by component ``p``, and return the leaf of its base; -1 while its buffer fills.

    Until then the answer is the label set of the largest weight in the buffer, of equals the one that came first. After
    it the most probable class. A label's score is the probability of the sets that have it. ``scratch`` then has what
    ``learn`` needs of the same row.
    """
    n, b = sets.marks[p, N_CLASSES], sets.marks[p, BUFFER] - 1
    scores[:] = 0.0
    labels[:] = 0
    if n == 0:
        if b >= 0:
            n_sets, total = sets.marks[p, N_SETS], 0.0
            for g in range(n_sets):
                total += sets.seen_weight[b, g]
            if total > 0.0:
                read(sets.seen_words[b], sets.seen_weight[b], n_sets, total, scores, labels)
        return NOWHERE
    s = leaf_of(forest, p, x, 0.0)
    known, by_bayes = consult(forest, s, x, scratch.majority, scratch.bayes)
    if known:
        chosen = scratch.bayes if by_bayes or settings[BAYES] != 0.0 else scratch.majority
        read(sets.classes[p], chosen, n, 1.0, scores, labels)
    return s


@kernel(inner=True)
def read(words, weights, n, total, scores, labels):
    """Answer the first of the heaviest sets; a label scores the share of the weight of the sets that have it."""
    best = first_largest(weights[:n])
    for label in range(scores.shape[0]):
        labels[label] = has(words[best], label)
        share = 0.0
        for g in range(n):
            if has(words[g], label):
                share += weights[g]
        # sums of the same numbers may differ by their rounding
        scores[label] = min(share / total, 1.0)


# ---------------------------------------------------------------------- learning


@kernel(inner=True)
def lacks_room(sets, forest, p, w, settings, scratch):
    """Return whether a row of weight ``w``, ``scratch.words`` its labels, could need room that an arena lacks."""
    cursor, b = sets.cursor, sets.marks[p, BUFFER] - 1
    cursor[WANT_BUFFERS] = cursor[WANT_CLASSES] = cursor[WANT_SLOTS] = cursor[WANT_SPLITS] = 0
    if sets.marks[p, N_CLASSES] > 0:
        cursor[WANT_SPLITS] = max(np.int64(settings[REINTRODUCE]), 1)
    else:
        filled = 0 if b < 0 else sets.marks[p, FILLED]
        cursor[WANT_BUFFERS] = np.int64(b < 0)
        if filled + 1 >= settings[ROWS]:
            n, total = (0, w) if b < 0 else (sets.marks[p, N_SETS], w)
            for g in range(n):
                scratch.weights[g] = sets.seen_weight[b, g]
                total += sets.seen_weight[b, g]
            g = find(sets.seen_words[b], n, scratch.words) if n > 0 else NOWHERE
            if g < 0:
                scratch.weights[n] = 0.0
                g, n = n, n + 1
            scratch.weights[g] += w
            level = pruning_level(scratch.weights, n, settings[SUPPORT])
            cursor[WANT_CLASSES] = n_above(scratch.weights, n, level)
            # a leaf that has split needs the weight of a grace period again
            cursor[WANT_SPLITS] = 1 + np.int64(total / settings[base.GRACE])
            cursor[WANT_SLOTS] = 1
    cursor[WANT_NODES] = cursor[WANT_SLOTS] + 2 * cursor[WANT_SPLITS]
    cursor[WANT_SLOTS] += cursor[WANT_SPLITS]
    return (
        cursor[BUFFERS] + cursor[WANT_BUFFERS] > sets.buffer_weight.shape[0]
        or cursor[WANT_CLASSES] > sets.class_weight.shape[1]
        or forest.cursor[base.NODES] + cursor[WANT_NODES] > forest.links.shape[0]
        or forest.cursor[base.SLOTS] + cursor[WANT_SLOTS] > forest.weights.shape[0]
        or forest.cursor[base.N_EVENTS] + cursor[WANT_SPLITS] > forest.events.shape[0]
        or cursor[N_NOTED] + 1 > sets.noted.shape[0]
    )


@kernel(inner=True)
def learn(sets, forest, p, owner, leaf, x, w, settings, scratch):
    """Learn a row of weight ``w``, ``scratch.words`` its labels, by component ``p``; there must be room for it.

    Parameters
    ----------
    owner
        A number that is noted when the component chooses its label sets.
    leaf
        What ``answer`` returned for this row, if it was the last that used ``scratch``, else -1.
    """
    n = sets.marks[p, N_CLASSES]
    if n > 0:
        learn_set(
            sets, forest, p, leaf, x, scratch.words, find(sets.classes[p], n, scratch.words), w, settings, scratch
        )
        return
    b = remember(sets, p, x, w, scratch.words)
    if sets.marks[p, FILLED] >= settings[ROWS]:
        choose(sets, forest, p, owner, b, settings, scratch)


@kernel(inner=True)
def remember(sets, p, x, w, words):
    """Put a row into the component's buffer; return which one that is."""
    mark = sets.marks[p]
    if mark[BUFFER] == 0:
        b = sets.cursor[BUFFERS]
        sets.cursor[BUFFERS] += 1
        mark[BUFFER], mark[FILLED], mark[N_SETS] = b + 1, 0, 0
        sets.buffer_X[b] = math.nan
        sets.buffer_weight[b] = 0.0
        sets.buffer_set[b] = 0
        sets.seen_words[b] = 0
        sets.seen_weight[b] = 0.0
    b, i = mark[BUFFER] - 1, mark[FILLED]
    g = find(sets.seen_words[b], mark[N_SETS], words)
    if g < 0:
        g = mark[N_SETS]
        mark[N_SETS] += 1
        for k in range(words.shape[0]):
            sets.seen_words[b, g, k] = words[k]
    for f in range(x.shape[0]):
        sets.buffer_X[b, i, f] = x[f]
    sets.buffer_weight[b, i] = w
    sets.buffer_set[b, i] = g
    sets.seen_weight[b, g] += w
    mark[FILLED] += 1
    return b


@kernel(inner=True)
def choose(sets, forest, p, owner, b, settings, scratch):
    """Keep the frequent label sets of a full buffer, train a base on it, and give the buffer back."""
    n_rows, n_sets, n = sets.marks[p, FILLED], sets.marks[p, N_SETS], 0
    level = pruning_level(sets.seen_weight[b], n_sets, settings[SUPPORT])
    sets.classes[p] = 0
    sets.class_weight[p] = 0.0
    sets.amounts[p] = 0.0
    kept, total = 0.0, 0.0
    for g in range(n_sets):
        scratch.class_of[g] = NOWHERE
        total += sets.seen_weight[b, g]
        if sets.seen_weight[b, g] > level:
            for k in range(sets.classes.shape[2]):
                sets.classes[p, n, k] = sets.seen_words[b, g, k]
            kept += sets.seen_weight[b, g]
            scratch.class_of[g] = n
            n += 1
    sets.marks[p, N_CLASSES] = n
    slot = forest.cursor[base.SLOTS]
    forest.cursor[base.SLOTS] += 1
    forest.weights[slot] = 0.0
    forest.right[slot] = 0.0
    forest.moments[slot] = 0.0
    forest.bells[slot] = 0.0
    forest.tallies[slot] = 0.0
    forest.roots[p] = new_node(forest, p, NOWHERE, 0, slot)
    for i in range(n_rows):
        g, w = sets.buffer_set[b, i], sets.buffer_weight[b, i]
        x, words = sets.buffer_X[b, i], sets.seen_words[b, g]
        learn_set(sets, forest, p, NOWHERE, x, words, scratch.class_of[g], w, settings, scratch)
    sets.marks[p, BUFFER] = sets.marks[p, FILLED] = sets.marks[p, N_SETS] = 0
    sets.cursor[IDLE_BUFFERS] += 1
    row = sets.noted[sets.cursor[N_NOTED]]
    sets.cursor[N_NOTED] += 1
    row[0], row[1], row[2], row[3], row[4], row[5], row[6] = (
        owner, forest.cursor[base.POSITION] + 1, level, n_sets, n, kept, total,
    )  # fmt: skip


@kernel(inner=True)
def learn_set(sets, forest, p, leaf, x, words, c, w, settings, scratch):
    """Learn a row as class ``c``; if that is -1 as its largest subsets among the classes, or not at all.

    The subsets share the weight of the row. Of equally large ones the class that came first is taken first; the empty
    set does not count as a subset.
    """
    if c >= 0:
        learn_class(sets, forest, p, leaf, x, c, w, settings, scratch)
        sets.amounts[p, LEARNED] += w
        return
    n, n_taken = sets.marks[p, N_CLASSES], 0
    scratch.taken[:n] = 0
    while n_taken < settings[REINTRODUCE]:
        best, most = NOWHERE, 0
        for k in range(n):
            size = size_within(sets.classes[p, k], words)
            if size > most and not scratch.taken[k]:
                best, most = k, size
        if best < 0:
            break
        scratch.taken[best] = 1
        n_taken += 1
    if n_taken == 0:
        sets.amounts[p, LEFT_OUT] += w
        return
    sets.amounts[p, LEARNED] += w
    for k in range(n):
        if scratch.taken[k]:
            learn_class(sets, forest, p, NOWHERE, x, k, w / n_taken, settings, scratch)


@kernel(inner=True)
def learn_class(sets, forest, p, leaf, x, c, w, settings, scratch):
    """Learn a row of class ``c`` by the base of component ``p``; ``leaf``: the leaf of ``scratch``, or -1."""
    s = leaf_of(forest, p, x, w)
    slot = forest.links[s, base.SLOT]
    if settings[BAYES] == 0.0:
        if s != leaf:
            consult(forest, s, x, scratch.majority, scratch.bayes)
        note_right(forest, slot, c, w, scratch.majority, scratch.bayes)
    count(forest, slot, x, c, w)
    sets.class_weight[p, c] += w
    forest.values[s, base.SINCE] += w
    attempt(forest, s, settings, scratch.sides)


# ---------------------------------------------------------------------- rows


@kernel
def answer_rows(sets, forest, p, X, settings, scratch, scores, labels):
    """Answer every row by component ``p`` (scores float64 [rows, labels], labels uint8); changes nothing."""
    for i in range(X.shape[0]):
        answer(sets, forest, p, X[i], settings, scratch, scores[i], labels[i])


@kernel
def test_then_train(sets, forest, p, X, Y, weights, first, settings, scratch, scores, labels):
    """Test, then train component ``p`` on the rows from ``first`` on; return the row that comes next.

    A row of weight 0 is answered and not learned. It stops early if a row could need more room than there is: enlarge
    the arenas and continue with that row.
    """
    for i in range(first, X.shape[0]):
        if weights[i] > 0.0:
            pack(Y[i], scratch.words)
            if lacks_room(sets, forest, p, weights[i], settings, scratch):
                return i
        leaf = answer(sets, forest, p, X[i], settings, scratch, scores[i], labels[i])
        if weights[i] > 0.0:
            learn(sets, forest, p, p, leaf, X[i], weights[i], settings, scratch)
        forest.cursor[base.POSITION] += 1
    return X.shape[0]
