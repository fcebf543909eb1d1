"""Any of River's multi-label classifiers, as a learner: chains, encoders, an output for each label."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any, ClassVar

import numpy as np
from river import base

from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import parameter
from streamlab.learners.river_models import last_step
from streamlab.learners.river_tunables import TunedInside

__all__ = ["RiverMultiLabel"]


class RiverMultiLabel(TunedInside):
    """One of River's multi-label classifiers (``river.multioutput``), learned instance by instance.

    Missing values are left out of River's dictionaries, as are the zeros of sparse rows; a nominal value goes in as its
    category's name. A label is predicted where ``predict_one`` says so; the score is the probability that
    ``predict_proba_one`` gives to True, and that of the prediction, 0 or 1, where it gives none.

    Parameters
    ----------
    classifier
        A ``river.base.MultiLabelClassifier``, or a pipeline that ends in one. It is cloned, never learned. The numbers
        that River lets change in the model that it is made of are tunable: ``tune(classifier__grace_period=50)``.

    Raises
    ------
    ValueError
        If ``classifier`` is not one of River's multi-label classifiers.

    Examples
    --------
    >>> from river import multioutput, tree
    >>> model = RiverMultiLabel(multioutput.PerOutputClassifier(tree.HoeffdingTreeClassifier()))
    >>> model.learn_one({"a": 1.0}, {"l": True})
    >>> model.predict_one({"a": 1.0})
    {'l': True}
    """

    inside: ClassVar[str] = "classifier"

    classifier: base.MultiLabelClassifier = parameter()

    def _check_parameters(self) -> None:
        if not is_river_multi_label(self.classifier):
            raise ValueError(f"classifier={self.classifier!r}: expected one of River's multi-label classifiers")

    @classmethod
    def _unit_test_params(cls):
        from river import linear_model, multioutput

        yield {"classifier": multioutput.ClassifierChain(linear_model.LogisticRegression())}

    def _reset(self) -> None:
        self._model = self.classifier.clone()

    def _insides(self) -> list[Any]:
        last = last_step(self._model)
        # a chain and an output for each label are dictionaries of the models that they have made
        return [*super()._insides(), *(last.values() if isinstance(last, MutableMapping) else ())]

    def _answer_row(self, x: dict[Any, Any], scores: np.ndarray, labels: np.ndarray) -> None:
        answer = self._model.predict_one(x) or {}
        try:
            probabilities = self._model.predict_proba_one(x) or {}
        except NotImplementedError:
            probabilities = {}
        for j, name in enumerate(self._label_names):
            labels[j] = bool(answer.get(name, False))
            scores[j] = probabilities[name].get(True, 0.0) if probabilities.get(name) else float(labels[j])

    def _learn_row(self, x: dict[Any, Any], flags: list[int]) -> None:
        self._model.learn_one(x, {name: bool(flag) for name, flag in zip(self._label_names, flags, strict=True)})


def is_river_multi_label(model: Any) -> bool:
    """Whether it is one of River's multi-label classifiers, or a pipeline that ends in one, and none of ours."""
    last = last_step(model)
    return isinstance(last, base.MultiLabelClassifier) and not isinstance(last, Learner)
