"""What a drift cost: whether a curve fell by more than it varied before, what was lost, and when it was back."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from streamlab.measures.detection import cut_at

__all__ = ["Harm", "harm_of"]

SPREADS = 3.0
"""Spreads before a drift that a fall has to be larger than: so of 2,000 curves of independent points without drift, 30
of them after, 1.2 % are said to be harmed with 20 points before, 4 % with 12, 7.5 % with 8."""
NORMAL = 1.4826
"""Standard deviation of a normal distribution, by its median absolute deviation."""
IN_A_ROW = 3
"""Points that are averaged: one chunk alone is low by chance now and then."""


@dataclass(frozen=True)
class Harm:
    """What a drift did to a curve.

    Parameters
    ----------
    level
        Median of the curve's points before the drift; NaN if there are none, or none after.
    spread
        Standard deviation of these points, from their median absolute deviation; 0 for a single one.
    fell
        How far the curve fell below its level, or for a loss rose above it, at its worst: three points together.
    won_back
        How much of that the curve has again with its latest three points: from 0 to ``fell``.
    is_harmed
        Whether it fell by more than three spreads.
    lost
        Area between level and curve from the drift until the curve was back, or to the end: the measure times rows. 0
        without harm.
    recovery_time
        Rows from the drift until the curve was back within three spreads of its level, three points together; infinite
        if it was not, NaN without harm.

    Examples
    --------
    >>> harm = harm_of(range(100, 1100, 100), [0.6] * 5 + [0.2] * 3 + [0.6] * 2, 500)
    >>> harm.is_harmed, round(harm.fell, 3)
    (True, 0.4)
    """

    level: float
    spread: float
    fell: float
    won_back: float
    is_harmed: bool
    lost: float
    recovery_time: float


def harm_of(
    positions: ArrayLike,
    values: ArrayLike,
    start: int,
    *,
    before: int = 2000,
    until: int | None = None,
    higher_is_better: bool = True,
) -> Harm:
    """Return what a drift did to a curve.

    A fall counts as harm only if it is larger than what the curve varied by before: otherwise a learner that was never
    affected, because it answers the same before and after, would be said to recover at once.

    Parameters
    ----------
    positions, values
        The curve: rows up to each point, rising, and the measure there.
    start
        Where the drift begins.
    before
        Rows over which level and spread are taken. Default 2,000.
    until
        Look no further, as there the next drift begins; None: to the curve's end.
    higher_is_better
        False for a loss.

    Raises
    ------
    ValueError
        If the arrays differ in length.

    Examples
    --------
    >>> harm = harm_of([100, 200, 300, 400, 500, 600], [0.8, 0.8, 0.2, 0.5, 0.8, 0.8], 200)
    >>> harm.is_harmed, round(harm.lost, 1), harm.recovery_time
    (True, 90.0, 300.0)
    >>> round(harm.fell, 2), round(harm.won_back, 2)
    (0.3, 0.2)
    >>> harm_of([100, 200, 300, 400], [0.30, 0.34, 0.29, 0.33], 200).is_harmed
    False
    """
    old, new, when = cut_at(positions, values, start, before, until)
    when = when[~np.isnan(new)]
    sign = 1.0 if higher_is_better else -1.0
    old, new = sign * old[~np.isnan(old)], sign * new[~np.isnan(new)]
    if not len(old) or not len(new):
        return Harm(math.nan, math.nan, math.nan, math.nan, False, 0.0, math.nan)
    # medians: a curve that still rose from nothing has a level all the same
    level = float(np.median(old))
    spread = NORMAL * float(np.median(np.abs(old - level)))
    n = min(IN_A_ROW, len(new))
    together = np.convolve(new, np.ones(n) / n, "valid")
    worst = int(np.argmin(together))
    fell = max(level - float(together[worst]), 0.0)
    won_back = min(max(float(together[-1] - together[worst]), 0.0), fell)
    bound = SPREADS * spread
    # so that equal numbers are equal: a curve that does not vary is harmed by any fall that is more than rounding
    is_harmed = fell > bound + 1e-12
    if not is_harmed:
        return Harm(sign * level, spread, fell, won_back, False, 0.0, math.nan)
    floor = level - bound - 1e-12
    low = int(np.argmax(together < floor))
    low += int(np.argmax(new[low:] < floor))
    ends = (i for i in range(low + 1, len(new)) if new[i] >= floor and new[i : i + IN_A_ROW].mean() >= floor)
    end = next(ends, len(new))
    widths = np.diff(when, prepend=start)
    lost = float(((level - new) * widths)[:end].sum())
    time = float(when[end] - start) if end < len(new) else math.inf
    return Harm(sign * level, spread, fell, won_back, True, max(lost, 0.0), time)
