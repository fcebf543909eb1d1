"""How often each label comes, now and over the whole stream, and which labels come together."""

from __future__ import annotations

from collections.abc import Mapping
from math import log
from typing import Any

import numpy as np

from streamlab.lab._kernels import fade_in, fade_in_pairs
from streamlab.lab._parts import array_part, number_part

__all__ = ["LabelStatistics"]

MOST_TOGETHER = 200
"""Co-occurrence grows with the square of the labels: above this number it is neither counted nor drawn."""
MOST_APART = 1024
_ARRAYS = ("n_faded", "whole", "faded", "together")


class LabelStatistics:
    """Prevalence and co-occurrence of labels from additive sums, whole and faded.

    Parameters
    ----------
    n_labels
        Number of labels.
    fading
        Each older instance weighs so much of the next; 0.995, the measures' default, remembers some 200 instances.
    """

    def __init__(self, n_labels: int, fading: float = 0.995) -> None:
        self.fading = fading
        self.n = 0
        self._n_faded = np.zeros(1)
        self._whole = np.zeros(n_labels)
        self._faded = np.zeros(n_labels)
        self._together = np.zeros((n_labels, n_labels)) if n_labels <= MOST_TOGETHER else np.zeros((0, 0))
        self._passed = 0
        # this many rows apart, weights differ by less than 1e100
        self._most = MOST_APART if fading == 1.0 else max(1, min(MOST_APART, int(-100 * log(10) / log(fading))))

    def add(self, Y: np.ndarray) -> None:
        """Count a chunk of label rows, uint8 of shape (n, n_labels); how rows are cut into chunks changes no bit."""
        Y = np.ascontiguousarray(Y, np.uint8)
        n = len(Y)
        if n == 0:
            return
        if Y.shape[1] > len(self._whole):
            more = Y.shape[1] - len(self._whole)
            self._whole, self._faded = np.pad(self._whole, (0, more)), np.pad(self._faded, (0, more))
            if len(self._whole) > MOST_TOGETHER:
                self._together = np.zeros((0, 0))
            else:
                self._together = np.pad(self._together, (0, more))
        fade_in(np.ones((n, 1), np.uint8), self.fading, self._n_faded)
        fade_in(Y, self.fading, self._faded)
        if len(self._together):
            self._passed = int(fade_in_pairs(Y, self.fading, self._most, self._passed, self._together))
        self._whole += Y.sum(axis=0, dtype=np.float64)
        self.n += n

    def state(self) -> dict[str, Any]:
        """Return the state, as a flat dictionary of arrays (not copies) and plain values."""
        return {"n": self.n, "passed": self._passed, **{name: getattr(self, f"_{name}") for name in _ARRAYS}}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a ``state()``, which is copied; a ValueError names what contradicts: nothing changes then."""
        n = number_part("label statistics", state, "n")
        passed = number_part("label statistics", state, "passed", 0, self._most)
        arrays = {
            name: array_part("label statistics", state, name, getattr(self, f"_{name}").shape).copy()
            for name in _ARRAYS
        }
        self.n, self._passed = n, passed
        for name, array in arrays.items():
            setattr(self, f"_{name}", array)

    @property
    def now(self) -> np.ndarray:
        """Faded share of the instances that carry each label, shape (n_labels,)."""
        return self._faded / max(float(self._n_faded[0]), 1e-300)

    @property
    def whole(self) -> np.ndarray:
        """Share over the whole stream so far, shape (n_labels,)."""
        return self._whole / max(self.n, 1)

    @property
    def together(self) -> np.ndarray:
        """Faded share of the instances that carry both labels, (n_labels, n_labels); (0, 0) with over 200 labels."""
        return self._together * self.fading ** max(self._passed - 1, 0) / max(float(self._n_faded[0]), 1e-300)
