"""The ranges from which SMART draws thresholds, and the answer of its roots while they are not known."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from streamlab.learners.base.fading import share_left
from streamlab.learners.base.rows import LARGEST, SparseRows, joined
from streamlab.learners.base.state import Part
from streamlab.learners.smart import _kernels as kernels
from streamlab.schema import Feature, NumberedFeatures


def checked_bounds(bounds: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the parameter ``bounds`` as low and high, float64 without or with one dimension.

    Raises
    ------
    ValueError
        If it is not two finite numbers or arrays of equal length, or low is above high.
    """
    try:
        low, high = (np.asarray(side, np.float64) for side in bounds)
    except (TypeError, ValueError):
        raise ValueError(f"bounds={bounds!r}: expected (low, high), numbers or arrays") from None
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        raise ValueError("bounds: expected finite numbers")
    if (np.abs(low) > LARGEST).any() or (np.abs(high) > LARGEST).any():
        raise ValueError(f"bounds: expected numbers of at most {LARGEST:g} in magnitude")
    if low.ndim > 1 or high.ndim > 1 or (low.ndim == high.ndim == 1 and len(low) != len(high)):
        raise ValueError(f"bounds: low of shape {low.shape}, high {high.shape}; expected (n_features,) or numbers")
    if (low > high).any():
        raise ValueError("bounds: low must not be above high")
    return low, high


def declared_ranges(features: Sequence[Feature], first: int, bounds: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return low and high of the features from ``first`` on, float64 (n,), NaN where nothing declares them.

    Parameters
    ----------
    features
        All features.
    first
        The first that is asked for.
    bounds
        The parameter: the ranges, or None for those of the schema.
    """
    if bounds is not None:
        low, high = (np.broadcast_to(side, len(features))[first:].copy() for side in checked_bounds(bounds))
        return low, high
    if isinstance(features, NumberedFeatures):
        low, high = np.full((2, len(features) - first), math.nan)
        return low, high
    sides = [(f.low, f.high) if f.categories is None else (0.0, 0.0) for f in features[first:]]
    low, high = np.array(sides, np.float64).reshape(-1, 2).T.copy()
    low[np.abs(low) > LARGEST] = high[np.abs(high) > LARGEST] = math.nan
    return low, high


def completed(low: np.ndarray, high: np.ndarray, X: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return ranges whose NaN are replaced by what the rows ``X`` reach; 0 where they have no value."""
    if isinstance(X, SparseRows):
        least, largest = X.extremes()
    else:
        least = np.where(np.isnan(X), np.inf, X).min(axis=0)
        largest = np.where(np.isnan(X), -np.inf, X).max(axis=0)
    never = np.isinf(least)
    low = np.where(np.isnan(low), np.where(never, 0.0, least), low)
    high = np.where(np.isnan(high), np.where(never, 0.0, largest), high)
    return low, np.maximum(low, high)


def check_width(bounds: Any, n_features: int) -> None:
    """Raise a ValueError if the parameter ``bounds`` holds arrays for another number of features."""
    for side, values in zip(("low", "high"), bounds or (), strict=False):
        if np.ndim(values) and len(values) != n_features:
            raise ValueError(f"bounds: {side} has {len(values)} values; expected {n_features}, or one number for all")


class Ranges(Part):
    """From which thresholds are drawn, float64 (n_features,); None until they are known."""

    low: Any = None
    high: Any = None

    def add(self, low: np.ndarray, high: np.ndarray, values: np.ndarray) -> None:
        """Add the declared ranges of new features; where these are NaN, they reach from 0 to the first values."""
        self.low = np.append(self.low, np.where(np.isnan(low), np.minimum(values, 0.0), low))
        self.high = np.append(self.high, np.where(np.isnan(high), np.maximum(values, 0.0), high))


class WarmUp(Part):
    """What is kept of the rows until the ranges are known: values, labels, times, and the half-life of these times."""

    X: Any = None
    Y: Any = None
    times: Any = None
    rates: Any = None

    def keep(self, *rows: Any) -> None:
        """Keep rows more: X, Y, times and rates."""
        for name, new in zip(("X", "Y", "times", "rates"), rows, strict=True):
            kept = getattr(self, name)
            setattr(self, name, joined(new[:0] if kept is None else kept, new))

    def keep_last(self, n: int) -> None:
        self.X, self.Y, self.times, self.rates = (rows[-n:] for rows in (self.X, self.Y, self.times, self.rates))

    def root_sums(self) -> np.ndarray:
        """Return the sums of a null node and of a root that has learned these rows, float64 (2, 4 + labels)."""
        half_lives = np.diff(self.times) / self.rates[1:]
        weights = share_left(np.append(np.cumsum(half_lives[::-1])[::-1], 0.0), 1.0)
        root = np.zeros((2, kernels.COUNTS + self.Y.shape[1]))
        root[1, kernels.WEIGHT] = weights.sum()
        root[1, kernels.SIZES] = weights @ self.Y.sum(axis=1)
        root[1, kernels.COUNTS :] = weights @ self.Y
        return root
