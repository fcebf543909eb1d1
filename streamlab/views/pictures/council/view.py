"""The view of a council: a line of trust for each expert, trust by label, and what each said of the latest row."""

from __future__ import annotations

from typing import Any

import numpy as np
import param

from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.picture import Drawn

EXPERTS = ColumnTable(
    "expert",
    Column("id", "id", "the same for an expert of this name as long as the run lasts; 0: the labels' shares"),
    Column("colour", "u1", "its place among all that were ever there; 0: the labels' shares"),
    Column("trust", "f4", "trust in it for all labels"),
)
NOTES = ColumnTable("note of the trust", Column("noted", "f8", "rows that the run had passed"))
LABELS = ColumnTable(
    "label",
    Column("label", "u4", "its place in the schema"),
    Column("spread", "f4", "the largest less the smallest trust of its own in an expert"),
    Column("probability", "f4", "the council's scored answer to the latest row; NaN where there is none"),
    Column("answered", "flag", "the council answered it"),
    Column("carried", "flag", "the latest row has it"),
)
LINES = ColumnTable("note of the trust in an expert", Column("values", "f4", "those of a note together"))
OWN = ColumnTable("expert and label", Column("own", "f4", "what a label adds to the trust: those of a label together"))
SCORES = ColumnTable(
    "score of an expert",
    Column("score", "u1", "0..1: those of a label together, without the labels' shares", scale=200),
)
ADDS = ColumnTable("what a score adds", Column("adds", "f4", "to the answer: those of a label together, the bias last"))


class CouncilView(PictureView):
    """How far a council trusts each expert, over the rows and for each label, and who said what of the latest row.

    A click or Enter selects an expert.

    ``show`` takes a row per expert (``id``, ``colour`` and ``trust``; the first is the labels' shares), and in
    ``drawn.extra``: ``names``; ``noted`` (notes,) and ``values`` (notes, experts), the trust along the rows;
    ``labels``, columns of ``LABELS``, the labels with the largest spread first; ``own`` (labels, experts); ``scores``
    (labels, experts - 1) and ``adds`` (labels, experts + 1) of the latest row, or None; ``more``, labels left out;
    ``drifts`` (``[{"row", "number"}]``, 0 for a mark that people set); ``left`` (``[{"row", "name", "colour"}]``);
    ``known``, the colours of experts whose curves are on the page too, by their places; ``combine``, ``"stack"`` or
    ``"hedge"``; ``mean_of``, rows whose mean each trust is, or 0; ``has_learned``, whether the council has learned the
    latest row: ``scores`` are then what the experts said before; else they are asked now; ``words``, what each of
    ``names`` is; ``threshold``, the score from which on the row's labels were answered, or None.
    """

    empty_text = param.String(default="No trust yet: press play", doc="Shown while no row has been learned.")

    table = EXPERTS

    _bundle = bundled("council")

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state.

        Raises
        ------
        ValueError
            If a column is missing, or shapes do not fit each other.
        """
        extra, count = drawn.extra, EXPERTS.check(drawn.columns)
        notes, labels = NOTES.check({"noted": extra["noted"]}), LABELS.check(extra["labels"], what="labels")
        said = extra["scores"] is not None
        shapes: dict[str, Any] = {"values": (notes, count), "own": (labels, count)}
        if said:
            shapes |= {"scores": (labels, count - 1), "adds": (labels, count + 1)}
        for name, shape in shapes.items():
            if np.shape(extra[name]) != shape:
                raise ValueError(f"extra: {name} has the shape {np.shape(extra[name])}; expected {shape}")
        header = {
            **self._header(drawn, playing),
            **{name: extra[name] for name in ("names", "more", "drifts", "left", "known", "combine", "mean_of")},
            **{name: extra.get(name) for name in ("words", "threshold")},
            "has_learned": bool(extra.get("has_learned")),
            "said": said,
        }
        nothing = np.zeros(0)
        self._show(
            header,
            (EXPERTS, drawn.columns),
            (NOTES, {"noted": extra["noted"]}),
            (LABELS, extra["labels"]),
            (LINES, {"values": np.ravel(extra["values"])}),
            (OWN, {"own": np.ravel(extra["own"])}),
            (SCORES, {"score": np.ravel(extra["scores"]) if said else nothing}),
            (ADDS, {"adds": np.ravel(extra["adds"]) if said else nothing}),
        )
