"""Large arrays with room for more rows behind them, which takes no memory until it is written to.

To lengthen such an array copies nothing: it is a view of the first rows of a longer one of zeros.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

# rows of the long array for each row asked for
SPARE = 4

# by the id of a long array: itself, weakly, and how many of its rows were ever given out
_given: dict[int, tuple[Any, int]] = {}


def zeros_with_spare_rows(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
    """Return new zeros; where the system grants it, with spare rows behind them."""
    try:
        long = np.zeros((SPARE * shape[0], *shape[1:]), dtype)
    except MemoryError:
        return np.zeros(shape, dtype)
    key = id(long)
    _given[key] = weakref.ref(long, lambda _: _given.pop(key, None)), shape[0]
    return long[: shape[0]]


def lengthened(old: np.ndarray, n_rows: int) -> np.ndarray | None:
    """Return ``old`` with more rows of zeros, sharing its memory, or None if it has no room for them.

    Rows that were given out before are not given out again, as they may hold something.
    """
    long: Any = old.base
    if long is None or id(long) not in _given:
        return None
    known, given = _given[id(long)]
    if known() is not long:
        return None
    starts = old.__array_interface__["data"][0] == long.__array_interface__["data"][0]
    alike = old.dtype == long.dtype and old.shape[1:] == long.shape[1:] and old.strides == long.strides
    if not (starts and alike and len(old) == given <= n_rows <= len(long)):
        return None
    _given[id(long)] = known, n_rows
    return long[:n_rows]
