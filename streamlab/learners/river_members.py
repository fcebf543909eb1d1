"""The trees of River's ensembles, cell by cell, for the picture of a forest: read, and never changed."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import numpy as np

from streamlab.learners.base.rows import is_sparse
from streamlab.learners.river_reading import Reader
from streamlab.learners.river_steps import last_step, transformed
from streamlab.learners.river_trees import REGIMES, Node, in_words, is_tree, regime_of, stats_of, top_of

CELL = 1 << 47
"""Ids of cells are from here on, so that a member's own is none of them."""
DEEPEST = 40
"""Levels that are read of a tree, at most."""


class Cell(NamedTuple):
    """A node of River's where it is; ``begin``: the weight of its siblings on its left."""

    own: Any
    id: int
    tree: int
    way: tuple[int, ...]
    above: Cell | None
    begin: float
    weight: float
    before: float


class MemberTrees(Reader):
    """The Hoeffding trees of an ensemble of River's, each in its place.

    A cell's id follows from its tree and the branches on the way to it: the same in every copy, and after going back; a
    leaf that splits keeps it. How many rows of a new leaf came before the mark River does not keep: as many, in
    proportion, as of the leaf that was there.
    """

    half_life: ClassVar[float] = math.inf

    def __init__(self, learner: Any = None) -> None:
        super().__init__(learner)
        self._marked: dict[int, float] = {}

    @abstractmethod
    def _places(self) -> list[tuple[int, Any]]:
        """Return the id of each tree and the tree, by its place; None where there is none."""

    @abstractmethod
    def _member_told(self, member_id: int) -> str:
        """Return what a tree does, in words."""

    @property
    def _trees(self) -> list[tuple[int, int, Any]]:
        return [(place, number, tree) for place, (number, tree) in enumerate(self._places()) if is_tree(tree)]

    @property
    def is_of_trees(self) -> bool:
        """Whether its members are trees that can be drawn."""
        model = getattr(last_step(self._learner.classifier), "model", None)
        return model is None or is_tree(model)

    @property
    def n_trees(self) -> int:
        """Places of trees, those of trees that grow beside others behind those that answer."""
        return max(len(self._places()), 1)

    @property
    def tree_words(self) -> list[tuple[str, str]]:
        """What each tree is called, by its place, and what it does; ``""`` where there is none."""
        places = self._places()
        return [("", "") if tree is None else (str(number), self._member_told(number)) for number, tree in places]

    @property
    def height(self) -> int:
        """Levels of the highest tree."""
        trees = [last_step(tree) for _, _, tree in self._trees]
        return max((tree.height for tree in trees if tree._root is not None), default=1)

    @property
    def now(self) -> int:
        """Rows learned."""
        return int(self._learner._n_seen)

    def cells(self, max_depth: int = DEEPEST, min_weight: float = 0.0) -> Iterator[Cell]:
        """Yield the nodes down to a depth, of at least a share of their tree's weight, parents before children."""
        for place, number, tree in self._trees:
            root = last_step(tree)._root
            waiting: list[tuple[Any, Cell | None, tuple[int, ...], float]]
            waiting = [] if root is None else [(root, None, (), 0.0)]
            for own, above, way, begin in waiting:
                weight, cell_id = float(own.total_weight), _cell_id(number, way)
                if weight < min_weight * float(root.total_weight):
                    continue
                before = 0.0 if above is None or not above.weight else above.before * weight / above.weight
                before = min(self._marked.get(cell_id, before), weight)
                cell = Cell(own, cell_id, place, way, above, begin, weight, before)
                yield cell
                if hasattr(own, "children") and len(way) < max_depth:
                    start = 0.0
                    for branch, child in enumerate(own.children):
                        waiting.append((child, cell, (*way, branch), start))
                        start += float(child.total_weight)

    # ------------------------------------------------------------------ the picture

    def mark(self) -> None:
        """Note how much weight each cell holds; ``node_columns`` tells then how much of its weight is from before."""
        self._marked = {cell.id: cell.weight for cell in self.cells()}

    def evidence(self) -> tuple[float, float]:
        """Return the weight in the roots of the trees that answer and grow, and how much came before the mark."""
        roots = list(self.cells(0))
        return sum(root.weight for root in roots), sum(root.before for root in roots)

    def cell_columns(self, max_depth: int, min_weight: float = 0.0) -> dict[str, np.ndarray]:
        """Return what the picture of a forest draws, a row per cell, as ``SMART.node_columns``; and where it begins."""
        cells = list(self.cells(max_depth, min_weight))
        stats = [stats_of(cell.own) for cell in cells]
        places = {name: (self._learner._labels_of(name) or [-1])[0] for each in stats for name in each}
        weight = np.array([cell.weight for cell in cells], np.float64)
        roots = {cell.tree: cell.weight for cell in cells if cell.above is None}
        return {
            "id": np.array([cell.id for cell in cells], np.int64),
            "tree": np.array([cell.tree for cell in cells], np.int64),
            "node": np.array([cell.id % CELL for cell in cells], np.int64),
            "parent": np.array([-1 if cell.above is None else cell.above.id for cell in cells], np.int64),
            "depth": np.array([len(cell.way) for cell in cells], np.int64),
            "weight": weight, "seen": weight.copy(), "before": np.array([cell.before for cell in cells], np.float64),
            "begin": np.array([cell.begin / max(roots[cell.tree], 1e-9) for cell in cells], np.float64),
            "top": np.array([top_of(each, places) for each in stats], np.int64),
        }  # fmt: skip

    def path_of(self, x: Any) -> np.ndarray:
        """Return the ids of the cells that a row, of shape (1, n_features), passes in all trees."""
        row, found = self._learner._last_step_row(x if is_sparse(x) else x[0]), []
        for _, number, tree in self._trees:
            own, values = last_step(tree)._root, transformed(tree, row)
            way: tuple[int, ...] = ()
            while own is not None:
                found.append(_cell_id(number, way))
                if not hasattr(own, "children"):
                    break
                try:
                    branch = own.branch_no(values)
                except KeyError:  # the value is missing, or new: River goes where most rows went
                    branch = own.most_common_path()[0]
                own, way = own.children[branch], (*way, branch)
        return np.array(found, np.int64)

    def describe_cell(self, cell_id: int) -> dict[str, Any] | None:
        """Return what is known of a cell, as ``SMART.describe_node``; None where there is none of this id."""
        cell = next((each for each in self.cells() if each.id == cell_id), None)
        if cell is None:
            return None
        number, tree = self._places()[cell.tree]
        rule, lower = [], cell
        while lower.above is not None:
            rule.append(in_words(lower.above.own, lower.way[-1]))
            lower = lower.above
        stats = stats_of(cell.own)
        node = Node(cell.own, cell_id, -1, -1, 0, len(cell.way), False)
        shares = [(self._learner._class_name(name), value / sum(stats.values())) for name, value in stats.items()]
        told = {"its tree": self._member_told(number), "rows": "each as often as the ensemble drew it"}
        if node.is_leaf:
            told["answers by"] = REGIMES[regime_of(node, last_step(tree))]
        else:
            told["asks"] = in_words(cell.own, 0)
        return {
            "id": cell_id, "tree": cell.tree, "called": str(number), "depth": len(cell.way), "rule": rule[::-1],
            "weight": cell.weight, "seen": round(cell.weight), "before": cell.before,
            "labels": sorted(shares, key=lambda each: -each[1]), "facts": told,
        }  # fmt: skip


def _cell_id(number: int, way: tuple[int, ...]) -> int:
    """Return the id of the cell that these branches lead to, in the tree of this number."""
    return CELL | hash((number, *way)) % CELL
