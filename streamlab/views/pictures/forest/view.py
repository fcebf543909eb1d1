"""The fading view: SMART's trees as strips of cells that show what is fresh, what fades and what is gone.

:func:`layout` turns a snapshot's node columns into cell positions, :class:`FadingView` sends them to the browser, where
``js/fading.js`` draws them. The other views that draw on their own canvas use :class:`FrameComponent`, :func:`pack` and
:func:`javascript` from here.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import param
from numpy.typing import ArrayLike, NDArray
from panel.custom import JSComponent
from panel.io.state import set_curdoc

__all__ = ["FadingView", "FrameComponent", "javascript", "layout", "pack"]

MAX_DEPTH = 7
MAX_CELLS = 1500
NEEDED = ("id", "tree", "node", "parent", "depth", "weight", "share", "age", "retained", "top")
"""Columns that :func:`layout` cannot do without; ``cardinality`` is passed on when it is there."""

UNIT = 65535
"""Scale of shares in 0..1 that travel as 16-bit fixed point: a step is 0.0015 %."""

ANSWER_TIMEOUT_S = 2.0
"""A frame whose receipt nobody confirmed for this long is taken as lost (the page went, the connection broke)."""

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./[\w.]+";\n', re.MULTILINE)


@cache
def javascript(name: str) -> str:
    """One self-contained ES module: the text of ``js/theme.js`` followed by that of ``js/<name>.js``.

    Parameters
    ----------
    name
        ``"fading"`` or ``"labels"``. The module exports ``createFadingView`` or ``createLabelView``, which need neither
        Panel nor any address outside the page, and ``render``, which Panel calls.
    """
    folder = resources.files("streamlab.views") / "js"
    texts = [(folder / f"{part}.js").read_text(encoding="utf-8") for part in ("theme", name)]
    return "\n".join(_IMPORT.sub("", text) for text in texts)


def pack(columns: Sequence[tuple[str, ArrayLike, str, int]]) -> tuple[list[list[Any]], bytes]:
    """Put columns into one binary buffer, the cheapest message there is (one buffer costs one header, ten cost ten).

    Parameters
    ----------
    columns
        Per column its name, its values, the item type on the wire (``"f8"``, ``"f4"``, ``"u4"``, ``"u2"``, ``"i2"``
        or ``"u1"``) and a scale: the values are multiplied by it and, for an integer type, rounded and clipped to the
        type's range.

    Returns
    -------
    spec, buffer
        ``spec`` has ``[name, item type, length, scale]`` per column in buffer order, widest items first, so that each
        column begins at a multiple of its item size; ``buffer`` is little-endian. ``unpack`` in ``js/theme.js`` reads
        both.
    """
    spec: list[list[Any]] = []
    parts: list[bytes] = []
    for name, values, kind, scale in sorted(columns, key=lambda column: -int(column[2][1])):
        array = np.asarray(values)
        if scale != 1:
            array = array * scale
        if kind[0] != "f" and array.dtype.kind == "f":
            array = np.rint(array)
        if kind[0] != "f":
            limits = np.iinfo(kind)
            array = np.clip(array, limits.min, limits.max)
        spec.append([name, kind, int(array.size), scale])
        parts.append(array.astype(f"<{kind}").tobytes())
    return spec, b"".join(parts)


def layout(
    columns: Mapping[str, NDArray[Any]], *, max_depth: int = MAX_DEPTH, max_cells: int = MAX_CELLS
) -> dict[str, NDArray[Any]]:
    """Place nodes in the strips of their trees.

    A cell is as wide as its share of its tree's weight. The child ``2i+1`` begins where its parent begins, the child
    ``2i+2`` ends where its parent ends; what is free between them is weight that ended in the parent.

    Parameters
    ----------
    columns
        Arrays of equal length, a row per node in any order: ``id`` (int, unique, never reused), ``tree`` (from 0),
        ``node`` (heap index: root 0, the children of ``i`` are ``2i+1`` and ``2i+2``), ``parent`` (``id`` of the
        parent, -1 for a root), ``depth`` (root 0), ``weight`` (faded, instances), ``share`` (of the tree's weight,
        0..1), ``age`` (ticks since the last update), ``retained`` (weight kept of all ever received, 0..1), ``top``
        (index of the commonest label, or -1), and optionally ``cardinality`` (labels per instance).
    max_depth
        Deepest level drawn, default 7: below it, cells of a strip 260 px wide are thinner than 2 px.
    max_cells
        Most cells drawn, default 1500. The widest are kept, and each with all its ancestors.

    Returns
    -------
    dict of arrays of shape (n_cells,)
        ``id``, ``tree``, ``depth``, ``x0``, ``x1`` (0..1, float64), ``retained``, ``age``, ``weight``, ``top``,
        ``cardinality`` where given, and ``row``, the index into ``columns``; sorted by tree, depth and place. Nodes
        whose parent is not among the rows are left out, with all below them.

    Raises
    ------
    ValueError
        If a column is missing, columns differ in length, or ``max_depth`` or ``max_cells`` is negative.
    """
    count = _check(columns, max_depth, max_cells)
    depth = np.asarray(columns["depth"])
    rows = np.flatnonzero(depth <= max_depth) if count else np.zeros(0, dtype=np.intp)
    rows = rows[np.argsort(depth[rows].astype(np.uint8), kind="stable")]
    x0, x1, parent = _place(columns, rows)
    kept = _widest(x1 - x0, parent, max_cells)
    tree, depth = np.asarray(columns["tree"])[rows[kept]], depth[rows[kept]]
    kept = kept[np.lexsort((x0[kept], depth, tree))]
    rows = rows[kept]
    cells = {"row": rows, "x0": x0[kept], "x1": x1[kept]}
    for name in ("id", "tree", "depth", "retained", "age", "weight", "top", "cardinality"):
        if name in columns:
            cells[name] = np.asarray(columns[name])[rows]
    return cells


def _check(columns: Mapping[str, NDArray[Any]], max_depth: int, max_cells: int) -> int:
    """Number of rows; ValueError if the columns do not make a table."""
    missing = [name for name in NEEDED if name not in columns]
    if missing:
        raise ValueError(f"columns: missing {', '.join(missing)}; a row per node needs {', '.join(NEEDED)}")
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"columns: lengths differ: {lengths}")
    if not 0 <= max_depth <= 255:
        raise ValueError(f"max_depth: {max_depth} is not in 0..255")
    if max_cells < 0:
        raise ValueError(f"max_cells: {max_cells} is negative")
    return lengths["id"]


def _place(columns: Mapping[str, NDArray[Any]], rows: NDArray[np.intp]) -> tuple[NDArray[Any], ...]:
    """Left and right edge, and the parent's position in ``rows``, which are sorted by depth; no parent: NaN and -1."""
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
        # Rounding in the weights must not push a child over its parent's edge.
        span = np.minimum(width[level], x1[above] - x0[above])
        first = node[level] % 2 == 1
        x0[level] = np.where(first, x0[above], x1[above] - span)
        x1[level] = np.where(first, x0[above] + span, x1[above])
    return x0, x1, parent


def _widest(width: NDArray[np.float64], parent: NDArray[np.intp], limit: int) -> NDArray[np.intp]:
    """Positions of the ``limit`` widest placed cells.

    Widths never grow downwards and positions are sorted by depth, so a stable sort puts every cell behind its ancestors
    and any first part of it holds them all.
    """
    placed = np.flatnonzero(~np.isnan(width))
    if len(placed) <= limit:
        return placed
    return placed[np.argsort(-width[placed], kind="stable")[:limit]]


class FrameComponent(JSComponent):
    """A component to which whole pictures are sent as binary messages, the newest only.

    A frame is sent when the browser has confirmed the one before; frames that come in the meantime replace each other.
    So a slow connection shows fewer frames, never old ones. The last frame is kept for pages that render late or
    reconnect.
    """

    dark = param.Boolean(default=False, doc="Colours for a dark surface.")

    __abstract = True

    def __init__(self, **params: Any) -> None:
        params.setdefault("sizing_mode", "stretch_width")
        super().__init__(**params)
        self._frame: dict[str, Any] | None = None
        self._number = 0
        self._sent = 0
        self._waiting = False
        self._sent_at = 0.0

    def _show(self, header: dict[str, Any], columns: Sequence[tuple[str, ArrayLike, str, int]]) -> None:
        """Keep the frame and send it, or let it wait for the browser."""
        spec, buffer = pack(columns)
        # an empty binary message never arrives, and everything sent after it is misread
        buffer = buffer or b"\0"
        self._number += 1
        self._frame = {"kind": "frame", "number": self._number, **header, "spec": spec, "buffer": buffer}
        if not self._models or (self._waiting and time.monotonic() - self._sent_at < ANSWER_TIMEOUT_S):
            return
        self._send_frame()

    def _send_frame(self) -> None:
        self._waiting, self._sent, self._sent_at = True, self._number, time.monotonic()
        self._send_msg(self._frame)

    def _process_bokeh_event(self, doc: Any, event: Any) -> None:
        """Hear the browser without Panel's record of who is busy: 0.8 ms a message, some thirty times a second."""
        with set_curdoc(doc):
            self._process_event(event)

    def _handle_msg(self, data: Any) -> None:
        """What the browser says: that it is there, or that it received the frame of a number."""
        if self._frame is None:
            return
        if data.get("kind") == "received" and data.get("number") == self._sent:
            self._waiting = False
            if self._sent != self._number:
                self._send_frame()
        elif data.get("kind") == "ready":
            self._send_frame()


class FadingView(FrameComponent):
    """Every tree of an ensemble as a strip of cells, root on top, that shows remaining weight and age of each node.

    Width is a node's share of its tree's weight, colour its age in half-lives, the bar in it the share of weight kept
    (on a logarithmic scale, 100 % to 0.1 %). Hover describes a node, a click or Enter selects it.

    Call :meth:`show` from the Bokeh document's thread.
    """

    labels = param.List(default=[], item_type=str, doc="Label names, by index, for the descriptions.")

    selected = param.Integer(default=None, allow_None=True, doc="id of the selected node, or None; set by the user.")

    empty_text = param.String(default="No node yet: press play", doc="Shown while there is no node.")

    max_depth = param.Integer(default=MAX_DEPTH, bounds=(0, 20), doc="Deepest level drawn.")

    max_cells = param.Integer(default=MAX_CELLS, bounds=(1, 20_000), doc="Most cells drawn.")

    _esm = javascript("fading")

    # These two concern the layout alone and stay in Python.
    _rename: ClassVar[Mapping[str, str | None]] = {"max_depth": None, "max_cells": None}

    def show(
        self,
        columns: Mapping[str, NDArray[Any]],
        *,
        half_life: float | None,
        now: int,
        n_trees: int,
        height: int,
    ) -> None:
        """Draw this state of the ensemble.

        Parameters
        ----------
        columns
            A row per node, as :func:`layout` takes them. They are copied.
        half_life
            Instances after which a node that is left alone has half its weight; None or ``inf``: nothing fades, and
            colour is the age as a share of the stream so far.
        now
            Instances seen.
        n_trees
            Strips, also those without a node yet.
        height
            Depth of the deepest level that the trees can have.
        """
        cells = layout(columns, max_depth=self.max_depth, max_cells=self.max_cells)
        fades = half_life is not None and np.isfinite(half_life)
        header = {
            "n_trees": int(n_trees),
            "height": int(height),
            "drawn_depth": int(min(self.max_depth, height)),
            "half_life": float(half_life) if fades else None,
            "now": int(now),
            "n_nodes": len(columns["id"]),
        }
        self._show(header, _wire(cells))


def _wire(cells: Mapping[str, NDArray[Any]]) -> list[tuple[str, ArrayLike, str, int]]:
    """Cell columns with their type on the wire: 25 bytes a cell, 29 once an id exceeds 32 bits."""
    small = not len(cells["id"]) or int(cells["id"].max()) < 2**32
    columns: list[tuple[str, ArrayLike, str, int]] = [
        ("id", cells["id"], "u4" if small else "f8", 1),
        ("age", cells["age"], "f4", 1),
        ("weight", cells["weight"], "f4", 1),
        ("tree", cells["tree"], "u2", 1),
        ("x0", cells["x0"], "u2", UNIT),
        ("x1", cells["x1"], "u2", UNIT),
        ("retained", cells["retained"], "u2", UNIT),
        ("top", cells["top"], "i2", 1),
        ("depth", cells["depth"], "u1", 1),
    ]
    if "cardinality" in cells:
        columns.append(("cardinality", cells["cardinality"], "u2", 256))
    return columns
