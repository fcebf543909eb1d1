"""Kernels of ARkNN: the neighbours vote with their fitness, and grow fitter or less fit by the row's labels."""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel
from streamlab.rivals._remembered import (
    HELD,
    add_row,
    cosine_distances,
    count_row,
    fits,
    n_equal,
    nearest,
    remove_row,
    widen,
)  # fmt: skip

__all__ = ["drop_least_fit", "refade", "run"]

HITS, ROWS, UNIT = 0, 1, 2
N_SUMS = 3
# a unit beyond which all fitness is written again, as a share of 1
LARGEST_UNIT = 1e100


@kernel
def _remove(memory, fitness, i):
    last = remove_row(memory, i)
    fitness[i] = fitness[last]


@kernel
def drop_least_fit(memory, fitness, size):
    """Drop the least fit rows until this many are left; of equals the older one."""
    while memory.cursor[HELD] > size:
        worst = 0
        for i in range(1, memory.cursor[HELD]):
            if fitness[i] < fitness[worst] or (fitness[i] == fitness[worst] and memory.born[i] < memory.born[worst]):
                worst = i
        _remove(memory, fitness, worst)


@kernel
def refade(memory, fitness, sums):
    """Write all fitness as shares of 1, and the unit as 1."""
    for i in range(memory.cursor[HELD]):
        fitness[i] /= sums[UNIT]
    sums[UNIT] = 1.0


@kernel(arrays=True)
def run(
    memory, fitness, sums, near, X, Y, start, learns, k, window, min_fitness, fading, hamming, nominal, n_categories,
    scores, labels,
):  # fmt: skip
    """Answer rows from ``start`` on and, if ``learns``, learn each after its answer; return how many are done.

    It stops early before a row that does not fit into the arrays: then nothing of that row is done.

    Parameters
    ----------
    memory
        ``Memory``.
    fitness
        float64 [places]: fitness times ``sums[UNIT]``, which grows as all fitness fades.
    sums
        float64 [3]: ``HITS``, faded sum of what own answers were worth; ``ROWS``, of rows; ``UNIT``.
    near
        int64 [k]: gets the numbers of the neighbours of the last row learned, nearest first, -1 where there are fewer.
    X, Y
        Rows, float64 [n, features], and labels, uint8 [n, labels]; Y is not read if not ``learns``.
    hamming
        Whether an answer is worth the share of its labels that are right, instead of 1 if all are.
    nominal, n_categories
        The features of more than two categories, int64; how many each has, float64 [features], 0 if it is numeric.
    scores, labels
        float64 and uint8 [n, labels], zeros: get the answers.
    """
    n_labels = memory.Y.shape[1]
    q = np.zeros(max(memory.scaled.shape[1], X.shape[1]))
    distances, squares = np.empty(memory.X.shape[0]), np.empty(memory.X.shape[0])
    best, who = np.empty(k), np.empty(k, np.int64)
    for r in range(start, X.shape[0]):
        x = X[r]
        if learns and not fits(memory, x, window):
            return r
        cosine_distances(memory, x, nominal, q, distances, squares)
        count = nearest(distances, memory.born, memory.cursor[HELD], best, who)
        for label in range(n_labels):
            votes, against = 0.0, 0.0
            for t in range(count):
                vote = fitness[who[t]] * (2.0 - best[t])
                if memory.Y[who[t], label]:
                    votes += vote
                else:
                    against += vote
            if votes > 0.0:
                scores[r, label] = votes / (votes + against)
                labels[r, label] = votes > against
        if not learns:
            continue
        y = Y[r]
        accuracy = sums[HITS] / sums[ROWS] if sums[ROWS] > 0.0 else 0.0
        near[:] = -1
        for t in range(count):
            i = who[t]
            equal = n_equal(memory, i, y)
            worth = np.float64(equal == n_labels)
            memory.asked[i] += 1
            memory.right[i] += equal == n_labels
            if hamming:
                worth = equal / max(n_labels, 1)
            fit = fitness[i] / sums[UNIT] + worth - accuracy
            fitness[i] = min(max(fit, 0.0), 1.0) * sums[UNIT]
            near[t] = memory.born[i]
        equal = 0
        for label in range(n_labels):
            equal += labels[r, label] == y[label]
        own = equal / max(n_labels, 1) if hamming else np.float64(equal == n_labels)
        sums[HITS] = fading * sums[HITS] + own
        sums[ROWS] = fading * sums[ROWS] + 1.0
        widen(memory, x, n_categories)
        sums[UNIT] /= fading
        if sums[UNIT] > LARGEST_UNIT:
            refade(memory, fitness, sums)
        for i in range(memory.cursor[HELD] - 1, -1, -1):
            if fitness[i] < min_fitness * sums[UNIT]:
                _remove(memory, fitness, i)
        drop_least_fit(memory, fitness, window - 1)
        fitness[add_row(memory, x, y)] = sums[UNIT]
        count_row(memory)
    return X.shape[0]
