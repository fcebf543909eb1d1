"""The labels as the page asks for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab.views.kit.details import how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.pictures.labels.view import LabelView

if TYPE_CHECKING:
    from streamlab.schema import Schema

__all__ = ["MOST_LABELS", "LabelsPicture"]

MOST_LABELS = 100
"""Labels drawn where there are too many for their co-occurrence: the most frequent ones."""


class LabelsPicture(Picture):
    """How common each label is now and over the whole stream, and which come together: the same for every learner."""

    name: ClassVar[str] = "labels"
    title: ClassVar[str] = "Labels"
    order: ClassVar[int] = 90
    of_learner: ClassVar[bool] = False
    help: ClassVar[str] = how_to_read(
        "How to read the labels",
        "A bar is the share of the recent instances that carry a label, the tick the share of the whole stream so far. "
        "In the matrix, the larger a square, the more often the two labels come together.",
    )

    def fits(self, subject: Subject) -> bool:
        return True

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        labels, names = subject.run.labels, subject.run.stream.schema.labels
        recent, whole, together = labels.now.copy(), labels.whole, labels.together
        shown = np.arange(len(recent))
        if len(together) != len(recent):
            shown = np.sort(np.argsort(-whole, kind="stable")[: budget.rows or MOST_LABELS])
            together = np.zeros((len(shown), len(shown)))
        columns = {"recent": recent[shown], "whole": whole[shown]}
        extra = {"names": [names[j] for j in shown], "together": together}
        return Drawn("", subject.run.position, columns, extra)

    def view(self, schema: Schema, **options: Any) -> LabelView:
        return LabelView(labels=list(schema.labels), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return ""
