"""Kernels of ML-BELS: rows to features, and ridge regressions on them.

Rows come in compressed form (CSR); a matrix over the coordinates of rows has two rows more at its end: that of the
constant, and the sum of all coordinates' rows, by which the mean of a row is taken off without touching its zeros.
Every row is worked on by itself and every sum has one order, so that no cut of the stream changes a bit. Loops stand
where numpy has a function of whole arrays: with numba's the kernels took a quarter longer to compile.
"""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.base._kernels import GOLDEN, mix, unit

CONSTANT = 0.1
"""What stands beside the features of each row, and beside the nodes of each row."""
FLAT = 1e-12
"""A spread of less than this share of the values is rounding: it counts as none."""
SOFT = 1e-5
"""Where the shrinkage of the mapping sets entries to 0."""
BLOCK = 128
"""Coordinates whose mapping is found at once."""
PAYS = 16
"""Values for each row of a matrix from which it pays to multiply with a padded copy."""
NEAR = 48
"""Coordinates whose rows of a matrix stay in the nearest cache."""
LANES = 8
"""Numbers in a register: a row of a padded matrix begins at a line of the cache and ends at a multiple of these."""


@kernel(arrays=True, inner=True)
def padded(n_rows, n_columns):
    """Return a padded matrix of zeros: rows of ``n_columns`` or a few more."""
    width = (n_columns + LANES - 1) // LANES * LANES
    numbers = np.zeros(n_rows * width + LANES)
    begin = -(numbers.ctypes.data // 8) % LANES
    return numbers[begin : begin + n_rows * width].reshape(n_rows, width)


@kernel(arrays=True, inner=True)
def padded_copy(matrix):
    """Return a padded matrix that begins each row with that of a matrix."""
    rows = padded(*matrix.shape)
    for i in range(len(matrix)):
        copy(matrix[i], rows[i][: matrix.shape[1]])
    return rows


@kernel(arrays=True, inner=True)
def all_places(n):
    """Return 0, 1, … n - 1, of the type that places have everywhere: of another, what takes them is compiled twice."""
    places = np.empty(n, np.int32)
    for p in range(n):
        places[p] = p
    return places


@kernel(inner=True, apart=True)
def copy(values, out):
    """Write values to ``out``, which has as many."""
    for j in range(len(out)):
        out[j] = values[j]


@kernel(inner=True, apart=True)
def add_times(out, factor, row):
    """Add a row, times a factor, to another."""
    for j in range(len(out)):
        out[j] += factor * row[j]


@kernel(inner=True, apart=True)
def add_rows(out, factors, places, matrix):
    """Add rows of a matrix, each times its factor, in this order: ``out`` is read and written once for four."""
    fours = len(places) // 4 * 4
    for p in range(0, fours, 4):
        f1, f2, f3, f4 = factors[p], factors[p + 1], factors[p + 2], factors[p + 3]
        first, second = matrix[places[p]], matrix[places[p + 1]]
        third, fourth = matrix[places[p + 2]], matrix[places[p + 3]]
        for j in range(len(out)):
            out[j] = (((out[j] + f1 * first[j]) + f2 * second[j]) + f3 * third[j]) + f4 * fourth[j]
    for p in range(fours, len(places)):
        factor, row = factors[p], matrix[places[p]]
        for j in range(len(out)):
            out[j] += factor * row[j]


@kernel(inner=True, apart=True)
def _add_rows_to_two(out, other, factors, other_factors, places, matrix):
    """Add the same rows of a matrix to two rows, each times its own factor; they are read half as often."""
    eights = len(places) // 8 * 8
    for p in range(0, eights, 8):
        f0, f1, f2, f3 = factors[p], factors[p + 1], factors[p + 2], factors[p + 3]
        f4, f5, f6, f7 = factors[p + 4], factors[p + 5], factors[p + 6], factors[p + 7]
        g0, g1, g2, g3 = other_factors[p], other_factors[p + 1], other_factors[p + 2], other_factors[p + 3]
        g4, g5, g6, g7 = other_factors[p + 4], other_factors[p + 5], other_factors[p + 6], other_factors[p + 7]
        r0, r1, r2, r3 = matrix[places[p]], matrix[places[p + 1]], matrix[places[p + 2]], matrix[places[p + 3]]
        r4, r5, r6, r7 = matrix[places[p + 4]], matrix[places[p + 5]], matrix[places[p + 6]], matrix[places[p + 7]]
        for j in range(len(out)):
            a, b, c, d, e, f, g, h = r0[j], r1[j], r2[j], r3[j], r4[j], r5[j], r6[j], r7[j]
            out[j] = (((((((out[j] + f0 * a) + f1 * b) + f2 * c) + f3 * d) + f4 * e) + f5 * f) + f6 * g) + f7 * h
            other[j] = (((((((other[j] + g0 * a) + g1 * b) + g2 * c) + g3 * d) + g4 * e) + g5 * f) + g6 * g) + g7 * h
    add_rows(out, factors[eights:], places[eights:], matrix)
    add_rows(other, other_factors[eights:], places[eights:], matrix)


@kernel(inner=True)
def _add_product(out, n_columns, begins, ends, factors, places, matrix):
    """Add to each row of ``out`` rows of a matrix, from ``begins`` to ``ends`` in ``places``, each times its factor.

    Two rows that follow each other take the same ones together, as all do where the rows of the stream are dense.
    """
    i = 0
    while i < len(ends):
        begin, end = begins[i], ends[i]
        own = places[begin:end]
        if i + 1 < len(ends) and _equal(own, places[begins[i + 1] : ends[i + 1]]):
            other_factors = factors[begins[i + 1] : ends[i + 1]]
            _add_rows_to_two(out[i][:n_columns], out[i + 1][:n_columns], factors[begin:end], other_factors, own, matrix)
            i += 2
        else:
            add_rows(out[i][:n_columns], factors[begin:end], own, matrix)
            i += 1


@kernel(inner=True)
def _equal(places, others):
    at = 0
    while at < min(len(places), len(others)) and places[at] == others[at]:
        at += 1
    return at == len(places) == len(others)


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


@kernel(arrays=True)
def compressed(points):
    """Return points, float64 (n, coordinates), in compressed form: ``SparseRows.of`` takes three times as long."""
    n, n_coordinates = points.shape
    indptr = np.zeros(n + 1, np.int64)
    for i in range(n):
        n_values = 0
        for j in range(n_coordinates):
            n_values += points[i, j] != 0.0
        indptr[i + 1] = indptr[i] + n_values
    # one more: what is 0 is written too, and the next goes over it
    indices, data = np.empty(indptr[n] + 1, np.int32), np.empty(indptr[n] + 1)
    at = 0
    for i in range(n):
        for j in range(n_coordinates):
            indices[at], data[at] = j, points[i, j]
            at += points[i, j] != 0.0
    return indptr, indices[:at], data[:at]


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


@kernel(arrays=True)
def project(indptr, indices, values, shifts, matrix, out):
    """Write the products of scaled rows and a matrix (coordinates + 2, nodes) to the first columns of ``out``."""
    n_nodes, begins, ends = matrix.shape[1], indptr[:-1].copy(), indptr[1:]
    if len(values) < PAYS * len(matrix):
        _project(begins, ends, indices, values, shifts, matrix, n_nodes, len(matrix), out)
        return
    sums = padded(len(shifts), n_nodes)
    _project(begins, ends, indices, values, shifts, padded_copy(matrix), sums.shape[1], NEAR, sums)
    for i in range(len(shifts)):
        copy(sums[i], out[i][:n_nodes])


@kernel(arrays=True, inner=True)
def _project(begins, ends, indices, values, shifts, matrix, n_nodes, step, out):
    """Let all rows take ``step`` coordinates, which stay in the nearest cache, and so on; ``begins`` is changed."""
    n, last = len(shifts), len(matrix) - 1
    for i in range(n):
        for j in range(n_nodes):
            out[i, j] = shifts[i] * matrix[last, j] + CONSTANT * matrix[last - 1, j]
    nexts = begins.copy()
    for start in range(0, last - 1, step):
        if start + step >= last - 1:
            copy(ends, nexts)
        for i in range(n):
            while nexts[i] < ends[i] and indices[nexts[i]] < start + step:
                nexts[i] += 1
        _add_product(out, n_nodes, begins, nexts, values, indices, matrix)
        copy(nexts, begins)


@kernel(arrays=True)
def add_products(indptr, indices, values, shifts, A, cross):
    """Add the products of scaled rows and their nodes A (n, nodes) to ``cross`` (coordinates + 2, nodes)."""
    n, last = len(shifts), len(cross) - 1
    # coordinate by coordinate, so that what is added to is read and written rarely: first, where its values begin
    begins = np.zeros(last, np.int64)
    for j in indices:
        begins[j + 1] += 1
    for j in range(1, last):
        begins[j] += begins[j - 1]
    begins = begins[:-1]
    ends, rows, factors = begins.copy(), np.empty(len(values), np.int32), np.empty(len(values))
    for i in range(n):
        add_times(cross[last], shifts[i], A[i])
        add_times(cross[last - 1], CONSTANT, A[i])
        for p in range(indptr[i], indptr[i + 1]):
            at = ends[indices[p]]
            rows[at], factors[at] = i, values[p]
            ends[indices[p]] += 1
    _add_product(cross, cross.shape[1], begins, ends, factors, rows, padded_copy(A))


@kernel
def widen(A, low, high):
    """Widen the range of each node by its values in A (n, nodes or more)."""
    for i in range(A.shape[0]):
        for j in range(len(low)):
            low[j] = min(low[j], A[i, j])
            high[j] = max(high[j], A[i, j])


@kernel(arrays=True, error_model="numpy")
def to_range(A, low, high, start, stretch):
    """Scale each node of A so that ``low`` becomes ``start`` and ``high`` ``start + stretch``; without a range, 0."""
    wide = np.empty(len(low))
    for j in range(len(low)):
        wide[j] = high[j] - low[j]
        if not wide[j] > FLAT * max(abs(low[j]), abs(high[j])):
            wide[j] = 0.0
    for i in range(A.shape[0]):
        for j in range(len(low)):
            A[i, j] = start + stretch * ((A[i, j] - low[j]) / wide[j]) if wide[j] > 0.0 else 0.0


@kernel
def add_window_grams(A, grams):
    """Add to the matrix of each window (windows, nodes of one, nodes of one) the products of its nodes in A."""
    n_windows, size = grams.shape[0], grams.shape[1]
    for i in range(A.shape[0]):
        for w in range(n_windows):
            for a in range(size):
                for b in range(size):
                    grams[w, a, b] += A[i, w * size + a] * A[i, w * size + b]


@kernel(inner=True)
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


@kernel(inner=True)
def _soft(value):
    return max(value - SOFT, 0.0) - max(-value - SOFT, 0.0)


@kernel(arrays=True)
def fit_mapping(grams, cross, mapping):
    """Write the mapping (coordinates + 2, nodes): for each window two steps of ADMM, from its sums alone."""
    n_windows, size = grams.shape[0], grams.shape[1]
    n_coordinates = cross.shape[0] - 2
    inverses, regular = np.empty(grams.shape), np.empty((size, size))
    for w in range(n_windows):
        for a in range(size):
            copy(grams[w, a], regular[a])
            regular[a, a] += 1.0
        _inverse(regular, inverses[w])
    # many coordinates at once, side by side
    block = min(BLOCK, n_coordinates + 1)
    values, sums, differences = np.zeros((size, block)), np.zeros((size, block)), np.zeros((size, block))
    mapping[n_coordinates + 1] = 0.0
    for begin in range(0, n_coordinates + 1, block):
        n = min(block, n_coordinates + 1 - begin)
        for w in range(n_windows):
            at = w * size
            for b in range(size):
                common = cross[n_coordinates + 1, at + b]
                for f in range(n):
                    values[b, f] = cross[begin + f, at + b] + (common if begin + f < n_coordinates else 0.0)
            for a in range(size):
                _first_step(inverses[w, a], values, sums[a], differences[a])
            for a in range(size):
                for b in range(size):
                    add_times(sums[a], inverses[w, a, b], differences[b])
                for f in range(n):
                    mapping[begin + f, at + a] = _soft(sums[a, f])
        for f in range(begin, min(begin + n, n_coordinates)):
            add_times(mapping[n_coordinates + 1], 1.0, mapping[f])


@kernel(inner=True, apart=True)
def _first_step(inverse, values, sums, differences):
    """Write of what a first step finds and what shrinking takes off it the sum, and what it finds less that twice."""
    for f in range(len(sums)):
        sums[f] = 0.0
    for b in range(len(inverse)):
        add_times(sums, inverse[b], values[b])
    for f in range(len(sums)):
        away = sums[f] - _soft(sums[f])
        differences[f] = sums[f] - 2.0 * away
        sums[f] += away


@kernel
def enhance(Z, enhancement, factor):
    """Write the enhancement nodes behind the nodes of each row of Z."""
    n_nodes = len(enhancement) - 1
    for i in range(Z.shape[0]):
        for k in range(enhancement.shape[1]):
            total = CONSTANT * enhancement[n_nodes, k]
            for j in range(n_nodes):
                total += Z[i, j] * enhancement[j, k]
            Z[i, n_nodes + k] = math.tanh(factor * total)


@kernel(arrays=True)
def answer(Z, without, present, overall, answering, is_weighted, scores, chosen):
    """Answer each row: by the ensembles' sums, weighted by the one learner of all labels; at least one label."""
    n, width = Z.shape
    n_labels = len(answering)
    weights, sums, places = padded(width, 3 * n_labels), padded(1, 3 * n_labels)[0], all_places(width)
    for k in range(width):
        copy(without[k], weights[k][:n_labels])
        copy(present[k], weights[k][n_labels : 2 * n_labels])
        copy(overall[k], weights[k][2 * n_labels : 3 * n_labels])
    p0, p1, g = sums[:n_labels], sums[n_labels : 2 * n_labels], sums[2 * n_labels : 3 * n_labels]
    for i in range(n):
        sums[:] = 0.0
        add_rows(sums, Z[i], places, weights)
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
