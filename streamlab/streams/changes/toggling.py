"""The base of drifts that come and go: at any position a row is changed, or it is not."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from streamlab.streams._checks import checked_seed, checked_width, is_count
from streamlab.streams.draws import count_passed, key_base, ramp
from streamlab.streams.positions import positions
from streamlab.streams.stream import Drift, Stream
from streamlab.streams.wrapped import WrappedStream

__all__ = ["TogglingDrift"]


class TogglingDrift(WrappedStream):
    """A stream with a change that begins at the first of its positions, ends at the second, begins again at the third …

    Parameters
    ----------
    stream, at, width, seed, until
        As in ``swap_labels``.
    kinds
        What the ground truth calls the change's coming and its going.
    what
        What was done to the stream, added to its name.
    """

    def __init__(
        self,
        stream: Stream,
        at: int | Sequence[int] | None,
        width: int,
        seed: int,
        until: int | None,
        *,
        kinds: tuple[str, str],
        what: str,
    ) -> None:
        super().__init__(stream, what)
        self.seed = checked_seed(seed)
        self.width = checked_width(width)
        self.at = positions(at, stream, apart=self.width)
        if until is not None:
            if len(self.at) > 1:
                raise ValueError(f"until={until!r} goes with one position, not with at={list(self.at)}")
            (end,) = positions(until if is_count(until) else (until,), stream, what="until")
            if end < self.at[0] + self.width:
                raise ValueError(
                    f"until={end}: expected a position from at + width = {self.at[0] + self.width} on, "
                    "when the change is complete"
                )
            self.at = (*self.at, end)
        self._key = key_base(kinds[0])
        self._own = tuple(Drift(position, self.width, kinds[i % 2]) for i, position in enumerate(self.at))

    def _tell(self, came: str, went: str) -> None:
        """Say what the change's coming and its going mean for the rows, as ``Drift.about`` has it."""
        self._own = tuple(replace(drift, about=(came, went)[i % 2]) for i, drift in enumerate(self._own))

    def share(self, rows: np.ndarray) -> np.ndarray:
        """Return the chance that each row is changed; float64."""
        signs = (1 - 2 * (i % 2) for i in range(len(self.at)))
        parts = [sign * ramp(rows, position, self.width) for sign, position in zip(signs, self.at, strict=True)]
        return np.sum(parts, axis=0)

    def is_changed(self, rows: np.ndarray) -> np.ndarray:
        """Return whether each row is changed: the ground truth; bool."""
        return count_passed(rows, self.at, self.width, self.seed, self._key) % 2 == 1

    def _change(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        changed = np.flatnonzero(self.is_changed(rows))
        return self._change_rows(X, Y, rows, changed) if len(changed) else (X, Y)

    @abstractmethod
    def _change_rows(
        self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray, changed: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the rows with those at the indices ``changed`` changed; X and Y are not written to."""
