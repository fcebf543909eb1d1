"""Rows that wait until their labels become known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from streamlab._checks import array_part, within
from streamlab.streams import is_csr, stacked
from streamlab.streams.blocks import checked_csr


class _Block:
    """Rows that were queued together; ``left`` are the places of those that wait still."""

    __slots__ = ("arrives", "columns", "least", "left")

    def __init__(self, arrives: np.ndarray, columns: tuple[Any, ...]) -> None:
        self.arrives, self.columns = arrives, columns
        self._keep(np.arange(len(arrives)))

    def _keep(self, left: np.ndarray) -> None:
        self.left = left
        self.least = int(self.arrives[left].min()) if len(left) else np.iinfo(np.int64).max

    def take(self, stop: int) -> tuple[np.ndarray, tuple[Any, ...]]:
        """Take out the rows that arrive before ``stop``, in their order."""
        due = self.arrives[self.left] < stop
        rows = self.left[due]
        self._keep(self.left[~due])
        return self.arrives[rows], tuple(column[rows] for column in self.columns)

    def waiting(self) -> tuple[np.ndarray, tuple[Any, ...]]:
        """Return the rows that wait."""
        return self.arrives[self.left], tuple(column[self.left] for column in self.columns)


class DelayQueue:
    """A queue of rows by the position at which their labels arrive; those that never do are not kept.

    Memory is bounded by the longest delay of the labels: rows that are queued together are let go together. The time of
    a step is bounded by the rows that it queues and takes, and by the number of steps that rows wait for.
    """

    def __init__(self) -> None:
        self._blocks: list[_Block] = []

    def __len__(self) -> int:
        return sum(len(block.left) for block in self._blocks)

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
        # an empty block says of which kind the columns are
        if kept.any() or not self._blocks:
            self._blocks.append(_Block(arrives[kept], tuple(column[kept] for column in columns)))

    def take(self, stop: int) -> tuple[np.ndarray, ...]:
        """Take out the rows whose labels are known once ``stop`` instances have been predicted.

        Returns
        -------
        tuple of arrays
            When each arrived, then the columns; in order of arrival, and of the stream where several arrive at once.
        """
        if not self._blocks:
            return (np.zeros(0, np.int64),)
        taken = [block.take(stop) for block in self._blocks if block.least < stop]
        if not taken:
            empty = self._blocks[-1]
            return np.zeros(0, np.int64), *(column[:0] for column in empty.columns)
        arrives = np.concatenate([each for each, _ in taken])
        order = np.argsort(arrives, kind="stable")
        columns = (stacked(parts)[order] for parts in zip(*(each for _, each in taken), strict=True))
        found = (arrives[order], *columns)
        # the last stays, for its columns
        self._blocks = [block for block in self._blocks[:-1] if len(block.left)] + self._blocks[-1:]
        return found

    def _all(self) -> tuple[np.ndarray, tuple[Any, ...]]:
        """Return what waits, in the order of the stream."""
        parts = [block.waiting() for block in self._blocks if len(block.left)]
        if not parts:
            return np.zeros(0, np.int64), ()
        return np.concatenate([each for each, _ in parts]), tuple(
            stacked(columns) for columns in zip(*(each for _, each in parts), strict=True)
        )

    def state(self) -> dict[str, Any]:
        """Return what waits, as a flat dictionary of arrays (its own, to be copied); columns by their number."""
        arrives, columns = self._all()
        state: dict[str, Any] = {"arrives": arrives}
        for place, column in enumerate(columns):
            if is_csr(column):
                parts = {"indptr": column.indptr, "indices": column.indices, "data": column.data}
                state |= {f"{place}.{name}": array for name, array in parts.items()}
            else:
                state[str(place)] = column
        return state

    def set_state(self, state: Mapping[str, Any], *columns: tuple[int, Any]) -> None:
        """Continue from a ``state()``, which is copied.

        Parameters
        ----------
        state
            What ``state`` returned, perhaps altered.
        columns
            For each column its width and dtype.

        Raises
        ------
        ValueError
            If an array is missing, or not as the others and ``columns`` say; nothing is changed then.
        """
        arrives = state.get("arrives")
        n = len(arrives) if isinstance(arrives, np.ndarray) and arrives.ndim == 1 else 0
        array_part("waiting labels", state, "arrives", (n,), np.int64)
        taken: list[Any] = []
        for place, (width, dtype) in enumerate(columns if n else ()):
            if f"{place}.indptr" in state:
                taken.append(csr_part("waiting labels", state, str(place), n, width))
                continue
            column = array_part("waiting labels: column", state, str(place), (n, width), dtype)
            taken.append(column.copy())
        self._blocks = [_Block(np.array(arrives), tuple(taken))] if n else []


def csr_part(owner: str, state: Mapping[str, Any], key: str, n: int, width: int) -> Any:
    with within(f"{owner}: {key}"):
        indptr, indices, data = (state.get(f"{key}.{part}") for part in ("indptr", "indices", "data"))
        return checked_csr(indptr, indices, data, (n, width))
