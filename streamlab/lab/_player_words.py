"""What a player is told and tells: the rate that it takes, and what an error says."""

from __future__ import annotations

import math
import numbers

__all__ = ["checked_rate", "said"]


def said(error: BaseException) -> str:
    """Return what an error says; of those that are no ``Exception``, and of those that say nothing, the type too."""
    text, kind = str(error), type(error).__name__
    return text if text and isinstance(error, Exception) else f"{kind}: {text}" if text else kind


def checked_rate(rate: float | None) -> float | None:
    """Return a rate in instances a second, or None for flat out; raises a ValueError for anything else."""
    if rate is None:
        return None
    if isinstance(rate, bool) or not isinstance(rate, numbers.Real) or not 0 < rate < math.inf:
        raise ValueError(f"rate={rate!r}: expected instances a second, above 0, or None for flat out")
    return float(rate)
