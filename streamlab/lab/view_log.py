"""The light log of views: what each picture drew of a run, every so many rows, so that a drag is answered at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["ViewEntry", "ViewLog"]


@dataclass(frozen=True)
class ViewEntry:
    """What was drawn of a run at one instant.

    Parameters
    ----------
    position
        Instances that had passed.
    readings
        What each reader returned, by the reader's name, such as ``"picture forest of SMART"``; copies.
    """

    position: int
    readings: dict[str, Any] = field(default_factory=dict)


class ViewLog:
    """Entries in the order of their positions.

    Attributes
    ----------
    entries
        Ascending by position, each position once.
    """

    def __init__(self) -> None:
        self.entries: list[ViewEntry] = []

    def add(self, position: int, readings: Mapping[str, Any]) -> None:
        """Append what was drawn at ``position``; at the last entry's position, it takes that entry's place.

        Raises
        ------
        ValueError
            If the position is before the last entry's.
        """
        if self.entries and position < self.entries[-1].position:
            raise ValueError(
                f"position={position}: the log is at {self.entries[-1].position} already; expected no less"
            )
        if self.entries and position == self.entries[-1].position:
            self.entries.pop()
        self.entries.append(ViewEntry(position, dict(readings)))

    def at(self, position: int) -> ViewEntry | None:
        """Return the last entry at or before a position; None if there is none."""
        place = bisect_right(self.entries, position, key=lambda entry: entry.position)
        return self.entries[place - 1] if place else None

    def __len__(self) -> int:
        return len(self.entries)
