"""What the batch learners share: the checks of tables, label correlations, thresholds."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from streamlab.learners.base import _neighbours as kernels

__all__ = ["BatchLearner", "best_thresholds", "label_correlations"]


class BatchLearner(BaseEstimator):
    """A learner of label sets by scikit-learn's conventions: ``fit``, ``predict``, ``decision_function``.

    Rows are numbers without gaps; put a scaler before it. Learned attributes end in an underscore.
    """

    n_features_in_: int
    n_labels_: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.estimator_type = "classifier"
        tags.target_tags.required = tags.target_tags.multi_output = tags.target_tags.single_output = True
        return tags

    def _checked(self, X: Any, Y: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return rows and label sets, or raise a ValueError that names what is wrong."""
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        Y = np.asarray(Y)
        if Y.ndim != 2 or len(Y) != len(X) or not Y.shape[1]:
            raise ValueError(f"Y has the shape {Y.shape}; expected ({len(X)}, n_labels)")
        if not np.isin(Y, (0, 1)).all():
            raise ValueError("Y: expected 0 and 1 alone")
        self.n_labels_ = Y.shape[1]
        return X, Y.astype(np.float64)

    def _asked(self, X: Any) -> np.ndarray:
        check_is_fitted(self, "n_labels_")
        return validate_data(self, X, dtype=np.float64, reset=False)


def label_correlations(Y: np.ndarray) -> np.ndarray:
    """Return the cosines of label columns, float64 (n_labels, n_labels); 0 with a label that no row has."""
    norms = np.sqrt((Y**2).sum(axis=0))
    return (Y.T @ Y) / np.maximum(np.outer(norms, norms), 1.0)


def best_thresholds(scores: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Return the threshold of each label by equation 6 of balanced neighbours, α = ½; inf for one that no row has."""
    thresholds = np.empty(Y.shape[1])
    order = np.argsort(-scores, axis=0, kind="stable")
    kernels.best_thresholds(np.ascontiguousarray(scores), order, Y.astype(np.uint8), 0.5, thresholds)
    return thresholds
