"""How far a curve fell after a drift, and how much of that it won back."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["Fall", "fall_after"]

LEAST = 3
"""Points before a drift without which a curve has no level."""


@dataclass(frozen=True)
class Fall:
    """What a drift did to a curve.

    Parameters
    ----------
    level, spread
        Median of the curve's points before the drift, and their interquartile range divided by 1.349, which is the
        standard deviation of normal points. The bad first answers of a new learner count in neither.
    worst
        Its worst point since.
    now
        The mean of its latest points, from the worst on.
    higher_is_better
        False for a loss, whose fall is a rise.
    """

    level: float
    spread: float
    worst: float
    now: float
    higher_is_better: bool = True

    @property
    def lost(self) -> float:
        """By how much the worst point is worse than the level; 0 if none is worse."""
        return max(0.0, self.level - self.worst if self.higher_is_better else self.worst - self.level)

    @property
    def won_back(self) -> float:
        """How much of it the latest points have again: from 0 to what was lost."""
        gain = self.now - self.worst if self.higher_is_better else self.worst - self.now
        return min(max(0.0, gain), self.lost)

    @property
    def is_harm(self) -> bool:
        """Whether the curve fell by more than twice its spread before: else it was not affected."""
        return self.lost > max(2.0 * self.spread, 1e-9)


def fall_after(
    positions: ArrayLike,
    values: ArrayLike,
    start: int,
    *,
    before: int = 2000,
    until: int | None = None,
    latest: int = 2,
    higher_is_better: bool = True,
) -> Fall | None:
    """Return how far a curve fell after a drift, and how much it won back.

    Parameters
    ----------
    positions, values
        The curve: instances up to each point, rising, and the measure there; NaN where there is none.
    start
        Where the drift begins.
    before
        Instances over which the level is taken. Default 2,000.
    until
        Look no further, as there the next drift begins; None: to the curve's end.
    latest
        How many points are the latest ones. Default 2.
    higher_is_better
        False for a loss.

    Returns
    -------
    Fall or None
        None with fewer than three points before the drift, or none after.

    Raises
    ------
    ValueError
        If the arrays differ in length.

    Examples
    --------
    >>> fall = fall_after([100, 200, 300, 400, 500, 600], [0.8, 0.8, 0.8, 0.3, 0.5, 0.7], 300, latest=1)
    >>> round(fall.lost, 2), round(fall.won_back, 2), fall.is_harm
    (0.5, 0.4, True)
    """
    where, curve = np.asarray(positions, np.int64), np.asarray(values, np.float64)
    if where.shape != curve.shape or where.ndim != 1:
        raise ValueError(f"positions has the shape {where.shape}, values {curve.shape}; expected two of one length")
    known = ~np.isnan(curve)
    where, curve = where[known], curve[known]
    old = curve[(where <= start) & (where > start - before)]
    new = curve[(where > start) & (where <= (math.inf if until is None else until))]
    if len(old) < LEAST or not len(new):
        return None
    at = int(np.argmin(new) if higher_is_better else np.argmax(new))
    now = float(new[max(at, len(new) - latest) :].mean())
    quarter, level, three_quarters = np.quantile(old, (0.25, 0.5, 0.75)).tolist()
    return Fall(level, (three_quarters - quarter) / 1.349, float(new[at]), now, higher_is_better)
