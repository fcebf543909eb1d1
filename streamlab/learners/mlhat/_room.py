"""Kernels that tell, before a row is learned, whether an arena could run out of room."""

from __future__ import annotations

import math

import numpy as np

from streamlab.detectors._adwin import CLOCK, TICKS
from streamlab.kernels import kernel
from streamlab.learners.mlhat._answer import child_of
from streamlab.learners.mlhat._memory import fits_place
from streamlab.learners.mlhat._tree import INNER

__all__ = ["gives_places", "lacks_room"]

# rows of the events' log that one node may write for one instance
EVENTS_PER_NODE = 5


@kernel(**INNER)
def lacks_room(tree, depth, path, x, n_touched, w, settings):
    """Return whether a row could need more room than any arena has; the cursor then says how much is wanted."""
    links, values, cursor = tree.links, tree.values, tree.cursor[0]
    starts, splits, leaves, visited = 0, 0, 1, depth + 1
    splits += may_split(tree, path[depth], w, settings)
    for i in range(depth):
        s = path[i]
        # the detectors search for a change at every 32nd number only
        starts += may_fire(tree, s) and links[s].alternate < 0
        a = links[s].alternate
        if a >= 0:
            leaves += 1
            visited += 1
            while links[a].leaf < 0:
                starts += may_fire(tree, a)
                visited += 1
                a = child_of(links, values, a, x)
            splits += may_split(tree, a, w, settings)
    leaves += starts
    cursor.want_nodes = starts + 2 * splits
    cursor.want_leaves = cursor.want_observers = starts + 2 * splits
    cursor.want_pool = n_touched * leaves
    cursor.want_pairs = leaves
    cursor.want_events = EVENTS_PER_NODE * (visited + starts) + 8
    if settings.max_bytes < math.inf:
        cursor.want_events += cursor.observers_used + 2
    if settings.hedged != 0.0:
        tree.kept_cursor[0].want_kept = splits
        if splits > tree.kept_next.shape[0] - tree.kept_cursor[0].kept_used:
            return True
    # free is whatever is not in use
    return (
        cursor.want_nodes > links.shape[0] - cursor.nodes_used
        or cursor.want_leaves > tree.window_sets.shape[0] - cursor.leaves_used
        or cursor.want_observers > tree.heads.shape[0] - cursor.observers_used
        or cursor.want_pool > tree.pool_value.shape[0] - cursor.pool_used
        or cursor.sets_used + 1 > tree.set_words.shape[0]
        or 2 * (cursor.pairs_used + leaves) > tree.pair_keys.shape[0]
        or cursor.want_events > tree.events.shape[0] - cursor.n_events
    )


@kernel(**INNER)
def may_split(tree, s, w, settings):
    """Return whether leaf ``s`` may split with an instance of weight ``w``."""
    searches = tree.links[s].search >= 0 or tree.values[s].since + w >= settings.grace
    return tree.links[s].observer >= 0 and searches


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
    place_of, places, cursor = tree.place_of, tree.place_cursor[0], tree.cursor[0]
    if places.full:
        return True
    wanted = 0
    for p in range(indptr[i], indptr[i + 1]):
        wanted += np.int64(data[p] != 0.0 and place_of[indices[p]] < 0)
    if wanted == 0:
        return True
    # leaves that stop growing are noted
    events = cursor.observers_used + 2
    if wanted > tree.column_of.shape[0] - places.places or events > tree.events.shape[0] - cursor.n_events:
        cursor.want_nodes = cursor.want_leaves = cursor.want_observers = cursor.want_pool = cursor.want_pairs = 0
        cursor.want_events, places.want_places = events, wanted
        return False
    for p in range(indptr[i], indptr[i + 1]):
        column = np.int64(indices[p])
        if data[p] != 0.0 and place_of[column] < 0:
            if not fits_place(tree, settings):
                places.full = 1
                return True
            place_of[column] = places.places
            tree.column_of[places.places] = column
            places.places += 1
    return True
