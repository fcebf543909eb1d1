"""Kernels of SplitMix64 (Steele, Lea and Flood, 2014): draws as pure functions of what they are counted by."""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel

__all__ = ["GOLDEN", "mix", "unit"]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""The odd step of SplitMix64: counters are multiplied by it before they are mixed."""


@kernel(inner=True)
def mix(z):
    """Return SplitMix64's finaliser of ``z`` (uint64): a bijection in which every bit depends on every other."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel(inner=True)
def unit(z):
    """Return the upper 53 bits as a float64 in [0, 1)."""
    return np.float64(z >> np.uint64(11)) * (1.0 / 9007199254740992.0)
