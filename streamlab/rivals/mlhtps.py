"""The learner MLHTPS: a multi-label Hoeffding tree with pruned sets in its leaves."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.parameters import like
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.state import State, contradiction
from streamlab.learners.base.storage import Storage
from streamlab.learners.mlhat import _settings as codes
from streamlab.learners.mlhat.introspection import TreeReader
from streamlab.learners.mlhat.storage import Tree
from streamlab.rivals import _hoeffding as base_trees
from streamlab.rivals import _pruned_sets as pruned
from streamlab.rivals import pruned_sets_growth as growth
from streamlab.rivals._mlhtps import answer, bytes_taken, test_then_train
from streamlab.rivals.mlht import MLHT, MajorityReader
from streamlab.rivals.pruned_sets import PrunedSets, settings_of
from streamlab.rivals.pruned_sets_growth import CHOSEN, chosen_in_words

__all__ = ["MLHTPS"]

IN_LEAVES = Storage(*growth.PRUNED_SETS, prefix="sets.")
"""The arrays of the leaves' pruned sets, under names of their own."""
# label sets of a leaf that the page shows
MOST_SHOWN = 8


@dataclass(frozen=True)
class PrunedReader(MajorityReader):
    """Reads a tree with pruned sets in its leaves.

    Parameters
    ----------
    sets, forest
        The leaves' components.
    buffer
        Rows that each of them keeps before it chooses.
    """

    sets: pruned.Sets
    forest: base_trees.Forest
    buffer: int

    def regimes(self, rows: np.ndarray) -> np.ndarray:
        """Return the code of each leaf that has seen a row; 0 for others."""
        leaf = self.tree.links["leaf"][rows]
        chosen = (leaf >= 0) & (self.sets.marks[np.maximum(leaf, 0), pruned.N_CLASSES] > 0)
        return np.where(chosen, codes.PRUNED_SETS, super().regimes(rows))

    def details(self, node_id: int) -> dict[str, Any] | None:
        """Return what ``MLHTPS.describe_node`` says."""
        story = super().details(node_id)
        if story is None or not story["is_leaf"]:
            return story
        s = int(np.flatnonzero(self.tree.links["id"][: int(self.tree.cursor[0].node_top)] == node_id)[0])
        return story | {"pruned_sets": self.component(int(self.tree.links["leaf"][s]))}

    def component(self, c: int) -> dict[str, Any]:
        """Return what a leaf's pruned sets hold, in plain values."""
        words, weights, is_chosen = growth.label_sets(self.sets, c)
        order = np.argsort(-weights, kind="stable")[:MOST_SHOWN]
        total = max(float(weights.sum()), 1e-300)
        learned, left_out = (float(self.sets.amounts[c, column]) for column in (pruned.LEARNED, pruned.LEFT_OUT))
        own = self.forest.links[: int(self.forest.cursor[base_trees.NODES])]
        return {
            "chosen": is_chosen,
            "n_sets": len(words),
            "sets": [(growth.labels_of(words[g], self.labels), float(weights[g]) / total) for g in order.tolist()],
            "rows": int(self.sets.marks[c, pruned.FILLED]),
            "buffer": self.buffer,
            "left_out": left_out / max(learned + left_out, 1e-300),
            "base_leaves": int(((own[:, base_trees.TREE] == c) & (own[:, base_trees.FEATURE] < 0)).sum()),
        }


class MLHTPS(MLHT):
    """Multi-label Hoeffding tree with pruned sets: MLHT's tree, in whose leaves a classifier chooses the label set.

    A leaf keeps its first ``buffer`` rows, and answers with its most frequent label set. Then the label sets that are
    frequent in the buffer become the classes of a classifier of its own, a Hoeffding tree or naive Bayes, as in
    ``PrunedSets``. When a leaf splits, both new leaves begin with empty buffers. Where the tree never splits it is
    ``PrunedSets``.

    Parameters
    ----------
    buffer
        Rows that a leaf keeps before it chooses its label sets.
    support, reintroduce
        As in ``PrunedSets``.
    base
        The classifier in a leaf: ``"tree"`` or ``"bayes"``, as in ``PrunedSets``.
    grace_period, delta, tau, n_split_points, min_branch_fraction, max_share_to_split
        As in ``MLHT``; the Hoeffding trees in the leaves have the same.
    max_depth
        As in ``MLHT``, of the tree itself.
    max_bytes
        As in ``MLHAT``; buffers and classifiers count. Above it the classifiers do not split either.
    decision
        Which labels are answered: ``"half"`` (default: the most probable label set of the leaf), ``"cardinality"`` or
        ``"balanced"``, which choose by the scores; see ``Deciding``.

    Notes
    -----
    Rows are learned one after the other, within a chunk too, so the chunk size has no effect. Scores are as in
    ``PrunedSets``; while a leaf's buffer fills, the labels' shares of its rows. Sparse rows become arrays.

    Sources
    -------
    J. Read, A. Bifet, G. Holmes, B. Pfahringer: "Scalable and efficient multi-label classification for evolving data
    streams", Machine Learning 88, 2012; pruned sets as in ``PrunedSets``. Departures:

    - Splits are found as in ``MLHT``, with the entropy of all labels; MOA's program takes that of one class.
    - New leaves begin with empty buffers; in MOA's program with copies of their parent's classifier.
    - The program of MLHAT's authors, which gave the published figures, is not available; its classifier is MEKA's.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((4000, 3))
    >>> Y = (X[:, :2] > 0.5).astype("uint8")
    >>> model = MLHTPS()
    >>> scores, labels = model.test_then_train(X, Y)
    >>> float((labels[2000:] == Y[2000:]).mean()) > 0.95
    True
    """

    line: ClassVar[str] = "MLHT with a classifier in each leaf: see it grow. Fast."
    papers: ClassVar[tuple[str, ...]] = ("read2012scalable", "read2008pruned")
    takes_sparse: ClassVar[bool] = False
    groups: ClassVar[tuple[Storage, ...]] = (*MLHT.groups, IN_LEAVES)
    COMPACT_FROM: ClassVar[int] = 2**62
    compile_seconds: ClassVar[float] = 16.0
    _quick: ClassVar = MLHT._quick | {"buffer": 2}
    events: ClassVar[dict[str, EventKind]] = {"sets_chosen": CHOSEN, **MLHT.events}
    grace_period: int = like(default=200, says="")
    buffer: int = like(PrunedSets, default=100)
    support: int = like(PrunedSets, default=10)
    reintroduce: int = like(PrunedSets, default=0)
    base: str = like(PrunedSets, default="tree")

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        super()._reset()
        # kept with the tree
        self._pair: growth.Pair | None = None
        self._chosen: list[dict[str, Any]] = []

    def _keep(self, tree: Tree) -> None:
        super()._keep(tree)
        n = len(tree.window_sets)
        if self._pair is None:
            self._keep_sets(growth.empty(self._features, len(self._labels), n, int(self.buffer)))
        else:
            self._keep_sets(growth.with_components(*self._pair, n))

    def _keep_sets(self, pair: growth.Pair) -> None:
        self._pair, self._scratch = pair, growth.scratch_for(pair[0])

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        if self._pair is not None:
            self._keep_sets(growth.with_columns(*self._pair, self._features, len(self._labels)))

    def _get_state(self) -> State:
        state = super()._get_state()
        if self._tree is None or self._pair is None:
            return state
        return state | growth.saved(*self._pair, int(self._tree.cursor[0].leaf_top), IN_LEAVES)

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        tree = self._tree
        if tree is None:
            return
        owner, n_leaves = type(self).__name__, int(tree.cursor[0].leaf_top)
        components = len(tree.window_sets), n_leaves
        buffer, n_labels = int(self.buffer), len(self._labels)
        pair = growth.restored(owner, state, self._features, n_labels, buffer, components, IN_LEAVES)
        links = tree.links[: int(tree.cursor[0].node_top)]
        is_free = np.ones(n_leaves, bool)
        is_free[links["leaf"][(links["id"] >= 0) & (links["leaf"] >= 0)]] = False
        wrong = is_free & pair[0].marks[:n_leaves].any(axis=1)
        if wrong.any():
            raise contradiction(owner, f"sets.marks row {int(np.argmax(wrong))}: it is of no leaf; expected zeros")
        self._keep_sets(pair)

    @property
    def n_bytes(self) -> int:
        """Bytes of the learner's arrays, reserve included."""
        if self._pair is None:
            return super().n_bytes
        return super().n_bytes + sum(array.nbytes for each in self._pair for array in each)

    def _settings(self) -> np.ndarray:
        settings = super()._settings()
        if self._pair is not None:
            component, *taken = growth.bytes_of(*self._pair)
            settings["leaf_bytes"] += component
            settings["base_bytes"] += bytes_taken(*self._pair, np.array(taken))
        return settings

    def _own_settings(self) -> np.ndarray:
        return settings_of(self, max_depth=None)

    # ------------------------------------------------------------------ learning

    def _answer_rows(self, tree: Tree, X: Any, scores: np.ndarray, labels: np.ndarray) -> None:
        assert self._pair is not None, "pruned sets are kept with the tree"
        answer(tree, self._best, *self._pair, X, self._own_settings(), self._scratch, scores, labels)

    def _learn_rows(self, tree: Tree, X: Any, Y: np.ndarray, row: int, scores: np.ndarray, labels: np.ndarray) -> int:
        assert self._pair is not None, "pruned sets are kept with the tree"
        sets, forest = self._pair
        taken = growth.bytes_of(sets, forest)[1:]
        row = int(
            test_then_train(
                tree, self._best, self._most, sets, forest, X, Y, row, self._settings(), self._own_settings(), taken,
                self._scratch, scores, labels, self._room_for(tree, X.shape[1]),
            )
        )  # fmt: skip
        for noted in sets.noted[: int(sets.cursor[pruned.N_NOTED])].tolist():
            node = int(noted[0])
            self._chosen.append({"node": node} | chosen_in_words(noted, f"leaf {node}: "))
        sets.cursor[pruned.N_NOTED] = 0
        if row < len(X):
            self._keep_sets(growth.with_room(sets, forest))
        return row

    def _describe_events(self) -> None:
        earlier, self._events = self._events, deque()
        super()._describe_events()
        # both logs are of the rows since the last call; a leaf chooses before it splits
        earlier.extend(sorted([*self._chosen, *self._events], key=lambda event: event["position"]))
        self._events, self._chosen = earlier, []

    def _reader(self) -> TreeReader:
        read = super()._reader()
        if self._pair is None:
            return read
        parts = read.tree, read.settings, read.features, read.labels
        return PrunedReader(*parts, *self._pair, int(self.buffer))
