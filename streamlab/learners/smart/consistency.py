"""What a saved forest of SMART must obey besides its table's ranges: its links are trees, its free list is one list."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab.learners.base.contradictions import contradiction
from streamlab.learners.smart import _kernels as kernels


def check_forest(
    nodes: np.ndarray, place: np.ndarray, roots: np.ndarray, cursor: np.ndarray, used: int, n_categories: np.ndarray
) -> None:
    """Raise a ValueError where kernels would follow links in a circle, or run out of the room they were promised.

    Parameters
    ----------
    nodes, place, roots, cursor
        As in ``_kernels``, every value within its range.
    used
        Places in use, 0 where the arena has not been made yet.
    n_categories
        float64 (n_features,): categories of each feature, 0 for a numeric one.
    """
    top = int(cursor[kernels.TOP])
    if top != max(used, 1):
        raise contradiction("SMART", f"cursor row {kernels.TOP} is {top}; expected {max(used, 1)}, the places in use")
    trees = np.flatnonzero(roots)
    _check_places(place, roots[trees], trees, np.zeros(len(trees), np.int64), "roots", trees)
    alive = np.flatnonzero(place[:used, kernels.TREE] >= 0)
    for side, column in enumerate((kernels.LEFT, kernels.RIGHT)):
        children = nodes[alive, column]
        rows = alive[children > 0]
        _check_places(
            place, children[children > 0], place[rows, kernels.TREE], 2 * place[rows, kernels.HEAP] + 1 + side, "nodes",
            rows,
        )  # fmt: skip
    below = alive[place[alive, kernels.HEAP] > 0]
    _check_places(
        place, nodes[below, kernels.PARENT], place[below, kernels.TREE], (place[below, kernels.HEAP] - 1) // 2, "nodes",
        below,
    )  # fmt: skip
    _check_tests(nodes, alive, n_categories)
    # the null node is not a place to give out
    free = set((np.flatnonzero(place[1:used, kernels.TREE] < 0) + 1).tolist())
    slot = int(cursor[kernels.FREE])
    for _ in range(int(cursor[kernels.N_FREE])):
        if slot not in free:
            raise contradiction("SMART", f"nodes: the free list comes to {slot}; expected a free place, once")
        free.remove(slot)
        slot = int(nodes[slot, kernels.LEFT])
    if slot != 0:
        raise contradiction(
            "SMART", f"nodes: the free list goes on after {cursor[kernels.N_FREE]} places; expected its end"
        )


def _check_tests(nodes: np.ndarray, alive: np.ndarray, n_categories: np.ndarray) -> None:
    """Raise a ValueError unless each node tests a finite threshold, or one of its feature's categories."""
    lower = nodes.view(np.float64)[alive, 0]
    fits = np.isfinite(lower)
    sizes = n_categories[nodes[alive, kernels.FEATURE]] if n_categories.any() else np.zeros(len(alive))
    nominal = np.flatnonzero(sizes)
    category = lower[nominal] + 0.5
    fits[nominal] = (category >= 0) & (category < sizes[nominal]) & (category == np.floor(category))
    if not fits.all():
        i = int(np.argmin(fits))
        expected = f"a category's index, below {sizes[i]:g}, less a half" if sizes[i] > 0 else "a finite threshold"
        raise contradiction("SMART", f"nodes row {alive[i]} tests {lower[i]:g}; expected {expected}")


def _check_places(
    place: np.ndarray, slots: np.ndarray, tree: np.ndarray, heap: np.ndarray, array: str, rows: np.ndarray
) -> None:
    """Raise a ValueError unless ``slots``, to which ``rows`` of ``array`` link, are those nodes of those trees."""
    wrong = (place[slots, kernels.TREE] != tree) | (place[slots, kernels.HEAP] != heap)
    if wrong.any():
        i = int(np.argmax(wrong))
        raise contradiction(
            "SMART", f"{array} row {rows[i]} links to place {slots[i]}; expected node {heap[i]} of tree {tree[i]}"
        )


def check_mergeable(model: Any, other: Any) -> None:
    """Raise a ValueError unless both have the same parameters and schema, and the other's warm-up is over."""
    for name in ("seed", "half_life", "height", "n_trees"):
        mine, theirs = getattr(model, name), getattr(other, name)
        if mine != theirs:
            raise ValueError(f"cannot merge: {name} is {mine!r} here and {theirs!r} there")
    if model.seed is None:
        raise ValueError("cannot merge: seed=None gives every learner trees of its own; set the same seed")
    difference = model.schema.difference(other.schema) if model._features or model._labels else None
    if difference is not None:
        raise ValueError(f"cannot merge: the schemas differ: {difference}")
    if model._warm_up_X is not None or other._low is None:
        raise ValueError("cannot merge during the warm-up: the features' ranges are not known yet; declare bounds")


def check_ranges(other: Any, low: np.ndarray, high: np.ndarray) -> None:
    """Raise a ValueError unless the other's features have these ranges (float64 (n_features,))."""
    differs = (low != other._low) | (high != other._high)
    if differs.any():
        column = int(np.argmax(differs))
        raise ValueError(
            f"cannot merge: the bounds of {other._features[column].name!r} are "
            f"[{low[column]:g}, {high[column]:g}] here and "
            f"[{other._low[column]:g}, {other._high[column]:g}] there"
        )
