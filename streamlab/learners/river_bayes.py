"""What River's Gaussian naive Bayes stands on: mean and deviation for each class and feature, and what a row adds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from river.naive_bayes import GaussianNB

from streamlab.learners.river_models import Reader, last_step

Known = dict[Any, dict[Any, tuple[float, float, float]]]
"""Rows, mean and deviation of each feature of each class."""


class RiverBayes(Reader):
    """Reads a Gaussian naive Bayes of River's, and keeps what it was at the last mark."""

    def __init__(self, learner: Any = None) -> None:
        super().__init__(learner)
        self._marked: Known = {}
        self._marked_at: int | None = None

    @property
    def picture(self) -> str:  # type: ignore[override]  # where sets of labels are its classes, no label has a Gaussian
        """``"gaussians"`` where a row has one class; else none."""
        return "gaussians" if self._learner._intake.one_class is not None else ""

    @staticmethod
    def reads(model: Any) -> bool:
        """Whether it is a Gaussian naive Bayes."""
        return isinstance(last_step(model), GaussianNB)

    def mark(self) -> None:
        """Note the means and deviations as they are; it replaces a mark."""
        self._marked, self._marked_at = _known(self._learner._model), self._learner._n_seen

    def class_gaussians(self, x: Any = None) -> dict[str, Any]:
        """Return what a Gaussian naive Bayes stands on, and what it says of a row.

        Parameters
        ----------
        x
            A row: an array of its values, sparse or dense, or a dictionary as River has it. Default: none.

        Returns
        -------
        dict
            ``features``, what they are called; ``rows``, ``means`` and ``deviations``, float64 (features, labels), 0
            and NaN where a class never had a feature, in the units of the last step; ``means_before`` and
            ``deviations_before`` at the mark, NaN without one; ``counts``, the rows of each label, and ``priors``, the
            logarithm of their share, -inf for none; ``values``, float64 (features,), the row's, NaN where it has none;
            ``adds``, float64 (features, labels), what each value adds to River's ``joint_log_likelihood``, which is
            ``priors + adds.sum(axis=0)``; ``marked``, the rows learned at the mark, or None; ``learned``, those so far.
        """
        learner = self._learner
        row = {} if x is None else learner._last_step_row(x)
        place = {target: learner._labels_of(target)[0] for target in last_step(learner._model).class_counts}
        return self._columns(learner._model, row, place, len(learner._labels)) | {"learned": learner._n_seen}

    def _columns(self, model: Any, x: Mapping[Any, Any], place: Mapping[Any, int], n_labels: int) -> dict[str, Any]:
        """``x`` is a row as the model gets it; ``place`` has the label's column of each class that the model knows."""
        known, last = _known(model), last_step(model)
        features = {name: i for i, name in enumerate(dict.fromkeys(n for each in (*known.values(), x) for n in each))}
        counts, priors = np.zeros(n_labels, np.int64), np.full(n_labels, -np.inf)
        values, adds = np.full(len(features), np.nan), np.zeros((len(features), n_labels))
        prior_of = last.joint_log_likelihood({})
        for target, prior in prior_of.items():
            counts[place[target]], priors[place[target]] = last.class_counts[target], prior
        for name, value in x.items():
            values[features[name]] = value
            for target, likelihood in last.joint_log_likelihood({name: value}).items():
                adds[features[name], place[target]] = likelihood - prior_of[target]
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
