"""The tree view: a growing Hoeffding tree as a picture that grows with it, alternates as ghosts beside their rivals.

:func:`tree_layout` turns a snapshot's node columns into places, :class:`TreeView` sends them to the browser, where
``js/tree.js`` draws them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param
from numpy.typing import ArrayLike, NDArray

from streamlab.views.pictures.forest.view import FrameComponent, javascript

__all__ = ["TreeView", "tree_layout"]

MAX_NODES = 400
PLACED = ("id", "parent", "competes_with", "branch", "weight")
"""Columns that :func:`tree_layout` cannot do without."""

DRAWN = (
    *PLACED,
    *("is_leaf", "background", "depth", "feature", "is_nominal", "threshold", "weight_recent", "error", "entropy"),
    *("n_labelsets", "regime", "top", "active"),
)
"""Columns that :meth:`TreeView.show` cannot do without."""

LEAF, BACKGROUND, NOMINAL, ACTIVE, SECOND, COLLAPSED = (1 << bit for bit in range(6))
"""Bits of the column ``flags`` on the wire; ``js/tree.js`` reads them."""


def tree_layout(
    columns: Mapping[str, NDArray[Any]], *, max_nodes: int = MAX_NODES, collapsed: Iterable[int] = ()
) -> dict[str, NDArray[Any]]:
    """Place the nodes of a tree and of its alternates, tidily.

    Children stand one row below their parent and the parent in the middle above them; subtrees stand as close as they
    can without any two nodes of a row coming closer than 1, whatever their depth (Reingold and Tilford's contours); a
    subtree looks the same wherever it hangs. An alternate stands to the right of the node that it competes with, its
    root in the same row and nothing between the two.

    Parameters
    ----------
    columns
        Arrays of equal length, a row per node in any order: ``id`` (int, unique, never reused), ``parent`` (``id`` of
        the parent, -1 for a root), ``competes_with`` (for an alternate's root the ``id`` of the node that it duels
        with, else -1), ``branch`` (0: left under its parent, 1: right) and ``weight`` (instances).
    max_nodes
        Most nodes drawn, default 400. The heaviest are kept, each with all its ancestors; an alternate also with the
        node that it competes with.
    collapsed
        ``id`` of nodes whose children are not drawn, nor what is below them. An alternate that competes with such a
        node itself stays. Unknown ids do no harm.

    Returns
    -------
    dict of arrays of shape (n_drawn,)
        ``id``; ``row``, the index into ``columns``; ``x`` (float64, in node distances, 0 at the first root) and ``y``
        (int, rows below the root); ``parent`` and ``rival``, places in these arrays of the parent and of the node that
        an alternate's root competes with (-1: none); ``folded``, how many nodes that are not drawn have this one as
        their nearest drawn ancestor; ``collapsed`` (bool), whether ``collapsed`` asks for that. In depth-first order:
        a node before all below it, left before right, and the alternates of a node after all below it. Nodes whose
        parent, or whose rival, is not among the rows are left out, with all below them.

    Raises
    ------
    ValueError
        If a column is missing, columns differ in length, or ``max_nodes`` is negative.
    """
    _check(columns, PLACED)
    if max_nodes < 0:
        raise ValueError(f"max_nodes: {max_nodes} is negative")
    forest = _Forest(columns)
    ids = forest.ids
    wanted = set(map(int, collapsed))
    shut = {row for row, each in enumerate(ids) if each in wanted}
    drawn, folded = forest.choose(max_nodes, shut)
    x, y = forest.place(drawn)
    place = {row: i for i, row in enumerate(drawn)}
    above = [place.get(forest.up[row], -1) for row in drawn]
    aside = [forest.is_alternate[row] for row in drawn]
    return {
        "id": np.array([ids[row] for row in drawn], dtype=np.int64),
        "row": np.array(drawn, dtype=np.intp),
        "x": np.array(x, dtype=np.float64),
        "y": np.array(y, dtype=np.int64),
        "parent": np.array([-1 if ghost else i for i, ghost in zip(above, aside, strict=True)], dtype=np.int64),
        "rival": np.array([i if ghost else -1 for i, ghost in zip(above, aside, strict=True)], dtype=np.int64),
        "folded": np.array([folded[row] for row in drawn], dtype=np.int64),
        "collapsed": np.array([row in shut and folded[row] > 0 for row in drawn], dtype=bool),
    }


def _check(columns: Mapping[str, NDArray[Any]], needed: Sequence[str]) -> None:
    """ValueError if the columns do not make a table."""
    missing = [name for name in needed if name not in columns]
    if missing:
        raise ValueError(f"columns: missing {', '.join(missing)}; a row per node needs {', '.join(needed)}")
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"columns: lengths differ: {lengths}")


class _Forest:
    """Who hangs where, by row. ``up`` of an alternate's root is its rival, so that every node has one way to a root."""

    def __init__(self, columns: Mapping[str, NDArray[Any]]) -> None:
        self.ids, parent, rival, branch = (
            np.asarray(columns[name]).astype(np.int64).tolist() for name in ("id", "parent", "competes_with", "branch")
        )
        weight = np.nan_to_num(np.asarray(columns["weight"], dtype=np.float64))
        count = len(self.ids)
        row_of = {each: row for row, each in enumerate(self.ids)}
        self.up = [-1] * count
        self.is_alternate = [False] * count
        self.children: list[list[int]] = [[] for _ in range(count)]
        self.alternates: list[list[int]] = [[] for _ in range(count)]
        roots = []
        for row in sorted(range(count), key=lambda row: (branch[row], self.ids[row])):
            self.is_alternate[row] = parent[row] < 0 <= rival[row]
            if parent[row] < 0 and not self.is_alternate[row]:
                roots.append(row)
                continue
            above = row_of.get(rival[row] if self.is_alternate[row] else parent[row], -1)
            self.up[row] = above
            if above >= 0:
                (self.alternates if self.is_alternate[row] else self.children)[above].append(row)
        self.order = self._walk(roots)
        self.weight = weight.tolist()

    def _walk(self, roots: list[int]) -> list[int]:
        """Depth-first order of all that hangs together; without recursion, for a tree may be deep."""
        order, stack = [], roots[::-1]
        while stack:
            row = stack.pop()
            order.append(row)
            stack += self.alternates[row][::-1]
            stack += self.children[row][::-1]
        return order

    def choose(self, limit: int, shut: set[int]) -> tuple[list[int], dict[int, int]]:
        """The rows to draw, in depth-first order, and for each how many nodes it stands for."""
        visible = set()
        for row in self.order:
            above = self.up[row]
            if above < 0 or (above in visible and (self.is_alternate[row] or above not in shut)):
                visible.add(row)
        kept = [row for row in self.order if row in visible]
        if len(kept) > limit:
            # By the greatest weight in its subtree no node sorts behind a descendant: any first part has all ancestors.
            best = list(self.weight)
            for row in reversed(kept):
                if self.up[row] >= 0:
                    best[self.up[row]] = max(best[self.up[row]], best[row])
            kept = sorted(kept, key=lambda row: -best[row])[:limit]
        drawn = set(kept)
        folded = dict.fromkeys(drawn, 0)
        stands_for: dict[int, int] = {}
        for row in self.order:
            stands_for[row] = row if row in drawn else stands_for.get(self.up[row], -1)
            if row not in drawn and stands_for[row] >= 0:
                folded[stands_for[row]] += 1
        return [row for row in self.order if row in drawn], folded

    def place(self, drawn: list[int]) -> tuple[list[float], list[int]]:
        """Places of ``drawn``: from the leaves up relative to what each hangs on, then summed from the roots down."""
        outlines: dict[int, _Outline] = {}
        offset: dict[int, float] = {}
        roots = []
        for row in reversed(drawn):
            outline = _Outline()
            children = [child for child in self.children[row] if child in outlines]
            if children:
                outline = outlines.pop(children[0])
                places = [0.0, *(outline.beside(outlines.pop(child)) for child in children[1:])]
                middle = (places[0] + places[-1]) / 2
                offset |= {child: x - middle for child, x in zip(children, places, strict=True)}
                outline.crown(middle)
            for alternate in self.alternates[row]:
                if alternate in outlines:
                    offset[alternate] = outline.beside(outlines.pop(alternate))
            outlines[row] = outline
            if self.up[row] < 0:
                roots.append(row)
        if roots:
            row = roots.pop()
            outline, offset[row] = outlines[row], 0.0
            while roots:
                row = roots.pop()
                offset[row] = outline.beside(outlines[row])
        x: dict[int, float] = {}
        y: dict[int, int] = {}
        for row in drawn:
            above = self.up[row]
            x[row] = offset[row] + x.get(above, 0.0)
            y[row] = y[above] + (not self.is_alternate[row]) if above >= 0 else 0
        return list(x.values()), list(y.values())


class _Outline:
    """The leftmost and the rightmost place in each row of a part of the picture, deepest row first.

    Deepest first, for then a new top row is an append, and joining two parts touches only the rows that both have: the
    whole layout takes time in proportion to the nodes. ``shift`` is added to every number.
    """

    __slots__ = ("left", "right", "shift")

    def __init__(self) -> None:
        self.left, self.right, self.shift = [0.0], [0.0], 0.0

    def crown(self, x: float) -> None:
        """Put a node on top at ``x``, and count from there."""
        self.shift -= x
        self.left.append(-self.shift)
        self.right.append(-self.shift)

    def beside(self, other: _Outline) -> float:
        """Put another part to the right of this one, as near as can be; how far from this part's zero its zero is."""
        shared = min(len(self.left), len(other.left))
        mine, theirs = self.right[-shared:], other.left[-shared:]
        away = 1.0 + self.shift - other.shift + max(a - b for a, b in zip(mine, theirs, strict=True))
        shift = other.shift + away
        if len(self.left) >= len(other.left):
            self.right[-shared:] = [b + shift - self.shift for b in other.right[-shared:]]
        else:
            other.left[-shared:] = [a + self.shift - shift for a in self.left[-shared:]]
            self.left, self.right, self.shift = other.left, other.right, shift
        return away


class TreeView(FrameComponent):
    """A growing Hoeffding tree: its tests, its leaves with their error, and alternates as ghosts beside their rivals.

    Nodes keep their identity and glide to new places. A leaf's shape and colour tell how it predicts, its filling its
    error; an edge is as wide as its weight. Hover describes a node, a click or Enter selects it, a double click or the
    key C folds what is below it. Drag moves the picture; the buttons, or the wheel with Ctrl, zoom.

    Call :meth:`show`, and set ``collapsed`` and ``max_nodes``, from the Bokeh document's thread.
    """

    labels = param.List(default=[], item_type=str, doc="Label names, by index, for the descriptions.")

    features = param.List(default=[], item_type=str, doc="Feature names, by index; set by show().")

    categories = param.List(
        default=[], doc="By feature index: the list of that feature's category names, or None; may be short or empty."
    )

    selected = param.Integer(default=None, allow_None=True, doc="id of the selected node, or None; set by the user.")

    collapsed = param.List(default=[], item_type=int, doc="ids of nodes with their subtrees folded; set by the user.")

    empty_text = param.String(default="No node yet: press play", doc="Shown while there is no node.")

    max_nodes = param.Integer(default=MAX_NODES, bounds=(1, 10_000), doc="Most nodes drawn.")

    tree_height = param.Integer(default=440, bounds=(200, None), doc="Height of the picture, px; less on narrow pages.")

    _esm = javascript("tree")

    # These two concern the layout alone and stay in Python.
    _rename: ClassVar[Mapping[str, str | None]] = {"collapsed": None, "max_nodes": None}

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._columns: dict[str, NDArray[Any]] | None = None
        self._now = 0

    def show(self, columns: Mapping[str, NDArray[Any]], *, features: Sequence[str], now: int) -> None:
        """Draw this state of the tree.

        Parameters
        ----------
        columns
            A row per node, as :func:`tree_layout` takes them, and besides: ``is_leaf`` (bool), ``background`` (bool:
            of an alternate), ``depth`` (root 0), ``feature`` (index, -1 without a test), ``is_nominal`` (bool),
            ``threshold`` (number, or category index of a nominal feature; left if ``<=`` or ``=``), ``weight_recent``
            (instances), ``error`` (0..1, NaN: not known), ``entropy`` (of the labels), ``n_labelsets``, ``regime``
            (of a leaf: 0 none yet, 1 majority or one label set, 2 nearest neighbours, 3 bagging), ``top`` (index of
            the commonest label, or -1) and ``active`` (bool). They are copied.
        features
            Feature names, by index. They travel when they differ from those before.
        now
            Instances seen.

        Raises
        ------
        ValueError
            If a column is missing or columns differ in length.
        """
        _check(columns, DRAWN)
        self._columns = {name: np.array(columns[name]) for name in DRAWN}
        self._now = int(now)
        names = list(features)
        if names != self.features:
            self.features = names
        self._lay_out()

    def _lay_out(self) -> None:
        columns = self._columns
        nodes = tree_layout(columns, max_nodes=self.max_nodes, collapsed=self.collapsed)
        self._show({"now": self._now, "n_nodes": len(columns["id"])}, _wire(columns, nodes))

    @param.depends("collapsed", "max_nodes", watch=True)
    def _lay_out_again(self) -> None:
        if self._columns is not None:
            self._lay_out()

    def _handle_msg(self, data: Any) -> None:
        """What the browser says; besides what every frame component hears: fold or unfold a node."""
        if data.get("kind") != "collapse":
            super()._handle_msg(data)
            return
        node = int(data["id"])
        without = [each for each in self.collapsed if each != node]
        self.collapsed = without if node in self.collapsed else [*without, node]


def _wire(
    columns: Mapping[str, NDArray[Any]], nodes: Mapping[str, NDArray[Any]]
) -> list[tuple[str, ArrayLike, str, int]]:
    """Node columns with their type on the wire: 52 bytes a node, 56 once an id exceeds 32 bits."""
    rows = nodes["row"]
    is_on = {name: np.asarray(columns[name])[rows].astype(bool) for name in ("is_leaf", "background", "is_nominal")}
    flags = LEAF * is_on["is_leaf"] + BACKGROUND * is_on["background"] + NOMINAL * is_on["is_nominal"]
    flags = flags + ACTIVE * columns["active"][rows].astype(bool) + SECOND * (columns["branch"][rows] == 1)
    small = not len(rows) or int(nodes["id"].max()) < 2**32
    return [
        ("id", nodes["id"], "u4" if small else "f8", 1),
        ("x", nodes["x"], "f4", 1),
        *((name, columns[name][rows], "f4", 1) for name in ("feature", "threshold", "weight", "weight_recent")),
        *((name, columns[name][rows], "f4", 1) for name in ("error", "entropy")),
        ("n_labelsets", columns["n_labelsets"][rows], "u4", 1),
        ("folded", nodes["folded"], "u4", 1),
        ("y", nodes["y"], "u2", 1),
        ("depth", columns["depth"][rows], "u2", 1),
        ("parent", nodes["parent"], "i2", 1),
        ("rival", nodes["rival"], "i2", 1),
        ("top", columns["top"][rows], "i2", 1),
        ("flags", flags + COLLAPSED * nodes["collapsed"], "u1", 1),
        ("regime", columns["regime"][rows], "u1", 1),
    ]
