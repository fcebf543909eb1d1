"""Poisson draws as pure functions of (seed, instance, node, bag), so that the chunk size has no effect on them."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._splitmix import GOLDEN, mix, unit
from streamlab.learners.mlhat._tree import LEAN

__all__ = ["bag_weights", "instance_weight", "poisson"]

MOST = 1000


@kernel(**LEAN)
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


@kernel(**LEAN)
def instance_weight(seed, instance, rate):
    """Return how often online bootstrapping learns instance number ``instance``: a Poisson draw of mean ``rate``."""
    z = mix(np.uint64(seed) + GOLDEN)
    return poisson(mix(z + np.uint64(instance + 1) * GOLDEN), rate)


@kernel(**LEAN)
def bag_weights(seed, instance, node_id, out):
    """Fill ``out`` (int64 [bags]) with the Poisson(1) draws of the bags of a leaf for an instance."""
    z = mix(np.uint64(seed) + GOLDEN)
    z = mix(z + np.uint64(instance + 1) * GOLDEN)
    z = mix(z + np.uint64(node_id + 1) * GOLDEN)
    for m in range(out.shape[0]):
        out[m] = poisson(mix(z + np.uint64(m + 1) * GOLDEN), 1.0)
