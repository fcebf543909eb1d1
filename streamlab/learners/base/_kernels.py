"""The check of a chunk's values, in one pass over them."""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel

__all__ = ["scan"]


@kernel
def scan(X, n_categories, missing):
    """Mark in ``missing`` (bool [rows]) the rows with a NaN; return the flat index of the first bad value, or -1.

    Bad is an infinity, and in a nominal column (``n_categories`` float64 [columns] above 0) all but 0, 1, … k - 1.
    """
    n, width = X.shape
    bits = X.view(np.uint64)
    exponent = np.uint64(0x7FF0000000000000)
    any_nominal = False
    for j in range(width):
        any_nominal |= n_categories[j] > 0
    for i in range(n):
        # integers, so that the loop is vectorised: all exponent bits are set in NaN and infinity alone
        odd = False
        for j in range(width):
            odd |= (bits[i, j] & exponent) == exponent
        if any_nominal:
            for j in range(width):
                v = X[i, j]
                k = n_categories[j]
                odd |= (k > 0) & ((v < 0) | (v >= k) | (v != np.floor(v)))
        missing[i] = False
        if odd:
            for j in range(width):
                v = X[i, j]
                if np.isnan(v):
                    missing[i] = True
                elif np.isinf(v) or (n_categories[j] > 0 and (v < 0 or v >= n_categories[j] or v != np.floor(v))):
                    return i * width + j
    return -1
