"""The picture of an ensemble: a line for each member, its colour how good it was, chunk by chunk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

import numpy as np
import param
from numpy.typing import NDArray

from streamlab._checks import counted
from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.details import facts, hint, how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import as_html

if TYPE_CHECKING:
    from streamlab.schema import Schema


MEMBERS = ColumnTable(
    "member",
    Column("id", "id", "never reused"),
    Column("group", "i4", "the label whose answers it helps to give; -1: it is for all labels"),
    Column("seat", "u2", "its line among those of its group"),
    Column("born", "f8", "rows that had been learned when it was started"),
    Column("left", "f8", "rows that had been learned when it left; -1: it is there"),
    Column("value", "f4", "its accuracy, or its weight, in the latest chunk, 0..1; NaN where it has none"),
    Column("aside", "flag", "it left, and may come back"),
    Column("first", "u2", "the chunk, of those that are drawn, of its first cell", made=True),
    Column("cells", "u2", "cells that are drawn of it, one after the other", made=True),
)
STEPS = 200

CELLS = ColumnTable(
    "chunk of a member", Column("cell", "u1", "accuracy or weight, 0..1: those of a member together", scale=STEPS)
)


class EnsembleView(PictureView):
    """The members of an ensemble as lines, those of a label together; what is right is now.

    A line is coloured by the member's accuracy, or weight, in each of the latest chunks. It begins with a stroke where
    the member began to answer, and ends where it was removed or set aside; another member may go on in the same line.
    A click or Enter selects a member.

    ``show`` takes a row per member, as ``MLBELS.node_columns`` gives them (``id``, ``group``, ``seat``, ``born``,
    ``left``, ``value`` and ``aside``), and in ``drawn.extra``: ``values``, float of shape (members, chunks), the newest
    chunk last, NaN where a member had no say; ``step``, the rows of a chunk; ``end``, how many rows there had been when
    the newest was full; ``measure``, what the values are, in words ("right answers", "weight"); where there is one,
    ``noun``, what a member is called ("learner" by default); and, where there is one, ``mark`` (``{"row", "drift"}``):
    where the stream changed last, the drift's number, or 0 if people marked it.
    """

    empty_text = param.String(default="No learner yet: press play", doc="Shown while there is no member.")

    axis = param.List(
        default=[], item_type=(int, float), doc="As the timeline's; empty: rows are drawn over the whole width."
    )

    table = MEMBERS

    parts: ClassVar = {"cells": CELLS}

    _bundle = bundled("ensemble")

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state.

        Raises
        ------
        ValueError
            If a column is missing, or lengths differ.
        """
        count = MEMBERS.check(drawn.columns)
        values = np.asarray(drawn.extra["values"], np.float64)
        if values.ndim != 2 or len(values) != count:
            raise ValueError(f"extra: values have the shape {values.shape}; expected a row for each of {count} members")
        members, cells = _runs(drawn.columns, values)
        extra = {"noun": "learner", "mark": None, **drawn.extra, "chunks": values.shape[1], "cells": {"cell": cells}}
        del extra["values"]
        super().show(replace(drawn, columns=members, extra=extra), playing)


def _runs(
    columns: Mapping[str, Any], values: NDArray[np.float64]
) -> tuple[dict[str, NDArray[Any]], NDArray[np.float64]]:
    """Return the members that are there or have a cell, by group, seat and time, and their cells in one row."""
    known = np.isfinite(values)
    has_cell = known.any(axis=1)
    shown = np.flatnonzero(has_cell | (np.asarray(columns["left"]) < 0))
    first = np.where(has_cell, known.argmax(axis=1), values.shape[1]) if values.shape[1] else np.zeros(len(values), int)
    order = shown[np.lexsort((first[shown], np.asarray(columns["seat"])[shown], np.asarray(columns["group"])[shown]))]
    members = {name: np.asarray(columns[name])[order] for name in MEMBERS.needed}
    last = values.shape[1] - known[:, ::-1].argmax(axis=1) if values.shape[1] else first
    counts = np.where(has_cell, last - first, 0)
    members |= {"first": first[order], "cells": counts[order]}
    cells = [np.nan_to_num(values[row, first[row] : first[row] + counts[row]]) for row in order.tolist()]
    return members, np.concatenate([np.zeros(0), *cells])


MOST_MEMBERS = 4000
"""Members drawn at most: those of the first groups."""
LEAST_CHUNKS = 8


@runtime_checkable
class Ensemble(Protocol):
    """What a learner has to be drawn as an ensemble."""

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return what is drawn, a row per member: the columns that the picture's table declares."""

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what the details say of one of them; None if it has gone."""

    def node_history(self) -> dict[str, Any]:
        """Return how the members' weights have run over the last chunks."""


class EnsemblePicture(Picture):
    """Who answers, since when, and how well: the members of an ensemble over the latest chunks.

    The learner has ``node_columns``, ``node_history`` and ``describe_node``, as ``MLBELS`` has them. ``describe_node``
    gives at least ``born``, ``left``, ``value`` and ``status``; ``label``, ``usual``, ``rows``, ``others`` and
    ``came_from`` are told where they are there.
    """

    contract: ClassVar[type] = Ensemble
    name: ClassVar[str] = "ensemble"
    title: ClassVar[str] = "Ensemble"
    order: ClassVar[int] = 19
    help: ClassVar[str] = how_to_read(
        "How to read the ensemble",
        "Several learners answer together. Each line is a place for one of them, and runs from the past on the left to "
        "now on the right; those of one label stand together beside its name.",
        "The colour says how often the learner in that place erred in each chunk of rows, the more the purpler, or "
        "which weight it had, the more the bluer. A stroke is where a new learner began to answer. An empty line: it "
        "had gone, after a cross for good, after a ring only set aside.",
        "The dashed line is where the stream changed last. After a change many lines turn purple at once; then "
        "learners go, and others begin: where all answer for all labels, lines with a new one stand first.",
        act="Click a line, or focus the picture and press Enter, to read about a learner here.",
    )

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        learner = cast("Ensemble", subject.learner)
        columns, history = learner.node_columns(), learner.node_history()
        most = budget.rows or MOST_MEMBERS
        if len(columns["id"]) > most:
            # whole groups, the first ones
            groups, counts = np.unique(columns["group"], return_counts=True)
            kept = np.isin(columns["group"], groups[np.cumsum(counts) <= most])
            columns = {name: values[kept] for name, values in columns.items()}
            history = {**history, "values": history["values"][kept]}
        # a byte for each cell: what is older goes first
        chunks = max(LEAST_CHUNKS, budget.bytes // (2 * max(len(columns["id"]), 1)))
        history = {**history, "values": history["values"][:, -chunks:]}
        history["mark"] = None if (mark := subject.run.marked) is None else {"row": mark.row, "drift": mark.drift}
        story = None if selection is None else learner.describe_node(selection)
        return Drawn(subject.name, subject.run.position, columns, history, story)

    def view(self, schema: Schema, **options: Any) -> EnsembleView:
        return EnsembleView(labels=list(schema.labels), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return ensemble_details(subject, story)


def ensemble_details(subject: str, story: Mapping[str, Any] | None) -> str:
    """Return what ``describe_node`` says of a member as HTML; None: it has gone."""
    if story is None:
        return hint("This learner was removed so long ago that no data about it are kept.")
    of = f" of {as_html(story['label'])}" if "label" in story else ""
    entries = {"now": str(story["status"]), "started": f"after {counted(story['born'], 'row')}"}
    if story["left"] >= 0:
        entries["left"] = f"after {counted(story['left'], 'row')}"
    if "rows" in story:
        entries["has learned"] = counted(story["rows"], "row")
    if story.get("came_from", -1) >= 0:
        entries["before"] = f"it was set aside as learner {story['came_from']}, and came back"
    if "tree" in story:
        entries["its tree"] = str(story["tree"])
    if "others" in story:
        entries["answers with"] = counted(story["others"], "other")
    what = f"{as_html(subject)}, {as_html(str(story.get('noun', 'learner')))} {story['id']}{of}"
    return f"<h3>{what}</h3><p>{_how_good(story)}</p>{facts(entries)}"


def _how_good(story: Mapping[str, Any]) -> str:
    """Return how good it is, in a sentence."""
    value, usual = story["value"], story.get("usual", float("nan"))
    if value != value:
        return "It had no say in the latest chunk."
    if story.get("measure") == "weight":
        least = " It has the least: the next member may take its place." if value == 0 else ""
        return f"By the latest chunk its weight is <b>{value:.2f}</b>, where the best member has 1.{least}"
    if story.get("measure") == "right labels":
        return f"In the latest chunk it had <b>{100 * value:.0f} %</b> of the labels right."
    text = f"In the latest chunk it was right for <b>{100 * value:.0f} %</b> of the rows"
    if usual != usual:
        return text + "."
    if value < usual:
        return f"{text}: less than the {100 * usual:.0f} % of the learners of its label together. It may have to go."
    return f"{text}; the learners of its label reach {100 * usual:.0f} % together, on the whole."
