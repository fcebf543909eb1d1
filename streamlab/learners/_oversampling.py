"""The kernel of oversampling: how often each row is learned, by how rare its labels have been lately."""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._kernels import GOLDEN, mix, unit


@kernel
def count_copies(Y, shares, weights, is_balanced, first, fading, most, key, copies):
    """Fill ``copies`` (int64 [rows]), and let ``shares`` (float64 [labels]) follow; ``first`` rows came before."""
    for i in range(Y.shape[0]):
        number = first + i + 1
        # the plain mean until there are enough rows for a faded one
        kept = min(fading, 1.0 - 1.0 / number)
        wanted = 1.0
        for j in range(Y.shape[1]):
            is_true = Y[i, j] != 0
            shares[j] = kept * shares[j] + (1.0 - kept) * is_true
            if is_true:
                wanted = max(wanted, (1.0 - shares[j]) / shares[j] if is_balanced else weights[j])
        # a fraction is a chance, a function of the row's number alone
        chance = unit(mix(np.uint64(key) + np.uint64(number) * GOLDEN))
        copies[i] = np.int64(min(wanted, most) + chance)
