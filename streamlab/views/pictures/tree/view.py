"""The view of a growing Hoeffding tree: its tests, its leaves, and alternates as ghosts beside their rivals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import param
from numpy.typing import NDArray

from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import bundled
from streamlab.views.kit.folding import FoldingView
from streamlab.views.kit.picture import Drawn
from streamlab.views.kit.text import all_shown

TREE_NODES = ColumnTable(
    "node",
    Column("id", "id", "never reused"),
    Column("x", "f4", "place across, in node distances; 0 at the root", made=True),
    Column("y", "u2", "rows below the root", made=True),
    Column("parent", "i2", "place of the parent in these columns, -1 for a root", made=True),
    Column("rival", "i2", "place of the node that an alternate's root competes with, else -1", made=True),
    Column("folded", "u4", "nodes below it that are not drawn", made=True),
    Column("depth", "u2", "0 for the root"),
    Column("feature", "f4", "index of the feature tested, -1 without a test"),
    Column("threshold", "f4", "number, or index of a category; left if at most that, or equal to it"),
    Column("weight", "f4", "instances"),
    Column("weight_recent", "f4", "recent instances"),
    Column("error", "f4", "0..1, NaN while it is not known"),
    Column("entropy", "f4", "of the labels, bits"),
    Column("n_labelsets", "u4", "label sets seen"),
    Column(
        "regime",
        "u1",
        "how a leaf predicts: 0 not yet, 1 majority, 2 neighbours, 3 bagging, 4 pruned sets, 5 models, 6 naive Bayes",
    ),
    Column("top", "i2", "index of the commonest label, -1 for none"),
    Column("is_leaf", "flag", "without a test"),
    Column("background", "flag", "of an alternate"),
    Column("is_nominal", "flag", "whether its test is of a nominal feature"),
    Column("active", "flag", "whether a leaf still looks for a test"),
    Column("share_first", "f4", "0..1, share of the first of the two answers mixed; NaN for none", optional=True),
    Column("loss_first", "f4", "0..1, faded loss of the first answer", optional=True),
    Column("loss_second", "f4", "0..1, faded loss of the second answer", optional=True),
    Column("readiness", "f4", "0..1, share of the evidence that a leaf's split takes; NaN: not known", optional=True),
    Column("second", "flag", "on the right of its parent", made=True),
    Column("collapsed", "flag", "folded by the user", made=True),
)
"""52 bytes a node travel, 56 once an id exceeds 32 bits; 12 more where nodes mix two answers, 4 where leaves know
when they split."""


class TreeView(FoldingView):
    """A growing Hoeffding tree: its tests, its leaves with their error, and alternates as ghosts beside their rivals.

    Nodes keep their identity and glide to new places. A leaf's shape and colour tell how it predicts, its filling its
    error; an edge is as wide as its weight. Where nodes mix their answers, a bar in each shows its part in the answer
    to a row that comes there. Hover describes a node, a click or Enter selects it, a double click or the key C folds
    what is below it. Drag moves the picture; the buttons, or the wheel with Ctrl, zoom.

    ``show`` takes a row per node with the columns of ``TREE_NODES`` and those of ``tree_layout``, and in
    ``drawn.extra`` the names of the ``features`` by index; where leaves predict in other ways than MLHAT's, the codes
    of their ``regimes``; in ``wait`` which leaf splits next, and by what rule: ``leaf``, ``next`` and ``rule``; in
    ``way`` which nodes answered the latest row, [id, share]; in ``replaced`` the branches that took another's place,
    [id, row of the stream].
    """

    features = param.List(default=[], item_type=str, doc="Feature names, by index; set by show().")

    categories = param.List(
        default=[], doc="By feature index: the list of that feature's category names, or None; may be short or empty."
    )

    exchanged = param.List(
        default=[], item_type=int, doc="ids of a branch and of the one that took its place: both are framed."
    )

    empty_text = param.String(default="No node yet: press play", doc="Shown while there is no node.")

    table = TREE_NODES

    _bundle = bundled("tree")

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state of the tree; see :meth:`FoldingView.show`. Feature names travel when they have changed."""
        names = all_shown(drawn.extra.get("features", self.features))
        ways = {name: drawn.extra[name] for name in ("regimes", "wait", "replaced", "way") if name in drawn.extra}
        # alternates are no part of the tree yet
        n_nodes = len(drawn.columns.get("id", ())) - int(np.count_nonzero(drawn.columns.get("background", ())))
        self._keep(drawn.columns, {**self._header(drawn, playing), "n_nodes": n_nodes, **ways})
        if names != self.features:
            self.features = names

    @classmethod
    def _travelling(
        cls, columns: Mapping[str, NDArray[Any]], nodes: Mapping[str, NDArray[Any]]
    ) -> dict[str, NDArray[Any]]:
        return super()._travelling(columns, nodes) | {"second": columns["branch"][nodes["row"]] == 1}
