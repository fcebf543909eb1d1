"""One of River's drift detectors, known by the numbers that it was fed since its last detection."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
from river.base import BinaryDriftDetector, DriftDetector

from streamlab._checks import array_part
from streamlab.detectors.adwin import Change

__all__ = ["RecordedDetector"]

LONGEST = 100_000
"""Numbers without a detection after which a detector starts again: 0.8 MB."""
NEWEST = 50
"""Numbers, at most half of all, whose mean is that after a change: River does not say where it lies."""


class RecordedDetector:
    """One of River's drift detectors whose state is the numbers that it was fed since its last detection.

    River's detectors are Python objects, which no file should hold. They start again after a detection. So a fresh one
    that is fed the same numbers again is in the same state, and these numbers are all that is kept.

    Parameters
    ----------
    detector
        A ``river.base.DriftDetector`` or ``BinaryDriftDetector``, which is cloned and never fed. A binary one is fed
        whether a number is above 0. Where it draws random numbers without a seed, it has the seed 0.

    Raises
    ------
    ValueError
        If it is not one of River's drift detectors.

    Notes
    -----
    After 100,000 numbers without a detection it starts again, so that what is kept is bounded.

    Examples
    --------
    >>> from river import drift
    >>> watch = RecordedDetector(drift.ADWIN())
    >>> [change.row for change in watch.update_many(np.repeat([0.1, 0.9], 500))]
    [543]
    """

    def __init__(self, detector: Any) -> None:
        if isinstance(detector, type) or not isinstance(detector, (DriftDetector, BinaryDriftDetector)):
            raise ValueError(f"{detector!r}: expected one of River's drift detectors, such as river.drift.ADWIN()")
        is_unseeded = getattr(detector, "seed", 0) is None
        self.detector: Any = detector.clone({"seed": 0}) if is_unseeded else detector.clone()
        self._is_binary = isinstance(detector, BinaryDriftDetector)
        self._begin()

    def _begin(self) -> None:
        self._model = self.detector.clone()
        self._fed = array("d")

    def update_many(self, values: np.ndarray) -> list[Change]:
        """Feed numbers, one after another, and return the changes that were noticed, in order.

        Parameters
        ----------
        values
            Shape (n,); what is not finite is left out.

        Returns
        -------
        list of Change
            ``before`` and ``after`` are the means of the numbers since the last change, without and of the newest 50.
        """
        found = []
        for row, value in enumerate(np.asarray(values, np.float64).tolist()):
            if value - value != 0.0:
                continue
            self._feed(value)
            if self._model.drift_detected:
                fed = np.array(self._fed)
                newest = min(NEWEST, max(len(fed) // 2, 1))
                after = float(fed[-newest:].mean())
                before = float(fed[:-newest].mean()) if len(fed) > newest else after
                found.append(Change(row, 0, before, after))
                self._begin()
            elif len(self._fed) >= LONGEST:
                self._begin()
        return found

    def _feed(self, value: float) -> None:
        self._model.update(value > 0.0 if self._is_binary else value)
        self._fed.append(value)

    def state(self) -> dict[str, Any]:
        """Return the numbers since its last detection, float64 (n,), as a flat dictionary."""
        return {"fed": np.array(self._fed)}

    def set_state(self, state: dict[str, Any]) -> None:
        """Continue from a ``state()``: a fresh detector is fed its numbers again.

        Raises
        ------
        ValueError
            If they are not numbers of shape (n,), n at most 100,000; nothing is changed then.
        """
        fed = state.get("fed")
        n = len(fed) if isinstance(fed, np.ndarray) and fed.ndim == 1 else 0
        values = array_part("state", state, "fed", (min(n, LONGEST),)).tolist()
        self._begin()
        for value in values:
            self._feed(value)
