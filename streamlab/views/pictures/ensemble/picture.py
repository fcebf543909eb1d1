"""The members of an ensemble as the page asks for them, and what it tells about one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

import numpy as np

from streamlab._checks import counted
from streamlab.views.kit.details import facts, hint, how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import as_html
from streamlab.views.pictures.ensemble.view import EnsembleView

if TYPE_CHECKING:
    from streamlab.schema import Schema

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
        "The colour says how good the learner in that place was in each chunk of rows, or which weight its answers "
        "had: the key says which, from little to much. A stroke is where a new learner began to answer. Where the line "
        "is empty it had gone: after a cross for good, after a ring only set aside, for it may be good again when the "
        "stream is as it was. An empty box at the end of a line is a new learner that only learns as yet.",
        "The dashed line is where the stream changed last. After a change many lines turn dark at once; then learners "
        "go, and others begin.",
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
        mark = subject.run.marked
        history["mark"] = None if mark is None else {"row": mark.row, "drift": mark.drift}
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
    told = {"now": str(story["status"]), "started": f"after {counted(story['born'], 'row')}"}
    if story["left"] >= 0:
        told["left"] = f"after {counted(story['left'], 'row')}"
    if "rows" in story:
        told["has learned"] = counted(story["rows"], "row")
    if story.get("came_from", -1) >= 0:
        told["before"] = f"it was set aside as learner {story['came_from']}, and came back"
    if "tree" in story:
        told["its tree"] = str(story["tree"])
    if "others" in story:
        told["answers with"] = counted(story["others"], "other")
    what = f"{as_html(subject)}, {as_html(str(story.get('noun', 'learner')))} {story['id']}{of}"
    return f"<h3>{what}</h3><p>{_how_good(story)}</p>{facts(told)}"


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
