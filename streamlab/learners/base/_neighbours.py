"""Kernels over a block of distances: the nearest, their exact distances, thresholds, labels of the nearest."""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel

__all__ = [
    "add_labels", "best_thresholds", "count_tables", "in_doubt", "label_counts", "look_up", "nearest_of_class",
    "squared_distances",
]  # fmt: skip


@kernel
def put(v, j, best, who, k):
    """Put point ``j`` at ``v`` where it belongs among the nearest of row ``k``; the last one drops out.

    ``v`` < ``best[k, -1]``. Rows by index: a view of a row costs more than all that is done to it.
    """
    place = best.shape[1] - 1
    while place > 0 and v < best[k, place - 1]:
        best[k, place] = best[k, place - 1]
        who[k, place] = who[k, place - 1]
        place -= 1
    best[k, place] = v
    who[k, place] = j


@kernel
def nearest_of_class(d, rows, start, stop, best, who, k):
    """Find the nearest of ``rows[start:stop]`` (int64) by ``d`` (float64 [points]); return how many there are.

    Row ``k`` of ``best`` (float64 [.., b]) and ``who`` (int64 [.., b]) is overwritten. Infinite distances do not
    count; of equals the first in ``rows`` comes first. They are sorted, nearest first.
    """
    b = best.shape[1]
    for t in range(b):
        best[k, t] = np.inf
    last = np.inf
    for t in range(start, stop):
        j = rows[t]
        v = d[j]
        if v < last:
            put(v, j, best, who, k)
            last = best[k, b - 1]
    count = 0
    while count < b and best[k, count] < np.inf:
        count += 1
    return count


@kernel
def squared_distances(X, i, P, asked, n, d):
    """Put the squared distances between row ``i`` of ``X`` and the rows ``asked[:n]`` of ``P`` into ``d``.

    Four at a time: each sum waits for its last step, and the processor can go on with the others.
    """
    for t in range(0, n, 4):
        # at the end some are asked twice
        j, k = asked[t], asked[min(t + 1, n - 1)]
        g, h = asked[min(t + 2, n - 1)], asked[min(t + 3, n - 1)]
        t1 = t2 = t3 = t4 = 0.0
        for c in range(X.shape[1]):
            a1, a2, a3, a4 = X[i, c] - P[j, c], X[i, c] - P[k, c], X[i, c] - P[g, c], X[i, c] - P[h, c]
            t1, t2, t3, t4 = t1 + a1 * a1, t2 + a2 * a2, t3 + a3 * a3, t4 + a4 * a4
        d[j], d[k], d[g], d[h] = t1, t2, t3, t4


@kernel
def in_doubt(d, best, slack, asked):
    """Return how many of the nearest are so for sure, and how many points may be the others: the first of ``asked``.

    ``d`` float64 [points] may be wrong, by less than half of ``slack``; ``best`` float64 [1, k] are the least of them.
    """
    k = best.shape[1]
    low, limit = best[0, k - 1] - slack, best[0, k - 1] + slack
    sure, n = 0, 0
    while best[0, sure] < low:
        sure += 1
    for j in range(len(d)):
        asked[n] = j
        n += np.int64(low <= d[j] <= limit)
    return (k, 0) if sure + n == k else (sure, n)


@kernel
def best_thresholds(f, order, relevant, alpha, thresholds):
    """h_k of equation 6 for each class: one sweep from the highest score down, over every distinct score.

    ``order`` int64 [n, classes] sorts each column of ``f`` downwards; ``relevant`` uint8 [n, classes]. What is
    maximised, 1/(α/p + (1 - α)/r), is tp / (α predicted + (1 - α) positives). Of equal maxima the largest threshold;
    the last candidate lies just under the lowest score; inf for a class without a positive.
    """
    n, n_classes = f.shape
    for k in range(n_classes):
        positives = 0
        for i in range(n):
            positives += relevant[i, k]
        thresholds[k] = np.inf
        if positives == 0:
            continue
        highest, hits, predicted = 0.0, 0, 0
        while predicted < n:
            score = f[order[predicted, k], k]
            if predicted > 0:
                value = hits / (alpha * predicted + (1.0 - alpha) * positives)
                if value > highest:
                    highest = value
                    thresholds[k] = score
            while predicted < n and f[order[predicted, k], k] == score:
                hits += relevant[order[predicted, k], k]
                predicted += 1
        if hits / (alpha * predicted + (1.0 - alpha) * positives) > highest:
            thresholds[k] = np.nextafter(f[order[n - 1, k], k], -np.inf)


@kernel(inner=True, apart=True)
def add_labels(Y, j, counts, i):
    """Count the labels of point ``j`` in row ``i`` of ``counts``."""
    for label in range(Y.shape[1]):
        counts[i, label] += Y[j, label]


@kernel(arrays=True)
def label_counts(ranks, X, P, square_X, square_P, Y, own, k, counts):
    """Count the k nearest points of each query that have each label; ``counts`` int64 [n, labels] starts at zero.

    As in ``decision_scores``; here the exact distance decides, and of equals the point that came first.
    """
    n, m = ranks.shape
    best = np.empty((1, k))
    who = np.empty((1, k), np.int64)
    every, asked = np.arange(m), np.empty(m, np.int64)
    largest = 0.0
    for j in range(m):
        largest = max(largest, square_P[j])
    for i in range(n):
        d = ranks[i]
        if own[i] >= 0:
            d[own[i]] = np.inf
        sure, n_asked = nearest_of_class(d, every, 0, m, best, who, 0), 0
        if sure == k:
            # the product's rounding may have put the wrong one of two into the last place
            sure, n_asked = in_doubt(d, best, 1e-15 * (X.shape[1] + 4) * (square_X[i] + largest), asked)
        for t in range(sure):
            add_labels(Y, who[0, t], counts, i)
        if n_asked > 0:
            squared_distances(X, i, P, asked, n_asked, d)
            for t in range(min(k - sure, nearest_of_class(d, asked, 0, n_asked, best, who, 0))):
                add_labels(Y, who[0, t], counts, i)


@kernel
def count_tables(counts, Y, tables):
    """Count in ``tables`` (float64 [2, labels, k + 1]) how often each count of neighbours goes with each label or not.

    ``counts`` int64 [n, labels], 0 to k, and ``Y`` uint8 [n, labels].
    """
    for i in range(counts.shape[0]):
        for label in range(counts.shape[1]):
            tables[Y[i, label], label, counts[i, label]] += 1.0


@kernel
def look_up(counts, scores, labels, their_scores, their_labels):
    """Give each query the score and the answer of its count, from tables float64 and uint8 [labels, k + 1]."""
    for i in range(counts.shape[0]):
        for label in range(counts.shape[1]):
            their_scores[i, label] = scores[label, counts[i, label]]
            their_labels[i, label] = labels[label, counts[i, label]]
