"""Wide rows of few values for tests, as arrays and as CSR: what a learner makes of both must be the same."""

from __future__ import annotations

import itertools

import numpy as np
import scipy.sparse

__all__ = ["chunkings", "csr", "wide"]


def wide(
    n: int = 120,
    n_features: int = 40,
    n_labels: int = 4,
    *,
    density: float = 0.15,
    missing: float = 0.0,
    outliers: float = 0.0,
    offset: int = 0,
    seed: int = 0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return rows of mostly zeros with labels that depend on them.

    Parameters
    ----------
    n, n_features, n_labels, density, seed
        The size, and the share of the values that are not 0.
    missing, outliers
        The shares of values that are NaN, and that are far from all others.
    offset
        Columns, the first ones, that are never 0 but for one row in fifty from the sixtieth on, and lie far from it.
    """
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, n_features)) < density, np.round(rng.normal(size=(n, n_features)), 2), 0.0)
    Y = (X @ rng.normal(size=(n_features, n_labels)) > 0.3).astype(np.uint8)
    X[:, :offset] = 1000.0 + rng.random((n, offset))
    # late enough for their range to be trusted
    X[(rng.random(n) < 0.02) & (np.arange(n) >= 60), :offset] = 0.0
    X[rng.random(X.shape) < outliers] = 1e9
    X[rng.random(X.shape) < missing] = np.nan
    return X, Y


def csr(X: np.ndarray, *, wide_indices: bool = False, explicit: float = 0.0, seed: int = 0):
    """Return rows as a CSR array, with int64 indices or a share of zeros that are kept, if asked for."""
    rng = np.random.default_rng(seed)
    kept = (X != 0) | (rng.random(X.shape) < explicit)
    row, column = np.nonzero(kept)
    index = np.int64 if wide_indices else np.int32
    indptr = np.concatenate([[0], np.cumsum(kept.sum(axis=1))]).astype(index)
    return scipy.sparse.csr_array((X[row, column], column.astype(index), indptr), shape=X.shape)


def chunkings(n: int, seed: int) -> list[slice]:
    """Return slices that cut ``n`` rows at random places."""
    rng = np.random.default_rng(seed)
    at = [0, *sorted(set(rng.integers(1, n, 7).tolist())), n]
    return [slice(a, b) for a, b in itertools.pairwise(at)]
