"""Kernels of ML-BELS: rows to features, and ridge regressions on them.

Rows come in compressed form (CSR); a matrix over the coordinates of rows has two rows more at its end: that of the
constant, and the sum of all coordinates' rows, by which the mean of a row is taken off without touching its zeros.
Every row is worked on by itself and every sum has one order, so that no cut of the stream changes a bit.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._splitmix import GOLDEN, mix, unit

__all__ = [
    "CONSTANT", "IN_ENSEMBLE", "LEFT", "SET_ASIDE", "add_products", "add_window_grams", "answer", "draw_rows",
    "enhance", "evaluate", "fit_mapping", "project", "scale_rows", "to_range", "totals", "widen",
]  # fmt: skip

CONSTANT = 0.1
"""What stands beside the features of each row, and beside the nodes of each row."""
IN_ENSEMBLE, SET_ASIDE, LEFT = 0, 1, 2
"""What a learner may be: one of those that answer, one that may come back, one that is gone."""
FLAT = 1e-12
"""A spread of less than this share of the values is rounding: it counts as none."""
SOFT = 1e-5
"""Where the shrinkage of the mapping sets entries to 0."""


@kernel
def draw_rows(key, first, matrix):
    """Fill the rows of a matrix from ``first`` on with normal draws of mean -1 and deviation 2: each by its place."""
    n_rows, n_nodes = matrix.shape
    for row in range(n_rows):
        for node in range(n_nodes):
            place = np.uint64((first + row) * n_nodes + node) * np.uint64(2)
            one = unit(mix(np.uint64(key) + (place + np.uint64(1)) * GOLDEN))
            other = unit(mix(np.uint64(key) + (place + np.uint64(2)) * GOLDEN))
            normal = math.sqrt(-2.0 * math.log(1.0 - one)) * math.cos(2.0 * math.pi * other)
            matrix[row, node] = 2.0 * normal - 1.0


@kernel
def scale_rows(indptr, data, n_coordinates, values, shifts):
    """Write rows of mean 0 and deviation 1: a coordinate that is kept is ``values + shifts``, any other ``shifts``.

    What is missing counts as the row's mean, and becomes 0. A row whose coordinates are all equal becomes 0.
    """
    base = indptr[0]
    for i in range(len(indptr) - 1):
        begin, end = indptr[i], indptr[i + 1]
        total, largest, there = 0.0, 0.0, n_coordinates
        for p in range(begin, end):
            if math.isnan(data[p]):
                there -= 1
            else:
                total += data[p]
                largest = max(largest, abs(data[p]))
        mean = total / there if there > 0 else 0.0
        squares = (n_coordinates - (end - begin)) * mean * mean
        for p in range(begin, end):
            if not math.isnan(data[p]):
                squares += (data[p] - mean) * (data[p] - mean)
        deviation = math.sqrt(squares / there) if there > 0 else 0.0
        if deviation <= FLAT * largest:
            shifts[i] = 0.0
            values[begin - base : end - base] = 0.0
            continue
        shifts[i] = -mean / deviation
        for p in range(begin, end):
            values[p - base] = (mean if math.isnan(data[p]) else data[p]) / deviation


@kernel
def project(indptr, indices, values, shifts, matrix, out):
    """Write the products of scaled rows and a matrix (coordinates + 2, nodes) to the first columns of ``out``."""
    base, n_nodes, last = indptr[0], matrix.shape[1], matrix.shape[0] - 1
    for i in range(len(indptr) - 1):
        row = out[i]
        for j in range(n_nodes):
            row[j] = shifts[i] * matrix[last, j] + CONSTANT * matrix[last - 1, j]
        for p in range(indptr[i], indptr[i + 1]):
            value, entries = values[p - base], matrix[indices[p]]
            for j in range(n_nodes):
                row[j] += value * entries[j]


@kernel
def add_products(indptr, indices, values, shifts, A, cross):
    """Add the products of scaled rows and their nodes A (n, nodes) to ``cross`` (coordinates + 2, nodes)."""
    base, n_nodes, last = indptr[0], cross.shape[1], cross.shape[0] - 1
    for i in range(len(indptr) - 1):
        nodes = A[i]
        for j in range(n_nodes):
            cross[last, j] += shifts[i] * nodes[j]
            cross[last - 1, j] += CONSTANT * nodes[j]
        for p in range(indptr[i], indptr[i + 1]):
            value, entries = values[p - base], cross[indices[p]]
            for j in range(n_nodes):
                entries[j] += value * nodes[j]


@kernel
def widen(A, low, high):
    """Widen the range of each node by its values in A (n, nodes or more)."""
    for i in range(A.shape[0]):
        for j in range(len(low)):
            low[j] = min(low[j], A[i, j])
            high[j] = max(high[j], A[i, j])


@kernel
def to_range(A, low, high, start, stretch):
    """Scale each node of A so that ``low`` becomes ``start`` and ``high`` ``start + stretch``; without a range, 0."""
    for j in range(len(low)):
        wide = high[j] - low[j]
        has_range = wide > FLAT * max(abs(low[j]), abs(high[j]))
        for i in range(A.shape[0]):
            A[i, j] = start + stretch * ((A[i, j] - low[j]) / wide) if has_range else 0.0


@kernel
def add_window_grams(A, grams):
    """Add to the matrix of each window (windows, nodes of one, nodes of one) the products of its nodes in A."""
    n_windows, size = grams.shape[0], grams.shape[1]
    for i in range(A.shape[0]):
        for w in range(n_windows):
            for a in range(size):
                for b in range(size):
                    grams[w, a, b] += A[i, w * size + a] * A[i, w * size + b]


@kernel
def _inverse(matrix, inverse):
    """Write the inverse of a symmetric positive definite matrix, which is changed, by Gauss and Jordan."""
    size = matrix.shape[0]
    for i in range(size):
        for j in range(size):
            inverse[i, j] = 1.0 if i == j else 0.0
    for p in range(size):
        pivot = 1.0 / matrix[p, p]
        for j in range(size):
            matrix[p, j] *= pivot
            inverse[p, j] *= pivot
        for i in range(size):
            if i != p:
                factor = matrix[i, p]
                for j in range(size):
                    matrix[i, j] -= factor * matrix[p, j]
                    inverse[i, j] -= factor * inverse[p, j]


@kernel
def _soft(value):
    return max(value - SOFT, 0.0) - max(-value - SOFT, 0.0)


@kernel(arrays=True)
def fit_mapping(grams, cross, mapping):
    """Write the mapping (coordinates + 2, nodes): for each window two steps of ADMM, from its sums alone."""
    n_windows, size = grams.shape[0], grams.shape[1]
    n_coordinates = cross.shape[0] - 2
    inverse, first, away = np.empty((size, size)), np.empty(size), np.empty(size)
    mapping[n_coordinates + 1] = 0.0
    for w in range(n_windows):
        at = w * size
        _inverse(grams[w] + np.eye(size), inverse)
        for f in range(n_coordinates + 1):
            for a in range(size):
                total = 0.0
                for b in range(size):
                    common = cross[n_coordinates + 1, at + b] if f < n_coordinates else 0.0
                    total += inverse[a, b] * (cross[f, at + b] + common)
                first[a] = total
                away[a] = total - _soft(total)
            for a in range(size):
                total = first[a] + away[a]
                for b in range(size):
                    total += inverse[a, b] * (first[b] - 2.0 * away[b])
                mapping[f, at + a] = _soft(total)
                if f < n_coordinates:
                    mapping[n_coordinates + 1, at + a] += mapping[f, at + a]


@kernel
def enhance(Z, n_nodes, enhancement, factor):
    """Write the enhancement nodes behind the first ``n_nodes`` of each row of Z."""
    for i in range(Z.shape[0]):
        for k in range(enhancement.shape[1]):
            total = CONSTANT * enhancement[n_nodes, k]
            for j in range(n_nodes):
                total += Z[i, j] * enhancement[j, k]
            Z[i, n_nodes + k] = math.tanh(factor * total)


@kernel(arrays=True)
def evaluate(Z, Y, labels, status, learned, slots, weights, right, votes, sums):
    """Note how often each learner is right, int64 (members,), and what those in the ensembles say of each row.

    ``votes`` int64 (n, labels): those for the label less those against it; ``sums`` float64 (2, n, labels): the sums
    of their answers, without and with the label. A learner that has learned nothing says nothing.
    """
    n, width = Z.shape
    across = np.ascontiguousarray(Z.T)
    without, present = np.empty(n), np.empty(n)
    for m in range(len(labels)):
        right[m] = 0
        if slots[m] < 0 or learned[m] == 0:
            continue
        weight, label = weights[slots[m]], labels[m]
        without[:] = 0.0
        present[:] = 0.0
        for k in range(width):
            w0, w1, column = weight[k, 0], weight[k, 1], across[k]
            for i in range(n):
                without[i] += w0 * column[i]
                present[i] += w1 * column[i]
        counts = status[m] == IN_ENSEMBLE
        for i in range(n):
            says = present[i] > without[i]
            if says == (Y[i, label] != 0):
                right[m] += 1
            if counts:
                votes[i, label] += 1 if says else -1
                sums[0, i, label] += without[i]
                sums[1, i, label] += present[i]


@kernel
def totals(labels, status, learned, slots, weights, without, present, answering):
    """Write the sums of the weights of each ensemble, (width, labels) each, and how many learners answer, int64."""
    without[:] = 0.0
    present[:] = 0.0
    answering[:] = 0
    for m in range(len(labels)):
        if status[m] == IN_ENSEMBLE and learned[m] > 0:
            label, weight = labels[m], weights[slots[m]]
            answering[label] += 1
            for k in range(weight.shape[0]):
                without[k, label] += weight[k, 0]
                present[k, label] += weight[k, 1]


@kernel(arrays=True)
def answer(Z, without, present, overall, answering, is_weighted, scores, chosen):
    """Answer each row: by the ensembles' sums, weighted by the one learner of all labels; at least one label."""
    n, width = Z.shape
    n_labels = len(answering)
    p0, p1, g = np.empty(n_labels), np.empty(n_labels), np.empty(n_labels)
    for i in range(n):
        p0[:] = 0.0
        p1[:] = 0.0
        g[:] = 0.0
        for k in range(width):
            value, w0, w1, w = Z[i, k], without[k], present[k], overall[k]
            for j in range(n_labels):
                p0[j] += value * w0[j]
                p1[j] += value * w1[j]
                g[j] += value * w[j]
        if is_weighted:
            low, high = np.inf, -np.inf
            for j in range(n_labels):
                low, high = min(low, g[j]), max(high, g[j])
            for j in range(n_labels):
                share = (g[j] - low) / (high - low) if high > low else 0.0
                p0[j] = abs(p0[j]) * (1.0 - share)
                p1[j] = abs(p1[j]) * share
        likeliest, is_empty = -1, True
        for j in range(n_labels):
            chosen[i, j] = p1[j] > p0[j]
            is_empty = is_empty and chosen[i, j] == 0
            if answering[j] == 0:
                scores[i, j] = 0.0
                continue
            if likeliest < 0 or p1[j] > p1[likeliest]:
                likeliest = j
            if is_weighted:
                scores[i, j] = p1[j] / (p0[j] + p1[j]) if p0[j] + p1[j] > 0.0 else 0.0
            else:
                scores[i, j] = min(max(0.5 + (p1[j] - p0[j]) / (2.0 * answering[j]), 0.0), 1.0)
        if is_empty and likeliest >= 0:
            chosen[i, likeliest] = 1
