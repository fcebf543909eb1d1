"""The learner MLBELS: broad features for all labels, for each a small ensemble of ridge regressions."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from streamlab.learners.base.decision import Deciding
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import kept, tunable
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.row_learner import ChunkBuffer, pieces
from streamlab.rivals.mlbels import _kernels as kernels
from streamlab.rivals.mlbels import _regressions as regressions
from streamlab.rivals.mlbels.broad_features import BroadFeatures, Scaled
from streamlab.rivals.mlbels.ensembles import EVENTS, Ensembles, events_of

__all__ = ["MLBELS"]


class MLBELS(Deciding, Ensembles, BroadFeatures, ChunkBuffer, Learner):
    """ML-BELS: a broad learning system for all labels together, and a small ensemble of regressions for each.

    A row, scaled by itself, becomes ``n_windows * window_nodes`` features: for each window, random projections of the
    rows are mapped back to the rows by a sparse regression, and the mapping is the window's features. From these a few
    enhancement nodes are made. On them stand ridge regressions: one of all labels, and for each label up to
    ``max_learners``, whose answers are summed. Rows come in chunks; after each, learners that were right less often
    than their ensemble is on the whole make room for new ones, or are set aside and come back when they are good
    again.

    Parameters
    ----------
    max_learners
        Learners of each label. The study takes 100, its program 3.
    tau
        From this many labels a row on, over the latest chunk, the answer of the one learner of all labels weighs those
        of the ensembles.
    ridge
        What is added to the diagonal of each regression.
    chunk
        Rows after which it learns. Before the first chunk is full it learns provisionally, from all rows
        there are, whenever their number has doubled.
    n_windows, window_nodes, enhancement_nodes
        How many windows of features there are, of how many nodes each, and how many enhancement nodes.
    shrink
        Scale of what goes into the enhancement nodes.
    seed
        Seed of the random projections. None: a random one.
    decision
        Which labels are answered: ``"half"`` (default, the algorithm's own rule), ``"cardinality"`` or ``"balanced"``;
        see ``Deciding``.

    Notes
    -----
    By the algorithm's own rule a label is answered where the ensemble's sum for it is the larger; where none is, the
    one of the largest sum. A score is the share of the sum for the label; of one that no learner knows yet, 0.

    A missing value counts as the mean of its row. Of a nominal feature there is an indicator for each category but
    the first. Where rounding has left a regression singular, it is solved with ten times the ridge, and so on.

    Sources
    -------
    S. Bakhshi, F. Can: "Balancing efficiency vs. effectiveness and providing missing label robustness in multi-label
    stream classification", Knowledge-Based Systems 289, 2024, and their program. What differs: one learner of all
    labels in place of an ensemble whose rules compare numbers of different scale; each node has its own range, of the
    first chunk too; a node without a range is 0; the scale of the enhancement nodes is 1 over the largest node.

    Examples
    --------
    >>> import streamlab as sl
    >>> model = sl.MLBELS(seed=1)
    >>> chunk = next(sl.load("yeast").chunks(200))
    >>> model.learn_many(chunk.X, chunk.Y)
    >>> bool(model.nodes()["status"].value_counts()["answers"] >= 14)
    True
    """

    papers: ClassVar[tuple[str, ...]] = ("bakhshi2024balancing",)
    takes_sparse: ClassVar[bool] = True
    picture: ClassVar[str] = "ensemble"
    compile_seconds: ClassVar[float] = 15.0
    _quick: ClassVar = {"chunk": 4, "n_windows": 2, "window_nodes": 2, "max_learners": 2, "seed": 0}
    events: ClassVar[dict[str, EventKind]] = EVENTS
    tau: float = tunable(
        0, 10, default=1.5, title="Labels a row from which all labels are weighed (τ)",
        help="Where rows have at least this many labels, one learner of all labels weighs what the others say.",
    )  # fmt: skip

    # the one learner of all labels
    _gram: np.ndarray = kept("packed", finite=True)
    _all_moments: np.ndarray = kept("width", "labels", finite=True)
    _all_weights: np.ndarray = kept("width", "labels", finite=True)
    # labels a row in the latest chunk
    _cardinality: float = kept(low=0)

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        super()._reset()
        self._forget_ensembles()

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        self._widen_chunk()
        more = len(self._labels) - self._all_moments.shape[1]
        self._all_moments = np.pad(self._all_moments, ((0, 0), (0, more)))
        self._all_weights = np.pad(self._all_weights, ((0, 0), (0, more)))

    # ------------------------------------------------------------------ learning

    def _test_then_train(self, X, Y, missing):
        # what was answered is learned as it was scaled, and judged by the same features
        rows = self._scaled(X)
        Z = self._features_of(rows)
        scores, labels = self._answer(Z)
        answer = scores, self._decided(scores, labels)
        self._learn(X, Y, missing, rows, Z)
        return answer

    def _learn(self, X, Y, missing, rows: Scaled | None = None, Z: np.ndarray | None = None) -> None:
        for start, stop, is_due, is_full in self._pieces(len(X)):
            if self._follows and self._answering.any():
                self._followed(*self._answer(self._features_of(self._scaled(X[start:stop]))), Y[start:stop])
            is_whole = rows is not None and not len(self._chunk_Y)
            self._fill_chunk(X[start:stop], Y[start:stop])
            self._n_seen += stop - start
            if not is_due:
                continue
            chunk = rows.part(start, stop) if rows is not None and is_whole else self._scaled(self._chunk_X)
            if self._n_chunks == 0:
                self._learn_first(chunk, is_full)
            else:
                self._learn_next(chunk, Z[:stop] if Z is not None and is_whole and start == 0 else None)
            if is_full:
                self._empty_chunk()

    def _scores_row_by_row(self, X, Y, missing) -> np.ndarray:
        # answers change only where something is due
        cuts = [slice(*each[:2]) for each in pieces(len(X), self._since, int(self.chunk), self._warming_up)]
        parts = [self._test_then_train(X[cut], Y[cut], missing[cut])[0] for cut in cuts]
        return np.concatenate(parts) if parts else np.zeros(Y.shape)

    def _learn_first(self, rows: Scaled, is_full: bool) -> None:
        """Begin again with all rows so far: the first chunk, full or not."""
        Y = self._chunk_Y
        self._forget_features()
        self._forget_ensembles()
        self._gram[:], self._all_moments[:] = 0.0, 0.0
        self._learn_rows(self._learn_features(rows), Y, np.zeros(Y.shape, np.bool_))
        if is_full:
            changes = self._close_chunk(np.full(len(self._ids), np.nan))
            changes[0] += 1  # the first of each label
            self._events.extend(events_of(changes, self._labels, self._n_seen))
        self._add_up()

    def _learn_next(self, rows: Scaled, Z: np.ndarray | None) -> None:
        Y = self._chunk_Y
        accuracies, wrong = self._evaluate(self._features_of(rows) if Z is None else Z, Y)
        self._learn_rows(self._learn_features(rows), Y, wrong)
        changes = self._close_chunk(accuracies)
        counted = len(Y) * (self._answering > 0)
        self._right += counted - wrong.sum(axis=0)
        self._counted += counted
        self._events.extend(events_of(changes, self._labels, self._n_seen))
        self._add_up()

    def _learn_rows(self, Z: np.ndarray, Y: np.ndarray, wrong: np.ndarray) -> None:
        gram = regressions.gram_of(Z)
        regressions.add_packed(gram, self._gram)
        regressions.add_moments(Z, Y, self._all_moments)
        regressions.solve(self._gram, self._all_moments, float(self.ridge), self._all_weights)
        self._learn_ensembles(Z, Y, wrong, gram)
        self._cardinality = float(Y.sum()) / len(Y)

    def _close_chunk(self, accuracies: np.ndarray) -> np.ndarray:
        """The chunk has been learned: note how good the learners were on it, and which learners remain."""
        self._n_chunks += 1
        self._note(accuracies)
        return self._rearrange(accuracies, self._n_seen)

    # ------------------------------------------------------------------ prediction

    def _predict(self, X, missing):
        scores, labels = self._answer(self._features_of(self._scaled(X)))
        return scores, self._decided(scores, labels)

    def _answer(self, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return scores and the labels by the algorithm's own rule; both are 0 where nobody answers yet."""
        scores = np.zeros((len(Z), len(self._labels)))
        labels = np.zeros((len(Z), len(self._labels)), np.uint8)
        if self._answering.any():
            is_weighted = self._cardinality >= float(self.tau)
            kernels.answer(
                Z, self._without, self._present, self._all_weights, self._answering, is_weighted, scores, labels
            )
        return scores, labels

    # ------------------------------------------------------------------ tuning

    def _tune(self, values) -> None:
        if values.get("ridge", self.ridge) != self.ridge and self._answering.any():
            ridge = float(values["ridge"])
            regressions.solve(self._gram, self._all_moments, ridge, self._all_weights)
            for slot in self._slots[(self._slots >= 0) & (self._learned > 0)].tolist():
                regressions.solve(self._grams[slot], self._moments[slot], ridge, self._weights[slot])
            self._add_up()
        if values.get("max_learners", self.max_learners) < self.max_learners:
            self._bound_ensembles(int(values["max_learners"]), self._n_seen)
