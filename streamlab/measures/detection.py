"""How well a drift was noticed: alarms against the truth."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from streamlab._checks import checked_count

__all__ = ["DEFAULT_WITHIN", "Detection", "match_alarms"]

DEFAULT_WITHIN = 2000
"""Instances after a drift has come about in which an alarm still counts as its detection."""


class Drifts(Protocol):
    """What is needed of a drift of the truth: ``streams.Drift`` has it."""

    @property
    def start(self) -> int: ...

    @property
    def width(self) -> int: ...


@dataclass(frozen=True)
class Detection:
    """Alarms matched with the drifts of the truth.

    Parameters
    ----------
    drifts
        Position where each drift begins, in order; int64 (n_drifts,).
    detected
        Position of the first alarm of each, or -1 where it was missed; int64 (n_drifts,).
    false_alarms
        Positions of the alarms that belong to no drift; int64.
    n
        Instances that were watched.
    n_alarms
        How many alarms there were, also those that repeat one.

    Examples
    --------
    >>> import streamlab as sl
    >>> found = match_alarms([sl.Drift(1200)], [1300, 9000], n=10_000)
    >>> found.detected.tolist(), found.false_alarms.tolist()
    ([1300], [9000])
    """

    drifts: np.ndarray
    detected: np.ndarray
    false_alarms: np.ndarray
    n: int
    n_alarms: int = 0

    @property
    def delays(self) -> np.ndarray:
        """Instances from each drift's beginning to its first alarm; NaN where it was missed; (n_drifts,)."""
        return np.where(self.detected >= 0, self.detected - self.drifts, np.nan)

    @property
    def n_detected(self) -> int:
        return int((self.detected >= 0).sum())

    @property
    def n_missed(self) -> int:
        return len(self.drifts) - self.n_detected

    @property
    def n_false(self) -> int:
        return len(self.false_alarms)

    @property
    def mean_time_to_detection(self) -> float:
        """Mean of the delays of what was detected (MTD), in instances; NaN if nothing was."""
        return float(np.nanmean(self.delays)) if self.n_detected else math.nan

    @property
    def by_chance(self) -> float:
        """How often as many alarms at random places would have detected a drift as soon; NaN if nothing was detected.

        Of a drift that was detected after d instances, 1 − (1 − (d + 1) / (n + 1)) ^ ``n_alarms``: the probability that
        one of the alarms is there by then, if each is at any of the n + 1 places; the mean over these drifts. A
        detector that always fires is quick, and so is chance.
        """
        there = (self.delays[self.detected >= 0] + 1) / (self.n + 1)
        return float(np.mean(1.0 - (1.0 - there) ** self.n_alarms)) if self.n_detected else math.nan

    @property
    def missed_rate(self) -> float:
        """Share of the drifts that were missed (MDR), 0 to 1; NaN without a drift."""
        return self.n_missed / len(self.drifts) if len(self.drifts) else math.nan

    @property
    def mean_time_between_false_alarms(self) -> float:
        """Instances watched for each false alarm (MTFA); infinite without one."""
        return self.n / self.n_false if self.n_false else math.inf

    def as_dict(self) -> dict[str, float]:
        """One row of a table."""
        return {
            "drifts": len(self.drifts),
            "detected": self.n_detected,
            "missed": self.n_missed,
            "mean_time_to_detection": self.mean_time_to_detection,
            "by_chance": self.by_chance,
            "false_alarms": self.n_false,
            "mean_time_between_false_alarms": self.mean_time_between_false_alarms,
        }


def drifts_behind(starts: Sequence[int], position: int, since: int | None = None) -> tuple[int, int]:
    """Return which of the drifts an alarm may be of: the place of the first, and of the last.

    An alarm belongs to the drift that its evidence reaches back to. Where the evidence holds the beginnings of several
    drifts they are too near to each other to tell, and the alarm counts for the first of them.

    Parameters
    ----------
    starts
        Where the drifts begin, rising.
    position
        Instances that had passed at the alarm.
    since
        The row where its evidence begins; None: not known, then the alarm is of the latest drift.

    Returns
    -------
    Two places in ``starts``, the same one where it is sure; -1 twice: no drift had begun.

    Examples
    --------
    >>> drifts_behind([1208, 1300], 1312, 1190), drifts_behind([1208, 1300], 1312)
    ((0, 1), (1, 1))
    """
    last = bisect_right(starts, position) - 1
    first = last if since is None else bisect_left(starts, since)
    return min(first, last), last


def match_alarms(
    drifts: Sequence[Drifts],
    alarms: ArrayLike,
    n: int,
    *,
    within: int | None = DEFAULT_WITHIN,
    since: Sequence[int | None] | None = None,
) -> Detection:
    """Match alarms with known drifts.

    A drift lasts from its start over its width, and its alarms may come up to ``within`` instances later. Once the next
    drift has begun only those are of it whose evidence reaches back to it (``drifts_behind``). The first of them is the
    detection; further ones in that time are repetitions, and count as nothing. Every other alarm is false.

    Parameters
    ----------
    drifts
        The truth; those that begin at ``n`` or later have not happened yet and are left out. Drifts with the same
        start count as one.
    alarms
        Positions of alarms, in any order.
    n
        Instances that were watched.
    within
        Default 2,000. None: up to the next drift, so that only alarms before the first drift are false.
    since
        For each alarm the row where its evidence begins, or None where that is not known. None: not known of any.

    Returns
    -------
    Detection

    Raises
    ------
    ValueError
        If ``n`` or ``within`` is negative, an alarm lies outside 0 to n, or ``since`` is not as long as ``alarms``.

    References
    ----------
    Bifet, Read, Pfahringer, Holmes and Žliobaitė, "CD-MOA: change detection framework for massive online analysis",
    IDA 2013, section 3: mean time to detection, missed detection rate, mean time between false alarms.

    Examples
    --------
    >>> from types import SimpleNamespace as Drift
    >>> found = match_alarms([Drift(start=1000, width=1), Drift(start=5000, width=1)], [300, 1120, 1200], 8000)
    >>> found.mean_time_to_detection, found.n_missed, found.n_false
    (120.0, 1, 1)
    """
    checked_count("n", n)
    checked_count("within", within, optional=True)
    given = np.asarray(alarms, np.int64).reshape(-1)
    evidence: list[int | None] = [None] * len(given) if since is None else list(since)
    if len(evidence) != len(given):
        raise ValueError(f"since has {len(evidence):,} entries; expected one for each of {len(given):,} alarms")
    order = np.argsort(given, kind="stable")
    positions = given[order]
    if len(positions) and not 0 <= positions[0] <= positions[-1] <= n:
        wrong = positions[0] if positions[0] < 0 else positions[-1]
        raise ValueError(f"an alarm at {wrong:,}; expected positions from 0 to {n:,}")
    widths: dict[int, int] = {}
    for drift in drifts:
        if drift.start < n:
            widths[drift.start] = max(drift.width, widths.get(drift.start, 0))
    starts = sorted(widths)
    detected = np.full(len(starts), -1, np.int64)
    true = np.zeros(len(positions), bool)
    for k, position in enumerate(positions.tolist()):
        place, _ = drifts_behind(starts, position, evidence[order[k]])
        if place < 0 or (within is not None and position >= starts[place] + widths[starts[place]] + within):
            continue
        true[k] = True
        if detected[place] < 0:
            detected[place] = position
    return Detection(np.array(starts, np.int64), detected, positions[~true], n, len(positions))
