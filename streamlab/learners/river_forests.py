"""River's forests: which trees are in one, were, and grow beside them, and their cells: read, and never changed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from streamlab._checks import counted
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.rows import is_sparse
from streamlab.learners.river_models import Reader, is_of, last_step, transformed
from streamlab.learners.river_trees import REGIMES, Node, in_words, is_tree, regime_of, stats_of

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

    @property
    def depth(self) -> int:
        return len(self.way)

    @property
    def place(self) -> int:
        return self.id % CELL


STRETCH, HISTORY = 100, 48
"""Rows over which it is counted how often a tree was right, and how many such stretches are kept."""
NEVER = -1

EVENTS: dict[str, EventKind] = {
    "tree_warned": EventKind(
        "A tree is warned",
        "The warning detector of this tree saw its errors rise: another tree begins to grow beside it, on the same "
        "rows.",
        {"member": "the tree", "by": "the one that grows beside it"},
    ),
    "tree_replaced": EventKind(
        "A tree is replaced",
        "The drift detector of this tree saw its errors rise: the tree that grew beside it since the warning takes its "
        "place, or one that knows nothing where none did.",
        {"member": "the one that left", "by": "the one that came", "rows": "rows since the one that left began"},
        is_detection=True,
        source="the trees' detectors",
        replaces=True,
        noun="tree replacement",
        did="replaced erring trees",
    ),
}


def is_forest(model: Any) -> bool:
    """Whether a model of River's, or the last step of a pipeline, is an adaptive forest, patches, or bagged trees."""
    return is_of(model, "forest", "ARFClassifier") or is_of(model, "ensemble", "SRPClassifier") or is_bagging(model)


def is_bagging(model: Any) -> bool:
    """Whether it, or the last step of a pipeline, is one of River's bagging classifiers of Hoeffding trees."""
    return is_of(model, "ensemble", "BaggingClassifier") and is_tree(last_step(model).model)


def _seats(forest: Any) -> list[tuple[Any, Any, Any]]:
    """Return for each seat the tree, the one that grows beside it or None, and the metric of the tree."""
    if forest.data and hasattr(forest.data[0], "_background_learner"):  # random patches: each has its own
        return [(each.model, getattr(each._background_learner, "model", None), each.metric) for each in forest.data]
    if is_bagging(forest):
        return [(each, None, None) for each in forest.data]
    # before the first row there are seats, and no trees
    background = (forest._background or [None] * len(forest.data))[: len(forest.data)]
    return list(zip(forest.data, background, forest._metrics[: len(forest.data)], strict=True))


@dataclass(eq=False, slots=True)
class Member:
    """A tree: its place in the forest, rows learned when it began, answered first, and left; its hits."""

    own: Any
    id: int
    seat: int
    born: int
    answers: int = NEVER
    left: int = NEVER
    counted: tuple[float, float] = (0.0, 0.0)
    values: np.ndarray = field(default_factory=lambda: np.full(HISTORY, np.nan))


class RiverForest(Reader):
    """The trees of one of River's forests, with ids of their own, which are never given twice; and their cells.

    Copied together with the forest, it knows the copy's trees. A cell's id follows from its tree and the branches on
    the way to it: the same in every copy, and after going back; a leaf that splits keeps it. How many rows of a new
    leaf came before the mark River does not keep: as many, in proportion, as of the leaf that was there.
    """

    reads = staticmethod(is_forest)
    half_life: ClassVar[float] = math.inf

    def __init__(self, learner: Any = None) -> None:
        super().__init__(learner)
        self._there: dict[int, Member] = {}
        self._beside: dict[int, Member] = {}
        self._gone: list[Member] = []
        self._next_id = self._n_stretches = self._ended = 0
        self._marked: dict[int, float] = {}

    @property
    def picture(self) -> str:  # type: ignore[override]  # of bagged trees River does not count how often they are right
        """``"ensemble"``; ``"forest"`` of bagged trees."""
        return "forest" if is_bagging(self._learner.classifier) else "ensemble"

    @property
    def now(self) -> int:
        """Rows learned."""
        return int(self._learner._n_seen)

    def _places(self) -> list[tuple[int, Any]]:
        seats = _seats(last_step(self._learner.model))
        found = [
            (of[seat].id if seat in of else seat, trees[which])
            for which, of in enumerate((self._there, self._beside))
            for seat, trees in enumerate(seats)
        ]
        return found if self._beside else found[: len(seats)]

    def started_within(self, rows: int) -> tuple[int, int]:
        """Return how many of the trees that answer began in the latest rows, and how many answer."""
        return sum(each.born >= self.now - rows for each in self._there.values()), len(self._there)

    def _member_in_words(self, member_id: int) -> str:
        story = self.describe_node(member_id)
        return "answers" if story is None else str(story["status"])

    def events(self, model: Any, position: int) -> list[dict[str, Any]]:
        """Return what has changed since the last call, after a row was learned; ``position``: rows learned.

        Trees are compared by identity, as River keeps no list of them.
        """
        forest = last_step(model)
        found = [each | {"position": position} for each in self._changes(forest, position)]
        if position % STRETCH == 0 and self._there:
            self._note(forest, position)
        return found

    def _changes(self, forest: Any, now: int) -> Iterator[dict[str, Any]]:
        for seat, (own, other, _) in enumerate(_seats(forest)):
            member, beside = self._there.get(seat), self._beside.get(seat)
            if member is None:
                self._there[seat] = self._new(own, seat, now - 1)
                self._there[seat].answers = now - 1
            elif member.own is not own:
                grew = beside is not None and beside.own is own
                new = self._beside.pop(seat) if grew else self._new(own, seat, now)
                beside = self._beside.get(seat)
                self._leave(member, now)
                self._there[seat], new.answers = new, now
                after = f"which grew beside it since row {new.born:,}" if grew else "which knows nothing yet"
                yield {
                    "kind": "tree_replaced", "member": member.id, "by": new.id, "rows": now - member.born,
                    "message": f"tree {member.id} is replaced by tree {new.id}, {after}",
                }  # fmt: skip
            if other is not (None if beside is None else beside.own):
                if beside is not None:
                    self._leave(self._beside.pop(seat), now)
                if other is not None:
                    new = self._beside[seat] = self._new(other, seat, now)
                    yield {
                        "kind": "tree_warned", "member": self._there[seat].id, "by": new.id,
                        "message": f"tree {self._there[seat].id} errs more: tree {new.id} begins to grow beside it",
                    }  # fmt: skip

    def _new(self, own: Any, seat: int, born: int) -> Member:
        self._next_id += 1
        return Member(own, self._next_id - 1, seat, born)

    def _leave(self, member: Member, now: int) -> None:
        member.left, member.own = now, None
        self._gone.append(member)

    def _note(self, forest: Any, now: int) -> None:
        """Keep how often each tree was right in the stretch of rows that ends here, as River's own metric counts it."""
        everybody = [*self._gone, *self._there.values(), *self._beside.values()]
        for member in everybody:
            member.values[:-1] = member.values[1:]
            member.values[-1] = np.nan
        seats = _seats(forest)
        for seat, member in self._there.items():
            member.values[-1] = _share(member, seats)
            member.counted = _counts(seats[seat][2])
        self._gone = [member for member in self._gone if member.left > now - HISTORY * STRETCH]
        self._n_stretches, self._ended = self._n_stretches + 1, now

    # ------------------------------------------------------------------ its trees, cell by cell

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
        return [("", "") if tree is None else (str(number), self._member_in_words(number)) for number, tree in places]

    @property
    def height(self) -> int:
        """Levels of the highest tree."""
        trees = [last_step(tree) for _, _, tree in self._trees]
        return max((tree.height for tree in trees if tree._root is not None), default=1)

    def cells(self, max_depth: int = DEEPEST, min_share: float = 0.0) -> Iterator[Cell]:
        """Yield the nodes down to a depth, of at least a share of their tree's weight, parents before children."""
        for place, number, tree in self._trees:
            root = last_step(tree)._root
            waiting: list[tuple[Any, Cell | None, tuple[int, ...], float]]
            waiting = [] if root is None else [(root, None, (), 0.0)]
            for own, above, way, begin in waiting:
                weight, cell_id = float(own.total_weight), _cell_id(number, way)
                if weight < min_share * float(root.total_weight):
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

    def mark(self) -> None:
        """Note how much weight each cell holds; ``node_columns`` tells then how much of its weight is from before."""
        self._marked = {cell.id: cell.weight for cell in self.cells()}

    def evidence(self) -> tuple[float, float]:
        """Return the weight in the roots of all trees, and how much of it came before the mark."""
        roots = list(self.cells(0))
        return float(sum(root.weight for root in roots)), float(sum(root.before for root in roots))

    def _top(self, cell: Cell) -> int:
        """Return the column of the label of the class that came most often to a cell; -1: none."""
        stats = stats_of(cell.own)
        places = self._learner._labels_of(max(stats, key=lambda name: stats[name])) if stats else []
        return int(places[0]) if places else -1

    def cell_columns(self, max_depth: int, min_share: float = 0.0) -> dict[str, np.ndarray]:
        """Return what the picture of a forest draws, a row per cell, as ``SMART.node_columns``: nothing fades.

        ``begin``: where in the width of its tree a cell begins.
        """
        cells = list(self.cells(max_depth, min_share))
        roots = {cell.tree: cell.weight for cell in cells if cell.above is None}
        weight = np.array([cell.weight for cell in cells], np.float64)
        return {
            "id": np.array([cell.id for cell in cells], np.int64),
            "tree": np.array([cell.tree for cell in cells], np.int64),
            "node": np.array([cell.place for cell in cells], np.int64),
            "parent": np.array([-1 if cell.above is None else cell.above.id for cell in cells], np.int64),
            "depth": np.array([cell.depth for cell in cells], np.int64),
            "weight": weight,
            "seen": weight.copy(),
            "before": np.array([cell.before for cell in cells], np.float64),
            "top": np.array([self._top(cell) for cell in cells], np.int64),
            "begin": np.array([cell.begin / max(roots[cell.tree], 1e-9) for cell in cells], np.float64),
        }

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
        node = Node(cell.own, cell_id, -1, -1, 0, cell.depth, False)
        shares = [(self._learner._class_name(name), value / sum(stats.values())) for name, value in stats.items()]
        facts = {"its tree": self._member_in_words(number), "rows": "each as often as the ensemble drew it"}
        if node.is_leaf:
            facts["answers by"] = REGIMES[regime_of(node, last_step(tree))]
        else:
            facts["asks"] = in_words(cell.own, 0)
        return {
            "id": cell_id, "tree": cell.tree, "called": str(number), "depth": cell.depth, "rule": rule[::-1],
            "weight": cell.weight, "seen": round(cell.weight), "before": cell.before,
            "labels": sorted(shares, key=lambda each: -each[1]), "facts": facts,
        }  # fmt: skip

    # ------------------------------------------------------------------ the picture

    def node_columns(self, *least: float) -> dict[str, np.ndarray]:
        """Return what the picture of an ensemble draws, a row per tree, as ``Committee.node_columns``.

        With a depth and a least weight its trees' cells. The value of a tree in its first stretch is that of its rows
        until now: it answers from the first on.
        """
        return self.cell_columns(int(least[0]), *least[1:]) if least else self._columns_of_trees()

    def _listed(self) -> list[Member]:
        """Return those that are drawn: a tree that went before it answered is not."""
        gone = [member for member in self._gone if np.isfinite(member.values).any()]
        return [*gone, *self._there.values(), *self._beside.values()]

    def _columns_of_trees(self) -> dict[str, np.ndarray]:
        listed, seats = self._listed(), _seats(last_step(self._learner.model))
        values = [each.values[-1] for each in listed]
        for place, each in enumerate(listed):
            if values[place] != values[place] and self._there[each.seat] is each:
                values[place] = _share(each, seats)
        return {
            "id": np.array([each.id for each in listed], np.int64),
            "group": np.full(len(listed), -1),
            "seat": np.array([each.seat for each in listed], np.int64),
            # where it takes its place, not where it begins to grow beside another
            "born": np.array([each.born if each.answers == NEVER else each.answers for each in listed], np.int64),
            "left": np.array([each.left for each in listed], np.int64),
            "value": np.array(values, np.float64),
            "aside": np.zeros(len(listed), bool),
        }

    def node_history(self) -> dict[str, Any]:
        """Return how often each tree was right in the latest stretches, as ``Roster.node_history``."""
        values = np.array([each.values for each in self._listed()], np.float64).reshape(-1, HISTORY)
        shown = values[:, HISTORY - min(self._n_stretches, HISTORY) :]
        return {"values": shown, "step": STRETCH, "end": self._ended, "measure": "right answers", "noun": "tree"}

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what is known of a tree; None where there is none of this id, or no longer."""
        if node_id >= CELL:
            return self.describe_cell(node_id)
        everybody = [*self._gone, *self._there.values(), *self._beside.values()]
        member = next((each for each in everybody if each.id == node_id), None)
        if member is None:
            return None
        beside = self._beside.get(member.seat)
        status = "replaced" if member.left != NEVER else "answers"
        if member is beside:
            status = f"grows beside tree {self._there[member.seat].id} since a warning, and does not answer"
        elif beside is not None and member.left == NEVER:
            status = f"answers; tree {beside.id} grows beside it since a warning at row {beside.born:,}"
        others = len(self._there) - (self._there[member.seat] is member)
        story = {
            "id": member.id, "born": member.born, "left": member.left, "value": float(member.values[-1]),
            "status": status, "measure": "right answers", "noun": "tree", "others": others,
        }  # fmt: skip
        # one that has learned nothing yet has no nodes to count
        if nodes := getattr(member.own, "n_nodes", None):
            story["tree"] = f"{counted(nodes, 'node')}; leaves: {member.own.n_leaves}"
        return story


def _share(member: Member, seats: list[tuple[Any, Any, Any]]) -> float:
    """Return how often a tree that answers was right since its last stretch ended; NaN: no row, or no counts."""
    (before, n), (right, total) = member.counted, _counts(seats[member.seat][2])
    return (right - before) / (total - n) if total > n else np.nan


def _counts(metric: Any) -> tuple[float, float]:
    """Return how many rows a metric of River's counted as right, and how many; nothing of one that does not count."""
    cm = getattr(metric, "cm", None)
    return (0.0, 0.0) if cm is None else (float(cm.total_true_positives), float(cm.total_weight))


def _cell_id(number: int, way: tuple[int, ...]) -> int:
    """Return the id of the cell that these branches lead to, in the tree of this number."""
    return CELL | hash((number, *way)) % CELL
