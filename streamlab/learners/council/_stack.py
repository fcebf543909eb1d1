"""Kernels of the council: how far each expert is trusted, learned from what the experts said of each row."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.mlhat._bags import sigmoid

FARTHEST = 4.0
"""Where log-odds of an expert's score stop: a score of 0 or 1 counts as odds of 1 to 55."""
STEP_SHARED, STEP_OWN = 0.05, 0.02
"""Steps of what all labels share, and of what each label has of its own."""
FIRST_SHARED, FIRST_OWN = 0.01, 1.0
"""Squared gradients remembered at least: of the shared trusts, and of all else."""


@kernel(inner=True)
def _log_odds(score):
    """Return log(score / (1 - score)), within ``FARTHEST``."""
    if score <= 0.0:
        return -FARTHEST
    if score >= 1.0:
        return FARTHEST
    return min(max(math.log(score / (1.0 - score)), -FARTHEST), FARTHEST)


@kernel(inner=True)
def _write_inputs(scores, row, counts, rows, z):
    """Fill ``z`` [1 + experts, labels] for a row: first the log-odds of the labels' faded shares, then the experts'."""
    for j in range(z.shape[1]):
        share = (counts[j] + 0.1) / (rows[0] + 1.0)
        z[0, j] = math.log(share / (1.0 - share))
        for k in range(scores.shape[0]):
            z[k + 1, j] = _log_odds(scores[k, row, j])


@kernel(inner=True)
def _probability(z, j, shared, own):
    n = z.shape[0]
    total = shared[n] + own[n, j]
    for k in range(n):
        total += (shared[k] + own[k, j]) * z[k, j]
    return sigmoid(total)


@kernel(inner=True)
def _step(value, squares, gradient, first, step, fading):
    """Return a weight and its remembered squares after one step of AdaGrad, whose memory fades towards its start."""
    squares = max(fading * squares, first) + gradient * gradient
    return value - step * gradient / math.sqrt(squares), squares


@kernel(arrays=True)
def stack(scores, Y, start, stop, learns, fading, shared, shared_squares, own, own_squares, counts, rows, out):
    """Answer rows by the log-odds of what the experts said, weighted; learn each row before the next one.

    Parameters
    ----------
    scores
        Float64 [experts, rows, labels], in [0, 1].
    Y
        Uint8 [rows, labels]; where ``learns`` is False it is not read.
    start, stop
        The rows that count.
    learns
        Whether the weights learn.
    fading
        What the memory of squared gradients, and the labels' counts, are multiplied by with each row.
    shared, shared_squares
        Float64 [experts + 2]: trust in the labels' shares, in each expert, and the bias; the squared gradients.
    own, own_squares
        Float64 [experts + 2, labels]: the same, what each label adds of its own.
    counts, rows
        Faded counts of the labels, float64 [labels], and of rows, float64 [1].
    out
        Float64 [rows, labels]: is filled with the probabilities.
    """
    n_experts, n_labels = scores.shape[0], scores.shape[2]
    bias = n_experts + 1
    z, gradients = np.empty((n_experts + 1, n_labels)), np.empty(n_experts + 2)
    for i in range(start, stop):
        _write_inputs(scores, i, counts, rows, z)
        gradients[:] = 0.0
        for j in range(n_labels):
            out[i, j] = _probability(z, j, shared, own)
            if learns:
                error = out[i, j] - Y[i, j]
                gradients[bias] += error
                for k in range(bias):
                    gradient = error * z[k, j]
                    gradients[k] += gradient
                    own[k, j], own_squares[k, j] = _step(
                        own[k, j], own_squares[k, j], gradient, FIRST_OWN, STEP_OWN, fading
                    )
                own[bias, j], own_squares[bias, j] = _step(
                    own[bias, j], own_squares[bias, j], error, FIRST_OWN, STEP_OWN, fading
                )
        if not learns:
            continue
        for k in range(n_experts + 2):
            first = FIRST_SHARED if k < bias else FIRST_OWN
            shared[k], shared_squares[k] = _step(shared[k], shared_squares[k], gradients[k], first, STEP_SHARED, fading)
        for j in range(n_labels):
            counts[j] = fading * counts[j] + Y[i, j]
        rows[0] = fading * rows[0] + 1.0


@kernel(arrays=True)
def contributions(scores, row, shared, own, counts, rows, out):
    """Fill ``out`` [experts + 2, labels] with what adds up to a row's log-odds, in the order of ``own``."""
    n_experts, n_labels = scores.shape[0], scores.shape[2]
    z = np.empty((n_experts + 1, n_labels))
    _write_inputs(scores, row, counts, rows, z)
    for j in range(n_labels):
        for k in range(n_experts + 1):
            out[k, j] = (shared[k] + own[k, j]) * z[k, j]
        out[n_experts + 1, j] = shared[n_experts + 1] + own[n_experts + 1, j]
