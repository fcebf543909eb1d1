"""What pictures showed along a run, within a budget: it answers a drag back before the exact state is there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

DEFAULT_BUDGET = 64 * 2**20
"""Bytes of a log."""


@dataclass(frozen=True, eq=False)
class ViewEntry:
    """What was drawn at one instant.

    Parameters
    ----------
    position
        Instances that had passed.
    readings
        What each picture's ``columns`` returned, by ``"picture NAME of LEARNER"``; ``"picture NAME"`` of one that is
        the same for all learners.
    n_bytes
        About how much memory they take.
    """

    position: int
    readings: Mapping[str, Any]
    n_bytes: int = 0


class ViewLog:
    """Entries in the order of their positions; whenever they pass the budget, every second one is given up.

    Parameters
    ----------
    budget
        Bytes.

    Attributes
    ----------
    spacing
        Instances between two entries at least; doubles whenever the log is thinned.
    """

    def __init__(self, budget: int = DEFAULT_BUDGET) -> None:
        self.budget = budget
        self.spacing = 1
        self.entries: list[ViewEntry] = []
        self.n_bytes = 0

    def __len__(self) -> int:
        return len(self.entries)

    def wants(self, position: int) -> bool:
        """Whether an entry of this position is due."""
        return not self.entries or position >= self.entries[-1].position + self.spacing

    def add(self, position: int, readings: Mapping[str, Any]) -> None:
        """Append what was drawn at ``position``; at the last entry's position, it takes that entry's place.

        Raises
        ------
        ValueError
            If the position is before the last entry's.
        """
        if self.entries and position < self.entries[-1].position:
            last = self.entries[-1].position
            raise ValueError(f"position={position}: the log is at {last} already; expected no less")
        if self.entries and position == self.entries[-1].position:
            self.n_bytes -= self.entries.pop().n_bytes
        entry = ViewEntry(position, dict(readings), _n_bytes(readings))
        self.entries.append(entry)
        self.n_bytes += entry.n_bytes
        while self.n_bytes > self.budget and len(self.entries) > 2:
            self._thin()

    def _thin(self) -> None:
        # the newest stays: a screen shows it
        self.entries = [*self.entries[:-1:2], self.entries[-1]]
        self.n_bytes = sum(entry.n_bytes for entry in self.entries)
        apart = np.diff([entry.position for entry in self.entries[:-1]])
        self.spacing = max(2 * self.spacing, int(np.median(apart)) if len(apart) else 1)

    def at(self, position: int) -> ViewEntry | None:
        """Return the newest entry up to a position; None if there is none."""
        place = bisect_right(self.entries, position, key=lambda entry: entry.position)
        return self.entries[place - 1] if place else None

    def until(self, position: int) -> ViewLog:
        """Return a log of its own with the entries up to a position, which are shared."""
        part = ViewLog(self.budget)
        part.spacing = self.spacing
        part.entries = [entry for entry in self.entries if entry.position <= position]
        part.n_bytes = sum(entry.n_bytes for entry in part.entries)
        return part


def _n_bytes(thing: Any) -> int:
    """Return about how much memory something takes: its arrays and texts, and a little for each thing."""
    if isinstance(thing, np.ndarray):
        return 112 + thing.nbytes
    if isinstance(thing, (str, bytes)):
        return 56 + len(thing)
    if isinstance(thing, Mapping):
        return 64 + sum(_n_bytes(key) + _n_bytes(value) for key, value in thing.items())
    if isinstance(thing, (list, tuple)):
        return 56 + sum(_n_bytes(value) for value in thing)
    if hasattr(thing, "__dataclass_fields__"):
        return 64 + sum(_n_bytes(getattr(thing, name)) for name in thing.__dataclass_fields__)
    return 32
