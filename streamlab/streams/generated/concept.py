"""A concept of a multi-label stream: how its labels are related, drawn from its seed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from streamlab.streams._checks import checked_count, checked_number
from streamlab.streams.draws import uniform
from streamlab.streams.generated import _kernels as kernels

__all__ = ["Concept", "Relations", "relations_of", "seed_word"]

# Keys of what is drawn for a concept from its seed; ``feature_map`` and ``bases`` have those from 15 on.
_PRIORS, _PAIRS, _SIGNS, _CALIBRATION = range(11, 15)

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

    cumulative = np.cumsum(priors)

    def excess(c: float) -> float:
        given = np.ascontiguousarray(np.minimum(1.0, c * by_priors).T)
        return (
            kernels.mean_cardinality(seed_word(concept.seed), _CALIBRATION, N_CALIBRATION, cumulative, given)
            - concept.cardinality
        )

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


def seed_word(seed: int) -> np.uint64:
    """Return a seed of any size as the kernels take it; as in ``uniform``."""
    return np.uint64(int(seed) % 2**64)
