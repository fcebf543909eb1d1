"""The learner BalancedKNN: the same number of neighbours from every class, a threshold per class."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from streamlab._checks import checked_count
from streamlab.learners.balanced import _scores
from streamlab.learners.balanced.neighbourhoods import Neighbourhoods
from streamlab.learners.base.parameters import parameter, tunable
from streamlab.learners.base.sklearn_adapter import as_table, refuse_unfitted
from streamlab.learners.base.state import State
from streamlab.learners.points import _neighbours as kernels

__all__ = ["BalancedKNN"]

TRAIN_ON = ("window", "chunk")
# pairs of training points whose median distance gives sigma
PAIRS = 1000
# rows learned before the dead among them are forgotten
MOST_AT_ONCE = 4096
# what a row is kept as, besides its point
ROWS = ("_X", "_Y", "_ids", "_members")


class BalancedKNN(Neighbourhoods):
    """Class-balanced k-nearest neighbours: for each class the b nearest of *its* points, then a threshold per class.

    The score of class k at x is s_k = Σ exp(-‖x - x_j‖² / 2σ) over the b nearest points of the class, and its decision
    score f_k = (s_k - s̄)/s̄ with s̄ the mean over all classes. Class k is predicted where f_k > h_k. The threshold h_k
    is, of all distinct decision scores of the training points (and one under the lowest), that which maximises
    1/(α/precision + (1 - α)/recall) on the training points, where a point is not its own neighbour; of equal ones the
    largest.

    Parameters
    ----------
    n_neighbors
        Neighbours taken of each class (b); where a class has fewer points, those there are.
    alpha
        Weight of precision against recall (α).
    sigma
        Width of the similarity (σ), above 0, in squared units of the features. None: half the median squared distance
        of pairs of training points (of 1,000 pairs, where there are more).
    window
        On a stream: how many of the most recent instances of each class are kept, and as many without a label. None:
        all.
    train_on
        On a stream, ``"window"``: every instance is a neighbour at once; ``"chunk"``: trained on the latest full chunk
        alone, which answers until the next is full.
    chunk
        On a stream: instances after which thresholds, and σ, are estimated again; before the first chunk is full also
        whenever the instances have doubled. Depends on their number alone, not on how they come.
    seed
        Seed of the pairs for σ.

    Attributes
    ----------
    thresholds_
        float64 (n_labels,): h_k; inf where a class has no training point.
    sigma_
        σ in force.

    Notes
    -----
    ``fit`` trains on all rows that it is given, whatever the window; rows learned later enter the window, and the
    oldest leave it. Scores (``predict_proba_many``) are s_k / Σ s = (f_k + 1) / n_labels: they rank as f does.

    With log-sum-exp a point far from everything has finite scores. One so far that its squared distances overflow is
    equally far from all: its f is 0, or -1 for a class without a point. Where no class has a neighbour, f is -1.

    Sources
    -------
    H. Wang, C. Ding, H. Huang: "Multi-label classification: inconsistency and class balanced k-nearest neighbor",
    AAAI 2010, equations 4 to 7. The window, and what is done where the paper is silent, are ours.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((200, 2))
    >>> Y = (X > 0.5).astype("uint8")
    >>> model = BalancedKNN().fit(X[:150], Y[:150])
    >>> float((model.predict(X[150:]) == Y[150:]).mean()) > 0.8
    True
    """

    line: ClassVar[str] = "Nearest neighbours of each class: see the classes in their plane. Medium."
    papers: ClassVar[tuple[str, ...]] = ("wang2010balanced",)
    compile_seconds: ClassVar[float] = 4.5
    _quick: ClassVar = {"window": 2, "chunk": 2}
    picture: ClassVar[str] = "projection"
    alpha: float = tunable(
        0, 1, default=0.5, limit=1, title="Precision against recall (α)",
        help="Towards 1 the thresholds rise: fewer labels, surer ones. From the next estimate on.",
    )  # fmt: skip
    sigma: float | None = tunable(
        1e-12, 1e6, default=None, logarithmic=True, title="Width of the similarity (σ)",
        help="Squared distance over which neighbours count; none: from the points themselves.",
    )  # fmt: skip
    window: int | None = tunable(
        1, 5000, default=200, logarithmic=True, unit="rows of each class",
        help="Older instances are forgotten, class by class; a rare class remembers for longer.",
        says="keeps {value} rows of each class", says_never="keeps rows of each class: all",
    )  # fmt: skip
    train_on: str = parameter(default="window", choices=TRAIN_ON)
    chunk: int = tunable(
        1, 1000, default=100, logarithmic=True, unit="instances",
        help="Thresholds are estimated again after this many instances.",
    )  # fmt: skip
    seed: int = parameter(default=0, check=checked_count)

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        super()._reset()
        self._sigma = 1.0 if self.sigma is None else float(self.sigma)
        self._index: tuple[np.ndarray, np.ndarray] | None = None

    def _grown(self, n_features: int, n_labels: int) -> None:
        more = len(self._labels) - (self._members.shape[1] - 1)
        if more:
            # the last column stays last: it is that of rows without a label
            self._members = np.insert(self._members, [self._members.shape[1] - 1] * more, 0, axis=1)
            self._thresholds = np.pad(self._thresholds, (0, more), constant_values=math.inf)
            self._index = None
        super()._grown(n_features, n_labels)

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        self._index = None

    @property
    def thresholds_(self) -> np.ndarray:
        """h_k, float64 (n_labels,): inf where a class has no training point."""
        return self._thresholds.copy()

    @property
    def sigma_(self) -> float:
        """σ in force."""
        return self._sigma

    # ------------------------------------------------------------------ learning

    def _fit(self, X: np.ndarray, Y: np.ndarray) -> None:
        self._append(X, Y, 0, None)
        self._n_learned = len(X)
        self._warming_up = False
        self._place_and_estimate()

    def _learn(self, X, Y, missing) -> None:
        pieces = list(self._pieces(len(X)))
        # an estimate depends on the rows that are kept alone: of several in one call the last replaces the others
        last = max((piece.stop for piece in pieces if piece.is_due), default=0)
        if self.train_on == "window":
            for start in range(0, last, MOST_AT_ONCE):
                stop = min(start + MOST_AT_ONCE, last)
                self._learn_rows(X[start:stop], Y[start:stop], are_placed=False)
                self._forget_dead()
            if last:
                self._place_and_estimate()
            if last < len(X):
                self._learn_rows(X[last:], Y[last:], are_placed=True)
            return
        for start, stop, _, is_full in pieces:
            self._fill_chunk(X[start:stop], Y[start:stop])
            self._n_learned += stop - start
            if stop == last:
                self._take_chunk(is_full)
            elif is_full:
                self._empty_chunk()
        if last:
            self._place_and_estimate()

    def _learn_rows(self, X: np.ndarray, Y: np.ndarray, are_placed: bool) -> None:
        self._append(X, Y, self._n_learned, self.window, are_placed)
        self._n_learned += len(X)

    def _take_chunk(self, is_full: bool) -> None:
        """Train on the present chunk alone from now on."""
        X, Y = self._chunk_X[-int(self.chunk) :], self._chunk_Y[-int(self.chunk) :]
        self._keep(np.zeros(len(self._X), np.bool_))
        self._append(X, Y, self._n_learned - len(X), None)
        if is_full:
            self._empty_chunk()

    def _append(self, X: np.ndarray, Y: np.ndarray, first_id: int, window: int | None, are_placed: bool = True) -> None:
        """Add rows that are neighbours from now on; if not ``are_placed``, ``_place`` comes next."""
        n = len(self._X)
        self._X, self._Y = np.concatenate([self._X, X]), np.concatenate([self._Y, Y])
        self._ids = np.concatenate([self._ids, np.arange(first_id, first_id + len(X))])
        if not are_placed:
            pass
        elif n == 0:
            self._place()
        else:
            points = self._located(X)
            if self._transform_points is not None:
                # what transformers say of a row may be another later
                self._points = np.concatenate([self._point_rows, points])
            self._squares = np.concatenate([self._squares, np.einsum("ij,ij->i", points, points)])
        self._members = np.concatenate([self._members, np.zeros((len(X), self._members.shape[1]), np.uint8)])
        counts = self._members.sum(axis=0, dtype=np.int64)
        _scores.enter(self._members, n, n + len(X), self._Y, int(window or 0), counts, np.zeros_like(counts))
        self._index = None

    def _keep(self, rows: np.ndarray) -> None:
        """Forget all rows but these (bool)."""
        # first the points, which are as many as the rows when they are asked for
        for name in ("_points", "_squares", *ROWS):
            setattr(self, name, getattr(self, name)[rows])
        self._index = None

    def _forget_dead(self) -> None:
        """Forget the rows that are in no window, except for their points, which ``_place`` makes again."""
        alive = np.asarray(self._members.any(axis=1))
        if not alive.all():
            for name in ROWS:
                setattr(self, name, getattr(self, name)[alive])
            self._index = None

    def _place_and_estimate(self) -> None:
        """Forget the rows that are in no window; then points, σ and thresholds by those that stay."""
        self._forget_dead()
        self._place()
        self._estimate(int(self.n_neighbors), float(self.alpha), self.sigma)

    def _moved(self) -> None:
        """The transformers have learned: move the points. σ and thresholds wait until they are due."""
        self._place()

    def _estimate(self, n_neighbors: int, alpha: float, sigma: float | None) -> None:
        self._sigma = self._typical_width() if sigma is None else float(sigma)
        own = np.arange(len(self._points))
        f = self._decide(self._points, own, n_neighbors)
        order = np.argsort(-f, axis=0, kind="stable")
        thresholds = np.empty(len(self._labels))
        kernels.best_thresholds(f, order, self._Y, alpha, thresholds)
        self._thresholds = thresholds

    def _typical_width(self) -> float:
        """Return half the median squared distance of pairs of points."""
        n = len(self._points)
        if n < 2:
            return 1.0
        if n * (n - 1) // 2 <= PAIRS:
            first, second = np.triu_indices(n, 1)
        else:
            rng = np.random.default_rng([int(self.seed), self._n_learned])
            first = rng.integers(n, size=PAIRS)
            second = (first + rng.integers(1, n, size=PAIRS)) % n
        away = self._points[first] - self._points[second]
        squares = np.einsum("ij,ij->i", away, away)
        # more than half of the pairs may coincide: then the mean, and where all do any width is as good
        for width in (np.median(squares), squares.mean(), 2.0):
            if width > 0.0 and math.isfinite(width):
                return float(width) / 2.0
        return 1.0

    # ------------------------------------------------------------------ prediction

    def _listed(self) -> tuple[np.ndarray, np.ndarray]:
        """Return where the members of each class begin, and the members, class by class."""
        if self._index is None:
            starts, rows = (
                np.zeros(len(self._labels) + 1, np.int64),
                np.zeros(int(self._members[:, :-1].sum()), np.int64),
            )
            _scores.listed(self._members, len(self._labels), starts, rows)
            self._index = starts, rows
        return self._index

    def _decide(self, points: np.ndarray, own: np.ndarray, n_neighbors: int) -> np.ndarray:
        """Return decision scores f of points, float64 (n, n_labels); ``own``: which training point each is, or -1."""
        starts, rows = self._listed()
        f = np.empty((len(points), len(self._labels)))
        for part, squares, ranks in self._blocks(points):
            _scores.decision_scores(
                ranks, points[part], self._points, squares, self._squares, starts, rows, own[part], n_neighbors,
                self._sigma, f[part],
            )  # fmt: skip
        return f

    def _scores(self, X: np.ndarray) -> np.ndarray:
        if not len(self._X):
            return np.full((len(X), len(self._labels)), -1.0)
        with np.errstate(over="ignore", invalid="ignore"):
            return self._decide(self._located(X), np.full(len(X), -1), int(self.n_neighbors))

    def _predict(self, X, missing):
        f = self._scores(X)
        return np.clip((f + 1.0) / max(f.shape[1], 1), 0.0, 1.0), (f > self._thresholds).astype(np.uint8)

    def decision_function(self, X: Any) -> np.ndarray:
        """Return f_k of equation 5, float64 (n, n_labels); class k is predicted where it is above ``thresholds_``.

        Having been fitted with a class for each row, the class of highest f is predicted; of two classes it is
        f_1 - f_0, float64 (n,), above 0 where the second is predicted.

        Raises
        ------
        NotFittedError
            Where nothing has been learned.
        """
        if not self._labels:
            refuse_unfitted(self)
        f = self._scores(self._checked_X(as_table(self, X, known=True)).values)
        return f[:, 1] - f[:, 0] if self._classes is not None and f.shape[1] == 2 else f

    # ------------------------------------------------------------------ tuning

    def _tune(self, values) -> None:
        window = values.get("window", self.window)
        if self.train_on == "window" and window is not None and (self.window is None or window < self.window):
            self._members[:] = 0
            counts = np.zeros(len(self._labels) + 1, np.int64)
            _scores.enter(self._members, 0, len(self._X), self._Y, int(window), counts, np.zeros_like(counts))
            self._keep(np.asarray(self._members.any(axis=1)))
        estimated = ("n_neighbors", "alpha", "sigma")
        if len(self._X) and any(values.get(name, getattr(self, name)) != getattr(self, name) for name in estimated):
            n_neighbors, alpha, sigma = (values.get(name, getattr(self, name)) for name in estimated)
            self._estimate(int(n_neighbors), float(alpha), sigma)
