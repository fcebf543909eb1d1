"""The pace of a player: how many instances are due by now, how many are answered together, and whose turn it is."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from streamlab._checks import checked_number
from streamlab._side_by_side import cores

# a paced run advances in steps of this many seconds, so that slow rates look smooth and fast ones stay cheap
STEP_SECONDS = 0.05

SLOW_RATE = 25.0
"""Rows a second up to which people can watch what each few rows change."""
GLANCES = 5.0
MOST_ROWS = 10


class Pace:
    """Instances a second, or flat out.

    Parameters
    ----------
    rate
        Instances a second; None: flat out.
    """

    def __init__(self, rate: float | None) -> None:
        self.rate = rate
        self.restart()

    def restart(self) -> None:
        """Owe nothing from now on."""
        self._clock, self._owed = time.perf_counter(), 0.0

    def set_rate(self, rate: float | None) -> None:
        """Change the rate, and owe nothing."""
        self.rate = rate
        self.restart()

    def due(self) -> int:
        """Return how many instances the clock asks for by now; only where there is a rate."""
        assert self.rate is not None, "flat out nothing is due by the clock"
        now = time.perf_counter()
        # at most half a second's worth: a learner too slow for the rate falls behind instead of piling up debt
        self._owed = min(self._owed + (now - self._clock) * self.rate, max(1.0, self.rate / 2))
        self._clock = now
        return int(self._owed) if self._owed >= self._step else 0

    def pay(self, n: int) -> None:
        """This many instances have passed."""
        self._owed -= n

    @property
    def seconds_left(self) -> float:
        """Seconds until something is due; only where there is a rate."""
        assert self.rate is not None, "flat out nothing is due by the clock"
        return max(0.001, (self._step - self._owed) / self.rate)

    @property
    def _step(self) -> float:
        assert self.rate is not None, "flat out there are no steps"
        return max(1.0, self.rate * STEP_SECONDS)


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


def checked_rate(rate: float | None) -> float | None:
    """Return a rate in instances a second, or None for flat out; raises a ValueError for anything else."""
    return checked_number("rate", rate, above=True, optional=True)


def speed_of(points: Sequence[tuple[float, int]]) -> float:
    """Return the instances a second from the first (seconds, position) to the last; 0 if there are not two."""
    if len(points) < 2:
        return 0.0
    (t0, p0), (t1, p1) = points[0], points[-1]
    return (p1 - p0) / (t1 - t0) if t1 > t0 else 0.0


# a step of a slow learner may take long: nobody waits longer than this for it
PATIENCE_SECONDS = 1.0


class Turns:
    """So many threads at a time, in the order in which they came; who has waited too long goes on without a turn."""

    def __init__(self, n: int) -> None:
        self._free = n
        self._line: deque[threading.Event] = deque()
        self._lock = threading.Lock()

    @contextmanager
    def one(self, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
        """Have a turn, after at most ``patience`` seconds."""
        has_turn = self._wait(patience)
        try:
            yield
        finally:
            if has_turn:
                self._pass_on()

    def _wait(self, patience: float) -> bool:
        own = threading.Event()
        with self._lock:
            if self._free:
                self._free -= 1
                return True
            self._line.append(own)
        own.wait(patience)
        with self._lock:
            if own.is_set():
                return True
            self._line.remove(own)
            return False

    def _pass_on(self) -> None:
        with self._lock:
            if self._line:
                self._line.popleft().set()
            else:
                self._free += 1


TURNS = Turns(max(2, cores()))
"""Of all players of this process."""
