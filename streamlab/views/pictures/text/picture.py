"""What a model without a picture says of itself, as the page asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, cast, runtime_checkable

import numpy as np
import param

from streamlab._checks import counted
from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.details import how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import shown

if TYPE_CHECKING:
    from streamlab.schema import Schema

MOST_LINES, MOST_OF_LINE = 300, 240
"""Lines that are displayed, and characters of each."""


@runtime_checkable
class Speaking(Protocol):
    """What a learner has whose model speaks for itself."""

    def own_words(self, x: Any = None) -> dict[str, Any]:
        """Return ``lines``, what its model says of itself and a row, ``source``, what of it does so, and ``of_row``."""


class TextView(PictureView):
    """Lines of text as they are, in letters of one width, which scroll; above them a sentence that says what they are.

    ``show`` takes ``id``, a row per line, and in ``drawn.extra`` the ``lines`` and ``said``, the sentence.
    """

    empty_text = param.String(default="Nothing said yet: press play", doc="Shown while there is no line.")

    table = ColumnTable("line", Column("id", "id", "its number, from 0"))

    _bundle = bundled("text")


class TextPicture(Picture):
    """What a model says of itself, in its own words, and how it answers the latest row: where there is no picture.

    The learner has ``own_words``, as learners around River's models have.
    """

    contract: ClassVar[type] = Speaking
    name: ClassVar[str] = "text"
    title: ClassVar[str] = "In words"
    order: ClassVar[int] = 80
    help: ClassVar[str] = how_to_read(
        "How to read a model's own words",
        "There is no picture of this model. The text is what River's model says by itself: its <b>summary</b>, and its "
        "<b>debug_one</b> of the latest row, asked again after the row was learned; of a model around others, what "
        "these say. One that says nothing is written as River writes it, with its parameters.",
    )

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        last, now = subject.run.last, subject.run.position
        words = cast("Speaking", subject.learner).own_words(None if last is None else last[0])
        most = min(budget.rows or MOST_LINES, budget.bytes // MOST_OF_LINE, MOST_LINES)
        lines = [shown(line.expandtabs(4), MOST_OF_LINE) for line in islice(words["lines"], most + 1)]
        if len(lines) > most:
            lines[-1] = f"… the first {counted(most, 'line')}"
        of_row = f", of row {now:,}, asked again after it was learned" if words["of_row"] else ""
        lacks = getattr(subject.learner, "lacks", "")
        otherwise = f" This version of River keeps it otherwise than its picture knows it ({lacks})." if lacks else ""
        extra = {"lines": lines, "said": f"{words['source']}{of_row}.{otherwise}"}
        return Drawn(subject.name, now, {"id": np.arange(len(lines))}, extra)

    def view(self, schema: Schema, **options: Any) -> TextView:
        return TextView(labels=list(schema.labels), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return self.help
