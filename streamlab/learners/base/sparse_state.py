"""Sparse rows in a state: written as three arrays, and trusted only when they are well formed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from streamlab.learners.base._sparse_kernels import check_rows
from streamlab.learners.base.contradictions import contradiction, entry_of
from streamlab.learners.base.dimensions import length
from streamlab.learners.base.sparse_rows import SparseRows

__all__ = ["restored_rows", "sparse_state"]

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
