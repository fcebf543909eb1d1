"""Concepts of multi-label streams: related labels, features that show them; and the binary generators."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

import numpy as np

from streamlab._checks import checked_count, checked_number
from streamlab.streams.draws import uniform
from streamlab.streams.generated import _kernels as kernels

__all__ = ["Concept"]

# Keys of what is drawn for a concept from its seed.
_PRIORS, _PAIRS, _SIGNS, _CALIBRATION, _COMBINATIONS, _OCCURRING, _BASE = range(11, 18)

N_CALIBRATION = 65_536
TOLERANCE = 0.001  # of the cardinality; the sample itself adds about 0.2 %


@dataclass(frozen=True)
class Concept:
    """One set of relations between labels, and between labels and features.

    Parameters
    ----------
    cardinality
        Mean number of labels of an instance, at least 1; default 1.5. The paper's z.
    dependency
        Share of the pairs of labels that depend on each other, 0 to 1; default 0.25. The paper's u.
    seed
        Which draw of the priors, of the dependent pairs, of the feature map and of the base generator's concept. Two
        concepts of one seed use the same random numbers: they differ in no more than cardinality and dependency make
        them, and the dependent pairs of the smaller dependency are among those of the larger.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    Examples
    --------
    >>> import streamlab as sl
    >>> concepts = [sl.Concept(seed=1), sl.Concept(cardinality=2.5, seed=2)]
    >>> sl.MultiLabelGenerator("tree", concepts, at=[500], n_rows=1000).drifts
    (Drift(start=500, width=1, kind='sudden'),)
    """

    cardinality: float = 1.5
    dependency: float = 0.25
    seed: int = 0

    def __post_init__(self) -> None:
        checked_number("cardinality", self.cardinality, 1.0, math.inf)
        checked_number("dependency", self.dependency, 0.0, 1.0)
        checked_count("seed", self.seed, 0)


@dataclass(frozen=True)
class Relations:
    """How the labels of one concept are related.

    Parameters
    ----------
    priors
        float64 of shape (n_labels,).
    dependencies
        int8 of shape (n_labels, n_labels): 0 is independent, 1 drawn together, -1 drawn apart.
    conditional
        P(j|k), scaled to the cardinality, in row j and column k; float64 of shape (n_labels, n_labels).
    """

    priors: np.ndarray
    dependencies: np.ndarray
    conditional: np.ndarray


@lru_cache(maxsize=256)
def relations_of(concept: Concept, n_labels: int) -> Relations:
    """Draw a concept's relations from its seed; the same object for the same concept."""
    # 1 - u is above 0: every label can occur
    priors = _scaled_to(1.0 - uniform(concept.seed, _PRIORS, np.arange(n_labels)), concept.cardinality)
    dependencies = _dependencies(concept, n_labels)
    larger = np.maximum(priors[:, None], priors[None, :])
    smaller = np.minimum(priors[:, None], priors[None, :])
    first = np.where(dependencies > 0, larger, np.where(dependencies < 0, smaller, priors[:, None])) / priors[:, None]
    # P(j|k) / P(j) = P(k|j) / P(k): Bayes' rule makes the ratio of a pair, set for j < k, symmetric.
    ratio = np.triu(first, 1)
    by_priors = priors[:, None] * (ratio + ratio.T)
    c = _calibrated(concept, priors, by_priors)
    relations = Relations(priors, dependencies, np.minimum(1.0, c * by_priors))
    for array in (relations.priors, relations.dependencies, relations.conditional):
        array.setflags(write=False)
    return relations


def _scaled_to(weights: np.ndarray, total: float) -> np.ndarray:
    """Weights times one factor such that they sum to ``total``, where none may exceed 1."""
    full = np.zeros(len(weights), bool)
    while True:
        factor = (total - full.sum()) / weights[~full].sum()
        scaled = np.where(full, 1.0, weights * factor)
        if (scaled <= 1.0).all():
            return scaled
        full = scaled >= 1.0


def _dependencies(concept: Concept, n_labels: int) -> np.ndarray:
    pairs = np.arange(n_labels * n_labels)
    is_dependent = uniform(concept.seed, _PAIRS, pairs) < concept.dependency
    sign = np.where(uniform(concept.seed, _SIGNS, pairs) < 0.5, 1, -1)
    upper = np.triu((is_dependent * sign).reshape(n_labels, n_labels), 1).astype(np.int8)
    return upper + upper.T


def _calibrated(concept: Concept, priors: np.ndarray, by_priors: np.ndarray) -> float:
    """Return the factor of the further labels' probabilities that gives sets of the concept's mean cardinality."""

    def excess(c: float) -> float:
        sets = _label_sets(concept.seed, _CALIBRATION, N_CALIBRATION, priors, np.minimum(1.0, c * by_priors))
        return float(sets.sum() / N_CALIBRATION - concept.cardinality)

    near_enough = TOLERANCE * concept.cardinality
    low, at_low = 0.0, 1.0 - concept.cardinality
    if -at_low < near_enough:
        return 0.0
    high = 1.0
    while (at_high := excess(high)) < 0.0:
        low, at_low = high, at_high
        high *= 2.0
    # Bisection on a straight line through the ends; an end that stays is halved (the Illinois rule).
    side = 0
    c, at_c = high, at_high
    for _ in range(50):
        if abs(at_c) < near_enough:
            break
        c = (low * at_high - high * at_low) / (at_high - at_low)
        at_c = excess(c)
        if at_c < 0.0:
            low, at_low = c, at_c
            at_high *= 0.5 if side < 0 else 1.0
            side = -1
        else:
            high, at_high = c, at_c
            at_low *= 0.5 if side > 0 else 1.0
            side = 1
    return c


def _label_sets(seed: int, key: int, n: int, priors: np.ndarray, conditional: np.ndarray) -> np.ndarray:
    """Draw ``n`` label sets of one concept: uint8 [n, n_labels]."""
    sets, here = np.empty((n, len(priors)), np.uint8), np.zeros(n, np.int64)
    cumulative, given = np.cumsum(priors)[None], np.ascontiguousarray(conditional.T)[None]
    kernels.label_sets(seed_word(seed), key, 0, here, here, np.zeros(n), cumulative, given, sets)
    return sets


def seed_word(seed: int) -> np.uint64:
    """Return a seed of any size as the kernels take it; as in ``uniform``."""
    return np.uint64(int(seed) % 2**64)


class FeatureMap(NamedTuple):
    """The feature maps of all concepts by label, int64, as the kernel ``find_positive`` reads them.

    Parameters
    ----------
    bounds
        Shape (concepts, n_labels + 1): the features of label j are ``members[k, bounds[k, j]:bounds[k, j + 1]]``.
    members
        Shape (concepts, most).
    sizes
        How many labels each feature has; shape (concepts, n_features).
    """

    bounds: np.ndarray
    members: np.ndarray
    sizes: np.ndarray


def draw_combinations(seed: int, n_features: int, relations: Relations) -> np.ndarray:
    """Draw each feature's labels, int64 [n_features, 3]; one or two labels are repeated to make three."""
    n_labels = len(relations.priors)
    n_single = min(n_features, max(n_features - n_features // 4, n_labels))
    order = _permutation(seed, 0, n_features)
    labels = _permutation(seed, 1, n_labels)
    found = np.empty((n_features, 3), np.int64)
    found[order[:n_single]] = labels[np.arange(n_single) % n_labels, None]

    sets = _label_sets(seed, _OCCURRING, 1000, relations.priors, relations.conditional)
    sizes = sets.sum(1)
    for i, feature in enumerate(order[n_single:].tolist()):
        wanted = min(2 + i % 2, int(sizes.max()))  # pairs and triples in turn, as far as there are any
        candidates = np.flatnonzero(sizes >= wanted)
        pick = uniform(seed, _COMBINATIONS, np.array([1_000_000 + i]))[0]
        on = np.flatnonzero(sets[candidates[int(pick * len(candidates))]])
        chosen = on[_permutation(seed, 2 + i, len(on))][:wanted]
        found[feature] = np.resize(chosen, 3)
    return found


def feature_map(combinations: np.ndarray, n_labels: int) -> FeatureMap:
    """Return the features of each label, for combinations of shape (concepts, n_features, 3)."""
    maps = [[np.flatnonzero((features == j).any(1)) for j in range(n_labels)] for features in combinations]
    members = [np.concatenate(by_label) for by_label in maps]
    padded = np.zeros((len(maps), max(map(len, members))), np.int64)
    for row, found in zip(padded, members, strict=True):
        row[: len(found)] = found
    bounds = np.array([[0, *np.cumsum([len(features) for features in by_label])] for by_label in maps])
    sizes = np.array([[len(set(labels)) for labels in features] for features in combinations.tolist()])
    return FeatureMap(bounds, padded, sizes)


def _permutation(seed: int, which: int, n: int) -> np.ndarray:
    return np.argsort(uniform(seed, _COMBINATIONS + 1000 * (which + 1), np.arange(n)), kind="stable")


N_CATEGORIES = 5
DEPTH, FIRST_LEAF_LEVEL, LEAF_SHARE = 5, 3, 0.15
"""Of a tree, as in MOA's RandomTreeGenerator: from the third level on, 15 % of the nodes are leaves."""
CENTROIDS = 50
DRIFTING, MAGNITUDE, NOISE = 10, 0.001, 0.05
"""Weights of a hyperplane that change, by how much at each row, and the chance of an instance of the other class."""


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
    n_features, n_nominal
        How many features an instance has, and how many of them, the last, are nominal.
    """

    value_range: ClassVar[tuple[float | None, float | None]] = (0.0, 1.0)
    """The range of numeric features."""

    @abstractmethod
    def __init__(self, seeds: Sequence[int], n_features: int, n_nominal: int) -> None:
        """Draw the parts of each concept."""

    @abstractmethod
    def rows_from(self, word: np.uint64, start: int) -> FillRows:
        """Return what fills in rows, block after block without a gap, from row ``start`` on."""


class TreeBase(Base):
    """A random tree: a leaf by its volume, then uniform in its box.

    ``leaves``: for the trees of all concepts, the negative leaves of each before its positive ones, bounds int64
    (trees, 3): negatives begin, positives begin, end; volumes, cumulative within each part, (leaves,); the boxes' low
    ends and extents, (leaves, n_features).
    """

    def __init__(self, seeds: Sequence[int], n_features: int, n_nominal: int) -> None:
        self.n_numeric = n_features - n_nominal
        self.leaves = _joined_leaves([random_leaves(seed, self.n_numeric, n_features) for seed in seeds])

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

    def __init__(self, seeds: Sequence[int], n_features: int, n_nominal: int) -> None:
        parts = [_centroids(seed, CENTROIDS, n_features) for seed in seeds]
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

    def __init__(self, seeds: Sequence[int], n_features: int, n_nominal: int) -> None:
        self.weights = np.stack([uniform(seed, _BASE, np.arange(n_features)) for seed in seeds])

    def drift_to(self, word: np.uint64, row: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the steps of the drifting weights before a row, and their directions: int64 (n_drifting,)."""
        n = min(DRIFTING, self.weights.shape[1])
        steps, direction = np.zeros(n, np.int64), np.ones(n, np.int64)
        kernels.drift_weights(word, 0, row, steps, direction, np.empty((0, n), np.int64))
        return steps, direction

    def rows_from(self, word: np.uint64, start: int) -> FillRows:
        steps, direction = self.drift_to(word, start)

        def fill(start: int, at: RowConcepts, Y: np.ndarray, features: FeatureMap, X: np.ndarray) -> None:
            steps_of_rows = np.empty((len(X), len(steps)), np.int64)
            kernels.drift_weights(word, start, len(X), steps, direction, steps_of_rows)
            kernels.hyperplane_features(
                word, start, at.left, at.right, at.share, at.structure, Y, self.weights, steps_of_rows,
                MAGNITUDE, NOISE, *features, X,
            )  # fmt: skip

        return fill


BASES: dict[str, type[Base]] = {"tree": TreeBase, "rbf": RbfBase, "hyperplane": HyperplaneBase}
"""The binary generators by name."""


@lru_cache(maxsize=8)
def random_leaves(seed: int, n_numeric: int, n_features: int) -> tuple[np.ndarray, ...]:
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
        if level >= DEPTH or not candidates or (level >= FIRST_LEAF_LEVEL and stop < LEAF_SHARE):
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
