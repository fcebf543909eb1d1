"""The picture of a forest: what evidence the cells of its trees keep, from before a mark and from after it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

import numpy as np
import param
from numpy.typing import NDArray

from streamlab._checks import counted, percent
from streamlab.lab.events import ALARM
from streamlab.learners.base.fading import most_held
from streamlab.views.kit.columns import UNIT, Column, ColumnTable
from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.details import MOST_TEST, bars, facts, hint, how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import as_html, numbered

if TYPE_CHECKING:
    from streamlab.schema import Schema


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
        If a column is missing, or columns differ in length.
    """
    count = FOREST_CELLS.check(columns, NEEDED)
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


class ForestView(PictureView):
    """An ensemble of trees: one large, with the way of the latest row, and under it each as a small bar.

    Width is a node's share of its tree's rows, the filled height the evidence that it keeps. What is from before the
    mark is hatched, what is from after it solid. Hover describes a node, a click or Enter selects it; a click on a bar,
    or Page Up and Page Down, chooses the tree that is large.

    ``show`` takes a row per node, as :func:`layout` takes them, and in ``drawn.extra``: ``half_life``, instances after
    which half of the evidence has faded (None or ``inf``: nothing fades); ``n_trees``, also those without a node yet;
    ``trees``, what each is called and does, where they have names;
    ``height``, levels that the trees can have; ``full``, instances whose evidence fills a root; ``mark``, None or
    ``{"row", "drift", "since"}``: the row that parts old from new, the number of the drift that began there (0: people
    marked it) and how many rows ago that was; ``share``, how much of the evidence of all trees is from before it, 0..1.
    """

    empty_text = param.String(default="No node yet: press play", doc="Shown while there is no node.")

    tree = param.Integer(
        default=None, allow_None=True, bounds=(0, None),
        doc="The tree that is large, from 0; set by the user. None: of trees that are replaced the one of most rows.",
    )  # fmt: skip

    cell = param.Tuple(default=None, allow_None=True, length=2, doc="(tree, heap index) of the selected node, or None.")

    table = FOREST_CELLS

    _bundle = bundled("forest")

    # It concerns other views, and stays in Python.
    _rename: ClassVar[Mapping[str, str | None]] = {"cell": None}

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._columns: Mapping[str, Any] = {}
        self._follows = False

    @param.depends("selected", watch=True)
    def _say_cell(self) -> None:
        """Say where the selected node is, for views of other learners that have it too."""
        if not self._follows:
            at = [] if self.selected is None or not self._columns else self._columns["id"] == self.selected
            places = [(int(self._columns["tree"][i]), int(self._columns["node"][i])) for i in np.flatnonzero(at)]
            self.cell = places[0] if places else None

    @param.depends("cell", watch=True)
    def _follow_cell(self) -> None:
        """Select the node at this place, if there is one."""
        chosen = None
        if self.cell is not None and self._columns:
            tree, node = self.cell
            at = np.flatnonzero((self._columns["tree"] == tree) & (self._columns["node"] == node))
            chosen = int(self._columns["id"][at[0]]) if len(at) else None
        self._follows = True
        try:
            self.selected = chosen
        finally:
            self._follows = False

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state of the ensemble; see :meth:`PictureView.show`."""
        self._columns = {name: drawn.columns[name] for name in ("id", "tree", "node")}
        cells = layout(drawn.columns)
        half_life, height = drawn.extra["half_life"], int(drawn.extra["height"])
        fades = half_life is not None and np.isfinite(half_life)
        header = {
            **self._header(drawn, playing),
            "n_trees": int(drawn.extra["n_trees"]),
            "trees": [list(each) for each in drawn.extra.get("trees", ())],
            "height": height,
            "drawn_depth": min(MAX_DEPTH, height - 1),
            "full": float(drawn.extra["full"]),
            "share": float(drawn.extra["share"]),
            "mark": None if drawn.extra["mark"] is None else dict(drawn.extra["mark"]),
            "begun": list(drawn.extra.get("begun", ())),
            "alarm": drawn.extra.get("alarm"),
            "half_life": float(half_life) if fades else None,
            "n_nodes": len(drawn.columns["id"]),
        }
        self._show(header, (FOREST_CELLS, cells))


# cells with a smaller share of their tree's rows are too narrow to be seen
MIN_SHARE = 0.004
# the same for the weight, which may have faded where many rows came by
MIN_WEIGHT = 0.0005


@runtime_checkable
class Forest(Protocol):
    """What a learner has to be drawn as a forest."""

    half_life: float
    n_trees: int
    height: int

    @property
    def now(self) -> int:
        """Rows learned."""

    def node_columns(self, max_depth: int | None = None, min_share: float = 0.0) -> dict[str, np.ndarray]:
        """Return the nodes down to a depth, of at least this share of all weight, a row per node."""

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what the details say of one of them; None if it has gone."""

    def evidence(self) -> tuple[float, float]:
        """Return the faded weight of a tree's rows now, and how much of it came before the last mark."""

    def path_of(self, x: Any) -> np.ndarray:
        """Return the ids of the nodes that a row, of shape (1, n_features), passes in all trees."""


class ForestPicture(Picture):
    """An ensemble of trees: what evidence each cell keeps, and how much of it is from before the latest mark.

    The learner has ``node_columns(max_depth, min_share)``, ``describe_node``, ``evidence``, ``path_of``, ``now``,
    ``half_life``, ``n_trees`` and ``height``, as ``SMART`` has them; where its trees are replaced, also
    ``started_within(rows)``, how many of how many trees began in the latest rows. ``describe_node`` may also say
    further ``facts``, by name. The mark is the run's (``Run.marked``): the beginning of the latest drift, or an instant
    that people marked.
    """

    contract: ClassVar[type] = Forest
    name: ClassVar[str] = "forest"
    title: ClassVar[str] = "Trees"
    order: ClassVar[int] = 20
    least_width: ClassVar[int] = 220
    linked: ClassVar[tuple[str, ...]] = ("tree", "cell")
    help: ClassVar[str] = how_to_read(
        "How to read the forest",
        "Each line is a level of one random tree, its root on top; a row passes one cell of each level. The wider a "
        "cell, the more rows came by; the fuller, the more evidence it holds. A full root holds as much as fading lets "
        "it keep, or all rows so far where nothing fades.",
        "After a drift, what was learned before it is hatched and what is learned after it solid. Where evidence "
        "fades, the hatching drains away; where nothing fades, as in River's forests, it stays and goes on answering. "
        "The trees of River's adaptive forests and of bagging are drawn so, too; those on the right, where there are "
        "any, grow beside others since a warning.",
        act="Click a cell, or focus the picture and press Enter, to read about it here; a click on a small bar shows "
        "its tree.",
    )

    def fits(self, subject: Subject) -> bool:
        # an ensemble of River's trees is drawn as lines, too
        return super().fits(subject) or bool(getattr(subject.learner, "is_of_trees", False))

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        learner = cast("Forest", subject.learner)
        mark = subject.run.marked
        change = None
        if mark is not None:
            change = {"row": mark.row, "drift": mark.drift, "since": subject.run.position - mark.row}
        held, before = learner.evidence()
        columns = learner.node_columns(MAX_DEPTH, MIN_WEIGHT)
        full = full_height(learner.half_life, columns)
        columns = evidence_columns(columns, full, is_marked=mark is not None)
        columns["lit"] = np.isin(columns["id"], _path(subject))
        extra = {
            "half_life": learner.half_life,
            "n_trees": learner.n_trees,
            "trees": getattr(learner, "tree_words", []),
            "height": learner.height,
            "full": full,
            "share": before / held if held and mark is not None else 0.0,
            "mark": change,
            "alarm": _latest_alarm(subject) if mark is None else None,
        }
        if hasattr(learner, "started_within"):
            extra["begun"] = learner.started_within(0 if change is None else change["since"])
        story = None if selection is None else learner.describe_node(selection)
        if story is not None:
            story = {**story, "mark": change, "half_life": learner.half_life}
        return Drawn(subject.name, learner.now, columns, extra, story)

    def view(self, schema: Schema, **options: Any) -> ForestView:
        return ForestView(labels=list(schema.labels), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return forest_details(subject, story)


def full_height(half_life: float, columns: Mapping[str, np.ndarray]) -> float:
    """Return how many rows' worth of evidence the root of a full tree holds.

    That is as much as fading lets it keep, or all rows so far where they are fewer.
    """
    roots = columns["depth"] == 0
    rows = float(columns["seen"][roots].max()) if roots.any() else 1.0
    return min(most_held(half_life), max(rows, 1.0))


def evidence_columns(columns: Mapping[str, np.ndarray], full: float, *, is_marked: bool) -> dict[str, np.ndarray]:
    """Return the columns of nodes that are drawn, with ``share``, ``fill`` and ``before`` instead of the learner's.

    Parameters
    ----------
    columns
        As ``SMART.node_columns`` returns them.
    full
        Rows' worth of evidence that fill a root.
    is_marked
        Whether there is a mark; else nothing is from before it.

    Returns
    -------
    dict of arrays
        ``share``, of the tree's rows that ever came by, 0..1: the width; ``fill``, the evidence that a cell keeps of
        what fills one of its width, 0..1: the height; ``before``, how much of that is from before the mark, 0..1. Cells
        too narrow to be seen are left out. The filled area of a level is the evidence of its nodes.
    """
    n_trees = int(columns["tree"].max()) + 1 if len(columns["tree"]) else 0
    rows = np.ones(n_trees)
    roots = columns["depth"] == 0
    rows[columns["tree"][roots]] = columns["seen"][roots]
    share = columns["seen"] / rows[columns["tree"]]
    seen = share >= MIN_SHARE
    kept = {name: np.asarray(values)[seen] for name, values in columns.items()}
    weight = kept["weight"]
    kept["share"] = share[seen]
    # a tree that came later has had fewer rows: its root is as wide, and less full
    width = kept["share"]
    kept["fill"] = np.minimum(weight / (full * width), 1.0)
    kept["before"] = kept["before"] / weight if is_marked else np.zeros(len(weight))
    return kept


def _latest_alarm(subject: Subject) -> int | None:
    """Return the row of the learner's latest error alarm; None: there is none."""
    run = subject.run
    rows = [e.position for e in run.log if (e.kind, e.learner) == (ALARM, subject.name) and e.position <= run.position]
    return max(rows, default=None)


def _path(subject: Subject) -> np.ndarray:
    """Return the ids of the cells that the latest row passed."""
    last = subject.run.last
    if last is None:
        return np.zeros(0, np.int64)
    learner = cast("Forest", subject.learner)
    X = last[0]
    return learner.path_of(X if subject.run.stream.is_sparse else X[None])


def sign_of(mark: Mapping[str, Any]) -> str:
    """Return what a mark is called: ① for the first drift, ``row 1,500`` for one that people set."""
    drift = mark["drift"]
    if drift == 0:
        return f"row {mark['row']:,}"
    return numbered(drift)


def forest_details(subject: str, story: Mapping[str, Any] | None) -> str:
    """Return the details of ``SMART.describe_node`` as HTML; None: the node is gone."""
    if story is None:
        return hint("The selected cell is empty: all its evidence has faded.")
    mark, half_life = story["mark"], story["half_life"]
    before = f", <b>{percent(story['before'] / story['weight'])}</b> of it from before {sign_of(mark)}" if mark else ""
    entries = {"half fades in": f"{half_life:,.4g} rows" if math.isfinite(half_life) else "never: nothing fades"}
    # River's forests do not keep when a row came last
    if "age" in story:
        entries["last visited"] = "by the latest row" if story["age"] < 1 else f"{counted(story['age'], 'row')} ago"
    if "cardinality" in story:
        entries["labels per row"] = f"{story['cardinality']:.2f}"
    return (
        f"<h3>{as_html(subject)} · tree {story.get('called', story['tree'] + 1)}, level {story['depth'] + 1}</h3>"
        f"<p>{_way(story['rule'])} Of {story['seen']:,} that came it keeps the evidence of "
        f"<b>{story['weight']:,.1f} rows</b>{before}. Its answer:</p>"
        f"<div class='sl-details-parts'><div>{bars(story['labels'])}</div>"
        f"<div>{facts(entries | story.get('facts', {}))}</div></div>"
    )


def _way(rule: list[str]) -> str:
    """Return the path in words."""
    if not rule:
        return "Every row comes here: it is the root."
    return "Rows come here if " + ", then ".join(f"<b>{as_html(test, MOST_TEST)}</b>" for test in rule) + "."
