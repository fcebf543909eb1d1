"""Exactly one class for each row: what a learner answers where its schema says that the labels are classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from streamlab.learners.base.state import Part, State
from streamlab.learners.base.storage import Array, Storage
from streamlab.schema import ClassValue

CLASS_COUNTS = Storage(Array("class_counts", ("labels",), np.int64))
"""How often each class was learned."""


class OneClass(Part):
    """Chooses the class of the highest score; of equal ones the one that was learned more often, then the first.

    Before anything was learned there is no class to answer. A row whose class is not known has none.

    Parameters
    ----------
    classes
        The classes, in the order of the labels.
    """

    def __init__(self, classes: Sequence[ClassValue]) -> None:
        self.classes: tuple[ClassValue, ...] = ()
        self.counts = np.zeros(0, np.int64)
        self.add(classes)

    def add(self, names: Sequence[Any]) -> None:
        """Take labels as classes, also those that come later."""
        self.classes += tuple(name if isinstance(name, (bool, int, str)) else str(name) for name in names)
        self.place = {each: j for j, each in enumerate(self.classes)}
        self.counts = np.pad(self.counts, (0, len(names)))

    def check(self, Y: np.ndarray) -> None:
        """Raise a ValueError if a row has several classes."""
        n = Y.sum(axis=1)
        if (n > 1).any():
            row = int(np.argmax(n > 1))
            found = [self.classes[j] for j in np.flatnonzero(Y[row])[:3]]
            raise ValueError(f"Y row {row} has {n[row]} classes, such as {found}; expected one")

    def learn(self, Y: np.ndarray) -> None:
        """Count the classes of rows that are learned: uint8 (n, n_labels)."""
        # another array: who has the one before goes on with it
        self.counts = self.counts + Y.sum(axis=0, dtype=np.int64)

    def state(self) -> State:
        """Return the counts as an entry of a learner's state."""
        return CLASS_COUNTS.state({"class_counts": self.counts}, {"labels": len(self.counts)})

    def restore(self, owner: str, state: State) -> None:
        """Take the counts of a state, or raise a ValueError where it contradicts itself."""
        self.counts = CLASS_COUNTS.restore(owner, state, {"labels": len(self.classes)})["class_counts"]


def chosen(scores: np.ndarray, counts: np.ndarray, Y: np.ndarray | None = None) -> np.ndarray:
    """Return one class for each row, uint8 as the scores (n, n_labels).

    Parameters
    ----------
    scores
        float64 (n, n_labels).
    counts
        How often each class was learned before the first row.
    Y
        The rows' classes, where each row was learned before the next was answered; else None.
    """
    labels = np.zeros(scores.shape, np.uint8)
    if not scores.size:
        return labels
    often = counts[None] if Y is None else counts + np.cumsum(Y, axis=0, dtype=np.int64) - Y
    best = scores == scores.max(axis=1, keepdims=True)
    labels[np.arange(len(scores)), np.where(best, often, -1).argmax(axis=1)] = 1
    labels[np.broadcast_to(often.sum(axis=1) == 0, len(scores))] = 0
    return labels
