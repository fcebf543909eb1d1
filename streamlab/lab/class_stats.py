"""The classes of a hierarchy as a learner answers them: hits and misses of each, recent instances counting more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from streamlab.lab._kernels import fade_in
from streamlab.lab._parts import array_part
from streamlab.schema import Hierarchy

__all__ = ["ClassRecords"]


class ClassRecords:
    """Hits and misses of a learner at each class of a hierarchy, older instances fading.

    Parameters
    ----------
    hierarchy
        That of the labels.
    fading
        Weight of an instance relative to the next, as in the faded measures.
    """

    def __init__(self, hierarchy: Hierarchy, fading: float = 0.995) -> None:
        self.hierarchy, self.fading = hierarchy, fading
        self._counts = np.zeros((3, len(hierarchy)))

    def add(self, Y: np.ndarray, Z: np.ndarray) -> None:
        """Count true labels ``Y`` and predicted ones ``Z``, both (n, n_labels), with the ancestors of their labels."""
        true, predicted = (self.hierarchy.with_ancestors(labels).astype(bool) for labels in (Y, Z))
        rows = np.concatenate([true & predicted, predicted & ~true, true & ~predicted], axis=1)
        fade_in(rows, self.fading, self._counts.reshape(-1))

    def state(self) -> dict[str, Any]:
        """Return the state, as a flat dictionary with an array (not a copy)."""
        return {"counts": self._counts}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a ``state()``, which is copied; raises a ValueError unless it is of such a hierarchy."""
        self._counts = array_part("class records", state, "counts", self._counts.shape).copy()

    @property
    def weight(self) -> np.ndarray:
        """Instances of each class, faded; float64 (n_labels,)."""
        return self._counts[0] + self._counts[2]

    def scores(self) -> dict[str, np.ndarray]:
        """``hp``, ``hr``, ``hf``: hierarchical precision, recall and F of each class and all below it; NaN for 0/0."""
        hits, false, missed = self._counts @ self.hierarchy.above
        with np.errstate(invalid="ignore", divide="ignore"):
            return {
                "hp": hits / (hits + false),
                "hr": hits / (hits + missed),
                "hf": 2 * hits / (2 * hits + false + missed),
            }
