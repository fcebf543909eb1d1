"""Kernels of a chain of logistic regressions, learned by stochastic gradients.

The columns of a row: a number as it is, a nominal feature as an indicator for each category but the first, then a
column for each label. What is missing is 0.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel

LARGEST = 1e100
"""What a coefficient is at most in magnitude: sums of products with the largest features stay finite then."""


@kernel
def encode(X, i, n_categories, starts, z):
    """Put row ``i`` into its columns; nothing is known of the labels."""
    for k in range(z.shape[0]):
        z[k] = 0.0
    for j in range(n_categories.shape[0]):
        v = X[i, j]
        if math.isnan(v):
            continue
        if n_categories[j] == 0:
            z[starts[j]] = v
        elif v > 0.0:
            z[starts[j] + np.int64(v) - 1] = 1.0


@kernel
def probability(coefficients, constant, z):
    """Return the probability of the label."""
    total = constant
    for k in range(z.shape[0]):
        total += coefficients[k] * z[k]
    if total >= 0.0:
        return 1.0 / (1.0 + math.exp(-total))
    power = math.exp(total)
    return power / (1.0 + power)


@kernel
def answer_row(coefficients, constants, order, n_columns, z, scores, labels):
    """Answer the row in ``z``, label by label, each with the answers before it."""
    for p in range(order.shape[0]):
        label = order[p]
        scores[label] = probability(coefficients[label], constants[label], z)
        labels[label] = scores[label] > 0.5
        z[n_columns + label] = labels[label]


@kernel
def learn_row(coefficients, constants, order, n_columns, z, flags, w, step):
    """Learn the row in ``z`` with its weight, each label with the true ones before it."""
    for p in range(order.shape[0]):
        label = order[p]
        move = step * w * (probability(coefficients[label], constants[label], z) - flags[label])
        for k in range(z.shape[0]):
            if z[k] != 0.0:
                coefficients[label, k] = min(max(coefficients[label, k] - move * z[k], -LARGEST), LARGEST)
        constants[label] -= move
        z[n_columns + label] = flags[label]


@kernel(arrays=True)
def answer(coefficients, constants, order, n_categories, starts, X, scores, labels):
    """Answer rows; changes nothing."""
    z = np.empty(coefficients.shape[1])
    for i in range(X.shape[0]):
        encode(X, i, n_categories, starts, z)
        answer_row(coefficients, constants, order, z.shape[0] - order.shape[0], z, scores[i], labels[i])


@kernel(arrays=True)
def run(coefficients, constants, order, n_categories, starts, X, Y, weights, answers, step, scores, labels):
    """Answer each row, if that is asked for, and learn it; rows of weight 0 are not learned."""
    z = np.empty(coefficients.shape[1])
    n_columns = z.shape[0] - order.shape[0]
    for i in range(X.shape[0]):
        encode(X, i, n_categories, starts, z)
        if answers:
            answer_row(coefficients, constants, order, n_columns, z, scores[i], labels[i])
            for k in range(n_columns, z.shape[0]):
                z[k] = 0.0
        if weights[i] > 0.0:
            learn_row(coefficients, constants, order, n_columns, z, Y[i], weights[i], step)
