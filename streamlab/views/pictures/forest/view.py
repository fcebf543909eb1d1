"""The view of SMART's trees: what evidence their cells keep, from before a mark and from after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import param

from streamlab.views.kit.component import PictureView, bundled
from streamlab.views.kit.picture import Drawn
from streamlab.views.pictures.forest.layout import FOREST_CELLS, MAX_CELLS, MAX_DEPTH, layout


class ForestView(PictureView):
    """An ensemble of trees: one large, with the way of the latest row, and under it each as a small bar.

    Width is a node's share of its tree's rows, the filled height the evidence that it keeps. What is from before the
    mark is hatched, what is from after it solid. Hover describes a node, a click or Enter selects it; a click on a bar,
    or Page Up and Page Down, chooses the tree that is large.

    ``show`` takes a row per node, as :func:`layout` takes them, and in ``drawn.extra``: ``half_life``, instances after
    which half of the evidence has faded (None or ``inf``: nothing fades); ``n_trees``, also those without a node yet;
    ``trees``, what each is called and does, where they have names;
    ``height``, levels that the trees can have; ``full``, instances whose evidence fills a root; ``mark``, None or
    ``{"row", "drift", "since"}``: the row that parts old from new, the number of the drift that began there (0: people
    marked it) and how many rows ago that was; ``share``, how much of the evidence of all trees is from before it, 0..1.
    """

    empty_text = param.String(default="No node yet: press play", doc="Shown while there is no node.")

    tree = param.Integer(
        default=None, allow_None=True, bounds=(0, None),
        doc="The tree that is large, from 0; set by the user. None: of trees that are replaced the one of most rows.",
    )  # fmt: skip

    cell = param.Tuple(default=None, allow_None=True, length=2, doc="(tree, heap index) of the selected node, or None.")

    max_depth = param.Integer(default=MAX_DEPTH, bounds=(0, 20), doc="Deepest level drawn.")

    max_cells = param.Integer(default=MAX_CELLS, bounds=(1, 20_000), doc="Most cells drawn.")

    table = FOREST_CELLS

    _bundle = bundled("forest")

    # These concern the layout, and other views, and stay in Python.
    _rename: ClassVar[Mapping[str, str | None]] = {"cell": None, "max_depth": None, "max_cells": None}

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._columns: Mapping[str, Any] = {}
        self._follows = False

    @param.depends("selected", watch=True)
    def _say_cell(self) -> None:
        """Say where the selected node is, for views of other learners that have it too."""
        if not self._follows:
            at = [] if self.selected is None or not self._columns else self._columns["id"] == self.selected
            places = [(int(self._columns["tree"][i]), int(self._columns["node"][i])) for i in np.flatnonzero(at)]
            self.cell = places[0] if places else None

    @param.depends("cell", watch=True)
    def _follow_cell(self) -> None:
        """Select the node at this place, if there is one."""
        chosen = None
        if self.cell is not None and self._columns:
            tree, node = self.cell
            at = np.flatnonzero((self._columns["tree"] == tree) & (self._columns["node"] == node))
            chosen = int(self._columns["id"][at[0]]) if len(at) else None
        self._follows = True
        try:
            self.selected = chosen
        finally:
            self._follows = False

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state of the ensemble; see :meth:`PictureView.show`."""
        self._columns = {name: drawn.columns[name] for name in ("id", "tree", "node")}
        cells = layout(drawn.columns, max_depth=self.max_depth, max_cells=self.max_cells)
        half_life, height = drawn.extra["half_life"], int(drawn.extra["height"])
        fades = half_life is not None and np.isfinite(half_life)
        header = {
            **self._header(drawn, playing),
            "n_trees": int(drawn.extra["n_trees"]),
            "trees": [list(each) for each in drawn.extra.get("trees", ())],
            "height": height,
            "drawn_depth": min(self.max_depth, height - 1),
            "full": float(drawn.extra["full"]),
            "share": float(drawn.extra["share"]),
            "mark": None if drawn.extra["mark"] is None else dict(drawn.extra["mark"]),
            "begun": list(drawn.extra.get("begun", ())),
            "alarm": drawn.extra.get("alarm"),
            "half_life": float(half_life) if fades else None,
            "n_nodes": len(drawn.columns["id"]),
        }
        self._show(header, (FOREST_CELLS, cells))
