"""What two forests of SMART must have in common to be added."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["check_mergeable", "check_ranges"]


def check_mergeable(model: Any, other: Any) -> None:
    """Raise a ValueError unless both have the same parameters and schema, and the other's warm-up is over."""
    for name in ("seed", "half_life", "height", "n_trees"):
        mine, theirs = getattr(model, name), getattr(other, name)
        if mine != theirs:
            raise ValueError(f"cannot merge: {name} is {mine!r} here and {theirs!r} there")
    if model.seed is None:
        raise ValueError("cannot merge: seed=None gives every learner trees of its own; set the same seed")
    difference = model.schema.difference(other.schema) if model._features or model._labels else None
    if difference is not None:
        raise ValueError(f"cannot merge: the schemas differ: {difference}")
    if model._warm_up_X is not None or other._low is None:
        raise ValueError("cannot merge during the warm-up: the features' ranges are not known yet; declare bounds")


def check_ranges(other: Any, low: np.ndarray, high: np.ndarray) -> None:
    """Raise a ValueError unless the other's features have these ranges (float64 (n_features,))."""
    differs = (low != other._low) | (high != other._high)
    if differs.any():
        column = int(np.argmax(differs))
        raise ValueError(
            f"cannot merge: the bounds of {other._features[column].name!r} are "
            f"[{low[column]:g}, {high[column]:g}] here and "
            f"[{other._low[column]:g}, {other._high[column]:g}] there"
        )
