"""Rows that keep only the values other than 0: what a learner that takes sparse rows gets in place of an array."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse

from streamlab.bundle import owned
from streamlab.learners.base._sparse_kernels import check_rows
from streamlab.learners.base.saving import contradiction, entry_of
from streamlab.learners.base.storage_rules import length


@dataclass(frozen=True, slots=True, eq=False)
class SparseRows:
    """Rows in compressed form (CSR), checked: kernels may follow its indices without a check of their own.

    Row i holds the values ``data[indptr[i]:indptr[i + 1]]`` in the columns ``indices[indptr[i]:indptr[i + 1]]``, which
    rise and lie below ``n_features``; all other values are 0. A value that is kept may be 0 or NaN (missing). Its
    arrays are never written to: slices share them, and ``indptr`` need not begin at 0.

    Parameters
    ----------
    indptr
        int64 (n + 1,), C order.
    indices
        int32 (values,), C order.
    data
        float64 (values,), C order.
    n_features
        Number of columns.

    Examples
    --------
    >>> rows = SparseRows.of(np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]]))
    >>> len(rows), rows.indices.tolist(), rows[1:].dense().tolist()
    (2, [1, 0, 2], [[1.0, 0.0, 3.0]])
    """

    indptr: np.ndarray
    indices: np.ndarray
    data: np.ndarray
    n_features: int

    @classmethod
    def of(cls, X: np.ndarray) -> SparseRows:
        """Return checked dense rows, float64 (n, n_features), in this form; NaN is kept."""
        row, column = np.nonzero(X)
        indptr = np.zeros(len(X) + 1, np.int64)
        np.cumsum(np.bincount(row, minlength=len(X)), out=indptr[1:])
        return cls(indptr, column.astype(np.int32), X[row, column], X.shape[1])

    @classmethod
    def none(cls, n_features: int) -> SparseRows:
        """Return zero rows with this many columns."""
        return cls(np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0), n_features)

    @classmethod
    def joined(cls, parts: Sequence[SparseRows]) -> SparseRows:
        """Return the rows of all parts, one after the other; columns that a part does not know are 0 in it."""
        whole = [part.trimmed() for part in parts]
        offsets = np.cumsum([0, *(len(part.data) for part in whole)])
        return cls(
            np.concatenate([[0], *(part.indptr[1:] + at for part, at in zip(whole, offsets, strict=False))]).astype(
                np.int64
            ),
            np.concatenate([part.indices for part in whole]),
            np.concatenate([part.data for part in whole]),
            max(part.n_features for part in whole),
        )

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def shape(self) -> tuple[int, int]:
        return len(self), self.n_features

    @property
    def ndim(self) -> int:
        return 2

    @property
    def n_values(self) -> int:
        """Values that are kept."""
        return int(self.indptr[-1] - self.indptr[0])

    @property
    def nbytes(self) -> int:
        return self.indptr.nbytes + self.indices.nbytes + self.data.nbytes

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """``indptr``, ``indices`` and ``data``, for kernels."""
        return self.indptr, self.indices, self.data

    def __getitem__(self, rows: Any) -> SparseRows:
        """Return rows: a slice of step 1 shares the arrays; a mask or indices copy them."""
        if isinstance(rows, slice):
            start, stop, step = rows.indices(len(self))
            if step == 1:
                return SparseRows(self.indptr[start : max(stop, start) + 1], self.indices, self.data, self.n_features)
            rows = np.arange(start, stop, step)
        rows = np.asarray(rows)
        rows = np.flatnonzero(rows) if rows.dtype == np.bool_ else rows
        begin, counts = self.indptr[rows], self.indptr[rows + 1] - self.indptr[rows]
        indptr = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(counts, out=indptr[1:])
        places = np.repeat(begin - indptr[:-1], counts) + np.arange(indptr[-1])
        return SparseRows(indptr, self.indices[places], self.data[places], self.n_features)

    def copy(self) -> SparseRows:
        """Return ``trimmed``: rows of their own."""
        return self.trimmed()

    def trimmed(self) -> SparseRows:
        """Return the same rows with their own values alone, and ``indptr`` from 0 on: copies, for keeping."""
        begin, end = int(self.indptr[0]), int(self.indptr[-1])
        return SparseRows(
            self.indptr - begin, self.indices[begin:end].copy(), self.data[begin:end].copy(), self.n_features
        )

    def widened(self, n_features: int) -> SparseRows:
        """Return the same rows with more columns, in which they are 0."""
        return SparseRows(self.indptr, self.indices, self.data, n_features)

    def dense(self) -> np.ndarray:
        """Return the rows as float64 (n, n_features), C order."""
        X = np.zeros(self.shape)
        begin, end = int(self.indptr[0]), int(self.indptr[-1])
        X[self.row_numbers(), self.indices[begin:end]] = self.data[begin:end]
        return X

    def columns(self) -> np.ndarray:
        """Return the columns in which a value is kept, rising, int64."""
        return np.unique(self.indices[int(self.indptr[0]) : int(self.indptr[-1])]).astype(np.int64)

    def dense_part(self, columns: np.ndarray) -> np.ndarray:
        """Return these columns of the rows, which rise, as float64 (n, columns)."""
        begin, end = int(self.indptr[0]), int(self.indptr[-1])
        indices = self.indices[begin:end]
        X = np.zeros((len(self), len(columns)))
        if len(columns):
            place = np.minimum(np.searchsorted(columns, indices), len(columns) - 1)
            kept = columns[place] == indices
            X[self.row_numbers()[kept], place[kept]] = self.data[begin:end][kept]
        return X

    def row_numbers(self) -> np.ndarray:
        """Return the row of each value that is kept, int64."""
        return np.repeat(np.arange(len(self)), np.diff(self.indptr))

    def gaps(self) -> np.ndarray:
        """Return for each row whether a value is missing, bool (n,)."""
        gaps = np.zeros(len(self), np.bool_)
        gaps[self.row_numbers()[np.isnan(self.data[int(self.indptr[0]) : int(self.indptr[-1])])]] = True
        return gaps

    def extremes(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the least and the largest value of each column, zeros included; inf and -inf where all are missing."""
        begin, end = int(self.indptr[0]), int(self.indptr[-1])
        columns, values = self.indices[begin:end], self.data[begin:end]
        there = ~np.isnan(values)
        least = np.where(np.bincount(columns, minlength=self.n_features) < len(self), 0.0, np.inf)
        largest = np.where(np.isinf(least), -np.inf, 0.0)
        np.minimum.at(least, columns[there], values[there])
        np.maximum.at(largest, columns[there], values[there])
        return least, largest

    def with_values(self, rows: np.ndarray, columns: np.ndarray, value: float) -> SparseRows:
        """Return the rows with a value more at each of these places, which they do not hold yet."""
        begin, end = int(self.indptr[0]), int(self.indptr[-1])
        row = np.concatenate([self.row_numbers(), rows])
        column = np.concatenate([self.indices[begin:end], columns.astype(np.int32)])
        data = np.concatenate([self.data[begin:end], np.full(len(rows), value)])
        order = np.lexsort((column, row))
        indptr = np.zeros(len(self) + 1, np.int64)
        np.cumsum(np.bincount(row, minlength=len(self)), out=indptr[1:])
        return SparseRows(indptr, column[order], data[order], self.n_features)

    def __repr__(self) -> str:
        return f"<SparseRows: {len(self):,} rows, {self.n_features:,} columns, {self.n_values:,} values>"


def gaps_of_rows(X: Any) -> np.ndarray:
    """Return for each row, of an array or of ``SparseRows``, whether a value is missing, bool (n,)."""
    return X.gaps() if isinstance(X, SparseRows) else np.isnan(X).any(axis=1)


def is_sparse(X: Any) -> bool:
    """Whether rows are sparse: a scipy matrix or array, or ``SparseRows``."""
    return isinstance(X, SparseRows) or scipy.sparse.issparse(X)


PARTS = {"indptr": np.int64, "indices": np.int32, "data": np.float64}


def sparse_state(key: str, rows: SparseRows) -> dict[str, np.ndarray]:
    """Return the entries of rows in a state: copies, ``key.indptr``, ``key.indices`` and ``key.data``."""
    whole = rows.trimmed()
    return {f"{key}.{part}": np.ascontiguousarray(getattr(whole, part)) for part in PARTS}


def restored_rows(
    owner: str, state: Mapping[str, Any], key: str, array: Any, known: dict[str, int], counts: dict[str, int]
) -> SparseRows:
    """Return the rows of a state.

    Parameters
    ----------
    owner
        Name of the learner, for messages.
    state
        The state, perhaps altered.
    key
        As in ``sparse_state``.
    array
        The entry of the storage: its first dimension is as long as the rows say, unless it is known.
    known, counts
        Lengths of dimensions, as in ``Storage.restore``.

    Raises
    ------
    ValueError
        If they are not a valid CSR matrix of finite numbers and NaN.
    """
    for part, dtype in PARTS.items():
        values = entry_of(owner, state, f"{key}.{part}")
        if not isinstance(values, np.ndarray) or values.dtype != dtype or values.ndim != 1:
            raise contradiction(owner, f"{key}.{part} is not an array of {np.dtype(dtype)}; expected one dimension")
    indptr, indices, data = (np.array(state[f"{key}.{part}"]) for part in PARTS)
    n_rows, n_features = len(indptr) - 1, length(array.shape[1], counts)
    if n_rows < 0 or len(indices) != len(data) or indptr[0] != 0 or indptr[-1] != len(data):
        raise contradiction(owner, f"{key}.indptr does not fit its {len(indices)} indices and {len(data)} values")
    rows = array.shape[0]
    if rows not in counts:
        known[rows] = counts[rows] = n_rows
    if counts[rows] != n_rows:
        raise contradiction(owner, f"{key} has {n_rows} rows; expected {counts[rows]}")
    fault, row = check_rows(indptr, indices, n_features)
    if fault:
        raise contradiction(owner, f"{key} row {row} is not a row of {n_features} columns; expected ascending indices")
    if np.isinf(data).any():
        raise contradiction(owner, f"{key}.data row {int(np.argmax(np.isinf(data)))} is infinite; expected a number")
    return SparseRows(indptr, indices, data, n_features)


def own_arrays(value: Any) -> Any:
    """Return a value whose arrays can be written to, those in its dictionaries, lists and tuples too.

    A learner could not learn into arrays that are read-only, and kernels would be compiled again for them. Arrays that
    can be written to are not copied.
    """
    if isinstance(value, np.ndarray):
        return owned(value)
    if isinstance(value, SparseRows):
        indptr, indices, data = map(own_arrays, value.arrays)
        return SparseRows(indptr, indices, data, value.n_features)
    if type(value) is dict:
        return {name: own_arrays(part) for name, part in value.items()}
    if type(value) is list:
        return [own_arrays(part) for part in value]
    if isinstance(value, tuple):
        parts = [own_arrays(part) for part in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value
