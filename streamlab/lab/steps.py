"""How many rows are answered before the first of them is learned: a chunk, or fewer while people watch."""

from __future__ import annotations

import numpy as np

from streamlab.lab.actions import STEP
from streamlab.lab.events import Event, EventLog
from streamlab.lab.ownership import Owned, owned
from streamlab.lab.time_machine import TimeMachine
from streamlab.streams import Chunk

__all__ = ["SLOW_RATE", "Steps", "short_step"]

SLOW_RATE = 25.0
"""Rows a second up to which people can watch what each few rows change."""
GLANCES = 5.0
MOST_ROWS = 10


def short_step(rate: float | None, chunk: int) -> int:
    """Return how many rows are answered together at a speed, so that the eye sees what they change.

    Parameters
    ----------
    rate
        Rows a second; None: as fast as the machine can.
    chunk
        Rows that are answered together at speeds above ``SLOW_RATE``.

    Examples
    --------
    >>> [short_step(rate, 100) for rate in (2.0, 5.0, 25.0, 100.0, None)]
    [1, 1, 5, 100, 100]
    """
    if rate is None or rate > SLOW_RATE:
        return chunk
    return min(chunk, MOST_ROWS, max(1, round(rate / GLANCES)))


class Steps(Owned):
    """A run whose chunks can be cut into parts: then what is learned from one part helps to answer the next."""

    chunk: int
    position: int
    log: EventLog
    _machine: TimeMachine
    _current: Chunk | None
    _used: int
    _step: int
    _part: tuple[int, int]

    @property
    def step(self) -> int:
        """Rows that are answered together, and then learned: ``chunk``, or what ``set_step`` said."""
        return self._step

    @owned
    def set_step(self, rows: int | None) -> Event | None:
        """Answer this many rows together from here on, and learn them before the next ones.

        Chunks keep their places in the stream, and the curves their points: each chunk is cut into parts. What has
        been answered amid a part is not answered again. It is an action like a tuning: going back, archives, scripts
        and replays do it again at its instant. Learners that answer row by row anyway notice nothing.

        Parameters
        ----------
        rows
            From 1 to ``chunk``; None: ``chunk``.

        Returns
        -------
        Event or None
            Of the kind ``"step"``; None where it was so already, and nothing is done.

        Raises
        ------
        ValueError
            For another number.

        Examples
        --------
        >>> import streamlab as sl
        >>> run = sl.Run("yeast", {"SMART": sl.SMART(seed=1)})
        >>> run.advance(150), run.set_step(5).message, run.step
        (150, 'rows are answered and learned 5 at a time', 5)
        """
        rows = self.chunk if rows is None else rows
        if isinstance(rows, bool) or not isinstance(rows, (int, np.integer)) or not 1 <= rows <= self.chunk:
            raise ValueError(f"rows={rows!r}: expected a whole number from 1 to the run's chunk, {self.chunk}, or None")
        if int(rows) == self.step:
            return None
        self._machine.begin()
        event = self._set_step(int(rows))
        self._machine.record(STEP, rows=int(rows))
        return event

    def _set_step(self, rows: int) -> Event:
        self._step = rows
        if self._current is not None and self._used < len(self._current):
            self._next_part()
        said = "row by row" if rows == 1 else f"{rows:,} at a time"
        return self.log.add(self.position, "", STEP, f"rows are answered and learned {said}", {"rows": rows})

    def _next_part(self) -> None:
        """Begin the next part of the current chunk."""
        assert self._current is not None, "a chunk was loaded"
        self._part = self._used, min(self._used + self._step, len(self._current))
