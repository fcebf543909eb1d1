"""The view of SMART's trees as strips of cells that show what is fresh, what fades and what is gone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import param

from streamlab.views.kit.component import PictureView, javascript
from streamlab.views.kit.picture import Drawn
from streamlab.views.pictures.forest.layout import FOREST_CELLS, MAX_CELLS, MAX_DEPTH, layout

__all__ = ["ForestView"]


class ForestView(PictureView):
    """Every tree of an ensemble as a strip of cells, root on top, that shows remaining weight and age of each node.

    Width is a node's share of its tree's weight, colour its age in half-lives, the bar in it the share of weight kept
    (on a logarithmic scale, 100 % to 0.1 %). Hover describes a node, a click or Enter selects it.

    ``show`` takes a row per node, as :func:`layout` takes them, and in ``drawn.extra``: ``half_life``, instances after
    which a node that is left alone has half its weight (None or ``inf``: nothing fades, and colour is the age as a
    share of the stream so far); ``n_trees``, strips, also those without a node yet; ``height``, depth of the deepest
    level that the trees can have.
    """

    empty_text = param.String(default="No node yet: press play", doc="Shown while there is no node.")

    max_depth = param.Integer(default=MAX_DEPTH, bounds=(0, 20), doc="Deepest level drawn.")

    max_cells = param.Integer(default=MAX_CELLS, bounds=(1, 20_000), doc="Most cells drawn.")

    table = FOREST_CELLS

    _esm = javascript("forest")

    # These two concern the layout alone and stay in Python.
    _rename: ClassVar[Mapping[str, str | None]] = {"max_depth": None, "max_cells": None}

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state of the ensemble; see :meth:`PictureView.show`."""
        cells = layout(drawn.columns, max_depth=self.max_depth, max_cells=self.max_cells)
        half_life, height = drawn.extra["half_life"], int(drawn.extra["height"])
        fades = half_life is not None and np.isfinite(half_life)
        header = {
            **self._header(drawn, playing),
            "n_trees": int(drawn.extra["n_trees"]),
            "height": height,
            "drawn_depth": min(self.max_depth, height),
            "half_life": float(half_life) if fades else None,
            "n_nodes": len(drawn.columns["id"]),
        }
        self._show(header, (FOREST_CELLS, cells))
