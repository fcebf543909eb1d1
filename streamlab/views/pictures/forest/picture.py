"""The forest as the page asks for it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

import numpy as np

from streamlab._checks import counted, percent
from streamlab.lab.events import ALARM
from streamlab.views.kit.details import MOST_TEST, bars, facts, hint, how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import as_html, numbered
from streamlab.views.pictures.forest.layout import MAX_DEPTH
from streamlab.views.pictures.forest.view import ForestView

if TYPE_CHECKING:
    from streamlab.schema import Schema

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
    ``begun_within(rows)``, how many of how many trees began in the latest rows. ``describe_node`` may also say of
    which cells its tree mixes the answer (``answer``, names and shares), and further ``facts``, by name. The mark is
    the run's (``Run.marked``): the beginning of the latest drift, or an instant that people marked.
    """

    contract: ClassVar[type] = Forest
    name: ClassVar[str] = "forest"
    title: ClassVar[str] = "Trees"
    order: ClassVar[int] = 20
    says_learner: ClassVar[bool] = True
    least_width: ClassVar[int] = 220
    linked: ClassVar[tuple[str, ...]] = ("tree", "cell")
    help: ClassVar[str] = how_to_read(
        "How to read the forest",
        "Each line is a level of one random tree, its root on top; a row passes one cell of each level. The wider a "
        "cell, the more rows came by; the fuller, the more evidence it holds. A full root holds as much as fading lets "
        "it keep, or all rows so far where nothing fades.",
        "After a drift, what was learned before it is hatched and what is learned after it solid. Where evidence "
        "fades, the hatching drains away; where nothing fades, as in River's Mondrian forest, it stays and goes on "
        "answering. The trees of River's adaptive forests and of bagging are drawn so, too; those on the right, where "
        "there are any, grow beside others since a warning.",
        act="Click a cell, or focus the picture and press Enter, to read about it here; a click on a small bar shows "
        "its tree.",
    )

    def fits(self, subject: Subject) -> bool:
        # an ensemble of River's trees is drawn as lines, too
        return super().fits(subject) or bool(getattr(subject.learner, "is_of_trees", False))

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        learner = cast("Forest", subject.learner)
        mark = subject.run.marked
        told = None
        if mark is not None:
            told = {"row": mark.row, "drift": mark.drift, "since": subject.run.position - mark.row}
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
            "mark": told,
            "alarm": _latest_alarm(subject) if mark is None else None,
        }
        if hasattr(learner, "begun_within"):
            extra["begun"] = learner.begun_within(0 if told is None else told["since"])
        story = None if selection is None else learner.describe_node(selection)
        if story is not None:
            story = {**story, "mark": told, "half_life": learner.half_life}
        return Drawn(subject.name, learner.now, columns, extra, story)

    def view(self, schema: Schema, **options: Any) -> ForestView:
        return ForestView(labels=list(schema.labels), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return forest_details(subject, story)


def full_height(half_life: float, columns: Mapping[str, np.ndarray]) -> float:
    """Return how many rows' worth of evidence the root of a full tree holds.

    That is as much as fading lets it keep, 1/(1 - 2^(-1/half_life)), or all rows so far where they are fewer or nothing
    fades.
    """
    roots = columns["depth"] == 0
    rows = float(columns["seen"][roots].max()) if roots.any() else 1.0
    kept = 1.0 / -np.expm1(-np.log(2.0) / half_life) if np.isfinite(half_life) else np.inf
    return float(min(kept, max(rows, 1.0)))


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
    told = {"half fades in": f"{half_life:,.4g} rows" if math.isfinite(half_life) else "never: nothing fades"}
    # River's forests do not keep when a row came last
    if "age" in story:
        told["last visited"] = "by the latest row" if story["age"] < 1 else f"{counted(story['age'], 'row')} ago"
    if "cardinality" in story:
        told["labels per row"] = f"{story['cardinality']:.2f}"
    mixed = f"<p>Its tree answers a row that comes here with</p>{bars(story['answer'])}" if "answer" in story else ""
    return (
        f"<h3>{as_html(subject)} · tree {story.get('called', story['tree'] + 1)}, level {story['depth'] + 1}</h3>"
        f"<p>{_way(story['rule'])} Of {story['seen']:,} that came it keeps the evidence of "
        f"<b>{story['weight']:,.1f} rows</b>{before}. Its answer:</p>"
        f"<div class='sl-details-parts'><div>{bars(story['labels'])}</div>"
        f"<div>{mixed}{facts(told | story.get('facts', {}))}</div></div>"
    )


def _way(rule: list[str]) -> str:
    """Return the path in words."""
    if not rule:
        return "Every row comes here: it is the root."
    return "Rows come here if " + ", then ".join(f"<b>{as_html(test, MOST_TEST)}</b>" for test in rule) + "."
