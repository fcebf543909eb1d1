"""ADWIN, for many rows of numbers at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from streamlab.detectors._adwin import TOTAL, WIDTH, empty, feed

__all__ = ["ADWIN", "Change"]

_ARRAYS = ("totals", "spreads", "filled", "window", "changed")


@dataclass(frozen=True)
class Change:
    """A detector noticed that the mean changed.

    Parameters
    ----------
    row
        The row fed last when it was noticed, from 0 within the call.
    detector
        Which one.
    before, after
        Means of the numbers that were dropped, and of those behind the cut where the change was seen.
    """

    row: int
    detector: int
    before: float
    after: float

    @property
    def rising(self) -> bool:
        return self.after > self.before


class ADWIN:
    """Adaptive windowing: keeps the longest window in whose parts the mean does not differ, and tells when it was cut.

    Several detectors run side by side over the columns of an array, in one compiled call. Each decides as
    ``river.drift.ADWIN`` does with the same parameters, which also starts anew after a change.

    Parameters
    ----------
    n_detectors
        Columns watched.
    delta
        Confidence: the chance of a false cut, above 0 and below 1. Default 0.002.
    clock
        A cut is looked for at every so many numbers. Default 32.
    max_buckets
        Buckets of each size before two are merged. Default 5.
    min_window_length
        Shortest part of a cut. Default 5.
    grace_period
        No cut before more than so many numbers have come. Default 10.

    Raises
    ------
    ValueError
        If a parameter is out of range.

    References
    ----------
    Bifet and Gavaldà, "Learning from time-changing data with adaptive windowing", SDM 2007.

    Examples
    --------
    >>> import numpy as np
    >>> watch = ADWIN()
    >>> [change.row for change in watch.update_many(np.repeat([0.1, 0.9], 500)[:, None])]
    [543]
    """

    def __init__(
        self,
        n_detectors: int = 1,
        *,
        delta: float = 0.002,
        clock: int = 32,
        max_buckets: int = 5,
        min_window_length: int = 5,
        grace_period: int = 10,
    ) -> None:
        if not 0 < delta < 1:
            raise ValueError(f"delta={delta!r}: expected a number above 0 and below 1")
        counts = {"n_detectors": n_detectors, "clock": clock, "min_window_length": min_window_length}
        for name, value, least in (*((name, value, 1) for name, value in counts.items()),
                                   ("max_buckets", max_buckets, 2), ("grace_period", grace_period, 0)):  # fmt: skip
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
                raise ValueError(f"{name}={value!r}: expected a whole number, at least {least}")
        self.n_detectors, self.delta, self.clock = n_detectors, delta, clock
        self.max_buckets, self.min_window_length, self.grace_period = max_buckets, min_window_length, grace_period
        self._totals, self._spreads, self._filled, self._window, self._changed = empty(n_detectors, max_buckets)

    def update_many(self, values: np.ndarray) -> list[Change]:
        """Feed rows of numbers, one column per detector; the changes noticed, in order.

        Parameters
        ----------
        values
            Finite numbers of shape (n, n_detectors).

        Raises
        ------
        ValueError
            For another shape or a number that is not finite; nothing is fed then.
        """
        values = np.ascontiguousarray(values, np.float64)
        if values.ndim != 2 or values.shape[1] != self.n_detectors:
            raise ValueError(f"values has the shape {values.shape}; expected (n, {self.n_detectors})")
        if not np.isfinite(values).all():
            row, column = np.argwhere(~np.isfinite(values))[0]
            raise ValueError(f"values row {row}, detector {column}: {values[row, column]}; expected a finite number")
        # a detector can notice a change once in a clock's time
        most = (len(values) // self.clock + 1) * self.n_detectors
        found, means = np.empty((most, 2), np.int64), np.empty((most, 2))
        n = feed(
            values, self._totals, self._spreads, self._filled, self._window, self._changed,
            self.delta, float(self.clock), float(self.min_window_length), float(self.grace_period), found, means,
        )  # fmt: skip
        return [Change(int(r), int(d), float(b), float(a)) for (r, d), (b, a) in zip(found[:n], means[:n], strict=True)]

    @property
    def widths(self) -> np.ndarray:
        """Numbers in each window, of shape (n_detectors,)."""
        return self._window[:, WIDTH].astype(np.int64)

    @property
    def means(self) -> np.ndarray:
        """Mean of each window, of shape (n_detectors,); 0 for an empty one."""
        return self._window[:, TOTAL] / np.maximum(self._window[:, WIDTH], 1.0)

    def state(self) -> dict[str, Any]:
        """The whole state as a flat dictionary of arrays, copied."""
        return {name: getattr(self, f"_{name}").copy() for name in _ARRAYS}

    def set_state(self, state: dict[str, Any]) -> None:
        """Take over a ``state()``, which is copied.

        Raises
        ------
        ValueError
            If an array is missing or of another shape; nothing is changed then.
        """
        for name in _ARRAYS:
            own = getattr(self, f"_{name}")
            given = state.get(name)
            if given is None or given.shape != own.shape:
                shape = None if given is None else given.shape
                raise ValueError(f"state[{name!r}] has the shape {shape}; expected {own.shape}")
        for name in _ARRAYS:
            getattr(self, f"_{name}")[:] = state[name]
