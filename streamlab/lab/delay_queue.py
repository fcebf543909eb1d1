"""Rows that wait until their labels become known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from streamlab.lab._parts import array_part
from streamlab.streams import csr_rows, is_csr, stacked

__all__ = ["DelayQueue"]


class DelayQueue:
    """A queue of rows by the position at which their labels arrive; those that never do are not kept.

    Memory is bounded by the longest delay of the labels.
    """

    def __init__(self) -> None:
        self._arrives = np.zeros(0, np.int64)
        self._columns: tuple[Any, ...] = ()

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

    def state(self) -> dict[str, Any]:
        """Return what waits, as a flat dictionary of arrays (its own, to be copied); columns by their number."""
        state: dict[str, Any] = {"arrives": self._arrives}
        for place, column in enumerate(self._columns if len(self._arrives) else ()):
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
                taken.append(_csr_part(state, str(place), n, width))
                continue
            column = state.get(str(place))
            if not isinstance(column, np.ndarray) or column.shape != (n, width) or column.dtype != np.dtype(dtype):
                raise ValueError(f"waiting labels: column {place} is not {np.dtype(dtype)} {(n, width)}")
            taken.append(column.copy())
        self._arrives, self._columns = np.array(arrives), tuple(taken)


def _csr_part(state: Mapping[str, Any], key: str, n: int, width: int) -> Any:
    indptr, indices, data = (state.get(f"{key}.{part}") for part in ("indptr", "indices", "data"))
    if not (isinstance(indptr, np.ndarray) and isinstance(indices, np.ndarray) and isinstance(data, np.ndarray)):
        raise ValueError(f"waiting labels: column {key} is missing; expected a sparse matrix")
    fits = indptr.shape == (n + 1,) and indices.shape == data.shape and data.ndim == 1 and data.dtype == np.float64
    fits = fits and indptr.dtype.kind == indices.dtype.kind == "i" and indptr[0] == 0 and indptr[-1] == len(data)
    fits = fits and bool((np.diff(indptr) >= 0).all()) and bool(((indices >= 0) & (indices < width)).all())
    if not fits:
        raise ValueError(f"waiting labels: column {key} is no sparse matrix of {n} rows and {width} columns")
    return csr_rows(indptr.copy(), indices.copy(), data.copy(), width)
