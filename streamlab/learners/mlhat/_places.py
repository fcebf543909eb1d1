"""Kernels of compact trees: a row's columns and their places, and what must go in the order of the columns.

Sums of a row's values go in the order of the stream's columns, whatever their places: so every answer is, to the bit,
that of a tree in which each column has a place from the start.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._kernels import prefetch

# places are asked for so many values in advance
AHEAD = 32


@kernel(inner=True)
def unfold(tree, rows, i, x, touched):
    """Write sparse row i to ``x``, which holds zeros, and list its features in the order of the stream's columns.

    A column without a place, in a row that is only asked about, gets one in reserve for as long as the row is looked
    at; where the bound of memory allows no further places, it counts as 0.
    """
    indptr, indices, data = rows
    compact = tree.place_of.shape[0] > 0
    reserve = tree.place_cursor[0].places if compact else 0
    n, last = 0, indices.shape[0] - 1
    for p in range(indptr[i], indptr[i + 1]):
        if compact:
            # of rows that come later: first the place of a column, then what stands there
            prefetch(tree.place_of, indices[min(p + 2 * AHEAD, last)])
            place = np.int64(tree.place_of[indices[min(p + AHEAD, last)]])
            prefetch(x, place)
            prefetch(tree.numeric, place)
            prefetch(tree.category_first, place)
        if data[p] != 0.0:
            f = np.int64(indices[p])
            if compact:
                place = np.int64(tree.place_of[f])
                if place < 0:
                    if tree.place_cursor[0].full:
                        continue
                    tree.column_of[reserve] = f
                    place = reserve
                    reserve += 1
                f = place
            x[f] = data[p]
            touched[n] = f
            n += 1
    return n


@kernel(inner=True)
def fold(x, touched, n_touched):
    """Make ``x`` zeros again."""
    for t in range(n_touched):
        x[touched[t]] = 0.0


@kernel(inner=True)
def place_distance(tree, c, k, x, touched, n_touched):
    """Return the squared distance of ``x`` from row ``k`` of window ``c``; what is missing on either side adds nothing.

    Features that are 0 on both sides add nothing either: the others, in the order of their columns, are all it takes.
    What ``touched`` has behind its first ``n_touched`` entries is overwritten.
    """
    column_of, window, marks = tree.column_of, tree.window[c], tree.window_marks[c, k]
    # behind the features of this row there is room for those that it has not
    listed = touched[n_touched:]
    n = 0
    for i in range(marks.shape[0]):
        word = marks[i]
        f = 64 * i
        while word != 0:
            if word & np.uint64(1) and x[f] == 0.0:
                at = n
                while at > 0 and column_of[listed[at - 1]] > column_of[f]:
                    listed[at] = listed[at - 1]
                    at -= 1
                listed[at] = f
                n += 1
            word >>= np.uint64(1)
            f += 1
    total = 0.0
    i = t = 0
    while i < n or t < n_touched:
        if i == n or (t < n_touched and column_of[touched[t]] < column_of[listed[i]]):
            f = touched[t]
            t += 1
        else:
            f = listed[i]
            i += 1
        v, w = x[f], window[f, k]
        if math.isnan(v) or math.isnan(w):
            continue
        if tree.numeric[f] >= 0:
            total += (v - w) * (v - w)
        elif v != w:
            total += 1.0
    return total


@kernel(inner=True)
def move_row(tree, c, k, to, free):
    """Copy row ``k`` of window ``c`` to row ``free`` of window ``to``, whose marks are still those of the row there."""
    old, new = tree.window_marks[to, free], tree.window_marks[c, k]
    for i in range(old.shape[0]):
        clear_marked(tree.window[to], free, 64 * i, old[i])
        word = new[i]
        f = 64 * i
        while word != 0:
            if word & np.uint64(1):
                tree.window[to, f, free] = tree.window[c, f, k]
            word >>= np.uint64(1)
            f += 1


@kernel(inner=True)
def clear_marked(window, k, f, word):
    """Make the features from ``f`` on whose bits are set in ``word`` zeros in row ``k`` of a window."""
    while word != 0:
        if word & np.uint64(1):
            window[f, k] = 0.0
        word >>= np.uint64(1)
        f += 1
