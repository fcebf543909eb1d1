"""What a drift did to each learner, and who answers best: one judgement for the sentence, tables, marks and replay."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from streamlab.measures import Recovery, difference_of, match_alarms, recovery_of
from streamlab.measures.detection import Drifts
from streamlab.measures.recovery import NEAR, SPREADS, TOGETHER

LATEST_POINTS = 10
"""Points of the curves by which it is judged who answers best."""
NEARLY = 0.8
"""Share of the way up from which on a learner is coming back."""
FEW = 6
"""Points since a drift up to which it is not held against a learner that it is not back."""
LEVEL = 0.05
"""How far, in the mean, a learner is from the best one at most that is called as good."""


@dataclass(frozen=True)
class Verdict:
    """What a drift did to one learner's curve of a measure per chunk, against its level before the drift.

    Parameters
    ----------
    row
        Where the drift began.
    recovery
        What ``measures.recovery_of`` says of the curve.
    lowest, now
        The worst and the latest point since the drift (for a loss the highest is the worst); NaN without one.
    soon
        The worst of the first three points after it.
    """

    row: int
    recovery: Recovery
    lowest: float = math.nan
    now: float = math.nan
    soon: float = math.nan

    @property
    def fell(self) -> bool | None:
        """Three points in a row are below the level by over 5 % of it and more than points vary; None: too early."""
        return self.recovery.is_affected if self.recovery.is_judged and not math.isnan(self.before) else None

    @property
    def held(self) -> bool:
        """It did not fall, and no point of it since is clearly lower: of some curves neither can be said."""
        return self.fell is False and abs(self.lowest - self.before) <= self._bound

    @property
    def dipped(self) -> bool:
        """It did not fall, as no three points are low, but one of the first three clearly is, and the latest is not."""
        is_low, is_near = abs(self.soon - self.before) > self._bound, abs(self.now - self.before) <= self._bound
        return self.fell is False and self.soon == self.lowest and is_low and is_near

    @property
    def _bound(self) -> float:
        return max(SPREADS * self.recovery.spread, NEAR * abs(self.before))

    @property
    def back(self) -> bool:
        """It fell, and then stayed within 5 % of the level, or as near as its points vary."""
        return bool(self.fell) and math.isfinite(self.recovery.time)

    @property
    def returning(self) -> bool:
        """It fell, is not back by the rule, and its latest point has regained four fifths of the way."""
        return bool(self.fell) and not self.back and self.regained >= NEARLY

    @property
    def back_at(self) -> int | None:
        """The row of the point from which on it is back."""
        return self.row + int(self.recovery.time) if self.back else None

    @property
    def before(self) -> float:
        """The level: the median of the latest points before the drift."""
        return self.recovery.level

    @property
    def regained(self) -> float:
        """How much of the way from the lowest point to the level the latest point is, 0 to 1; NaN without a fall."""
        if not self.fell or self.before == self.lowest:
            return math.nan
        return min(max((self.now - self.lowest) / (self.before - self.lowest), 0.0), 1.0)

    @property
    def lost(self) -> float:
        """The area between level and curve until it was back, or to now: the measure times rows; 0 without a fall."""
        return self.recovery.lost


def verdict_of(
    positions: ArrayLike,
    values: ArrayLike,
    row: int,
    *,
    since: int | None = None,
    until: int | None = None,
    higher_is_better: bool = True,
) -> Verdict:
    """Return what a drift at a row did to a curve; parameters are those of ``measures.recovery_of``.

    Examples
    --------
    >>> found = verdict_of(range(100, 1300, 100), [0.8, 0.8, 0.8, 0.2, 0.5, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8], 300)
    >>> found.fell, found.back, found.back_at, found.lowest, found.now
    (True, True, 600, 0.2, 0.8)
    """
    found = recovery_of(positions, values, row, since=since, until=until, higher_is_better=higher_is_better)
    where, curve = np.asarray(positions), np.asarray(values, np.float64)
    after = curve[(where > row) & (where <= (math.inf if until is None else until)) & ~np.isnan(curve)]
    if not len(after):
        return Verdict(row, found)
    worst = np.min if higher_is_better else np.max
    return Verdict(row, found, float(worst(after)), float(after[-1]), float(worst(after[:TOGETHER])))


def best_of(curves: Mapping[str, np.ndarray], higher_is_better: bool = True) -> list[str]:
    """Return who answers best over the latest ten points: one learner, or several that are as good; none: not known.

    The best one is ahead of each other learner in the mean by more than its noise (95 %). Those that it is not ahead of
    are as good if they are within 0.05 of it; if one is not, or there are fewer than five points, nothing is known.

    Parameters
    ----------
    curves
        Points of the same rows, by learner.
    higher_is_better
        False for a loss.

    Examples
    --------
    >>> a, b = [0.6, 0.7, 0.5, 0.6, 0.6], [0.5, 0.6, 0.4, 0.4, 0.5]
    >>> best_of({"a": a, "b": b}), best_of({"a": a, "b": a[::-1]}), best_of({"a": a[:3], "b": b[:3]})
    (['a'], ['a', 'b'], [])
    """
    latest = {name: np.asarray(values, np.float64)[-LATEST_POINTS:] for name, values in curves.items()}
    known = {name: values for name, values in latest.items() if not np.isnan(values).all()}
    if len(known) < 2:
        return []
    sign = 1 if higher_is_better else -1
    best = max(known, key=lambda name: sign * float(np.nanmean(known[name])))
    apart = {name: difference_of(known[best], values) for name, values in known.items() if name != best}
    level = [name for name, each in apart.items() if each.sign != sign]
    if any(not apart[name].is_known or abs(apart[name].mean) > LEVEL for name in level):
        return []
    return [name for name in curves if name == best or name in level]


def delay_of(drifts: Sequence[Drifts], alarms: Sequence[tuple[int, int | None]], position: int) -> float:
    """Return the rows from the latest of these drifts to its first alarm; NaN without one.

    Parameters
    ----------
    drifts
        All that have begun, in order.
    alarms
        Of each its row, and where its evidence begins, or None.
    position
        Rows that have passed.
    """
    found = match_alarms(drifts, [at for at, _ in alarms], position, since=[since for _, since in alarms])
    return float(found.delays[-1]) if len(found.drifts) else math.nan
