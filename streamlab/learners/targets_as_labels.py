"""Any of River's multi-target regressors, as a learner of labels: one model answers for all of them at once."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from river import base

from streamlab.learners.base.parameters import parameter, tunable
from streamlab.learners.base.state import State
from streamlab.learners.one_per_label import NOMINAL, river_rows
from streamlab.learners.river_tunables import TunedInside, last_step

__all__ = ["TargetsAsLabels"]


class TargetsAsLabels(TunedInside):
    """One of River's multi-target regressors: a target for each label, 1.0 where a row has it, else 0.0.

    A label is predicted where the answer exceeds ``threshold``; the score is the answer, at least 0 and at most 1.
    Missing values are left out of River's dictionaries, as are the zeros of sparse rows; a nominal value goes in as its
    category's name, or as indicators.

    Parameters
    ----------
    regressor
        A ``river.base.MultiTargetRegressor``, such as ``river.tree.ISOUPTreeRegressor``, or a pipeline that ends in
        one. It is cloned, never learned. The numbers that River lets change in it are tunable:
        ``tune(regressor__grace_period=50)``.
    threshold
        A label is predicted where its answer exceeds this. Tunable.
    nominal
        What the model is given of a nominal value: ``"words"`` (default) or ``"indicators"``, as in ``OnePerLabel``.

    Raises
    ------
    ValueError
        If ``regressor`` is not one of River's multi-target regressors, or ``nominal`` unknown.

    Notes
    -----
    A label that appears later is a target from then on: 0 in no row before it.

    Examples
    --------
    >>> from river import tree
    >>> model = TargetsAsLabels(tree.ISOUPTreeRegressor())
    >>> for value in (0.0, 1.0) * 20:
    ...     model.learn_one({"a": value}, {"l": value > 0})
    >>> model.predict_one({"a": 1.0})
    {'l': True}
    """

    predicts_whole_chunks: ClassVar[bool] = False
    takes_sparse: ClassVar[bool] = True
    inside: ClassVar[str] = "regressor"
    regressor: base.MultiTargetRegressor = parameter()
    threshold: float = tunable(
        0.0, 1.0, default=0.5, limit=1e6, help="A label is answered where the regression exceeds this.",
    )  # fmt: skip
    nominal: str = parameter(default="words", choices=NOMINAL)

    def _check_parameters(self) -> None:
        if not is_river_multi_target(self.regressor):
            raise ValueError(f"regressor={self.regressor!r}: expected one of River's multi-target regressors")

    @classmethod
    def _unit_test_params(cls):
        from river import tree

        yield {"regressor": tree.ISOUPTreeRegressor()}

    def _reset(self) -> None:
        self._model: Any = self.regressor.clone()

    def _insides(self) -> list[Any]:
        return [self._model]

    def _grown(self, n_features: int, n_labels: int) -> None:
        """Do nothing: River's model meets new columns in its dictionaries."""

    def _answer_row(self, x: dict[Any, Any], scores: np.ndarray, labels: np.ndarray) -> None:
        answer = self._model.predict_one(x) or {}
        for j, name in enumerate(self._label_names):
            value = float(answer.get(name, 0.0))
            # a regression that has overflown says nothing
            scores[j] = min(max(value, 0.0), 1.0) if value == value else 0.0
            labels[j] = value > self.threshold

    def _learn_row(self, x: dict[Any, Any], flags: list[int]) -> None:
        self._model.learn_one(x, {name: float(flag) for name, flag in zip(self._label_names, flags, strict=True)})

    def _predict(self, X, missing):
        scores, labels = np.zeros((len(X), len(self._labels))), np.zeros((len(X), len(self._labels)), np.uint8)
        for i, x in enumerate(river_rows(self, X, self.nominal)):
            self._answer_row(x, scores[i], labels[i])
        return scores, labels

    def _learn(self, X, Y, missing) -> None:
        for x, flags in zip(river_rows(self, X, self.nominal), Y.tolist(), strict=True):
            self._learn_row(x, flags)

    def _test_then_train(self, X, Y, missing):
        scores, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
        for i, (x, flags) in enumerate(zip(river_rows(self, X, self.nominal), Y.tolist(), strict=True)):
            self._answer_row(x, scores[i], labels[i])
            self._learn_row(x, flags)
        return scores, labels

    @property
    def n_bytes(self) -> int:
        """Bytes that River counts for the model."""
        return self._model._raw_memory_usage

    def state(self) -> State:
        """Raise an error: River's models have no flat state.

        Raises
        ------
        ValueError
            Always; ``copy()`` makes an independent learner.
        """
        raise ValueError("TargetsAsLabels holds River's objects, which have no flat state; use copy()")


def is_river_multi_target(model: Any) -> bool:
    """Whether it is one of River's regressors of several targets, or a pipeline that ends in one."""
    return isinstance(last_step(model), base.MultiTargetRegressor)
