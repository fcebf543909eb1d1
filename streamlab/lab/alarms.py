"""Alarms: a detector that watches the errors of a learner, and of each label if asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamlab.detectors import ADWIN

__all__ = ["WATCHED", "Alarm", "ErrorWatch"]

WATCHED = ("learner", "label")
"""The alarms that can be requested: on a learner's Hamming loss only, or also on each label's errors."""


@dataclass(frozen=True)
class Alarm:
    """The errors increased.

    Parameters
    ----------
    row
        Row of the call in which it was detected.
    label
        Column of the label, or None for the Hamming loss over all labels.
    before, after
        Mean error in the part of the detector's window that was dropped, and after the cut where it was detected.
    """

    row: int
    label: int | None
    before: float
    after: float


class ErrorWatch:
    """ADWIN on the Hamming loss of each instance and, if asked, on the error of each label.

    Only rising errors are alarms: falling ones are a learner that learns.

    Parameters
    ----------
    n_labels
        Labels.
    per_label
        Whether each label is watched too.
    delta
        ADWIN's confidence. Default 0.002.
    """

    def __init__(self, n_labels: int, *, per_label: bool = False, delta: float = 0.002) -> None:
        self.n_labels = n_labels
        self.per_label = per_label
        self._adwin = ADWIN(1 + n_labels * per_label, delta=delta)

    def update(self, errors: np.ndarray) -> list[Alarm]:
        """Feed errors, of shape (n, n_labels), true where a label was predicted wrongly; the alarms, in order."""
        loss = errors.mean(axis=1) if self.n_labels else np.zeros(len(errors))
        values = np.column_stack([loss, errors]) if self.per_label else loss[:, None]
        return [
            Alarm(change.row, change.detector - 1 if change.detector else None, change.before, change.after)
            for change in self._adwin.update_many(values)
            if change.rising
        ]

    def state(self) -> dict[str, Any]:
        """Return the detectors' state, as a flat dictionary of arrays, copied."""
        return self._adwin.state()

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a ``state()``, which is copied; raises a ValueError as ``ADWIN.set_state``."""
        self._adwin.set_state(dict(state))
