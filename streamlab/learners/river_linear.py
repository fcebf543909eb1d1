"""What River's linear models stand on: the weights of each label or class, and what a row adds."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from river.compose import Pipeline
from river.multiclass import OneVsRestClassifier

from streamlab.learners.river_tunables import TunedInside, last_step

Weights = tuple[dict[Any, float], float]
"""A weight for each feature, and the intercept."""


def is_linear(model: Any) -> bool:
    """Whether a model of River's, or the last step of a pipeline, is a sum of weighted values for each class.

    It has ``weights``, or it is a ``OneVsRestClassifier`` of models that have.
    """
    last = last_step(model)
    inside = last_step(last.classifier) if isinstance(last, OneVsRestClassifier) else last
    return isinstance(getattr(inside, "weights", None), Mapping)


def class_weights(model: Any) -> dict[Any, Weights]:
    """Return a linear model's weights for each class that it knows, the intercepts among them.

    ``SoftmaxRegression`` and ``OneVsRestClassifier`` have a weight for each class and feature. ``LogisticRegression``,
    ``Perceptron``, ``PAClassifier`` and the linear regressions have one for each feature: what it says for True, it
    says against False.
    """
    last = last_step(model)
    if isinstance(last, OneVsRestClassifier):
        return {target: signed_weights(each) for target, each in last.classifiers.items()}
    if _has_classes(last.weights):
        return {target: (dict(weights), 0.0) for target, weights in last.weights.items()}
    weights, intercept = signed_weights(last)
    return {True: (weights, intercept), False: ({name: -value for name, value in weights.items()}, -intercept)}


def signed_weights(model: Any) -> Weights:
    """Return the weights of a linear model of two classes: of a softmax one those of True, less those of False."""
    last = last_step(model)
    given = last.weights
    if _has_classes(given):
        for_it, against = given.get(True, {}), given.get(False, {})
        return {name: for_it.get(name, 0.0) - against.get(name, 0.0) for name in {**for_it, **against}}, 0.0
    return {name: float(value) for name, value in given.items()}, float(getattr(last, "intercept", 0.0))


def transformed(model: Any, x: dict[Any, Any]) -> dict[Any, Any]:
    """Return what the last step of a pipeline gets of a row; the row itself where there is no pipeline."""
    while isinstance(model, Pipeline):
        *before, model = model.steps.values()
        for step in before:
            x = step.transform_one(x)
    return x


class WithWeights(TunedInside):
    """A learner around River's models that is drawn as weights where they are linear: what the picture asks for.

    A term is a feature as River's models know it, in the order in which they met them.
    """

    def _reset(self) -> None:
        super()._reset()
        self._n_seen = 0
        self._terms: dict[Any, int] = {}
        self._marked: list[Weights] = []
        self._marked_at: int | None = None

    @abstractmethod
    def _label_weights(self) -> list[Weights]:
        """Return the weights of each label, in the order of the schema."""

    def mark(self) -> None:
        """Note the weights of linear models as they are; ``linear_terms`` tells then what they were."""
        if self.picture == "weights":
            self._marked, self._marked_at = copy.deepcopy(self._label_weights()), self._n_seen

    def linear_terms(self) -> dict[str, Any]:
        """Return what each label of linear models stands on, as ``OnlineLogistic.linear_terms``."""
        now = self._label_weights()
        for weights, _ in (*now, *self._marked):
            for name in weights:
                self._terms.setdefault(name, len(self._terms))
        # labels may have come since
        begun = [intercept for _, intercept in self._marked] + [np.nan] * (len(now) - len(self._marked))
        return {
            "weights": self._by_term(now, len(now)),
            "intercepts": np.array([intercept for _, intercept in now]),
            "before": self._by_term(self._marked, len(now)),
            "intercepts_before": np.array(begun),
            "marked": self._marked_at,
            "learned": self._n_seen,
        }

    def term_name(self, term: int) -> str:
        """Return what a term is called: its feature, as River's model knows it."""
        return str(list(self._terms)[term])

    def row_terms(self, x: Any) -> np.ndarray:
        """Return what each weight is multiplied by for one row, as ``OnlineLogistic.row_terms``."""
        found = np.zeros(len(self._terms))
        for name, value in self._last_step_row(x).items():
            if name in self._terms and isinstance(value, (int, float)):
                found[self._terms[name]] = value
        return found

    def _last_step_row(self, x: Any) -> dict[Any, Any]:
        """Return what the last step of the models gets of one row, dense, sparse, or as River has it."""
        if not isinstance(x, dict):
            x = next(self._river_rows(self._one_row(x).values))
        return transformed(next(iter(self._insides()), None), x)

    def _by_term(self, of_labels: Sequence[Weights], n_labels: int) -> np.ndarray:
        found = np.zeros((len(self._terms), n_labels))
        for label, (weights, _) in enumerate(of_labels):
            for name, value in weights.items():
                found[self._terms[name], label] = value
        return found


def _has_classes(weights: Mapping[Any, Any]) -> bool:
    return any(isinstance(each, Mapping) for each in weights.values())
