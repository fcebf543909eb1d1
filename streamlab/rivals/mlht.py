"""The learner MLHT: a Hoeffding tree whose leaves answer with their most frequent label set."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.parameters import like
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.state import State
from streamlab.learners.base.storage import Array, Storage, index_into
from streamlab.learners.mlhat import _settings as codes
from streamlab.learners.mlhat.events import EVENTS
from streamlab.learners.mlhat.hoeffding_tree import HoeffdingTree
from streamlab.learners.mlhat.introspection import REGIMES, TreeReader
from streamlab.learners.mlhat.storage import Tree
from streamlab.rivals._mlht import answer, labels_seen, test_then_train

__all__ = ["MLHT"]

MAJORITY = Storage(Array("best_set", ("nodes",), np.int64, fill=-1, rules=(index_into("sets", none=-1),)))
"""The number of each node's most frequent label set, -1 before there is one."""

HAPPENS = ("split", "deactivated", "memory_limit", "label_new", "feature_new")
MAJORITY_LEAF = codes.MAJORITY
"""As MLHAT's leaves that have seen one label set; here one that has seen several, too."""


class MajorityReader(TreeReader):
    """Reads a tree whose leaves answer with their most frequent label set."""

    def outcomes(self, s: int) -> int:
        """Return the number for the Hoeffding bound of a leaf: the labels that it has seen."""
        return int(labels_seen(self.tree.seen[self.tree.links["observer"][s], 1:]))

    def regimes(self, rows: np.ndarray) -> np.ndarray:
        """Return the code of each leaf that has seen a row; 0 for others."""
        links = self.tree.links[rows]
        return np.where((links["leaf"] >= 0) & (links["n_sets"] > 0), MAJORITY_LEAF, codes.NONE)

    def details(self, node_id: int) -> dict[str, Any] | None:
        """Return what ``MLHT.describe_node`` says."""
        story = super().details(node_id)
        if story is not None and story["regime"] == REGIMES[MAJORITY_LEAF]:
            story["regime"] = "most frequent"
        return story


class MLHT(HoeffdingTree):
    """Multi-label Hoeffding tree: splits where labels become purer; a leaf answers with its most frequent label set.

    It is ``MLHAT``'s tree without its classifiers, detectors, alternates and bootstrapping: the plain tree that the
    others were built on, and the least a tree can do. Where it never splits it is ``MajorityLabels``.

    Parameters
    ----------
    decision
        Which labels are answered: ``"half"`` (default: the leaf's most frequent label set), ``"cardinality"`` or
        ``"balanced"``, which choose by the scores; see ``Deciding``.

    Notes
    -----
    Rows are learned one after the other, within a chunk too, so the chunk size has no effect. Scores are the labels'
    shares of the leaf's rows. Of label sets that came equally often, the one that the tree saw first is answered. A new
    leaf answers with its parent's most frequent label set until it has a row of its own. Missing values, nominal
    features and sparse rows are as in ``MLHAT``.

    Sources
    -------
    J. Read, A. Bifet, G. Holmes, B. Pfahringer: "Scalable and efficient multi-label classification for evolving data
    streams", Machine Learning 88, 2012. Entropy: A. Clare, R. King, 2001. Departures:

    - A split is found with ``MLHAT``'s exact statistics, a mixture of two Gaussians for each label. The program of
      MLHAT's authors, of which the published figures are, takes one Gaussian for all rows, and finds gains where there
      are none.
    - R of the Hoeffding bound is log2 of the labels that the leaf has seen, at least 1.
    - MOA's ``MultilabelHoeffdingTree`` is another learner: its leaves are pruned sets, and its entropy is that of one
      class.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((6000, 3))
    >>> Y = (X[:, :2] > 0.5).astype("uint8")
    >>> model = MLHT()
    >>> scores, labels = model.test_then_train(X, Y)
    >>> float((labels[3000:] == Y[3000:]).mean()) > 0.85
    True
    """

    line: ClassVar[str] = "One tree of label sets that never takes a split back: see it grow. Fast."
    papers: ClassVar[tuple[str, ...]] = ("read2012scalable", "clare2001knowledge")
    compile_seconds: ClassVar[float] = 4.0
    events: ClassVar[dict[str, EventKind]] = {kind: EVENTS[kind] for kind in HAPPENS}
    _reader_type: ClassVar[type[TreeReader]] = MajorityReader

    delta: float = like(default=1e-5)

    def _try_further(self, X: np.ndarray) -> None:
        super()._try_further(X)
        # so many label sets that their tables grow
        rows = np.arange(256)
        model = type(self)(**self._quick)
        model.test_then_train(rows[:, None] / 256, (rows[:, None] >> np.arange(8) & 1).astype(np.uint8))

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        super()._reset()
        self._best, self._most = np.zeros(0, np.int64), np.zeros(0)

    def _keep(self, tree: Tree) -> None:
        super()._keep(tree)
        more = len(tree.links) - len(self._best)
        self._best = np.pad(self._best, (0, more), constant_values=-1)
        self._most = np.pad(self._most, (0, more))
        # a node takes them too
        self._bytes_per_row[0] += self._best.itemsize + self._most.itemsize

    def _get_state(self) -> State:
        state = super()._get_state()
        if self._tree is None:
            return state
        used = {"nodes": int(self._tree.cursor[0].node_top)}
        return state | MAJORITY.state({"best_set": self._best}, {"nodes": len(self._best)}, used)

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        tree = self._tree
        if tree is None:
            return
        n, n_sets = int(tree.cursor[0].node_top), int(tree.cursor[0].sets_used)
        owner, sizes = type(self).__name__, {"nodes": len(tree.links)}
        best = MAJORITY.restore(owner, state, sizes, {"nodes": n, "sets": n_sets})["best_set"]
        most = np.zeros(len(best))
        for s in np.flatnonzero((tree.links["id"][:n] >= 0) & (tree.links["leaf"][:n] >= 0)).tolist():
            own = np.flatnonzero((tree.pair_keys >= 0) & (tree.pair_keys >> 32 == tree.links["id"][s]))
            if len(own):
                most[s] = tree.pair_counts[own].max()
        self._best, self._most = best, most

    @property
    def n_bytes(self) -> int:
        """Bytes of the learner's arrays, reserve included, but not that of columns not seen: it takes no memory."""
        return super().n_bytes + self._best.nbytes + self._most.nbytes

    # ------------------------------------------------------------------ learning

    def _answer_rows(self, tree: Tree, X: Any, scores: np.ndarray, labels: np.ndarray) -> None:
        x, rows = self._for_kernels(X)
        answer(tree, self._best, x, rows, scores, labels, self._room_for(tree, x.shape[1]))

    def _learn_rows(self, tree: Tree, X: Any, Y: np.ndarray, row: int, scores: np.ndarray, labels: np.ndarray) -> int:
        x, rows = self._for_kernels(X)
        settings, room = self._settings(), self._room_for(tree, x.shape[1])
        return int(test_then_train(tree, self._best, self._most, x, rows, Y, row, settings, scores, labels, room))
