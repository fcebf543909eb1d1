"""What a drift did to a curve: whether it fell and came back, how long that took, what was lost, where it settled."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from streamlab._checks import checked_number

__all__ = ["Recovery", "recovery_of"]

SPREADS = 2.5
"""Spreads that a fall has to be larger than: so of 3,000 curves of independent points without drift, 20 of them after,
1.0 % are said to fall with 20 points before, 1.2 % with 12, 1.9 % with 8, and 1.8 % with 100 on both sides."""
NORMAL = 1.4826
"""Standard deviation of a normal distribution, by its median absolute deviation."""
TOGETHER = 3
"""Points of a window: one chunk alone is low by chance now and then."""
ERRORS = 2.0
"""Standard errors of a window that count as near, where 5 % are less: else chance would say when a curve stays."""
STAYS = 3
"""Windows, one after the other, in which a curve has to be at its level or plateau."""
LATEST = 10
"""Points before a drift that the level is taken of: those further back would hold a rising curve's level down."""
NEAR = 0.05
"""Share of its level by which a curve that is back may differ from it, where it varies less."""
LAST = 3
"""The plateau is taken of the last third of the points after a drift."""


@dataclass(frozen=True)
class Recovery:
    """What a drift did to a curve.

    Parameters
    ----------
    level
        The measure before the drift; NaN if there is no point before it, or none after.
    spread
        Standard deviation of a point, from the steps between points before the drift and between those after it, so
        that a curve which rises is not taken for one that varies; 0 without two points.
    low
        The measure at its worst in the rows after the drift, in a window of three points.
    plateau
        The measure that the curve comes to on the new concept: of the last third of its points.
    fell
        How far ``low`` is below ``level``, or for a loss above it; 0 where it is not.
    is_affected
        Whether the curve fell: by more than 5 % of its level, and more than it varied by before.
    time
        Rows from the drift until the curve stays at 95 % of its level before the drift, or as near as two standard
        errors of a window where it varies more; infinite where it has not recovered; NaN without a fall.
    lost
        Area between that level and the curve until then, or to the end: the measure times rows. 0 without a fall.
    settling_time, settling_loss
        The same by the curve's own ``plateau``, whatever that is worth: rows until it stays there, infinite where it
        does so only within the last third, as it may be rising still; and the area below the plateau until then.
    points
        Points after the drift.

    Examples
    --------
    >>> found = recovery_of(range(100, 2100, 100), [0.6] * 5 + [0.2] * 3 + [0.5] * 12, 500)
    >>> found.is_affected, found.time, round(found.lost)
    (True, inf, 240)
    >>> found.plateau, found.settling_time, round(found.settling_loss)
    (0.5, 400.0, 90)
    """

    level: float
    spread: float
    low: float
    plateau: float
    fell: float
    is_affected: bool
    time: float
    lost: float
    settling_time: float = math.nan
    settling_loss: float = 0.0
    points: int = 0

    @property
    def is_judged(self) -> bool:
        """Whether it may be said that the curve fell, or did not: that it did not shows from three points on."""
        return self.is_affected or self.points >= TOGETHER


def recovery_of(
    positions: ArrayLike,
    values: ArrayLike,
    start: int,
    *,
    before: int = 2000,
    since: int | None = None,
    until: int | None = None,
    share: float = 0.95,
    higher_is_better: bool = True,
) -> Recovery:
    """Return what a drift did to a curve.

    A curve recovers when it stays at ``share`` of its level before the drift. Where the new concept is harder, whoever
    answers it, hardly any does. One that never fell has nothing to recover from. Where a curve settled, at its own
    plateau, is told beside it.

    Parameters
    ----------
    positions, values
        The curve: rows up to each point, rising, and the measure there.
    start
        Where the drift begins.
    before
        Rows before the drift of which the level is taken (of the latest ten points in them; of their last third where
        the curve still rose, by more than it varies, as that of a model which has begun to learn), and rows after it
        in which a fall counts as its. The spread is of both. Default 2,000.
    since
        Where the drift before it began: what came before that is no level to fall from, unless there is no point since.
        The level is of the last third of the points since, as a plateau is. None: there is none.
    until
        Look no further, as there the next drift begins; None: to the curve's end.
    share
        Default 0.95. For a loss, where lower is better, the level is divided by it.
    higher_is_better
        False for a loss.

    Raises
    ------
    ValueError
        If the arrays differ in length, or ``share`` is not above 0 and at most 1.

    Examples
    --------
    >>> rows = range(100, 1300, 100)
    >>> recovery_of(rows, [0.8, 0.8, 0.2, 0.5, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8], 200).time
    300.0
    >>> recovery_of(rows, [0.30, 0.34, 0.29, 0.33, 0.31, 0.30] * 2, 600).is_affected
    False
    """
    checked_number("share", share, 0, 1, above=True)
    where, curve = np.asarray(positions, np.int64), np.asarray(values, np.float64)
    if where.shape != curve.shape or where.ndim != 1:
        raise ValueError(f"positions has the shape {where.shape}, values {curve.shape}; expected two of one length")
    known = ~np.isnan(curve)
    earlier = known & (where <= start) & (where > start - before)
    n_level = LATEST
    if since is not None and (earlier & (where > since)).any():
        earlier &= where > since
        # what it came to after the drift before: its fall then is no level
        n_level = min(LATEST, max(TOGETHER, int(earlier.sum()) // LAST))
    old = curve[earlier]
    after = known & (where > start)
    if until is not None:
        after &= where <= until
    new, when = curve[after], where[after]
    if not len(old) or not len(new):
        return Recovery(math.nan, math.nan, math.nan, math.nan, math.nan, False, math.nan, 0.0, points=len(new))
    sign = 1.0 if higher_is_better else -1.0
    part = share if higher_is_better else 1.0 / share
    # medians: one point that is far off moves neither
    level = float(np.median(old[-n_level:]))
    n_old = max(TOGETHER, len(old) // LAST)
    newest = float(np.median(old[-n_old:]))
    if since is None and sign * (newest - level) > SPREADS * _spread(old, trend=True) / math.sqrt(n_old) + 1e-12:
        # it still learned: what it has left behind is no level to fall from
        level = newest
    n_last = min(len(new), max(TOGETHER, len(new) // LAST))
    plateau = float(np.median(new[-n_last:]))
    soon = new[: max(int(np.searchsorted(when, start + before, "right")), 1)]
    spread = _spread(old, soon)
    gaps = sign * (level - new)
    windows = _windows(gaps[: len(soon)])
    worst = int(np.argmax(windows))
    low, fell = float(_windows(soon)[worst]), max(float(windows[worst]), 0.0)
    # of fewer points than a window has the mean varies more; equal numbers are equal: less than rounding is no fall
    few = math.sqrt(TOGETHER / min(TOGETHER, len(soon)))
    bound = max(SPREADS * spread * few, abs(level - part * level)) + 1e-12
    if fell <= bound:
        return Recovery(level, spread, low, plateau, fell, False, math.nan, 0.0, points=len(new))
    # what came after a curve was back does not say whether it was: a loss that has ended stays what it is
    seen = [_spread(old, soon[:n]) for n in range(min(TOGETHER * STAYS, len(soon)), len(soon) + 1)]
    varies, widths = ERRORS * np.array(seen) / math.sqrt(TOGETHER), np.diff(when, prepend=start)

    def ended(gaps: np.ndarray, height: float, last: int) -> tuple[float, float]:
        near = np.maximum(abs(height - part * height), varies) + 1e-12
        end = _settled(-gaps, -near, last)
        upto = end
        # where it is near by the last points, they may be those from which on it is back: what is lost does not shrink
        while last == len(new) - TOGETHER < upto > 0 and gaps[upto - 1] <= near[-1]:
            upto -= 1
        return float(when[end] - start) if end < len(new) else math.inf, max(float((gaps * widths)[:upto].sum()), 0.0)

    back = ended(gaps, level, len(new) - TOGETHER)
    own = ended(sign * (plateau - new), plateau, len(new) - n_last)
    return Recovery(level, spread, low, plateau, fell, True, *back, *own, points=len(new))


def _windows(values: np.ndarray) -> np.ndarray:
    """Return the mean of each window of three points; of fewer, of what there is."""
    n = min(TOGETHER, len(values))
    return np.convolve(values, np.ones(n) / n, "valid")


def _spread(*parts: np.ndarray, trend: bool = False) -> float:
    """Return the standard deviation of a point, by the steps within each part; of one with a ``trend``, around it."""
    steps = np.concatenate([np.diff(part) for part in parts])
    steps = steps - np.median(steps) if trend and len(steps) else steps
    return NORMAL / math.sqrt(2.0) * float(np.median(np.abs(steps))) if len(steps) else 0.0


def _settled(values: np.ndarray, floors: np.ndarray, last: int) -> int:
    """Return the first point, up to the one at ``last``, from which the curve stays above its floor; else the length.

    ``floors``: of the first points; the last of them is that of all others.
    """
    windows = _windows(values)
    for i in range(min(last + 1, len(windows))):
        floor = floors[min(i, len(floors) - 1)]
        if values[i] >= floor and (windows[i : i + TOGETHER * STAYS : TOGETHER] >= floor).all():
            return i
    return len(values)
