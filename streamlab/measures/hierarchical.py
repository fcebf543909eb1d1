"""Hierarchical precision, recall and F, over all levels and at each, and at which level an answer first goes wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab._checks import checked_number
from streamlab.measures import _kernels
from streamlab.measures.batch import Batch, Count
from streamlab.measures.counts import Counts
from streamlab.measures.measure import Measure, check_zero_division, ratio, ratios
from streamlab.schema import Hierarchy

__all__ = [
    "BY_HIERARCHY",
    "LEVELS",
    "LEVEL_TERMS",
    "hierarchical_f",
    "hierarchical_precision",
    "hierarchical_recall",
    "hierarchical_scores",
    "per_level",
]

LEVEL_TERMS = ("hits", "predicted", "true", "first_wrong")
"""What is summed at each level of a hierarchy, in the order of the columns of the count ``LEVELS``.

All label sets with their ancestors: labels of the level that are ``true``, ``predicted``, both (``hits``), and
``first_wrong`` instances whose sets are equal above the level and differ at it.
"""


def _level_terms(batch: Batch) -> np.ndarray:
    hierarchy = batch.hierarchy
    assert hierarchy is not None  # needs_hierarchy
    first, above, depth = hierarchy.lines
    terms = np.empty((len(batch), hierarchy.n_levels, len(LEVEL_TERMS)))
    _kernels.level_terms(batch.Y, batch.Z, first, above, depth, terms)
    return terms


LEVELS = Count(
    "levels",
    _level_terms,
    ("levels", len(LEVEL_TERMS)),
    needs_hierarchy=True,
    lacking="a hierarchy of the labels, and there is none",
)
"""The sums named by ``LEVEL_TERMS`` at each level of a hierarchy, the top one first."""


def hierarchical_precision(counts: Counts, zero_division: float = 0.0) -> float:
    """hP = Σ|Y ∩ Z| / Σ|Z|, label sets with their ancestors, without the root.

    Parameters
    ----------
    counts
        Of any instances, with levels.
    zero_division
        The value where nothing is predicted.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the counts have no levels.

    Examples
    --------
    >>> tree = Hierarchy((-1, 0, 0))
    >>> counts = Counts.zeros(3, [LEVELS], n_levels=2).count([[1, 1, 0]], [[1, 0, 1]], hierarchy=tree)
    >>> hierarchical_precision(counts)
    0.5
    """
    hits, predicted, _, _ = _levels(counts).sum(axis=0)
    return ratio(hits, predicted, zero_division)


def hierarchical_recall(counts: Counts, zero_division: float = 0.0) -> float:
    """hR = Σ|Y ∩ Z| / Σ|Y|, label sets with their ancestors, without the root.

    Parameters
    ----------
    counts
        Of any instances, with levels.
    zero_division
        The value where nothing is true.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If the counts have no levels.

    Examples
    --------
    >>> tree = Hierarchy((-1, 0, 0))
    >>> counts = Counts.zeros(3, [LEVELS], n_levels=2).count([[1, 1, 0]], [[1, 0, 1]], hierarchy=tree)
    >>> hierarchical_recall(counts)
    0.5
    """
    hits, _, true, _ = _levels(counts).sum(axis=0)
    return ratio(hits, true, zero_division)


def hierarchical_f(counts: Counts, zero_division: float = 0.0, *, beta: float = 1.0) -> float:
    """hF = (β² + 1) hP hR / (β² hP + hR).

    Parameters
    ----------
    counts
        Of any instances, with levels.
    zero_division
        The value where nothing is true and nothing predicted.
    beta
        How much more recall weighs than precision, 0 or more.

    Raises
    ------
    ValueError
        If ``beta`` is negative or not finite, or the counts have no levels.

    References
    ----------
    Kiritchenko, Matwin, Famili: "Functional annotation of genes using hierarchical text categorization", 2005;
    Parmezan, Souza, Batista: "Towards hierarchical classification of data streams", CIARP 2018, equations 1 to 3.

    Examples
    --------
    >>> tree = Hierarchy((-1, 0, 0))
    >>> counts = Counts.zeros(3, [LEVELS], n_levels=2).count([[1, 1, 0]], [[1, 0, 1]], hierarchy=tree)
    >>> hierarchical_f(counts)
    0.5
    """
    checked_number("beta", beta)
    hits, predicted, true, _ = _levels(counts).sum(axis=0)
    # the same quotient with hP and hR written out, defined also where one of them is 0/0
    return ratio((beta**2 + 1.0) * hits, beta**2 * true + predicted, zero_division)


def hierarchical_scores(
    Y: Any, Z: Any, hierarchy: Hierarchy, *, beta: float = 1.0, zero_division: float = 0.0
) -> dict[str, float]:
    """hP, hR and hF of arrays of label sets.

    Parameters
    ----------
    Y, Z
        Arrays of shape (n, n_labels), of 0 and 1: true and predicted labels; ancestors are added.
    hierarchy
        That of the labels.
    beta, zero_division
        As in ``hierarchical_f``.

    Returns
    -------
    dict
        ``hierarchical_precision``, ``hierarchical_recall``, ``hierarchical_f``.

    Raises
    ------
    ValueError
        As ``Batch`` and ``hierarchical_f`` say.

    Examples
    --------
    >>> tree = Hierarchy((-1, 0, 0))
    >>> hierarchical_scores([[1, 1, 0]], [[1, 0, 1]], tree)["hierarchical_f"]
    0.5
    """
    zero_division = check_zero_division(zero_division)
    counts = Counts.zeros(len(hierarchy), (LEVELS,), n_levels=hierarchy.n_levels).count(Y, Z, hierarchy=hierarchy)
    return {
        "hierarchical_precision": hierarchical_precision(counts, zero_division),
        "hierarchical_recall": hierarchical_recall(counts, zero_division),
        "hierarchical_f": hierarchical_f(counts, zero_division, beta=beta),
    }


def level_values(levels: np.ndarray, n: np.ndarray | float, zero_division: float = 0.0) -> dict[str, np.ndarray]:
    """What ``per_level`` gives, from arrays of sums.

    Parameters
    ----------
    levels
        Shape (..., n_levels, 4), as the count ``LEVELS``.
    n
        Number of instances, of the leading shape.
    zero_division
        The value of 0/0.
    """
    hits, predicted, true, wrong = (levels[..., j] for j in range(4))
    whole = np.broadcast_to(np.asarray(n, np.float64)[..., None], wrong.shape)
    return {
        "precision": ratios(hits, predicted, zero_division),
        "recall": ratios(hits, true, zero_division),
        "f1": ratios(2.0 * hits, predicted + true, zero_division),
        "first_wrong": ratios(wrong, whole, 0.0),
    }


def per_level(counts: Counts, *, zero_division: float = 0.0) -> dict[str, np.ndarray]:
    """Precision, recall, F1 and first errors at each level of the hierarchy, as the columns of a table.

    Parameters
    ----------
    counts
        Of any instances, with levels.
    zero_division
        The value of 0/0, 0.0 or 1.0.

    Returns
    -------
    dict
        ``level`` (from 0, the top), ``precision``, ``recall``, ``f1`` of the labels of the level, ``first_wrong`` the
        share of all instances that are right above the level and wrong at it, ``support`` labels true there. The shares
        of first errors and the exact instances add up to 1.

    Raises
    ------
    ValueError
        If the counts have no levels, or ``zero_division`` is neither 0.0 nor 1.0.

    Examples
    --------
    >>> tree = Hierarchy((-1, 0, 0))
    >>> counts = Counts.zeros(3, [LEVELS], n_levels=2).count([[1, 1, 0]], [[1, 0, 1]], hierarchy=tree)
    >>> per_level(counts)["f1"].tolist(), per_level(counts)["first_wrong"].tolist()
    ([1.0, 0.0], [0.0, 1.0])
    """
    zero_division = check_zero_division(zero_division)
    levels = _levels(counts)
    table = {"level": np.arange(len(levels))}
    return table | level_values(levels, counts.n, zero_division) | {"support": levels[:, 2].copy()}


def _levels(counts: Counts) -> np.ndarray:
    if LEVELS.name not in counts.extra:
        raise ValueError("the counts have no levels: count with a hierarchy")
    return counts.extra[LEVELS.name]


PAPERS = ("kiritchenko2005functional", "parmezan2019hierarchical")

BY_HIERARCHY = (
    Measure(
        "hierarchical_precision",
        "Hierarchical precision",
        "sum of |Y ∩ Z| / sum of |Z| over the instances, Y and Z with their ancestors",
        "micro",
        hierarchical_precision,
        counts=(LEVELS,),
        papers=PAPERS,
    ),
    Measure(
        "hierarchical_recall",
        "Hierarchical recall",
        "sum of |Y ∩ Z| / sum of |Y| over the instances, Y and Z with their ancestors",
        "micro",
        hierarchical_recall,
        counts=(LEVELS,),
        papers=PAPERS,
    ),
    Measure(
        "hierarchical_f1",
        "Hierarchical F1",
        "harmonic mean of hierarchical precision and recall",
        "micro",
        hierarchical_f,
        counts=(LEVELS,),
        papers=PAPERS,
    ),
)
"""Measures of label sets with their ancestors; sources: see ``hierarchical_f``."""
