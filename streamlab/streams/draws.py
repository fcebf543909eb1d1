"""Draw random numbers for rows: from a seed, a key for what is drawn, and the row's position alone.

What a stream yields therefore depends neither on the chunks nor on the row where reading begins.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np


def uniform(seed: int, key: int | np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return a number in [0, 1) for each row that depends on seed, key and row alone (SplitMix64, three rounds).

    Keys of shape (1, k) and rows of shape (n, 1) give an array of shape (n, k).
    """
    state = _mixed(np.array([seed % 2**64], np.uint64))
    state = _mixed(state ^ np.uint64(key))
    state = _mixed(state ^ rows.astype(np.uint64))
    return (state >> np.uint64(11)) * 2.0**-53


def _mixed(x: np.ndarray) -> np.ndarray:
    """SplitMix64's step and output (Steele, Lea and Flood, 2014)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def key_base(kind: str, depth: int = 0) -> int:
    """Return the first of 2**32 keys for ``uniform`` that belong to this kind of draw alone.

    Another ``depth`` gives other keys: see ``wrapped.chain_key``.
    """
    return zlib.crc32(f"{kind}/{depth}".encode()) >> 1 << 32  # and with them below 2**63, for arrays of keys


def ramp(rows: np.ndarray, position: int, width: int) -> np.ndarray:
    """Return the chance that a row is of the new concept: 0 before ``position``, 1 from ``position + width`` on."""
    after = rows - position
    if width == 1:
        return (after >= 0).astype(np.float64)
    middle = np.clip(after / width, 0.0, 1.0)
    inner = 1.0 / (1.0 + np.exp(-10.0 * (middle - 0.5)))
    return np.where(after < 0, 0.0, np.where(after >= width, 1.0, inner))


def count_passed(rows: np.ndarray, at: Sequence[int], width: int, seed: int, key: int) -> np.ndarray:
    """Return how many of the positions ``at`` each row lies behind, drawn within their widths; int64."""
    count = np.zeros(rows.shape, np.int64)
    for i, position in enumerate(at):
        if width == 1:  # nothing to draw
            count += rows >= position
        else:
            count += uniform(seed, key + i, rows) < ramp(rows, position, width)
    return count
