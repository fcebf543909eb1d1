"""Measures of scores as probabilities: log loss and the Brier score of every decision."""

from __future__ import annotations

import numpy as np

from streamlab.measures.batch import Batch, Count
from streamlab.measures.counts import Counts
from streamlab.measures.measure import Measure, ratio

__all__ = ["BY_PROBABILITIES"]

SMALLEST = float(np.finfo(np.float64).eps)
"""Log loss takes a score below this for this, and one above 1 less this for that, as scikit-learn does."""

LACKING = "sums over scores from 0 to 1, which are kept where it is asked for"


def _log_loss_terms(batch: Batch) -> np.ndarray:
    assert batch.scores is not None, "a count that needs scores is not asked without"
    if batch.past is not None:
        total = batch.scores.sum(axis=1)
        own = (batch.scores * batch.Y).sum(axis=1)
        share = np.divide(own, total, out=np.full(len(batch), 1.0 / max(batch.n_labels, 1)), where=total > 0)
        return np.where(batch.Y.any(axis=1), -np.log(np.clip(share, SMALLEST, 1.0)), 0.0)
    scores = np.clip(batch.scores, SMALLEST, 1.0 - SMALLEST)
    return -np.log(np.where(batch.Y, scores, 1.0 - scores)).sum(axis=1)


def _squared_error_terms(batch: Batch) -> np.ndarray:
    assert batch.scores is not None, "a count that needs scores is not asked without"
    return ((np.clip(batch.scores, 0.0, 1.0) - batch.Y) ** 2).sum(axis=1)


def _decision_terms(batch: Batch) -> np.ndarray:
    return np.full(len(batch), batch.n_labels) if batch.past is None else batch.Y.max(axis=1, initial=0)


LOG_LOSS = Count("log_loss", _log_loss_terms, needs_scores=True, unit_scores=True, lacking=LACKING)
SQUARED_ERROR = Count("squared_error", _squared_error_terms, needs_scores=True, unit_scores=True, lacking=LACKING)
DECISIONS = Count("decisions", _decision_terms, needs_scores=True, lacking=LACKING)
"""Labels that came with a score: those known when the instance was scored; of classes the rows, each one decision."""


def _log_loss(counts: Counts, zero_division: float) -> float:
    return ratio(counts.total("log_loss"), counts.total("decisions"), 0.0)


def _brier_loss(counts: Counts, zero_division: float) -> float:
    return ratio(counts.total("squared_error"), counts.total("decisions"), 0.0)


BY_PROBABILITIES = (
    Measure(
        "log_loss",
        "Log loss",
        "mean over the instances and labels of -ln p where the label is true, -ln (1 - p) where it is not, p its "
        f"score; p no nearer to 0 and 1 than {SMALLEST:.1e}; of classes the mean over the rows of -ln p of the row's "
        "class, p its share of the sum of the scores",
        "micro",
        _log_loss,
        higher_is_better=False,
        needs_scores=True,
        range=(0.0, -float(np.log(SMALLEST))),
        counts=(LOG_LOSS, DECISIONS),
        by_default=False,
        papers=("good1952rational",),
    ),
    Measure(
        "brier_loss",
        "Brier score",
        "mean over the instances and labels of (p - y)², p the label's score, y 1 where it is true, else 0; of classes "
        "the mean over the rows of the sum over the classes",
        "micro",
        _brier_loss,
        higher_is_better=False,
        needs_scores=True,
        counts=(SQUARED_ERROR, DECISIONS),
        by_default=False,
        papers=("brier1950verification",),
    ),
)
"""Measures of scores as probabilities, which must lie in 0 to 1; other scores are refused.

They are scikit-learn's ``log_loss`` and ``brier_score_loss`` of all decisions, instance by instance and label by label,
as one column. Instances without scores are left out; over none, both are 0. Of classes the log loss is River's
``CrossEntropy``, but a class without a score costs a row as much as the smallest, and a row without any as equal ones.
"""
