"""The transformer BalancedLDA: class-balanced discriminant directions from sums that add, fade and merge."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Self

import numpy as np
import scipy.linalg
from river.base import MiniBatchSupervisedTransformer

from streamlab.learners.base.fading import share_left
from streamlab.learners.base.parameters import kept, parameter, tunable
from streamlab.learners.base.row_learner import ChunkCounter, coordinates, widths
from streamlab.learners.base.state import State
from streamlab.learners.base.storage import between, moved_places
from streamlab.learners.base.transformer import StreamTransformer
from streamlab.learners.points.point_learner import one_thread

__all__ = ["BalancedLDA"]

# a class that weighs less has faded away
EMPTY_WEIGHT = 1e-12
# the means differ in a direction if they do by more than this share of the data's own spread: less is rounding
RANK_TOLERANCE = 1e-12
# sums of values: those of 10^15 rows stay below it, and what is made of their squares is finite
SANE = between(-1e120, 1e120)


class BalancedLDA(ChunkCounter, StreamTransformer, MiniBatchSupervisedTransformer):
    """Class-balanced linear discriminant analysis of multi-label data, batch and stream in one.

    With n_k the instances of class k and m_k their mean, m = Σ n_k m_k / Σ n_k: the between-class scatter is
    S_b = Σ n_k (m_k - m)(m_k - m)ᵀ, the within-class scatter S_w = Σ_k Σ_{i in k} (x_i - m_k)(x_i - m_k)ᵀ, an instance
    of several labels counting in each. The columns of U are the leading generalised eigenvectors of S_b u = λ S_w u,
    and an instance becomes Uᵀx.

    All follows from n_k, ``Σ_{i in k} x_i`` and ``A = Σ |Y_i| x_i x_iᵀ``, which add: any chunks in any order give
    what one fit gives, to rounding; they fade with ``half_life`` and merge.

    Parameters
    ----------
    n_components
        Directions (r); None: the number of labels less one. At most as many as coordinates.
    shrinkage
        ε: S_w + ε tr(S_w)/p I stands for S_w, which may be singular. Above 0.
    half_life
        Instances after which an instance weighs half; ``inf`` never forgets.
    chunk
        With ``learn_one``, instances after which U is computed again, and before that whenever they have doubled;
        ``learn_many`` computes it once a call.

    Attributes
    ----------
    scalings_
        U, float64 (p, r): uᵀ S_w u = 1, the entry of largest magnitude of each column positive. Directions beyond the
        rank of S_b separate nothing: their columns are 0.
    eigenvalues_
        λ, float64 (r,), falling.
    class_weights_
        n_k (K,).
    means_
        m_k (K, p); NaN for a class without an instance.
    mean_
        m (p,).
    between_scatter_
        S_b, float64 (p, p).
    within_scatter_
        S_w without the shrinkage, float64 (p, p).

    Notes
    -----
    p counts coordinates: one for a numeric feature, k - 1 indicators for a nominal one of k categories. A missing
    value counts as the mean of its coordinate so far. Sums are kept about the first mean seen, so that an offset of
    the data costs no digits.

    uᵀ S_w u = 1 makes the coordinates shrink as instances are added. In a River pipeline what lies behind sees the
    directions of its time: give a ``half_life`` there, and they keep their length. ``Pipeline`` moves the points of
    learners that keep points along with them, and needs none.

    Sources
    -------
    H. Wang, C. Ding, H. Huang: "Multi-label classification: inconsistency and class balanced k-nearest neighbor",
    AAAI 2010, equations 1 to 3. The shrinkage, the sign and the stream are ours.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((200, 5))
    >>> Y = (X[:, :3] > 0.5).astype("uint8")
    >>> BalancedLDA().fit(X, Y).transform(X).shape
    (200, 2)
    """

    papers: ClassVar[tuple[str, ...]] = ("wang2010balanced",)
    n_components: int | None = tunable(
        1, 20, default=None, limit=10_000, title="Directions", help="None: one less than there are labels.",
    )  # fmt: skip
    shrinkage: float = tunable(
        1e-12, 1, default=1e-6, logarithmic=True, limit=1e6, help="Towards 1 all directions count as equally noisy.",
    )  # fmt: skip
    half_life: float = tunable(
        1e-3, 10_000, default=math.inf, logarithmic=True, infinite=True, unit="instances", title="Half-life",
        help="After this many instances an old one weighs half as much; infinite never forgets.",
        says="half of what the projection knows fades in {value} rows",
        says_never="what the projection knows never fades",
    )  # fmt: skip
    chunk: int = parameter(1, default=100)

    compile_seconds: ClassVar[float] = 2.0

    _shift: np.ndarray = kept("coordinates", rules=(SANE,))
    _weights: np.ndarray = kept("labels", rules=(between(0, 1e18),))
    _sums: np.ndarray = kept("labels", "coordinates", rules=(SANE,))
    _products: np.ndarray = kept("coordinates", "coordinates", rules=(between(-1e250, 1e250),))
    # numbers present of each coordinate and their sum: what a missing value counts as
    _present: np.ndarray = kept("coordinates", rules=(between(0, 1e18),))
    _present_sum: np.ndarray = kept("coordinates", rules=(SANE,))
    _scalings: np.ndarray = kept("coordinates", "directions", finite=True)
    _eigenvalues: np.ndarray = kept("directions")
    _now: int = kept(low=0)

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        self._widths = widths(self._n_categories, contrasts=True)
        super()._reset()

    def _sizes(self) -> dict[str, int]:
        return super()._sizes() | {"coordinates": int(self._widths.sum())}

    def _grown(self, n_features: int, n_labels: int) -> None:
        old = self._widths
        self._widths = widths(self._n_categories, contrasts=True)
        # of the past a new coordinate is 0, which the sums about 0 say of themselves
        sizes = self._sizes() | {"directions": self._n_directions(self.n_components)}
        self._take(self.storage.resize(self._kept(), sizes, {"coordinates": moved_places(old, self._widths)}))

    def _set_state(self, state: State) -> None:
        self._widths = widths(self._n_categories, contrasts=True)
        super()._set_state(state)

    @property
    def now(self) -> int:
        """Time of the last instance learned: their number, unless ``timestamps`` said otherwise."""
        return self._now

    # ------------------------------------------------------------------ learning

    def learn_many(self, X: Any, y: Any, timestamps: np.ndarray | None = None) -> None:
        """Learn a chunk, then compute U.

        Parameters
        ----------
        X, y
            As in ``fit``.
        timestamps
            int (n,), rising, after ``now``: the time of each instance, for parts of a stream that are to be merged.
            Default: each instance comes one later.

        Raises
        ------
        ValueError
            For a wrong shape or value, naming row and column, and for timestamps that do not rise. Nothing is learned
            then.
        """
        self._learn_chunk_of(X, y, timestamps)

    def learn_one(self, x: dict[Any, Any], y: dict[Any, Any]) -> None:  # type: ignore[override]  # River's supervised face
        """Learn one instance; U is computed again every ``chunk`` instances."""
        row, flags = self._checked_one(x, y)
        row = self._intake.learn(row, flags)
        (piece,) = self._pieces(1)
        with one_thread():
            self._add(row.values, flags, np.array([self._now + 1]))
            if piece.is_due:
                self._solve(self.n_components, float(self.shrinkage))

    def _learn(self, X, Y, missing, timestamps=None) -> None:
        if not len(X):
            return
        self._since, self._warming_up = 0, False
        with one_thread():
            self._add(X, Y, np.arange(1, len(X) + 1) + self._now if timestamps is None else timestamps)
            self._solve(self.n_components, float(self.shrinkage))

    def _add(self, X: np.ndarray, Y: np.ndarray, timestamps: np.ndarray) -> None:
        points = coordinates(X, self._n_categories, contrasts=True)
        gaps = np.isnan(points)
        self._present += (~gaps).sum(axis=0)
        self._present_sum += np.where(gaps, 0.0, points).sum(axis=0)
        if gaps.any():
            points = np.where(gaps, self._filling, points)
        now = int(timestamps[-1])
        fade = share_left(np.array([now - self._now]), self.half_life)[0]
        if not self._weights.any() and not self._products.any():
            self._shift = points.mean(axis=0)
        if fade < 1.0:
            self._weights *= fade
            self._sums *= fade
            self._products *= fade
        points = points - self._shift
        weighted = Y * share_left(now - timestamps, self.half_life)[:, None]
        self._weights += weighted.sum(axis=0)
        self._sums += weighted.T @ points
        # a product of one array with itself: symmetric to the last bit
        scaled = points * np.sqrt(weighted.sum(axis=1))[:, None]
        self._products += scaled.T @ scaled
        self._now = now

    @property
    def _filling(self) -> np.ndarray:
        return self._present_sum / np.maximum(self._present, 1.0)

    def _rescale(self, factor: np.ndarray, offset: np.ndarray) -> None:
        factor, offset = np.repeat(factor, self._widths), np.repeat(offset, self._widths)
        self._shift = self._shift * factor + offset
        self._sums = self._sums * factor
        self._products = self._products * np.outer(factor, factor)
        self._present_sum = self._present_sum * factor + self._present * offset

    def merge(self, other: BalancedLDA) -> Self:
        """Add what ``other`` has learned: this then equals one that saw both parts, to rounding.

        With fading, exact for parts of one stream whose instances kept their time stamps (``timestamps``).

        Parameters
        ----------
        other
            One of equal columns and half-life; it is left unchanged.

        Returns
        -------
        This transformer.

        Raises
        ------
        ValueError
            Naming what differs.
        """
        if not isinstance(other, BalancedLDA):
            raise ValueError(f"cannot merge BalancedLDA with {type(other).__name__}")
        if other is self:
            raise ValueError("cannot merge a transformer with itself")
        if self.half_life != other.half_life:
            raise ValueError(f"cannot merge: half_life is {self.half_life!r} here and {other.half_life!r} there")
        if not other._features and not other._labels:
            return self
        if not self._features and not self._labels:
            self.bind(other.schema)
        difference = self.schema.difference(other.schema)
        if difference is not None:
            raise ValueError(f"cannot merge: the schemas differ: {difference}")
        now = max(self._now, other._now)
        mine, theirs = share_left(now - np.array([self._now, other._now]), self.half_life)
        if not self._weights.any():
            self._shift = other._shift.copy()
        weights, sums, products = theirs * other._weights, theirs * other._sums, theirs * other._products
        # the other's sums about this one's shift
        away = other._shift - self._shift
        across = np.outer(sums.sum(axis=0), away)
        products = products + (across + across.T) + weights.sum() * np.outer(away, away)
        self._weights = mine * self._weights + weights
        self._sums = mine * self._sums + sums + np.outer(weights, away)
        self._products = mine * self._products + products
        self._present = self._present + other._present
        self._present_sum = self._present_sum + other._present_sum
        self._intake.merge(other._intake)
        self._now = now
        self._solve(self.n_components, float(self.shrinkage))
        return self

    # ------------------------------------------------------------------ directions

    def _n_directions(self, n_components: int | None) -> int:
        wanted = len(self._labels) - 1 if n_components is None else int(n_components)
        return max(min(wanted, int(self._widths.sum())), 0)

    def _scatter(self) -> tuple[np.ndarray, np.ndarray, int]:
        """Return S_b and S_w, from the classes that weigh something, and the rank of S_b."""
        there = self._weights > EMPTY_WEIGHT
        weights, sums = self._weights[there], self._sums[there]
        means = sums / weights[:, None]
        spread = (means - sums.sum(axis=0) / max(weights.sum(), EMPTY_WEIGHT)) * np.sqrt(weights)[:, None]
        rooted = means * np.sqrt(weights)[:, None]
        rank = 0
        if spread.size:
            floor = RANK_TOLERANCE * math.sqrt(max(np.trace(self._products), 0.0))
            rank = int((np.linalg.svd(spread, compute_uv=False) > floor).sum())
        return spread.T @ spread, self._products - rooted.T @ rooted, rank

    def _solve(self, n_components: int | None, shrinkage: float) -> None:
        p, r = len(self._shift), self._n_directions(n_components)
        self._scalings, self._eigenvalues = np.zeros((p, r)), np.zeros(r)
        between, within, rank = self._scatter()
        rank = min(rank, r)
        if rank == 0:
            return
        trace = float(np.trace(within))
        # every class a single point: nothing within, and all directions are equally quiet
        unit = max(trace, 0.0) / p or float(np.trace(between)) / p
        while True:
            try:
                values, vectors = scipy.linalg.eigh(
                    between, within + shrinkage * unit * np.eye(p), subset_by_index=[p - rank, p - 1],
                    check_finite=False,
                )  # fmt: skip
                break
            except np.linalg.LinAlgError:
                # rounding left it indefinite
                shrinkage *= 10.0
        values, vectors = values[::-1], vectors[:, ::-1]
        signs = np.sign(vectors[np.abs(vectors).argmax(axis=0), np.arange(rank)])
        self._scalings[:, :rank] = vectors * signs
        self._eigenvalues[:rank] = values

    def _tune(self, values) -> None:
        if {"n_components", "shrinkage"} & set(values):
            n_components = values.get("n_components", self.n_components)
            self._solve(n_components, float(values.get("shrinkage", self.shrinkage)))

    # ------------------------------------------------------------------ what is known

    @property
    def scalings_(self) -> np.ndarray:
        """U, float64 (p, r)."""
        return self._scalings.copy()

    @property
    def eigenvalues_(self) -> np.ndarray:
        """λ, float64 (r,)."""
        return self._eigenvalues.copy()

    @property
    def class_weights_(self) -> np.ndarray:
        """n_k, faded to now, float64 (K,)."""
        return self._weights.copy()

    @property
    def means_(self) -> np.ndarray:
        """m_k, float64 (K, p); NaN for a class without an instance."""
        there = self._weights > EMPTY_WEIGHT
        means = np.full(self._sums.shape, math.nan)
        means[there] = self._sums[there] / self._weights[there, None] + self._shift
        return means

    @property
    def mean_(self) -> np.ndarray:
        """m, the multi-label global mean, float64 (p,)."""
        total = self._weights.sum()
        if total <= EMPTY_WEIGHT:
            return np.full(len(self._shift), math.nan)
        return self._sums.sum(axis=0) / total + self._shift

    @property
    def between_scatter_(self) -> np.ndarray:
        """S_b, float64 (p, p)."""
        return self._scatter()[0]

    @property
    def within_scatter_(self) -> np.ndarray:
        """S_w, float64 (p, p), without the shrinkage."""
        return self._scatter()[1]

    # ------------------------------------------------------------------ transforming

    def _transform(self, X: np.ndarray) -> np.ndarray:
        points = coordinates(X, self._n_categories, contrasts=True)
        gaps = np.isnan(points)
        if gaps.any():
            points = np.where(gaps, self._filling, points)
        with one_thread():
            return points @ self._scalings

    def _output_names(self) -> list[str]:
        return [f"blda{i}" for i in range(self._scalings.shape[1])]

    def _is_fitted(self) -> bool:
        return self._now > 0
