"""The answer of SMART's roots while the warm-up keeps its instances aside."""

from __future__ import annotations

import numpy as np

from streamlab.learners.smart import _kernels as kernels

__all__ = ["root_sums"]


def root_sums(Y: np.ndarray, times: np.ndarray, rates: np.ndarray) -> np.ndarray:
    """Return the sums of a null node and of a root that has learned these instances, float64 (2, 4 + labels).

    Parameters
    ----------
    Y
        Labels, uint8 (n, labels).
    times, rates
        When each instance came, and the half-life of that time.
    """
    faded = np.diff(times) / rates[1:]
    weights = 2.0 ** -np.append(np.cumsum(faded[::-1])[::-1], 0.0)
    root = np.zeros((2, kernels.COUNTS + Y.shape[1]))
    root[1, kernels.WEIGHT] = weights.sum()
    root[1, kernels.SIZES] = weights @ Y.sum(axis=1)
    root[1, kernels.COUNTS :] = weights @ Y
    return root
