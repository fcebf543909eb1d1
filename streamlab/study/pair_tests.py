"""Tests on the scores of two learners at a time: whether they differ, how sure that is, and whether it matters.

Unlike ranks they do not depend on who else is in the table (Benavoli, Corani and Mangili, 2016).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from streamlab._checks import checked_count, checked_number

__all__ = ["bayesian_signed_rank", "holm", "wilcoxon_holm"]

PRIOR = 0.5
"""The weight of the one pseudo-observation 0 that is added to the differences."""
MOST_EXACT = 50
"""Streams up to which p of the signed ranks is counted out."""


def wilcoxon(differences: np.ndarray) -> np.ndarray:
    """Return p of Wilcoxon's signed-rank test, two-sided, of each column of differences, shape [streams, pairs].

    Zeros are left out (Wilcoxon, 1945); exact up to 50 streams without zeros and ties, else by the normal distribution,
    its variance corrected for ties. Two learners that are equal in every stream have p = 1.

    Parameters
    ----------
    differences
        Score of the one minus score of the other, shape [streams, pairs].

    Examples
    --------
    >>> import numpy as np
    >>> wilcoxon(np.array([[0.1, 0.0], [0.2, 0.0], [0.3, 0.0], [0.5, 0.0], [0.7, 0.0]])).tolist()
    [0.0625, 1.0]
    """
    p = np.ones(differences.shape[1])
    for j, column in enumerate(differences.T):  # zeros and ties decide about the method, and each pair has its own
        if column.any():
            is_plain = column.all() and len(np.unique(np.abs(column))) == len(column) <= MOST_EXACT
            # scipy's own choice depends on its version
            p[j] = stats.wilcoxon(column, zero_method="wilcox", method="exact" if is_plain else "approx").pvalue
    return p


def least_p(n_streams: int, n_pairs: int) -> float:
    """Return the least p of Wilcoxon's test for one of some pairs, adjusted by Holm: all streams on one side.

    Examples
    --------
    >>> least_p(4, 6), least_p(8, 6)
    (0.75, 0.046875)
    """
    return min(1.0, n_pairs * 2.0 ** (1 - n_streams))


def signed_rank_sums(differences: np.ndarray) -> np.ndarray:
    """Return what Wilcoxon's test weighs of each column of differences: the ranks of those above 0 less the others'.

    Positive where the one is better by it, shape [pairs]; zeros are left out, ties share the mean of their ranks.

    Examples
    --------
    >>> import numpy as np
    >>> signed_rank_sums(np.array([[0.3], [0.2], [-0.1], [-0.1], [0.0]])).tolist()
    [4.0]
    """
    kept = [column[column != 0] for column in differences.T]
    return np.array([float(np.sign(each) @ stats.rankdata(np.abs(each))) if len(each) else 0.0 for each in kept])


def holm(p: np.ndarray | Sequence[float]) -> np.ndarray:
    """Adjust p values for their number, step by step down (Holm, 1979).

    Parameters
    ----------
    p
        Raw values, each of one test of the family, shape [m].

    Returns
    -------
    numpy.ndarray
        Adjusted values in the same order, at most 1, shape [m].

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    raw = np.asarray(p, dtype=float)
    order = raw.argsort(kind="stable")
    adjusted = np.empty(len(raw))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(raw[order] * np.arange(len(raw), 0, -1)))
    return adjusted


def wilcoxon_holm(
    scores: pd.DataFrame, pairs: Sequence[tuple[str, str]], *, higher_is_better: bool = True
) -> pd.DataFrame:
    """Test pairs of learners by Wilcoxon's signed ranks of their scores, adjusted by Holm for the number of pairs.

    Parameters
    ----------
    scores
        A row for each stream, a column for each learner, no cell missing.
    pairs
        The names of each pair; they are one family, whose number p is adjusted for.
    higher_is_better
        False for a loss, seconds or bytes.

    Returns
    -------
    pandas.DataFrame
        A row for each pair: ``learner``, ``rival``, ``wins``, ``ties`` and ``losses`` (streams in which the learner is
        better, equal, worse), ``median`` (of the differences; positive where the learner is better), ``rank_sum`` (of
        the differences' signed ranks, which the test weighs: its sign says who is better by it), ``p_raw``, ``p``.

    Raises
    ------
    ValueError
        If a cell is missing; names stream and learner.

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"A": [0.9, 0.8, 0.7, 0.6, 0.8], "B": [0.5, 0.6, 0.4, 0.5, 0.3]})
    >>> wilcoxon_holm(scores, [("A", "B")]).iloc[0].to_dict()["p"]
    0.0625
    """
    holes = np.argwhere(scores.isna().to_numpy())
    if len(holes):
        stream, learner = scores.index[holes[0, 0]], scores.columns[holes[0, 1]]
        raise ValueError(f"stream {stream!r}, learner {learner!r}: no score; expected one in each cell")
    firsts, seconds = [a for a, _ in pairs], [b for _, b in pairs]
    sign = 1.0 if higher_is_better else -1.0
    differences = sign * (scores[firsts].to_numpy(dtype=float) - scores[seconds].to_numpy(dtype=float))
    raw = wilcoxon(differences)
    return pd.DataFrame(
        {
            "learner": firsts,
            "rival": seconds,
            "wins": (differences > 0).sum(axis=0),
            "ties": (differences == 0).sum(axis=0),
            "losses": (differences < 0).sum(axis=0),
            "median": np.median(differences, axis=0),
            "rank_sum": signed_rank_sums(differences),
            "p_raw": raw,
            "p": holm(raw),
        }
    )


def bayesian_signed_rank(
    differences: np.ndarray | Sequence[float], *, rope: float = 0.01, draws: int = 50_000, seed: int = 1
) -> tuple[float, float, float]:
    """Return how probable it is that the one is better, that they are practically equal, and that the other is better.

    The differences, with one pseudo-observation 0 of weight .5, have Dirichlet weights. Each draw of the weights says
    which is likeliest of the mean of two differences: above ``rope``, within, or below; exactly at the border counts
    half. The answer is in how many draws each is; those that are equally likely share a draw. Source: Benavoli,
    Mangili, Corani, Zaffalon and Ruggeri (2014); Benavoli, Corani, Demšar and Zaffalon (2017), section 4.2.1.

    Parameters
    ----------
    differences
        Score of the one minus score of the other, of each stream, shape [streams]; positive where the one is better.
    rope
        Up to this difference two scores are practically equal, in units of the score.
    draws
        How many weights are drawn.
    seed
        Of the draws.

    Returns
    -------
    tuple of float
        The three probabilities, which sum to 1.

    Raises
    ------
    ValueError
        If there are no differences, one is not a number, ``rope`` is negative, or ``draws`` below 1.

    Examples
    --------
    >>> one_better, equal, other_better = bayesian_signed_rank([0.1, 0.05, 0.2, 0.08, -0.005, 0.12])
    >>> one_better > 0.9, round(one_better + equal + other_better, 9)
    (True, 1.0)
    """
    given = np.asarray(differences, dtype=float)
    if given.ndim != 1 or not len(given) or not np.isfinite(given).all():
        raise ValueError("differences: expected finite numbers, one for each stream, and at least one")
    checked_number("rope", rope)
    checked_count("draws", draws, 1)
    d = np.append(0.0, given)
    weights = np.random.default_rng(seed).dirichlet(np.append(PRIOR, np.ones(len(given))), draws)
    sums = d[:, None] + d

    def share(beyond: np.ndarray) -> np.ndarray:
        side = np.where(beyond == 0, 0.5, beyond > 0)
        return np.einsum("ij,ij->i", weights @ side, weights)

    better, worse = share(sums - 2 * rope), share(-sums - 2 * rope)
    shares = np.stack([better, 1.0 - better - worse, worse])
    largest = shares == shares.max(axis=0)
    above, within, below = ((largest / largest.sum(axis=0)).sum(axis=1) / draws).tolist()
    return above, within, below
