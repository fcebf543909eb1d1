"""Kernels that tell, before a row is learned, whether an arena could run out of room."""

from __future__ import annotations

import math

import numpy as np

from streamlab.detectors._adwin import CLOCK, TICKS
from streamlab.kernels import kernel
from streamlab.learners.mlhat._answer import child_of
from streamlab.learners.mlhat._memory import fits_place
from streamlab.learners.mlhat._settings import GRACE, HEDGED, MAX_BYTES
from streamlab.learners.mlhat._tree import (
    ALTERNATE,
    FULL,
    INNER,
    KEPT_USED,
    LEAF,
    LEAVES_USED,
    N_EVENTS,
    NODES_USED,
    OBSERVER,
    OBSERVERS_USED,
    PAIRS_USED,
    PLACES,
    POOL_USED,
    SEARCH,
    SETS_USED,
    SINCE,
    WANT_EVENTS,
    WANT_KEPT,
    WANT_LEAVES,
    WANT_NODES,
    WANT_OBSERVERS,
    WANT_PAIRS,
    WANT_PLACES,
    WANT_POOL,
)

__all__ = ["gives_places", "lacks_room"]

# rows of the events' log that one node may write for one instance
EVENTS_PER_NODE = 5


@kernel(**INNER)
def lacks_room(tree, depth, path, x, n_touched, w, settings):
    """Return whether a row could need more room than any arena has; the cursor then says how much is wanted."""
    links, values, cursor = tree.links, tree.values, tree.cursor
    starts, splits, leaves, visited = 0, 0, 1, depth + 1
    splits += may_split(tree, path[depth], w, settings)
    for i in range(depth):
        s = path[i]
        # the detectors search for a change at every 32nd number only
        starts += may_fire(tree, s) and links[s, ALTERNATE] < 0
        a = links[s, ALTERNATE]
        if a >= 0:
            leaves += 1
            visited += 1
            while links[a, LEAF] < 0:
                starts += may_fire(tree, a)
                visited += 1
                a = child_of(links, values, a, x)
            splits += may_split(tree, a, w, settings)
    leaves += starts
    cursor[WANT_NODES] = starts + 2 * splits
    cursor[WANT_LEAVES] = cursor[WANT_OBSERVERS] = starts + 2 * splits
    cursor[WANT_POOL] = n_touched * leaves
    cursor[WANT_PAIRS] = leaves
    cursor[WANT_EVENTS] = EVENTS_PER_NODE * (visited + starts) + 8
    if settings[MAX_BYTES] < math.inf:
        cursor[WANT_EVENTS] += cursor[OBSERVERS_USED] + 2
    if settings[HEDGED] != 0.0:
        tree.kept_cursor[WANT_KEPT] = splits
        if splits > tree.kept_next.shape[0] - tree.kept_cursor[KEPT_USED]:
            return True
    # free is whatever is not in use
    return (
        cursor[WANT_NODES] > links.shape[0] - cursor[NODES_USED]
        or cursor[WANT_LEAVES] > tree.window_sets.shape[0] - cursor[LEAVES_USED]
        or cursor[WANT_OBSERVERS] > tree.heads.shape[0] - cursor[OBSERVERS_USED]
        or cursor[WANT_POOL] > tree.pool_value.shape[0] - cursor[POOL_USED]
        or cursor[SETS_USED] + 1 > tree.set_words.shape[0]
        or 2 * (cursor[PAIRS_USED] + leaves) > tree.pair_keys.shape[0]
        or cursor[WANT_EVENTS] > tree.events.shape[0] - cursor[N_EVENTS]
    )


@kernel(**INNER)
def may_split(tree, s, w, settings):
    """Return whether leaf ``s`` may split with an instance of weight ``w``."""
    searches = tree.links[s, SEARCH] >= 0 or tree.values[s, SINCE] + w >= settings[GRACE]
    return tree.links[s, OBSERVER] >= 0 and searches


@kernel(**INNER)
def may_fire(tree, s):
    """Return whether one of a node's detectors may notice a change with the next number."""
    for d in range(2 * s, 2 * s + 2):
        ticks = 0.0 if tree.changed[d] else tree.adwin[d, TICKS]
        if (ticks + 1.0) % CLOCK == 0.0:
            return True
    return False


@kernel(**INNER)
def gives_places(tree, rows, i, settings):
    """Give each column that is other than 0 in sparse row ``i`` a place, unless the bound of memory allows no more.

    Returns False if there are too few places in reserve; the cursors then say what is wanted.
    """
    indptr, indices, data = rows
    place_of, places, cursor = tree.place_of, tree.place_cursor, tree.cursor
    if places[FULL]:
        return True
    wanted = 0
    for p in range(indptr[i], indptr[i + 1]):
        wanted += np.int64(data[p] != 0.0 and place_of[indices[p]] < 0)
    if wanted == 0:
        return True
    # leaves that stop growing are noted
    events = cursor[OBSERVERS_USED] + 2
    if wanted > tree.column_of.shape[0] - places[PLACES] or events > tree.events.shape[0] - cursor[N_EVENTS]:
        cursor[WANT_NODES] = cursor[WANT_LEAVES] = cursor[WANT_OBSERVERS] = cursor[WANT_POOL] = cursor[WANT_PAIRS] = 0
        cursor[WANT_EVENTS], places[WANT_PLACES] = events, wanted
        return False
    for p in range(indptr[i], indptr[i + 1]):
        column = np.int64(indices[p])
        if data[p] != 0.0 and place_of[column] < 0:
            if not fits_place(tree, settings):
                places[FULL] = 1
                return True
            place_of[column] = places[PLACES]
            tree.column_of[places[PLACES]] = column
            places[PLACES] += 1
    return True
