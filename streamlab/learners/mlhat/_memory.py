"""Kernels that keep the memory bound: what the tree takes, and which leaves stop growing first."""

from __future__ import annotations

import math

from streamlab.kernels import kernel
from streamlab.learners.mlhat._answer import error_of
from streamlab.learners.mlhat._event_log import DEACTIVATED, MEMORY, note
from streamlab.learners.mlhat._settings import (
    BASE_BYTES,
    HEDGED,
    KEPT_BYTES,
    LEAF_BYTES,
    MAX_BYTES,
    N_SIZES,
    NODE_BYTES,
    OBSERVER_BYTES,
    PLACE_BYTES,
    POOL_BYTES,
)
from streamlab.learners.mlhat._tree import (
    COUNTED,
    ID,
    INNER,
    INSIDE,
    KEPT_USED,
    LEAN,
    LEAVES_USED,
    LIMITED,
    NODE_TOP,
    NODES_USED,
    OBSERVER,
    OBSERVERS_USED,
    OFF,
    PLACES,
    POOL_USED,
    ROOT,
    WEIGHT,
    free_observer,
)

__all__ = ["deactivate", "fits", "fits_place", "keep_bound", "used_bytes"]

# a split leaves room for this many times the places in use, as far as there are columns
HEADROOM = 4
# this many places are given whatever the bound
FIRST_PLACES = 1024


@kernel(**LEAN)
def used_bytes(tree, settings):
    """Return the bytes that the tree uses now, without the reserve."""
    cursor = tree.cursor
    kept = tree.kept_cursor[KEPT_USED] * settings[KEPT_BYTES] if settings[HEDGED] != 0.0 else 0.0
    return (
        settings[BASE_BYTES]
        + cursor[NODES_USED] * settings[NODE_BYTES]
        + cursor[LEAVES_USED] * settings[LEAF_BYTES]
        + cursor[OBSERVERS_USED] * settings[OBSERVER_BYTES]
        + cursor[POOL_USED] * settings[POOL_BYTES]
        + kept
    )


@kernel(**INSIDE)
def fits(tree, s, nodes, leaves, kept, settings):
    """Return whether this many more nodes, leaves and kept regressions fit; the first time they do not is noted."""
    wanted = (
        used_bytes(tree, settings)
        + nodes * settings[NODE_BYTES]
        + leaves * (settings[LEAF_BYTES] + settings[OBSERVER_BYTES])
        + kept * settings[KEPT_BYTES]
    )
    n_columns = tree.place_of.shape[0]
    if n_columns > 0:
        # else columns that come later would find the memory taken
        more = min(HEADROOM * tree.place_cursor[PLACES], n_columns) - tree.place_cursor[PLACES]
        wanted += more * place_bytes(tree, nodes, leaves, kept, settings)
    if wanted <= settings[MAX_BYTES]:
        return True
    limit_reached(tree, s, wanted, settings)
    return False


@kernel(**INNER)
def place_bytes(tree, nodes, leaves, kept, settings):
    """Return the bytes that a further place takes, in a tree with this many more nodes, leaves and kept regressions."""
    cursor = tree.cursor
    used_kept = tree.kept_cursor[KEPT_USED] if settings[HEDGED] != 0.0 else 0
    return (
        settings[PLACE_BYTES + BASE_BYTES - NODE_BYTES]
        + (cursor[NODES_USED] + nodes) * settings[PLACE_BYTES]
        + (cursor[LEAVES_USED] + leaves) * settings[PLACE_BYTES + LEAF_BYTES - NODE_BYTES]
        + (cursor[OBSERVERS_USED] + leaves) * settings[PLACE_BYTES + OBSERVER_BYTES - NODE_BYTES]
        + (used_kept + kept) * settings[PLACE_BYTES + KEPT_BYTES - NODE_BYTES]
    )


@kernel(**COUNTED, **INSIDE)
def fits_place(tree, settings):
    """Return whether a further place fits, and count it in ``settings``; leaves stop growing where that makes room."""
    if tree.place_cursor[PLACES] >= FIRST_PLACES:
        while True:
            wanted = used_bytes(tree, settings) + place_bytes(tree, 0, 0, 0, settings)
            if wanted <= settings[MAX_BYTES]:
                break
            least = least_promising(tree)
            limit_reached(tree, least if least >= 0 else tree.cursor[ROOT], wanted, settings)
            if least < 0:
                return False
            deactivate(tree, least)
    for i in range(N_SIZES):
        settings[NODE_BYTES + i] += settings[PLACE_BYTES + i]
    return True


@kernel(**INSIDE)
def limit_reached(tree, s, wanted, settings):
    """Note that the memory bound is reached, unless that was noted before."""
    if tree.cursor[LIMITED] == 0:
        tree.cursor[LIMITED] = 1
        note(tree, MEMORY, s, wanted, settings[MAX_BYTES], 0.0, 0.0, 0.0, 0.0)


@kernel(**COUNTED, **INSIDE)
def keep_bound(tree, settings):
    """Stop the growth of the least promising leaves, those with the smallest total error, until the bound is kept."""
    while used_bytes(tree, settings) > settings[MAX_BYTES]:
        least = least_promising(tree)
        if least < 0:
            return
        limit_reached(tree, least, used_bytes(tree, settings), settings)
        deactivate(tree, least)


@kernel(**INSIDE)
def promise_of(values, s):
    """Return what the growth of a leaf could save: its total error."""
    return error_of(values, s) * values[s, WEIGHT]


@kernel(**INSIDE)
def least_promising(tree):
    """Return the least promising leaf of those that still grow, the first of equals; -1 if none grows."""
    links, values = tree.links, tree.values
    least, least_promise = -1, math.inf
    for s in range(tree.cursor[NODE_TOP]):
        if links[s, ID] >= 0 and links[s, OBSERVER] >= 0 and promise_of(values, s) < least_promise:
            least, least_promise = s, promise_of(values, s)
    return least


@kernel(**INSIDE)
def deactivate(tree, s):
    """Stop the growth of leaf ``s`` and take its observer back."""
    free_observer(tree, s)
    tree.links[s, OFF] = 1
    note(tree, DEACTIVATED, s, tree.values[s, WEIGHT], error_of(tree.values, s), 0.0, 0.0, 0.0, 0.0)
