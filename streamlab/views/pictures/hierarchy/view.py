"""The view of a label hierarchy: the classes as a tree or as a sunburst, coloured by how well each does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import param

from streamlab.views.kit.columns import Column, ColumnTable
from streamlab.views.kit.component import bundled
from streamlab.views.kit.folding import FoldingView
from streamlab.views.kit.picture import Drawn

SHAPES = ("tree", "sunburst")
MAX_CLASSES = 200

CLASSES = ColumnTable(
    "class",
    Column("id", "u4", "index of the label"),
    Column("parent", "i2", "index of the label above, -1 at the top; in the browser its place in these columns"),
    Column("depth", "u2", "0 at the top"),
    Column("folded", "u2", "classes below it that are not drawn", made=True),
    Column("weight", "f4", "recent arrivals"),
    Column("arrivals", "u4", "arrivals in all"),
    Column("hp", "f4", "recent hierarchical precision, 0..1, NaN while it is not known"),
    Column("hr", "f4", "recent hierarchical recall, likewise"),
    Column("hf", "f4", "recent hierarchical F1, likewise"),
    Column("held", "i4", "examples that the learner keeps of it, -1 without windows"),
    Column("distance", "f4", "from the latest instance, NaN if it was not asked for"),
    Column("normalised", "f4", "that distance as a share of the farthest, NaN likewise"),
    Column("is_leaf", "flag", "without a class below it"),
    Column("true", "flag", "the latest instance has it"),
    Column("predicted", "flag", "it was predicted for the latest instance"),
    Column("stopped", "flag", "the walk stopped before it"),
    Column("tied", "flag", "too near to its rivals to tell"),
    Column("compared", "flag", "compared in the last step of the walk"),
    Column("collapsed", "flag", "folded by the user", made=True),
)
"""43 bytes a class travel."""


class HierarchyView(FoldingView):
    """The classes of a hierarchy: each coloured by its recent hF and as large as it is frequent, the latest walk lit.

    As a tree or as a sunburst, as the user likes. The true path of the latest instance is a solid line, the predicted
    one a dashed line; where a walk stopped, the distances to the children between which it could not decide stand
    beside them. Hover describes a class, a click or Enter selects it, a double click or the key C folds what is below.

    ``show`` takes a row per class, as ``class_columns`` gives them. While ``playing``, the lit path changes about twice
    a second, so that it can be read.
    """

    more_parents = param.List(
        default=[], doc="Pairs (label, parent) of indices: the parents of a label beyond its first, where it has more."
    )

    shape: Any = param.Selector(default="tree", objects=list(SHAPES), doc="Tree or sunburst; set by the user.")

    empty_text = param.String(default="No instance yet: press play", doc="Shown while there is no instance.")

    max_nodes = param.Integer(default=MAX_CLASSES, bounds=(1, 5_000), doc="Most classes drawn, the most frequent.")

    table = CLASSES

    _bundle = bundled("hierarchy")

    def show(self, drawn: Drawn, playing: bool = False) -> None:
        """Draw this state of the classes; see :meth:`FoldingView.show`."""
        # siblings stand in the order of the schema, and none competes with another
        nothing = np.full(len(next(iter(drawn.columns.values()), ())), -1)
        header = {**self._header(drawn, playing), "before": drawn.extra.get("before")}
        self._keep({"competes_with": nothing, "branch": nothing, **drawn.columns}, header)


def more_parents(parents: Sequence[int | tuple[int, ...]]) -> list[tuple[int, int]]:
    """Return the pairs (label, parent) of a hierarchy beyond the first parent of each label."""
    several = [(label, above) for label, above in enumerate(parents) if isinstance(above, tuple)]
    return [(label, parent) for label, above in several for parent in above[1:]]
