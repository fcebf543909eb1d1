"""Rows that wait until their labels become known."""

from __future__ import annotations

import numpy as np

from streamlab.streams import stacked

__all__ = ["DelayQueue"]


class DelayQueue:
    """A queue of rows by the position at which their labels arrive; those that never do are not kept.

    Memory is bounded by the longest delay of the labels.
    """

    def __init__(self) -> None:
        self._arrives = np.zeros(0, np.int64)
        self._columns: tuple[np.ndarray, ...] = ()

    def __len__(self) -> int:
        return len(self._arrives)

    def add(self, arrives: np.ndarray, *columns: np.ndarray) -> None:
        """Queue rows.

        Parameters
        ----------
        arrives
            int64 (n,): the instance after whose prediction each row's labels are known; the largest int64 is never.
        columns
            Arrays of n rows each, or CSR; in every call the same number of them.
        """
        kept = arrives < np.iinfo(np.int64).max
        arrives, columns = arrives[kept], tuple(column[kept] for column in columns)
        if len(self._arrives):
            arrives = np.concatenate([self._arrives, arrives])
            columns = tuple(stacked(pair) for pair in zip(self._columns, columns, strict=True))
        self._arrives, self._columns = arrives, columns

    def take(self, stop: int) -> tuple[np.ndarray, ...]:
        """Take out the rows whose labels are known once ``stop`` instances have been predicted.

        Returns
        -------
        tuple of arrays
            When each arrived, then the columns; in order of arrival, and of the stream where several arrive at once.
        """
        due = self._arrives < stop
        order = np.flatnonzero(due)[np.argsort(self._arrives[due], kind="stable")]
        taken = (self._arrives[order], *(column[order] for column in self._columns))
        if len(order):
            self._arrives, self._columns = self._arrives[~due], tuple(column[~due] for column in self._columns)
        return taken
