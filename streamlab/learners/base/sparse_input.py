"""Sparse rows: checked like dense ones, handed on as they are, or unfolded where they are small."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from streamlab.learners.base import _sparse_kernels as kernels
from streamlab.learners.base._kernels import bits_of
from streamlab.learners.base.outlier_guard import Rows
from streamlab.learners.base.sparse_rows import SparseRows

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


def flags_of(Y: Any) -> np.ndarray:
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
