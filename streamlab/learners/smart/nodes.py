"""The nodes of SMART: as columns, as a table, in words; what is left in them since a mark; which of them rows pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab._frames import Frame
from streamlab.learners.base.fading import share_left
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import kept
from streamlab.learners.base.rows_shown import named_tests, table_of, test_in_words
from streamlab.learners.base.state import Part
from streamlab.learners.base.storage import Array, Storage, between, index_into
from streamlab.learners.smart import _kernels as kernels
from streamlab.learners.smart.label_columns import by_label
from streamlab.learners.smart.ranges import Ranges

if TYPE_CHECKING:
    import pandas as pd


MARK = Storage(
    Array("mark.ids", ("marked",), np.int64, rising=True, optional=True, key="mark_ids"),
    Array("mark.weights", ("marked",), finite=True, optional=True, key="mark_weights"),
    Array("mark.times", (2,), finite=True, rules=(between(-(2**62), 2**62),), optional=True, key="mark_times"),
)
"""The nodes that held something at the mark, their weights then, and two times: the mark's, and that to which these
weights are faded. A node is known by its id, which is never used again: one that takes a freed place inherits nothing.
"""


class Mark(Part):
    """What the nodes held at a marked instant; None where none was."""

    ids: Any = None
    weights: Any = None
    times: Any = None

    def fade(self, now: float, rate: float) -> None:
        """Fade the weights to an instant, from which on another half-life counts."""
        if self.ids is not None:
            self.weights = self.weights * share_left(now - self.times[1], rate)
            self.times[1] = now

    def weight_of(self, ids: np.ndarray, now: float, rate: float) -> np.ndarray:
        """Return how much of the weight of nodes, by id, is from before the mark, faded to now; 0 without a mark."""
        if self.ids is None or not len(self.ids) or not len(ids):
            return np.zeros(len(ids))
        at = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where(self.ids[at] == ids, self.weights[at] * share_left(now - self.times[1], rate), 0.0)


class ForestNodes(Learner):
    """Reports the nodes of SMART's arrays, and notes their weights at a marked instant; it changes no node.

    All that a node held at the mark fades alike: of its weight w there, w·2^(-Δt/half_life) is left. So one number a
    node, noted once, says at any time how much of its evidence is from before; learning knows nothing of it.
    """

    storage: ClassVar[Storage] = MARK
    # kernels follow these links without a check; ``slots`` are the places in use, at least the null node
    _nodes: np.ndarray = kept("places", 8, dtype=np.uint32, rules=(
        index_into("slots", columns=(kernels.LEFT, kernels.RIGHT, kernels.PARENT)),
        index_into("features", columns=kernels.FEATURE),
    ))  # fmt: skip
    _sums: np.ndarray = kept("places", f"{kernels.COUNTS}+columns", finite=True)
    _place: np.ndarray = kept("places", 3, dtype=np.int64, fill=-1, rules=(
        index_into("trees", none=-1, columns=kernels.TREE),
        between(-1, columns=(kernels.HEAP, kernels.ID)),
    ))  # fmt: skip
    _roots: np.ndarray = kept("trees", dtype=np.uint32, rules=(index_into("slots"),))
    _cursor: np.ndarray = kept(4, dtype=np.int64, rules=(between(0), index_into("slots", columns=kernels.FREE)))
    _clock: np.ndarray = kept(2, finite=True, rules=(between(-(2**62), 2**62),))
    _label_of: np.ndarray | None = kept(
        "columns", dtype=np.int64, fill=-1, rules=(index_into("labels", none=-1),), optional=True
    )
    _rate: float = kept()
    n_trees: int = kept()
    height: int = kept()
    _ranges: Ranges = kept()
    _mark: Mark = kept()
    _find_paths: ClassVar[Any]
    _empty: ClassVar[Any]

    def _sizes(self) -> dict[str, int]:
        columns = len(self._labels) if self._label_of is None else len(self._label_of)
        return super()._sizes() | {"trees": int(self.n_trees), "columns": columns}

    @property
    def _scale(self) -> float:
        """What is left now of the sums, which are relative to the landmark."""
        return share_left(self._clock[1] - self._clock[0], self._rate)

    def node_columns(self, max_depth: int | None = None, min_share: float = 0.0) -> dict[str, np.ndarray]:
        """Return the structure as arrays, one entry per non-empty node, parents before their children.

        Parameters
        ----------
        max_depth
            Leave out the levels below (root 0). Default: all.
        min_share
            Leave out nodes with less than this share of their tree's weight.

        Returns
        -------
        dict
            ``id`` (never used again), ``tree``, ``node`` (heap index), ``parent`` (id, -1 for a root), ``depth``,
            ``feature`` (column), ``threshold`` (or category), ``is_nominal``, ``weight`` (faded to now), ``share`` (of
            the tree's weight), ``before`` (of the weight, what is from before the mark; 0 without one), ``age`` (time
            since the last update), ``seen`` (instances ever), ``retained`` (weight / seen), ``cardinality`` (θ/n),
            ``top`` (most frequent label's column, -1 if none), ``slot``.
        """
        top = int(self._cursor[kernels.TOP])
        slots = np.empty(max(top, 1), np.int64)
        count = 0
        if top > 1:
            height = self.height if max_depth is None else min(self.height, max_depth + 1)
            count = kernels.list_nodes(self._nodes, self._sums, self._roots, height, self._empty, min_share, slots)
        slots = slots[:count].copy()
        place, sums, nodes = self._place[slots], self._sums[slots], self._nodes[slots]
        depth = np.frexp((place[:, kernels.HEAP] + 1).astype(np.float64))[1] - 1
        root_weight = self._sums[self._roots, kernels.WEIGHT] if count else np.zeros(0)
        bounds = self._nodes.view(np.float64)[slots] if len(self._nodes) else np.zeros((0, 4))
        feature = nodes[:, kernels.FEATURE].astype(np.int64)
        nominal = self._n_categories[feature] > 0 if len(slots) else np.zeros(0, np.bool_)
        weight, scale = sums[:, kernels.WEIGHT], self._scale
        counts, labels = by_label(sums[:, kernels.COUNTS :], self._label_of)
        best = np.full(len(slots), -1)
        if counts.shape[1] and len(slots):
            highest = counts.argmax(axis=1)
            best = np.where(counts[np.arange(len(slots)), highest] > 0, labels[highest], -1)
        parent = self._place[nodes[:, kernels.PARENT], kernels.ID] if len(slots) else np.zeros(0, np.int64)
        return {
            "id": place[:, kernels.ID],
            "tree": place[:, kernels.TREE],
            "node": place[:, kernels.HEAP],
            "parent": np.where(depth == 0, -1, parent),
            "depth": depth.astype(np.int64),
            "feature": feature,
            "threshold": np.where(nominal, bounds[:, 0] + 0.5, bounds[:, 0]),
            "is_nominal": nominal,
            "weight": weight * scale,
            "share": weight / root_weight[place[:, kernels.TREE]] if len(slots) else weight,
            "before": np.minimum(self._weight_before(place[:, kernels.ID]), weight * scale),
            "age": self._clock[1] - sums[:, kernels.LAST],
            "seen": sums[:, kernels.SEEN].astype(np.int64),
            "retained": weight * scale / np.maximum(sums[:, kernels.SEEN], 1.0),
            "cardinality": sums[:, kernels.SIZES] / weight,
            "top": best,
            "slot": slots,
        }

    def nodes(self) -> pd.DataFrame:
        """Return one row per non-empty node, with names instead of columns' numbers.

        Columns: ``id`` (index), ``tree``, ``node`` (heap index), ``parent`` (id, -1 for a root), ``depth``,
        ``feature``, ``threshold`` (numeric) or ``category`` (nominal), ``weight`` (instances, faded to now), ``share``
        of the tree's weight, ``age`` (time since the last update), ``seen``, ``retained`` (weight / seen),
        ``cardinality`` (labels per instance), ``top_labels`` (up to three, the most frequent first).
        """
        columns = self.node_columns()
        slots, is_nominal = columns.pop("slot"), columns.pop("is_nominal")
        del columns["top"], columns["before"]
        tests = named_tests(self._features, columns["feature"], is_nominal, columns["threshold"])
        category = tests.pop("category")
        table = table_of(columns | tests)
        table.insert(5, "category", category)
        table["top_labels"] = self._top_labels(self._sums[slots, kernels.COUNTS :])
        return table

    def _top_labels(self, counts: np.ndarray) -> np.ndarray:
        """Return for each row of counts, float64 (n, columns), a list of its up to three most frequent labels."""
        counts, labels = by_label(counts, self._label_of)
        if not counts.shape[1]:
            counts, labels = np.zeros((len(counts), 1)), np.zeros(1, np.int64)
        best = np.argsort(-counts, axis=1, kind="stable")[:, :3]
        best = np.where(np.take_along_axis(counts, best, axis=1) > 0, labels[best], -1)
        # a forest of half a million nodes has few different lists
        keys = ((best + 1) * (len(self._labels) + 1) ** np.arange(best.shape[1])).sum(axis=1)
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        lists = np.empty(len(first), object)
        for k, row in enumerate(best[first].tolist()):
            lists[k] = [self._labels[j] for j in row if j >= 0]
        return lists[which]

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what is known of one node, or None if it has gone.

        Returns
        -------
        dict
            ``rule`` (the tests on the way, in words), ``tree``, ``depth``, ``weight``, ``before`` (of the weight, what
            is from before the mark), ``seen``, ``age``,
            ``retained``, ``cardinality``, ``labels`` (list of (label, share of the node's weight), highest first).
        """
        top = int(self._cursor[kernels.TOP])
        at = np.flatnonzero((self._place[:top, kernels.ID] == node_id) & (node_id >= 0))
        if not len(at) or self._sums[at[0], kernels.WEIGHT] < self._empty:
            return None
        s = int(at[0])
        sums = self._sums[s]
        weight = sums[kernels.WEIGHT]
        faded = weight * self._scale
        rule = []
        child = s
        while self._place[child, kernels.HEAP] > 0:
            parent = int(self._nodes[child, kernels.PARENT])
            rule.append(self._test_in_words(parent, self._place[child, kernels.HEAP] % 2 == 0))
            child = parent
        counts, labels = by_label(sums[None, kernels.COUNTS :], self._label_of)
        shares = counts[0] / weight
        return {
            "id": int(node_id),
            "tree": int(self._place[s, kernels.TREE]),
            "depth": len(rule),
            "rule": rule[::-1],
            "weight": float(faded),
            "before": float(min(self._weight_before(np.array([node_id]))[0], faded)),
            "seen": int(sums[kernels.SEEN]),
            "age": int(self._clock[1] - sums[kernels.LAST]),
            "retained": float(faded / max(sums[kernels.SEEN], 1.0)),
            "cardinality": float(sums[kernels.SIZES] / weight),
            "labels": [
                (self._labels[labels[j]], float(shares[j])) for j in np.argsort(-shares, kind="stable") if shares[j] > 0
            ],
        }

    def _test_in_words(self, slot: int, passed: bool) -> str:
        feature = self._features[self._nodes[slot, kernels.FEATURE]]
        lower = self._nodes[slot].view(np.float64)[0]
        # who passes has more than the threshold, or the category
        is_nominal = feature.categories is not None
        return test_in_words(feature, lower + 0.5 * is_nominal, passed == is_nominal)

    # ------------------------------------------------------------------ the mark

    def mark(self) -> None:
        """Note how much evidence each node holds; ``node_columns`` tells then what is left of it. Replaces a mark."""
        self._mark.times = np.array([float(self.now or 0)] * 2)
        self._note_weights()

    def evidence(self) -> tuple[float, float]:
        """Return what the roots of all trees hold, and how much of it is from before the mark: rows' worth, faded."""
        roots = self._roots[self._roots > 0] if int(self._cursor[kernels.TOP]) > 1 else self._roots[:0]
        weights = self._sums[roots, kernels.WEIGHT]
        roots, weights = roots[weights >= self._empty], weights[weights >= self._empty]
        before = self._weight_before(self._place[roots, kernels.ID])
        return float(weights.sum() * self._scale), float(np.minimum(before, weights * self._scale).sum())

    def old_within(self, rows: int) -> float | None:
        """Return how much of its evidence is from before the mark, which is set where a run was ``rows`` ago."""
        held, before = self.evidence()
        return before / held if held else None

    def _note_weights(self) -> None:
        """Note every node's weight as it is now."""
        top = int(self._cursor[kernels.TOP])
        weights = self._sums[:top, kernels.WEIGHT]
        slots = np.flatnonzero((self._place[:top, kernels.HEAP] >= 0) & (weights >= self._empty))
        slots = slots[np.argsort(self._place[slots, kernels.ID])]
        self._mark.ids = self._place[slots, kernels.ID]
        self._mark.weights = weights[slots] * self._scale
        self._mark.times[1] = self._clock[1]

    def _weight_before(self, ids: np.ndarray) -> np.ndarray:
        return self._mark.weight_of(ids, self._clock[1], self._rate)

    def path_of(self, x: np.ndarray | Frame) -> np.ndarray:
        """Return the ids of the nodes that a row, of shape (1, n_features), passes in all trees."""
        if self._ranges.low is None or not self._features:
            return np.zeros(0, np.int64)
        rows = self._intake.outliers.ask(self._checked_X(x))
        paths = self._find_paths(rows.values, rows.missing, self._empty).ravel()
        return self._place[paths[paths > 0], kernels.ID]
