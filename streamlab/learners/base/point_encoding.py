"""A chunk of mixed columns as points of a Euclidean space: numbers as they are, categories as columns of their own."""

from __future__ import annotations

import math

import numpy as np

__all__ = ["coordinates", "widths"]


def widths(n_categories: np.ndarray, contrasts: bool) -> np.ndarray:
    """Return how many columns each feature takes, int64 (n_features,); parameters are those of ``coordinates``."""
    counts = np.asarray(n_categories, np.int64)
    return np.where(counts <= 2, 1, counts - 1 if contrasts else counts)


def coordinates(X: np.ndarray, n_categories: np.ndarray, contrasts: bool = False) -> np.ndarray:
    """Return the points of a checked chunk.

    Parameters
    ----------
    X
        float64 (n, n_features), a nominal value its category's index, NaN missing.
    n_categories
        float64 (n_features,), 0 where a feature is numeric.
    contrasts
        How a nominal feature of three categories and more is coded. False: a column for each category, so that two
        different categories are at distance 1, whichever they are. True: one column less, 1 in that of the category
        and 0 for the first, so that the columns are not linearly dependent. One of two categories is 0 and 1.

    Returns
    -------
    numpy.ndarray
        float64 (n, width): NaN in all columns of a missing value, or of a category not among those counted.
    """
    if not (n_categories > 2).any():
        return X.copy()
    width = widths(n_categories, contrasts)
    starts = np.concatenate([[0], np.cumsum(width)])
    points = np.empty((len(X), int(starts[-1])))
    plain = n_categories <= 2
    points[:, starts[:-1][plain]] = X[:, plain]
    for feature in np.flatnonzero(~plain):
        values, k = X[:, feature], int(n_categories[feature])
        categories = np.arange(1 if contrasts else 0, k)
        code = (values[:, None] == categories) * (1.0 if contrasts else math.sqrt(0.5))
        code[~(values < k)] = math.nan
        points[:, starts[feature] : starts[feature + 1]] = code
    return points
