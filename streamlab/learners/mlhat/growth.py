"""How the arrays of a tree grow: with the tree, with new features, categories and labels, with a longer window.

Every function returns a tree with the arrays that are new, and leaves the others as they are.

A compact tree begins without places for columns; they get them as they are first seen, with others in reserve. A row of
hashed text has some tens of 262,144 columns, of which most are never seen: weights, windows and statistics for all of
them would take gigabytes a leaf. Here they have room for the columns that were seen, beside each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from streamlab.learners.base.storage import Storage
from streamlab.learners.base.storage_rules import names_in
from streamlab.learners.mlhat import _tree as t
from streamlab.learners.mlhat._answer import drop_far
from streamlab.learners.mlhat._label_sets import place_pairs, place_sets
from streamlab.learners.mlhat._statistics import outline
from streamlab.learners.mlhat.storage import (
    ARENAS,
    STORAGE,
    Parts,
    Tree,
    columns_with_categories,
    mark_windows,
    placed,
    schema_arrays,
    sizes_for,
    sizes_of,
    sizes_with_places,
    trimmed,
    words_of,
)
from streamlab.schema import Feature

# room of the arenas at first, and by what they grow
FIRST_NODES, FIRST_POOL, FIRST_SETS = 4, 64, 64
GROWTH = 1.5
# places of a new tree, beside those of nominal features, and by what they grow: all is copied then, and what is in
# reserve takes no memory until it is written to
FIRST_RESERVE, GROWTH_OF_PLACES = 2048, 4
# bytes that the first leaf may take and, where it may split, its two children beside it
MOST_AT_FIRST = 4 << 30
# a sixty-fourth of the window and less than a sixteenth of the statistics of three labels or more. They do not count in
# the tree's size, so that a bound of memory permits as much as before
UNCOUNTED = ("window_marks", "outlines")
ARRAYS_OF_ARENAS = tuple(tuple(name for name in STORAGE.names_of(arena) if name not in UNCOUNTED) for arena in ARENAS)
REST = set(STORAGE.arrays).difference(STORAGE.names_of("kept"), UNCOUNTED, *ARRAYS_OF_ARENAS)


def bytes_at_first(n_features: int, n_labels: int, parts: Parts, may_split: bool) -> int:
    """Return what a leaf of this many columns takes; if it may split, with statistics, and with two children."""
    n_bytes = 8 * n_features * (n_labels * parts.n_models + parts.window)
    return 3 * (n_bytes + 48 * n_features * (1 + n_labels)) if may_split else n_bytes


def check_first_leaf(owner: str, n_features: int, n_labels: int, parts: Parts, may_split: bool) -> None:
    """Raise a ValueError if the leaves of this many columns are too large to begin with, before they are made.

    ``owner`` is the learner's name, for the message.
    """
    n_bytes = bytes_at_first(n_features, n_labels, parts, may_split)
    if n_bytes <= MOST_AT_FIRST:
        return
    children = ", and split statistics, in the first leaf and its two children" if may_split else ""
    raise ValueError(
        f"{owner} keeps in a leaf a weight for each column, label and model, and a window of rows: "
        f"{n_features:,} columns x ({n_labels:,} labels x {parts.n_models:,} models + {parts.window:,} rows){children} "
        f"= {n_bytes / 1e9:.2g} GB, at most {MOST_AT_FIRST / 1e9:.2g}; choose fewer columns, a smaller n_models or "
        f"window{', or max_depth=0' if may_split else ''}"
    )


def empty_tree(features: Sequence[Feature], n_labels: int, parts: Parts, room: Sequence[int] = (0, 0, 0, 0)) -> Tree:
    """Return a tree without nodes, with room for this many nodes, leaves, observers and rows of the pool."""
    first, column, n_columns = _columns_of(features, np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), 0)
    schema = schema_arrays(features)
    sizes = sizes_for(
        features, n_labels, parts, **dict(zip(ARENAS, room, strict=True)), categories=len(column), columns=n_columns,
        wide_features=len(schema["wide"]), set_rows=FIRST_SETS, pair_slots=4 * FIRST_SETS,
    )  # fmt: skip
    tree = Tree(**STORAGE.allocate(sizes) | schema | {"category_first": first, "category_column": column})
    cursor = tree.cursor[0]
    cursor.node_free = cursor.leaf_free = cursor.observer_free = cursor.pool_free = -1
    if parts.hedged:
        tree.kept_cursor[0].kept_free = -1
    return tree


def new_tree(features: Sequence[Feature], n_labels: int, parts: Parts, max_depth: float, compact: bool = False) -> Tree:
    """Return a tree of one leaf that has seen nothing; in a compact one only nominal features have places yet."""
    known = columns_with_categories(features)
    own = placed(features, known) if compact else features
    tree = empty_tree(own, n_labels, parts, (FIRST_NODES, 1, 1, FIRST_POOL))
    tree.cursor[0].root = t.new_leaf(tree, -1, 0, 0, max_depth, False)
    if not compact:
        return tree
    tree = tree.replaced(
        place_of=np.full(len(features), -1, np.int32),
        column_of=known,
        place_cursor=np.array([len(known), 0, 0], np.int64),
    )
    tree.place_of[known] = np.arange(len(known))
    return with_places(tree, FIRST_RESERVE)


def resized(tree: Tree, **lengths: int) -> Tree:
    """Return the tree with other lengths of its dimensions; what it holds stays."""
    sizes = sizes_of(tree)
    changed = tuple(name for name, length in lengths.items() if length != sizes[name])
    if not changed:
        return tree
    return tree.replaced(**_arrays_with(changed).resize(tree.asdict(), sizes | lengths))


@cache
def _arrays_with(dimensions: tuple[str, ...]) -> Storage:
    """Return the part of the table with these dimensions: looking at all of it would be slow."""
    return Storage(
        *(
            array
            for array in STORAGE.arrays.values()
            if any(name in dimensions for dimension in array.shape for name in names_in(dimension))
        )
    )


def bytes_per_row(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Return what a node, a leaf's classifiers, an observer, a pool's row, all the rest and kept regressions take.

    Of a compact tree without places; and what each place adds to it.
    """
    if not len(tree.place_cursor):
        taken = _bytes_per_row({name: array.nbytes for name, array in tree.asdict().items()}, sizes_of(tree))
        return taken, np.zeros(len(taken))
    none, one = (_bytes_per_row(_bytes_for(sizes), sizes) for sizes in (sizes_with_places(tree, n) for n in (0, 1)))
    return none, one - none


def _bytes_for(sizes: dict[str, int]) -> dict[str, int]:
    return {
        name: math.prod(array.full_shape(sizes)) * np.dtype(array.dtype).itemsize
        for name, array in STORAGE.arrays.items()
    }


def _bytes_per_row(taken: dict[str, int], sizes: dict[str, int]) -> np.ndarray:
    rows = [
        sum(taken[name] for name in names) / max(sizes[arena], 1)
        for names, arena in zip(ARRAYS_OF_ARENAS, ARENAS, strict=True)
    ]
    return np.array([*rows, sum(taken[name] for name in REST), 8 * (sizes["columns"] + 1) * sizes["sums"] + 8], float)


def leaf_rows(tree: Tree) -> np.ndarray:
    """Return the rows of ``links`` that are leaves."""
    links = tree.links[: int(tree.cursor[0].node_top)]
    return np.flatnonzero((links["id"] >= 0) & (links["leaf"] >= 0))


# ---------------------------------------------------------------------- features and labels


def with_columns(tree: Tree, features: Sequence[Feature], n_labels: int, parts: Parts) -> Tree:
    """Return the tree with room for features, categories and labels that were added.

    In the instances seen so far a new nominal feature is missing, and a new numeric one is zero. In a compact tree new
    nominal features get their places at once.
    """
    n_sums = n_labels * parts.n_models
    if not len(tree.place_cursor):
        return _with_columns(tree, features, n_labels, n_sums)
    nominal = columns_with_categories(features)
    if len(nominal):
        n_before = len(tree.place_of)
        tree = Tree(**{name: np.ascontiguousarray(a) for name, a in trimmed(tree).asdict().items()})
        known = np.concatenate([tree.column_of, nominal[nominal >= n_before]])
        tree = _with_columns(tree, placed(features, known), n_labels, n_sums)
        tree.column_of[:] = known
        tree.place_cursor[0].places = len(known)
    tree = resized(tree, spread=len(features), labels=n_labels, words=words_of(n_labels), sums=n_sums)
    used = int(tree.place_cursor[0].places)
    tree.place_of[tree.column_of[:used]] = np.arange(used)
    return tree


def _with_columns(tree: Tree, features: Sequence[Feature], n_labels: int, n_sums: int) -> Tree:
    n_before = len(tree.n_categories)
    first, column, n_columns = _columns_of(
        features, tree.category_first, tree.category_column, tree.n_categories, tree.weights.shape[1]
    )
    added = [f for f, feature in enumerate(features) if f >= n_before and feature.is_nominal]
    schema = schema_arrays(features)
    tree = resized(
        tree,
        features=len(features),
        feature_words=words_of(len(features)),
        numeric_features=int((schema["numeric"] >= 0).sum()),
        labels=n_labels,
        columns=n_columns,
        sums=n_sums,
        words=words_of(n_labels),
        pool=len(tree.pool_value) + len(added) * len(tree.heads),
    )
    tree = tree.replaced(**schema, category_first=first, category_column=column)
    if added:
        _count_as_missing(tree, added)
    return tree


def _columns_of(
    features: Sequence[Feature], first: np.ndarray, column: np.ndarray, n_categories: np.ndarray, n_columns: int
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return ``category_first``, ``category_column`` and the number of columns of the linear models.

    A numeric feature has one column, a nominal one a column for each category; of two categories only the second has
    one. Columns that were given out stay what they are: ``first``, ``column``, ``n_categories`` and ``n_columns`` are
    those of before.
    """
    firsts = np.zeros(len(features), np.int64)
    columns: list[int] = []
    for f, feature in enumerate(features):
        if feature.categories is None:
            if f < len(first):
                firsts[f] = first[f]
            else:
                firsts[f], n_columns = n_columns, n_columns + 1
            continue
        n_before = int(n_categories[f]) if f < len(first) else 0
        own = column[first[f] : first[f] + n_before].tolist() if n_before else []
        own += [-1] * (len(feature.categories) - len(own))
        for category in range(0 if len(own) > 2 else 1, len(own)):
            if own[category] < 0:
                own[category], n_columns = n_columns, n_columns + 1
        firsts[f] = len(columns)
        columns += own
    return firsts, np.array(columns, np.int64), n_columns


def _count_as_missing(tree: Tree, features: list[int]) -> None:
    links = tree.links
    for s in leaf_rows(tree):
        c, o, filled = (int(n) for n in (links["leaf"][s], links["observer"][s], links["filled"][s]))
        tree.window[c, features, :filled] = math.nan
        tree.window_gaps[c, :filled] = 1
        if o >= 0 and tree.seen[o, 0] > 0:
            for f in features:
                p = t.take_pool_row(tree, t.GONE)
                tree.heads[o, f] = p
                tree.pool_counts[p] = tree.seen[o]
    mark_windows(tree)
    outline(tree)


# ---------------------------------------------------------------------- the tree


def with_room(tree: Tree, exactly: bool) -> Tree:
    """Return the tree with the room that the kernel stopped for; the log of events must be empty.

    With ``exactly`` the arenas get no reserve.
    """
    if len(tree.place_cursor):
        tree = with_places(tree, int(tree.place_cursor[0].want_places))
        tree.place_cursor[0].want_places = 0
    cursor = tree.cursor[0]
    if cursor.want_events > len(tree.events):
        tree = resized(tree, events=2 * int(cursor.want_events))
    if cursor.sets_used + 1 > len(tree.set_words):
        tree = _with_more_sets(tree)
    if 2 * (cursor.pairs_used + cursor.want_pairs) > len(tree.pair_keys):
        tree = _with_more_pairs(tree)
    sizes = sizes_of(tree)
    lengths = {}
    for arena, used, wanted in zip(
        ARENAS,
        (cursor.nodes_used, cursor.leaves_used, cursor.observers_used, cursor.pool_used),
        (cursor.want_nodes, cursor.want_leaves, cursor.want_observers, cursor.want_pool),
        strict=True,
    ):
        needed = int(used + wanted)
        if needed > sizes[arena]:
            lengths[arena] = needed if exactly else max(needed, int(GROWTH * sizes[arena]))
    if sizes["hedged"]:
        needed = int(tree.kept_cursor[0].kept_used + tree.kept_cursor[0].want_kept)
        if needed > sizes["kept"]:
            lengths["kept"] = needed if exactly else max(needed, int(GROWTH * sizes["kept"]))
    return resized(tree, **lengths)


def _with_more_sets(tree: Tree) -> Tree:
    n_sets = int(tree.cursor[0].sets_used)
    tree = resized(tree, set_rows=2 * len(tree.set_words))
    # a set's slot depends on the length of the table
    tree.set_table[:] = -1
    place_sets(tree.set_words, n_sets, tree.counts.shape[1], tree.set_table)
    return tree


def _with_more_pairs(tree: Tree) -> Tree:
    """Forget what nodes saw that are not leaves any more, and double the table if it is still half full."""
    cursor = tree.cursor[0]
    keep = (tree.pair_keys >= 0) & np.isin(tree.pair_keys >> 32, tree.links["id"][leaf_rows(tree)])
    size = len(tree.pair_keys)
    while 4 * (int(keep.sum()) + int(cursor.want_pairs)) > size:
        size *= 2
    keys, counts = np.full(size, -1, np.int64), np.zeros(size)
    cursor.pairs_used = place_pairs(tree.pair_keys, tree.pair_counts, keep, keys, counts)
    return tree.replaced(pair_keys=keys, pair_counts=counts)


def with_window(tree: Tree, size: int) -> Tree:
    """Return the tree with windows of another length, which hold the newest rows, oldest first."""
    links, old = tree.links, tree.window_sets.shape[1]
    names = ("window", "window_sets", "window_norms", "window_gaps")
    changed = {}
    for name in names:
        array = getattr(tree, name)
        changed[name] = np.zeros((*array.shape[:-1], size), array.dtype)
    for s in leaf_rows(tree):
        c, filled, following = (int(n) for n in (links["leaf"][s], links["filled"][s], links["next"][s]))
        kept = min(filled, size)
        order = (following - kept + np.arange(kept)) % old
        for name, new in changed.items():
            new[c, ..., :kept] = getattr(tree, name)[c][..., order]
        links["filled"][s], links["next"][s] = kept, kept % size
    changed["window_marks"] = np.zeros((len(tree.window), size, tree.window_marks.shape[2]), np.uint64)
    tree = tree.replaced(**changed)
    mark_windows(tree)
    return tree


def drop_kept(tree: Tree, levels: float) -> None:
    """Free the regressions of the branches, except for the root, that have no leaf within this many levels."""
    for s in leaf_rows(tree):
        drop_far(tree, s, levels)


def with_bounds(tree: Tree, max_depth: float, memory: bool) -> Tree:
    """Return the tree with observers for the leaves that may grow within new bounds, and for no others.

    ``memory`` says that the bound of memory is new: leaves that gave way to the old one may grow again.
    """
    links, cursor = tree.links, tree.cursor[0]
    leaves = leaf_rows(tree)
    deep = links["depth"][leaves] >= min(max_depth, t.DEEPEST)
    if memory:
        cursor.limited = 0
        links["off"][leaves] = 0
    for s in leaves[deep]:
        t.free_observer(tree, s)
    again = leaves[~deep & (links["observer"][leaves] < 0) & (links["off"][leaves] == 0)]
    needed = int(cursor.observers_used) + len(again)
    tree = resized(tree, observers=max(len(tree.heads), needed))
    for s in again:
        t.take_observer(tree, s)
    return tree


# ---------------------------------------------------------------------- places of a compact tree


def with_places(tree: Tree, wanted: int) -> Tree:
    """Return a compact tree with at least this many places in reserve, as far as there are columns."""
    before, n_columns = len(tree.column_of), len(tree.place_of)
    needed = min(int(tree.place_cursor[0].places) + wanted, n_columns)
    if needed <= before:
        return tree
    after, sizes = min(max(needed, GROWTH_OF_PLACES * before), n_columns), sizes_of(tree)
    added = np.arange(after - before)
    tree = resized(tree, **sizes_with_places(tree, after))
    # all of them numeric, behind those that are there
    tree.numeric[before:] = sizes["numeric_features"] + added
    tree.category_first[before:] = sizes["columns"] + added
    return tree


def columns_at(tree: Tree, features: Any) -> np.ndarray:
    """Return the columns of the stream that features stand for, of a compact tree their places; -1 stays -1."""
    features = np.asarray(features)
    if not len(tree.place_cursor):
        return features
    return np.where(features < 0, -1, tree.column_of[np.maximum(features, 0)])


class Placed(Sequence[Feature]):
    """The features of a compact tree by their places."""

    def __init__(self, tree: Tree, features: Sequence[Feature]) -> None:
        self._tree, self._features = tree, features

    def __len__(self) -> int:
        return int(self._tree.place_cursor[0].places)

    def __getitem__(self, place: Any) -> Any:
        return self._features[int(self._tree.column_of[place])]
