"""The picture of a label hierarchy: its classes as a tree, coloured by how well one learner or two answer each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

import numpy as np
import param

from streamlab._checks import counted
from streamlab.lab.label_stats import hurt_most
from streamlab.schema import Hierarchy
from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import bundled
from streamlab.views.kit.details import facts, hint, how_to_read, number
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import as_html
from streamlab.views.kit.tree_layout import FoldingView
from streamlab.views.timeline.bands import styles_of

if TYPE_CHECKING:
    from streamlab.lab import Run
    from streamlab.schema import Schema


@runtime_checkable
class Descent(Protocol):
    """What a learner has that goes down the hierarchy, by which the details say how it decided; others have none."""

    window: int

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return of each label the average ``distance`` to the nearest of the row learned last, NaN if not compared."""

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what the details say of one of them, as ``class_story`` has it; None if there is no such label."""


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
        below it, faded, NaN for 0/0; ``was``, ``hf`` at the latest mark; of the latest row ``true`` and ``predicted``
        (bool, ancestors included).
    """
    learner_run, tree = run.learner_runs[name], run.stream.schema.hierarchy
    records = learner_run.classes
    assert tree is not None, "the labels have a hierarchy"
    assert records is not None, "where there is a hierarchy, its classes are counted"
    n = len(tree)
    return {
        "id": np.arange(n, dtype=np.int64),
        "parent": np.array([(tree.parents_of(c) or (-1,))[0] for c in range(n)], np.int64),
        "depth": np.array(tree.depths, np.int64),
        "is_leaf": np.isin(np.arange(n), tree.leaves),
        "arrivals": np.rint(run.labels.whole * run.labels.n).astype(np.int64),
        "weight": records.weight,
        **records.scores(),
        "was": records.was,
        "true": _with_ancestors(tree, None if run.last is None else run.last[1]),
        "predicted": _with_ancestors(tree, learner_run.last_labels),
    }


def _with_ancestors(tree: Hierarchy, labels: np.ndarray | None) -> np.ndarray:
    return tree.with_ancestors(np.zeros((1, len(tree))) if labels is None else labels[None])[0].astype(bool)


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
        (name, distance) by distance; and where the learner's ``picture`` is ``"hierarchy"``, else None: ``window``, the
        size of one, ``windows``, how many of them hold the examples of the class, ``held``, how many these are, and
        ``error``, ``watched`` of its detector (None without one).
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
    distances = learner.node_columns()["distance"] if own else np.full(len(tree), np.nan)
    rivals = sorted((float(distances[c]), names[c]) for c in beside if not np.isnan(distances[c]))
    return {
        "label": names[column],
        "paths": [tuple(names[c] for c in path) for path in tree.paths_to(column)],
        "children": [names[c] for c in tree.children(column)],
        **{key: values[column].item() for key, values in columns.items()},
        "share": float(run.labels.now[column]),
        "rivals": [(rival, distance) for distance, rival in rivals],
        "window": int(learner.window) if own else None,
        **{key: own.get(key) for key in ("held", "windows", "error", "watched")},
    }


MAX_CLASSES = 200
OF_LEARNER = (
    Column("hp", "f4", "recent hierarchical precision, 0..1, NaN while it is not known"),
    Column("hr", "f4", "recent hierarchical recall, likewise"),
    Column("hf", "f4", "recent hierarchical F1, likewise"),
    Column("was", "f4", "that F1 at the latest mark, NaN without one"),
    Column("predicted", "u1", "whether it was predicted for the latest row"),
)
OTHER = "other_"
"""With what the columns of the second of two learners begin."""

CLASSES = ColumnTable(
    "class",
    Column("id", "u4", "index of the label"),
    Column("parent", "i2", "index of the label above, -1 at the top; in the browser its place in these columns"),
    Column("depth", "u2", "0 at the top"),
    Column("folded", "u2", "classes below it that are not drawn", made=True),
    Column("weight", "f4", "recent arrivals"),
    Column("arrivals", "u4", "arrivals in all"),
    *OF_LEARNER,
    *(replace(each, name=f"{OTHER}{each.name}", optional=True) for each in OF_LEARNER),
    Column("is_leaf", "flag", "without a class below it"),
    Column("true", "flag", "the latest row has it"),
    Column("collapsed", "flag", "folded by the user", made=True),
)
"""36 bytes a class travel, 17 more for a second learner."""


class HierarchyView(FoldingView):
    """The classes of a hierarchy as a tree: of each leaf a bar a learner, as long as its recent hF.

    The true way of the latest row is a strong line; where a learner left it its own way is a dashed one in its colour,
    and the class is named. The end of a bar was lost since the latest mark; the class that lost most is in colour.
    Hover describes a class, a click or Enter selects it, a double click or the key C folds what is below.

    ``show`` takes a row per class, as ``class_columns`` gives them, and of two learners what
    ``HierarchyPicture.joined`` makes of both. While ``playing``, the lit ways change about twice a second, so that they
    can be read.
    """

    more_parents = param.List(
        default=[], doc="Pairs (label, parent) of indices: the parents of a label beyond its first, where it has more."
    )

    empty_text = param.String(default="No instance yet: press play", doc="Shown while there is no instance.")

    max_nodes: ClassVar[int] = MAX_CLASSES

    table = CLASSES

    _bundle = bundled("hierarchy")

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state of the classes; see :meth:`FoldingView.show`."""
        # siblings stand in the order of the schema, and none competes with another
        nothing = np.full(len(next(iter(drawn.columns.values()), ())), -1)
        header = {**self._header(drawn, playing), **drawn.extra}
        self._keep({"competes_with": nothing, "branch": nothing, **drawn.columns}, header)


def more_parents(parents: Sequence[int | tuple[int, ...]]) -> list[tuple[int, int]]:
    """Return the pairs (label, parent) of a hierarchy beyond the first parent of each label."""
    return [(label, each) for label, above in enumerate(parents) if isinstance(above, tuple) for each in above[1:]]


class HierarchyPicture(Picture):
    """The classes of the labels' hierarchy as any learner answers them.

    A learner whose ``picture`` is ``"hierarchy"`` goes down the hierarchy and shows the distances between which it
    decided.
    """

    contract: ClassVar[type] = Descent
    name: ClassVar[str] = "hierarchy"
    title: ClassVar[str] = "Hierarchy"
    order: ClassVar[int] = 10
    joins: ClassVar[bool] = True
    help: ClassVar[str] = how_to_read(
        "How to read the hierarchy",
        "Each class at the right has a bar for each learner: how well it was answered recently (hF, the last 200 rows "
        "or so); a grey end is what was lost since the latest change. In colour is the group that lost most. A group "
        "can be above all its classes: who takes a viola for a violin has the strings right. Of the latest row the "
        "strong line is the true way; where a learner left it a dashed line is its own, and the class is named.",
        act="Click a class, or focus the picture and press Enter, to read about it here.",
    )

    def fits(self, subject: Subject) -> bool:
        return subject.run.stream.schema.hierarchy is not None

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        run, name = subject.run, subject.name
        columns = class_columns(run, name)
        story = None if selection is None else class_story(run, name, selection, columns)
        colour = styles_of(run.learner_runs)[subject.owner][0]
        learner = {"name": name, "colour": colour, "before": subject.kept_from_before}
        mark = None if np.isnan(columns["was"]).all() or run.marked is None else run.marked.drift
        hurt = hurt_most(each.classes for each in run.learner_runs.values())
        return Drawn(name, run.position, columns, {"learners": [learner], "mark": mark, "hurt": hurt}, story)

    def joined(self, first: Drawn, second: Drawn) -> Drawn:
        given = {each.name: second.columns[each.name] for each in OF_LEARNER if each.name in second.columns}
        columns = {**first.columns, **{f"{OTHER}{name}": values for name, values in given.items()}}
        extra = {**first.extra, "learners": [*first.extra["learners"], *second.extra["learners"]]}
        story = first.story and {**first.story, "beside": (second.subject, second.story)}
        return replace(first, columns=columns, extra=extra, story=story)

    def view(self, schema: Schema, **options: Any) -> HierarchyView:
        assert schema.hierarchy is not None, "it fits labels with a hierarchy alone"
        return HierarchyView(labels=list(schema.labels), more_parents=more_parents(schema.hierarchy.parents), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return hierarchy_details(subject, story)


MOST_CHILDREN = 30

LATEST = ("", "<b>wrongly</b> answered", "<b>missed</b>", "right")
"""By twice whether the latest row carries the class, and whether it was predicted."""


def hierarchy_details(subject: str, story: Mapping[str, Any] | None) -> str:
    """Return what ``class_story`` says of a class as HTML, of two learners both; None: there is no such class."""
    if story is None:
        return hint("There is no such class.")
    paths = "".join(f"<p>{' › '.join(map(as_html, path))}</p>" for path in story["paths"])
    children = ", ".join(as_html(name) for name in story["children"][:MOST_CHILDREN])
    below = f"<p>Below it: {children}.</p>" if children else ""
    stories = [(subject, story), story.get("beside", (subject, None))]
    answers = "".join(_answered(name, each, len(story.get("beside", ()))) for name, each in stories if each is not None)
    title = as_html(story["label"]) if "beside" in story else f"{as_html(subject)}: {as_html(story['label'])}"
    return (
        f"<h3>{title}</h3>{paths}<p><b>{story['arrivals']:,}</b> rows so far, of the recent ones "
        f"<b>{100 * story['share']:.1f} %</b>.</p>{answers}{below}"
    )


def _answered(name: str, story: Mapping[str, Any], is_named: Any) -> str:
    """Say how a learner answers the class, and by which distances it decided."""
    latest = LATEST[2 * bool(story["true"]) + bool(story["predicted"])]
    return (
        f"<p>{f'{as_html(name)}: ' if is_named else ''}F1 lately <b>{number(story['hf'])}</b> (precision "
        f"{number(story['hp'])}, recall {number(story['hr'])}){latest and f'; {latest} for the latest row'}.</p>"
        f"{_rivals(story)}{_window(story)}"
    )


def _window(story: Mapping[str, Any]) -> str:
    """Say how full a class's window is, or those of the paths through it, and what its detector has seen."""
    if story["window"] is None:
        return ""
    room = story["window"] * story["windows"]
    whose = "Its window holds" if story["windows"] == 1 else f"The windows of its {story['windows']} paths hold"
    last = counted(story["watched"] or 0, "decision")
    watched = f"<p>Its detector: error {number(story['error'])} over the last {last}.</p>" if story["watched"] else ""
    meter = f'<div class="sl-details-meter"><i style="width:{100 * min(story["held"] / room, 1.0):.1f}%"></i></div>'
    return f"<p>{whose} {story['held']:,} of {counted(room, 'example')}.</p>{meter}{watched}"


def _rivals(story: Mapping[str, Any]) -> str:
    """Show the distances that were compared at this class, the nearest first."""
    if not story["rivals"]:
        return ""
    near = {name: number(distance) for name, distance in story["rivals"][:6]}
    return f"<p>Distance to the row learned last, the nearest first</p>{facts(near)}"
