"""How evidence fades: by half in as many rows as the half-life, and never with an infinite one."""

from __future__ import annotations

from typing import Any

import numpy as np


def share_left(rows: Any, half_life: Any) -> Any:
    """Return what share of evidence is left ``rows`` later; fewer than none: what it was as much earlier.

    Of numbers or of arrays. Kernels call the same, compiled, as ``_kernels.share_left``.

    Examples
    --------
    >>> share_left(400, 200.0), share_left(-200, 200.0), share_left(400, float("inf"))
    (0.25, 2.0, 1.0)
    """
    return 2.0 ** (rows / -half_life)


def most_held(half_life: float) -> float:
    """Return how many rows' worth of evidence is held at most, however many rows come: the sum of all shares left."""
    return float(1.0 / -np.expm1(-np.log(2.0) / half_life)) if np.isfinite(half_life) else np.inf
