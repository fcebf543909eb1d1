"""The hierarchy view: the classes as a tree or as a sunburst, coloured by how well each does, the latest walk lit.

:class:`HierarchyView` chooses what is drawn and sends it to the browser, where ``js/hierarchy.js`` places and draws it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param
from numpy.typing import ArrayLike, NDArray

from streamlab.views.pictures.forest.view import FrameComponent, javascript
from streamlab.views.pictures.tree.view import tree_layout

__all__ = ["SHAPES", "HierarchyView"]

SHAPES = ("tree", "sunburst")
MAX_CLASSES = 200
DRAWN = (
    *("id", "parent", "depth", "is_leaf", "arrivals", "weight", "hp", "hr", "hf"),
    *("held", "distance", "normalised", "stopped", "tied", "compared", "true", "predicted"),
)
"""Columns that :meth:`HierarchyView.show` cannot do without."""

LEAF, TRUE, PREDICTED, STOPPED, TIED, COMPARED, COLLAPSED = (1 << bit for bit in range(7))
"""Bits of the column ``flags`` on the wire; ``js/hierarchy.js`` reads them."""


class HierarchyView(FrameComponent):
    """The classes of a hierarchy: each coloured by its recent hF and as large as it is frequent, the latest walk lit.

    As a tree or as a sunburst, as the user likes. The true path of the latest instance is a solid line, the predicted
    one a dashed line; where a walk stopped, the distances to the children between which it could not decide stand
    beside them. Hover describes a class, a click or Enter selects it, a double click or the key C folds what is below.

    Call :meth:`show`, and set ``collapsed`` and ``max_classes``, from the Bokeh document's thread.
    """

    labels = param.List(default=[], item_type=str, doc="Label names, by index.")

    more_parents = param.List(
        default=[], doc="Pairs (label, parent) of indices: the parents of a label beyond its first, where it has more."
    )

    shape = param.Selector(default="tree", objects=list(SHAPES), doc="Tree or sunburst; set by the user.")

    selected = param.Integer(default=None, allow_None=True, doc="Index of the selected label, or None; by the user.")

    collapsed = param.List(default=[], item_type=int, doc="Labels with what is below them folded; set by the user.")

    empty_text = param.String(default="No instance yet: press play", doc="Shown while there is no instance.")

    max_classes = param.Integer(default=MAX_CLASSES, bounds=(1, 5_000), doc="Most classes drawn, the most frequent.")

    tree_height = param.Integer(default=440, bounds=(200, None), doc="Height of the tree, px; more for many classes.")

    _esm = javascript("hierarchy")

    # These two concern the choice of classes alone and stay in Python.
    _rename: ClassVar[Mapping[str, str | None]] = {"collapsed": None, "max_classes": None}

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._columns: dict[str, NDArray[Any]] | None = None
        self._header: dict[str, Any] = {}

    def show(self, columns: Mapping[str, NDArray[Any]], *, learner: str, now: int, playing: bool = False) -> None:
        """Draw this state of the classes.

        Parameters
        ----------
        columns
            A row per class, as ``lab.classes.class_columns`` gives them. They are copied.
        learner
            Whose answers they are.
        now
            Instances seen.
        playing
            Whether more will come soon: the lit path then changes only about twice a second, so that it can be read.

        Raises
        ------
        ValueError
            If a column is missing or columns differ in length.
        """
        missing = [name for name in DRAWN if name not in columns]
        if missing:
            raise ValueError(f"columns: missing {', '.join(missing)}; a row per class needs {', '.join(DRAWN)}")
        self._header = {"learner": learner, "now": int(now), "playing": bool(playing)}
        nothing = np.full(len(columns["id"]), -1)
        self._columns = {
            **{name: np.array(columns[name]) for name in DRAWN},
            # as tree_layout takes them: no alternates, siblings in the order of the schema
            "competes_with": nothing,
            "branch": nothing,
        }
        self._choose()

    def _choose(self) -> None:
        columns = self._columns
        nodes = tree_layout(columns, max_nodes=self.max_classes, collapsed=self.collapsed)
        self._show({**self._header, "n_classes": len(columns["id"])}, _wire(columns, nodes))

    @param.depends("collapsed", "max_classes", watch=True)
    def _choose_again(self) -> None:
        if self._columns is not None:
            self._choose()

    def _handle_msg(self, data: Any) -> None:
        """What the browser says; besides what every frame component hears: fold or unfold what is below a class."""
        if data.get("kind") != "collapse":
            super()._handle_msg(data)
            return
        label = int(data["id"])
        without = [each for each in self.collapsed if each != label]
        self.collapsed = without if label in self.collapsed else [*without, label]


def more_parents(parents: Sequence[int | tuple[int, ...]]) -> list[tuple[int, int]]:
    """Pairs (label, parent) of a hierarchy beyond the first parent of each label."""
    several = [(label, above) for label, above in enumerate(parents) if isinstance(above, tuple)]
    return [(label, parent) for label, above in several for parent in above[1:]]


def _wire(
    columns: Mapping[str, NDArray[Any]], nodes: Mapping[str, NDArray[Any]]
) -> list[tuple[str, ArrayLike, str, int]]:
    """Class columns with their type on the wire: 43 bytes a class."""
    rows = nodes["row"]
    bits = {"is_leaf": LEAF, "true": TRUE, "predicted": PREDICTED, "stopped": STOPPED, "tied": TIED}
    bits["compared"] = COMPARED
    flags = sum(bit * columns[name][rows].astype(bool) for name, bit in bits.items())
    return [
        *((name, columns[name][rows], "f4", 1) for name in ("weight", "hp", "hr", "hf", "distance", "normalised")),
        *((name, columns[name][rows], "u4", 1) for name in ("id", "arrivals")),
        # one more than are held, for -1 is "no window"
        ("held", columns["held"][rows] + 1, "u4", 1),
        ("folded", nodes["folded"], "u2", 1),
        ("parent", nodes["parent"], "i2", 1),
        ("depth", columns["depth"][rows], "u2", 1),
        ("flags", flags + COLLAPSED * nodes["collapsed"], "u1", 1),
    ]
