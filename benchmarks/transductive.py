"""Batch learners with which balanced neighbours are compared: SMSE and MCGF spread labels over a graph; and MLLS."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import scipy.linalg
import scipy.sparse
from scipy.spatial.distance import pdist
from sklearn.base import BaseEstimator
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import check_is_fitted, validate_data

from streamlab._checks import checked_choice, checked_count, checked_number
from streamlab.learners.points import _neighbours as kernels

__all__ = ["MCGF", "MLLS", "SMSE"]


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


MOST_ROWS = 20_000
"""Rows, those learned and those asked about together, above which a graph is refused: its cost is their cube."""
MOST_PAIRED = 2000
"""Rows between which the median distance is taken; of more, so many that lie evenly among them."""
NO_EIGENVALUE = 1e-10
"""Eigenvalues of a Laplacian below this share of the largest are 0."""


def similarities(Q: np.ndarray, n_neighbors: int) -> np.ndarray:
    """Return W, float64 (n, n): exp(-‖q_i - q_j‖²/2σ) where one is among the nearest of the other, else 0.

    σ is half the median squared distance of two rows; the diagonal is 0.
    """
    n = len(Q)
    squares = pdist(Q[:: max(1, -(-n // MOST_PAIRED))], "sqeuclidean")
    middle = float(np.median(squares)) if len(squares) else 0.0
    sigma = middle / 2.0 if middle > 0.0 else 1.0
    k = min(n_neighbors, n - 1)
    W = np.zeros((n, n))
    if k:
        found = NearestNeighbors(n_neighbors=k).fit(Q)
        # without rows to ask about, a row is not among its own neighbours
        distances, places = found.kneighbors()
        W[np.repeat(np.arange(n), k), places.ravel()] = np.exp(-(distances.ravel() ** 2) / (2.0 * sigma))
    return np.maximum(W, W.T)


class GraphLearner(BatchLearner):
    """Keeps the rows it is fitted with; answers by a graph of these and of the rows it is asked about."""

    n_neighbors: int

    def fit(self, X: Any, Y: Any) -> Self:
        """Keep rows X (n, n_features) and their label sets Y (n, n_labels), of 0 and 1."""
        checked_count("n_neighbors", self.n_neighbors, 1)
        self._check_parameters()
        self.X_, self.Y_ = self._checked(X, Y)
        return self

    def _check_parameters(self) -> None:
        """Raise a ValueError for a parameter that is not allowed."""

    def _graph(self, X: Any) -> tuple[np.ndarray, int]:
        X = self._asked(X)
        n = len(self.X_) + len(X)
        if n > MOST_ROWS:
            raise ValueError(
                f"{len(self.X_):,} rows learned and {len(X):,} asked about make {n:,}; expected at most {MOST_ROWS:,}"
            )
        return similarities(np.vstack([self.X_, X]), self.n_neighbors), len(self.X_)


class SMSE(GraphLearner):
    """Semi-supervised multi-label learning by a Sylvester equation, on a graph of rows and one of labels; transductive.

    It minimises μ tr(FᵀHF) + ν tr(F H′ Fᵀ) under F = Y on the labelled rows (version 1, H and H′ the Laplacians), or
    that and ‖F - Y‖² (version 2, normalised Laplacians). Labels k and l are joined by exp(-(1 - cos(y_k, y_l))). Of the
    rows asked about each label is given to as many, those of highest score, as have it among the labelled.

    Parameters
    ----------
    version
        1 or 2.
    mu, nu
        Weights of the two graphs.
    n_neighbors
        Nearest rows that a row is joined with.

    Attributes
    ----------
    X_
        The rows it was fitted with, float64 (n, n_features).
    Y_
        Their label sets, float64 (n, n_labels).

    Notes
    -----
    The abstract says two graphs and a Sylvester equation; the equations here are a reconstruction, and the parameters
    are decided. In version 1 a row that no labelled row is joined with has the labels' frequencies as scores.

    Sources
    -------
    G. Chen, Y. Song, F. Wang, C. Zhang: "Semi-supervised multi-label learning by solving a Sylvester equation", SDM
    2008.

    Examples
    --------
    >>> import numpy as np
    >>> from benchmarks.transductive import MCGF, MLLS, SMSE
    >>> X = np.random.default_rng(0).normal(size=(200, 4))
    >>> Y = (X[:, :2] > 0).astype("uint8")
    >>> bool((SMSE().fit(X[:150], Y[:150]).predict(X[150:]) == Y[150:]).mean() > 0.7)
    True
    """

    def __init__(self, version: int = 1, mu: float = 1.0, nu: float = 0.1, n_neighbors: int = 10) -> None:
        self.version = version
        self.mu = mu
        self.nu = nu
        self.n_neighbors = n_neighbors

    def _check_parameters(self) -> None:
        checked_choice("version", self.version, (1, 2))
        for name in ("mu", "nu"):
            checked_number(name, getattr(self, name), above=True)

    def decision_function(self, X: Any) -> np.ndarray:
        """Return scores, float64 (n, n_labels); those of a row depend on the rows that it is asked about with."""
        W, n = self._graph(X)
        of_labels = np.exp(-(1.0 - label_correlations(self.Y_)))
        np.fill_diagonal(of_labels, 0.0)
        if self.version == 2:
            targets = np.vstack([self.Y_, np.zeros((len(W) - n, self.n_labels_))])
            rows = self.mu * _normalised(W) + np.eye(len(W))
            return scipy.linalg.solve_sylvester(rows, self.nu * _normalised(of_labels), targets)[n:]
        frequencies = self.Y_.mean(axis=0)
        part = scipy.sparse.csgraph.connected_components(scipy.sparse.csr_array(W), directed=False)[1]
        joined = np.flatnonzero(np.isin(part[n:], part[:n]))
        scores = np.tile(frequencies, (len(W) - n, 1))
        if len(joined):
            H, asked = _laplacian(W), n + joined
            known = -self.mu * (H[asked, :n] @ self.Y_)
            rows = self.mu * H[np.ix_(asked, asked)]
            scores[joined] = scipy.linalg.solve_sylvester(rows, self.nu * _laplacian(of_labels), known)
        return scores

    def predict(self, X: Any) -> np.ndarray:
        """Return label sets, uint8 (n, n_labels): each label for as large a share as among the labelled rows."""
        scores = self.decision_function(X)
        chosen = np.zeros(scores.shape, np.uint8)
        counts = np.rint(self.Y_.mean(axis=0) * len(scores)).astype(int)
        order = np.argsort(-scores, axis=0, kind="stable")
        for label, count in enumerate(counts.tolist()):
            chosen[order[:count, label], label] = 1
        return chosen


class MCGF(GraphLearner):
    """Green's function of a graph with the correlation of labels; transductive.

    With G the pseudo-inverse of the graph's Laplacian, scores are F = G [(Y - mean) C; 0], C the cosines of label
    columns. A label is predicted where its score is above the threshold of equation 6 of Wang, Ding and Huang on the
    labelled rows.

    Parameters
    ----------
    n_neighbors
        Nearest rows that a row is joined with.

    Attributes
    ----------
    X_
        The rows it was fitted with, float64 (n, n_features).
    Y_
        Their label sets, float64 (n, n_labels).

    Notes
    -----
    The paper's objective is not to be had in full; that correlation enters as Y C is decided.

    Sources
    -------
    H. Wang, H. Huang, C. Ding: "Image annotation using multi-label correlated Green's function", ICCV 2009.

    Examples
    --------
    >>> import numpy as np
    >>> from benchmarks.transductive import MCGF, MLLS, SMSE
    >>> X = np.random.default_rng(0).normal(size=(200, 4))
    >>> Y = (X[:, :2] > 0).astype("uint8")
    >>> bool((MCGF().fit(X[:150], Y[:150]).predict(X[150:]) == Y[150:]).mean() > 0.7)
    True
    """

    def __init__(self, n_neighbors: int = 10) -> None:
        self.n_neighbors = n_neighbors

    def _scores(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return the scores of the labelled rows and of those asked about."""
        W, n = self._graph(X)
        values, vectors = scipy.linalg.eigh(_laplacian(W))
        kept = values > NO_EIGENVALUE * max(values[-1], np.finfo(np.float64).tiny)
        sources = (self.Y_ - self.Y_.mean(axis=0)) @ label_correlations(self.Y_)
        scores = (vectors[:, kept] / values[kept]) @ (vectors[:n, kept].T @ sources)
        return scores[:n], scores[n:]

    def decision_function(self, X: Any) -> np.ndarray:
        """Return scores, float64 (n, n_labels); those of a row depend on the rows that it is asked about with."""
        return self._scores(X)[1]

    def predict(self, X: Any) -> np.ndarray:
        """Return label sets, uint8 (n, n_labels)."""
        known, asked = self._scores(X)
        return (asked > best_thresholds(known, self.Y_)).astype(np.uint8)


def _laplacian(W: np.ndarray) -> np.ndarray:
    return np.diag(W.sum(axis=1)) - W


def _normalised(W: np.ndarray) -> np.ndarray:
    """Return I - D^-½ W D^-½; a row that is joined with none has 1 on the diagonal."""
    degrees = W.sum(axis=1)
    roots = np.where(degrees > 0.0, 1.0 / np.sqrt(np.where(degrees > 0.0, degrees, 1.0)), 0.0)
    return np.eye(len(W)) - roots[:, None] * W * roots


class MLLS(BatchLearner):
    """Shared-subspace learning for multi-label classification, with the least-squares loss; in batch form.

    min ‖X(U + ΘV) - Y‖²/n + α ‖U‖² + β ‖U + ΘV‖² over U, V and Θ, ΘᵀΘ = I, X and Y centred. With M = XᵀX/n + (α + β) I,
    the columns of Θ span the leading generalised eigenvectors of M⁻¹XᵀY YᵀX M⁻¹ θ = λ (I - α M⁻¹) θ, and the weights
    are (M - α ΘΘᵀ)⁻¹ XᵀY/n. A label is predicted where its score is above the threshold of equation 6 of Wang, Ding
    and Huang on the training rows.

    Parameters
    ----------
    alpha, beta
        Weights of the two penalties.
    n_components
        Dimensions of the subspace; None: the number of labels less one. At most as many as features.

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
    >>> from benchmarks.transductive import MCGF, MLLS, SMSE
    >>> X = np.random.default_rng(0).normal(size=(200, 4))
    >>> Y = (X[:, :2] > 0).astype("uint8")
    >>> bool((MLLS().fit(X[:150], Y[:150]).predict(X[150:]) == Y[150:]).mean() > 0.8)
    True
    """

    mean_: np.ndarray
    frequencies_: np.ndarray
    subspace_: np.ndarray
    weights_: np.ndarray
    thresholds_: np.ndarray

    def __init__(self, alpha: float = 0.01, beta: float = 0.001, n_components: int | None = None) -> None:
        self.alpha = alpha
        self.beta = beta
        self.n_components = n_components

    def fit(self, X: Any, Y: Any) -> Self:
        """Learn label sets Y (n, n_labels), of 0 and 1, of rows X (n, n_features)."""
        for name in ("alpha", "beta"):
            checked_number(name, getattr(self, name), above=True)
        checked_count("n_components", self.n_components, 1, optional=True)
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
