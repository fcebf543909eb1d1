"""Poisson draws as pure functions of (seed, instance, node, bag), so that the chunk size has no effect on them."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._splitmix import GOLDEN, mix, unit
from streamlab.learners.mlhat._tree import INNER

__all__ = ["bag_weights", "instance_weight", "poisson"]

MOST = 1000


def _shares() -> np.ndarray:
    """Return the probabilities that a Poisson(1) variate is at most 0, 1, …, summed up as ``poisson`` does."""
    share = math.exp(-1.0)
    sums = [share]
    for k in range(1, 20):
        share *= 1.0 / k
        sums.append(sums[-1] + share)
    return np.array(sums)


AT_MOST = _shares()
LAST = AT_MOST[-1]


@kernel(**INNER)
def poisson(z, rate):
    """Return the Poisson variate of mean ``rate`` for the upper 53 bits of ``z`` (uint64), by inversion."""
    u = unit(z)
    share = math.exp(-rate)
    below = share
    k = 0
    while u >= below and k < MOST:
        k += 1
        share *= rate / k
        below += share
    return k


@kernel(**INNER)
def instance_weight(seed, instance, rate):
    """Return how often online bootstrapping learns instance number ``instance``: a Poisson draw of mean ``rate``."""
    z = mix(np.uint64(seed) + GOLDEN)
    return poisson(mix(z + np.uint64(instance + 1) * GOLDEN), rate)


@kernel(**INNER)
def bag_weights(seed, instance, node_id, out):
    """Fill ``out`` (int64 [bags]) with the Poisson(1) draws of the bags of a leaf for an instance."""
    z = mix(np.uint64(seed) + GOLDEN)
    z = mix(z + np.uint64(instance + 1) * GOLDEN)
    z = mix(z + np.uint64(node_id + 1) * GOLDEN)
    for m in range(out.shape[0]):
        drawn = mix(z + np.uint64(m + 1) * GOLDEN)
        u = unit(drawn)
        if u >= LAST:
            out[m] = poisson(drawn, 1.0)
            continue
        k = 0
        for j in range(AT_MOST.shape[0]):
            k += np.int64(u >= AT_MOST[j])
        out[m] = k
