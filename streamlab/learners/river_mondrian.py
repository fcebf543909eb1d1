"""The trees of River's aggregated Mondrian forest, for the picture of a forest: read, and never changed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np

from streamlab.learners.base.rows import is_sparse
from streamlab.learners.river_forests import ForestReader
from streamlab.learners.river_models import is_of, last_step
from streamlab.learners.river_trees import in_words

DEEPEST = 16
"""The deepest level that is read (the root's is 0): a tree of a thousand nodes has forty levels, and few rows there."""
MOST_RANGES = 3
ID_BITS = 48


def is_mondrian(model: Any) -> bool:
    """Whether a model of River's, or the last step of a pipeline, is a Mondrian forest for classes."""
    return is_of(model, "forest", "AMFClassifier")


class Cell(NamedTuple):
    """A node of River's where it is.

    ``place``: 0 for the root, 2i + 1 and 2i + 2 for the children of i. ``before``: how many of its rows came before the
    mark; ``corner``: the lowest one of the box around them then, which no later split cuts.
    """

    own: Any
    id: int
    tree: int
    place: int
    depth: int
    above: Cell | None
    before: int = 0
    corner: dict[Any, float] | None = None

    @property
    def weight(self) -> int:
        return int(self.own.n_samples)


class RiverMondrian(ForestReader):
    """The trees of one of River's Mondrian forests.

    A cell's id follows from its tree, the time at which it began, and its side: River makes a new object of a leaf that
    splits. So an id is the same in every copy, and after going back.
    """

    picture: ClassVar[str] = "forest"
    reads = staticmethod(is_mondrian)

    def __init__(self, learner: Any = None) -> None:
        super().__init__(learner)
        self._marked: dict[int, tuple[int, dict[Any, float]]] | None = None

    @property
    def _forest(self) -> Any:
        return last_step(self._learner.model)

    @property
    def n_trees(self) -> int:
        """Trees of the forest."""
        return int(self._forest.n_estimators)

    @property
    def height(self) -> int:
        """Levels of the highest tree."""
        level, height = [tree._root for tree in self._forest], 0
        while level:
            level, height = [child for own in level if not own.is_leaf for child in own.children], height + 1
        return max(height, 1)

    def cells(self, max_depth: int = DEEPEST, min_share: float = 0.0) -> Iterator[Cell]:
        """Yield the nodes down to a depth, of at least a share of their tree's rows, parents before their children."""
        for number, tree in enumerate(self._forest):
            least, taken = max(min_share * tree._root.n_samples, 1), set()
            waiting: list[tuple[Any, Cell | None, int]] = [(tree._root, None, 1)]
            for own, above, side in waiting:
                if own.n_samples < least:
                    continue
                cell_id = _id_of(number, own, side)
                while cell_id in taken:  # where features have huge ranges, times are too near to each other to differ
                    cell_id += 1
                taken.add(cell_id)
                place, depth = (0, 0) if above is None else (2 * above.place + side, above.depth + 1)
                cell = Cell(own, cell_id, number, place, depth, above, *self._before(cell_id, above, side))
                yield cell
                if not own.is_leaf and depth < max_depth:
                    waiting += [(child, cell, 1 + branch) for branch, child in enumerate(own.children)]

    def _before(self, cell_id: int, above: Cell | None, side: int) -> tuple[int, dict[Any, float] | None]:
        if self._marked is None or cell_id in self._marked:
            return (0, None) if self._marked is None else self._marked[cell_id]
        # a new cell has all the old rows of the one above it, or none of them
        has_them = above is not None and above.corner is not None and side == 1 + _branch(above.own, above.corner)
        return (above.before, above.corner) if above is not None and has_them else (0, None)

    # ------------------------------------------------------------------ the picture

    def mark(self) -> None:
        """Note how many rows each cell holds; ``node_columns`` tells then how many of its rows are from before."""
        self._marked = {cell.id: (cell.own.n_samples, dict(cell.own.memory_range_min)) for cell in self.cells()}

    def _top(self, cell: Any) -> int:
        return self._place(self._forest[cell.tree]._idx_to_class[cell.own.counts.index(max(cell.own.counts))])

    def node_columns(self, max_depth: int = DEEPEST, min_share: float = 0.0) -> dict[str, np.ndarray]:
        """Return the cells as columns."""
        return self._columns_of(list(self.cells(max_depth, min_share)))

    def path_of(self, x: Any) -> np.ndarray:
        """Return the ids of the nodes that a row, of shape (1, n_features), passes in all trees."""
        row = self._learner._last_step_row(x if is_sparse(x) else x[0])
        found = []
        for number, tree in enumerate(self._forest):
            own, side = tree._root, 1
            found.append(_id_of(number, own, side))
            while not own.is_leaf:
                side = 1 + _branch(own, row)
                own = own.children[side - 1]
                found.append(_id_of(number, own, side))
        return np.array(found, np.int64)

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what is known of a cell, as ``SMART.describe_node``; None where there is none of this id.

        Beside that ``answer``, how much of its tree's answer to a row that comes to the cell is from those above it,
        from itself, and from those below it, by River's weights; and ``facts``, its time and the narrowest of its
        ranges.
        """
        cell = next((each for each in self.cells() if each.id == node_id), None)
        if cell is None:
            return None
        own, tree = cell.own, self._forest[cell.tree]
        way = [cell]
        while way[0].above is not None:
            way.insert(0, way[0].above)
        rest = math.prod(1.0 - _own_share(each.own, tree) for each in way[:-1])
        share = rest * _own_share(own, tree)
        names = [self._learner._class_name(target) for target in tree._idx_to_class]
        labels = sorted(zip(names, own.predict(tree.dirichlet, len(names)), strict=True), key=lambda each: -each[1])
        return {
            "id": node_id, "tree": cell.tree, "depth": cell.depth,
            "rule": [in_words(upper.own, (lower.place + 1) % 2) for upper, lower in pairwise(way)],
            "weight": float(own.n_samples), "seen": int(own.n_samples), "before": float(cell.before),
            "labels": labels,
            "answer": [("cells above", 1.0 - rest), ("this cell", share), ("cells below", rest - share)],
            "facts": {"began at time": f"{own.time:.4g}"} | _ranges(own, tree._root),
        }  # fmt: skip


def _id_of(tree: int, own: Any, side: int) -> int:
    return hash((tree, own.time, side)) % (1 << ID_BITS)


def _branch(own: Any, row: dict[Any, float]) -> int:
    return int(own.branch_no(row) if own.feature in row else own.most_common_path()[0])


def _own_share(own: Any, tree: Any) -> float:
    """Return how much a cell's own answer counts against that of the cells below it."""
    if own.is_leaf:
        return 1.0
    return 0.5 * math.exp(own.weight - own.log_weight_tree) if tree.use_aggregation else 0.0


def _ranges(own: Any, root: Any) -> dict[str, str]:
    """Return the ranges of a cell's rows that are the narrowest, by those of all rows."""
    low, high, least, most = own.memory_range_min, own.memory_range_max, root.memory_range_min, root.memory_range_max
    share = {name: (high[name] - low[name]) / (most[name] - least[name]) for name in low if most[name] > least[name]}
    narrow = sorted((name for name in share if share[name] < 1), key=lambda name: share[name])[:MOST_RANGES]
    return {f"{name} of its rows": f"{low[name]:.4g} to {high[name]:.4g}" for name in narrow}
