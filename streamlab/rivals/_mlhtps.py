"""Kernels of MLHTPS: MLHT's tree, each leaf of which has pruned sets; the component of a leaf is that of its slot."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.mlhat._answer import find_path, find_touched, leaf_below
from streamlab.learners.mlhat._memory import lacks_room, used_bytes
from streamlab.rivals import _hoeffding as base
from streamlab.rivals import _pruned_sets as pruned
from streamlab.rivals._mlht import answer_leaf, learn_row
from streamlab.rivals._pruned_sets import BUFFERS, IDLE_BUFFERS, IDLE_NODES, IDLE_SLOTS, N_CLASSES

# entries of ``taken``: bytes of a buffer, of a node of a base, and of its statistics in a leaf
BUFFER_BYTES, NODE_BYTES, SLOT_BYTES = range(3)


@kernel
def bytes_taken(sets, forest, taken):
    """Return the bytes of the buffers and the bases, without those of what was given back."""
    cursor, own = sets.cursor, forest.cursor
    return (
        (cursor[BUFFERS] - cursor[IDLE_BUFFERS]) * taken[BUFFER_BYTES]
        + (own[base.NODES] - cursor[IDLE_NODES]) * taken[NODE_BYTES]
        + (own[base.SLOTS] - cursor[IDLE_SLOTS]) * taken[SLOT_BYTES]
    )


@kernel(inner=True)
def answer_at(tree, best, sets, forest, s, x, own, scratch, scores, labels):
    """Answer by leaf ``s``: by its pruned sets, or while they collect as MLHT does; return the base's leaf or -1."""
    c = tree.links[s].leaf
    if sets.marks[c, N_CLASSES] > 0:
        return pruned.answer(sets, forest, c, x, own, scratch, scores, labels)
    answer_leaf(tree, best, s, scores, labels)
    return np.int64(-1)


@kernel
def answer(tree, best, sets, forest, X, own, scratch, scores, labels):
    """Answer every row (scores float64 [rows, labels], labels uint8); changes nothing."""
    for i in range(X.shape[0]):
        s = leaf_below(tree, tree.cursor[0].root, X[i])
        answer_at(tree, best, sets, forest, s, X[i], own, scratch, scores[i], labels[i])


@kernel
def test_then_train(tree, best, most, sets, forest, X, Y, first, settings, own, taken, scratch, scores, labels, room):
    """Test, then train on the rows from ``first`` on, one after the other; return the row that comes next.

    Parameters
    ----------
    settings, own
        The parameters of the tree, an array of one record, and those of pruned sets; some of them are overwritten.
    taken
        Bytes of a buffer, of a base's node, and of its statistics in a leaf: ``max_bytes`` counts them.
    """
    settings = settings[0]
    links, cursor = tree.links, tree.cursor[0]
    bounded, deepest = settings.max_bytes < math.inf, own[base.MAX_DEPTH]
    before = bytes_taken(sets, forest, taken)
    for i in range(first, X.shape[0]):
        x = X[i]
        n_touched = find_touched(x, room.touched)
        depth = find_path(tree, x, room.path, room.alternates)
        s = room.path[depth]
        c = links[s].leaf
        pruned.pack(Y[i], scratch.words)
        lacks_sets = pruned.lacks_room(sets, forest, c, 1.0, own, scratch)
        if lacks_room(tree, depth, room.path, x, n_touched, 1.0, settings) or lacks_sets:
            return i
        leaf = answer_at(tree, best, sets, forest, s, x, own, scratch, scores[i], labels[i])
        forest.cursor[base.POSITION] = cursor.position
        if bounded:
            # a base splits if that fits
            wanted = used_bytes(tree, settings) + taken[SLOT_BYTES] + 2 * taken[NODE_BYTES]
            own[base.MAX_DEPTH] = deepest if wanted <= settings.max_bytes else -1.0
        pruned.learn(sets, forest, c, links[s].id, leaf, x, 1.0, own, scratch)
        # nobody asks which splits these were
        forest.cursor[base.N_EVENTS] = 0
        now = bytes_taken(sets, forest, taken)
        settings.base_bytes += now - before
        before = now
        learn_row(tree, room, best, most, depth, x, Y[i], labels[i], n_touched, settings)
        if links[s].leaf < 0:
            pruned.forget(sets, forest, c)
            now = bytes_taken(sets, forest, taken)
            settings.base_bytes += now - before
            before = now
        cursor.position += 1
    return X.shape[0]
