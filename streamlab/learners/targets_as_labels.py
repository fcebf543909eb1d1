"""Any of River's multi-target regressors, as a learner of labels: one model answers for all of them at once."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from river import base

from streamlab.learners.base.parameters import parameter, tunable
from streamlab.learners.river_models import last_step
from streamlab.learners.river_tunables import NOMINAL, TunedInside

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
        A label is predicted where its answer exceeds this.
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
        self._model = self.regressor.clone()

    def _answer_row(self, x: dict[Any, Any], scores: np.ndarray, labels: np.ndarray) -> None:
        answer = self._model.predict_one(x) or {}
        for j, name in enumerate(self._label_names):
            value = float(answer.get(name, 0.0))
            # a regression that has overflown says nothing
            scores[j] = min(max(value, 0.0), 1.0) if value == value else 0.0
            labels[j] = value > self.threshold

    def _learn_row(self, x: dict[Any, Any], flags: list[int]) -> None:
        self._model.learn_one(x, {name: float(flag) for name, flag in zip(self._label_names, flags, strict=True)})


def is_river_multi_target(model: Any) -> bool:
    """Whether it is one of River's regressors of several targets, or a pipeline that ends in one."""
    return isinstance(last_step(model), base.MultiTargetRegressor)
