"""Kernels of committees: how often a member learns a row, how votes are weighed; members that are logistic chains.

Online bagging draws how often a member learns a row: a function of the seed, the member and the row. To GOOWE-ML votes
are points, weighted so that their distance to the truth is least.

A chain of logistic regressions is learned by stochastic gradients. The columns of a row: a number as it is, a nominal
feature as an indicator for each category but the first, then a column for each label. What is missing is 0.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._kernels import GOLDEN, mix
from streamlab.learners.mlhat._bags import poisson, sigmoid

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
    return sigmoid(total)


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


@kernel
def normalise(votes, out):
    """Fill ``out`` with the votes less the least, in shares of their sum; in equal shares where all are equal."""
    low, total = votes[0], 0.0
    for j in range(votes.shape[0]):
        low = min(low, votes[j])
    for j in range(votes.shape[0]):
        out[j] = votes[j] - low
        total += out[j]
    for j in range(votes.shape[0]):
        out[j] = out[j] / total if total > 0.0 else 1.0 / votes.shape[0]


@kernel(arrays=True)
def combine(votes, weights, scores, labels):
    """Answer rows by the votes [members, n, labels] of all members and their weights.

    A label is answered where its share of the weighted votes exceeds an equal share. A single label has no others to
    be above: its answer is the weighted mean of the votes.
    """
    n_members, n, n_labels = votes.shape
    share, total = np.empty(n_labels), np.empty(n_labels)
    for i in range(n):
        total[:] = 0.0
        if n_labels == 1:
            mean, weight = 0.0, 0.0
            for k in range(n_members):
                mean += weights[k] * votes[k, i, 0]
                weight += weights[k]
            scores[i, 0] = mean / weight
            labels[i, 0] = scores[i, 0] > 0.5
            continue
        for k in range(n_members):
            normalise(votes[k, i], share)
            for j in range(n_labels):
                total[j] += weights[k] * share[j]
        normalise(total, share)
        for j in range(n_labels):
            labels[i, j] = share[j] > 1.0 / n_labels
            scores[i, j] = share[j] * n_labels / (1.0 + share[j] * n_labels)


@kernel(arrays=True)
def take_in(votes, Y, products, agreement):
    """Add rows whose labels are known to the products of the members' votes and to their agreement with the truth."""
    n_members, n, n_labels = votes.shape
    shares = np.empty((n_members, n_labels))
    for i in range(n):
        for k in range(n_members):
            normalise(votes[k, i], shares[k])
        for k in range(n_members):
            for other in range(n_members):
                total = 0.0
                for j in range(n_labels):
                    total += shares[k, j] * shares[other, j]
                products[k, other] += total
            total = 0.0
            for j in range(n_labels):
                total += shares[k, j] * Y[i, j]
            agreement[k] += total


@kernel
def draw(key, member, first, rate, weights):
    """Fill ``weights`` with Poisson draws of mean ``rate`` for the rows from ``first`` on; ``member`` is its number."""
    z = mix(np.uint64(key) + np.uint64(member + 1) * GOLDEN)
    for i in range(weights.shape[0]):
        weights[i] = poisson(mix(z + np.uint64(first + i + 1) * GOLDEN), rate)
