"""The learner MLKNN: labels by the posterior, given how many of the nearest neighbours have them."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.decision import Deciding
from streamlab.learners.base.parameters import kept, parameter, tunable
from streamlab.learners.base.rows import SparseRows
from streamlab.learners.base.state import State
from streamlab.learners.points import _neighbours as kernels
from streamlab.learners.points.point_learner import PointLearner

__all__ = ["MLKNN"]


class MLKNN(Deciding, PointLearner):
    """ML-KNN: for each label, the maximum a posteriori given its count among the k nearest neighbours.

    With C the number of the k nearest training points that have label l, P(l | C) ∝ P(l) P(C | l), and the same
    without l; priors and the counts' frequencies are those of the training points, with Laplace smoothing s. A label
    is predicted where P(l | C) is at least one half.

    Parameters
    ----------
    n_neighbors
        Neighbours (k); with fewer training points, those there are.
    smoothing
        Laplace smoothing (s).
    chunk
        On a stream: it is trained on the latest full chunk of this many instances (w), which answers until the next is
        full; before the first, on all there are whenever their number has doubled.
    count_self
        Whether a training point is among its own neighbours when the counts' frequencies are taken. The paper says no;
        True does as scikit-multilearn's ``MLkNN`` does.
    decision
        Which labels are answered: ``"half"`` (default, as in the paper), ``"cardinality"`` or ``"balanced"``; see
        ``Deciding``.

    Attributes
    ----------
    priors_
        float64 (n_labels,): P(l).
    likelihoods_
        float64 (n_labels, k + 1): P(C = c | l).
    likelihoods_without_
        float64 (n_labels, k + 1): P(C = c | not l).

    Notes
    -----
    scikit-multilearn 0.2.0 differs in three ways: it hands ``NearestNeighbors`` its k by position, which scikit-learn
    has refused since 1.0; it counts a training point as its own neighbour; its ``predict_proba`` is P(l) P(C | l), not
    divided by P(C). Of points at equal distance the one that came first is the nearer one here.

    Sources
    -------
    M.-L. Zhang, Z.-H. Zhou: "ML-KNN: A lazy learning approach to multi-label learning", Pattern Recognition 40(7),
    2007. Chunks as in X. Kong, P. S. Yu (2011), section IV-A.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((200, 2))
    >>> Y = (X > 0.5).astype("uint8")
    >>> model = MLKNN().fit(X[:150], Y[:150])
    >>> float((model.predict(X[150:]) == Y[150:]).mean()) > 0.9
    True
    """

    line: ClassVar[str] = "Nearest neighbours and Bayes' rule for each label; curve only. Fast."
    papers: ClassVar[tuple[str, ...]] = ("zhang2007mlknn", "kong2011ensemble")
    takes_sparse: ClassVar[bool] = True
    compile_seconds: ClassVar[float] = 2.0
    _quick: ClassVar = {"n_neighbors": 1, "chunk": 2}
    n_neighbors: int = tunable(
        1, 50, default=10, limit=10_000, title="Neighbours", help="Of all labels alike (k).",
    )  # fmt: skip
    smoothing: float = tunable(
        1e-6, 10, default=1.0, logarithmic=True, help="Pseudo-counts: more draws the answers to one half (s).",
    )  # fmt: skip
    chunk: int = tunable(
        1, 1000, default=100, logarithmic=True, unit="instances",
        help="Trained on the latest full chunk of so many: shorter follows faster, and knows less.",
        says="keeps {value} rows",
    )  # fmt: skip
    count_self: bool = parameter(default=False)

    _priors: np.ndarray = kept("labels", finite=True)
    _with_: np.ndarray = kept("labels", "neighbours+1", finite=True)
    _without: np.ndarray = kept("labels", "neighbours+1", finite=True)
    # of each count, and the answers: (n_labels, k + 1)
    _posteriors: tuple[np.ndarray, np.ndarray] = kept()

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        super()._reset()
        self._estimate(int(self.n_neighbors), float(self.smoothing))

    def _sizes(self) -> dict[str, int]:
        return super()._sizes() | {"neighbours": int(self.n_neighbors)}

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        if len(self._labels) > n_labels:
            self._estimate(int(self.n_neighbors), float(self.smoothing))

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        self._find_posteriors()

    @property
    def priors_(self) -> np.ndarray:
        """P(l), float64 (n_labels,)."""
        return self._priors.copy()

    @property
    def likelihoods_(self) -> np.ndarray:
        """P(C = c | l), float64 (n_labels, k + 1)."""
        return self._with_.copy()

    @property
    def likelihoods_without_(self) -> np.ndarray:
        """P(C = c | not l), float64 (n_labels, k + 1)."""
        return self._without.copy()

    @property
    def _later(self) -> int:
        """Rows learned after those that it answers by: before the first full chunk these are among those that wait."""
        return len(self._chunk_X) - len(self._X) * self._warming_up

    def kept_within(self, rows: int) -> tuple[int, int] | None:
        return min(max(rows - self._later, 0), len(self._X)), len(self._X)

    def remembered(self) -> dict[str, np.ndarray]:
        """Return the rows that it answers by, oldest first.

        Returns
        -------
        dict
            ``age`` (rows learned since), ``X`` float64 (m, n_features), ``Y`` uint8 (m, n_labels).
        """
        return {"age": self._later + np.arange(len(self._X))[::-1], "X": self._X.copy(), "Y": self._Y.copy()}

    def nearest_to(self, x: np.ndarray, but: np.ndarray) -> np.ndarray:
        """Return the places in ``remembered`` of the nearest to a row (n_features,), ``but`` these; int64 (k,)."""
        squares = ((self._points - self._located(x[None])) ** 2).sum(axis=1)
        squares[but] = np.inf
        return squares.argsort(kind="stable")[: min(int(self.n_neighbors), len(squares) - len(but))]

    # ------------------------------------------------------------------ learning

    def _fit(self, X: np.ndarray, Y: np.ndarray) -> None:
        self._warming_up = False
        self._train(X.copy() if isinstance(X, SparseRows) else X, Y)

    def _learn(self, X, Y, missing) -> None:
        for start, stop, is_due, is_full in self._pieces(len(X)):
            if self._follows and len(self._X):
                self._followed(*self._answer(X[start:stop]), Y[start:stop])
            self._fill_chunk(X[start:stop], Y[start:stop])
            if is_due:
                self._train(self._chunk_X[-int(self.chunk) :].copy(), self._chunk_Y[-int(self.chunk) :].copy())
            if is_full:
                self._empty_chunk()

    def _train(self, X: np.ndarray, Y: np.ndarray) -> None:
        self._X, self._Y = X, Y
        self._moved()

    def _moved(self) -> None:
        """The transformers have learned: move the points, and count neighbours again."""
        self._place()
        self._estimate(int(self.n_neighbors), float(self.smoothing))

    def _estimate(self, k: int, s: float) -> None:
        """Estimate priors, and how often each count of neighbours goes with each label and without it."""
        n, n_labels = self._Y.shape
        own = np.full(n, -1) if self.count_self else np.arange(n)
        if self._inverted is not None:
            counts = self._inverted.label_counts(self._X, own, k, self._Y)
        else:
            counts = self._counts(self._points, own, k, self._points)
        tables = np.zeros((2, n_labels, k + 1))
        kernels.count_tables(counts, self._Y, tables)
        totals = tables.sum(axis=2, keepdims=True)
        self._priors = (s + totals[1, :, 0]) / (2.0 * s + n)
        self._without, self._with_ = (s + tables) / (s * (k + 1) + totals)
        self._find_posteriors()

    def _find_posteriors(self) -> None:
        present = self._priors[:, None] * self._with_
        absent = (1.0 - self._priors[:, None]) * self._without
        # a state from outside may say that a count never comes
        with np.errstate(invalid="ignore"):
            self._posteriors = present / (present + absent), (present >= absent).astype(np.uint8)

    def _counts(self, points: np.ndarray, own: np.ndarray, k: int, training: np.ndarray) -> np.ndarray:
        """Return how many of the k nearest training points have each label, int64 (n, n_labels)."""
        counts = np.zeros((len(points), len(self._labels)), np.int64)
        for part, squares, ranks in self._blocks(points, training):
            kernels.label_counts(
                ranks, points[part], training, squares, self._squares, self._Y, own[part], k, counts[part]
            )
        return counts

    def _predict(self, X, missing):
        scores, labels = self._answer(X)
        return scores, self._decided(scores, labels)

    def _answer(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return posteriors and the labels whose posteriors are at least one half."""
        if not len(self._X):
            return np.zeros((len(X), len(self._labels))), np.zeros((len(X), len(self._labels)), np.uint8)
        nobody, k = np.full(len(X), -1), int(self.n_neighbors)
        if self._inverted is not None:
            counts = self._inverted.label_counts(X, nobody, k, self._Y)
        else:
            with np.errstate(over="ignore", invalid="ignore"):
                points, training = self._together(X)
                counts = self._counts(points, nobody, k, training)
        scores, labels = np.empty(counts.shape), np.empty(counts.shape, np.uint8)
        kernels.look_up(counts, *self._posteriors, scores, labels)
        return scores, labels

    def _tune(self, values) -> None:
        if {"n_neighbors", "smoothing"} & set(values):
            self._estimate(
                int(values.get("n_neighbors", self.n_neighbors)), float(values.get("smoothing", self.smoothing))
            )
