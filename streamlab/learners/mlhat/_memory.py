"""Kernels that keep the memory bound: what the tree takes, and which leaves stop growing first."""

from __future__ import annotations

import math

from streamlab.kernels import kernel
from streamlab.learners.mlhat._answer import error_of
from streamlab.learners.mlhat._event_log import DEACTIVATED, MEMORY, note
from streamlab.learners.mlhat._tree import COUNTED, INNER, INSIDE, LEAN, free_observer

__all__ = ["deactivate", "fits", "fits_place", "keep_bound", "used_bytes"]

# a split leaves room for this many times the places in use, as far as there are columns
HEADROOM = 4
# this many places are given whatever the bound
FIRST_PLACES = 1024


@kernel(**LEAN)
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


@kernel(**INSIDE)
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


@kernel(**INNER)
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


@kernel(**COUNTED, **INSIDE)
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


@kernel(**INSIDE)
def limit_reached(tree, s, wanted, settings):
    """Note that the memory bound is reached, unless that was noted before."""
    if tree.cursor[0].limited == 0:
        tree.cursor[0].limited = 1
        note(tree, MEMORY, s, wanted, settings.max_bytes, 0.0, 0.0, 0.0, 0.0)


@kernel(**COUNTED, **INSIDE)
def keep_bound(tree, settings):
    """Stop the growth of the least promising leaves, those with the smallest total error, until the bound is kept."""
    while used_bytes(tree, settings) > settings.max_bytes:
        least = least_promising(tree)
        if least < 0:
            return
        limit_reached(tree, least, used_bytes(tree, settings), settings)
        deactivate(tree, least)


@kernel(**INSIDE)
def promise_of(values, s):
    """Return what the growth of a leaf could save: its total error."""
    return error_of(values, s) * values[s].weight


@kernel(**INSIDE)
def least_promising(tree):
    """Return the least promising leaf of those that still grow, the first of equals; -1 if none grows."""
    links, values = tree.links, tree.values
    least, least_promise = -1, math.inf
    for s in range(tree.cursor[0].node_top):
        if links[s].id >= 0 and links[s].observer >= 0 and promise_of(values, s) < least_promise:
            least, least_promise = s, promise_of(values, s)
    return least


@kernel(**INSIDE)
def deactivate(tree, s):
    """Stop the growth of leaf ``s`` and take its observer back."""
    free_observer(tree, s)
    tree.links[s].off = 1
    note(tree, DEACTIVATED, s, tree.values[s].weight, error_of(tree.values, s), 0.0, 0.0, 0.0, 0.0)
