"""What a saved forest of SMART must obey besides its table's ranges: its links are trees, its free list is one list."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base.state import contradiction
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
    what, row, slot, tree, heap = _first_misfit(nodes, nodes.view(np.float64), place, roots, cursor, used, n_categories)
    if what in (_LINK, _ROOT):
        array = "roots" if what == _ROOT else "nodes"
        raise contradiction("SMART", f"{array} row {row} links to place {slot}; expected node {heap} of tree {tree}")
    if what == _TEST:
        lower, size = nodes[row].view(np.float64)[0], n_categories[nodes[row, kernels.FEATURE]]
        expected = f"a category's index, below {size:g}, less a half" if size > 0 else "a finite threshold"
        raise contradiction("SMART", f"nodes row {row} tests {lower:g}; expected {expected}")
    if what == _FREE:
        raise contradiction("SMART", f"nodes: the free list comes to {slot}; expected a free place, once")
    if what == _END:
        raise contradiction(
            "SMART", f"nodes: the free list goes on after {cursor[kernels.N_FREE]} places; expected its end"
        )


# what can be wrong
_ROOT, _LINK, _TEST, _FREE, _END = 1, 2, 3, 4, 5


@kernel(arrays=True)
def _first_misfit(nodes, bounds, place, roots, cursor, used, n_categories):
    """Return what is wrong first, 0 for nothing; the row where it is, and to which slot it links in place of which."""
    for t in range(roots.shape[0]):
        s = np.int64(roots[t])
        if s > 0 and (place[s, kernels.TREE] != t or place[s, kernels.HEAP] != 0):
            return _ROOT, t, s, t, np.int64(0)
    for s in range(used):
        tree, heap = place[s, kernels.TREE], place[s, kernels.HEAP]
        if tree < 0:
            continue
        for side in range(3):
            to, expected = np.int64(nodes[s, kernels.LEFT + side]), 2 * heap + 1 + side
            if side == 2:
                # the third is the parent
                expected = (heap - 1) // 2
            linked = heap > 0 if side == 2 else to > 0
            if linked and (place[to, kernels.TREE] != tree or place[to, kernels.HEAP] != expected):
                return _LINK, s, to, tree, expected
        lower, size = bounds[s, 0], n_categories[nodes[s, kernels.FEATURE]]
        category = lower + 0.5
        fits = 0 <= category < size and category == np.floor(category) if size > 0 else np.isfinite(lower)
        if not fits:
            return _TEST, s, np.int64(0), tree, heap
    # the null node is not a place to give out
    given = np.zeros(max(used, 1), np.bool_)
    slot = cursor[kernels.FREE]
    for _ in range(cursor[kernels.N_FREE]):
        if slot <= 0 or place[slot, kernels.TREE] >= 0 or given[slot]:
            return _FREE, np.int64(0), slot, np.int64(0), np.int64(0)
        given[slot] = True
        slot = np.int64(nodes[slot, kernels.LEFT])
    return (_END if slot != 0 else 0), np.int64(0), slot, np.int64(0), np.int64(0)


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
    if model._warm_up_rows.X is not None or other._ranges.low is None:
        raise ValueError("cannot merge during the warm-up: the features' ranges are not known yet; declare bounds")


def check_ranges(other: Any, low: np.ndarray, high: np.ndarray) -> None:
    """Raise a ValueError unless the other's features have these ranges (float64 (n_features,))."""
    differs = (low != other._ranges.low) | (high != other._ranges.high)
    if differs.any():
        column = int(np.argmax(differs))
        raise ValueError(
            f"cannot merge: the bounds of {other._features[column].name!r} are "
            f"[{low[column]:g}, {high[column]:g}] here and "
            f"[{other._ranges.low[column]:g}, {other._ranges.high[column]:g}] there"
        )
