"""The view of a memory of rows: a point for each, by age and by what it is kept or dropped by."""

from __future__ import annotations

from typing import Any

import numpy as np
import param

from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, javascript
from streamlab.views.kit.picture import Drawn

__all__ = ["MemoryView"]

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

    ``show`` takes a row per remembered row, as ``RememberedRows.node_columns`` gives them, and in ``drawn.extra``:
    ``labels`` uint8 (rows, n_labels); ``sizes``, as ``sizes_before`` gives them; ``held`` and ``most``, rows remembered
    and allowed; ``answered_by``, rows that answered the latest one; ``measure``, ``leaves``, ``best`` and ``worst``, as
    ``standing_words`` gives them.
    """

    label = param.Integer(
        default=-1, bounds=(-1, None), doc="Index of the label in colour, -1: those of the latest row; set by the user."
    )

    empty_text = param.String(default="Nothing remembered yet: press play", doc="Shown while there is no row.")

    table = ROWS

    _esm = javascript("memory")

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state.

        Raises
        ------
        ValueError
            If a column is missing or columns differ in length.
        """
        extra, columns = drawn.extra, drawn.columns
        n = ROWS.check(columns)
        labels = np.asarray(extra["labels"])
        if labels.ndim != 2 or len(labels) != n:
            raise ValueError(f"labels have the shape {labels.shape}; expected {n} rows")
        best, worst = float(extra["best"]), float(extra["worst"])
        share = np.clip((columns["standing"] - worst) / (best - worst if best != worst else 1.0), 0.0, 1.0)
        header: dict[str, Any] = {
            **self._header(drawn, playing),
            "n_labels": labels.shape[1],
            **{name: extra[name] for name in ("held", "most", "answered_by", "measure", "leaves", "best", "worst")},
        }
        self._show(
            header,
            (ROWS, {**columns, "share": share}),
            (BITS, {"bits": np.packbits(labels, axis=1, bitorder="little").ravel()}),
            (SIZES, {"sizes": extra["sizes"]}),
        )
