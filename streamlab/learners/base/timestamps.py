"""Timestamps of instances, for learners whose sums fade and merge."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["checked_timestamps"]


def checked_timestamps(timestamps: Any, n: int, now: int) -> np.ndarray | None:
    """Return timestamps as int64 (n,), or None if there are none.

    Raises
    ------
    ValueError
        Unless they are whole numbers that rise and come after ``now``, naming the row.
    """
    if timestamps is None:
        return None
    timestamps = np.asarray(timestamps)
    if timestamps.shape != (n,) or (n and timestamps.dtype.kind not in "iu"):
        raise ValueError(
            f"timestamps: {timestamps.dtype} of shape {timestamps.shape}; expected whole numbers of shape ({n},)"
        )
    timestamps = timestamps.astype(np.int64)
    before = np.concatenate([[now], timestamps[:-1]])[:n]
    if (timestamps <= before).any():
        row = int(np.argmax(timestamps <= before))
        raise ValueError(f"timestamps row {row}: {timestamps[row]} does not come after {before[row]}")
    return timestamps
