"""What the monitor offers to choose from: streams and learners by the names that people read."""

from __future__ import annotations

import math
from collections.abc import Callable

from streamlab.learners import (
    MLHAT,
    MLKNN,
    SMART,
    BalancedKNN,
    BalancedLDA,
    Learner,
    MajorityLabels,
    NoChange,
    OnePerLabel,
    StandardScaler,
)
from streamlab.learners.hierarchical_knn import FlatKNN, HierarchicalKNN

__all__ = [
    "DEMONSTRATION",
    "FOR_HIERARCHIES",
    "LEARNERS",
    "NESTED_DEMONSTRATION",
    "NESTED_STREAMS",
    "RIVER",
    "STREAMS",
    "make_learners",
    "offered",
]

STREAMS = {
    "Yeast genes, labels rotated half-way": "yeast-rotated",
    "Yeast genes": "yeast",
    "Films and their genres, 1940–2014": "movies",
    "Image segments": "segments",
    "Notes of 31 instruments": "instruments",
    "Regions, a branch of which grows anew": "syn-branches",
    "Regions, a branch of which drifts": "syn-regions",
}
"""Streams that come with the product, by the words that people read."""

LEARNERS: dict[str, Callable[[int], Learner]] = {
    "SMART": lambda seed: SMART(seed=seed),
    "MLHAT": lambda seed: MLHAT(seed=seed),
    "Balanced neighbours": lambda seed: StandardScaler() | BalancedLDA(half_life=400) | BalancedKNN(seed=seed),
    "ML-KNN": lambda seed: MLKNN(),
    "SMART without fading": lambda seed: SMART(half_life=math.inf, seed=seed),
    "no-change": lambda seed: NoChange(),
    "majority labels": lambda seed: MajorityLabels(),
}

FOR_HIERARCHIES: dict[str, Callable[[int], Learner]] = {
    "HierarchicalKNN": lambda seed: HierarchicalKNN(),
    "FlatKNN": lambda seed: FlatKNN(),
}
"""Learners that are offered where the labels have a hierarchy."""

DEMONSTRATION = ("SMART", "SMART without fading", "no-change")
NESTED_DEMONSTRATION = ("HierarchicalKNN", "FlatKNN")
"""Learners chosen at first: on a stream without a hierarchy, and with one."""

NESTED_STREAMS = {title: name for title, name in STREAMS.items() if name in ("segments", "instruments")}
"""The streams whose labels have a hierarchy."""


def offered(nested: bool) -> list[str]:
    """Names of the learners that are offered for labels with (``nested``) or without a hierarchy."""
    return [*FOR_HIERARCHIES, *LEARNERS] if nested else list(LEARNERS)


def _hoeffding_tree(seed: int):
    from river.tree import HoeffdingTreeClassifier

    return HoeffdingTreeClassifier()


def _adaptive_tree(seed: int):
    from river.tree import HoeffdingAdaptiveTreeClassifier

    return HoeffdingAdaptiveTreeClassifier(seed=seed)


def _bayes(seed: int):
    from river.naive_bayes import GaussianNB

    return GaussianNB()


def _logistic(seed: int):
    from river.linear_model import LogisticRegression
    from river.preprocessing import StandardScaler

    return StandardScaler() | LogisticRegression()


def _neighbours(seed: int):
    from river.neighbors import KNNClassifier

    return KNNClassifier()


RIVER: dict[str, Callable] = {
    "Hoeffding tree": _hoeffding_tree,
    "Hoeffding adaptive tree": _adaptive_tree,
    "Gaussian naive Bayes": _bayes,
    "logistic regression": _logistic,
    "nearest neighbours": _neighbours,
}
"""River's classifiers that are offered as baselines, one per label."""


def make_learners(names: list[str], river: list[str], seed: int) -> dict[str, Learner]:
    """Fresh learners by name: of ``LEARNERS`` and ``FOR_HIERARCHIES``, and of ``RIVER`` as ``"River <name>"``."""
    made = {name: {**LEARNERS, **FOR_HIERARCHIES}[name](seed) for name in names}
    made.update({f"River {name}": OnePerLabel(RIVER[name](seed)) for name in river})
    return made
