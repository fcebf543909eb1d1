"""Any of River's binary classifiers, one for each label: the baseline that a River user has today."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np
from river.base import Classifier
from river.compose import Pipeline

from streamlab.learners.base.decision import DECISION, THRESHOLDS, Deciding
from streamlab.learners.base.events import EventKind
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import Tunable
from streamlab.learners.base.saving import State
from streamlab.learners.base.sparse_rows import SparseRows
from streamlab.learners.base.storage import Storage
from streamlab.schema import NumberedFeatures

__all__ = ["OnePerLabel", "is_river_classifier", "last_step", "river_rows"]


class OnePerLabel(Deciding, Learner):
    """Binary relevance over a River classifier: a clone of it for each label, learned instance by instance.

    Missing values are left out of River's dictionaries, and so are the zeros of sparse rows, which most of River's
    models take for zeros; a nominal value goes in as its category's name. A label is
    predicted where its classifier answers True; the score is the probability it gives to True (0 before it has seen
    anything).

    Parameters
    ----------
    classifier
        A River classifier or pipeline that ends in one. It is cloned, never learned.
    decision
        Which labels are answered: ``"half"`` (default: those whose classifier answers True), ``"cardinality"`` or
        ``"balanced"``; see ``Deciding``. Tunable.

    Raises
    ------
    ValueError
        If ``classifier`` is not a River classifier.

    Examples
    --------
    >>> from river import naive_bayes
    >>> model = OnePerLabel(naive_bayes.GaussianNB())
    >>> model.learn_one({"a": 1.0}, {"l": True})
    >>> model.predict_one({"a": 1.0})
    {'l': True}
    """

    predicts_whole_chunks: ClassVar[bool] = False
    takes_sparse: ClassVar[bool] = True
    tunables: ClassVar[tuple[Tunable, ...]] = (DECISION,)
    storage: ClassVar[Storage] = THRESHOLDS
    events: ClassVar[dict[str, EventKind]] = {
        "alternate_promoted": EventKind(
            "A background tree takes over",
            "An adaptive tree of River's saw the error of a branch rise, and a tree grown since has become better.",
            is_detection=True,
            source="promotions",
            colour="#0072B2",
            shape="star",
        )
    }

    def __init__(self, classifier: Classifier, decision: str = "half") -> None:
        if not is_river_classifier(classifier):
            raise ValueError(f"classifier={classifier!r}: expected a River classifier")
        self.classifier = classifier
        self.decision = decision
        self._start()

    @classmethod
    def _unit_test_params(cls):
        from river import naive_bayes

        yield {"classifier": naive_bayes.GaussianNB()}

    def _reset(self) -> None:
        super()._reset()
        self._models: list[Any] = []
        self._promotions: list[int] = []

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        while len(self._models) < len(self._labels):
            self._models.append(self.classifier.clone())

    def _answer_row(self, x: dict, scores: np.ndarray, labels: np.ndarray) -> None:
        for j, model in enumerate(self._models):
            answer = model.predict_proba_one(x)
            p = answer.get(True, 0.0)
            scores[j] = p
            labels[j] = p > answer.get(False, 0.0)

    def _predict(self, X, missing):
        scores, labels = np.zeros((len(X), len(self._labels))), np.zeros((len(X), len(self._labels)), np.uint8)
        for i, x in enumerate(river_rows(self, X)):
            self._answer_row(x, scores[i], labels[i])
        return scores, self._decided(scores, labels)

    def _learn(self, X, Y, missing) -> None:
        if self.follows:
            self._test_then_train(X, Y, missing)
            return
        for x, flags in zip(river_rows(self, X), Y.tolist(), strict=True):
            for model, flag in zip(self._models, flags, strict=True):
                model.learn_one(x, bool(flag))

    def _test_then_train(self, X, Y, missing):
        scores, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
        for i, (x, flags) in enumerate(zip(river_rows(self, X), Y.tolist(), strict=True)):
            self._answer_row(x, scores[i], labels[i])
            for model, flag in zip(self._models, flags, strict=True):
                model.learn_one(x, bool(flag))
        return scores, self._followed(scores, labels, Y)

    def take_events(self) -> list[dict[str, Any]]:
        """Return the background trees of River's adaptive trees that took their place since the last call, by label."""
        now = [getattr(model, "n_switch_alternate_trees", 0) for model in self._models]
        before = self._promotions + [0] * (len(now) - len(self._promotions))
        self._promotions = now
        return [
            {
                "kind": "alternate_promoted",
                "message": f"{label}: {'a background tree' if more == 1 else f'{more} background trees'} took over",
                "label": label,
            }
            for label, more in zip(self._label_names, np.subtract(now, before).tolist(), strict=True)
            if more > 0
        ]

    @property
    def n_bytes(self) -> int:
        """Bytes that River counts for the classifiers."""
        return sum(model._raw_memory_usage for model in self._models)

    def state(self) -> State:
        """Raise an error: River's classifiers have no flat state.

        Raises
        ------
        ValueError
            Always; ``copy()`` makes an independent learner.
        """
        raise ValueError("OnePerLabel holds River's objects, which have no flat state; use copy()")


def last_step(model: Any) -> Any:
    """Return the last step of a River pipeline, or the model itself."""
    while isinstance(model, Pipeline) and model.steps:
        model = list(model.steps.values())[-1]
    return model


def is_river_classifier(model: Any) -> bool:
    """Whether it is one of River's classifiers of one target, or a pipeline that ends in one."""
    return isinstance(last_step(model), Classifier)


def river_rows(learner: Learner, X: Any) -> Iterator[dict[Any, Any]]:
    """Yield the rows of a learner's checked chunk as River's dictionaries, without the missing values.

    Those of ``SparseRows`` hold the values that are kept: to River, a feature that is absent is 0.
    """
    features, names = learner._features, learner._names
    if isinstance(X, SparseRows):
        for start, stop in itertools.pairwise(X.indptr.tolist()):
            pairs = zip(X.indices[start:stop].tolist(), X.data[start:stop].tolist(), strict=True)
            if isinstance(features, NumberedFeatures):
                yield {names[j]: v for j, v in pairs if v == v}
            else:
                kinds = ((names[j], features[j].categories, v) for j, v in pairs if v == v)
                yield {name: v if known is None else known[int(v)] for name, known, v in kinds}
        return
    for values in X.tolist():
        yield {
            name: v if f.categories is None else f.categories[int(v)]
            for name, f, v in zip(names, features, values, strict=True)
            if v == v
        }
