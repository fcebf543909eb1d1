"""Wide generated rows whose labels depend on a few of their columns: nominal ones, and sparse numeric ones."""

from __future__ import annotations

import numpy as np
import scipy.sparse

from streamlab.schema import Feature, NumberedFeatures, Schema

__all__ = ["WIDE", "nominal", "sparse"]


def nominal(n: int, n_features: int, n_categories: int, first: float, n_labels: int = 20, seed: int = 0):
    """Return a schema of nominal features, X float64 and Y uint8; ``first``: share of the first category, besides.

    About 12 % of the labels are present.
    """
    rng = np.random.default_rng(seed)
    X = rng.integers(0, n_categories, (n, n_features)).astype(np.float64)
    X[rng.random(X.shape) < first] = 0.0
    weights = rng.normal(size=(n_features, n_labels)) * (rng.random((n_features, n_labels)) < 0.05)
    categories = tuple(map(str, range(n_categories)))
    features = tuple(Feature(f"x{j}", categories) for j in range(n_features))
    Y = _labels((X != 0) @ weights, 1.0, 1.2, rng)
    return Schema(features, tuple(f"l{j}" for j in range(n_labels))), X, Y


def sparse(n: int, n_features: int, n_values: int = 30, n_labels: int = 50, seed: int = 0):
    """Return a schema of numeric features, X as CSR and Y uint8: rows of some ``n_values`` words, drawn by Zipf's law.

    About 4 % of the labels are present.
    """
    rng = np.random.default_rng(seed)
    words = np.sort(rng.zipf(1.3, (n, n_values)) % n_features, axis=1)
    new = np.ones(words.shape, np.bool_)
    new[:, 1:] = words[:, 1:] != words[:, :-1]
    indptr = np.concatenate([[0], np.cumsum(new.sum(axis=1))])
    values = rng.integers(1, 1001, int(indptr[-1])) / 1000.0
    X = scipy.sparse.csr_array((values, words[new], indptr), shape=(n, n_features))
    Y = _labels(X @ rng.normal(size=(n_features, n_labels)), 0.5, 2.0, rng)
    return Schema(NumberedFeatures(n_features), tuple(f"l{j}" for j in range(n_labels))), X, Y


def _labels(sums: np.ndarray, noise: float, above: float, rng: np.random.Generator) -> np.ndarray:
    scores = (sums - sums.mean(axis=0)) / sums.std(axis=0)
    return (scores + noise * rng.normal(size=scores.shape) > above).astype(np.uint8)


WIDE = {
    "nominal: 1,186 columns of 2, 97 % the first": lambda n: nominal(n, 1186, 2, 0.95),
    "nominal: 1,186 columns of 3, 93 % the first": lambda n: nominal(n, 1186, 3, 0.9),
    "nominal: 1,836 columns of 4, evenly": lambda n: nominal(n, 1836, 4, 0.0),
    "sparse: 20,000 columns, 30 values, 50 labels": lambda n: sparse(n, 20_000),
}
"""The wide sets by what they are; each takes a number of rows."""
