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

__all__ = ["DEMONSTRATION", "LEARNERS", "RIVER", "STREAMS", "make_learners"]

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

DEMONSTRATION = ("SMART", "SMART without fading", "no-change")


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
    """Fresh learners by name: those of ``LEARNERS``, and of ``RIVER`` as ``"River <name>"``."""
    made = {name: LEARNERS[name](seed) for name in names}
    made.update({f"River {name}": OnePerLabel(RIVER[name](seed)) for name in river})
    return made
