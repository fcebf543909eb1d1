"""Any of River's binary classifiers or regressors, one for each label: the baseline that a River user has today."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from river.base import Classifier, MultiTargetRegressor, Regressor

from streamlab.learners.base.decision import Deciding
from streamlab.learners.base.parameters import parameter
from streamlab.learners.base.registry import EventKind
from streamlab.learners.river_linear import Weights, WithWeights, is_linear, signed_weights
from streamlab.learners.river_models import last_step
from streamlab.learners.river_tunables import NOMINAL

__all__ = ["OnePerLabel"]


class OnePerLabel(Deciding, WithWeights):
    """Binary relevance over a River classifier or regressor: a clone for each label, learned instance by instance.

    Missing values are left out of River's dictionaries, and so are the zeros of sparse rows, which most of River's
    models take for zeros. A nominal value goes in as its category's name, or as indicators. A label is
    predicted where its classifier answers True; the score is the probability it gives to True (0 before it has seen
    anything). A regressor learns 1.0 where the label is there, else 0.0; the label is predicted where its answer
    exceeds one half, and the score is the answer, at least 0 and at most 1.

    Some of River's rules divide by zero where a label was constant for a while: the label's model then loses the row,
    which is an event the first time, and goes on.

    Parameters
    ----------
    classifier
        A River classifier or regressor of one target, or a pipeline that ends in one. It is cloned, never learned. The
        numbers that River lets change in it are tunable: ``tune(classifier__grace_period=50)`` of trees.
    decision
        Which labels are answered: ``"half"`` (default: those whose classifier answers True, or regressor above one
        half), ``"cardinality"`` or ``"balanced"``; see ``Deciding``.
    nominal
        What River's model is given of a nominal value: ``"words"`` (default), the name of its category, which River's
        trees know; or ``"indicators"``, a number for each category, 1.0 for its own and 0.0 for the others, for models
        that take numbers alone, such as linear ones, nearest neighbours and Gaussian naive Bayes.

    Raises
    ------
    ValueError
        If ``classifier`` is neither, or ``nominal`` unknown.

    Examples
    --------
    >>> from river import naive_bayes
    >>> model = OnePerLabel(naive_bayes.GaussianNB())
    >>> model.learn_one({"a": 1.0}, {"l": True})
    >>> model.predict_one({"a": 1.0})
    {'l': True}
    """

    inside: ClassVar[str] = "classifier"
    classifier: Classifier | Regressor = parameter()
    nominal: str = parameter(default="words", choices=NOMINAL, kw_only=True)
    events: ClassVar[dict[str, EventKind]] = {
        "alternate_promoted": EventKind(
            "A background tree takes over",
            "An adaptive tree of River's saw the error of a branch rise, and a tree grown since has become better.",
            is_detection=True,
            source="promotions",
            replaces=True,
            did="grew better branches",
        ),
        "row_lost": EventKind(
            "A River model divided by zero",
            "A label was constant for so long that its model divided by zero: it has lost the row, and goes on.",
        ),
    }

    def _check_parameters(self) -> None:
        if not is_river_classifier(self.classifier) and not is_river_regressor(self.classifier):
            raise ValueError(f"classifier={self.classifier!r}: expected a River classifier or regressor of one target")

    @classmethod
    def _unit_test_params(cls):
        from river import naive_bayes

        yield {"classifier": naive_bayes.GaussianNB()}

    def _reset(self) -> None:
        super()._reset()
        self._models: list[Any] = []
        self._promotions: list[int] = []
        self._is_regression = is_river_regressor(self.classifier)
        # columns of labels whose model divided by zero, each once
        self._divided: set[int] = set()

    def _insides(self) -> list[Any]:
        return self._models

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        while len(self._models) < len(self._labels):
            self._models.append(self.classifier.clone())
            self._promotions.append(0)

    def _answer_row(self, x: dict[Any, Any], scores: np.ndarray, labels: np.ndarray) -> None:
        for j, model in enumerate(self._models):
            if self._is_regression:
                scores[j], labels[j] = score_of(model.predict_one(x))
                continue
            answer = model.predict_proba_one(x)
            p = answer.get(True, 0.0)
            scores[j] = p
            labels[j] = p > answer.get(False, 0.0)

    def _learn_row(self, x: dict[Any, Any], flags: list[int]) -> None:
        self._n_seen += 1
        for j, (model, flag) in enumerate(zip(self._models, flags, strict=True)):
            try:
                model.learn_one(x, float(flag) if self._is_regression else bool(flag))
            except ZeroDivisionError:
                if j not in self._divided:
                    self._divided.add(j)
                    self._report_label("row_lost", j, "River's model divided by zero; it lost the row and goes on")
            more = getattr(model, "n_switch_alternate_trees", 0) - self._promotions[j]
            if more > 0:
                self._promotions[j] += more
                trees = "a background tree" if more == 1 else f"{more} background trees"
                self._report_label("alternate_promoted", j, f"{trees} took over")

    def _report_label(self, kind: str, j: int, what: str) -> None:
        label = self._label_names[j]
        self._events.append({"kind": kind, "message": f"{label}: {what}", "label": label, "position": self._n_seen})

    # ------------------------------------------------------------------ linear models

    @property
    def picture(self) -> str:  # type: ignore[override]  # it depends on the model
        """``"weights"`` of linear models; else ``"text"``."""
        return "weights" if is_linear(self.classifier) else super().picture

    @property
    def models(self) -> dict[str, Any]:
        """River's models as they are now, by label, to be read."""
        return dict(zip(map(str, self._label_names), self._models, strict=False))

    def _named_insides(self) -> dict[str, Any]:
        return self.models

    def _label_weights(self) -> list[Weights]:
        return [signed_weights(model) for model in self._models]

    @property
    def n_bytes(self) -> int:
        """Bytes that River counts for the classifiers."""
        return sum(model._raw_memory_usage for model in self._models)


def is_river_classifier(model: Any) -> bool:
    """Whether it is one of River's classifiers of one target, or a pipeline that ends in one."""
    return isinstance(last_step(model), Classifier)


def is_river_regressor(model: Any) -> bool:
    """Whether it is one of River's regressors of one target, or a pipeline that ends in one."""
    last = last_step(model)
    return isinstance(last, Regressor) and not isinstance(last, MultiTargetRegressor)


def score_of(answer: Any) -> tuple[float, bool]:
    """Return the score of a regressor's answer, from 0 to 1, and whether it exceeds one half; no number: 0."""
    value = 0.0 if answer is None else float(answer)
    return min(max(value, 0.0), 1.0) if value == value else 0.0, value > 0.5
