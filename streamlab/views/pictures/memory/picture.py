"""The memory of rows as the page asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from streamlab.views.kit.details import how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.pictures.memory.details import memory_details
from streamlab.views.pictures.memory.view import MemoryView

if TYPE_CHECKING:
    from streamlab.schema import Schema

__all__ = ["ROWS", "MemoryPicture"]

ROWS = 1500
"""Rows drawn at most: the newest, and those that were asked about the latest row."""


class MemoryPicture(Picture):
    """The rows that a learner remembers, by their age and by what they are kept or dropped by.

    The learner is a ``RememberedRows``, as ``ARkNN`` is.
    """

    name: ClassVar[str] = "memory"
    title: ClassVar[str] = "Memory"
    order: ClassVar[int] = 40
    help: ClassVar[str] = how_to_read(
        "How to read the memory",
        "Each point is a row that the learner still remembers. The newest is on the right; the further left, the "
        "longer ago. A row high up is safe, one near the bottom is about to be forgotten.",
        "The points with a ring and a line are the rows most like the latest one: their labels made its answer. A row "
        "whose labels were right is kept longer, one whose labels were wrong sinks. With ARkNN a row that nobody asks "
        "sinks too, along the curve that you see; with MLSAMPkNN it stays at the top. Filled points have exactly the "
        "labels of the latest row, or the label that you choose.",
        "The strip below says how many rows were remembered at that time; a step down is a part of the memory that "
        "was dropped at once.",
        act="Point at a row to see its labels; click it, or press Enter, to keep it in sight.",
    )

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        learner: Any = subject.learner
        columns, labels = learner.node_columns(), learner.labels_of_rows()
        most = budget.rows or ROWS
        if len(labels) > most:
            chosen = columns["rank"] > 0
            chosen[-most:] = True
            columns, labels = {name: values[chosen] for name, values in columns.items()}, labels[chosen]
        story = None if selection is None else learner.describe_node(selection)
        if story is not None:
            story = {**story, **learner.standing_words()}
        extra = {
            "labels": labels,
            "sizes": learner.sizes_before(),
            "held": learner.n_rows,
            "most": int(learner.window),
            "answered_by": learner.n_neighbours_asked,
            **learner.standing_words(),
        }
        return Drawn(subject.name, subject.run.position, columns, extra, story)

    def view(self, schema: Schema, **options: Any) -> MemoryView:
        return MemoryView(labels=list(schema.labels), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return memory_details(subject, story, schema.labels)
