"""The view of a stream in its learner's first two directions: class means that move, and balanced neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import param
from numpy.typing import NDArray

from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import PictureView, javascript
from streamlab.views.kit.picture import Drawn
from streamlab.views.pictures.projection.plane import StablePlane

__all__ = ["CLASSES", "ProjectionView"]

CLASSES = ColumnTable(
    "class",
    Column("mean_x", "f4", "where its mean is drawn, NaN without a mean", made=True),
    Column("mean_y", "f4", "likewise", made=True),
    Column("weight", "f4", "instances"),
    Column("window", "u4", "instances kept"),
    Column("threshold", "f4", "of the decision score; infinite where it is never answered"),
    Column("score", "f4", "decision score of the instance shown"),
)
MEANS = ("x", "y")
"""What a learner gives beside them: the means in its plane."""

INSTANCES = ColumnTable(
    "instance",
    Column("row", "id", "number in the stream, oldest first"),
    Column("x", "f4", "where it is drawn", made=True),
    Column("y", "f4", "likewise", made=True),
)
BITS = ColumnTable("byte", Column("bits", "u1", "labels of the instances, ceil(n_labels / 8) bytes each, lowest first"))
LINKS = ColumnTable(
    "link",
    Column("link_label", "u2", "class whose neighbour it is"),
    Column("link_row", "id", "number of the neighbour"),
    Column("link_x", "f4", "where the neighbour is drawn"),
    Column("link_y", "f4", "likewise"),
)
RECENT = (*INSTANCES.needed, "points", "Y")


class ProjectionView(PictureView):
    """Recent instances and class means in the plane of the first two directions, and decision scores as bars.

    Points are instances, filled where they carry the label chosen; crosses are class means with their trail. The
    instance under the pointer, or pinned by a click or Enter, is linked to its balanced neighbours, and the bars show
    its decision score per class against the threshold. Without one, the bars are of the newest instance.

    ``show`` takes a row per class, as ``BalancedKNN.node_columns`` gives them, and in ``drawn.extra``: ``recent``, as
    ``BalancedKNN.recent`` gives it; ``neighbourhood``, as ``BalancedKNN.neighbourhood_of`` gives it for ``selection``
    (None: the bars are of the newest instance).
    """

    selected = param.Integer(default=None, allow_None=True, doc="Number of the pinned instance; set by the user.")

    pointed = param.Integer(
        default=None, allow_None=True, doc="Number of the instance under the pointer or the cursor; set by the user."
    )

    label = param.Integer(default=0, bounds=(0, None), doc="Index of the label in colour; set by the user too.")

    empty_text = param.String(default="No instance yet: press play", doc="Shown while there is no instance.")

    table = CLASSES

    _esm = javascript("projection")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._plane = StablePlane()
        self._subject: str | None = None

    @property
    def selection(self) -> int | None:
        """The instance whose neighbours are wanted: under the pointer, else pinned, else None."""
        return self.selected if self.pointed is None else self.pointed

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state; another learner's picture begins with other axes and without a trail.

        A neighbourhood of another instance than ``selection`` is not drawn: it was asked for before the pointer moved.

        Raises
        ------
        ValueError
            If a column is missing or columns differ in length.
        """
        columns, recent = drawn.columns, drawn.extra["recent"]
        n_labels = _check(columns, recent)
        if drawn.subject != self._subject:
            self._plane.forget()
            self._subject = drawn.subject
        means = np.column_stack([columns["x"], columns["y"]])
        rows = np.asarray(recent["row"])
        self._plane.take(rows, recent["points"], means)
        points, means = self._plane.draw(recent["points"]), self._plane.draw(means)
        header = {**self._header(drawn, playing), "n_labels": n_labels, "target": None, "truth": []}
        near = drawn.extra.get("neighbourhood")
        if near is not None and near["instance"] != self.selection:
            near = None
        if near is not None:
            place = self._plane.draw(np.asarray(near["point"])[None])[0]
            header["target"] = [int(near["instance"]), *map(float, place)]
            header["truth"] = np.flatnonzero(near["Y"]).tolist()
        self._show(
            header,
            (INSTANCES, {"row": rows, "x": points[:, 0], "y": points[:, 1]}),
            (BITS, {"bits": np.packbits(recent["Y"], axis=1, bitorder="little").ravel()}),
            (CLASSES, {**columns, "mean_x": means[:, 0], "mean_y": means[:, 1], **_scores(near)}),
            (LINKS, self._lines_to(near)),
        )

    def _lines_to(self, near: Mapping[str, Any] | None) -> dict[str, NDArray[Any]]:
        if near is None:
            return {name: np.zeros(0) for name in LINKS.columns}
        places = self._plane.draw(near["points"])
        return {
            "link_label": near["label"], "link_row": np.asarray(near["row"]),
            "link_x": places[:, 0], "link_y": places[:, 1],
        }  # fmt: skip


def _scores(near: Mapping[str, Any] | None) -> dict[str, NDArray[Any]]:
    return {} if near is None else {"score": near["scores"]}


def _check(columns: Mapping[str, NDArray[Any]], recent: Mapping[str, NDArray[Any]]) -> int:
    """Number of classes; ValueError if the columns do not make a picture."""
    n_labels = CLASSES.check(columns, (*CLASSES.needed, *MEANS))
    INSTANCES.check(recent, RECENT, what="recent")
    if np.shape(recent["Y"])[1:] != (n_labels,):
        raise ValueError(f"recent: Y has the shape {np.shape(recent['Y'])}; expected {n_labels} labels")
    return n_labels
