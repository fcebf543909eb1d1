"""The label view: how common each label is now, against the whole stream, and which labels come together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import param
from numpy.typing import ArrayLike

from streamlab.views.pictures.forest.view import UNIT, FrameComponent, javascript

__all__ = ["LabelView"]


class LabelView(FrameComponent):
    """A row per label, its prevalence now as a bar against the whole stream as a tick, and a co-occurrence matrix.

    The difference is written with an arrow and a sign; the matrix shows the Jaccard index of each pair by the area and
    the colour of a square. A table twin and a one-sentence summary say the same in words.

    Call :meth:`show` from the Bokeh document's thread.
    """

    list_height = param.Integer(
        default=420, bounds=(120, None), doc="Height in pixels after which the list of labels scrolls."
    )

    empty_text = param.String(default="No label yet: press play", doc="Shown while there is no label.")

    _esm = javascript("labels")

    def show(self, names: Sequence[str], now: ArrayLike, whole: ArrayLike, cooccurrence: ArrayLike) -> None:
        """Draw these prevalences.

        Parameters
        ----------
        names
            Label names, in the order of the schema.
        now
            Array of shape (n_labels,): share of the recent (faded) instances that have the label, 0..1.
        whole
            Array of shape (n_labels,): the same over the whole stream so far.
        cooccurrence
            Array of shape (n_labels, n_labels): share of the recent instances that have both labels, 0..1. Only the
            lower triangle is read.

        Raises
        ------
        ValueError
            If a shape does not fit the number of names.
        """
        count = len(names)
        arrays = {}
        for name, values, shape in (
            ("now", now, (count,)),
            ("whole", whole, (count,)),
            ("cooccurrence", cooccurrence, (count, count)),
        ):
            # A share of nothing (0/0 before the first instance) is drawn as none.
            arrays[name] = np.nan_to_num(np.asarray(values, dtype=np.float32))
            if arrays[name].shape != shape:
                raise ValueError(f"{name}: shape {arrays[name].shape} does not fit {count} names, {shape} is needed")
        joint = arrays["cooccurrence"][np.tril_indices(count, -1)]
        header = {"names": [str(name) for name in names]}
        columns = [("now", arrays["now"], "f4", 1), ("whole", arrays["whole"], "f4", 1), ("joint", joint, "u2", UNIT)]
        self._show(header, columns)
