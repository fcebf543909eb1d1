"""scikit-learn's face: ``fit`` on a whole table, ``predict`` and ``predict_proba``."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np

from streamlab.learners.base.columns import as_input
from streamlab.learners.base.learner import Learner

__all__ = ["BatchFace"]


class BatchFace(Learner):
    """A learner that may also be trained on a table as a whole, by ``_fit``."""

    def fit(self, X: Any, Y: Any) -> Self:
        """Forget everything, then learn from these rows as a whole.

        Parameters
        ----------
        X
            Array of shape (n, n_features) or a DataFrame.
        Y
            Array of shape (n, n_labels) or a DataFrame, of 0 and 1.

        Returns
        -------
        This learner.

        Raises
        ------
        ValueError
            As ``learn_many``, and for no row; nothing is forgotten then.
        """
        fresh = self._fresh_clone()
        X, Y, _, _ = fresh._checked(as_input(X), as_input(Y))
        if not len(X):
            raise ValueError("X has no row; expected at least one")
        fresh._know_ranges(X)
        fresh._fit(X, Y)
        self._become(fresh)
        return self

    def predict(self, X: Any) -> np.ndarray:
        """Return label sets, uint8 of shape (n, n_labels): scikit-learn's name for ``predict_many``."""
        return self.answer_many(as_input(X))[1]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return scores, float64 of shape (n, n_labels): scikit-learn's name for ``predict_proba_many``."""
        return self.answer_many(as_input(X))[0]

    @abstractmethod
    def _fit(self, X: np.ndarray, Y: np.ndarray) -> None:
        """Learn checked rows as a whole, having learned nothing before."""
