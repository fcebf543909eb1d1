"""ADWIN, for many rows of numbers at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from streamlab._checks import array_part, checked_count, checked_number, unmasked
from streamlab.detectors._adwin import LEVELS, TOTAL, WIDTH, empty, feed

__all__ = ["ADWIN", "Change"]

_ARRAYS = ("totals", "spreads", "filled", "window", "changed")


@dataclass(frozen=True)
class Change:
    """A change of the mean that a detector noticed.

    Parameters
    ----------
    row
        Row of the call at which it was noticed, counted from 0.
    detector
        Number of the detector.
    before, after
        Mean of the numbers that were dropped, and of those after the cut at which the change was seen.
    kept
        How many of the newest numbers were not dropped: those that count as after the change. 0: not known.

    Examples
    --------
    >>> Change(row=480, detector=0, before=0.1, after=0.4).after
    0.4
    """

    row: int
    detector: int
    before: float
    after: float
    kept: int = 0

    @property
    def rising(self) -> bool:
        """Whether the mean rose."""
        return self.after > self.before


class ADWIN:
    """Adaptive windowing: keeps the longest window whose parts do not differ in their mean, and reports every cut.

    Several detectors run side by side over the columns of an array, in one compiled call. Each decides as
    ``river.drift.ADWIN`` does with the same parameters; like it, it starts with an empty window after a change.

    Parameters
    ----------
    n_detectors
        Columns watched.
    delta
        Confidence: the chance of a false cut, above 0 and below 1. Default 0.002.
    clock
        Numbers between two searches for a cut. Default 32.
    max_buckets
        Number of buckets of each size; with one more, two are merged. Default 5.
    min_window_length
        Numbers that each part of a cut must have. Default 5.
    grace_period
        The window must be longer than this before a cut is searched for. Default 10.

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

    n_detectors: int
    delta: float
    clock: int
    max_buckets: int
    min_window_length: int
    grace_period: int

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
        checked_number("delta", delta, 0, 1, above=True, below=True)
        counts = {"n_detectors": n_detectors, "clock": clock, "min_window_length": min_window_length}
        for name, value, least in (*((name, value, 1) for name, value in counts.items()),
                                   ("max_buckets", max_buckets, 2), ("grace_period", grace_period, 0)):  # fmt: skip
            checked_count(name, value, least)
        self.n_detectors, self.delta, self.clock = n_detectors, delta, clock
        self.max_buckets, self.min_window_length, self.grace_period = max_buckets, min_window_length, grace_period
        self._totals, self._spreads, self._filled, self._window, self._changed = empty(n_detectors, max_buckets)

    def update_many(self, values: np.ndarray) -> list[Change]:
        """Feed rows of numbers, one column per detector, and return the changes that were noticed, in order.

        Parameters
        ----------
        values
            Finite numbers of shape (n, n_detectors).

        Raises
        ------
        ValueError
            For another shape or a number that is not finite; nothing is fed then.
        """
        values = np.ascontiguousarray(unmasked(values), np.float64)
        if values.ndim != 2 or values.shape[1] != self.n_detectors:
            raise ValueError(f"values has the shape {values.shape}; expected (n, {self.n_detectors})")
        if not np.isfinite(values).all():
            row, column = np.argwhere(~np.isfinite(values))[0]
            raise ValueError(f"values row {row}, detector {column}: {values[row, column]}; expected a finite number")
        # a detector can notice a change once in a clock's time
        most = (len(values) // self.clock + 1) * self.n_detectors
        found, means = np.empty((most, 3), np.int64), np.empty((most, 2))
        n = feed(
            values, self._totals, self._spreads, self._filled, self._window, self._changed,
            self.delta, float(self.clock), float(self.min_window_length), float(self.grace_period), found, means,
        )  # fmt: skip
        return [
            Change(int(row), int(detector), float(before), float(after), int(kept))
            for (row, detector, kept), (before, after) in zip(found[:n], means[:n], strict=True)
        ]

    @property
    def widths(self) -> np.ndarray:
        """Number of values in each window, of shape (n_detectors,)."""
        return self._window[:, WIDTH].astype(np.int64)

    @property
    def means(self) -> np.ndarray:
        """Mean of each window, of shape (n_detectors,); 0 for an empty one."""
        return self._window[:, TOTAL] / np.maximum(self._window[:, WIDTH], 1.0)

    def state(self) -> dict[str, Any]:
        """Return the whole state as a flat dictionary of arrays, copied."""
        return {name: getattr(self, f"_{name}").copy() for name in _ARRAYS}

    def set_state(self, state: dict[str, Any]) -> None:
        """Continue from a ``state()``, which is copied.

        Raises
        ------
        ValueError
            If an array is missing, of another shape or dtype, or holds what no detector can; nothing is changed then.
        """
        for name in _ARRAYS:
            own = getattr(self, f"_{name}")
            array_part("state", state, name, own.shape, own.dtype)
        # kernels check no index: a window has as many numbers as its buckets, and no bucket of the largest size
        filled = state["filled"]
        if filled.min() < 0 or filled.max() > self.max_buckets or filled[:, -1].any():
            raise ValueError(
                f"state: filled: expected 0 to {self.max_buckets} buckets of a size, and none of the largest size"
            )
        if (filled @ 2.0 ** np.arange(LEVELS) != state["window"][:, WIDTH]).any():
            raise ValueError("state: window: expected windows as wide as their buckets")
        if state["changed"].max() > 1:
            raise ValueError("state: changed: expected 0 or 1")
        for name in _ARRAYS:
            getattr(self, f"_{name}")[:] = state[name]
