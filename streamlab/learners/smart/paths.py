"""The paths of rows through SMART's trees, of an array or of sparse rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab.learners.base.sparse_rows import SparseRows
from streamlab.learners.smart import _kernels as kernels

__all__ = ["write_paths"]


def write_paths(X: Any, missing: np.ndarray, scratch: np.ndarray, *arena: Any) -> np.ndarray:
    """Write the slots that each row passes, as ``find_paths`` does.

    Parameters
    ----------
    X
        An array, or ``SparseRows``.
    missing
        bool (n,): rows with missing values.
    scratch
        float64 zeros, into which a sparse row is unfolded.
    *arena
        The further arguments of ``find_paths``.

    Returns
    -------
    ``scratch``, as long as a row if the rows are sparse.
    """
    if not isinstance(X, SparseRows):
        kernels.find_paths(X, missing, *arena)
        return scratch
    if len(scratch) != X.n_features:
        scratch = np.zeros(X.n_features)
    kernels.find_paths_of_rows(X.arrays, missing, scratch, *arena)
    return scratch
