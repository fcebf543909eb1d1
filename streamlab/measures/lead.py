"""Whether one learner is ahead of another: a difference that its own noise does not cover."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["Difference", "difference_of"]

CONFIDENCE = 0.95
FEWEST = 5
"""Blocks that a noise is judged by at least: with fewer, the first rows of learners that know nothing yet decide."""


class Difference(NamedTuple):
    """The mean of paired differences with its interval.

    Parameters
    ----------
    n
        Blocks in which both have a value.
    mean, low, high
        The mean and the ends of its 95 % interval; the ends are NaN of less than two blocks, all of none.

    Examples
    --------
    >>> found = Difference(5, 0.04, 0.01, 0.07)
    >>> found.low > 0
    True
    """

    n: int
    mean: float
    low: float
    high: float

    @property
    def is_known(self) -> bool:
        """Whether there are blocks enough to judge."""
        return self.n >= FEWEST

    @property
    def sign(self) -> int:
        """1 or -1 where the interval lies on one side of 0; 0: level, or not known."""
        return int(self.is_known) * (int(self.low > 0) - int(self.high < 0))


def difference_of(first: ArrayLike, second: ArrayLike) -> Difference:
    """Return how far ``first`` is above ``second`` in the mean, from values of the same blocks of rows.

    Both learners answered the same rows, so what makes a block hard cancels in the difference. The means of blocks
    (chunks of a run) are taken for independent: the method of batch means (Law, Simulation Modeling and Analysis,
    2015, section 9.5.3), with Student's t for their few.

    Parameters
    ----------
    first, second
        A measure by block, of one length; a block in which one of them is NaN is left out.

    Raises
    ------
    ValueError
        If they differ in length.

    Examples
    --------
    >>> difference_of([0.6, 0.7, 0.5, 0.6, 0.6], [0.5, 0.6, 0.4, 0.4, 0.5]).sign
    1
    >>> difference_of([0.6, 0.7, 0.5, 0.6, 0.6], [0.7, 0.5, 0.6, 0.6, 0.5]).sign
    0
    """
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if one.shape != other.shape or one.ndim != 1:
        raise ValueError(f"first has the shape {one.shape}, second {other.shape}; expected two of one length")
    apart = (one - other)[~np.isnan(one - other)]
    n = len(apart)
    mean = float(apart.mean()) if n else math.nan
    if n < 2:
        return Difference(n, mean, math.nan, math.nan)
    reach = float(quantile(n)) * float(apart.std(ddof=1)) / math.sqrt(n)
    return Difference(n, mean, mean - reach, mean + reach)


def quantile(n: ArrayLike) -> np.ndarray:
    """Return Student's quantile of the two-sided 95 % interval of a mean of ``n`` values, each at least 2."""
    # it takes a tenth of a second of every process that imports the measures
    from scipy.special import stdtrit

    return stdtrit(np.asarray(n, np.float64) - 1, 0.5 + CONFIDENCE / 2)
