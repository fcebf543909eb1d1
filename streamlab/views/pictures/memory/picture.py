"""The picture of a memory of rows: a point for each, by age and by what it is kept or dropped by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

import numpy as np
import param

from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.details import hint, how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import MOST_MESSAGE, as_html, with_minus

if TYPE_CHECKING:
    from streamlab.schema import Schema

ROWS = ColumnTable(
    "row",
    Column("id", "id", "number in the stream, oldest first"),
    Column("age", "u4", "rows learned after it"),
    Column("standing", "f4", "its fitness, or its errors"),
    Column("share", "f4", "how high it is drawn, 0 to 1: the lower, the nearer to being dropped", made=True),
    Column("asked", "u4", "how often it was among the neighbours of a row"),
    Column("right", "u4", "how often it had all labels of that row"),
    Column("rank", "u2", "its place among the neighbours of the latest row, from 1; else 0"),
)
BITS = ColumnTable("byte", Column("bits", "u1", "labels of the rows, ceil(n_labels / 8) bytes each, lowest first"))
SIZES = ColumnTable("time", Column("sizes", "u4", "rows remembered after each of the latest rows, oldest first"))


class MemoryView(PictureView):
    """A point for each remembered row, by age and standing; below, how many rows were remembered over time.

    ``show`` takes a row per remembered row (columns of ``ROWS``), and in ``drawn.extra``:
    ``bits``, column of ``BITS``; ``n_labels``; ``sizes``, column of ``SIZES``; ``held`` and ``most``, rows remembered
    and allowed; ``answered_by``, rows that answered the latest one; ``measure``, ``leaves``, ``best`` and ``worst``, as
    ``standing_words`` gives them; ``noun``, "label" or "class".
    """

    label = param.Integer(
        default=-1, bounds=(-1, None), doc="Index of the label in colour, -1: those of the latest row; set by the user."
    )

    empty_text = param.String(default="Nothing remembered yet: press play", doc="Shown while there is no row.")

    table = ROWS

    parts: ClassVar = {"bits": BITS, "sizes": SIZES}

    _bundle = bundled("memory")


MOST_ROWS = 1500
"""Rows drawn at most: the newest, and those that were asked about the latest row."""


@runtime_checkable
class Memory(Protocol):
    """What a learner has to be drawn as the rows that it remembers."""

    window: int

    @property
    def n_rows(self) -> int:
        """Rows remembered now."""

    @property
    def n_neighbours_asked(self) -> int:
        """How many of them answered the latest row."""

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return what is drawn, a row per remembered row: the columns that the picture's table declares."""

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what the details say of one of them; None if it has gone."""

    def labels_of_rows(self) -> np.ndarray:
        """Return the labels of the remembered rows, uint8 (n_rows, n_labels), in the order of ``node_columns``."""

    def standing_words(self) -> dict[str, Any]:
        """Return what a row's standing is called, and when it leaves."""

    def sizes_before(self) -> np.ndarray:
        """Return how many rows were remembered at the last instants, the oldest first."""


class MemoryPicture(Picture):
    """The rows that a learner remembers, by their age and by what they are kept or dropped by.

    The learner is a ``RowsShown``, as ``ARkNN`` is, or has what it has.
    """

    contract: ClassVar[type] = Memory
    name: ClassVar[str] = "memory"
    title: ClassVar[str] = "Memory"
    order: ClassVar[int] = 40
    help: ClassVar[str] = how_to_read(
        "How to read the memory",
        "Each point is a row that the learner still remembers. The newest is on the right; the further left, the "
        "longer ago. A row high up is safe, one near the bottom is about to be forgotten.",
        "The points with a ring and a line are the rows most like the latest one: their labels made its answer. A row "
        "whose labels were right is kept longer, one whose labels were wrong sinks. With ARkNN a row that nobody asks "
        "sinks too, along the curve that you see; with MLSAMPkNN it stays at the top; with RankedKNN, and River's "
        "nearest neighbours, all sink alike, until their time is over. Filled points have exactly the labels of the "
        "latest row, or the label that you choose.",
        "The strip below says how many rows were remembered at that time; a step down is a part of the memory that "
        "was dropped at once.",
        act="Point at a row to see its labels; click it, or press Enter, to keep it in sight.",
    )

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        learner = cast("Memory", subject.learner)
        columns, labels = learner.node_columns(), learner.labels_of_rows()
        if labels.ndim != 2 or len(labels) != ROWS.check(columns):
            raise ValueError(f"labels have the shape {labels.shape}; expected {len(columns['id'])} rows")
        most = budget.rows or MOST_ROWS
        if len(labels) > most:
            chosen = columns["rank"] > 0
            chosen[-most:] = True
            columns, labels = {name: values[chosen] for name, values in columns.items()}, labels[chosen]
        words = learner.standing_words()
        best, worst = float(words["best"]), float(words["worst"])
        share = np.clip((columns["standing"] - worst) / (best - worst if best != worst else 1.0), 0.0, 1.0)
        story = None if selection is None else learner.describe_node(selection)
        if story is not None:
            story = {**story, **words}
        extra = {
            "bits": {"bits": np.packbits(labels, axis=1, bitorder="little").ravel()},
            "n_labels": labels.shape[1],
            "sizes": {"sizes": learner.sizes_before()},
            "held": learner.n_rows,
            "most": int(learner.window),
            "answered_by": learner.n_neighbours_asked,
            "noun": subject.run.stream.schema.noun,
            **words,
        }
        return Drawn(subject.name, subject.run.position, {**columns, "share": share}, extra, story)

    def view(self, schema: Schema, **options: Any) -> MemoryView:
        return MemoryView(labels=list(schema.labels), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return memory_details(subject, story, schema.labels)


def memory_details(subject: str, story: Mapping[str, Any] | None, labels: Sequence[str]) -> str:
    """Return what ``RememberedRows.describe_node`` says as HTML; None: the row is no longer remembered."""
    if story is None:
        return hint("The selected row is forgotten: it left the memory.")
    names = [name for name, is_on in zip(labels, story["Y"], strict=False) if is_on]
    rank, best, worst = story["rank"], story["best"], story["worst"]
    safe = (story["standing"] - worst) / (best - worst) if best != worst else 1.0
    carried = as_html(", ".join(names) or "no label", MOST_MESSAGE)
    latest = f" For the latest row it is neighbour number {rank}." if rank else ""
    standing = with_minus(f"{story['standing']:.4g}")
    asked = f", and was asked {story['asked']:,} times: {story['right']:,} times it had all labels right"
    return (
        f"<h3>{as_html(subject)}, row {story['id'] + 1:,}</h3>"
        f"<p>It came <b>{story['age']:,}</b> rows ago with {carried}"
        f"{asked if story['asked'] else ''}.{latest}</p>"
        f"<p>Its {as_html(story['measure'])} is <b>{standing}</b>; {as_html(story['leaves'])}:</p>"
        f'<div class="sl-details-meter"><i style="width:{100 * min(max(safe, 0.0), 1.0):.1f}%"></i></div>'
    )
