"""The two classifiers of MLHAT's leaves: label-powerset kNN over a window, bagged logistic regressions per label."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners.mlhat._bags import count_of_bits, lowest_bit, sigmoids
from streamlab.learners.mlhat._label_sets import has_label
from streamlab.learners.mlhat._places import place_distance

# below this share of both squared norms, the difference of the norms has lost too many digits
CANCELLED = 1e-6
# rows with fewer non-zeros than this share are sparse
SPARSE = 0.25
# a row is far if its squared norm is this many times that of most rows of the window; each counts for 1 or more
FAR = 1e4
# and the first row of a window, if its squared norm is above this
FAR_FIRST = 1e7
# rows of the sums of a row of the stream: logits, probabilities, and three that a step writes
SUMS = 5


# ---------------------------------------------------------------------- neighbours


@kernel(inner=True)
def squared_norm(tree, x, touched, n_touched):
    """Return what a row adds to its squared distances: its squares, and 1 for each category but the first."""
    total = 0.0
    for t in range(n_touched):
        v = x[touched[t]]
        if not math.isnan(v):
            total += v * v if tree.numeric[touched[t]] >= 0 else 1.0
    return total


@kernel(inner=True)
def is_two_valued(tree):
    """Return whether all features are nominal, of two categories: then the marks of a window say all of its rows."""
    return tree.stats.shape[1] == 0 and tree.wide.shape[0] == 0 and tree.place_of.shape[0] == 0


@kernel(inner=True)
def count_differing(marks, n, touched, n_touched, bits, out):
    """Fill ``out`` with how many features differ between a row and the first ``n`` rows whose marks these are.

    ``bits``, uint64 and as long as a row's marks, is overwritten.
    """
    for i in range(bits.shape[0]):
        bits[i] = 0
    for t in range(n_touched):
        f = touched[t]
        bits[f >> 6] |= np.uint64(1) << np.uint64(f & 63)
    for k in range(n):
        differing = np.uint64(0)
        for i in range(bits.shape[0]):
            differing += count_of_bits(marks[k, i] ^ bits[i])
        out[k] = np.float64(differing)


@kernel(inner=True)
def squared_distances(tree, c, n, x, touched, n_touched, missing, bits, out):
    """Fill ``out`` with the squared distances of ``x`` from the first ``n`` rows of window ``c``.

    A nominal feature adds 0 or 1; one that is missing on either side adds nothing. Costs n x features, or for sparse
    rows n x non-zeros, or n x features / 64 where all have two categories. ``bits``, as long as a row's marks, is
    overwritten.
    """
    window = tree.window[c]
    gaps = missing
    for k in range(n):
        gaps |= tree.window_gaps[c, k] != 0
    compact = tree.place_of.shape[0] > 0
    if not gaps and is_two_valued(tree):
        count_differing(tree.window_marks[c], n, touched, n_touched, bits, out)
        return
    if not gaps and n_touched <= SPARSE * (tree.place_of.shape[0] if compact else x.shape[0]):
        norm = squared_norm(tree, x, touched, n_touched)
        for k in range(n):
            out[k] = norm + tree.window_norms[c, k]
        for t in range(n_touched):
            f = touched[t]
            v = x[f]
            row = window[f]
            if tree.numeric[f] >= 0:
                twice = 2.0 * v
                for k in range(n):
                    out[k] -= twice * row[k]
            else:
                for k in range(n):
                    out[k] -= (1.0 if row[k] != 0.0 else 0.0) + (1.0 if row[k] == v else 0.0)
        for k in range(n):
            if out[k] < CANCELLED * (norm + tree.window_norms[c, k]):
                if compact:
                    out[k] = place_distance(tree, c, k, x, touched, n_touched)
                else:
                    out[k] = _exact_distance(tree, window, k, x)
        return
    if compact:
        for k in range(n):
            out[k] = place_distance(tree, c, k, x, touched, n_touched)
        return
    for k in range(n):
        out[k] = 0.0
    f = 0
    while f < x.shape[0]:
        if add_eight(tree, window, f, x, n, gaps, out):
            f += 8
            continue
        v = x[f]
        row = window[f]
        f += 1
        if math.isnan(v):
            continue
        if tree.numeric[f - 1] < 0:
            for k in range(n):
                out[k] += 1.0 if row[k] != v and not math.isnan(row[k]) else 0.0
            continue
        for k in range(n):
            out[k] += squared_gap(v - row[k])


@kernel(inner=True)
def squared_gap(away):
    """Return the square of a difference; one with what is missing adds nothing."""
    return 0.0 if math.isnan(away) else away * away


@kernel(inner=True, apart=True)
def add_eight(tree, window, f, x, n, gaps, out):
    """Add the squared differences of eight features from ``f`` on, one after the other, if these are numeric.

    Returns whether they are. What is added to is read and written an eighth as often.
    """
    numeric = f + 8 <= x.shape[0]
    for i in range(f, min(f + 8, x.shape[0])):
        numeric &= tree.numeric[i] >= 0
    if not numeric:
        return False
    a, b, c, d = x[f], x[f + 1], x[f + 2], x[f + 3]
    e, g, h, i = x[f + 4], x[f + 5], x[f + 6], x[f + 7]
    first, second, third, fourth = window[f], window[f + 1], window[f + 2], window[f + 3]
    fifth, sixth, seventh, eighth = window[f + 4], window[f + 5], window[f + 6], window[f + 7]
    if gaps:
        for k in range(n):
            total = out[k] + squared_gap(a - first[k]) + squared_gap(b - second[k])
            total = total + squared_gap(c - third[k]) + squared_gap(d - fourth[k])
            total = total + squared_gap(e - fifth[k]) + squared_gap(g - sixth[k])
            out[k] = total + squared_gap(h - seventh[k]) + squared_gap(i - eighth[k])
        return True
    for k in range(n):
        total = out[k] + (a - first[k]) * (a - first[k]) + (b - second[k]) * (b - second[k])
        total = total + (c - third[k]) * (c - third[k]) + (d - fourth[k]) * (d - fourth[k])
        total = total + (e - fifth[k]) * (e - fifth[k]) + (g - sixth[k]) * (g - sixth[k])
        out[k] = total + (h - seventh[k]) * (h - seventh[k]) + (i - eighth[k]) * (i - eighth[k])
    return True


@kernel(inner=True)
def _exact_distance(tree, window, k, x):
    total = 0.0
    for f in range(x.shape[0]):
        if tree.numeric[f] >= 0:
            away = x[f] - window[f, k]
            total += away * away
        elif x[f] != window[f, k]:
            total += 1.0
    return total


@kernel(inner=True)
def ask_neighbours(tree, s, n_neighbors, x, touched, n_touched, missing, bits, distances, nearest, scores):
    """Score the labels by the label sets of the nearest rows, weighted 1/distance; an exact match decides alone.

    Of rows at the same distance the older ones count. ``bits``, ``distances`` and ``nearest``, as long as a row's marks
    and a window, are overwritten.
    """
    c = tree.links[s].leaf
    n = tree.links[s].filled
    size = tree.window_sets.shape[1]
    start = (tree.links[s].next - n) % size
    squared_distances(tree, c, n, x, touched, n_touched, missing, bits, distances)
    k = min(n_neighbors, n)
    found, farthest = 0, 0.0
    for j in range(n):
        at = start + j
        if at >= size:
            at -= size
        # without a sign: numba would ask whether an index counts from the end
        distance = distances[np.uintp(at)]
        if found == k and not distance < farthest:
            continue
        i = found if found < k else k - 1
        while i > 0 and distances[nearest[i - 1]] > distance:
            nearest[i] = nearest[i - 1]
            i -= 1
        nearest[i] = at
        if found < k:
            found += 1
        farthest = distances[nearest[found - 1]]
    scores[:] = 0.0
    if k == 0:
        return
    if distances[nearest[0]] <= 0.0:
        _add_set(tree, tree.window_sets[c, nearest[0]], 1.0, scores)
        return
    total = 0.0
    for i in range(k):
        total += 1.0 / math.sqrt(distances[nearest[i]])
    for i in range(k):
        _add_set(tree, tree.window_sets[c, nearest[i]], 1.0 / math.sqrt(distances[nearest[i]]) / total, scores)


@kernel(inner=True)
def _add_set(tree, g, share, scores):
    for label in range(scores.shape[0]):
        if has_label(tree, g, label):
            scores[label] += share


@kernel(inner=True)
def write_row(window, marks, k, x, touched, n_touched, exact):
    """Write a row to column k of a window, of one with few values only these; ``marks`` are the bits of what is not 0.

    A column's values lie far apart: to write all of them takes longer than to read the row. Then marks may have bits
    of what is 0, too, unless they must be ``exact``.
    """
    if not exact and n_touched > SPARSE * x.shape[0]:
        for f in range(x.shape[0]):
            window[f, k] = x[f]
        marks[:] = np.uint64(0xFFFFFFFFFFFFFFFF)
        return
    n, n_marks, first = np.uint64(x.shape[0]), marks.shape[0], 0
    while first < n_marks:
        # eight words at a time: nearly all are 0 where columns are very many
        last = min(first + 8, n_marks)
        any_of = np.uint64(0)
        for i in range(first, last):
            any_of |= marks[np.uintp(i)]
        if any_of != 0:
            for i in range(first, last):
                word = marks[np.uintp(i)]
                while word != 0:
                    f = (np.uint64(i) << np.uint64(6)) + lowest_bit(word)
                    word &= word - np.uint64(1)
                    if f < n:
                        window[np.uintp(f), k] = 0.0
                marks[np.uintp(i)] = 0
        first = last
    for t in range(n_touched):
        f = touched[t]
        window[f, k] = x[f]
        marks[f >> 6] |= np.uint64(1) << np.uint64(f & 63)


@kernel(inner=True)
def remember(tree, s, x, touched, n_touched, missing, number):
    """Add a row and the number of its label set to the leaf's window; if it is full, the oldest row is replaced."""
    c, links = tree.links[s].leaf, tree.links
    k = links[s].next
    size = tree.window_sets.shape[1]
    compact = tree.place_of.shape[0] > 0
    exact, marks = compact or is_two_valued(tree), tree.window_marks[c, k]
    if compact:
        marks = marks[: (tree.place_cursor[0].places + 63) >> 6]
    write_row(tree.window[c], marks, k, x, touched, n_touched, exact)
    tree.window_sets[c, k] = number
    tree.window_norms[c, k] = squared_norm(tree, x, touched, n_touched)
    tree.window_gaps[c, k] = missing
    links[s].next = (k + 1) % size
    links[s].filled = min(links[s].filled + 1, size)


# ---------------------------------------------------------------------- logistic regressions


@kernel(inner=True, apart=True)
def linear_sums(weights, intercepts, columns, inputs, n_inputs, out):
    """Fill ``out[0]`` with the logits and ``out[1]`` with the probabilities of all labels and bags for one row.

    Its non-zero ``inputs`` are given by column.
    """
    logits = out[0]
    for j in range(logits.shape[0]):
        logits[j] = intercepts[j]
    # eight or four rows of weights at a time, in pairs: the logits are read and written less often
    eights = n_inputs - n_inputs % 8
    for i in range(0, eights, 8):
        a, b, c, d = inputs[i], inputs[i + 1], inputs[i + 2], inputs[i + 3]
        e, f, g, h = inputs[i + 4], inputs[i + 5], inputs[i + 6], inputs[i + 7]
        first, second = weights[columns[i]], weights[columns[i + 1]]
        third, fourth = weights[columns[i + 2]], weights[columns[i + 3]]
        fifth, sixth = weights[columns[i + 4]], weights[columns[i + 5]]
        seventh, eighth = weights[columns[i + 6]], weights[columns[i + 7]]
        for j in range(logits.shape[0]):
            z = logits[j] + (a * first[j] + b * second[j]) + (c * third[j] + d * fourth[j])
            logits[j] = z + (e * fifth[j] + f * sixth[j]) + (g * seventh[j] + h * eighth[j])
    whole = n_inputs - n_inputs % 4
    for i in range(eights, whole, 4):
        a, b, c, d = inputs[i], inputs[i + 1], inputs[i + 2], inputs[i + 3]
        first, second = weights[columns[i]], weights[columns[i + 1]]
        third, fourth = weights[columns[i + 2]], weights[columns[i + 3]]
        for j in range(logits.shape[0]):
            logits[j] = logits[j] + (a * first[j] + b * second[j]) + (c * third[j] + d * fourth[j])
    if n_inputs - whole >= 2:
        a, b = inputs[whole], inputs[whole + 1]
        first, second = weights[columns[whole]], weights[columns[whole + 1]]
        for j in range(logits.shape[0]):
            logits[j] += a * first[j] + b * second[j]
    if n_inputs % 2:
        a = inputs[n_inputs - 1]
        first = weights[columns[n_inputs - 1]]
        for j in range(logits.shape[0]):
            logits[j] += a * first[j]
    sigmoids(logits, logits.shape[0], out[1])


@kernel(inner=True)
def mean_probabilities(chances, n_models, scores):
    """Fill ``scores`` with the mean probability of each label's bags."""
    for label in range(scores.shape[0]):
        total = 0.0
        for m in range(n_models):
            total += chances[np.uintp(label * n_models + m)]
        scores[label] = total / n_models


@kernel(inner=True)
def bounded_rate(tree, s, square, rate):
    """Return the learning rate for a row: less than ``rate`` if it is far from the rows that leaf ``s`` remembers.

    A step moves a weight by up to the rate times the input. One of a far row is as long as if its squared norm were at
    the bound: the further away, the shorter. To be asked before the row is remembered. ``square``: the row's.
    """
    if square <= FAR:
        return rate
    c, n = tree.links[s].leaf, tree.links[s].filled
    if n == 0:
        return rate if square <= FAR_FIRST else rate * (FAR_FIRST / square)
    near = 0
    for k in range(n):
        near += np.int64(tree.window_norms[c, k] * FAR >= square)
    return rate if 2 * near >= n else rate * (FAR / square)


@kernel(inner=True)
def subtract_labels(y, apart, repeats, out):
    """Subtract each label's 1 or 0 from ``repeats`` numbers; those of label l begin at l * ``apart``."""
    for label in range(y.shape[0]):
        if y[label] != 0:
            for m in range(repeats):
                out[np.uintp(label * apart + m)] -= y[label]


@kernel(inner=True, apart=True)
def step(weights, intercepts, columns, inputs, n_inputs, square, y, times, rate, intercept_rate, sums):
    """Take ``times[m]`` steps of plain SGD with bag m on one row; ``sums`` are those of ``linear_sums``, overwritten.

    All steps of a row have the same input: each changes the logit by a known amount, and the weights are written once.
    ``square`` is the sum of the squares of the inputs.
    """
    n_models, n_labels = times.shape[0], y.shape[0]
    logits, gradients, totals, again, added = sums[0], sums[1], sums[2], sums[3], sums[4]
    slope = rate * square + intercept_rate
    subtract_labels(y, n_models, n_models, gradients)
    for j in range(totals.shape[0]):
        totals[j] = gradients[j]
        logits[j] -= gradients[j] * slope
    most = np.int64(0)
    for m in range(n_models):
        most = max(most, times[m])
        if times[m] == 0:
            for label in range(n_labels):
                totals[np.uintp(label * n_models + m)] = 0.0
    # those that take another step stand side by side, bag by bag: first the bags that take most
    n = 0
    for k in range(most, 1, -1):
        for m in range(n_models):
            if times[m] == k:
                for label in range(n_labels):
                    j = np.uintp(label * n_models + m)
                    again[np.uintp(n + label)], added[np.uintp(n + label)] = logits[j], totals[j]
                n += n_labels
    for k in range(1, most):
        n = 0
        for m in range(n_models):
            n += n_labels if times[m] > k else 0
        sigmoids(again, n, gradients)
        for first in range(0, n, n_labels):
            subtract_labels(y, 1, 1, gradients[first:])
        for j in range(n):
            added[j] += gradients[j]
            again[j] -= gradients[j] * slope
    n = 0
    for k in range(most, 1, -1):
        for m in range(n_models):
            if times[m] == k:
                for label in range(n_labels):
                    totals[np.uintp(label * n_models + m)] = added[np.uintp(n + label)]
                n += n_labels
    for j in range(totals.shape[0]):
        intercepts[j] -= intercept_rate * totals[j]
        totals[j] = rate * totals[j]
    for i in range(n_inputs):
        a, row = inputs[i], weights[columns[i]]
        for j in range(totals.shape[0]):
            row[j] -= a * totals[j]
