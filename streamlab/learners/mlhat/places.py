"""How a compact tree begins and grows: columns get places as they are first seen, with others in reserve.

A row of hashed text has some tens of 262,144 columns, of which most are never seen: weights, windows and statistics
for all of them would take gigabytes a leaf. Here they have room for the columns that were seen, beside each other.
Every function returns a tree with the arrays that are new, and leaves the others as they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from streamlab.learners.mlhat import _tree as t
from streamlab.learners.mlhat import growth
from streamlab.learners.mlhat.storage import (
    ARENAS,
    STORAGE,
    columns_with_categories,
    placed,
    sizes_of,
    trimmed,
    words_of,
)
from streamlab.schema import Feature

# places of a new tree, beside those of nominal features, and by what they grow: all is copied then, and what is in
# reserve takes no memory until it is written to
FIRST_RESERVE, GROWTH = 2048, 4


def new_tree(
    features: Sequence[Feature], n_labels: int, n_models: int, window: int, max_depth: float, *, hedged: bool = False
) -> t.Tree:
    """Return a compact tree of one leaf that has seen nothing; only nominal features have places yet."""
    known = columns_with_categories(features)
    tree = growth.new_tree(placed(features, known), n_labels, n_models, window, max_depth, hedged=hedged)
    tree = tree.replaced(
        place_of=np.full(len(features), -1, np.int32),
        column_of=known,
        place_cursor=np.array([len(known), 0, 0], np.int64),
    )
    tree.place_of[known] = np.arange(len(known))
    return with_places(tree, n_models, FIRST_RESERVE)


def with_places(tree: t.Tree, n_models: int, wanted: int) -> t.Tree:
    """Return the tree with at least this many places in reserve, as far as there are columns."""
    before, n_columns = len(tree.column_of), len(tree.place_of)
    needed = min(int(tree.place_cursor[0].places) + wanted, n_columns)
    if needed <= before:
        return tree
    after = min(max(needed, GROWTH * before), n_columns)
    sizes, added = sizes_of(tree, n_models), np.arange(after - before)
    tree = growth.resized(
        tree,
        n_models,
        features=after,
        feature_words=words_of(after),
        numeric_features=sizes["numeric_features"] + len(added),
        columns=sizes["columns"] + len(added),
    )
    # all of them numeric, behind those that are there
    tree.numeric[before:] = sizes["numeric_features"] + added
    tree.category_first[before:] = sizes["columns"] + added
    return tree


def with_room(tree: t.Tree, n_models: int, exactly: bool) -> t.Tree:
    """Return the tree with the room that the kernel stopped for; for any tree, as ``growth.with_room``."""
    if len(tree.place_cursor):
        tree = with_places(tree, n_models, int(tree.place_cursor[0].want_places))
        tree.place_cursor[0].want_places = 0
    return growth.with_room(tree, n_models, exactly)


def with_columns(tree: t.Tree, features: Sequence[Feature], n_labels: int, n_models: int) -> t.Tree:
    """Return the tree with room for features, categories and labels that were added; for any tree.

    New nominal features get their places at once, as they are missing in all instances so far.
    """
    if not len(tree.place_cursor):
        return growth.with_columns(tree, features, n_labels, n_models)
    n_before = len(tree.place_of)
    nominal = columns_with_categories(features)
    if len(nominal):
        tree = t.Tree(**{name: np.ascontiguousarray(a) for name, a in trimmed(tree, n_models).asdict().items()})
        known = np.concatenate([tree.column_of, nominal[nominal >= n_before]])
        tree = growth.with_columns(tree, placed(features, known), n_labels, n_models)
        tree.column_of[:] = known
        tree.place_cursor[0].places = len(known)
    else:
        tree = growth.resized(tree, n_models, labels=n_labels, words=words_of(n_labels))
    tree = growth.resized(tree, n_models, spread=len(features))
    used = int(tree.place_cursor[0].places)
    tree.place_of[tree.column_of[:used]] = np.arange(used)
    return tree


def columns_at(tree: t.Tree, features: Any) -> np.ndarray:
    """Return the columns of the stream that features stand for, of a compact tree their places; -1 stays -1."""
    features = np.asarray(features)
    if not len(tree.place_cursor):
        return features
    return np.where(features < 0, -1, tree.column_of[np.maximum(features, 0)])


class Placed(Sequence[Feature]):
    """The features of a compact tree by their places."""

    def __init__(self, tree: t.Tree, features: Sequence[Feature]) -> None:
        self._tree, self._features = tree, features

    def __len__(self) -> int:
        return int(self._tree.place_cursor[0].places)

    def __getitem__(self, place: Any) -> Any:
        return self._features[int(self._tree.column_of[place])]


def bytes_of_place(tree: t.Tree, n_models: int) -> tuple[np.ndarray, np.ndarray]:
    """Return what ``growth.bytes_per_row`` says of a compact tree without places, and what each place adds to it."""
    sizes = sizes_of(tree, n_models)
    reduced = [
        sizes | {name: sizes[name] - sizes["features"] + n for name in ("features", "numeric_features", "columns")}
        for n in (0, 1)
    ]
    none, one = (_bytes_per_row(each) for each in reduced)
    return none, one - none


def _bytes_per_row(sizes: dict[str, int]) -> np.ndarray:
    """Do as ``growth.bytes_per_row`` does, by the arrays' shapes."""
    taken = {
        name: math.prod(array.full_shape(sizes)) * np.dtype(array.dtype).itemsize
        for name, array in STORAGE.arrays.items()
    }
    rows = [
        sum(taken[name] for name in names) / max(sizes[arena], 1)
        for names, arena in zip(growth.ARRAYS_OF_ARENAS, ARENAS, strict=True)
    ]
    counted = {*growth.KEPT_ARRAYS, *growth.UNCOUNTED, *(name for names in growth.ARRAYS_OF_ARENAS for name in names)}
    rest = sum(n for name, n in taken.items() if name not in counted)
    kept = 8 * (sizes["columns"] + 1) * sizes["labels"] * sizes["models"] + 8
    return np.array([*rows, rest, kept], np.float64)
