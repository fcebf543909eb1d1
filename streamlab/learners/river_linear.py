"""What River's linear models and naive Bayes stand on, and what a row adds: weights, or means and deviations."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from streamlab.learners.river_models import Reader, is_of, last_step, transformed
from streamlab.learners.river_tunables import TunedInside

LEAST = 10e-10
"""What River adds to a probability of ``BernoulliNB``, so that it has a logarithm."""

Weights = tuple[dict[Any, float], float]
"""A weight for each feature, and the intercept."""


def is_counting(model: Any) -> bool:
    """Whether a model of River's, or the last step of a pipeline, is a naive Bayes that counts."""
    return is_of(model, "naive_bayes", "MultinomialNB", "ComplementNB", "BernoulliNB")


def _has_one_for_each_class(model: Any) -> bool:
    return is_of(model, "multiclass", "OneVsRestClassifier")


def is_linear(model: Any) -> bool:
    """Whether a model of River's, or the last step of a pipeline, is a sum of weighted values for each class.

    It has ``weights`` alone, no factors of pairs beside them, or it is a ``OneVsRestClassifier`` of models that have,
    or a naive Bayes that counts: its sum is of logarithms, each times how often the feature is there.
    """
    last = last_step(model)
    inside = last_step(last.classifier) if _has_one_for_each_class(last) else last
    is_sum = isinstance(getattr(inside, "weights", None), Mapping) and not hasattr(inside, "latents")
    return is_sum or is_counting(last)


def class_weights(model: Any) -> dict[Any, Weights]:
    """Return a linear model's weights for each class that it knows, the intercepts among them.

    ``SoftmaxRegression`` and ``OneVsRestClassifier`` have a weight for each class and feature. ``LogisticRegression``,
    ``Perceptron``, ``PAClassifier`` and the linear regressions have one for each feature: what it says for True, it
    says against False.
    """
    last = last_step(model)
    if _has_one_for_each_class(last):
        return {target: signed_weights(each) for target, each in last.classifiers.items()}
    if is_counting(last):
        return _counted_weights(last)
    if _has_classes(last.weights):
        return {target: (dict(weights), 0.0) for target, weights in last.weights.items()}
    weights, intercept = signed_weights(last)
    return {True: (weights, intercept), False: ({name: -value for name, value in weights.items()}, -intercept)}


def _counted_weights(model: Any) -> dict[Any, Weights]:
    """Return what one of each feature adds to River's ``joint_log_likelihood`` of each class, less the classes' mean.

    So a weight says how many times as likely the class makes the feature as the others do; what is the same for all
    classes decides nothing. The intercepts are what is there without a feature.
    """
    targets, names = list(model.class_counts), list(model.feature_counts)
    if not targets:
        return {}
    rows = [[of_feature.get(target, 0.0) for target in targets] for of_feature in model.feature_counts.values()]
    counts = np.array(rows, np.float64).reshape(len(names), len(targets))
    intercepts = np.array(list(model.joint_log_likelihood({}).values()), np.float64)
    if is_of(model, "naive_bayes", "ComplementNB"):
        # a class that is alone has no complement
        others = counts.sum(axis=1, keepdims=True) + model.alpha - counts
        weights = -np.log(others / others.sum(axis=0))
    elif is_of(model, "naive_bayes", "BernoulliNB"):
        share = (counts + model.alpha) / (np.array(list(model.class_counts.values())) + 2.0 * model.alpha)
        weights = np.log(share + LEAST) - np.log(1.0 - share + LEAST)
    else:
        weights = np.log((counts + model.alpha) / (counts.sum(axis=0) + model.alpha * len(names)))
    weights, intercepts = weights - weights.mean(axis=1, keepdims=True), intercepts - intercepts.mean()
    return {
        target: (dict(zip(names, weights[:, place].tolist(), strict=True)), float(intercepts[place]))
        for place, target in enumerate(targets)
    }


def signed_weights(model: Any) -> Weights:
    """Return the weights of a linear model of two classes: of a softmax one those of True, less those of False."""
    last = last_step(model)
    if is_counting(last):
        (for_it, intercept), (against, other) = (_counted_weights(last).get(each, ({}, 0.0)) for each in (True, False))
        return {
            name: for_it.get(name, 0.0) - against.get(name, 0.0) for name in {**for_it, **against}
        }, intercept - other
    given = last.weights
    if _has_classes(given):
        for_it, against = given.get(True, {}), given.get(False, {})
        return {name: for_it.get(name, 0.0) - against.get(name, 0.0) for name in {**for_it, **against}}, 0.0
    return {name: float(value) for name, value in given.items()}, float(getattr(last, "intercept", 0.0))


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
        intercepts = [intercept for _, intercept in self._marked] + [np.nan] * (len(now) - len(self._marked))
        return {
            "weights": self._by_term(now, len(now)),
            "intercepts": np.array([intercept for _, intercept in now]),
            "before": self._by_term(self._marked, len(now)),
            "intercepts_before": np.array(intercepts),
            "marked": self._marked_at,
            "learned": self._n_seen,
        }

    def term_name(self, term: int) -> str:
        """Return what a term is called: its feature, as River's model knows it."""
        return str(list(self._terms)[term])

    def row_terms(self, x: Any) -> np.ndarray:
        """Return what each weight is multiplied by for one row, as ``OnlineLogistic.row_terms``."""
        found = np.zeros(len(self._terms))
        least = getattr(last_step(vars(self)[self.inside]), "true_threshold", None)
        for name, value in self._last_step_row(x).items():
            if name in self._terms and isinstance(value, (int, float)):
                # BernoulliNB asks whether a value is there
                found[self._terms[name]] = value if least is None else value > least
        return found

    def _last_step_row(self, x: Any) -> dict[Any, Any]:
        """Return what the last step of the models gets of one row, dense, sparse, or as River has it."""
        return transformed(next(iter(self._insides()), None), self._river_row(x))

    def _by_term(self, of_labels: Sequence[Weights], n_labels: int) -> np.ndarray:
        found = np.zeros((len(self._terms), n_labels))
        for label, (weights, _) in enumerate(of_labels):
            for name, value in weights.items():
                found[self._terms[name], label] = value
        return found


def _has_classes(weights: Mapping[Any, Any]) -> bool:
    return any(isinstance(each, Mapping) for each in weights.values())


# ---------------------------------------------------------------------- Gaussian naive Bayes


Gaussians = dict[Any, dict[Any, tuple[float, float, float]]]
"""Rows, mean and deviation of each feature of each class."""


class RiverBayes(Reader):
    """Reads a Gaussian naive Bayes of River's, and keeps what it was at the last mark."""

    def __init__(self, learner: Any = None) -> None:
        super().__init__(learner)
        self._marked: Gaussians = {}
        self._marked_at: int | None = None

    @property
    def picture(self) -> str:  # type: ignore[override]  # where sets of labels are its classes, no label has a Gaussian
        """``"gaussians"`` where a row has one class; else none."""
        return "gaussians" if self._learner._intake.one_class is not None else ""

    @staticmethod
    def reads(model: Any) -> bool:
        """Whether it is a Gaussian naive Bayes."""
        return is_of(model, "naive_bayes", "GaussianNB")

    def mark(self) -> None:
        """Note the means and deviations as they are; it replaces a mark."""
        self._marked, self._marked_at = _gaussians(self._learner._model), self._learner._n_seen

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
        known, last = _gaussians(model), last_step(model)
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


def _gaussians(model: Any) -> Gaussians:
    return {
        target: {name: (each.n_samples, each.mu, each.sigma) for name, each in of_class.items()}
        for target, of_class in last_step(model).gaussians.items()
    }


def _by_label(known: Gaussians, features: Mapping[Any, int], place: Mapping[Any, int], n_labels: int) -> np.ndarray:
    """Return rows, means and deviations, (3, features, labels): no rows, and NaN, where a class has no such value."""
    found = np.full((3, len(features), n_labels), np.nan)
    found[0] = 0.0
    for target, of_class in known.items():
        for name, three in of_class.items():
            found[:, features[name], place[target]] = three
    return found
