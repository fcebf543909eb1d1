"""Measures of scores: how they rank the labels of an instance, and the instances of a label."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab.measures import _kernels
from streamlab.measures.batch import Batch, Count
from streamlab.measures.counts import Counts
from streamlab.measures.measure import Measure, check_zero_division, mean, ratio

__all__ = ["BY_RANKING", "HISTOGRAMS", "label_average_precision", "macro_average_precision"]


def _bin(batch: Batch, fading: float, total: np.ndarray) -> None:
    _kernels.bin_scores(batch.Y, batch.scores, fading, total)


HISTOGRAMS = Count(
    "histograms",
    shape=(2, "labels", "bins"),
    add=_bin,
    needs_scores=True,
    unit_scores=True,
    has_curve=False,
    lacking="score histograms, which take memory and are kept where it is asked for",
)
"""Of each label's scores where it is absent, where it is present: bin k holds those nearest to k / (n_bins - 1).

They take 16 * n_labels * n_bins bytes.
"""


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
    """The mean over the labels of ``label_average_precision``, with its parameters and errors; exact.

    Parameters
    ----------
    Y, scores, zero_division
        As in ``label_average_precision``.

    Returns
    -------
    float

    Examples
    --------
    >>> macro_average_precision([[1, 0], [0, 1]], [[0.9, 0.2], [0.1, 0.4]])
    1.0
    """
    return mean(label_average_precision(Y, scores, zero_division=zero_division), zero_division)


def binned_average_precision(counts: Counts, zero_division: float) -> np.ndarray:
    """Average precision of each label, shape (n_labels,), from the score histograms that ``counts`` must have.

    Exact where the scores lie on the grid k / (n_bins - 1); else scores in one bin count as equal.
    """
    out = np.empty(counts.n_labels)
    _kernels.average_precision_of_histograms(counts.extra[HISTOGRAMS.name], out)
    return np.nan_to_num(out, copy=False, nan=zero_division)


def _ranking_loss(counts: Counts, zero_division: float) -> float:
    return ratio(counts.total("ranking_loss"), counts.total("ranked"), 0.0)


def _label_ranking_loss(counts: Counts, zero_division: float) -> float:
    return ratio(counts.total("ranking_loss"), counts.total("scored"), 0.0)


def _average_precision(counts: Counts, zero_division: float) -> float:
    unranked = counts.total("scored") - counts.total("ranked")
    return ratio(counts.total("average_precision") + unranked, counts.total("scored"), zero_division)


def _macro_average_precision(counts: Counts, zero_division: float) -> float:
    return mean(binned_average_precision(counts, zero_division), zero_division)


def _macro_of_rows(Y: np.ndarray, scores: np.ndarray, zero_division: float) -> float:
    return macro_average_precision(Y, scores, zero_division=zero_division)


BY_RANKING = (
    Measure(
        "ranking_loss",
        "Ranking loss",
        "share of the pairs of a label in Y and one not in Y whose scores are equal or the wrong way round; "
        "mean over the instances with 0 < |Y| < L: those with no or all labels have no pair and are left out",
        "example",
        _ranking_loss,
        higher_is_better=False,
        needs_scores=True,
        papers=("schapire2000boostexter", "zhang2014review"),
    ),
    Measure(
        "label_ranking_loss",
        "Ranking loss (all instances)",
        "as the ranking loss, but the mean over all instances: one with no or all labels, which has no pair, "
        "counts as 0",
        "example",
        _label_ranking_loss,
        higher_is_better=False,
        needs_scores=True,
        by_default=False,
        papers=("schapire2000boostexter", "zhang2014review"),
    ),
    Measure(
        "average_precision",
        "Ranking average precision",
        "for each label of Y the share of Y among the labels scored at least as high; mean over Y, then over "
        "the instances; 1 where |Y| is 0 or L",
        "example",
        _average_precision,
        needs_scores=True,
        papers=("schapire2000boostexter", "zhang2014review"),
    ),
    Measure(
        "macro_average_precision",
        "Average precision (macro)",
        "mean over the labels of the area under the label's precision-recall steps, over the instances",
        "macro",
        _macro_average_precision,
        needs_scores=True,
        counts=(HISTOGRAMS,),
        by_default=False,
        of_rows=_macro_of_rows,
    ),
)
"""Measures of scores.

Source: section IV-A of SMART for ``ranking_loss``. ``average_precision`` is scikit-learn's
``label_ranking_average_precision_score``, which gives 1 to an instance with none or all of the labels.

An instance with none or all of the labels has no pair of a true and another label. ``ranking_loss`` leaves it out, as
the loss of nothing is not a merit; ``label_ranking_loss`` counts it as 0, as scikit-learn's function of that name does.
The second is the first times the share of the instances that have a pair.
"""
