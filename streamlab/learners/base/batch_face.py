"""A learner that may also be trained on a table as a whole."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from streamlab.learners.base.learner import Learner


class BatchFace(Learner):
    """A learner whose ``fit`` learns a table as a whole, by ``_fit``, and not row by row."""

    def _fit_table(self, X: Any, y: Any) -> None:
        rows, Y, _ = self._checked(X, y)
        # of a table that is learned as a whole nothing is an outlier
        self._outliers.judges = False
        self._outliers.learn(rows)
        self._outliers.judge_from_here()
        self._fit(rows.values, Y)

    @abstractmethod
    def _fit(self, X: np.ndarray, Y: np.ndarray) -> None:
        """Learn checked rows as a whole, having learned nothing before."""
