"""The clock of a player: how many instances are due by now, at a given rate."""

from __future__ import annotations

import time

__all__ = ["Pace"]

# a paced run advances in steps of this many seconds, so that slow rates look smooth and fast ones stay cheap
STEP_SECONDS = 0.05


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
