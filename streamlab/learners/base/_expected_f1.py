"""Kernels of the rules for F1: the labels of the highest expected F1, and thresholds at half of a label's F1."""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel

__all__ = ["choose_expected_f1", "follow_f1"]

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
