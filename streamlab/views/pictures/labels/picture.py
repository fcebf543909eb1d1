"""The picture of the labels: how common each is now, against the whole stream, and which come together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import param
from numpy.typing import ArrayLike

from streamlab.views.kit.columns import UNIT, Column, ColumnTable
from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.details import how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject

if TYPE_CHECKING:
    from streamlab.schema import Schema

LABELS = ColumnTable(
    "label",
    Column("recent", "f4", "share of the recent (faded) instances that have it, 0..1"),
    Column("whole", "f4", "the same over the whole stream so far"),
)
PAIRS = ColumnTable(
    "pair",
    Column("together", "u2", "share of the recent instances with both: the lower triangle, row by row", scale=UNIT),
)


class LabelView(PictureView):
    """A row per label, its prevalence now as a bar against the whole stream as a tick, and a co-occurrence matrix.

    The difference is written with an arrow and a sign; the matrix shows the Jaccard index of each pair by the area and
    the colour of a square. A table twin and a one-sentence summary say the same in words.

    ``show`` takes ``recent`` and ``whole``, arrays of shape (n_labels,): shares of the instances that have the label,
    0..1. ``drawn.extra`` has ``together``, of shape (n_labels, n_labels): the share of the recent instances that have
    both labels, of which the lower triangle is read; and ``names``, by index (default: ``labels``).
    """

    empty_text = param.String(default="No label yet: press play", doc="Shown while there is no label.")

    table = LABELS

    _bundle = bundled("labels")

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw these prevalences.

        Raises
        ------
        ValueError
            If a column is missing, or a shape does not fit the number of names.
        """
        names = [str(name) for name in drawn.extra.get("names", self.labels)]
        if "together" not in drawn.extra:
            raise ValueError("extra: missing together, the shares of instances with both labels of each pair")
        self.table.check(drawn.columns, self.table.needed)
        count = len(names)
        shares = {
            **{name: _shares(name, drawn.columns[name], (count,)) for name in self.table.needed},
            "together": _shares("together", drawn.extra["together"], (count, count))[np.tril_indices(count, -1)],
        }
        self._show({**self._header(drawn, playing), "names": names}, (LABELS, shares), (PAIRS, shares))


def _shares(name: str, values: ArrayLike, shape: tuple[int, ...]) -> np.ndarray:
    # A share of nothing (0/0 before the first instance) is drawn as none.
    array = np.nan_to_num(np.asarray(values, dtype=np.float32))
    if array.shape != shape:
        raise ValueError(f"{name}: shape {array.shape} does not fit {shape[0]} names, {shape} is needed")
    return array


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
        return subject.run.stream.schema.classes is None

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
