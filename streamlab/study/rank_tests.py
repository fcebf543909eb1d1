"""Tests on average ranks: do the learners differ at all, and by how many ranks must two of them (Demšar, 2006).

A stream is a block: in each the learners are ranked, 1 is best, and equals share the mean of their ranks. Everything
here is relative to who takes part: another learner in the table changes all ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from streamlab._checks import checked_choice, checked_number

__all__ = [
    "Friedman",
    "bonferroni_dunn",
    "bonferroni_dunn_distance",
    "friedman",
    "groups_within",
    "nemenyi",
    "nemenyi_distance",
    "rank_streams",
]


def rank_streams(scores: pd.DataFrame, *, higher_is_better: bool = True) -> pd.DataFrame:
    """Rank the learners in each stream: 1 is the best, equals share the mean of their ranks.

    Parameters
    ----------
    scores
        A row for each stream, a column for each learner; NaN did not finish, and ranks last (several share the rank).
    higher_is_better
        False for a loss, seconds or bytes.

    Returns
    -------
    pandas.DataFrame
        As ``scores``; each row sums to k (k + 1) / 2 with k learners.

    Examples
    --------
    >>> import pandas as pd
    >>> rank_streams(pd.DataFrame({"A": [0.5, 0.7], "B": [0.5, None], "C": [0.2, None]}, index=["one", "two"]))
           A    B    C
    one  1.5  1.5  3.0
    two  1.0  2.5  2.5
    """
    costs = scores.to_numpy(dtype=float) * (-1.0 if higher_is_better else 1.0)
    ranks = stats.rankdata(np.where(np.isnan(costs), np.inf, costs), axis=1)
    return pd.DataFrame(ranks, index=scores.index, columns=scores.columns)


class Friedman(NamedTuple):
    """What Friedman's test says of a table of ranks: whether at least two learners differ.

    Attributes
    ----------
    learners
        How many took part, k.
    streams
        How many blocks, N.
    chi2
        Friedman's χ², corrected for ties.
    p
        Of ``chi2``, with k − 1 degrees of freedom.
    chi2_plain
        χ² without the correction, as scmamp in R gives it and the MLHAT paper prints.
    p_plain
        Of ``chi2_plain``.
    F
        Iman and Davenport's F of ``chi2_plain``, less cautious than χ².
    p_F
        Of ``F``, with k − 1 and (k − 1)(N − 1) degrees of freedom.

    Examples
    --------
    >>> import pandas as pd
    >>> test = friedman(pd.DataFrame({"A": [1, 1, 1, 2], "B": [2, 2, 3, 1], "C": [3, 3, 2, 3]}))
    >>> test.learners, test.streams, test.chi2, round(test.p, 3)
    (3, 4, 4.5, 0.105)
    """

    learners: int
    streams: int
    chi2: float
    p: float
    chi2_plain: float
    p_plain: float
    F: float
    p_F: float


def friedman(ranks: pd.DataFrame) -> Friedman:
    """Test whether all learners are equally good, from their ranks in each stream.

    Source: Friedman (1937), Iman and Davenport (1980), as in Demšar (2006), section 3.2.2.

    Parameters
    ----------
    ranks
        What ``rank_streams`` returns: at least two streams and two learners.

    Returns
    -------
    Friedman

    Raises
    ------
    ValueError
        If there are fewer, or a row does not sum to what ranks sum to.

    Examples
    --------
    >>> import pandas as pd
    >>> ranks = rank_streams(pd.DataFrame({"A": [0.9, 0.8, 0.7], "B": [0.5, 0.6, 0.4], "C": [0.1, 0.2, 0.3]}))
    >>> round(friedman(ranks).chi2, 2)
    6.0
    """
    table = ranks.to_numpy(dtype=float)
    n, k = _shape(table.shape[1], table.shape[0])
    wrong = ~np.isclose(table.sum(axis=1), k * (k + 1) / 2)
    if wrong.any():
        stream = ranks.index[int(wrong.argmax())]
        raise ValueError(
            f"the ranks of stream {stream!r} do not sum to {k * (k + 1) / 2:g}: expected rank_streams(scores)"
        )
    chi2 = max(0.0, 12 * n / (k * (k + 1)) * float((table.mean(axis=0) ** 2).sum() - k * (k + 1) ** 2 / 4))
    share = float(np.mean([stats.tiecorrect(row) for row in table]))
    # where all are equal in every stream there is nothing to correct, and nothing found
    corrected = chi2 / share if share > 1e-12 else 0.0
    left = n * (k - 1) - chi2
    F = (n - 1) * chi2 / left if left > 1e-9 else np.inf
    p_F = float(stats.f.sf(F, k - 1, (k - 1) * (n - 1)))
    return Friedman(
        k, n, corrected, float(stats.chi2.sf(corrected, k - 1)), chi2, float(stats.chi2.sf(chi2, k - 1)), F, p_F
    )


def _shape(k: int, n: int) -> tuple[int, int]:
    if k < 2:
        raise ValueError(f"{k} learners: expected at least 2 to compare")
    if n < 2:
        raise ValueError(f"{n} streams: expected at least 2, for a stream is a block of the tests and a seed is not")
    return n, k


def _standard_error(learners: int, streams: int) -> float:
    n, k = _shape(learners, streams)
    return float(np.sqrt(k * (k + 1) / (6 * n)))


def _level(alpha: float) -> float:
    return checked_number("alpha", alpha, 0, 1, above=True, below=True)


def nemenyi_distance(learners: int, streams: int, alpha: float = 0.05) -> float:
    """Return by how many average ranks two learners must differ, where all pairs are asked.

    Source: Nemenyi (1963), as in Demšar (2006), section 3.2.2.

    Parameters
    ----------
    learners, streams
        How many take part, at least 2 each.
    alpha
        Level over all pairs together.

    Raises
    ------
    ValueError
        If there are fewer, or ``alpha`` is not between 0 and 1.

    Examples
    --------
    >>> round(nemenyi_distance(17, 41, alpha=0.01), 3)
    4.365
    """
    q = stats.studentized_range.ppf(1.0 - _level(alpha), learners, np.inf)
    return _standard_error(learners, streams) * float(q) / float(np.sqrt(2.0))


def bonferroni_dunn_distance(learners: int, streams: int, alpha: float = 0.05) -> float:
    """Return by how many average ranks a learner must differ from a control that was chosen before.

    It is smaller than Nemenyi's distance, since k − 1 pairs are asked; between two other learners it says nothing.
    Source: Dunn (1961), as in Demšar (2006), section 3.2.2.

    Parameters
    ----------
    learners, streams
        How many take part, the control included, at least 2 each.
    alpha
        Level over all rivals together.

    Raises
    ------
    ValueError
        If there are fewer, or ``alpha`` is not between 0 and 1.

    Examples
    --------
    >>> round(bonferroni_dunn_distance(17, 41, alpha=0.01), 3)
    3.815
    """
    error = _standard_error(learners, streams)
    return error * float(stats.norm.isf(_level(alpha) / (2 * (learners - 1))))


def bonferroni_dunn(ranks: pd.Series, streams: int, control: str) -> pd.Series:
    """Test each learner's average rank against a control's.

    Parameters
    ----------
    ranks
        Average rank of each learner, by name.
    streams
        How many they are averages of.
    control
        The learner that the others are compared with.

    Returns
    -------
    pandas.Series
        p of each rival, adjusted for their number, in the order of ``ranks``.

    Raises
    ------
    ValueError
        If the control is not among the learners, or there are fewer than 2 learners or streams.

    Examples
    --------
    >>> import pandas as pd
    >>> bonferroni_dunn(pd.Series({"A": 1.2, "B": 1.9, "C": 2.9}), 20, "A").round(4).to_dict()
    {'B': 0.0537, 'C': 0.0}
    """
    checked_choice("control", control, ranks.index)
    rivals = ranks.drop(control)
    z = (rivals - ranks[control]).abs() / _standard_error(len(ranks), streams)
    return pd.Series(np.minimum(1.0, len(rivals) * 2 * stats.norm.sf(z)), index=rivals.index, name="p")


def nemenyi(ranks: pd.DataFrame) -> pd.DataFrame:
    """Test the average ranks of all pairs of learners (scikit-posthocs).

    Parameters
    ----------
    ranks
        What ``rank_streams`` returns: a cell that did not finish has its rank already, no stream is left out.

    Returns
    -------
    pandas.DataFrame
        p of each pair, adjusted for their number; 1 on the diagonal.

    Raises
    ------
    ImportError
        If scikit-posthocs is not installed (the ``study`` extra has it).

    Examples
    --------
    >>> import pandas as pd
    >>> scores = pd.DataFrame({"A": [0.9, 0.8, 0.7], "B": [0.5, 0.6, 0.8], "C": [0.1, 0.2, 0.3]})
    >>> round(float(nemenyi(rank_streams(scores)).loc["A", "C"]), 3)
    0.102
    """
    try:
        from scikit_posthocs import posthoc_nemenyi_friedman
    except ModuleNotFoundError as error:
        raise ImportError(f'Nemenyi\'s p takes scikit-posthocs ({error}): pip install "streamlab[study]"') from None
    found = posthoc_nemenyi_friedman(ranks.to_numpy(dtype=float))
    return pd.DataFrame(found.to_numpy(), index=ranks.columns, columns=ranks.columns)


def groups_within(ranks: pd.Series, distance: float) -> list[tuple[str, ...]]:
    """Return the largest groups of learners whose average ranks lie within a distance of each other.

    Parameters
    ----------
    ranks
        Average rank of each learner, by name.
    distance
        Ranks by which two must differ to be told apart.

    Returns
    -------
    list of tuple
        The names of each group of at least two, best first; groups may share learners.

    Examples
    --------
    >>> import pandas as pd
    >>> groups_within(pd.Series({"A": 1.0, "B": 2.1, "C": 2.9, "D": 5.0}), 1.5)
    [('A', 'B'), ('B', 'C')]
    """
    order = ranks.sort_values(kind="stable")
    values = order.to_numpy(dtype=float)
    ends = np.searchsorted(values, values + distance, side="left")
    return longest_runs(list(order.index), ends)


def longest_runs(names: Sequence[str], ends: Sequence[int] | np.ndarray) -> list[tuple[str, ...]]:
    """The runs ``names[i:ends[i]]`` of at least two names that lie in no other run."""
    runs, reached = [], 0
    for i, end in enumerate(ends):
        if end > reached and end - i > 1:
            runs.append(tuple(names[i : int(end)]))
        reached = max(reached, int(end))
    return runs
