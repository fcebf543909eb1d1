"""Kernels of the rules by which labels follow from scores: the highest, thresholds, the highest expected F1."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel

# for more labels, sorting all scores is quicker than looking for the highest again and again
MANY_LABELS = 12
LEAST_BITS, MOST_BITS = np.int64(-(2**63)), np.int64(2**63 - 1)
STEP = 0.05
"""How far an error of one label moves its threshold, in log-odds."""
FARTHEST = 20.0
"""Where a threshold stops, in log-odds: at scores of 2e-9 and 1 - 2e-9."""


@kernel(inner=True, arrays=True)
def _last_when_sorted(scores, k):
    """Return the ``k``-th highest score."""
    n = scores.shape[0]
    ranked = np.empty(n)
    for j in range(n):
        ranked[j] = scores[j]
    # Shell's sort, with the gaps of Gonnet and Baeza-Yates: numba's takes a second to compile
    gap = n // 2
    while gap > 0:
        for i in range(gap, n):
            score, j = ranked[i], i
            while j >= gap and ranked[j - gap] > score:
                ranked[j] = ranked[j - gap]
                j -= gap
            ranked[j] = score
        gap = 1 if gap == 2 else gap * 5 // 11
    return ranked[n - k]


@kernel(inner=True)
def _ordered(bits):
    """Return an integer that orders a number, of which these are the bits, among others; -0 is 0."""
    return bits if bits >= 0 else LEAST_BITS - bits


@kernel(inner=True)
def _last_by_passes(scores, k):
    """Return the ``k``-th highest score: again and again the highest under the last, until ``k`` are as high."""
    # as integers, and without a branch, so that the loops are vectorised
    bits = scores.view(np.int64)
    last = MOST_BITS
    n = 0
    while n < k:
        highest = LEAST_BITS
        for j in range(bits.shape[0]):
            a = _ordered(bits[j])
            highest = max(highest, a if a < last else LEAST_BITS)
        last, n = highest, 0
        for j in range(bits.shape[0]):
            n += np.int64(_ordered(bits[j]) >= last)
    return np.int64(_ordered(last)).view(np.float64)


@kernel
def choose_highest(scores, k, labels):
    """Set the ``k`` labels (uint8 [labels], 0 before) of the highest scores; of equals the lower index first."""
    if k <= 0:
        return
    last, left = _last_when_sorted(scores, k) if k > MANY_LABELS else _last_by_passes(scores, k), k
    for j in range(scores.shape[0]):
        labels[j] = scores[j] > last
        left -= np.int64(scores[j] > last)
    for j in range(scores.shape[0]):
        if scores[j] == last:
            labels[j] = 1
            left -= 1
            if left == 0:
                return


@kernel
def choose_expected(scores, labels):
    """Set as many labels of each row, the highest scores first, as the row's scores sum to."""
    n_labels = scores.shape[1]
    for i in range(scores.shape[0]):
        total = 0.0
        for j in range(n_labels):
            total += scores[i, j]
        choose_highest(scores[i], min(n_labels, int(np.floor(total + 0.5))), labels[i])


@kernel
def choose_above(scores, thresholds, labels):
    """Set the labels whose scores are above their thresholds (in log-odds)."""
    for j in range(scores.shape[1]):
        bound = 1.0 / (1.0 + math.exp(-thresholds[j]))
        for i in range(scores.shape[0]):
            labels[i, j] = scores[i, j] > bound


@kernel(arrays=True)
def follow(scores, truth, thresholds, labels):
    """Answer row by row; each wrong label moves its threshold, up where it was answered, down where it was missed."""
    bounds = np.empty(thresholds.shape[0])
    for j in range(thresholds.shape[0]):
        bounds[j] = 1.0 / (1.0 + math.exp(-thresholds[j]))
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            answered = scores[i, j] > bounds[j]
            labels[i, j] = answered
            if answered != (truth[i, j] != 0):
                moved = thresholds[j] + (STEP if answered else -STEP)
                thresholds[j] = min(max(moved, -FARTHEST), FARTHEST)
                bounds[j] = 1.0 / (1.0 + math.exp(-thresholds[j]))


COUNTS = 0.001
"""Only labels with a higher score count."""
NEGLIGIBLE = 1e-18
"""Numbers of true labels that are less likely are left out at the upper end of their distribution."""


@kernel(inner=True)
def _numbers_true(p, n, out):
    """Fill ``out`` [n + 1] with how likely each number of true labels is; return the highest number that counts."""
    out[: n + 1] = 0.0
    out[0] = 1.0
    top = 0
    for i in range(n):
        for j in range(top, -1, -1):
            moved = out[j] * p[i]
            out[j] -= moved
            out[j + 1] += moved
        top += 1
        while top > 0 and out[top] < NEGLIGIBLE:
            out[top] = 0.0
            top -= 1
    return top


@kernel(inner=True)
def _without(numbers, top, p, out):
    """Fill ``out`` [top + 1] with the same of all labels but one, whose score is ``p``: in the stable direction."""
    if p < 0.5:
        before = 0.0
        for j in range(top + 1):
            before = (numbers[j] - p * before) / (1.0 - p)
            out[j] = before
    else:
        out[top] = 0.0
        for j in range(top, 0, -1):
            out[j - 1] = (numbers[j] - (1.0 - p) * out[j]) / p


@kernel(arrays=True)
def choose_expected_f1(scores, is_exact, labels):
    """Set (``labels``: zeros, uint8 [rows, labels]) the labels of each row whose expected F1 is the highest.

    Exact: F(k) = Σ_{i ≤ k} p_i E[2 / (k + 1 + N_i)] of the k highest scores, where N_i is the number of true labels
    among all others; else S_k / (k + Σp), where S_k is the sum of the k highest. Of equals the lower index and the
    fewer labels.
    """
    n_labels = scores.shape[1]
    if n_labels == 0:
        return
    # scores that count, the highest first, and their labels
    p, which = np.empty(n_labels), np.empty(n_labels, np.int64)
    numbers, others, gains = np.empty(n_labels + 2), np.empty(n_labels + 2), np.empty(n_labels + 1)
    for i in range(scores.shape[0]):
        n, total, best = 0, 0.0, 0
        for j in range(n_labels):
            score = scores[i, j]
            if score > scores[i, best]:
                best = j
            if score > COUNTS:
                p[n], which[n] = min(score, 1.0), j
                total += p[n]
                n += 1
        if n == 0:
            labels[i, best] = 1
            continue
        # Shell's sort, of pairs: equal scores stay apart by their labels
        gap = n // 2
        while gap > 0:
            for k in range(gap, n):
                score, label, j = p[k], which[k], k
                while j >= gap and (p[j - gap] < score or (p[j - gap] == score and which[j - gap] > label)):
                    p[j], which[j] = p[j - gap], which[j - gap]
                    j -= gap
                p[j], which[j] = score, label
            gap = 1 if gap == 2 else gap * 5 // 11
        most = min(n, int(np.floor(3.0 * total)) + 3)
        gains[: most + 1] = 0.0
        if is_exact:
            top = _numbers_true(p, n, numbers)
            for j in range(most):
                _without(numbers, top, p[j], others)
                for k in range(j + 1, most + 1):
                    mean = 0.0
                    for m in range(top + 1):
                        mean += others[m] * (2.0 / (k + 1 + m))
                    gains[k] += p[j] * mean
        else:
            highest = 0.0
            for k in range(1, most + 1):
                highest += p[k - 1]
                gains[k] = highest / (k + total)
        chosen = 1
        for k in range(2, most + 1):
            if gains[k] > gains[chosen]:
                chosen = k
        for k in range(chosen):
            labels[i, which[k]] = 1


@kernel
def follow_f1(scores, truth, counts, labels):
    """Answer row by row, each label above hits / total of the rows before; ``counts`` [labels, 2] are these two."""
    for i in range(scores.shape[0]):
        for j in range(scores.shape[1]):
            total = counts[j, 1]
            # the quotient, not a product: the same comparison as with thresholds that were computed before
            answered = scores[i, j] > (counts[j, 0] / total if total > 0.0 else 0.0)
            labels[i, j] = answered
            is_true = truth[i, j] != 0
            counts[j, 0] += answered and is_true
            counts[j, 1] += answered + is_true
