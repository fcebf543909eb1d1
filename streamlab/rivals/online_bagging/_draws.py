"""Kernels of online bagging: how often a member learns a row, as a function of the seed, the member and the row."""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._kernels import GOLDEN, mix
from streamlab.learners.mlhat._bags import poisson


@kernel
def draw(key, member, first, rate, weights):
    """Fill ``weights`` with Poisson draws of mean ``rate`` for the rows from ``first`` on; ``member`` is its number."""
    z = mix(np.uint64(key) + np.uint64(member + 1) * GOLDEN)
    for i in range(weights.shape[0]):
        weights[i] = poisson(mix(z + np.uint64(first + i + 1) * GOLDEN), rate)
