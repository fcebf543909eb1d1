"""When labels become known: at once, after a delay, in part, or never."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from streamlab.schema import Hierarchy
from streamlab.streams.draws import uniform

__all__ = ["NEVER", "Labelling"]

NEVER = np.iinfo(np.int64).max
"""The arrival of labels that never become known."""


@dataclass(frozen=True)
class Delay:
    """From ``low`` to ``high`` rows, drawn uniformly for each row."""

    low: int
    high: int
    seed: int
    key: int

    def rows(self, rows: np.ndarray) -> np.ndarray:
        """Return the delay of each row; int64."""
        if self.low == self.high:
            return np.full(len(rows), self.low, np.int64)
        draws = uniform(self.seed, self.key, rows)
        return self.low + np.floor(draws * (self.high - self.low + 1)).astype(np.int64)


@dataclass(frozen=True, eq=False)
class DelayByTime:
    """The rows that each row's labels wait for, as its time says: int64, one for each row of the stream."""

    waits: np.ndarray

    @property
    def high(self) -> int:
        """The longest."""
        return int(self.waits.max(initial=0))

    def rows(self, rows: np.ndarray) -> np.ndarray:
        """Return the delay of each row; int64."""
        return self.waits[np.minimum(rows, len(self.waits) - 1)]


@dataclass(frozen=True)
class Hiding:
    """A share of the instances (``per="instance"``) or of the single labels (``"label"``) that stays unknown."""

    share: float
    per: str
    seed: int
    key: int

    def instances(self, rows: np.ndarray) -> np.ndarray:
        """Return whether each row's labels never arrive; bool of shape (n,)."""
        if self.per == "label":
            return np.zeros(len(rows), bool)
        return uniform(self.seed, self.key, rows) < self.share

    def labels(self, rows: np.ndarray, n_labels: int) -> np.ndarray:
        """Return whether each label of each row is hidden; bool of shape (n, n_labels)."""
        if self.per == "instance":
            return np.repeat(self.instances(rows)[:, None], n_labels, axis=1)
        keys = self.key + np.arange(n_labels, dtype=np.int64)
        return uniform(self.seed, keys[None, :], rows[:, None]) < self.share


@dataclass(frozen=True, eq=False)
class Gaps:
    """Labels that a file does not have: ``rows`` of int64 by the label's place, rising; labels in all of them."""

    rows: Mapping[int, np.ndarray]
    n_labels: int

    def instances(self, rows: np.ndarray) -> np.ndarray:
        """Return whether no label of a row is known; bool of shape (n,)."""
        return np.asarray(self.labels(rows, self.n_labels).all(axis=1))

    def labels(self, rows: np.ndarray, n_labels: int) -> np.ndarray:
        """Return whether each label of each row is hidden; bool of shape (n, n_labels)."""
        hidden = np.zeros((len(rows), n_labels), bool)
        for label, own in self.rows.items():
            places = np.searchsorted(own, rows)
            hidden[:, label] = own[np.minimum(places, len(own) - 1)] == rows
        return hidden


@dataclass(frozen=True)
class Labelling:
    """When a learner is told the labels of an instance, and which; a pure function of the rows' positions.

    ``Stream.labelling`` holds it, ``delay_labels`` and ``hide_labels`` make it. Delays add; a label is hidden if
    any of the hidings hides it.

    Parameters
    ----------
    delays, hidings
        Its parts.
    hierarchy
        That of the labels, or None: the labels below a hidden one are hidden with it, so that a learner is always told
        a set of labels that the hierarchy allows.

    Examples
    --------
    >>> import streamlab as sl
    >>> late = sl.delay_labels(sl.load("yeast"), 50)
    >>> late.labelling.arrives([0, 1]).tolist()
    [50, 51]
    """

    delays: tuple[Delay | DelayByTime, ...] = ()
    hidings: tuple[Hiding | Gaps, ...] = ()
    hierarchy: Hierarchy | None = None

    @property
    def max_delay(self) -> int:
        """The longest delay that can occur, in rows: a bound for buffers."""
        return sum(delay.high for delay in self.delays)

    def arrives(self, rows: np.ndarray) -> np.ndarray:
        """When the labels of the instances at these positions become known.

        Parameters
        ----------
        rows
            Positions in the stream, integers of shape (n,).

        Returns
        -------
        numpy.ndarray
            int64 of shape (n,): the labels of row t become known right after the instance at this position has been
            predicted (t itself: before t + 1 is), or ``NEVER``.
        """
        rows = np.asarray(rows, np.int64)
        arrival = rows.copy()
        for delay in self.delays:
            arrival += delay.rows(rows)
        for hiding in self.hidings:
            arrival[hiding.instances(rows)] = NEVER
        return arrival

    def all_known(self, row: int) -> int:
        """Return how many rows have passed when all labels of those before ``row`` that ever arrive have arrived."""
        arrives = self.arrives(np.arange(max(0, row - 1 - self.max_delay), row))
        return int(max([row, *(arrives[arrives != NEVER] + 1)]))

    def labels_known(self, Y: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return what the learner is told of the labels.

        Parameters
        ----------
        Y
            The true labels, uint8 of shape (n, n_labels).
        rows
            The instances' positions in the stream, integers of shape (n,).

        Returns
        -------
        numpy.ndarray
            uint8 of shape (n, n_labels): Y itself where nothing is ever hidden, else a copy with 0 for hidden labels
            (all of them where they never arrive).
        """
        if not self.hidings:
            return Y
        rows = np.asarray(rows, np.int64)
        n_labels = Y.shape[1]
        hidden = np.zeros(Y.shape, bool)
        for hiding in self.hidings:
            hidden |= hiding.labels(rows, n_labels)
        if self.hierarchy is not None:
            for label in sorted(range(n_labels), key=self.hierarchy.depth):
                for parent in self.hierarchy.parents_of(label):
                    hidden[:, label] |= hidden[:, parent]
        return np.where(hidden, np.uint8(0), Y)
