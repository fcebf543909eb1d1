"""The sheets of BLDA, BKNN and ML-KNN as they stand, in loops: what the learners are checked against."""

from __future__ import annotations

import math

import numpy as np
import scipy.linalg


def scatter(X, Y):
    """Class means, global mean, S_b and S_w of equations 1 to 3, by double loops."""
    (n, p), K = X.shape, Y.shape[1]
    means = np.full((K, p), math.nan)
    for k in range(K):
        members = [X[i] for i in range(n) if Y[i, k]]
        if members:
            means[k] = np.sum(members, axis=0) / len(members)
    total, weight = np.zeros(p), 0
    for k in range(K):
        for i in range(n):
            if Y[i, k]:
                total += X[i]
                weight += 1
    mean = total / weight
    between, within = np.zeros((p, p)), np.zeros((p, p))
    for k in range(K):
        for i in range(n):
            if Y[i, k]:
                between += np.outer(means[k] - mean, means[k] - mean)
                within += np.outer(X[i] - means[k], X[i] - means[k])
    return means, mean, between, within


def directions(between, within, r, shrinkage=1e-6):
    """The leading generalised eigenvectors, the largest entry of each positive."""
    p = len(within)
    values, vectors = scipy.linalg.eigh(between, within + shrinkage * np.trace(within) / p * np.eye(p))
    columns = []
    for index in np.argsort(values)[::-1][:r]:
        column = vectors[:, index]
        columns.append(column * np.sign(column[np.argmax(np.abs(column))]))
    return np.sort(values)[::-1][:r], np.array(columns).T


def scores(x, X, Y, b, sigma, skip=None):
    """f_k of equations 4 and 5; ``skip``: the training point that x is."""
    K = Y.shape[1]
    s = np.zeros(K)
    for k in range(K):
        away = sorted(float(((x - X[j]) ** 2).sum()) for j in range(len(X)) if Y[j, k] and j != skip)
        s[k] = sum(math.exp(-d / (2 * sigma)) for d in away[:b])
    mean = s.sum() / K
    return (s - mean) / mean if mean > 0 else np.full(K, -1.0)


def objective(f, relevant, h, alpha):
    """Equation 6 without its 2: 0 where precision or recall are."""
    predicted = f > h
    hits = (predicted & (relevant > 0)).sum()
    if not hits:
        return 0.0
    return 1.0 / (alpha / (hits / predicted.sum()) + (1 - alpha) / (hits / relevant.sum()))


def threshold(f, relevant, alpha):
    """The largest of the maximisers among all distinct scores, and one under the lowest."""
    if not relevant.any():
        return math.inf
    candidates = [*sorted(set(f.tolist()), reverse=True), np.nextafter(f.min(), -math.inf)]
    values = [objective(f, relevant, h, alpha) for h in candidates]
    best = max(values)
    return next(h for h, value in zip(candidates, values, strict=True) if value >= best * (1 - 1e-12))


def balanced_knn(X, Y, asked, b, alpha, sigma):
    """Thresholds, scores and label sets of equations 4 to 7."""
    f = np.array([scores(X[i], X, Y, b, sigma, skip=i) for i in range(len(X))])
    h = np.array([threshold(f[:, k], Y[:, k], alpha) for k in range(Y.shape[1])])
    answers = np.array([scores(x, X, Y, b, sigma) for x in asked])
    return h, answers, (answers > h).astype(np.uint8)


def ml_knn(X, Y, asked, k, s, count_self=False):
    """The posteriors of Zhang and Zhou, figure 1."""
    n, L = Y.shape

    def neighbours(x, skip):
        away = [(float(((x - X[j]) ** 2).sum()), j) for j in range(n) if j != skip]
        return [j for _, j in sorted(away)[:k]]

    prior = [(s + sum(int(Y[i, m]) for i in range(n))) / (2 * s + n) for m in range(L)]
    with_label, without = np.zeros((L, k + 1)), np.zeros((L, k + 1))
    for i in range(n):
        near = neighbours(X[i], None if count_self else i)
        for m in range(L):
            delta = sum(int(Y[j, m]) for j in near)
            (with_label if Y[i, m] else without)[m, delta] += 1
    answers = np.zeros((len(asked), L))
    for t, x in enumerate(asked):
        near = neighbours(x, None)
        for m in range(L):
            c = sum(int(Y[j, m]) for j in near)
            yes = prior[m] * (s + with_label[m, c]) / (s * (k + 1) + with_label[m].sum())
            no = (1 - prior[m]) * (s + without[m, c]) / (s * (k + 1) + without[m].sum())
            answers[t, m] = yes / (yes + no)
    return answers
