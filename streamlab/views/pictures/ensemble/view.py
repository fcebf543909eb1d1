"""The view of an ensemble: a line for each member, its colour how good it was, chunk by chunk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import param
from numpy.typing import NDArray

from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.picture import Drawn

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

    table = MEMBERS

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
        header = {
            **self._header(drawn, playing),
            "chunks": values.shape[1],
            "step": int(drawn.extra["step"]),
            "end": int(drawn.extra["end"]),
            "measure": str(drawn.extra["measure"]),
            "noun": str(drawn.extra.get("noun", "learner")),
            "mark": None if drawn.extra.get("mark") is None else dict(drawn.extra["mark"]),
        }
        self._show(header, (MEMBERS, members), (CELLS, {"cell": cells}))


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
