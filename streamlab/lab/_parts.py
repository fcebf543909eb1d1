"""Take parts out of a flat state that may have been altered, each checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

__all__ = ["array_part", "number_part", "under"]


def array_part(
    owner: str,
    state: Mapping[str, Any],
    name: str,
    shape: tuple[int, ...],
    dtype: DTypeLike = np.float64,
    *,
    may_be_nan: bool = False,
) -> np.ndarray:
    """Return the array of this name, or raise a ValueError unless it has the shape and dtype and is finite (or NaN)."""
    array = state.get(name)
    if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != np.dtype(dtype):
        found = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise ValueError(f"{owner}: {name} is {found}; expected {np.dtype(dtype)} {shape}")
    if array.dtype.kind == "f" and not (np.isfinite(array) | (np.isnan(array) & may_be_nan)).all():
        raise ValueError(f"{owner}: {name} holds a number that is not finite")
    return array


def number_part(owner: str, state: Mapping[str, Any], name: str, low: int = 0, high: int = 10**15) -> int:
    """Return the whole number of this name, or raise a ValueError unless it lies from ``low`` to ``high``."""
    value = state.get(name)
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{owner}: {name} is {str(value)[:40]}; expected a whole number from {low} to {high}")
    return value


def under(state: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """Return the entries whose names begin with the prefix, under the rest of their names."""
    return {name.removeprefix(prefix): value for name, value in state.items() if name.startswith(prefix)}
