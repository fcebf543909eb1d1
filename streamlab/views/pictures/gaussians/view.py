"""The view of naive Bayes: strips of features with a Gaussian for each class, and what decided the latest row."""

from __future__ import annotations

import param

from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.picture import Drawn

CLASSES = ColumnTable(
    "class",
    Column("id", "id", "its place in the schema"),
    Column("count", "u4", "rows of it that were learned"),
    Column("share", "f4", "of all rows: what is known before a row is seen"),
    Column("score", "f4", "its probability for the latest row; NaN where there is none"),
    Column("answered", "flag", "the learner answers it"),
    Column("carried", "flag", "the latest row has it"),
    Column("prior", "f4", "log-likelihood that its share gives the answered class above it; NaN without a row"),
    Column("total", "f4", "the answered class's log-likelihood above its own; NaN without a row"),
    Column("others", "f4", "what the values give of it that are not listed"),
    Column("n_others", "u4", "how many these are"),
)
STRIPS = ColumnTable(
    "feature that is drawn",
    Column("strip", "u4", "its place among the names; what tells the classes apart best comes first"),
    Column("between", "f4", "the share of its variance that is between the classes, 0 to 1"),
    Column("value", "f4", "the latest row's; NaN where it has none"),
)
CURVES = ColumnTable(
    "class and feature that is drawn",
    Column("mean", "f4", "NaN where the class never had a value; those of a class together"),
    Column("deviation", "f4", "the standard deviation"),
    Column("mean_before", "f4", "the mean at the mark; NaN without one"),
    Column("deviation_before", "f4", "the standard deviation at the mark"),
    Column("likelihood", "f4", "what the latest row's value adds to the class's log-likelihood"),
)
STEPS = ColumnTable(
    "value of the latest row",
    Column("step_term", "i4", "its place among the names, -1: none; those of a class together, the largest first"),
    Column("step_value", "f4", "the value"),
    Column("adds", "f4", "log-likelihood that it gives the answered class above this one"),
)
IN_HEADER = ("noun", "names", "marked", "more", "hidden")
PARTS = (STRIPS, CURVES, STEPS)


class GaussiansView(PictureView):
    """The Gaussians of each class in the features that tell the classes apart, and why the latest row is answered so.

    A click or Enter selects a class: its Gaussians stand out, and the sum compares it with the answered one.

    ``show`` takes a row per class (columns of ``CLASSES``), and in ``drawn.extra``: ``strips``, ``curves`` and
    ``steps``, columns of the tables above; ``noun``, "class"; ``names``, what features are called; ``marked``
    (``{"row", "number"}``, number 0 for a mark that people set, or None); ``more`` and ``hidden``, classes and features
    left out.
    """

    empty_text = param.String(default="No class yet: press play", doc="Shown while no row has been learned.")

    table = CLASSES

    _bundle = bundled("gaussians")

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state.

        Raises
        ------
        ValueError
            If a column is missing, or columns do not fit each other.
        """
        extra, count = drawn.extra, CLASSES.check(drawn.columns)
        strips = STRIPS.check(extra["strips"], what="extra: strips")
        if (curves := CURVES.check(extra["curves"], what="extra: curves")) != count * strips:
            raise ValueError(f"extra: there are {curves} curves; expected {count} classes times {strips} strips")
        header = {**self._header(drawn, playing), **{name: extra[name] for name in IN_HEADER}}
        given = (extra["strips"], extra["curves"], extra["steps"])
        self._show(header, (CLASSES, drawn.columns), *zip(PARTS, given, strict=True))
