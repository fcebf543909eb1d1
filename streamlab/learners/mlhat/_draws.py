"""Poisson draws as pure functions of (seed, instance, node, bag): no generator whose state the cutting could change."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel

__all__ = ["bag_weights", "instance_weight", "poisson"]

MOST = 1000


@kernel
def mix(z):
    """The finaliser of SplitMix64: a bijection of 64 bits in which every bit depends on every other."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def poisson(z, rate):
    """The Poisson variate of mean ``rate`` that belongs to the upper 53 bits of ``z`` (uint64), by inversion."""
    u = np.float64(z >> np.uint64(11)) * (1.0 / 9007199254740992.0)
    share = math.exp(-rate)
    below = share
    k = 0
    while u >= below and k < MOST:
        k += 1
        share *= rate / k
        below += share
    return k


@kernel
def instance_weight(seed, instance, rate):
    """How often online bootstrapping learns instance number ``instance``: Poisson of mean ``rate``."""
    golden = np.uint64(0x9E3779B97F4A7C15)
    z = mix(np.uint64(seed) + golden)
    return poisson(mix(z + np.uint64(instance + 1) * golden), rate)


@kernel
def bag_weights(seed, instance, node_id, out):
    """Fill ``out`` (int64 [bags]) with the Poisson(1) draws of the bags of a leaf for an instance."""
    golden = np.uint64(0x9E3779B97F4A7C15)
    z = mix(np.uint64(seed) + golden)
    z = mix(z + np.uint64(instance + 1) * golden)
    z = mix(z + np.uint64(node_id + 1) * golden)
    for m in range(out.shape[0]):
        out[m] = poisson(mix(z + np.uint64(m + 1) * golden), 1.0)
