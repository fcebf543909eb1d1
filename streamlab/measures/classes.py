"""Measures of classes, of which each row has exactly one; what no-change and the majority class would have had."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from streamlab.measures.batch import Batch, Count
from streamlab.measures.counts import Counts
from streamlab.measures.measure import Measure, mean, ratio

__all__ = ["BY_CLASSES"]


def _baseline_terms(batch: Batch) -> np.ndarray:
    """Return whether the class of the row before, and the most frequent class so far, are each row's class."""
    past, Y = batch.past, batch.Y
    assert past is not None, "a count that needs classes is not asked without"
    terms = np.zeros((len(Y), 2))
    known = np.flatnonzero(Y.any(axis=1))
    if not len(known):
        return terms
    own = Y[known].argmax(axis=1)
    terms[known, 0] = own == np.concatenate([[past.last], own[:-1]])
    before = past.counts + np.cumsum(Y, axis=0, dtype=np.int64)[known] - Y[known]
    terms[known, 1] = (own == before.argmax(axis=1)) & before.any(axis=1)
    return terms


BASELINES = Count(
    "class_baselines", _baseline_terms, (2,), needs_classes=True, lacking="classes, of which each row has exactly one"
)
"""Rows for which no-change would have been right, and rows for which the most frequent class so far would have been."""


MOST_IN_MATRIX = 100
"""Up to so many classes River's metrics of a confusion matrix are counted: it is kept for each point of a curve."""


def with_classes(asked: Sequence[Count], n_classes: int) -> list[Count]:
    """Return what is kept where rows have classes and some counts are asked for: what says so of them, too.

    Raises
    ------
    ValueError
        If a count is a matrix of classes, and these are too many.
    """
    of_classes = [count for count in asked if count.differs_of_classes]
    if n_classes > MOST_IN_MATRIX and any("classes" in count.shape for count in of_classes):
        raise ValueError(
            f"measures: one of River's keeps which class is answered as which, and there are {n_classes:,} classes; "
            f"expected up to {MOST_IN_MATRIX}, or measures of this package, such as accuracy"
        )
    return [*asked, BASELINES] if of_classes else list(asked)


MOST_CLASSES = 30
"""Up to so many classes it is counted which is answered as which: more are too many to be looked at."""


def _answer_terms(batch: Batch) -> np.ndarray:
    """Return for each row a matrix with 1 at its class and its answer; 0 where one of them is missing."""
    terms = np.zeros((*batch.Y.shape, batch.Y.shape[1]))
    known = np.flatnonzero(batch.Y.any(axis=1) & batch.Z.any(axis=1))
    terms[known, batch.Y[known].argmax(axis=1), batch.Z[known].argmax(axis=1)] = 1.0
    return terms


ANSWERS = Count(
    "answers", _answer_terms, ("labels", "labels"), needs_classes=True, has_curve=False, lacking=BASELINES.lacking
)
"""Rows of each class by what was answered, the confusion matrix; those without an answer are in none of its cells."""
RECENT = 500
"""Of so many of the latest rows it is kept what was answered."""


class Recent(NamedTuple):
    """What was answered to the latest rows, in order.

    Attributes
    ----------
    own, answer
        Place of each row's class, and of its answer, int16 (n,); -1: not known, not answered.
    score
        What the answer was given, float32 (n,); NaN where there are no scores.
    """

    own: np.ndarray
    answer: np.ndarray
    score: np.ndarray

    @classmethod
    def of(cls, own: Any, answer: Any, score: Any) -> Recent:
        """Return these, as arrays of its own."""
        return cls(np.array(own, np.int16), np.array(answer, np.int16), np.array(score, np.float32))

    def after(self, batch: Batch) -> Recent:
        """Return it after some rows; of all of them, the last 500."""
        own, answer = (np.where(each.any(axis=1), each.argmax(axis=1), -1) for each in (batch.Y, batch.Z))
        score = np.full(len(own), np.nan)
        if batch.scores is not None:
            score = np.where(answer >= 0, batch.scores[np.arange(len(own)), answer], np.nan)
        pairs = zip(self, (own, answer, score), strict=True)
        return Recent.of(*(np.concatenate(pair)[-RECENT:] for pair in pairs))


def _accuracy(counts: Counts, zero_division: float) -> float:
    return ratio(counts.total("exact"), counts.n, zero_division)


def _better_than(counts: Counts, expected: float, zero_division: float) -> float:
    """Return the accuracy above one that is expected, as a share of what is above that."""
    if counts.n == 0.0:
        return zero_division
    return ratio(counts.total("exact") / counts.n - expected, 1.0 - expected, 0.0)


def _kappa(counts: Counts, zero_division: float) -> float:
    chance = float(((counts.tp + counts.fn) * (counts.tp + counts.fp)).sum())
    return _better_than(counts, ratio(chance, counts.n**2, 0.0), zero_division)


def _kappa_t(counts: Counts, zero_division: float) -> float:
    return _better_than(counts, ratio(counts.extra[BASELINES.name][0], counts.n, 0.0), zero_division)


def _kappa_m(counts: Counts, zero_division: float) -> float:
    return _better_than(counts, ratio(counts.extra[BASELINES.name][1], counts.n, 0.0), zero_division)


def _recalls(counts: Counts) -> np.ndarray:
    """Return the recall of each class that came."""
    came = counts.tp + counts.fn
    return counts.tp[came > 0] / came[came > 0]


def _balanced_accuracy(counts: Counts, zero_division: float) -> float:
    return mean(_recalls(counts), zero_division)


def _g_mean(counts: Counts, zero_division: float) -> float:
    recalls = _recalls(counts)
    if not len(recalls):
        return zero_division
    return math.exp(np.log(recalls).mean()) if recalls.all() else 0.0


def shares_of_answers(counts: Counts) -> np.ndarray:
    """Return how the rows of each class were answered, (classes, classes + 1): shares; the last has no answer.

    The rows of a class that has not come are 0. ``counts`` have ``ANSWERS``.
    """
    answers, rows = counts.extra[ANSWERS.name], counts.tp + counts.fn
    none = np.maximum(rows - answers.sum(axis=1), 0.0)
    return np.column_stack([answers, none]) / np.where(rows > 0.0, rows, np.inf)[:, None]


DEPENDENCE, STREAMS = ("zliobaite2015evaluation",), ("bifet2015efficient",)
OF_CLASSES = (BASELINES,)
"""What says of counts that they are of classes."""

BY_CLASSES = (
    Measure(
        "accuracy",
        "Accuracy",
        "share of the rows whose class is answered; a row without an answer is wrong",
        "example",
        _accuracy,
        counts=OF_CLASSES,
    ),
    Measure(
        "kappa",
        "Kappa",
        "(a - e) / (1 - e), a the accuracy, e what answers as frequent as these would have by chance",
        "example",
        _kappa,
        range=(-1.0, 1.0),
        counts=OF_CLASSES,
        papers=("cohen1960coefficient",),
    ),
    Measure(
        "kappa_t",
        "Kappa temporal",
        "(a - e) / (1 - e), a the accuracy, e that of no-change; below 0: no-change is better",
        "example",
        _kappa_t,
        range=(-1.0, 1.0),
        counts=OF_CLASSES,
        papers=DEPENDENCE,
    ),
    Measure(
        "kappa_m",
        "Kappa M",
        "(a - e) / (1 - e), a the accuracy, e that of the most frequent class so far; below 0: that is better",
        "example",
        _kappa_m,
        range=(-1.0, 1.0),
        counts=OF_CLASSES,
        papers=STREAMS,
    ),
    Measure(
        "balanced_accuracy",
        "Balanced accuracy",
        "mean over the classes that came of the share of their rows that is right",
        "macro",
        _balanced_accuracy,
        counts=OF_CLASSES,
        papers=("brodersen2010balanced",),
    ),
    Measure(
        "g_mean",
        "G-mean",
        "geometric mean over the classes that came of the share of their rows that is right",
        "macro",
        _g_mean,
        counts=OF_CLASSES,
        papers=("kubat1997addressing",),
    ),
)
"""Measures of classes.

They are River's ``Accuracy``, ``CohenKappa``, ``BalancedAccuracy`` and ``GeometricMean`` but for rows without an
answer, which River leaves out and which are wrong here. The rows of no-change and of the most frequent class are those
of the stream in its order, from the first one counted on; the first row has no class before it.
"""
