"""Time stamps of instances, for learners whose sums fade and merge."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["checked_ticks"]


def checked_ticks(ticks: Any, n: int, now: int) -> np.ndarray | None:
    """``ticks`` as int64 (n,), or None if there are none; a ValueError unless they rise and come after ``now``."""
    if ticks is None:
        return None
    ticks = np.asarray(ticks)
    if ticks.shape != (n,) or (n and ticks.dtype.kind not in "iu"):
        raise ValueError(f"ticks: {ticks.dtype} of shape {ticks.shape}; expected whole numbers of shape ({n},)")
    ticks = ticks.astype(np.int64)
    before = np.concatenate([[now], ticks[:-1]])[:n]
    if (ticks <= before).any():
        row = int(np.argmax(ticks <= before))
        raise ValueError(f"ticks row {row}: {ticks[row]} does not come after {before[row]}")
    return ticks
