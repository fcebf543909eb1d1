"""What a player is told and tells: the rate that it takes, its speed, what an error says, and that it is closed."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence

__all__ = ["PlayerClosed", "checked_rate", "said", "speed_of"]


class PlayerClosed(RuntimeError):
    """A command came after the player was closed."""


def said(error: BaseException) -> str:
    """Return an error's message, and its type if it has no message or is not an ``Exception``."""
    text, kind = str(error), type(error).__name__
    return text if text and isinstance(error, Exception) else f"{kind}: {text}" if text else kind


def checked_rate(rate: float | None) -> float | None:
    """Return a rate in instances a second, or None for flat out; raises a ValueError for anything else."""
    if rate is None:
        return None
    if isinstance(rate, bool) or not isinstance(rate, numbers.Real) or not 0 < rate < math.inf:
        raise ValueError(f"rate={rate!r}: expected instances a second, above 0, or None for flat out")
    return float(rate)


def speed_of(points: Sequence[tuple[float, int]]) -> float:
    """Return the instances a second from the first (seconds, position) to the last; 0 if there are not two."""
    if len(points) < 2:
        return 0.0
    (t0, p0), (t1, p1) = points[0], points[-1]
    return (p1 - p0) / (t1 - t0) if t1 > t0 else 0.0
