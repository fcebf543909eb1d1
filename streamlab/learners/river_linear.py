"""What River's linear models stand on: the weights of one for each label, and what a row adds."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from river.compose import Pipeline

from streamlab.learners.river_tunables import last_step


def is_linear(model: Any) -> bool:
    """Whether a model of River's, or the last step of a pipeline, is a sum of weighted values: it has ``weights``."""
    return isinstance(getattr(last_step(model), "weights", None), Mapping)


def signed_weights(model: Any) -> tuple[dict[Any, float], float]:
    """Return a linear model's weights by feature, and its intercept: those of True, less those of False.

    ``LogisticRegression``, ``Perceptron``, ``PAClassifier`` and the linear regressions have one weight for each
    feature, ``SoftmaxRegression`` one for each class, too.
    """
    last = last_step(model)
    given = last.weights
    if any(isinstance(each, Mapping) for each in given.values()):
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


class RiverWeights:
    """The weights of models, one for each label: terms have the order in which features were first seen in them."""

    def __init__(self) -> None:
        self._at: dict[Any, int] = {}
        self._marked: list[tuple[dict[Any, float], float]] = []
        self._marked_at: int | None = None

    def mark(self, models: Sequence[Any], learned: int) -> None:
        """Note the weights as they are."""
        self._marked, self._marked_at = copy.deepcopy([signed_weights(model) for model in models]), learned

    def terms(self, models: Sequence[Any], learned: int) -> dict[str, Any]:
        """Return what ``OnlineLogistic.linear_terms`` returns."""
        now = [signed_weights(model) for model in models]
        for weights, _ in now:
            for name in weights:
                self._at.setdefault(name, len(self._at))
        return {
            "weights": self._array([weights for weights, _ in now], len(models)),
            "intercepts": np.array([intercept for _, intercept in now]),
            "before": self._array([weights for weights, _ in self._marked], len(models)),
            "intercepts_before": np.array(
                [self._marked[j][1] if j < len(self._marked) else np.nan for j in range(len(models))]
            ),
            "marked": self._marked_at,
            "learned": learned,
        }

    def name(self, term: int) -> str:
        """Return what a term is called."""
        return str(list(self._at)[term])

    def row(self, model: Any, x: dict[Any, Any]) -> np.ndarray:
        """Return what each weight of a model is multiplied by for a row, float64 (terms,)."""
        found = np.zeros(len(self._at))
        for name, value in transformed(model, x).items():
            if name in self._at and isinstance(value, (int, float)):
                found[self._at[name]] = value
        return found

    def _array(self, weights: Sequence[Mapping[Any, float]], n_labels: int) -> np.ndarray:
        found = np.zeros((len(self._at), n_labels))
        for label, of_label in enumerate(weights):
            for name, value in of_label.items():
                found[self._at[name], label] = value
        return found
