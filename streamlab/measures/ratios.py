"""Quotients of counts with a stated value for 0/0."""

from __future__ import annotations

import numpy as np

__all__ = ["check_zero_division", "mean", "ratio", "ratios"]


def check_zero_division(zero_division: float) -> float:
    """Return ``zero_division``, or raise ``ValueError`` unless it is 0.0 or 1.0."""
    if zero_division not in (0.0, 1.0):
        raise ValueError(f"zero_division={zero_division} must be 0.0 or 1.0")
    return float(zero_division)


def ratio(part: float, whole: float, zero_division: float) -> float:
    """``part / whole``, or ``zero_division`` where ``whole`` is 0."""
    return float(part / whole) if whole > 0.0 else zero_division


def ratios(part: np.ndarray, whole: np.ndarray, zero_division: float) -> np.ndarray:
    """``ratio`` element by element, for float64 arrays of one shape."""
    return np.divide(part, whole, out=np.full(whole.shape, zero_division), where=whole > 0.0)


def mean(values: np.ndarray, zero_division: float) -> float:
    """The mean, or ``zero_division`` of nothing."""
    return float(values.sum() / len(values)) if len(values) else zero_division
