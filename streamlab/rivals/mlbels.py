"""The learner MLBELS: broad features for all labels, for each a small ensemble of ridge regressions."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np

from streamlab.learners.base.decision import Deciding
from streamlab.learners.base.estimator import StreamEstimator
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import checked_seed, kept, parameter, random_key, tunable
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.row_learner import ChunkBuffer, coordinates, pieces, widths
from streamlab.learners.base.rows import SparseRows
from streamlab.learners.base.storage import moved_places
from streamlab.rivals import _mlbels as kernels
from streamlab.rivals import _mlbels_ensembles as regressions
from streamlab.rivals.mlbels_ensembles import EVENTS, Ensembles, events_of

NO_RANGE = 1e250
"""The least value of a node that had none yet, and the largest below 0."""


class Scaled(NamedTuple):
    """Rows of mean 0 and deviation 1, in compressed form: see ``scale_rows``."""

    indptr: np.ndarray
    indices: np.ndarray
    values: np.ndarray
    shifts: np.ndarray

    def part(self, start: int, stop: int) -> Scaled:
        """Return the rows from ``start`` to before ``stop``; their arrays are shared."""
        begin, end = int(self.indptr[start]), int(self.indptr[stop])
        return Scaled(
            self.indptr[start : stop + 1] - begin, self.indices[begin:end], self.values[begin:end],
            self.shifts[start:stop],
        )  # fmt: skip


class BroadFeatures(StreamEstimator):
    """Makes features of rows."""

    n_windows: int = parameter(1, 100, default=25, kw_only=True, limit=1000)
    window_nodes: int = parameter(1, 20, default=3, kw_only=True, limit=100)
    enhancement_nodes: int = parameter(1, 20, default=1, kw_only=True, limit=1000)
    shrink: float = parameter(1e-6, 10, default=0.8, kw_only=True, limit=100)
    seed: int | None = parameter(default=None, kw_only=True, check=checked_seed)
    _random: np.ndarray = kept("coordinates+2", "nodes", finite=True)
    _random_low: np.ndarray = kept("nodes", fill=NO_RANGE, finite=True)
    _random_high: np.ndarray = kept("nodes", fill=-NO_RANGE, finite=True)
    _window_grams: np.ndarray = kept("windows", "size", "size", finite=True)
    _cross: np.ndarray = kept("coordinates+2", "nodes", finite=True)
    _mapping: np.ndarray = kept("coordinates+2", "nodes", finite=True)
    _low: np.ndarray = kept("nodes", fill=NO_RANGE, finite=True)
    _high: np.ndarray = kept("nodes", fill=-NO_RANGE, finite=True)
    _enhancement: np.ndarray = kept("nodes+1", "enhancement_nodes", finite=True)
    _factor: float = kept(low=0, high=1e3)
    _key: int = kept(start=0)
    _is_drawn = False
    """Whether the random nodes are those of the key and of the present coordinates, in their order."""

    # ------------------------------------------------------------------ sizes

    def _sizes(self) -> dict[str, int]:
        nodes = int(self.n_windows) * int(self.window_nodes)
        width = nodes + int(self.enhancement_nodes)
        return super()._sizes() | {
            "coordinates": int(self._widths.sum()), "windows": int(self.n_windows), "size": int(self.window_nodes),
            "nodes": nodes, "enhancement_nodes": int(self.enhancement_nodes), "width": width,
            "packed": width * (width + 1) // 2,
        }  # fmt: skip

    def _reset(self) -> None:
        self._widths = widths(self._n_categories, contrasts=True)
        super()._reset()
        self._key, self._is_drawn = int(random_key(self.seed) & (2**49 - 1)), False
        self._forget_features()

    def _forget_features(self) -> None:
        """Begin with the random nodes alone."""
        for name, array in BroadFeatures.storage.arrays.items():
            if not (self._is_drawn and name in ("random", "enhancement")):
                getattr(self, f"_{name}")[:] = array.fill
        self._factor = 1.0
        if self._is_drawn:
            return
        self._draw(np.arange(len(self._random) - 2), 0)
        # the row of the constant is the first of all draws
        constant = np.empty((1, self._random.shape[1]))
        kernels.draw_rows(self._key, 0, constant)
        self._random[-2] = constant[0]
        self._random[-1] = self._random[:-2].sum(axis=0)
        columns = np.random.default_rng([self._key, 1]).standard_normal(self._enhancement.shape)
        is_wide = columns.shape[1] > columns.shape[0]
        basis = np.linalg.qr(2.0 * (columns.T if is_wide else columns) - 1.0)[0]
        self._enhancement = np.ascontiguousarray(basis.T if is_wide else basis)
        self._is_drawn = True

    def _draw(self, places: np.ndarray, n_before: int) -> None:
        rows = np.empty((len(places), self._random.shape[1]))
        kernels.draw_rows(self._key, 1 + n_before, rows)
        self._random[places] = rows

    def _grown(self, n_features: int, n_labels: int) -> None:
        """Give what came since its coordinates: drawn in the order in which they came, without a history."""
        old, self._widths = self._widths, widths(self._n_categories, contrasts=True)
        # coordinates come in the middle
        kept, n_coordinates = moved_places(old, self._widths), int(self._widths.sum())
        new = np.setdiff1d(np.arange(n_coordinates), kept)
        places = {"coordinates+2": np.concatenate([kept, [n_coordinates, n_coordinates + 1]])} if len(new) else {}
        self._take(self.storage.resize(self._kept(), self._sizes(), places))
        if not len(new):
            return
        self._draw(new, len(kept))
        self._is_drawn = self._is_drawn and bool(new[0] == len(kept))
        self._random[-1] = self._random[:-2].sum(axis=0)
        # the sum over all coordinates belongs to none of them
        self._cross[new] = -self._cross[-1]

    def _set_state(self, state: Any) -> None:
        self._widths = widths(self._n_categories, contrasts=True)
        super()._set_state(state)
        self._is_drawn = False

    # ------------------------------------------------------------------ features

    def _scaled(self, X: Any) -> Scaled:
        """Return rows, an array or ``SparseRows``, scaled each by itself; of a nominal feature its indicators."""
        is_coded = (self._n_categories > 2).any()
        if isinstance(X, SparseRows) and not is_coded:
            indptr, indices, data = X.arrays
        else:
            X = X.dense() if isinstance(X, SparseRows) else X
            points = coordinates(X, self._n_categories, contrasts=True) if is_coded else np.ascontiguousarray(X)
            indptr, indices, data = kernels.compressed(points)
        begin, end = int(indptr[0]), int(indptr[-1])
        values, shifts = np.empty(end - begin), np.empty(len(X))
        kernels.scale_rows(indptr, data, len(self._random) - 2, values, shifts)
        return Scaled(indptr - begin, indices[begin:end], values, shifts)

    def _projected(self, rows: Scaled, matrix: np.ndarray, width: int) -> np.ndarray:
        out = np.empty((len(rows.shifts), width))
        kernels.project(*rows, matrix, out)
        return out

    def _features_of(self, rows: Scaled) -> np.ndarray:
        """Return the features Z of rows, float64 (n, width), as they are now."""
        Z = self._projected(rows, self._mapping, len(self._low) + self._enhancement.shape[1])
        kernels.to_range(Z, self._low, self._high, 0.0, 1.0)
        kernels.enhance(Z, self._enhancement, self._factor)
        return Z

    def _learn_features(self, rows: Scaled) -> np.ndarray:
        """Learn the mapping from the rows of a chunk, and return their features by it."""
        A = self._projected(rows, self._random, self._random.shape[1])
        kernels.widen(A, self._random_low, self._random_high)
        kernels.to_range(A, self._random_low, self._random_high, -1.0, 2.0)
        kernels.add_window_grams(A, self._window_grams)
        kernels.add_products(*rows, A, self._cross)
        kernels.fit_mapping(self._window_grams, self._cross, self._mapping)
        n_nodes = len(self._low)
        Z = self._projected(rows, self._mapping, n_nodes + self._enhancement.shape[1])
        kernels.widen(Z, self._low, self._high)
        kernels.to_range(Z, self._low, self._high, 0.0, 1.0)
        largest = max(float(Z[:, :n_nodes].max(initial=0.0)), kernels.CONSTANT)
        self._factor = float(self.shrink) / largest
        kernels.enhance(Z, self._enhancement, self._factor)
        return Z


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

    line: ClassVar[str] = "One broad network and regressions for each label: see its members. Medium."
    plain_words: ClassVar[tuple[str, str]] = ("network", "a network, parts replaced")
    papers: ClassVar[tuple[str, ...]] = ("bakhshi2024balancing",)
    takes_sparse: ClassVar[bool] = True
    picture: ClassVar[str] = "ensemble"
    compile_seconds: ClassVar[float] = 10.0
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
        # the rows of the chunk lacked a new nominal feature, which the table does not know
        self._widen_chunk()
        super()._grown(n_features, n_labels)

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
