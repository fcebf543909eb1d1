"""Places of SMART's nodes in the strips of their trees, and the columns that travel."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streamlab._checks import checked_count
from streamlab.views.kit.columns import UNIT, Column, ColumnTable

MAX_DEPTH = 7
MAX_CELLS = 1500

FOREST_CELLS = ColumnTable(
    "node",
    Column("id", "id", "never reused"),
    Column("tree", "u2", "from 0"),
    Column("depth", "u1", "0 for a root"),
    Column("x0", "u2", "left edge in the strip, 0..1", scale=UNIT, made=True),
    Column("x1", "u2", "right edge in the strip, 0..1", scale=UNIT, made=True),
    Column("age", "f4", "ticks since the last update", optional=True),
    Column("weight", "f4", "evidence kept: faded, instances"),
    Column("fill", "u2", "evidence kept, of what fills a cell of its width, 0..1", scale=UNIT),
    Column("before", "u2", "how much of it is from before the mark, 0..1", scale=UNIT),
    Column("top", "i2", "index of the commonest label, -1 for none"),
    Column("cardinality", "u2", "labels per instance", scale=256, optional=True),
    Column("lit", "flag", "whether the latest row passed it"),
)
"""24 bytes a cell travel, 28 once an id exceeds 32 bits, 4 more for the age, and 2 for the cardinality."""

NEEDED = (*FOREST_CELLS.needed, "node", "parent", "share")
"""Columns that :func:`layout` cannot do without: what travels, and where a node hangs."""


def layout(
    columns: Mapping[str, NDArray[Any]], *, max_depth: int = MAX_DEPTH, max_cells: int = MAX_CELLS
) -> dict[str, NDArray[Any]]:
    """Place nodes in the strips of their trees.

    A cell is as wide as its share of its tree's rows. The child ``2i+1`` begins where its parent begins, the child
    ``2i+2`` ends where its parent ends; what is free between them are rows whose child has gone. Where there is
    ``begin``, a child begins so far from where its parent begins, 0..1 of the tree's rows: a node may have many then.

    Parameters
    ----------
    columns
        Arrays of equal length, a row per node in any order: ``id`` (int, unique, never reused), ``tree`` (from 0),
        ``node`` (heap index: root 0, the children of ``i`` are ``2i+1`` and ``2i+2``), ``parent`` (``id`` of the
        parent, -1 for a root), ``depth`` (root 0), ``weight`` (faded, instances), ``share`` (of the tree's rows,
        0..1), ``fill`` (evidence kept, 0..1), ``before`` (how much of it is from before the mark, 0..1), ``lit``
        (whether the latest row passed it), ``top`` (index of the commonest label, or -1), and optionally ``age`` (ticks
        since the last update) and ``cardinality`` (labels per instance).
    max_depth
        Deepest level drawn, default 7: below it, cells of a strip 260 px wide are thinner than 2 px.
    max_cells
        Most cells drawn, default 1500. The widest are kept, and each with all its ancestors.

    Returns
    -------
    dict of arrays of shape (n_cells,)
        ``id``, ``tree``, ``depth``, ``x0``, ``x1`` (0..1, float64), ``fill``, ``before``, ``lit``, ``weight``, ``top``,
        ``age`` and ``cardinality`` where given, and ``row``, the index into ``columns``; sorted by tree, depth and
        place. Nodes whose parent is not among the rows are left out, with all below them.

    Raises
    ------
    ValueError
        If a column is missing, columns differ in length, or ``max_depth`` or ``max_cells`` is negative.
    """
    count = FOREST_CELLS.check(columns, NEEDED)
    checked_count("max_depth", max_depth, 0, 255)
    checked_count("max_cells", max_cells)
    depth = np.asarray(columns["depth"])
    rows = np.flatnonzero(depth <= max_depth) if count else np.zeros(0, dtype=np.intp)
    rows = rows[np.argsort(depth[rows].astype(np.uint8), kind="stable")]
    x0, x1 = _place(columns, rows)
    kept = _widest(x1 - x0, max_cells)
    tree, depth = np.asarray(columns["tree"])[rows[kept]], depth[rows[kept]]
    kept = kept[np.lexsort((x0[kept], depth, tree))]
    rows = rows[kept]
    cells = {"row": rows, "x0": x0[kept], "x1": x1[kept]}
    for name in ("id", "tree", "depth", "fill", "before", "lit", "age", "weight", "top", "cardinality"):
        if name in columns:
            cells[name] = np.asarray(columns[name])[rows]
    return cells


def _place(columns: Mapping[str, NDArray[Any]], rows: NDArray[np.intp]) -> tuple[NDArray[Any], ...]:
    """Left and right edge of ``rows``, which are sorted by depth; NaN where the parent is not among them."""
    ids, parents, depth, node = (np.asarray(columns[name])[rows] for name in ("id", "parent", "depth", "node"))
    width = np.clip(np.nan_to_num(np.asarray(columns["share"], dtype=np.float64)[rows]), 0.0, 1.0)
    order = np.argsort(ids)
    found = order[np.minimum(np.searchsorted(ids[order], parents), max(len(rows) - 1, 0))] if len(rows) else order
    parent = np.where((parents >= 0) & (ids[found] == parents), found, -1)
    x0, x1 = np.full(len(rows), np.nan), np.full(len(rows), np.nan)
    is_root = (depth == 0) & (parents < 0)
    x0[is_root], x1[is_root] = 0.0, width[is_root]
    ends = np.searchsorted(depth, np.arange(1, int(depth[-1]) + 2 if len(rows) else 1))
    for start, stop in pairwise(ends):
        level = np.arange(start, stop)[parent[start:stop] >= 0]
        above = parent[level]
        # What a node has seen may be less than its children, if it had faded away: none goes over its parent's edge.
        span = np.minimum(width[level], x1[above] - x0[above])
        first = node[level] % 2 == 1
        x0[level] = np.where(first, x0[above], x1[above] - span)
        x1[level] = np.where(first, x0[above] + span, x1[above])
        if "begin" in columns:
            x0[level] = np.minimum(x0[above] + np.asarray(columns["begin"])[rows[level]], x1[above] - span)
            x1[level] = x0[level] + span
    return x0, x1


def _widest(width: NDArray[np.float64], limit: int) -> NDArray[np.intp]:
    """Positions of the ``limit`` widest placed cells.

    Widths never grow downwards and positions are sorted by depth, so a stable sort puts every cell behind its ancestors
    and any first part of it holds them all.
    """
    placed = np.flatnonzero(~np.isnan(width))
    if len(placed) <= limit:
        return placed
    return placed[np.argsort(-width[placed], kind="stable")[:limit]]
