"""Measures of label sets: over examples, over all decisions, and over the labels; a table of the labels."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from streamlab.measures.counts import Counts
from streamlab.measures.measure import Measure, check_zero_division, mean, ratio, ratios

__all__ = ["BY_LABEL_SETS", "per_label"]


def per_label(
    counts: Counts, labels: Sequence[str] | None = None, *, zero_division: float = 0.0
) -> dict[str, np.ndarray | list[str]]:
    """Precision, recall, F1 and support of each label, as the columns of a table.

    Parameters
    ----------
    counts
        Of any instances.
    labels
        Names of the labels; None leaves the column ``label`` out.
    zero_division
        The value of 0/0, 0.0 or 1.0.

    Returns
    -------
    dict
        ``label`` (list), ``precision``, ``recall``, ``f1``, ``support`` (instances that have it) and ``predicted``
        (instances predicted to), arrays of shape (n_labels,), float64. ``pandas.DataFrame`` takes it as it is.

    Raises
    ------
    ValueError
        If ``labels`` are not as many as ``counts`` have, or ``zero_division`` is neither 0.0 nor 1.0.

    Examples
    --------
    >>> counts = Counts.zeros(2).count([[1, 0], [1, 1]], [[1, 0], [0, 1]])
    >>> table = per_label(counts, ["rock", "jazz"])
    >>> table["label"], table["recall"].tolist(), table["support"].tolist()
    (['rock', 'jazz'], [0.5, 1.0], [2.0, 1.0])
    """
    zero_division = check_zero_division(zero_division)
    table: dict[str, np.ndarray | list[str]] = {}
    if labels is not None:
        if len(labels) != counts.n_labels:
            raise ValueError(f"labels has {len(labels)} names; the counts are of {counts.n_labels} labels")
        table["label"] = list(labels)
    table["precision"] = _label_precision(counts, zero_division)
    table["recall"] = _label_recall(counts, zero_division)
    table["f1"] = _label_f1(counts, zero_division)
    table["support"] = counts.tp + counts.fn
    table["predicted"] = counts.tp + counts.fp
    return table


def _label_precision(counts: Counts, zero_division: float) -> np.ndarray:
    return ratios(counts.tp, counts.tp + counts.fp, zero_division)


def _label_recall(counts: Counts, zero_division: float) -> np.ndarray:
    return ratios(counts.tp, counts.tp + counts.fn, zero_division)


def _label_f1(counts: Counts, zero_division: float) -> np.ndarray:
    return ratios(2.0 * counts.tp, 2.0 * counts.tp + counts.fp + counts.fn, zero_division)


def _subset_accuracy(counts: Counts, zero_division: float) -> float:
    return ratio(counts.total("exact"), counts.n, zero_division)


def _hamming_loss(counts: Counts, zero_division: float) -> float:
    return ratio(counts.total("wrong"), counts.n * counts.n_labels, 0.0)


def _example_mean(term: str) -> Callable[[Counts, float], float]:
    def value(counts: Counts, zero_division: float) -> float:
        total = counts.total(term) + zero_division * counts.total(f"no_{term}")
        return ratio(total, counts.n, zero_division)

    return value


def _micro_precision(counts: Counts, zero_division: float) -> float:
    tp, fp, _ = counts.per_label.sum(axis=1)
    return ratio(tp, tp + fp, zero_division)


def _micro_recall(counts: Counts, zero_division: float) -> float:
    tp, _, fn = counts.per_label.sum(axis=1)
    return ratio(tp, tp + fn, zero_division)


def _micro_f1(counts: Counts, zero_division: float) -> float:
    tp, fp, fn = counts.per_label.sum(axis=1)
    return ratio(2.0 * tp, 2.0 * tp + fp + fn, zero_division)


def _macro_mean(of_labels: Callable[[Counts, float], np.ndarray]) -> Callable[[Counts, float], float]:
    def value(counts: Counts, zero_division: float) -> float:
        return mean(of_labels(counts, zero_division), zero_division)

    return value


def _macro_f1_of_means(counts: Counts, zero_division: float) -> float:
    if counts.n_labels == 0:
        return zero_division
    precision = mean(_label_precision(counts, zero_division), zero_division)
    recall = mean(_label_recall(counts, zero_division), zero_division)
    # Both 0 is no 0/0 to be filled: every label was decided wrongly.
    return ratio(2.0 * precision * recall, precision + recall, 0.0)


REVIEW = ("zhang2014review",)
"""Where measures of label sets are defined as they are here."""

BY_LABEL_SETS = (
    Measure(
        "subset_accuracy",
        "Subset accuracy",
        "share of the instances with Z = Y",
        "example",
        _subset_accuracy,
        papers=REVIEW,
    ),
    Measure(
        "hamming_loss",
        "Hamming loss",
        "labels wrongly predicted or missed, divided by instances * L",
        "example",
        _hamming_loss,
        higher_is_better=False,
        papers=(*REVIEW, "schapire2000boostexter"),
    ),
    Measure(
        "example_precision",
        "Precision (examples)",
        "mean over the instances of |Y ∩ Z| / |Z|",
        "example",
        _example_mean("precision"),
        papers=REVIEW,
    ),
    Measure(
        "example_recall",
        "Recall (examples)",
        "mean over the instances of |Y ∩ Z| / |Y|",
        "example",
        _example_mean("recall"),
        papers=REVIEW,
    ),
    Measure(
        "example_f1",
        "F1 (examples)",
        "mean over the instances of 2 |Y ∩ Z| / (|Y| + |Z|)",
        "example",
        _example_mean("f1"),
        papers=REVIEW,
    ),
    Measure(
        "micro_precision",
        "Precision (micro)",
        "tp / (tp + fp), each summed over the labels",
        "micro",
        _micro_precision,
        papers=REVIEW,
    ),
    Measure(
        "micro_recall",
        "Recall (micro)",
        "tp / (tp + fn), each summed over the labels",
        "micro",
        _micro_recall,
        papers=REVIEW,
    ),
    Measure(
        "micro_f1",
        "F1 (micro)",
        "2 tp / (2 tp + fp + fn), each summed over the labels",
        "micro",
        _micro_f1,
        papers=REVIEW,
    ),
    Measure(
        "macro_precision",
        "Precision (macro)",
        "mean over the labels of tp / (tp + fp)",
        "macro",
        _macro_mean(_label_precision),
        papers=REVIEW,
    ),
    Measure(
        "macro_recall",
        "Recall (macro)",
        "mean over the labels of tp / (tp + fn)",
        "macro",
        _macro_mean(_label_recall),
        papers=REVIEW,
    ),
    Measure(
        "macro_f1",
        "F1 (macro)",
        "mean over the labels of 2 tp / (2 tp + fp + fn), 0 for one in no row and no answer",
        "macro",
        _macro_mean(_label_f1),
        papers=REVIEW,
    ),
    Measure(
        "macro_f1_of_means",
        "F1 of macro precision and recall",
        "harmonic mean of macro precision and macro recall",
        "macro",
        _macro_f1_of_means,
        papers=("opitz2019macro",),
    ),
)
"""Measures of label sets.

Sources: equations 17-19 and section 4.1.3 of the MLHAT paper (in whose example-based measures a union is misprinted for
the intersection), section IV-A of SMART for ``micro_f1``. ``macro_f1`` is River's; the MLHAT paper's wording gives
``macro_f1_of_means``.
"""
