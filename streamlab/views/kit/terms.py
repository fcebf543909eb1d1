"""The features that speak loudest in a picture: which they are for each label, and what they are called."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


class Names:
    """What features are called, each once, in the order in which they are asked for.

    ``name_of`` tells it of a feature's number.
    """

    def __init__(self, name_of: Callable[[int], str]) -> None:
        self._name_of, self._at = name_of, dict[int, int]()
        self.found: list[str] = []

    def places(self, terms: np.ndarray) -> np.ndarray:
        """Return the places of terms among the names, -1 where a term is; one after the other."""
        return np.array([-1 if term < 0 else self._place(term) for term in terms.ravel().tolist()], np.int64)

    def _place(self, term: int) -> int:
        if term not in self._at:
            self._at[term] = len(self.found)
            self.found.append(self._name_of(term))
        return self._at[term]


def largest(values: np.ndarray, most: int) -> np.ndarray:
    """Return the terms of the largest magnitudes for each label, int64 (labels, most); -1 where there is no more."""
    found = np.full((values.shape[1], most), -1)
    n = min(most, len(values))
    if n and values.shape[1]:
        size = np.abs(values)
        part = np.argpartition(-size, n - 1, axis=0)[:n]
        order = np.lexsort((part, -np.take_along_axis(size, part, axis=0)), axis=0)
        part = np.take_along_axis(part, order, axis=0)
        found[:, :n] = np.where(np.take_along_axis(size, part, axis=0) > 0, part, -1).T
    return found
