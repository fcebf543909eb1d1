"""Kernels of MLHT: a leaf answers with its most frequent label set; nodes, splits and statistics are MLHAT's.

Beside MLHAT's arrays each node has ``best``, the number of its most frequent label set (int64 [nodes], -1: none yet),
of equals the one that the tree saw first, and ``most``, how often it came (float64 [nodes]). A new leaf has its
parent's ``best`` until it has a row of its own.
"""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._kernels import mix
from streamlab.learners.mlhat._answer import find_path, find_touched, leaf_below
from streamlab.learners.mlhat._label_sets import add_pair, find_present, has_label, loss_of, number_of_set
from streamlab.learners.mlhat._learn import count_instance
from streamlab.learners.mlhat._memory import gives_places, keep_bound, lacks_room, used_bytes
from streamlab.learners.mlhat._places import fold, unfold
from streamlab.learners.mlhat._split import grow, watch


@kernel
def labels_seen(counts):
    """Return how many labels have a weight; R of the Hoeffding bound is its logarithm."""
    n = 0
    for label in range(counts.shape[0]):
        n += np.int64(counts[label] > 0.0)
    return n


@kernel(inner=True)
def answer_leaf(tree, best, s, scores, labels):
    """Answer with the most frequent label set of leaf ``s``; scores are the labels' shares of its weight.

    A leaf without a row of its own has the shares that the split gave its side.
    """
    weight, g = tree.values[s].weight, best[s]
    for label in range(scores.shape[0]):
        scores[label] = tree.counts[s, label] / weight if weight > 0.0 else tree.born[s, label]
        labels[label] = 1 if g >= 0 and has_label(tree, g, label) else 0


@kernel
def answer(tree, best, X, rows, scores, labels, room):
    """Answer every row (scores float64 [rows, labels], labels uint8); changes nothing.

    ``X`` and ``rows`` are as for ``test_then_train``.
    """
    is_sparse = rows[0].shape[0] > 0
    for i in range(scores.shape[0]):
        x = X[0] if is_sparse else X[i]
        n_touched = unfold(tree, rows, i, x, room.touched) if is_sparse else 0
        answer_leaf(tree, best, leaf_below(tree, tree.cursor[0].root, x), scores[i], labels[i])
        if is_sparse:
            fold(x, room.touched, n_touched)


@kernel(inner=True)
def count_of_pair(keys, counts, key):
    """Return the count of a key that the table has."""
    size = keys.shape[0]
    at = np.int64(mix(np.uint64(key)) & np.uint64(size - 1))
    while keys[at] != key:
        at = (at + 1) & (size - 1)
    return counts[at]


@kernel(inner=True)
def count_set(tree, best, most, s, g):
    """Count label set number ``g`` in leaf ``s``."""
    links = tree.links
    key = (links[s].id << 32) | g
    if add_pair(tree.pair_keys, tree.pair_counts, key, 1.0):
        tree.cursor[0].pairs_used += 1
        links[s].n_sets += 1
        if links[s].n_sets == 1:
            # what it had from its parent has served
            best[s], most[s] = g, 1.0
            return
    n = count_of_pair(tree.pair_keys, tree.pair_counts, key)
    if n > most[s] or (n == most[s] and g < best[s]):
        best[s], most[s] = g, n


@kernel
def test_then_train(tree, best, most, X, rows, Y, first, settings, scores, labels, room):
    """Test, then train on the rows from ``first`` on, one after the other; return the row that comes next.

    ``X`` holds the rows, float64 [rows, features], and those in ``rows`` (``SparseRows.arrays``) are none; or ``rows``
    has them, and ``X`` is one row of zeros, before and after. It stops early if an arena lacks room for what a row
    could need: enlarge the arenas and continue with that row. Answers go to ``scores`` (float64 [rows, labels]) and
    ``labels`` (uint8). A row costs its features other than 0 times its labels, and the depth of its leaf.
    ``settings`` has one record.
    """
    settings = settings[0]
    is_sparse = rows[0].shape[0] > 0
    compact = tree.place_of.shape[0] > 0
    for i in range(first, Y.shape[0]):
        x = X[0] if is_sparse else X[i]
        if compact and not gives_places(tree, rows, i, settings):
            return i
        n_touched = unfold(tree, rows, i, x, room.touched) if is_sparse else find_touched(x, room.touched)
        depth = find_path(tree, x, room.path, room.alternates)
        if lacks_room(tree, depth, room.path, x, n_touched, 1.0, settings):
            if is_sparse:
                fold(x, room.touched, n_touched)
            return i
        answer_leaf(tree, best, room.path[depth], scores[i], labels[i])
        learn_row(tree, room, best, most, depth, x, Y[i], labels[i], n_touched, settings)
        if is_sparse:
            fold(x, room.touched, n_touched)
        tree.cursor[0].position += 1
    return Y.shape[0]


@kernel(inner=True)
def learn_row(tree, room, best, most, depth, x, y, answered, n_touched, settings):
    """Learn a row along the room's path of so much ``depth``; ``answered`` was the answer. Its leaf may split."""
    links, s, present = tree.links, room.path[depth], room.present
    loss = loss_of(settings.drift_measure, answered, y)
    n_present = find_present(y, present)
    for k in range(depth + 1):
        count_instance(tree, room.path[k], loss, 1.0, present, n_present)
    count_set(tree, best, most, s, number_of_set(tree, present, n_present, room.words))
    if watch(tree, room, s, x, n_touched, n_present, 1.0, settings):
        n_labels = labels_seen(tree.seen[links[s].observer, 1:])
        grow(tree, s, n_labels, settings, room.label_sums, room.cuts)
        if links[s].leaf < 0:
            for leaf in (links[s].left, links[s].right):
                best[leaf], most[leaf] = best[s], 0.0
    if used_bytes(tree, settings) > settings.max_bytes:
        keep_bound(tree, settings)
