"""Waiting for the rows of a journal that somebody else writes."""

from __future__ import annotations

import threading
from typing import Any

__all__ = ["Waiting"]


class Waiting:
    """A reader whose rows others wait for: it notifies its condition when rows come, and when it stops.

    A subclass sets ``journal``, the condition ``_bell``, ``_closed``, and ``_failure`` when reading stops for good.
    """

    journal: Any
    _bell: threading.Condition
    _closed: bool
    _failure: str = ""

    def wait(self, rows: int, seconds: float) -> bool:
        """Wait until the journal has more than this many rows, or reading has stopped; returns whether either is so."""
        with self._bell:
            return self._bell.wait_for(lambda: self.journal.n_rows > rows or self.has_stopped, seconds)

    @property
    def has_stopped(self) -> bool:
        """Whether no row will come any more from this reader."""
        return self.journal.ended or bool(self._failure) or self._closed

    @property
    def failure(self) -> str:
        """Why reading has stopped for good, or ""."""
        return self._failure
