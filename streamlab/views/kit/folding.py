"""A picture of nodes that hang on each other: which of them are drawn, and what the user has folded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import param
from numpy.typing import NDArray

from streamlab.views.kit.component import MOST_WHOLE, PictureView
from streamlab.views.kit.picture import Drawn
from streamlab.views.kit.tree_layout import MAX_NODES, PLACED, tree_layout


class FoldingView(PictureView):
    """A picture whose nodes the user folds and unfolds.

    The columns last shown are kept, so that a fold is drawn at once, also while the run rests. A subclass says in
    :meth:`_send` what travels of the nodes that :func:`tree_layout` chose. ``collapsed`` and ``max_nodes`` are to be
    set from the Bokeh document's thread.
    """

    collapsed = param.List(default=[], item_type=int, doc="ids of nodes with what is below them folded; by the user.")

    max_nodes = param.Integer(default=MAX_NODES, bounds=(1, 10_000), doc="Most nodes drawn.")

    breadth = param.Number(default=0.0, doc="How wide what is drawn is, in node distances; set by show().")

    # These concern the choice of nodes, and its room, and stay in Python.
    _rename: ClassVar[Mapping[str, str | None]] = {"collapsed": None, "max_nodes": None, "breadth": None}

    __abstract = True

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._columns: dict[str, NDArray[Any]] | None = None
        self._head: dict[str, Any] = {}

    def _keep(self, columns: Mapping[str, Any], header: Mapping[str, Any]) -> None:
        """Check, copy, choose the nodes and send them."""
        needed = tuple(dict.fromkeys([*PLACED.needed, *self.table.needed]))
        self.table.check(columns, needed)
        optional = [each.name for each in self.table.columns.values() if each.optional and each.name in columns]
        self._columns = {name: np.array(columns[name]) for name in (*needed, *optional)}
        self._head = dict(header)
        self._choose()

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state without the nodes below a folded node and those beyond ``max_nodes``.

        Parameters
        ----------
        drawn
            What the picture's ``columns`` made of the learner. It is copied.
        playing
            Whether more will come soon.

        Raises
        ------
        ValueError
            If a column is missing or columns differ in length.
        """
        self._keep(drawn.columns, {**self._header(drawn, playing), **drawn.extra})

    def _choose(self) -> None:
        assert self._columns is not None, "columns were shown"
        nodes = tree_layout(self._columns, max_nodes=self.max_nodes, collapsed=self.collapsed)
        self.breadth = float(nodes["x"].max(initial=0.0) - nodes["x"].min(initial=0.0))
        header = {"n_nodes": len(self._columns["id"]), **self._head}
        self._show(header, (self.table, self._travelling(self._columns, nodes)))

    @classmethod
    def _travelling(
        cls, columns: Mapping[str, NDArray[Any]], nodes: Mapping[str, NDArray[Any]]
    ) -> dict[str, NDArray[Any]]:
        """Columns of the nodes drawn: those of the learner in their rows, and those of the layout."""
        given = {name: columns[name][nodes["row"]] for name in cls.table.columns if name in columns}
        return given | {name: nodes[name] for name in cls.table.columns if name in nodes}

    @param.depends("collapsed", "max_nodes", watch=True)
    def _choose_again(self) -> None:
        if self._columns is not None:
            self._choose()

    def _handle_msg(self, data: Any) -> None:
        """What the browser says; besides what every frame component hears: fold or unfold a node."""
        if data.get("kind") != "collapse":
            super()._handle_msg(data)
            return
        node = data.get("id")
        if not isinstance(node, int) or isinstance(node, bool) or abs(node) > MOST_WHOLE:
            self._refusals.report("a node to fold", node)
            return
        without = [each for each in self.collapsed if each != node]
        self.collapsed = without if node in self.collapsed else [*without, node]
