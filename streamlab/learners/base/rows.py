"""Rows that were read, checked: arrays, and sparse ones, which keep only values other than 0; who may change them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse

from streamlab._frames import pandas_of
from streamlab.bundle import owned
from streamlab.learners.base._kernels import bits_of
from streamlab.learners.base._sparse_kernels import check_rows, examine_rows
from streamlab.learners.base.state import contradiction, entry_of
from streamlab.learners.base.storage_rules import length
from streamlab.plugins import is_foreign, read_only


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
        kept = SparseRows(self.values.indptr, self.values.indices, data, self.values.n_features)
        if not len(absent) and np.isnan(kept.own[1]).sum() == np.isnan(self.values.own[1]).sum():
            return self
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
        return cls(_pointers(row, len(X)), column.astype(np.int32), X[row, column], X.shape[1])

    @classmethod
    def none(cls, n_features: int) -> SparseRows:
        """Return zero rows with this many columns."""
        return cls(np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0), n_features)

    @classmethod
    def joined(cls, parts: Sequence[SparseRows]) -> SparseRows:
        """Return the rows of all parts, one after the other; columns that a part does not know are 0 in it."""
        indices, data = map(np.concatenate, zip(*(part.own for part in parts), strict=True))
        counts = np.concatenate([np.diff(part.indptr) for part in parts])
        return cls(np.append(0, np.cumsum(counts)), indices, data, max(part.n_features for part in parts))

    def __len__(self) -> int:
        return len(self.indptr) - 1

    @property
    def shape(self) -> tuple[int, int]:
        return len(self), self.n_features

    @property
    def ndim(self) -> int:
        return 2

    @property
    def own(self) -> tuple[np.ndarray, np.ndarray]:
        """``indices`` and ``data`` of these rows alone: views."""
        part = slice(int(self.indptr[0]), int(self.indptr[-1]))
        return self.indices[part], self.data[part]

    @property
    def n_values(self) -> int:
        """Values that are kept."""
        return len(self.own[0])

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
        counts = np.diff(self.indptr)[rows]
        indptr = np.append(0, np.cumsum(counts))
        places = np.repeat(self.indptr[rows] - indptr[:-1], counts) + np.arange(indptr[-1])
        return SparseRows(indptr, self.indices[places], self.data[places], self.n_features)

    def owned(self) -> SparseRows:
        """Return the rows over arrays that can be written to; those that can be are not copied."""
        indptr, indices, data = map(owned, self.arrays)
        return SparseRows(indptr, indices, data, self.n_features)

    def copy(self) -> SparseRows:
        """Return the same rows with their own values alone, and ``indptr`` from 0 on: copies, for keeping."""
        indices, data = self.own
        return SparseRows(self.indptr - self.indptr[0], indices.copy(), data.copy(), self.n_features)

    def widened(self, n_features: int) -> SparseRows:
        """Return the same rows with more columns, in which they are 0."""
        return SparseRows(self.indptr, self.indices, self.data, n_features)

    def dense(self) -> np.ndarray:
        """Return the rows as float64 (n, n_features), C order."""
        X = np.zeros(self.shape)
        indices, data = self.own
        X[self.row_numbers(), indices] = data
        return X

    def columns(self) -> np.ndarray:
        """Return the columns in which a value is kept, rising, int64."""
        return np.unique(self.own[0]).astype(np.int64)

    def dense_part(self, columns: np.ndarray) -> np.ndarray:
        """Return these columns of the rows, which rise, as float64 (n, columns)."""
        X, (indices, data) = np.zeros((len(self), len(columns))), self.own
        kept = np.isin(indices, columns)
        X[self.row_numbers()[kept], np.searchsorted(columns, indices[kept])] = data[kept]
        return X

    def row_numbers(self) -> np.ndarray:
        """Return the row of each value that is kept, int64."""
        return np.repeat(np.arange(len(self)), np.diff(self.indptr))

    def gaps(self) -> np.ndarray:
        """Return for each row whether a value is missing, bool (n,)."""
        gaps = np.zeros(len(self), np.bool_)
        gaps[self.row_numbers()[np.isnan(self.own[1])]] = True
        return gaps

    def extremes(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the least and the largest value of each column, zeros included; inf and -inf where all are missing."""
        columns, values = self.own
        there = ~np.isnan(values)
        least = np.where(np.bincount(columns, minlength=self.n_features) < len(self), 0.0, np.inf)
        largest = np.where(np.isinf(least), -np.inf, 0.0)
        np.minimum.at(least, columns[there], values[there])
        np.maximum.at(largest, columns[there], values[there])
        return least, largest

    def with_values(self, rows: np.ndarray, columns: np.ndarray, value: float) -> SparseRows:
        """Return the rows with a value more at each of these places, which they do not hold yet."""
        indices, data = self.own
        row = np.concatenate([self.row_numbers(), rows])
        column = np.concatenate([indices, columns.astype(np.int32)])
        order = np.lexsort((column, row))
        data = np.concatenate([data, np.full(len(rows), value)])
        return SparseRows(_pointers(row, len(self)), column[order], data[order], self.n_features)

    def __repr__(self) -> str:
        return f"<SparseRows: {len(self):,} rows, {self.n_features:,} columns, {self.n_values:,} values>"


def _pointers(row: np.ndarray, n: int) -> np.ndarray:
    """Return where each of ``n`` rows begins, from the row of each value."""
    return np.append(0, np.cumsum(np.bincount(row, minlength=n)))


def gaps_of_rows(X: Any) -> np.ndarray:
    """Return for each row, of an array or of ``SparseRows``, whether a value is missing, bool (n,)."""
    return X.gaps() if isinstance(X, SparseRows) else np.isnan(X).any(axis=1)


def is_sparse(X: Any) -> bool:
    """Whether rows are sparse: a scipy matrix or array, or ``SparseRows``."""
    return isinstance(X, SparseRows) or scipy.sparse.issparse(X)


PARTS = {"indptr": np.int64, "indices": np.int32, "data": np.float64}


def sparse_state(key: str, rows: SparseRows) -> dict[str, np.ndarray]:
    """Return the entries of rows in a state: copies, ``key.indptr``, ``key.indices`` and ``key.data``."""
    whole = rows.copy()
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
    parts = [entry_of(owner, state, f"{key}.{part}") for part in PARTS]
    for part, values, dtype in zip(PARTS, parts, PARTS.values(), strict=True):
        if not isinstance(values, np.ndarray) or values.dtype != dtype or values.ndim != 1:
            raise contradiction(owner, f"{key}.{part} is not an array of {np.dtype(dtype)}; expected one dimension")
    indptr, indices, data = map(np.array, parts)
    rows = SparseRows(indptr, indices, data, length(array.shape[1], counts))
    if not len(rows.indptr) or not len(rows.indices) == len(rows.data) == rows.indptr[-1] or rows.indptr[0] != 0:
        raise contradiction(
            owner, f"{key}.indptr does not fit its {len(rows.indices)} indices and {len(rows.data)} values"
        )
    if counts.setdefault(array.shape[0], len(rows)) != len(rows):
        raise contradiction(owner, f"{key} has {len(rows)} rows; expected {counts[array.shape[0]]}")
    known.setdefault(array.shape[0], len(rows))
    fault, row = check_rows(rows.indptr, rows.indices, rows.n_features)
    if fault:
        raise contradiction(
            owner, f"{key} row {row} is not a row of {rows.n_features} columns; expected ascending indices"
        )
    if np.isinf(rows.data).any():
        row = int(np.argmax(np.isinf(rows.data)))
        raise contradiction(owner, f"{key}.data row {row} is infinite; expected a number")
    return rows


LARGEST = 1e100
"""The largest magnitude of a value: sums of squares over all features and rows stay finite."""
SMALLEST = 1e-100
"""What is smaller, and not 0, counts as 0: its square would have lost its digits, or be 0."""
LARGEST_BITS, SMALLEST_BITS = bits_of(LARGEST), bits_of(SMALLEST)
DENSE_BYTES = 64 << 20
"""Bytes up to which sparse rows become an array for a learner that takes arrays alone."""
KEPT_BYTES = 1 << 30
"""Bytes that such a learner may have to keep of rows as wide as these."""


TWICE, UNSORTED = 3, 4
FAULTS = {
    1: "indptr is not an ascending range of indices; expected a valid CSR matrix",
    2: "an index is out of range; expected 0 to {}",
    TWICE: "a column, {}, is stored twice; expected once (X.sum_duplicates())",
}
"""What ``check_rows`` finds wrong with rows, by its number."""


def examined_rows(X: Any, features: Any, n_categories: np.ndarray) -> Rows:
    """Return sparse rows, checked.

    Raises
    ------
    ValueError
        As for dense rows, naming row and column; and where indices are out of range or come twice in a row.
    """
    if X.shape[1:] != (len(features),):
        raise wrong_shape(X.shape, len(features))
    rows = _laid_out(X)
    fault, row = check_rows(rows.indptr, rows.indices, rows.n_features)
    if fault == UNSORTED:
        rows = rows.copy()
        order = np.lexsort((rows.indices, rows.row_numbers()))
        rows = SparseRows(rows.indptr, rows.indices[order], rows.data[order], rows.n_features)
        fault, row = check_rows(rows.indptr, rows.indices, rows.n_features)
    if fault:
        own = rows.indices[rows.indptr[row] : rows.indptr[row + 1]] if fault == TWICE else np.zeros(0, np.int32)
        twice = [repr(features[int(column)].name) for column in own[1:][own[1:] == own[:-1]]]
        raise ValueError(f"X row {row}: {FAULTS[fault].format(*twice[:1], rows.n_features - 1)}")
    missing = np.empty(len(rows), np.bool_)
    bad = examine_rows(*rows.arrays, bool(n_categories.any()), n_categories, missing, SMALLEST_BITS, LARGEST_BITS)
    if bad >= 0:
        row = int(np.searchsorted(rows.indptr, bad, side="right")) - 1
        raise bad_value(features, row, int(rows.indices[bad]), rows.data[bad].item())
    if bad == -2:
        data = np.where(np.abs(rows.data) < SMALLEST, 0.0, rows.data)
        rows = SparseRows(rows.indptr, rows.indices, data, rows.n_features)
    return Rows(rows, missing)


def _laid_out(X: Any) -> SparseRows:
    """Return rows in the types and the layout that kernels are compiled for; nothing is written to what is given."""
    if np.dtype(X.data.dtype if isinstance(X, SparseRows) else X.dtype).kind not in "buif":
        raise ValueError(f"X is of type {X.dtype}; expected real numbers")
    matrix = X if isinstance(X, SparseRows) else X.tocsr()
    indices, width = matrix.indices, int(X.shape[1])
    if indices.dtype != np.int32:
        # before it is narrowed, what does not fit is made something that is refused
        indices = np.where((indices < 0) | (indices >= width), -1, indices)
    types = zip((matrix.indptr, indices, matrix.data), PARTS.values(), strict=True)
    indptr, indices, data = (np.require(values, dtype, ("C", "A", "W")) for values, dtype in types)
    rows = SparseRows(indptr, indices, data, width)
    if len(rows.indices) != len(rows.data) or len(rows) != X.shape[0] or {each.ndim for each in rows.arrays} != {1}:
        raise ValueError(
            f"X is not a valid CSR matrix: {len(rows.indptr)} pointers, {len(rows.indices)} indices and "
            f"{len(rows.data)} values for {X.shape[0]} rows"
        )
    return rows


def bad_value(features: Any, row: int, column: int, value: float) -> ValueError:
    """Return the error of a value that is out of range."""
    feature = features[column]
    expected = (
        ("a finite number or NaN" if math.isinf(value) else f"at most {LARGEST:g} in magnitude, or NaN")
        if feature.categories is None
        else f"the index of a category, 0 to {len(feature.categories) - 1}, or NaN"
    )
    return ValueError(f"X row {row}, feature {feature.name!r}: {value!r}; expected {expected}")


def refuse_lacking(what: str, kind: str, names: Sequence[str], columns: Any) -> None:
    """Raise a ValueError if a table lacks one of these columns."""
    there = {str(name) for name in columns}
    lacking = [name for name in names if name not in there]
    if lacking:
        raise ValueError(f"{what} lacks the {kind} {lacking[0]!r}; it has {list(columns)[:8]}")


def wrong_shape(shape: Any, n_features: int) -> ValueError:
    """Return the error of a table of another shape."""
    return ValueError(f"X has the shape {tuple(shape)}; expected (n, {n_features})")


def sparse_flags(Y: Any) -> np.ndarray:
    """Return labels that are a sparse matrix as an array, or raise a ValueError if that is too large."""
    if 8 * Y.shape[0] * Y.shape[1] > DENSE_BYTES:
        size = f"{Y.shape[0]:,} x {Y.shape[1]:,}"
        raise ValueError(f"Y is sparse, and has {size} values; expected fewer rows at once")
    return Y.dense() if isinstance(Y, SparseRows) else Y.toarray()


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


# ---------------------------------------------------------------------- rows for other packages' classes


BASE = __name__.rpartition(".")[0]
TAKE_ROWS = ("_learn", "_transform", "_learn_rescaled", "learn_many", "predict_many", "predict_proba_many")
ANSWER = ("_predict", "_test_then_train", "answer_many", "test_then_train")


def guard(kind: type) -> None:
    """Let the methods that a foreign class itself defines have rows that cannot be written to, and copy its answers.

    A class made of one of this package's learners hands its rows on to kernels, which would be compiled once more for
    arrays that are read-only: it gets copies.
    """
    if not is_foreign(kind):
        return
    hands_on = any(not is_foreign(each) and not each.__module__.startswith(BASE) for each in kind.__mro__)
    handed = _copied if hands_on else _shown
    for name in (*TAKE_ROWS, *ANSWER):
        method = vars(kind).get(name)
        if hasattr(method, "__code__"):
            setattr(kind, name, _guarded(method, handed, name in ANSWER))


def _guarded(method: Any, handed: Callable[[Any], Any], answers: bool) -> Any:
    @wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        found = method(self, *map(handed, args), **{name: handed(value) for name, value in kwargs.items()})
        if answers and isinstance(found, tuple):
            # it may write its next answers to the same arrays
            return tuple(each.copy() if isinstance(each, np.ndarray) else each for each in found)
        return found

    return call


def _shown(value: Any) -> Any:
    if isinstance(value, SparseRows):
        indptr, indices, data = map(read_only, value.arrays)
        return SparseRows(indptr, indices, data, value.n_features)
    return read_only(value)


def _copied(value: Any) -> Any:
    return value.copy() if isinstance(value, (np.ndarray, SparseRows)) else read_only(value)
