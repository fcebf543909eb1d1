"""Kernels of GOOWE-ML: votes as points whose distance to the truth is least, weighted; what the weights follow from."""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel


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
