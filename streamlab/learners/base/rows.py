"""Rows that were read: arrays, and sparse rows, which keep only the values other than 0; checks of sparse matrices."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from streamlab._frames import pandas_of
from streamlab.bundle import owned
from streamlab.learners.base import _sparse_kernels as kernels
from streamlab.learners.base._kernels import (
    bits_of,
)
from streamlab.learners.base._sparse_kernels import check_rows
from streamlab.learners.base.state import contradiction, entry_of
from streamlab.learners.base.storage_rules import length


class Rows(NamedTuple):
    """Rows that were read and checked.

    Attributes
    ----------
    values
        float64 (n, n_features) in C order, or ``SparseRows``; NaN is missing.
    missing
        bool (n,): whether something in the row is missing.
    within
        Whether each value is known to lie within the range that its feature has: there is no outlier.
    """

    values: Any
    missing: np.ndarray
    within: bool = False

    def without(self, outliers: np.ndarray) -> Rows:
        """Return the rows, of an array, without the values that are marked (bool, as the values)."""
        return Rows(np.where(outliers, np.nan, self.values), self.missing | outliers.any(axis=1))

    def with_data(self, data: np.ndarray, absent: np.ndarray) -> Rows:
        """Return sparse rows with other values, and NaN at ``absent`` zeros, int (m, 2); themselves if none changed."""
        X = self.values
        begin, end = int(X.indptr[0]), int(X.indptr[-1])
        gaps = np.isnan(data[begin:end])
        if not len(absent) and int(gaps.sum()) == int(np.isnan(X.data[begin:end]).sum()):
            return self
        kept = SparseRows(X.indptr, X.indices, data, X.n_features)
        if len(absent):
            kept = kept.with_values(absent[:, 0], absent[:, 1], np.nan)
        return Rows(kept, kept.gaps())


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

    def owned(self) -> SparseRows:
        """Return the rows over arrays that can be written to; those that can be are not copied."""
        indptr, indices, data = map(owned, self.arrays)
        return SparseRows(indptr, indices, data, self.n_features)

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


LARGEST = 1e100
"""The largest magnitude of a value: sums of squares over all features and rows stay finite."""
SMALLEST = 1e-100
"""What is smaller, and not 0, counts as 0: its square would have lost its digits, or be 0."""
LARGEST_BITS, SMALLEST_BITS = bits_of(LARGEST), bits_of(SMALLEST)
DENSE_BYTES = 64 << 20
"""Bytes up to which sparse rows become an array for a learner that takes arrays alone."""
KEPT_BYTES = 1 << 30
"""Bytes that such a learner may have to keep of rows as wide as these."""


def examined_rows(X: Any, features: Any, n_categories: np.ndarray) -> Rows:
    """Return sparse rows, checked.

    Raises
    ------
    ValueError
        As for dense rows, naming row and column; and where indices are out of range or come twice in a row.
    """
    rows = _own_rows(X) if isinstance(X, SparseRows) else _rows_of(X, len(features))
    if rows.n_features != len(features):
        raise wrong_shape(rows.shape, len(features))
    fault, row = kernels.check_rows(rows.indptr, rows.indices, rows.n_features)
    if fault == 4:
        rows = _sorted(rows)
        fault, row = kernels.check_rows(rows.indptr, rows.indices, rows.n_features)
    if fault:
        raise _bad_structure(rows, fault, row, features)
    missing = np.empty(len(rows), np.bool_)
    bad = kernels.examine_rows(
        *rows.arrays, bool(n_categories.any()), n_categories, missing, SMALLEST_BITS, LARGEST_BITS
    )
    if bad >= 0:
        row = int(np.searchsorted(rows.indptr, bad, side="right")) - 1
        raise bad_value(features, row, int(rows.indices[bad]), rows.data[bad].item())
    if bad == -2:
        data = np.where(np.abs(rows.data) < SMALLEST, 0.0, rows.data)
        rows = SparseRows(rows.indptr, rows.indices, data, rows.n_features)
    return Rows(rows, missing)


def _own_rows(X: SparseRows) -> SparseRows:
    """Return rows in the types and the layout that kernels are compiled for."""
    for values, dtype in zip(X.arrays, (np.int64, np.int32, np.float64), strict=True):
        if not isinstance(values, np.ndarray) or values.dtype != dtype or values.ndim != 1:
            raise ValueError("X: expected SparseRows of int64 pointers, int32 indices and float64 values")
    if len(X.indices) != len(X.data):
        raise ValueError(f"X has {len(X.indices):,} indices and {len(X.data):,} values; expected as many")
    if all(values.flags.carray for values in X.arrays):
        return X
    indptr, indices, data = (np.require(values, None, ("C", "A", "W")) for values in X.arrays)
    return SparseRows(indptr, indices, data, X.n_features)


def _rows_of(X: Any, n_features: int) -> SparseRows:
    """Return a scipy matrix or array as rows whose structure is not yet checked; nothing is written to it."""
    if X.ndim != 2:
        raise ValueError(f"X has the shape {X.shape}; expected (n, {n_features})")
    if np.dtype(X.dtype).kind == "c":
        raise ValueError("X is complex; expected real numbers")
    if np.dtype(X.dtype).kind not in "buif":
        raise ValueError(f"X is of type {X.dtype}; expected numbers")
    if X.shape[1] >= 2**31:
        raise wrong_shape(X.shape, n_features)
    matrix = X.tocsr()
    if len(matrix.indices) != len(matrix.data) or len(matrix.indptr) != X.shape[0] + 1:
        raise ValueError(
            f"X is not a valid CSR matrix: {len(matrix.indptr)} pointers, {len(matrix.indices)} indices and "
            f"{len(matrix.data)} values for {X.shape[0]} rows"
        )
    indices = matrix.indices
    if indices.dtype != np.int32:
        # before it is narrowed, what does not fit is made something that is refused
        indices = np.where((indices < 0) | (indices >= X.shape[1]), -1, indices)
    return SparseRows(
        np.require(matrix.indptr, np.int64, ("C", "A", "W")),
        np.require(indices, np.int32, ("C", "A", "W")),
        np.require(matrix.data, np.float64, ("C", "A", "W")),
        int(X.shape[1]),
    )


def _bad_structure(rows: SparseRows, fault: int, row: int, features: Any) -> ValueError:
    if fault == 1:
        return ValueError(f"X row {row}: indptr is not an ascending range of indices; expected a valid CSR matrix")
    begin, end = int(rows.indptr[row]), int(rows.indptr[row + 1])
    columns = rows.indices[begin:end]
    if fault == 2:
        return ValueError(f"X row {row}: an index is out of range; expected 0 to {rows.n_features - 1}")
    column = int(columns[1:][columns[1:] == columns[:-1]][0])
    return ValueError(
        f"X row {row}, feature {features[column].name!r}: stored twice; expected once (X.sum_duplicates())"
    )


def bad_value(features: Any, row: int, column: int, value: float) -> ValueError:
    """Return the error of a value that is out of range."""
    feature = features[column]
    expected = (
        ("a finite number or NaN" if math.isinf(value) else f"at most {LARGEST:g} in magnitude, or NaN")
        if feature.categories is None
        else f"the index of a category, 0 to {len(feature.categories) - 1}, or NaN"
    )
    return ValueError(f"X row {row}, feature {feature.name!r}: {value!r}; expected {expected}")


def wrong_shape(shape: Any, n_features: int) -> ValueError:
    """Return the error of a table of another shape."""
    return ValueError(f"X has the shape {tuple(shape)}; expected (n, {n_features})")


def check_dense(owner: str, n_rows: int, rows_kept: int, n_features: int) -> None:
    """Raise a ValueError if rows are too large as an array, or if as many as the learner keeps are."""
    size, kept = 8 * n_rows * n_features, 8 * max(n_rows, rows_kept) * n_features
    if size <= DENSE_BYTES and kept <= KEPT_BYTES:
        return
    what, most, rows = ("it keeps", KEPT_BYTES, kept // 8 // n_features)
    if size > DENSE_BYTES:
        what, most, rows, kept = "of the chunk", DENSE_BYTES, n_rows, size
    raise ValueError(
        f"{owner} keeps every column of a row: {n_features:,} columns x {rows:,} rows {what} = "
        f"{kept / 1e9:.2g} GB, at most {most / 1e9:.2g}; choose a learner that takes sparse rows (SMART, MLKNN, "
        "OnlineLogistic, RankedKNN, NoChange, MajorityLabels, OnePerLabel), or fewer columns"
    )


def dense_of(X: Any, features: Any, n_categories: np.ndarray, check_size: Callable[[int, int], None]) -> np.ndarray:
    """Return sparse rows as an array, or raise the ValueError of ``check_size``, called with their shape."""
    if X.ndim != 2:
        raise wrong_shape(X.shape, len(features))
    if np.dtype(X.data.dtype if isinstance(X, SparseRows) else X.dtype).kind == "c":
        raise ValueError("X is complex; expected real numbers")
    check_size(*X.shape)
    return examined_rows(X, features, n_categories).values.dense()


def sparse_flags(Y: Any) -> np.ndarray:
    """Return labels that are a sparse matrix as an array, or raise a ValueError if that is too large."""
    if 8 * Y.shape[0] * Y.shape[1] > DENSE_BYTES:
        size = f"{Y.shape[0]:,} x {Y.shape[1]:,}"
        raise ValueError(f"Y is sparse, and has {size} values; expected fewer rows at once")
    return Y.dense() if isinstance(Y, SparseRows) else Y.toarray()


def _sorted(rows: SparseRows) -> SparseRows:
    """Return rows with ascending or equal indices, all within range."""
    rows = rows.trimmed()
    order = np.lexsort((rows.indices, rows.row_numbers()))
    return SparseRows(rows.indptr, rows.indices[order], rows.data[order], rows.n_features)


def joined(X: Any, more: Any) -> Any:
    """Return the rows of both, in copies: an array, or ``SparseRows`` where there are sparse ones among them."""
    if not isinstance(X, SparseRows) and not isinstance(more, SparseRows):
        return np.concatenate([X, more])
    parts = [part for part in (X, more) if len(part)] or [more]
    return SparseRows.joined([part if isinstance(part, SparseRows) else SparseRows.of(part) for part in parts])


def widened(X: Any, features: Any) -> Any:
    """Return rows under the present columns: before it came, a new feature was zero, a nominal one missing."""
    known = X.shape[1]
    if known == len(features):
        return X
    added = features[known:]
    if isinstance(X, SparseRows):
        nominal = known + np.flatnonzero([f.is_nominal for f in added])
        wider = X.widened(len(features))
        if not len(nominal):
            return wider
        return wider.with_values(np.repeat(np.arange(len(X)), len(nominal)), np.tile(nominal, len(X)), np.nan)
    values = np.array([np.nan if f.is_nominal else 0.0 for f in added])
    return np.hstack([X, np.tile(values, (len(X), 1))])


def n_rows_of(X: Any) -> int:
    """Return the number of rows of what is asked about before there are columns.

    Raises
    ------
    ValueError
        If it is not a table of rows.
    """
    X = pandas_of(X)
    shape = X.shape if hasattr(X, "shape") else np.shape(X)
    if len(shape) != 2:
        raise ValueError(f"X has the shape {tuple(shape)}; expected (n, n_features)")
    return int(shape[0])
