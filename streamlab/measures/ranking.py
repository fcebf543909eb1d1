"""Average precision per label: exact over the rows of one batch, or from additive score histograms."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab.measures import _kernels
from streamlab.measures.counts import Batch, Counts
from streamlab.measures.ratios import check_zero_division, mean

__all__ = ["label_average_precision", "macro_average_precision"]


def label_average_precision(Y: Any, scores: Any, *, zero_division: float = 0.0) -> np.ndarray:
    """Average precision of each label over the rows, exact.

    Parameters
    ----------
    Y
        Array of shape (n, n_labels), of 0 and 1 or bool.
    scores
        Array of shape (n, n_labels), higher is more likely; equal scores share a threshold.
    zero_division
        The value for a label that no row has, 0.0 or 1.0. scikit-learn's ``average_precision_score`` gives 0.0, with a
        warning.

    Returns
    -------
    numpy.ndarray
        Of shape (n_labels,), float64: the sum over the thresholds of (recall gained) * precision, as scikit-learn's
        ``average_precision_score``.

    Raises
    ------
    ValueError
        If the shapes differ, or a value is not allowed; names it.

    Examples
    --------
    >>> label_average_precision([[1], [0], [1]], [[0.9], [0.8], [0.1]]).round(3).tolist()
    [0.833]
    """
    check_zero_division(zero_division)
    batch = Batch(Y, Y, scores)
    if batch.scores is None:
        raise ValueError("scores is None; average precision needs scores")
    out = np.empty(batch.n_labels)
    _kernels.average_precision_of_columns(batch.Y, batch.scores, out)
    return np.nan_to_num(out, copy=False, nan=zero_division)


def macro_average_precision(Y: Any, scores: Any, *, zero_division: float = 0.0) -> float:
    """The mean over the labels of ``label_average_precision``, with its parameters and errors; exact."""
    return mean(label_average_precision(Y, scores, zero_division=zero_division), zero_division)


def binned_average_precision(counts: Counts, zero_division: float) -> np.ndarray:
    """Average precision of each label, shape (n_labels,), from the score histograms that ``counts`` must have.

    Exact where the scores lie on the grid k / (n_bins - 1); else scores in one bin count as equal.
    """
    out = np.empty(counts.n_labels)
    _kernels.average_precision_of_histograms(counts.histograms, out)
    return np.nan_to_num(out, copy=False, nan=zero_division)
