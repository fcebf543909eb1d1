"""The three binary generators, as in MOA but drawn directly from the class wanted: trees, centroids, a hyperplane."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from streamlab.streams.draws import uniform
from streamlab.streams.generated import _kernels as kernels
from streamlab.streams.generated.concept import FeatureMap

N_CATEGORIES = 5
MAX_DEPTH = 8
FIRST_LEAF_LEVEL, LEAF_SHARE = 3, 0.15  # MOA's RandomTreeGenerator

# Key of what is drawn for a base from a concept's seed, beside those of ``concept`` and ``feature_map``.
_BASE = 17


class RowConcepts(NamedTuple):
    """Between which concepts rows are.

    Parameters
    ----------
    left, right
        The concepts that each row is between, int64 of shape (n,).
    share
        How far each row has gone from the left to the right one, float64 of shape (n,); 0 is all left.
    structure
        Whose tree and feature map each row has, int64 of shape (n,).
    """

    left: np.ndarray
    right: np.ndarray
    share: np.ndarray
    structure: np.ndarray


FillRows = Callable[[int, RowConcepts, np.ndarray, FeatureMap, np.ndarray], None]
"""``fill(start, concepts, Y, features, X)`` writes into ``X`` the features of the rows from ``start`` on."""


class Base(ABC):
    """A binary generator, whose positive and negative instances the features are taken from.

    Parameters
    ----------
    seeds
        Of each concept.
    n_features
        How many features an instance has.
    options
        All of ``ranges``.
    """

    value_range: ClassVar[tuple[float | None, float | None]] = (0.0, 1.0)
    """The range of numeric features."""

    def __init__(self, seeds: Sequence[int], n_features: int, options: Mapping[str, float]) -> None:
        self.n_features = n_features
        self.options = dict(options)

    @staticmethod
    @abstractmethod
    def ranges(n_features: int) -> dict[str, tuple[Any, Any, Any]]:
        """Return of each option that goes with this base the default, the lowest and the highest value."""

    @abstractmethod
    def rows_from(self, word: np.uint64, start: int) -> FillRows:
        """Return what fills in rows, block after block without a gap, from row ``start`` on."""


class TreeBase(Base):
    """A random tree: a leaf by its volume, then uniform in its box.

    ``leaves``: for the trees of all concepts, the negative leaves of each before its positive ones, bounds int64
    (trees, 3): negatives begin, positives begin, end; volumes, cumulative within each part, (leaves,); the boxes' low
    ends and extents, (leaves, n_features).
    """

    @staticmethod
    def ranges(n_features: int) -> dict[str, tuple[Any, Any, Any]]:
        return {"n_nominal": (0, 0, n_features), "depth": (5, 1, MAX_DEPTH)}

    def __init__(self, seeds: Sequence[int], n_features: int, options: Mapping[str, float]) -> None:
        super().__init__(seeds, n_features, options)
        self.n_numeric = n_features - int(options["n_nominal"])
        depth = int(options["depth"])
        self.leaves = _joined_leaves([random_leaves(seed, self.n_numeric, n_features, depth) for seed in seeds])

    def rows_from(self, word: np.uint64, start: int) -> FillRows:
        def fill(start: int, at: RowConcepts, Y: np.ndarray, features: FeatureMap, X: np.ndarray) -> None:
            bounds, volumes, low, extent = self.leaves
            kernels.tree_features(
                word, start, at.structure, Y, bounds, volumes, low, extent, self.n_numeric, *features, X
            )

        return fill


class RbfBase(Base):
    """Radial basis functions: a centroid by its weight, then a uniform direction and a Gaussian distance.

    ``cumulative_weights``, summed within a class, (concepts, n_centroids); ``centres``, (concepts, n_centroids,
    n_features); ``spreads``, (concepts, n_centroids). Centroid i is of class i mod 2.
    """

    value_range: ClassVar[tuple[float | None, float | None]] = (None, None)

    @staticmethod
    def ranges(n_features: int) -> dict[str, tuple[Any, Any, Any]]:
        return {"n_centroids": (50, 2, None)}

    def __init__(self, seeds: Sequence[int], n_features: int, options: Mapping[str, float]) -> None:
        super().__init__(seeds, n_features, options)
        parts = [_centroids(seed, int(options["n_centroids"]), n_features) for seed in seeds]
        self.cumulative_weights, self.centres, self.spreads = map(np.stack, zip(*parts, strict=True))

    def rows_from(self, word: np.uint64, start: int) -> FillRows:
        def fill(start: int, at: RowConcepts, Y: np.ndarray, features: FeatureMap, X: np.ndarray) -> None:
            kernels.rbf_features(
                word, start, at.left, at.right, at.share, at.structure, Y,
                self.cumulative_weights, self.centres, self.spreads, *features, X,
            )  # fmt: skip

        return fill


class HyperplaneBase(Base):
    """A rotating hyperplane: uniform in [0, 1]^F on the side of w·x >= w·1/2 for positives.

    ``weights``: (concepts, n_features).
    """

    @staticmethod
    def ranges(n_features: int) -> dict[str, tuple[Any, Any, Any]]:
        n_drifting = (min(10, n_features), 0, n_features)
        return {"noise": (0.05, 0.0, 1.0), "n_drifting": n_drifting, "magnitude": (0.001, 0.0, 1.0)}

    def __init__(self, seeds: Sequence[int], n_features: int, options: Mapping[str, float]) -> None:
        super().__init__(seeds, n_features, options)
        self.weights = np.stack([uniform(seed, _BASE, np.arange(n_features)) for seed in seeds])

    def drift_to(self, word: np.uint64, row: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the steps of the drifting weights before a row, and their directions: int64 (n_drifting,)."""
        n = int(self.options["n_drifting"])
        steps, direction = np.zeros(n, np.int64), np.ones(n, np.int64)
        if n:
            kernels.drift_weights(word, 0, row, steps, direction, np.empty((0, n), np.int64))
        return steps, direction

    def rows_from(self, word: np.uint64, start: int) -> FillRows:
        steps, direction = self.drift_to(word, start)

        def fill(start: int, at: RowConcepts, Y: np.ndarray, features: FeatureMap, X: np.ndarray) -> None:
            steps_of_rows = np.empty((len(X), len(steps)), np.int64)
            kernels.drift_weights(word, start, len(X), steps, direction, steps_of_rows)
            kernels.hyperplane_features(
                word, start, at.left, at.right, at.share, at.structure, Y, self.weights, steps_of_rows,
                float(self.options["magnitude"]), float(self.options["noise"]), *features, X,
            )  # fmt: skip

        return fill


BASES: dict[str, type[Base]] = {"tree": TreeBase, "rbf": RbfBase, "hyperplane": HyperplaneBase}
"""The binary generators by name."""


@lru_cache(maxsize=8)
def random_leaves(seed: int, n_numeric: int, n_features: int, depth: int) -> tuple[np.ndarray, ...]:
    """Draw a random tree and return its leaves.

    Classes (leaves,), volumes (leaves,), and the low and high ends of their boxes (leaves, n_features).

    A nominal feature's category c is the interval [c, c + 1). A feature is split by chance, a numeric one at a uniform
    place of the box, a nominal one into all categories, once on a path.
    """
    low, high = np.zeros(n_features), np.ones(n_features)
    high[n_numeric:] = N_CATEGORIES
    found: list[tuple[int, np.ndarray, np.ndarray]] = []

    def grow(node: int, level: int, low: np.ndarray, high: np.ndarray) -> None:
        # numbered by place, so that the other branches do not change with the depth
        stop, split, place, label = uniform(seed, _BASE, 4 * node + np.arange(4))
        candidates = [f for f in range(n_features) if f < n_numeric or high[f] - low[f] > 1.0]
        if level >= depth or not candidates or (level >= FIRST_LEAF_LEVEL and stop < LEAF_SHARE):
            found.append((int(label < 0.5), low, high))
            return
        f = candidates[int(split * len(candidates))]
        if f < n_numeric:
            cuts = [low[f], low[f] + place * (high[f] - low[f]), high[f]]
        else:
            cuts = list(range(N_CATEGORIES + 1))
        for i in range(len(cuts) - 1):
            child_low, child_high = low.copy(), high.copy()
            child_low[f], child_high[f] = cuts[i], cuts[i + 1]
            grow(node * N_CATEGORIES + 1 + i, level + 1, child_low, child_high)

    grow(0, 0, low, high)
    classes = np.array([leaf[0] for leaf in found])
    if len(set(classes.tolist())) == 1:  # both classes are needed
        classes[0] = 1 - classes[0]
    lows, highs = (np.stack([leaf[i] for leaf in found]) for i in (1, 2))
    return classes, (highs - lows).prod(1), lows, highs


def _joined_leaves(trees: list[tuple[np.ndarray, ...]]) -> tuple[np.ndarray, ...]:
    """Return all trees' leaves, the negatives of each before its positives.

    Bounds int64 [trees, 3] (negatives begin, positives begin, end), volumes cumulative within each part, the boxes'
    low ends and extents [leaves, n_features].
    """
    bounds, volumes, lows, extents = [], [], [], []
    at = 0
    for classes, volume, low, high in trees:
        bounds.append((at, at + int((classes == 0).sum()), at + len(classes)))
        at += len(classes)
        for wanted in (0, 1):
            of_class = classes == wanted
            volumes.append(np.cumsum(volume[of_class]))
            lows.append(low[of_class])
            extents.append((high - low)[of_class])
    return np.array(bounds), np.concatenate(volumes), np.concatenate(lows), np.concatenate(extents)


def _centroids(seed: int, n: int, n_features: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Weights [n], summed within a class, centres [n, n_features] and spreads [n], all uniform in (0, 1], as in MOA."""
    numbers = 1.0 - uniform(seed, _BASE, np.arange(n * (n_features + 2)))
    cumulative = np.empty(n)
    for of_class in (slice(0, n, 2), slice(1, n, 2)):
        cumulative[of_class] = np.cumsum(numbers[:n][of_class])
    return cumulative, numbers[2 * n :].reshape(n, n_features), numbers[n : 2 * n]
