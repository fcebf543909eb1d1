"""The confusion matrix as the page asks for it, and what it tells about a class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import param

from streamlab._checks import few
from streamlab.measures.classes import ANSWERS, shares_of_answers
from streamlab.views.kit.columns import UNIT, Column, ColumnTable
from streamlab.views.kit.component import PictureView, bundled, is_whole
from streamlab.views.kit.details import bars, facts, hint, how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import all_shown, as_html

if TYPE_CHECKING:
    from streamlab.schema import Schema

NO_ANSWER = "no answer"
MATRIX = ColumnTable(
    "cell",
    Column("id", "id", "class times (classes + 1), plus the answer; the last answer is none"),
    Column("recent", "u2", "share of the recent (faded) rows of the class that were answered so, 0..1", scale=UNIT),
    Column("whole", "u2", "the same of all its rows so far", scale=UNIT),
)
ROWS = ColumnTable("class", Column("rows", "f4", "recent (faded) rows of the class"))
LATEST = ColumnTable(
    "latest row",
    Column("row", "u4", "its number; the first of the stream is 1"),
    Column("own", "i2", "place of its class; -1: not known"),
    Column("answer", "i2", "place of its answer; -1: none"),
    Column("score", "f4", "what the answer was given; NaN: the learner has no scores"),
)


class ConfusionView(PictureView):
    """A row for each class, a column for each answer; the more of the class's recent rows, the stronger the colour.

    What is right is blue, what is wrong orange. The last column is of rows without an answer. Below stand the latest
    rows of the selected cell.

    ``show`` takes ``id``, ``recent`` and ``whole``, a row per cell, class by class; ``drawn.extra`` has ``names``,
    those of the classes, ``rows``, column of ``ROWS``, how many recent rows each has, and ``latest``, columns of
    ``LATEST``.
    """

    empty_text = param.String(default="No class yet: press play", doc="Shown while there is no class.")

    visit = param.Integer(default=None, allow_None=True, doc="Row that people want to see; None: told already.")

    _rename: ClassVar[Mapping[str, str | None]] = {"visit": None}

    table = MATRIX

    parts: ClassVar = {"rows": ROWS, "latest": LATEST}

    _bundle = bundled("confusion")

    def _handle_msg(self, data: Any) -> None:
        """What the browser says; besides what every frame component hears: a row that people want to see."""
        if data.get("kind") != "visit":
            super()._handle_msg(data)
        elif is_whole(data.get("row")):
            self.visit = data["row"]
            self.visit = None
        else:
            self._refusals.report("a row to see", data.get("row"))


class ConfusionPicture(Picture):
    """Which class is answered as which, lately and over the whole stream so far; up to thirty classes."""

    name: ClassVar[str] = "confusion"
    title: ClassVar[str] = "Confusion matrix"
    order: ClassVar[int] = 85
    least_width: ClassVar[int] = 300
    help: ClassVar[str] = how_to_read(
        "How to read the confusion matrix",
        "A row for each class, a column for each answer. A cell is the share of the recent rows of that class that "
        "were answered so, in percent: what is right is blue and stands on the diagonal, what is wrong is orange.",
        "Recent rows are faded, as in the curves: each counts .995 of the next, unless the run was begun otherwise.",
        act="Click a cell, or focus the picture and press Enter: below stand the numbers of its latest rows, here how "
        "the rows of its class were answered. Click a number to go to that row.",
    )

    def fits(self, subject: Subject) -> bool:
        own = subject.run.learner_runs.get(subject.name)
        return own is not None and ANSWERS in own.tracker.kept

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        tracker = subject.run.learner_runs[subject.name].tracker
        faded, whole = tracker.counts("faded"), tracker.counts()
        recent, ever = shares_of_answers(faded), shares_of_answers(whole)
        columns = {"id": np.arange(recent.size), "recent": recent.ravel(), "whole": ever.ravel()}
        rows = faded.tp + faded.fn
        names = all_shown(subject.run.stream.schema.labels)[: len(recent)]
        story = None
        if selection is not None and 0 <= int(selection) < recent.size:
            own, answer = divmod(int(selection), recent.shape[1])
            story = {
                "own": own, "answer": answer, "recent": recent[own].tolist(), "whole": ever[own].tolist(),
                "answered": float(whole.extra[ANSWERS.name].sum()) / max(whole.n, 1.0),
                "right": float(whole.tp.sum()) / max(float(whole.extra[ANSWERS.name].sum()), 1.0),
                "rows": float(rows[own]), "n": float((whole.tp + whole.fn)[own]), "names": names,
                "strange": list(getattr(subject.learner, "strange_answers", ())),
            }  # fmt: skip
        last = tracker.recent
        assert last is not None, "a run that this picture fits keeps them"
        latest = {"row": np.arange(tracker.row - len(last.own), tracker.row) + 1, **last._asdict()}
        extra = {"names": names, "rows": {"rows": rows}, "latest": latest}
        return Drawn(subject.name, subject.run.position, columns, extra, story)

    def view(self, schema: Schema, **options: Any) -> ConfusionView:
        return ConfusionView(labels=list(schema.labels), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return confusion_details(subject, story)


def confusion_details(subject: str, story: Mapping[str, Any] | None) -> str:
    """Return how the rows of a class were answered, as HTML; None: the class is not known."""
    if story is None:
        return hint("No row of this class has come yet.")
    # what a model answers that the stream does not have stands among the rows without an answer
    strange = few(story.get("strange", ()))
    none = f"{NO_ANSWER}, or one that the stream does not have ({strange})" if strange else NO_ANSWER
    names = [*story["names"], none]
    own, answer = story["own"], story["answer"]
    answers = sorted(zip(names, story["recent"], strict=True), key=lambda each: -each[1])
    entries = {
        f"answered as {names[answer]}, of recent rows": f"{100 * story['recent'][answer]:.1f} %",
        "the same of all rows so far": f"{100 * story['whole'][answer]:.1f} %",
        "rows of this class so far": f"{story['n']:,.0f}",
    }
    if story.get("answered", 1.0) < 0.99:
        entries["answered, of all rows so far"] = f"{100 * story['answered']:.1f} %"
        entries["right, of answered rows"] = f"{100 * story['right']:.1f} %"
    return (
        f"<h3>{as_html(subject)} · rows of {as_html(names[own])}</h3><p>Answered lately as:</p>"
        f"<div class='sl-details-parts'><div>{bars([each for each in answers if each[1] >= 0.005])}</div>"
        f"<div>{facts(entries)}</div></div>"
    )
