"""Places for the nodes of a tree whose nodes may compete with others, and the view whose nodes the user folds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
import param
from numpy.typing import NDArray

from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import MOST_WHOLE, PictureView
from streamlab.views.kit.picture import Drawn

MAX_NODES = 400
PLACED = ColumnTable(
    "node",
    Column("id", "id", "never reused"),
    Column("parent", "i2", "id of the parent, -1 for a root"),
    Column("competes_with", "i2", "id of the node that an alternate's root competes with, else -1"),
    Column("branch", "i2", "place under the parent, from 0 on the left"),
    Column("weight", "f4", "instances"),
)
"""Columns that :func:`tree_layout` cannot do without."""


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
        If a column is missing, or columns differ in length.
    """
    PLACED.check(columns)
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
            # whatever its parent: it may be that of the node that it competes with, whose place it is to take
            self.is_alternate[row] = rival[row] >= 0
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


class FoldingView(PictureView):
    """A picture whose nodes the user folds and unfolds.

    The columns last shown are kept, so that a fold is drawn at once, also while the run rests. A subclass says in
    :meth:`_travelling` what travels of the nodes that :func:`tree_layout` chose. ``collapsed`` is to be set from the
    Bokeh document's thread.
    """

    collapsed = param.List(default=[], item_type=int, doc="ids of nodes with what is below them folded; by the user.")

    max_nodes: ClassVar[int] = MAX_NODES
    """Most nodes drawn."""

    breadth = param.Number(default=0.0, doc="How wide what is drawn is, in node distances; set by show().")

    # These concern the choice of nodes, and its room, and stay in Python.
    _rename: ClassVar[Mapping[str, str | None]] = {"collapsed": None, "breadth": None}

    __abstract = True

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._columns: dict[str, NDArray[Any]] | None = None
        self._head: dict[str, Any] = {}

    def _keep(self, columns: Mapping[str, Any], header: Mapping[str, Any]) -> None:
        """Check, copy, choose the nodes and send them."""
        needed = tuple(dict.fromkeys([*PLACED.needed, *self.table.needed]))
        self.table.check(columns, needed)
        optional = [each.name for each in self.table.columns.values() if each.optional and each.name in columns]
        self._columns = {name: np.array(columns[name]) for name in (*needed, *optional)}
        self._head = dict(header)
        self._choose()

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state without the nodes below a folded node and those beyond ``max_nodes``.

        Parameters
        ----------
        drawn
            What the picture's ``columns`` made of the learner. It is copied.
        playing
            Whether more will come soon.

        Raises
        ------
        ValueError
            If a column is missing or columns differ in length.
        """
        self._keep(drawn.columns, {**self._header(drawn, playing), **drawn.extra})

    def _choose(self) -> None:
        assert self._columns is not None, "columns were shown"
        nodes = tree_layout(self._columns, max_nodes=self.max_nodes, collapsed=self.collapsed)
        self.breadth = float(nodes["x"].max(initial=0.0) - nodes["x"].min(initial=0.0))
        header = {"n_nodes": len(self._columns["id"]), **self._head}
        self._show(header, (self.table, self._travelling(self._columns, nodes)))

    @classmethod
    def _travelling(
        cls, columns: Mapping[str, NDArray[Any]], nodes: Mapping[str, NDArray[Any]]
    ) -> dict[str, NDArray[Any]]:
        """Columns of the nodes drawn: those of the learner in their rows, and those of the layout."""
        given = {name: columns[name][nodes["row"]] for name in cls.table.columns if name in columns}
        return given | {name: nodes[name] for name in cls.table.columns if name in nodes}

    @param.depends("collapsed", watch=True)
    def _choose_again(self) -> None:
        if self._columns is not None:
            self._choose()

    def _handle_msg(self, data: Any) -> None:
        """What the browser says; besides what every frame component hears: fold or unfold a node."""
        if data.get("kind") != "collapse":
            super()._handle_msg(data)
            return
        node = data.get("id")
        if not isinstance(node, int) or isinstance(node, bool) or abs(node) > MOST_WHOLE:
            self._refusals.report("a node to fold", node)
            return
        without = [each for each in self.collapsed if each != node]
        self.collapsed = without if node in self.collapsed else [*without, node]
