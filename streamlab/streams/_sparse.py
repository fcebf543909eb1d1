"""Rows as CSR: which sources give them, and how blocks of them are made and joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import scipy.sparse

WIDE = 10_000
"""Columns from which a source that is sparse by nature gives CSR."""
DENSE = 20
"""One value in so many other than 0, or more, and it gives arrays all the same."""


def is_csr(X: Any) -> bool:
    """Whether rows are CSR, and not an array.

    Parameters
    ----------
    X
        Rows of a chunk.

    Examples
    --------
    >>> is_csr(csr_rows([0, 1], [2], [0.5], 4)), is_csr(np.zeros((1, 4)))
    (True, False)
    """
    # without scipy.sparse, which takes its time to be imported
    return hasattr(X, "indptr")


def is_wide_and_sparse(n_values: int, n_rows: int, n_features: int) -> bool:
    """Whether data give CSR unless told otherwise: at least ``WIDE`` columns, and few values other than 0."""
    return n_features >= WIDE and n_values * DENSE <= n_rows * n_features


def csr_rows(indptr: Any, indices: Any, data: Any, n_features: int) -> scipy.sparse.csr_array:
    """Return CSR of float64 from its parts; indices rise in each row.

    Parameters
    ----------
    indptr, indices, data
        The three arrays of a CSR matrix: where each row begins, the columns of its values, the values.
    n_features
        Number of columns.

    Returns
    -------
    scipy.sparse.csr_array

    Examples
    --------
    >>> csr_rows([0, 1, 3], [2, 0, 3], [0.5, 1.0, 2.0], 4).toarray().tolist()
    [[0.0, 0.0, 0.5, 0.0], [1.0, 0.0, 0.0, 2.0]]
    """
    import scipy.sparse

    parts = np.asarray(data, np.float64), np.asarray(indices, np.int32), np.asarray(indptr, np.int32)
    return scipy.sparse.csr_array(parts, shape=(len(indptr) - 1, n_features))


def checked_csr(indptr: Any, indices: Any, data: Any, shape: tuple[int, int]) -> scipy.sparse.csr_array:
    """Return CSR of parts that may have been altered, copied.

    Raises
    ------
    ValueError
        Unless they are arrays of the rows and columns of ``shape``.
    """
    fits = all(isinstance(part, np.ndarray) and part.ndim == 1 for part in (indptr, indices, data))
    fits = fits and indptr.dtype.kind == indices.dtype.kind == "i" and data.dtype == np.float64
    fits = fits and indptr.shape == (shape[0] + 1,) and len(indices) == len(data)
    fits = fits and indptr[0] == 0 and indptr[-1] == len(data) and bool((np.diff(indptr) >= 0).all())
    if not fits or not ((indices >= 0) & (indices < shape[1])).all():
        raise ValueError(f"it is not a sparse matrix of {shape[0]} rows and {shape[1]} columns")
    return csr_rows(indptr.copy(), indices.copy(), data.copy(), shape[1])


def csr_of(X: np.ndarray) -> scipy.sparse.csr_array:
    """Return rows of an array as CSR; NaN is kept."""
    import scipy.sparse

    return scipy.sparse.csr_array(X)


def stacked(parts: Sequence[Any]) -> Any:
    """Return blocks of rows, one after the other: an array, or a CSR array if these are CSR.

    Parameters
    ----------
    parts
        Blocks of rows, all arrays or all CSR, of equally many columns.

    Examples
    --------
    >>> stacked([np.zeros((2, 3)), np.ones((1, 3))]).shape
    (3, 3)
    """
    if len(parts) == 1:
        return parts[0]
    if not is_csr(parts[0]):
        return np.concatenate(parts)
    import scipy.sparse

    return scipy.sparse.vstack(parts, "csr")
