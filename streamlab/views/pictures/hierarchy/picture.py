"""The picture of a label hierarchy: its classes as a tree or as a sunburst, coloured by how well each is answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

import numpy as np
import param

from streamlab._checks import counted
from streamlab.schema import Hierarchy
from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import bundled
from streamlab.views.kit.details import hint, how_to_read, number
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import as_html, score_text
from streamlab.views.kit.tree_layout import FoldingView

if TYPE_CHECKING:
    from streamlab.lab import Run
    from streamlab.schema import Schema


OF_DESCENT = {"held": -1, "distance": np.nan, "normalised": np.nan, "stopped": False, "tied": False}
"""Columns of learners that go down the hierarchy, and their values for all others."""


@runtime_checkable
class Descent(Protocol):
    """What a learner has whose own way down the hierarchy is drawn; the picture shows any other learner without."""

    window: int

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return the columns ``OF_DESCENT``, ``true`` and ``predicted``, a row per label."""

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what the details say of one of them; None if there is no such label."""


def class_columns(run: Run, name: str) -> dict[str, np.ndarray]:
    """Return the classes of a run's hierarchy as copies, one entry a class, for any learner.

    Parameters
    ----------
    run
        A run on a stream whose labels have a hierarchy.
    name
        The learner.

    Returns
    -------
    dict of arrays of shape (n_labels,)
        ``id`` (the label's column), ``parent`` (-1 at the top; of several the first), ``depth``, ``is_leaf``;
        ``arrivals`` (instances so far) and ``weight`` (the same, faded); ``hp``, ``hr``, ``hf`` of the class and all
        below it, faded, NaN for 0/0; of the latest instance ``true`` and ``predicted`` (bool, ancestors included).
        Of a learner whose ``picture`` is ``"hierarchy"`` also ``held`` (examples that it keeps), ``distance``
        (average to the nearest, NaN where it was not asked for), ``normalised``, ``stopped``, ``tied`` as its
        ``node_columns`` has them, and then ``true`` and ``predicted`` are of the latest instance it has learned; of
        others -1, NaN and False. ``compared``: one of the classes between which it decided last, where it stopped or
        at its last step.
    """
    learner_run, tree = run.learner_runs[name], run.stream.schema.hierarchy
    records = learner_run.classes
    assert tree is not None, "the labels have a hierarchy"
    assert records is not None, "where there is a hierarchy, its classes are counted"
    learner: Any = learner_run.learner
    n = len(tree)
    columns = {
        "id": np.arange(n, dtype=np.int64),
        "parent": np.array([(tree.parents_of(c) or (-1,))[0] for c in range(n)], np.int64),
        "depth": np.array(tree.depths, np.int64),
        "is_leaf": np.isin(np.arange(n), tree.leaves),
        "arrivals": np.rint(run.labels.whole * run.labels.n).astype(np.int64),
        "weight": records.weight,
        **records.scores(),
        "true": _with_ancestors(tree, None if run.last is None else run.last[1]),
        "predicted": _with_ancestors(tree, learner_run.last_labels),
        **{key: np.full(n, value) for key, value in OF_DESCENT.items()},
    }
    if learner.picture == "hierarchy":
        known = learner.node_columns()
        for key in (*OF_DESCENT, "true", "predicted"):
            columns[key] = known[key]
    columns["compared"] = _compared(tree, columns)
    return columns


def _with_ancestors(tree: Hierarchy, labels: np.ndarray | None) -> np.ndarray:
    if labels is None:
        return np.zeros(len(tree), bool)
    return tree.with_ancestors(labels[None])[0].astype(bool)


def _compared(tree: Hierarchy, columns: dict[str, np.ndarray]) -> np.ndarray:
    """Mark the classes before which the learner stopped; else those that it compared at its last step."""
    if columns["stopped"].any():
        return columns["stopped"].copy()
    compared = np.zeros(len(tree), bool)
    ends = np.flatnonzero(tree.deepest(columns["predicted"][None])[0])
    for end in ends.tolist():
        for parent in tree.parents_of(end) or (-1,):
            compared[list(tree.children(parent))] = True
    return compared & ~np.isnan(columns["distance"])


def class_story(
    run: Run, name: str, column: int, columns: dict[str, np.ndarray] | None = None
) -> dict[str, Any] | None:
    """Return the details of one class for a learner, or None if there is no such class.

    Parameters
    ----------
    run, name
        As in ``class_columns``.
    column
        The label's column.
    columns
        What ``class_columns`` returned, where that is known already.

    Returns
    -------
    dict
        ``label``, ``paths`` (names, from the top down), ``children`` (names), what ``class_columns`` says of it,
        ``share`` of the recent instances, ``rivals``: the classes compared with it for the latest instance, as
        (name, distance) by distance; and where the learner keeps windows: ``window``, the size of one, ``windows``,
        how many of them hold the examples of the class, and ``error``, ``watched`` of its detector (None without one).
    """
    schema = run.stream.schema
    tree, names = schema.hierarchy, schema.labels
    assert tree is not None, "the labels have a hierarchy"
    if not 0 <= column < len(tree):
        return None
    learner: Any = run.learner_runs[name].learner
    columns = class_columns(run, name) if columns is None else columns
    own = learner.describe_node(column) or {} if learner.picture == "hierarchy" else {}
    beside = {c for parent in tree.parents_of(column) or (-1,) for c in tree.children(parent)}
    distances = columns["distance"]
    rivals = sorted((float(distances[c]), names[c]) for c in beside if not np.isnan(distances[c]))
    return {
        "label": names[column],
        "paths": [tuple(names[c] for c in path) for path in tree.paths_to(column)],
        "children": [names[c] for c in tree.children(column)],
        **{key: values[column].item() for key, values in columns.items()},
        "share": float(run.labels.now[column]),
        "rivals": [(rival, distance) for distance, rival in rivals],
        "window": int(learner.window) if own else None,
        "windows": own.get("windows", 1),
        "error": own.get("error"),
        "watched": own.get("watched"),
    }


SHAPES = ("tree", "sunburst")
MAX_CLASSES = 200

CLASSES = ColumnTable(
    "class",
    Column("id", "u4", "index of the label"),
    Column("parent", "i2", "index of the label above, -1 at the top; in the browser its place in these columns"),
    Column("depth", "u2", "0 at the top"),
    Column("folded", "u2", "classes below it that are not drawn", made=True),
    Column("weight", "f4", "recent arrivals"),
    Column("arrivals", "u4", "arrivals in all"),
    Column("hp", "f4", "recent hierarchical precision, 0..1, NaN while it is not known"),
    Column("hr", "f4", "recent hierarchical recall, likewise"),
    Column("hf", "f4", "recent hierarchical F1, likewise"),
    Column("held", "i4", "examples that the learner keeps of it, -1 without windows"),
    Column("distance", "f4", "from the latest instance, NaN if it was not asked for"),
    Column("normalised", "f4", "that distance as a share of the farthest, NaN likewise"),
    Column("is_leaf", "flag", "without a class below it"),
    Column("true", "flag", "the latest instance has it"),
    Column("predicted", "flag", "it was predicted for the latest instance"),
    Column("stopped", "flag", "the walk stopped before it"),
    Column("tied", "flag", "too near to its rivals to tell"),
    Column("compared", "flag", "compared in the last step of the walk"),
    Column("collapsed", "flag", "folded by the user", made=True),
)
"""43 bytes a class travel."""


class HierarchyView(FoldingView):
    """The classes of a hierarchy: each coloured by its recent hF and as large as it is frequent, the latest walk lit.

    As a tree or as a sunburst, as the user likes. The true path of the latest instance is a solid line, the predicted
    one a dashed line; where a walk stopped, the distances to the children between which it could not decide stand
    beside them. Hover describes a class, a click or Enter selects it, a double click or the key C folds what is below.

    ``show`` takes a row per class, as ``class_columns`` gives them. While ``playing``, the lit path changes about twice
    a second, so that it can be read.
    """

    more_parents = param.List(
        default=[], doc="Pairs (label, parent) of indices: the parents of a label beyond its first, where it has more."
    )

    shape: Any = param.Selector(default="tree", objects=list(SHAPES), doc="Tree or sunburst; set by the user.")

    empty_text = param.String(default="No instance yet: press play", doc="Shown while there is no instance.")

    max_nodes: ClassVar[int] = MAX_CLASSES

    table = CLASSES

    _bundle = bundled("hierarchy")

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state of the classes; see :meth:`FoldingView.show`."""
        # siblings stand in the order of the schema, and none competes with another
        nothing = np.full(len(next(iter(drawn.columns.values()), ())), -1)
        header = {**self._header(drawn, playing), "before": drawn.extra.get("before")}
        self._keep({"competes_with": nothing, "branch": nothing, **drawn.columns}, header)


def more_parents(parents: Sequence[int | tuple[int, ...]]) -> list[tuple[int, int]]:
    """Return the pairs (label, parent) of a hierarchy beyond the first parent of each label."""
    several = [(label, above) for label, above in enumerate(parents) if isinstance(above, tuple)]
    return [(label, parent) for label, above in several for parent in above[1:]]


class HierarchyPicture(Picture):
    """The classes of the labels' hierarchy as any learner answers them.

    A learner whose ``picture`` is ``"hierarchy"`` goes down the hierarchy and shows the distances between which it
    decided.
    """

    contract: ClassVar[type] = Descent
    name: ClassVar[str] = "hierarchy"
    title: ClassVar[str] = "Hierarchy"
    order: ClassVar[int] = 10
    help: ClassVar[str] = how_to_read(
        "How to read the hierarchy",
        "Each disc is a class. Its colour is how well it and all below it were answered recently (hF, the last 200 "
        "rows or so), its size how many came. A group can be above all its classes: who takes a "
        "viola for a violin has the strings right. Of the latest row the solid line is the true path, the dashed "
        "line the predicted one; ✓, ○ and ✕ say what became of them. <i>d</i> is the distance to a class where the "
        "learner stopped, or at its last step; ≈ marks those about as near.",
        act="Click a class, or focus the picture and press Enter, to read about it here.",
    )

    def fits(self, subject: Subject) -> bool:
        return subject.run.stream.schema.hierarchy is not None

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        columns = class_columns(subject.run, subject.name)
        story = None if selection is None else class_story(subject.run, subject.name, selection, columns)
        return Drawn(subject.name, subject.run.position, columns, {"before": subject.kept_from_before}, story)

    def view(self, schema: Schema, **options: Any) -> HierarchyView:
        assert schema.hierarchy is not None, "it fits labels with a hierarchy alone"
        return HierarchyView(labels=list(schema.labels), more_parents=more_parents(schema.hierarchy.parents), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return hierarchy_details(subject, story)


MOST_CHILDREN = 30

LATEST = {
    (True, True): "The latest row belongs to it, as predicted.",
    (True, False): "The latest row belongs to it; that was <b>missed</b>.",
    (False, True): "It was predicted for the latest row, <b>wrongly</b>.",
    (False, False): "The latest row does not belong to it, and it was not predicted.",
}
"""By whether the latest row carries the class, and whether it was predicted."""


def hierarchy_details(subject: str, story: Mapping[str, Any] | None) -> str:
    """Return what ``class_story`` says of a class as HTML; None: there is no such class."""
    if story is None:
        return hint("There is no such class.")
    paths = "".join(f"<p>{' › '.join(map(as_html, path))}</p>" for path in story["paths"])
    children = ", ".join(as_html(name) for name in story["children"][:MOST_CHILDREN])
    below = f"<p>Below it: {children}.</p>" if children else ""
    return (
        f"<h3>{as_html(subject)}: {as_html(story['label'])}</h3><p>{LATEST[story['true'], story['predicted']]} "
        f"<b>{story['arrivals']:,}</b> instances so far, of the recent ones <b>{100 * story['share']:.1f} %</b>; their "
        f"recent hF, with all below it, is <b>{number(story['hf'])}</b> (hP {number(story['hp'])}, hR "
        f"{number(story['hr'])}).</p>"
        f"<div class='sl-details-parts'><div>{_rivals(story)}</div><div>{paths}{below}{_window(story)}</div></div>"
    )


def _window(story: Mapping[str, Any]) -> str:
    """Say how full a class's window is, or those of the paths through it, and what its detector has seen."""
    if story["window"] is None:
        return ""
    room = story["window"] * story["windows"]
    whose = "Its window holds" if story["windows"] == 1 else f"The windows of its {story['windows']} paths hold"
    share = min(story["held"] / room, 1.0)
    watched = ""
    if story["watched"]:
        last = counted(story["watched"], "decision")
        watched = f"<p>Its detector: error {number(story['error'])} over the last {last}.</p>"
    return (
        f"<p>{whose} {story['held']:,} of {counted(room, 'example')}.</p>"
        f'<div class="sl-details-meter"><i style="width:{100 * share:.1f}%"></i></div>{watched}'
    )


def _distance_text(distance: float) -> str:
    """Return a distance with the digits that the picture has: of 32 bits, as it travels, and rounded as there."""
    return score_text(np.float32(distance), 0 if distance >= 100 else 1 if distance >= 10 else 2)


def _rivals(story: Mapping[str, Any]) -> str:
    """Show the distances that were compared at this class, the nearest first."""
    if not story["rivals"]:
        if story["window"] is None:
            return "<p>This learner does not go down the hierarchy: it has no distances to show.</p>"
        return "<p>The latest instance did not get this far: no distance was computed.</p>"
    most = max(distance for _, distance in story["rivals"]) or 1.0
    rows = "".join(
        f'<div class="sl-details-bar{" sl-own" if name == story["label"] else ""}"><span>{as_html(name)}</span>'
        f'<i style="width:{100 * distance / most:.1f}%"></i><b>{_distance_text(distance)}</b></div>'
        for name, distance in story["rivals"][:6]
    )
    return f"<p>Distance to the latest row, the nearest first</p>{rows}"
