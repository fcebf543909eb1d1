"""The view of linear models: a heat of labels and features, bars of a label, and a row's sum step by step."""

from __future__ import annotations

import numpy as np
import param

from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.picture import Drawn

LABELS = ColumnTable(
    "label",
    Column("id", "id", "its place in the schema"),
    Column("intercept", "f4", "what its sum begins with"),
    Column("intercept_before", "f4", "the same at the mark; NaN without one"),
    Column("total", "f4", "its sum for the latest row; NaN where there is none"),
    Column("others", "f4", "what the values add that are not listed"),
    Column("n_others", "u4", "how many these are"),
    Column("score", "f4", "its score of the latest row; NaN where there is none"),
    Column("threshold", "f4", "above this score it is answered; NaN where the best labels of a row are"),
    Column("answered", "flag", "the learner answers it"),
    Column("carried", "flag", "the latest row has it"),
)
HEAT = ColumnTable("label and feature", Column("heat", "f4", "weight: those of a label together"))
BARS = ColumnTable(
    "largest weight of a label",
    Column("bar_term", "i4", "its place among the names, -1: none; those of a label together, the largest first"),
    Column("bar", "f4", "the weight"),
    Column("bar_before", "f4", "the weight at the mark; 0 without one"),
)
STEPS = ColumnTable(
    "value of the latest row",
    Column("step_term", "i4", "its place among the names, -1: none; those of a label together, the largest first"),
    Column("scaled", "f4", "the value as the weight is multiplied by it"),
    Column("adds", "f4", "what it adds to the label's sum"),
)
MOVED = ColumnTable(
    "weight that moved",
    Column("moved_label", "u4", "the label's place in the schema; what moved most comes first"),
    Column("moved_term", "u4", "the feature's place among the names"),
    Column("moved_from", "f4", "the weight at the mark; 0 without one"),
    Column("moved_to", "f4", "the weight now"),
)
IN_HEADER = ("noun", "names", "columns", "values", "best", "marked", "first", "more", "hidden")
PARTS = (LABELS, HEAT, BARS, STEPS, MOVED)


class WeightsView(PictureView):
    """What each label of linear models stands on, what has moved, and why the latest row is answered as it is.

    A click or Enter selects a label, whose bars and sum are drawn; without one the label that is said to be the first.

    ``show`` takes a row per label (columns of ``LABELS``), and in ``drawn.extra``: ``heat`` (labels, features), of the
    features named by ``columns``; ``values``, the latest row's of these features, scaled, empty without a row;
    ``bars``, columns of ``BARS``, and ``steps``, those of ``STEPS``, as many for each label; ``moved``, columns of
    ``MOVED``; ``noun``, "label" or "class"; ``names``, what features are called; ``best``, in words which labels of a
    row are answered, or "" where each has its threshold; ``marked`` (``{"row", "number"}``, number 0 for a mark that
    people set, or None) and ``first``, the label that is drawn where none is selected, or -1; ``more`` and ``hidden``,
    labels and features left out.
    """

    empty_text = param.String(default="No weights yet: press play", doc="Shown while no row has been learned.")

    table = LABELS

    _bundle = bundled("weights")

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state.

        Raises
        ------
        ValueError
            If a column is missing, or shapes do not fit each other.
        """
        extra, count = drawn.extra, LABELS.check(drawn.columns)
        if np.shape(extra["heat"]) != (count, len(extra["columns"])):
            raise ValueError(
                f"extra: heat has the shape {np.shape(extra['heat'])}; expected {(count, len(extra['columns']))}"
            )
        header = {
            **self._header(drawn, playing),
            **{name: extra[name] for name in IN_HEADER},
        }
        given = ({"heat": np.ravel(extra["heat"])}, extra["bars"], extra["steps"], extra["moved"])
        self._show(header, (LABELS, drawn.columns), *zip(PARTS[1:], given, strict=True))
