"""What River's Gaussian naive Bayes stands on: mean and deviation for each class and feature, and what a row adds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from river.naive_bayes import GaussianNB

from streamlab.learners.river_tunables import last_step

Known = dict[Any, dict[Any, tuple[float, float, float]]]
"""Rows, mean and deviation of each feature of each class."""


def is_bayes(model: Any) -> bool:
    """Whether a model of River's, or the last step of a pipeline, is a Gaussian naive Bayes."""
    return isinstance(last_step(model), GaussianNB)


class RiverBayes:
    """Reads a Gaussian naive Bayes of River's, and keeps what it was at the last mark."""

    def __init__(self) -> None:
        self._marked: Known = {}
        self._marked_at: int | None = None

    def mark(self, model: Any, learned: int) -> None:
        """Note the means and deviations as they are, after so many rows; it replaces a mark."""
        self._marked, self._marked_at = _known(model), learned

    def columns(self, model: Any, x: Mapping[Any, Any], place: Mapping[Any, int], n_labels: int) -> dict[str, Any]:
        """Return what ``RiverClassifier.class_gaussians`` does; ``x`` is a row as the model gets it.

        ``place`` has the label's column of each class that the model knows.
        """
        known, last = _known(model), last_step(model)
        features = {name: i for i, name in enumerate(dict.fromkeys(n for each in (*known.values(), x) for n in each))}
        counts, priors = np.zeros(n_labels, np.int64), np.full(n_labels, -np.inf)
        values, adds = np.full(len(features), np.nan), np.zeros((len(features), n_labels))
        begun = last.joint_log_likelihood({})
        for target, prior in begun.items():
            counts[place[target]], priors[place[target]] = last.class_counts[target], prior
        for name, value in x.items():
            values[features[name]] = value
            for target, likelihood in last.joint_log_likelihood({name: value}).items():
                adds[features[name], place[target]] = likelihood - begun[target]
        rows, means, deviations = _by_label(known, features, place, n_labels)
        _, means_before, deviations_before = _by_label(self._marked, features, place, n_labels)
        return {
            "features": [str(name) for name in features],
            "rows": rows,
            "means": means,
            "deviations": deviations,
            "means_before": means_before,
            "deviations_before": deviations_before,
            "counts": counts,
            "priors": priors,
            "values": values,
            "adds": adds,
            "marked": self._marked_at,
        }


def _known(model: Any) -> Known:
    return {
        target: {name: (each.n_samples, each.mu, each.sigma) for name, each in of_class.items()}
        for target, of_class in last_step(model).gaussians.items()
    }


def _by_label(known: Known, features: Mapping[Any, int], place: Mapping[Any, int], n_labels: int) -> np.ndarray:
    """Return rows, means and deviations, (3, features, labels): no rows, and NaN, where a class has no such value."""
    found = np.full((3, len(features), n_labels), np.nan)
    found[0] = 0.0
    for target, of_class in known.items():
        for name, three in of_class.items():
            found[:, features[name], place[target]] = three
    return found
