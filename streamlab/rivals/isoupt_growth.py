"""How the arrays of an iSOUP tree grow, are saved and restored; every function returns a new tuple.

Bins of leaves that have split leave gaps in the pool. They are closed where the pool has no more room, and where a
state is written, so that a state does not depend on when that was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from streamlab.learners.base.row_learner import category_counts
from streamlab.learners.base.state import contradiction, stored_length
from streamlab.learners.base.storage import Array, Storage, between, index_into, moved_places
from streamlab.rivals import _hoeffding as base
from streamlab.rivals import _isoupt_tree as t
from streamlab.rivals._isoupt_tree import BINS, Tree
from streamlab.rivals.hoeffding import GROWTH, check_points, leaves, longer, node_rules
from streamlab.schema import Feature

FIRST_NODES, FIRST_EVENTS, FIRST_BINS = 4, 16, 4
"""Nodes, events, and bins of each feature that there is room for at first."""

Arrays = Mapping[str, np.ndarray]


def used_bins(n_bins: np.ndarray) -> np.ndarray:
    """Return which entries of ``place`` are in use."""
    flags: np.ndarray = np.arange(BINS) < n_bins[..., None]
    return flags


ISOUP = Storage(
    Array("links", ("nodes", t.N_LINKS), np.int64, rules=(
        *node_rules("features"), index_into("features", none=-1, columns=(t.BEST, t.SECOND)),
    )),
    Array("values", ("nodes", t.N_VALUES), finite=True),
    Array("came", ("nodes", "labels"), finite=True),
    Array("totals", ("slots", "1+labels"), finite=True),
    Array("weights", ("slots", "labels", "width"), finite=True),
    Array("errors", ("slots", "labels", 2), finite=True),
    Array("n_bins", ("slots", "numeric"), np.int64, rules=(between(0, BINS),)),
    Array("place", ("slots", "numeric", BINS), np.int32, saved=False),
    Array("tallies", ("slots", "categories", "1+labels"), finite=True),
    Array("bins", ("pool", 3), finite=True),
    Array("bin_labels", ("pool", "labels"), finite=True),
    Array("scale", ("scaled", 3), finite=True),
)  # fmt: skip
"""The arrays of ``Tree`` that are kept."""


def schema_arrays(features: Sequence[Feature]) -> dict[str, np.ndarray]:
    """Return the fields of a tree that follow from the features."""
    n = category_counts(features)
    widths = widths_of(n)
    return {
        "n_categories": n,
        "first_category": np.cumsum(n) - n,
        "numeric": np.where(n == 0, np.cumsum(n == 0) - 1, -1),
        # column 0 is the constant
        "starts": 1 + np.cumsum(widths) - widths,
    }


def widths_of(n_categories: np.ndarray) -> np.ndarray:
    """Return how many columns of the models each feature has."""
    return np.where(n_categories == 0, 1, n_categories - 1)


def lengths_of(n_categories: np.ndarray, n_labels: int, is_scaled: bool) -> dict[str, int]:
    """Return the dimensions that follow from the schema."""
    width = 1 + int(widths_of(n_categories).sum())
    return {
        "features": len(n_categories), "labels": n_labels, "width": width, "numeric": int((n_categories == 0).sum()),
        "categories": int(n_categories.sum()), "scaled": width if is_scaled else 0,
    }  # fmt: skip


def sizes_of(tree: Tree) -> dict[str, int]:
    """Return the dimensions of the arrays as they are."""
    return ISOUP.sizes_of(ISOUP.of(tree))


def bytes_of(features: Sequence[Feature], n_labels: int) -> int:
    """Return the bytes of a leaf whose bins are all in use."""
    n = category_counts(features)
    own = lengths_of(n, n_labels, False)
    numeric = own["numeric"] * (8 + BINS * (4 + 8 * (3 + n_labels)))
    return numeric + 8 * n_labels * (own["width"] + 2) + 8 * (1 + n_labels) * (1 + own["categories"])


def empty(features: Sequence[Feature], n_labels: int, is_scaled: bool) -> Tree:
    """Return a tree of one leaf that has seen nothing; ``is_scaled``: with what perceptrons need."""
    schema = schema_arrays(features)
    lengths = lengths_of(schema["n_categories"], n_labels, is_scaled)
    room = {"nodes": FIRST_NODES, "slots": 1, "pool": FIRST_BINS * lengths["numeric"]}
    tree = Tree(
        **ISOUP.allocate(lengths | room),
        **schema,
        roots=np.zeros(1, np.int64),
        cursor=np.zeros(t.N_CURSOR, np.int64),
        events=np.zeros((FIRST_EVENTS, t.N_EVENT)),
    )
    tree.cursor[t.SLOTS] = 1
    t.new_node(tree, -1, 0, 0)
    return tree


def with_columns(tree: Tree, features: Sequence[Feature], n_labels: int) -> Tree:
    """Return the tree with room for features, categories and labels that were added.

    Rows before it count as without a new label; of a new feature or category there are no statistics, and
    coefficients of 0.
    """
    schema, old = schema_arrays(features), tree.n_categories
    now = schema["n_categories"]
    sizes = sizes_of(tree) | lengths_of(now, n_labels, len(tree.scale) > 0)
    # the first is the intercept
    columns = np.concatenate([[0], 1 + moved_places(widths_of(old), widths_of(now))])
    moved = {"width": columns, "scaled": columns, "categories": moved_places(old, now)}
    return tree._replace(**schema, **ISOUP.resize(ISOUP.of(tree), sizes, moved))


def with_room(tree: Tree) -> Tree:
    """Return the tree with room for what a row may need; its log of events must be empty."""
    n_numeric, cursor = tree.n_bins.shape[1], tree.cursor
    sizes = sizes_of(tree)
    lengths = longer(sizes, {"nodes": int(cursor[t.NODES]) + 2, "slots": int(cursor[t.SLOTS]) + 1})
    if cursor[t.POOL] + n_numeric > sizes["pool"]:
        tree = packed(tree, in_order=False)
        # a pool that is nearly full again would be packed again soon
        wanted = int(GROWTH * tree.cursor[t.POOL]) + n_numeric
        lengths["pool"] = max(sizes["pool"], wanted)
    return tree._replace(**ISOUP.resize(ISOUP.of(tree), sizes | lengths))


def packed(tree: Tree, in_order: bool = True) -> Tree:
    """Return the tree with its bins in the order of slots, features and values, without gaps.

    Without ``in_order`` one that has no gaps stays as it is.
    """
    n_slots = int(tree.cursor[t.SLOTS])
    if tree.n_bins[:n_slots].sum() == tree.cursor[t.POOL] and not in_order:
        return tree
    flags = used_bins(tree.n_bins[:n_slots])
    rows = tree.place[:n_slots][flags]
    bins, bin_labels = np.zeros_like(tree.bins), np.zeros_like(tree.bin_labels)
    bins[: len(rows)], bin_labels[: len(rows)] = tree.bins[rows], tree.bin_labels[rows]
    place, cursor = tree.place.copy(), tree.cursor.copy()
    place[:n_slots][flags] = np.arange(len(rows))
    cursor[t.POOL] = len(rows)
    return tree._replace(place=place, cursor=cursor, bins=bins, bin_labels=bin_labels)


# ---------------------------------------------------------------------- the state


def saved(tree: Tree, table: Storage = ISOUP) -> dict[str, Any]:
    """Return the tree's part of a state."""
    tree = packed(tree)
    cursor = tree.cursor
    used = {"nodes": int(cursor[t.NODES]), "slots": int(cursor[t.SLOTS]), "pool": int(cursor[t.POOL])}
    return table.state(ISOUP.of(tree), sizes_of(tree), used)


def restored(
    owner: str, state: Mapping[str, Any], features: Sequence[Feature], n_labels: int, is_scaled: bool, n_learned: int,
    table: Storage = ISOUP,
) -> Tree:  # fmt: skip
    """Return the tree of a state, checked; ``owner`` is the learner's name.

    Raises
    ------
    ValueError
        If the state contradicts itself or the schema, naming the entry.
    """
    schema = schema_arrays(features)
    sizes = lengths_of(schema["n_categories"], n_labels, is_scaled)
    for name, key in (("nodes", "links"), ("slots", "totals"), ("pool", "bins")):
        sizes[name] = stored_length(owner, state, table.key_of(table.arrays[key]))
    arrays = table.restore(owner, state, sizes)
    n_bins = arrays["n_bins"]
    if n_bins.sum() != sizes["pool"]:
        key = table.key_of(table.arrays["n_bins"])
        raise contradiction(owner, f"{key} adds up to {n_bins.sum()}; expected {sizes['pool']}, as bins has")
    check_tree(owner, table, arrays, schema["n_categories"])
    arrays["place"][used_bins(n_bins)] = np.arange(sizes["pool"])
    cursor = np.zeros(t.N_CURSOR, np.int64)
    cursor[[t.NODES, t.SLOTS, t.POOL, t.POSITION]] = sizes["nodes"], sizes["slots"], sizes["pool"], n_learned
    return Tree(
        **arrays, **schema, roots=np.zeros(1, np.int64), cursor=cursor, events=np.zeros((FIRST_EVENTS, t.N_EVENT))
    )


def check_tree(owner: str, table: Storage, arrays: Arrays, n_categories: np.ndarray) -> None:
    """Raise a ValueError unless the nodes are one tree, with as many leaves as slots, and tests that can be asked."""
    links = arrays["links"]
    key = table.key_of(table.arrays["links"])
    n_leaves = int(leaves(arrays).sum())
    # as children name their parents and come later, all but the root have one where there are as many as this
    if not len(links) or len(links) != 2 * n_leaves - 1 or (links[:, base.PARENT] < 0).sum() != 1:
        raise contradiction(owner, f"{key} are {len(links)} nodes with {n_leaves} leaves; expected one tree")
    if len(arrays["totals"]) != n_leaves:
        where = table.key_of(table.arrays["totals"])
        raise contradiction(owner, f"{where} has {len(arrays['totals'])} rows; expected {n_leaves}, one a leaf")
    check_points(owner, table, arrays, n_categories)
