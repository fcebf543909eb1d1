"""Kernels that keep the memory bound, and that tell before a row is learned whether an arena could run out of room."""

from __future__ import annotations

import math

import numpy as np

from streamlab.detectors._adwin import CLOCK, TICKS
from streamlab.kernels import kernel
from streamlab.learners.mlhat._answer import child_of, error_of
from streamlab.learners.mlhat._settings import DEACTIVATED, MEMORY, note
from streamlab.learners.mlhat._tree import free_observer

# a split leaves room for this many times the places in use, as far as there are columns
HEADROOM = 4
# this many places are given whatever the bound
FIRST_PLACES = 1024
# rows of the events' log that one node may write for one instance
EVENTS_PER_NODE = 5


@kernel
def used_bytes(tree, settings):
    """Return the bytes that the tree uses now, without the reserve."""
    cursor = tree.cursor[0]
    kept = tree.kept_cursor[0].kept_used * settings.kept_bytes if settings.hedged != 0.0 else 0.0
    return (
        settings.base_bytes
        + cursor.nodes_used * settings.node_bytes
        + cursor.leaves_used * settings.leaf_bytes
        + cursor.observers_used * settings.observer_bytes
        + cursor.pool_used * settings.pool_bytes
        + kept
    )


@kernel(inner=True)
def fits(tree, s, nodes, leaves, kept, settings):
    """Return whether this many more nodes, leaves and kept regressions fit; the first time they do not is noted."""
    wanted = (
        used_bytes(tree, settings)
        + nodes * settings.node_bytes
        + leaves * (settings.leaf_bytes + settings.observer_bytes)
        + kept * settings.kept_bytes
    )
    n_columns = tree.place_of.shape[0]
    if n_columns > 0:
        # else columns that come later would find the memory taken
        more = min(HEADROOM * tree.place_cursor[0].places, n_columns) - tree.place_cursor[0].places
        wanted += more * place_bytes(tree, nodes, leaves, kept, settings)
    if wanted <= settings.max_bytes:
        return True
    limit_reached(tree, s, wanted, settings)
    return False


@kernel(inner=True)
def place_bytes(tree, nodes, leaves, kept, settings):
    """Return the bytes that a further place takes, in a tree with this many more nodes, leaves and kept regressions."""
    cursor = tree.cursor[0]
    used_kept = tree.kept_cursor[0].kept_used if settings.hedged != 0.0 else 0
    return (
        settings.place_base_bytes
        + (cursor.nodes_used + nodes) * settings.place_node_bytes
        + (cursor.leaves_used + leaves) * settings.place_leaf_bytes
        + (cursor.observers_used + leaves) * settings.place_observer_bytes
        + (used_kept + kept) * settings.place_kept_bytes
    )


@kernel(inner=True, arrays=True)
def fits_place(tree, settings):
    """Return whether a further place fits, and count it in ``settings``; leaves stop growing where that makes room."""
    if tree.place_cursor[0].places >= FIRST_PLACES:
        while True:
            wanted = used_bytes(tree, settings) + place_bytes(tree, 0, 0, 0, settings)
            if wanted <= settings.max_bytes:
                break
            least = least_promising(tree)
            limit_reached(tree, least if least >= 0 else tree.cursor[0].root, wanted, settings)
            if least < 0:
                return False
            deactivate(tree, least)
    settings.node_bytes += settings.place_node_bytes
    settings.leaf_bytes += settings.place_leaf_bytes
    settings.observer_bytes += settings.place_observer_bytes
    settings.pool_bytes += settings.place_pool_bytes
    settings.base_bytes += settings.place_base_bytes
    settings.kept_bytes += settings.place_kept_bytes
    return True


@kernel(inner=True)
def limit_reached(tree, s, wanted, settings):
    """Note that the memory bound is reached, unless that was noted before."""
    if tree.cursor[0].limited == 0:
        tree.cursor[0].limited = 1
        note(tree, MEMORY, s, wanted, settings.max_bytes, 0.0, 0.0, 0.0, 0.0)


@kernel(inner=True, arrays=True)
def keep_bound(tree, settings):
    """Stop the growth of the least promising leaves, those with the smallest total error, until the bound is kept."""
    while used_bytes(tree, settings) > settings.max_bytes:
        least = least_promising(tree)
        if least < 0:
            return
        limit_reached(tree, least, used_bytes(tree, settings), settings)
        deactivate(tree, least)


@kernel(inner=True)
def promise_of(values, s):
    """Return what the growth of a leaf could save: its total error."""
    return error_of(values, s) * values[s].weight


@kernel(inner=True)
def least_promising(tree):
    """Return the least promising leaf of those that still grow, the first of equals; -1 if none grows."""
    links, values = tree.links, tree.values
    least, least_promise = -1, math.inf
    for s in range(tree.cursor[0].node_top):
        if links[s].id >= 0 and links[s].observer >= 0 and promise_of(values, s) < least_promise:
            least, least_promise = s, promise_of(values, s)
    return least


@kernel(inner=True)
def deactivate(tree, s):
    """Stop the growth of leaf ``s`` and take its observer back."""
    free_observer(tree, s)
    tree.links[s].off = 1
    note(tree, DEACTIVATED, s, tree.values[s].weight, error_of(tree.values, s), 0.0, 0.0, 0.0, 0.0)


# ---------------------------------------------------------------------- room for the next row


@kernel(inner=True)
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


@kernel(inner=True)
def may_split(tree, s, w, settings):
    """Return whether leaf ``s`` may split with an instance of weight ``w``."""
    searches = tree.links[s].search >= 0 or tree.values[s].since + w >= settings.grace_period
    return tree.links[s].observer >= 0 and searches


@kernel(inner=True)
def may_fire(tree, s):
    """Return whether one of a node's detectors may notice a change with the next number."""
    for d in range(2 * s, 2 * s + 2):
        ticks = 0.0 if tree.changed[d] else tree.adwin[d, TICKS]
        if (ticks + 1.0) % CLOCK == 0.0:
            return True
    return False


@kernel(inner=True)
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
