"""Kernels over a block of distances: the nearest of each class, their log-sums, thresholds, labels of the nearest."""

from __future__ import annotations

import math

import numpy as np

from streamlab.kernels import kernel

__all__ = ["best_thresholds", "class_log_sums", "decision_scores", "label_counts", "nearest_of_class"]


@kernel
def nearest_of_class(d, rows, start, stop, best, who):
    """The nearest of ``rows[start:stop]`` (int64) by ``d`` (float64 [points]), nearest first; how many there are.

    ``best`` (float64 [b]) and ``who`` (int64 [b]) are overwritten. Infinite distances do not count; of equals the one
    that stands first comes first.
    """
    b = len(best)
    for t in range(b):
        best[t] = np.inf
    last = b - 1
    for t in range(start, stop):
        j = rows[t]
        v = d[j]
        if v < best[last]:
            place = last
            while place > 0 and v < best[place - 1]:
                best[place] = best[place - 1]
                who[place] = who[place - 1]
                place -= 1
            best[place] = v
            who[place] = j
    count = 0
    while count < b and best[count] < np.inf:
        count += 1
    return count


@kernel
def squared_distance(x, y):
    total = 0.0
    for c in range(len(x)):
        away = x[c] - y[c]
        total += away * away
    return total


@kernel
def class_log_sums(cross, X, P, square_X, square_P, starts, rows, own, b, sigma, out):
    """log s_k of equation 4 for a block of queries, -inf where a class has no point.

    ``cross`` float64 [n, m] is X Pᵀ, from which squared distances follow but for |x|², which ranks nothing; the
    members of class k are ``rows[starts[k]:starts[k + 1]]``; ``own`` int64 [n] is the point that is the query itself,
    and not its own neighbour, or -1; ``out`` float64 [n, classes].
    """
    n, m = cross.shape
    d = np.empty(m)
    best = np.empty(b)
    who = np.empty(b, np.int64)
    # beyond this the product has lost digits that the exponential would show
    exact_from = 1e3 * sigma
    for i in range(n):
        for j in range(m):
            d[j] = square_P[j] - 2.0 * cross[i, j]
        if own[i] >= 0:
            d[own[i]] = np.inf
        for k in range(len(starts) - 1):
            count = nearest_of_class(d, rows, starts[k], starts[k + 1], best, who)
            for t in range(count):
                j = who[t]
                if square_X[i] + square_P[j] > exact_from:
                    best[t] = squared_distance(X[i], P[j])
                else:
                    best[t] = max(best[t] + square_X[i], 0.0)
            nearest = np.inf
            for t in range(count):
                nearest = min(nearest, best[t])
            if nearest == np.inf:
                out[i, k] = -np.inf
                continue
            total = 0.0
            for t in range(count):
                total += math.exp((nearest - best[t]) / (2.0 * sigma))
            out[i, k] = math.log(total) - nearest / (2.0 * sigma)


@kernel
def decision_scores(log_sums, f):
    """f_k = (s_k - s̄)/s̄ of equation 5 from log s_k, by log-sum-exp: finite however small the s_k are.

    -1 in a class without a neighbour, and everywhere where none has any.
    """
    n, n_classes = log_sums.shape
    for i in range(n):
        highest = -np.inf
        for k in range(n_classes):
            highest = max(highest, log_sums[i, k])
        total = 0.0
        if highest > -np.inf:
            for k in range(n_classes):
                total += math.exp(log_sums[i, k] - highest)
        for k in range(n_classes):
            f[i, k] = -1.0 if total == 0.0 else n_classes * math.exp(log_sums[i, k] - highest) / total - 1.0


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


@kernel
def label_counts(cross, X, P, square_X, square_P, Y, own, k, counts):
    """How many of the k nearest points of each query have each label; ``counts`` int64 [n, labels] starts at zero.

    As in ``class_log_sums``; here the exact distance decides, and of equals the point that came first.
    """
    n, m = cross.shape
    d = np.empty(m)
    best = np.empty(k)
    who = np.empty(k, np.int64)
    every = np.arange(m)
    largest = 0.0
    for j in range(m):
        largest = max(largest, square_P[j])
    for i in range(n):
        for j in range(m):
            d[j] = square_P[j] - 2.0 * cross[i, j]
        if own[i] >= 0:
            d[own[i]] = np.inf
        count = nearest_of_class(d, every, 0, m, best, who)
        if count == k:
            # the product's rounding may have put the wrong one of two into the last place: all near it are asked again
            slack = 1e-15 * (X.shape[1] + 4) * (square_X[i] + largest)
            limit = best[k - 1] + slack
            for j in range(m):
                if d[j] <= limit:
                    d[j] = squared_distance(X[i], P[j])
                else:
                    d[j] = np.inf
            count = nearest_of_class(d, every, 0, m, best, who)
        for t in range(count):
            for label in range(Y.shape[1]):
                counts[i, label] += Y[who[t], label]
