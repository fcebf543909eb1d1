"""The learner MLLS: ridge regressions of all labels with a subspace that they share."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import scipy.linalg

from streamlab.rivals.transductive.base import BatchLearner, best_thresholds

__all__ = ["MLLS"]


class MLLS(BatchLearner):
    """Shared-subspace learning for multi-label classification, with the least-squares loss; in batch form.

    min ‖X(U + ΘV) - Y‖²/n + α ‖U‖² + β ‖U + ΘV‖² over U, V and Θ, ΘᵀΘ = I, X and Y centred. With M = XᵀX/n + (α + β) I,
    the columns of Θ span the leading generalised eigenvectors of M⁻¹XᵀY YᵀX M⁻¹ θ = λ (I - α M⁻¹) θ, and the weights
    are (M - α ΘΘᵀ)⁻¹ XᵀY/n. A label is predicted where its score is above the threshold of equation 6 of Wang, Ding
    and Huang on the training rows.

    Parameters
    ----------
    alpha, beta
        Weights of the two penalties, above 0.
    n_components
        Dimensions of the subspace, 1 or more; None: the number of labels less one. At most as many as features.

    Attributes
    ----------
    weights_
        float64 (n_features, n_labels).
    subspace_
        Θ, float64 (n_features, n_components).
    thresholds_
        float64 (n_labels,).

    Notes
    -----
    The paper chooses α, β and the dimensions by cross-validation; the defaults here are fixed.

    Sources
    -------
    S. Ji, L. Tang, S. Yu, J. Ye: "Extracting shared subspace for multi-label classification", KDD 2008.

    Examples
    --------
    >>> import numpy as np
    >>> import streamlab as sl
    >>> X = np.random.default_rng(0).normal(size=(200, 4))
    >>> Y = (X[:, :2] > 0).astype("uint8")
    >>> bool((sl.MLLS().fit(X[:150], Y[:150]).predict(X[150:]) == Y[150:]).mean() > 0.8)
    True
    """

    def __init__(self, alpha: float = 0.01, beta: float = 0.001, n_components: int | None = None) -> None:
        self.alpha = alpha
        self.beta = beta
        self.n_components = n_components

    def fit(self, X: Any, Y: Any) -> Self:
        """Learn label sets Y (n, n_labels), of 0 and 1, of rows X (n, n_features)."""
        for name in ("alpha", "beta"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name}={getattr(self, name)!r}: expected a number above 0")
        if self.n_components is not None and self.n_components < 1:
            raise ValueError(f"n_components={self.n_components!r}: expected None or a whole number, at least 1")
        X, Y = self._checked(X, Y)
        self.mean_, self.frequencies_ = X.mean(axis=0), Y.mean(axis=0)
        rows, targets = X - self.mean_, Y - self.frequencies_
        n, p = rows.shape
        wanted = max(Y.shape[1] - 1, 1) if self.n_components is None else int(self.n_components)
        r = min(wanted, p)
        M = rows.T @ rows / n + (self.alpha + self.beta) * np.eye(p)
        inverse = np.linalg.inv(M)
        half = inverse @ (rows.T @ targets)
        # I - α M⁻¹ is positive definite, as M's eigenvalues are above α
        vectors = scipy.linalg.eigh(half @ half.T, np.eye(p) - self.alpha * (inverse + inverse.T) / 2)[1]
        self.subspace_ = np.linalg.qr(vectors[:, ::-1][:, :r])[0]
        shared = self.subspace_ @ self.subspace_.T
        self.weights_ = np.linalg.solve(M - self.alpha * shared, rows.T @ targets / n)
        self.thresholds_ = best_thresholds(self.decision_function(X), Y)
        return self

    def decision_function(self, X: Any) -> np.ndarray:
        """Return scores, float64 (n, n_labels)."""
        return (self._asked(X) - self.mean_) @ self.weights_ + self.frequencies_

    def predict(self, X: Any) -> np.ndarray:
        """Return label sets, uint8 (n, n_labels)."""
        return (self.decision_function(X) > self.thresholds_).astype(np.uint8)
