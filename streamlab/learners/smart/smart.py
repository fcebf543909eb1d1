"""The learner SMART: parameters, the warm-up before the tests can be drawn, tuning, merging, its nodes as a table."""

from __future__ import annotations

import itertools
import math
import secrets
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import Tunable
from streamlab.learners.base.saving import State
from streamlab.learners.base.timestamps import checked_timestamps
from streamlab.learners.smart import _kernels as kernels

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["SMART"]

# what is kept of each instance until the features' ranges are known
HELD = ("_held_X", "_held_Y", "_held_ticks", "_held_rates")
FIRST_CAPACITY = 1024
# what a sweep must leave free of the arena, lest the next one follow at once
RESERVE = 0.1
GROWTH = 1.5
# rows whose paths are kept at once
PIECE = 1000


class SMART(Learner):
    """Streaming multi-label random trees: an ensemble of random trees whose node statistics fade.

    Each tree is a complete binary tree in principle; only the nodes that some instance has reached exist. A node keeps
    the faded number of its instances, of their labels, and each label's count; an instance is answered by the last
    node on its path that holds something, averaged over the trees, and gets as many labels as the average label-set
    size there.

    Parameters
    ----------
    n_trees
        Number of trees (n_t in the paper), 1 or more. Tunable: growing adds empty trees, which abstain until they have
        seen an instance; shrinking drops the last.
    height
        Levels of nodes in a tree, the root's included (d), 1 to 40. Tunable: shallower drops the levels below, deeper
        grows new ones, empty at first.
    half_life
        Instances after which an instance weighs half (λ, "fading factor"); ``inf`` is SMART(static). Tunable: all is
        faded to the instant of the change with the old rate, then fades with the new one.
    bounds
        The range from which thresholds are drawn, as ``(low, high)``: two numbers or two arrays of shape
        (n_features,). Default: the ranges that the schema declares, else those of the first ``warm_up`` instances.
    warm_up
        Instances kept aside until the ranges are known, where they are not declared. Until then every answer comes
        from the roots, which need no test. Trees and levels added meanwhile learn these instances too.
    seed
        Seed of the trees; None draws one. Two learners of equal seed, schema and bounds have the same trees.

    Notes
    -----
    Sums fade *forward*: instance i enters with the weight 2^((t_i - L) / half_life) relative to a landmark L, so that
    an update touches the weight, the sizes and the labels present only. Ratios, which are all that an answer needs,
    are those of the paper's explicit fading. A node whose weight has sunk under 1e-12 counts as empty; its slot is
    used again, but its id never.

    A missing value goes to the child with the larger weight at that moment, a tie to the left one. A chunk in
    ``test_then_train`` is predicted as a whole before any of it is learned.

    A test is a pure function of (seed, tree, node), by a counter-based generator, once the schema is fixed. With
    dictionaries that bring new features, nodes made later draw from all features known by then.

    Sources
    -------
    X. Kong, P. S. Yu: "An ensemble-based approach to fast classification of multi-label data streams", 2011, sections
    III-B to III-D, figures 1 to 4. Departures: forward fading (equal to 1e-9), nodes made on demand, the warm-up, and
    missing values, of which the paper does not speak.

    Examples
    --------
    >>> import numpy as np
    >>> model = SMART(n_trees=5, height=4, bounds=(0.0, 1.0), seed=1)
    >>> X = np.random.default_rng(0).random((200, 3))
    >>> Y = (X > 0.5).astype("uint8")
    >>> scores, labels = model.test_then_train(X, Y)
    >>> float((model.predict_many(X) == Y).mean()) > 0.7
    True
    """

    picture: ClassVar[str] = "forest"
    tunables: ClassVar[tuple[Tunable, ...]] = (
        Tunable(
            "half_life", 1e-3, 10_000, logarithmic=True, infinite=True, unit="instances",
            title="Half-life",
            help="After so many instances an old one weighs half as much; infinite never forgets.",
        ),
        Tunable("n_trees", 1, 50, integer=True, limit=10_000, title="Trees", help="More trees smooth the answer."),
        Tunable(
            "height", 1, 20, integer=True, limit=40, unit="levels",
            help="Deeper trees tell more apart, and remember each case for less long.",
        ),
    )  # fmt: skip

    def __init__(
        self,
        n_trees: int = 20,
        height: int = 15,
        half_life: float = 200.0,
        bounds: tuple[Any, Any] | None = None,
        warm_up: int = 100,
        seed: int | None = None,
    ) -> None:
        self.n_trees = n_trees
        self.height = height
        self.half_life = half_life
        self.bounds = bounds
        self.warm_up = warm_up
        self.seed = seed
        if isinstance(warm_up, bool) or not isinstance(warm_up, int) or warm_up < 1:
            raise ValueError(f"warm_up={warm_up!r}: expected a whole number, at least 1")
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0):
            raise ValueError(f"seed={seed!r}: expected None or a whole number, at least 0")
        self._start()

    @classmethod
    @cache
    def prepare(cls) -> None:
        """Load the kernels, or compile them: some 0.3 s from the cache, some 10 s without."""
        model = cls(n_trees=2, height=3, bounds=(0.0, 1.0), seed=0)
        X, Y = np.array([[0.2], [np.nan]]), np.array([[1], [0]], np.uint8)
        model.test_then_train(X, Y)
        model.predict_many(X)
        model.tune(half_life=100.0, height=2)

    # ------------------------------------------------------------------ state

    def _reset(self) -> None:
        self._key = np.int64((secrets.randbits(63) if self.seed is None else int(self.seed)) & (2**63 - 1))
        self._low = self._high = None
        self._allocate(0, 0)
        self._roots = np.zeros(int(self.n_trees), np.uint32)
        self._cursor = np.array([1, 0, 0, 0], np.int64)
        self._clock = np.zeros(2)
        self._path = np.zeros((0, 0, 0), np.uint32)
        # the half-life in force, which is not yet the parameter's while the warm-up's instances are learned
        self._rate = float(self.half_life)
        for name in HELD:
            setattr(self, name, None)
        if self.bounds is not None:
            self._declared_bounds(0)

    def _allocate(self, capacity: int, n_labels: int) -> None:
        self._nodes = np.zeros((capacity, 8), np.uint32)
        self._sums = np.zeros((capacity, kernels.COUNTS + n_labels))
        self._place = np.full((capacity, 3), -1, np.int64)

    @property
    def now(self) -> int:
        """The timestamp of the last instance learned: their number, unless ``timestamps`` said otherwise."""
        return int(self._clock[1] if self._held_ticks is None else self._held_ticks[-1])

    @property
    def _empty(self) -> float:
        """The weight, relative to the landmark, under which a node counts as empty now."""
        return kernels.EMPTY_WEIGHT * 2.0 ** ((self._clock[1] - self._clock[0]) / self._rate)

    def _get_state(self) -> State:
        top = int(self._cursor[kernels.TOP])
        state = {
            "key": int(self._key),
            "capacity": len(self._nodes),
            "nodes": self._nodes[:top].copy(),
            "sums": self._sums[:top].copy(),
            "place": self._place[:top].copy(),
            "roots": self._roots.copy(),
            "cursor": self._cursor.copy(),
            "clock": self._clock.copy(),
        }
        for name in ("_low", "_high", *HELD):
            value = getattr(self, name)
            if value is not None:
                state[name[1:]] = value.copy()
        return state

    def _set_state(self, state: State) -> None:
        self._key = np.int64(state["key"])
        top, capacity = len(state["nodes"]), int(state["capacity"])
        self._allocate(capacity, len(self._labels))
        self._roots, self._cursor, self._clock = (state[k].copy() for k in ("roots", "cursor", "clock"))
        for name in ("_low", "_high", *HELD):
            setattr(self, name, None if name[1:] not in state else state[name[1:]].copy())
        # kernels check no index: a file that was tampered with must not get that far
        links = state["nodes"][:, kernels.LEFT : kernels.PARENT + 1]
        if not (
            top <= max(capacity, 1)
            and int(self._cursor[kernels.TOP]) == max(top, 1)
            and 0 <= int(self._cursor[kernels.FREE]) < max(top, 1)
            and len(self._roots) == int(self.n_trees)
            and (not top or max(int(links.max()), int(self._roots.max())) < top)
            and (not top or int(state["nodes"][:, kernels.FEATURE].max()) < max(len(self._features), 1))
        ):
            raise ValueError("the state of SMART contradicts itself")
        self._nodes[:top], self._sums[:top], self._place[:top] = state["nodes"], state["sums"], state["place"]

    # ------------------------------------------------------------------ ranges

    def _declared_bounds(self, first: int) -> tuple[np.ndarray, np.ndarray] | None:
        """Ranges of the features from ``first`` on as far as they are declared: NaN where they are not."""
        features = self._features[first:]
        if self.bounds is not None:
            try:
                low, high = (np.asarray(side, np.float64) for side in self.bounds)
            except (TypeError, ValueError):
                raise ValueError(f"bounds={self.bounds!r}: expected (low, high), numbers or arrays") from None
            if not (np.isfinite(low).all() and np.isfinite(high).all()):
                raise ValueError("bounds: expected finite numbers")
            if low.ndim > 1 or high.ndim > 1 or (low.ndim == high.ndim == 1 and len(low) != len(high)):
                raise ValueError(
                    f"bounds: low of shape {low.shape}, high {high.shape}; expected (n_features,) or numbers"
                )
            if (low > high).any():
                raise ValueError("bounds: low must not be above high")
            if not features:
                return None
            return tuple(np.broadcast_to(side, len(self._features))[first:].copy() for side in (low, high))
        nan = math.nan
        low = np.array([0.0 if f.is_nominal else nan if f.low is None else f.low for f in features], np.float64)
        high = np.array([0.0 if f.is_nominal else nan if f.high is None else f.high for f in features], np.float64)
        low[np.isinf(low)] = high[np.isinf(high)] = nan
        return low, high

    def _check_growth(self, n_features: int) -> None:
        for side, values in zip(("low", "high"), self.bounds or (), strict=False):
            if np.ndim(values) and len(values) != n_features:
                raise ValueError(
                    f"bounds: {side} has {len(values)} values; expected {n_features}, or one number for all"
                )

    def _grown(self, n_features: int, n_labels: int) -> None:
        wanted = kernels.COUNTS + len(self._labels)
        if len(self._labels) > n_labels and self._sums.shape[1] < wanted:
            wider = np.zeros((len(self._sums), wanted))
            wider[:, : self._sums.shape[1]] = self._sums
            self._sums = wider
            if self._held_Y is not None:
                self._held_Y = np.pad(self._held_Y, ((0, 0), (0, len(self._labels) - n_labels)))
        if len(self._features) > n_features:
            added = len(self._features) - n_features
            if self._held_X is not None:
                # before they came, the new features were absent from a schema that nobody had declared: zero
                nominal = np.array([f.is_nominal for f in self._features[n_features:]])
                columns = np.where(nominal, math.nan, 0.0)
                self._held_X = np.hstack([self._held_X, np.tile(columns, (len(self._held_X), 1))])
            if self._low is not None:
                low, high = self._declared_bounds(n_features)
                values = np.nan_to_num(self._first_values[-added:])
                self._low = np.append(self._low, np.where(np.isnan(low), np.minimum(values, 0.0), low))
                self._high = np.append(self._high, np.where(np.isnan(high), np.maximum(values, 0.0), high))

    def _settle(self, X: np.ndarray | None) -> bool:
        """Fix the ranges, from ``X`` where nothing declares them; False if that takes an ``X`` and there is none."""
        if not self._features:
            return False
        low, high = self._declared_bounds(0)
        open_low, open_high = np.isnan(low), np.isnan(high)
        if open_low.any() or open_high.any():
            if X is None:
                return False
            seen = np.where(np.isnan(X), np.inf, X).min(axis=0), np.where(np.isnan(X), -np.inf, X).max(axis=0)
            never = np.isinf(seen[0])
            low = np.where(open_low, np.where(never, 0.0, seen[0]), low)
            high = np.where(open_high, np.where(never, 0.0, seen[1]), high)
            high = np.maximum(low, high)
        self._low, self._high = low, high
        self._allocate(FIRST_CAPACITY, len(self._labels))
        return True

    # ------------------------------------------------------------------ learning

    def learn_many(self, X, Y, timestamps: np.ndarray | None = None) -> None:
        """Learn a chunk; the same result as row by row.

        Parameters
        ----------
        X, Y
            As in ``Learner.learn_many``.
        timestamps
            Array of shape (n,), whole numbers that rise and lie after ``now``: the time of each instance. For a
            learner that sees a part of a stream and shall be merged. Default: each instance is the next timestamp.

        Raises
        ------
        ValueError
            As in ``Learner.learn_many``; and if ``timestamps`` do not rise.
        """
        self._learn(*self._checked(X, Y, timestamps))

    def _checked_timestamps(self, timestamps, n: int) -> np.ndarray | None:
        return checked_timestamps(timestamps, n, self.now)

    def _learn(self, X, Y, missing, timestamps=None) -> None:
        if not len(X):
            return
        if timestamps is None:
            timestamps = np.arange(1, len(X) + 1) + self.now
        timestamps = np.ascontiguousarray(timestamps, np.int64)
        if self._low is None and not self._settle(None):
            new = (X, Y, timestamps, np.full(len(X), self._rate))
            for name, values in zip(HELD, new, strict=True):
                held = getattr(self, name)
                setattr(self, name, values.copy() if held is None else np.concatenate([held, values]))
            if len(self._held_X) < self.warm_up:
                return
            if not self._features:
                # nothing to test yet: only the roots can answer, from the latest instances
                for name in HELD:
                    setattr(self, name, getattr(self, name)[-self.warm_up :])
                return
            self._settle(self._held_X[: self.warm_up])
            self._learn_held()
            return
        self._learn_run(X, Y, missing, timestamps)

    def _learn_held(self) -> None:
        """Learn what the warm-up kept, each instance with the half-life of its time."""
        X, Y, timestamps, rates = (getattr(self, name) for name in HELD)
        for name in HELD:
            setattr(self, name, None)
        missing = np.isnan(X).any(axis=1)
        starts = [0, *(np.flatnonzero(rates[1:] != rates[:-1]) + 1), len(X)]
        for start, stop in itertools.pairwise(starts):
            self._change_rate(float(rates[start]))
            self._learn_run(X[start:stop], Y[start:stop], missing[start:stop], timestamps[start:stop])
        self._change_rate(float(self.half_life))

    def _learn_run(self, X, Y, missing, timestamps) -> None:
        # a long run in pieces: the paths of a chunk are kept, and shall not grow with it
        for start in range(0, len(X), PIECE):
            piece = slice(start, start + PIECE)
            path = self._walk(X[piece], missing[piece])
            self._add(X[piece], Y[piece], missing[piece], timestamps[piece], path)

    def _walk(self, X, missing) -> np.ndarray:
        n, n_trees, height = len(X), len(self._roots), int(self.height)
        if self._path.shape[0] < n or self._path.shape[1:] != (n_trees, height):
            self._path = np.zeros((n, n_trees, height), np.uint32)
        path = self._path[:n]
        kernels.walk(X, missing, self._roots, height, self._nodes, self._sums, self._empty, path)
        return path

    def _add(self, X, Y, missing, timestamps, path) -> None:
        n, done = len(X), 0
        while True:
            before = done
            done = kernels.add(
                X, Y, missing, timestamps, done, path, self._roots, int(self.height), self._nodes, self._sums,
                self._place, self._cursor, self._clock, self._rate, self._key, self._low, self._high,
                self._n_categories,
            )  # fmt: skip
            if done == n:
                return
            if done == before:
                self._make_room(len(self._roots) * int(self.height))
            kernels.walk(
                X[done:], missing[done:], self._roots, int(self.height), self._nodes, self._sums, self._empty,
                path[done:],
            )  # fmt: skip

    def _make_room(self, wanted: int) -> None:
        """Free the empty nodes; where that is not enough, enlarge the arena."""
        in_use = self._sweep()
        capacity = len(self._nodes)
        if capacity - 1 - in_use < max(wanted, RESERVE * capacity):
            self._resize(max(int(capacity * GROWTH), in_use + 1 + wanted))

    def _sweep(self, empty: float | None = None) -> int:
        """Free the nodes that weigh less than ``empty`` (default: those that count as empty); how many are in use."""
        empty = float(self._empty if empty is None else empty)
        return kernels.free_dead(self._nodes, self._sums, self._place, self._roots, self._cursor, empty)

    def _resize(self, capacity: int) -> None:
        nodes, sums, place = self._nodes, self._sums, self._place
        top = int(self._cursor[kernels.TOP])
        self._allocate(capacity, sums.shape[1] - kernels.COUNTS)
        self._nodes[:top], self._sums[:top], self._place[:top] = nodes[:top], sums[:top], place[:top]

    # ------------------------------------------------------------------ prediction

    def _predict(self, X, missing):
        if self._low is None:
            return self._predict_held(len(X))
        scores, labels = self._blank(len(X))
        for start in range(0, len(X), PIECE):
            piece = slice(start, start + PIECE)
            path = self._walk(X[piece], missing[piece])
            kernels.predict(path, self._sums, len(self._labels), self._empty, scores[piece], labels[piece])
        return scores, labels

    def _blank(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        return np.zeros((n, len(self._labels))), np.zeros((n, len(self._labels)), np.uint8)

    def _predict_held(self, n: int) -> tuple[np.ndarray, np.ndarray]:
        """The roots' answer while the tests cannot be drawn yet: all roots hold the same."""
        scores, labels = self._blank(n)
        if self._held_Y is not None and n:
            faded = np.diff(self._held_ticks) / self._held_rates[1:]
            weights = 2.0 ** -np.append(np.cumsum(faded[::-1])[::-1], 0.0)
            root = np.zeros((2, kernels.COUNTS + len(self._labels)))
            root[1, kernels.WEIGHT] = weights.sum()
            root[1, kernels.SIZES] = weights @ self._held_Y.sum(axis=1)
            root[1, kernels.COUNTS :] = weights @ self._held_Y
            kernels.predict(np.ones((n, 1, 1), np.uint32), root, len(self._labels), 0.0, scores, labels)
        return scores, labels

    def _test_then_train(self, X, Y, missing):
        if self._low is None or len(X) > PIECE or not len(X):
            return super()._test_then_train(X, Y, missing)
        # the path of an instance never changes: found once, used for both
        scores, labels = self._blank(len(X))
        path = self._walk(X, missing)
        kernels.predict(path, self._sums, len(self._labels), self._empty, scores, labels)
        self._add(X, Y, missing, np.arange(self.now + 1, self.now + 1 + len(X)), path)
        return scores, labels

    # ------------------------------------------------------------------ tuning and merging

    def _tune(self, values) -> None:
        self._change_rate(float(values.get("half_life", self.half_life)))
        n_trees = int(values.get("n_trees", self.n_trees))
        height = int(values.get("height", self.height))
        if n_trees < len(self._roots) or height < self.height:
            if len(self._nodes):
                kernels.wipe(self._nodes, self._sums, self._place, self._cursor, n_trees, height)
                self._sweep()
            self._roots = self._roots[:n_trees].copy()
        if n_trees > len(self._roots):
            self._roots = np.append(self._roots, np.zeros(n_trees - len(self._roots), np.uint32))

    def _change_rate(self, half_life: float) -> None:
        """Fade all to the present instant with the old half-life, then go on with the new one."""
        if half_life != self._rate:
            factor = 2.0 ** ((self._clock[0] - self._clock[1]) / self._rate)
            kernels.rescale(self._sums, self._cursor[kernels.TOP], factor)
            self._clock[0] = self._clock[1]
            self._rate = half_life

    def merge(self, other: SMART) -> SMART:
        """Add what ``other`` has learned: both then equal one learner that saw both parts, to 1e-9 relative.

        Exact for parts of one stream whose instances kept their time stamps (``learn_many(..., timestamps=...)``); with
        missing values the way of a row depends on what was seen before, and the merged learner is a little different.

        Parameters
        ----------
        other
            A learner of equal seed, schema, bounds, half-life, height and number of trees; it is left unchanged.

        Returns
        -------
        This learner.

        Raises
        ------
        ValueError
            Naming what differs.
        """
        if not isinstance(other, SMART):
            raise ValueError(f"cannot merge SMART with {type(other).__name__}")
        if other is self:
            raise ValueError("cannot merge a learner with itself")
        if other._low is None and other._held_X is None:
            return self
        for name in ("seed", "half_life", "height", "n_trees"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise ValueError(f"cannot merge: {name} is {mine!r} here and {theirs!r} there")
        if self.seed is None:
            raise ValueError("cannot merge: seed=None gives every learner trees of its own; set the same seed")
        difference = self.schema.difference(other.schema) if self._features or self._labels else None
        if difference is not None:
            raise ValueError(f"cannot merge: the schemas differ: {difference}")
        if self._held_X is not None or other._low is None:
            raise ValueError("cannot merge during the warm-up: the features' ranges are not known yet; declare bounds")
        if not self._features and not self._labels:
            self.bind(other.schema)
        if self._low is None:
            self._settle(None)
        low, high = (other._low, other._high) if self._low is None else (self._low, self._high)
        differs = (low != other._low) | (high != other._high)
        if differs.any():
            column = int(np.argmax(differs))
            raise ValueError(
                f"cannot merge: the bounds of {other._features[column].name!r} are "
                f"[{low[column]:g}, {high[column]:g}] here and "
                f"[{other._low[column]:g}, {other._high[column]:g}] there"
            )
        if self._low is None:
            self._low, self._high = low.copy(), high.copy()
            self._allocate(FIRST_CAPACITY, len(self._labels))
        now = max(self._clock[1], other._clock[1])
        # only what weighs nothing: two parts of a node may each be too light to count, and together not
        in_use = self._sweep(np.finfo(np.float64).tiny)
        wanted = in_use + 1 + int(other._cursor[kernels.TOP])
        if wanted > len(self._nodes):
            self._resize(wanted)
        kernels.merge_into(
            self._nodes, self._sums, self._place, self._roots, self._cursor,
            2.0 ** ((self._clock[0] - now) / self._rate), other._nodes, other._sums, other._roots,
            2.0 ** ((other._clock[0] - now) / self._rate), self._key, self._low, self._high, self._n_categories,
        )  # fmt: skip
        self._clock[:] = now
        return self

    # ------------------------------------------------------------------ structure

    def node_columns(self, max_depth: int | None = None, min_share: float = 0.0) -> dict[str, np.ndarray]:
        """The structure as arrays, one entry per non-empty node, parents before their children.

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
            the tree's weight), ``age`` (timestamps since the last update), ``seen`` (instances ever), ``retained``
            (weight / seen), ``cardinality`` (θ/n), ``top`` (most frequent label's column, -1 if none), ``slot``.
        """
        top = int(self._cursor[kernels.TOP])
        heap = self._place[:top, kernels.HEAP]
        weights = self._sums[:top, kernels.WEIGHT]
        root_weight = np.where(self._roots > 0, self._sums[self._roots, kernels.WEIGHT], 0.0) if top > 1 else None
        keep = (heap >= 0) & (weights >= self._empty)
        if max_depth is not None:
            keep &= heap < 2 ** (max_depth + 1) - 1
        if min_share > 0 and root_weight is not None:
            tree = self._place[:top, kernels.TREE]
            keep &= weights >= min_share * root_weight[np.maximum(tree, 0)]
        slots = np.flatnonzero(keep)
        place, sums, nodes = self._place[slots], self._sums[slots], self._nodes[slots]
        depth = np.frexp((place[:, kernels.HEAP] + 1).astype(np.float64))[1] - 1
        order = np.lexsort((place[:, kernels.HEAP], depth, place[:, kernels.TREE]))
        slots, place, sums, nodes, depth = slots[order], place[order], sums[order], nodes[order], depth[order]
        bounds = self._nodes.view(np.float64)[slots] if len(self._nodes) else np.zeros((0, 4))
        feature = nodes[:, kernels.FEATURE].astype(np.int64)
        nominal = self._n_categories[feature] > 0 if len(slots) else np.zeros(0, np.bool_)
        scale = 2.0 ** ((self._clock[0] - self._clock[1]) / self._rate)
        weight = sums[:, kernels.WEIGHT]
        counts = sums[:, kernels.COUNTS :]
        best = counts.argmax(axis=1) if counts.shape[1] and len(slots) else np.full(len(slots), -1)
        if counts.shape[1]:
            best = np.where(counts[np.arange(len(slots)), best] > 0, best, -1)
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
            "age": self._clock[1] - sums[:, kernels.LAST],
            "seen": sums[:, kernels.SEEN].astype(np.int64),
            "retained": weight * scale / np.maximum(sums[:, kernels.SEEN], 1.0),
            "cardinality": sums[:, kernels.SIZES] / weight,
            "top": best,
            "slot": slots,
        }

    def nodes(self) -> pd.DataFrame:
        """One row per non-empty node, with names instead of columns' numbers.

        Columns: ``id`` (index), ``tree``, ``node`` (heap index), ``parent`` (id, -1 for a root), ``depth``,
        ``feature``, ``threshold`` (numeric) or ``category`` (nominal), ``weight`` (instances, faded to now), ``share``
        of the tree's weight, ``age`` (timestamps since the last update), ``seen``, ``retained`` (weight / seen),
        ``cardinality`` (labels per instance), ``top_labels`` (up to three, the most frequent first).
        """
        import pandas as pd

        columns = self.node_columns()
        slots, feature = columns.pop("slot"), columns["feature"]
        nominal, threshold = columns.pop("is_nominal"), columns["threshold"]
        columns.pop("top")
        table = pd.DataFrame(columns).set_index("id")
        names = np.array([f.name for f in self._features] or [""], dtype=object)
        table["feature"] = names[feature]
        table["threshold"] = np.where(nominal, math.nan, threshold)
        table.insert(
            5,
            "category",
            [
                self._features[f].categories[int(c)] if n else None
                for f, c, n in zip(feature, threshold, nominal, strict=True)
            ],
        )
        counts = self._sums[slots, kernels.COUNTS :]
        best = np.argsort(-counts, axis=1, kind="stable")[:, :3]
        table["top_labels"] = [
            [self._labels[j] for j in row if counts[i, j] > 0] for i, row in enumerate(best.tolist())
        ]
        return table

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """The story of one node, or None if it has gone.

        Returns
        -------
        dict
            ``rule`` (the tests on the way, in words), ``tree``, ``depth``, ``weight``, ``seen``, ``age``,
            ``retained``, ``cardinality``, ``labels`` (list of (label, share of the node's weight), highest first).
        """
        top = int(self._cursor[kernels.TOP])
        at = np.flatnonzero(self._place[:top, kernels.ID] == node_id) if node_id >= 0 else ()
        if not len(at) or self._sums[at[0], kernels.WEIGHT] < self._empty:
            return None
        s = int(at[0])
        sums = self._sums[s]
        weight = sums[kernels.WEIGHT]
        rule = []
        child = s
        while self._place[child, kernels.HEAP] > 0:
            parent = int(self._nodes[child, kernels.PARENT])
            rule.append(self._test_in_words(parent, self._place[child, kernels.HEAP] % 2 == 0))
            child = parent
        shares = sums[kernels.COUNTS :] / weight
        return {
            "id": int(node_id),
            "tree": int(self._place[s, kernels.TREE]),
            "depth": len(rule),
            "rule": rule[::-1],
            "weight": float(weight * 2.0 ** ((self._clock[0] - self._clock[1]) / self._rate)),
            "seen": int(sums[kernels.SEEN]),
            "age": int(self._clock[1] - sums[kernels.LAST]),
            "retained": float(
                weight * 2.0 ** ((self._clock[0] - self._clock[1]) / self._rate) / max(sums[kernels.SEEN], 1.0)
            ),
            "cardinality": float(sums[kernels.SIZES] / weight),
            "labels": [
                (self._labels[j], float(shares[j])) for j in np.argsort(-shares, kind="stable") if shares[j] > 0
            ],
        }

    def _test_in_words(self, slot: int, passed: bool) -> str:
        feature = self._features[self._nodes[slot, kernels.FEATURE]]
        lower = self._nodes[slot].view(np.float64)[0]
        if feature.categories is not None:
            return f"{feature.name} {'is' if passed else 'is not'} {feature.categories[int(lower + 0.5)]}"
        return f"{feature.name} {'>' if passed else '≤'} {lower:.4g}"

    def label_sums(self) -> np.ndarray | None:
        """Faded share of each label at the roots, shape (n_labels,): what the learner takes for its frequency now."""
        alive = self._roots[self._roots > 0]
        if not len(alive):
            return None
        return self._sums[alive[0], kernels.COUNTS :] / self._sums[alive[0], kernels.WEIGHT]
