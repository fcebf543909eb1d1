"""SMART as one would first write it: dense arrays of all 2^height - 1 nodes of every tree, plain loops in numba.

Twice: with forward fading, and with the paper's fading of every sum at every node visited. Both answer as the product
does, which the benchmark checks before it compares their speed.
"""

from __future__ import annotations

from types import ModuleType

import numba
import numpy as np

from streamlab.schema import Schema

__all__ = ["DenseTrees"]

EMPTY_WEIGHT = 1e-12
MAX_EXPONENT = 256.0


class DenseTrees:
    """SMART over dense arrays. ``kernels`` is the product's module: only its draw of a node's test is used.

    ``n``, ``theta`` float64 [trees, nodes], ``c`` float64 [trees, nodes, labels], ``t`` int64 [trees, nodes].
    """

    def __init__(self, schema: Schema, *, literal: bool, seed: int, kernels: ModuleType, n_trees=20, height=15) -> None:
        self.literal, self.height, self.half_life = literal, height, 200.0
        self.now, self.landmark = 0, 0
        n_nodes = 2**height - 1
        self.feature = np.empty((n_trees, n_nodes), np.int64)
        self.lower, self.upper = np.empty((n_trees, n_nodes)), np.empty((n_trees, n_nodes))
        low = np.array([0.0 if f.is_nominal else f.low for f in schema.features])
        high = np.array([0.0 if f.is_nominal else f.high for f in schema.features])
        n_categories = np.array([float(len(f.categories or ())) for f in schema.features])
        for tree in range(n_trees):
            for node in range(n_nodes):
                self.feature[tree, node], self.lower[tree, node], self.upper[tree, node] = kernels._draw_test(
                    seed, tree, node, low, high, n_categories
                )
        self.shape = (n_trees, n_nodes)
        self.n_labels = schema.n_labels
        self.forget()

    def forget(self) -> None:
        """Start again with the same tests."""
        self.n, self.theta = np.zeros(self.shape), np.zeros(self.shape)
        self.c = np.zeros((*self.shape, self.n_labels))
        self.t = np.zeros(self.shape, np.int64)
        self.now = self.landmark = 0

    @property
    def n_bytes(self) -> int:
        return sum(v.nbytes for v in vars(self).values() if isinstance(v, np.ndarray))

    def test_then_train(self, X: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        scores, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
        tests = (self.feature, self.lower, self.upper)
        if self.literal:
            _predict_literal(
                X, *tests, self.n, self.theta, self.c, self.t, self.now, self.half_life, self.height, scores, labels
            )
            _learn_literal(X, Y, *tests, self.n, self.theta, self.c, self.t, self.now, self.half_life, self.height)
        else:
            empty = EMPTY_WEIGHT * 2.0 ** ((self.now - self.landmark) / self.half_life)
            _predict_forward(X, *tests, self.n, self.theta, self.c, empty, self.height, scores, labels)
            if (self.now + len(X) - self.landmark) / self.half_life > MAX_EXPONENT:
                factor = 2.0 ** (-(self.now - self.landmark) / self.half_life)
                for sums in (self.n, self.theta, self.c):
                    sums *= factor
                self.landmark = self.now
            _learn_forward(
                X, Y, *tests, self.n, self.theta, self.c, self.now, self.landmark, self.half_life, self.height
            )
        self.now += len(X)
        return scores, labels


@numba.njit(cache=True)
def _choose(score, theta, label):
    """The floor(θ + 0.5) labels of the highest scores, of equals the lower."""
    for _ in range(min(score.shape[0], int(np.floor(theta + 0.5)))):
        best = -1
        for j in range(score.shape[0]):
            if label[j] == 0 and (best < 0 or score[j] > score[best]):
                best = j
        label[best] = 1


@numba.njit(cache=True)
def _child(v, lower, upper, i):
    return 2 * i + 1 + ((v > lower) & (v <= upper))


@numba.njit(cache=True)
def _predict_forward(X, feature, lower, upper, n, theta, c, empty, height, scores, labels):
    n_trees = n.shape[0]
    for r in range(X.shape[0]):
        size, answered = 0.0, 0
        for t in range(n_trees):
            if n[t, 0] < empty:
                continue
            i = 0
            for _ in range(height - 1):
                child = _child(X[r, feature[t, i]], lower[t, i], upper[t, i], i)
                if n[t, child] < empty:
                    break
                i = child
            share = 1.0 / n[t, i]
            size += theta[t, i] * share
            for j in range(c.shape[2]):
                scores[r, j] += c[t, i, j] * share
            answered += 1
        if answered:
            for j in range(c.shape[2]):
                scores[r, j] /= answered
            _choose(scores[r], size / answered, labels[r])


@numba.njit(cache=True)
def _learn_forward(X, Y, feature, lower, upper, n, theta, c, now, landmark, half_life, height):
    present = np.empty(Y.shape[1], np.int64)
    for r in range(X.shape[0]):
        weight = 2.0 ** ((now + r + 1 - landmark) / half_life)
        n_present = 0
        for j in range(Y.shape[1]):
            if Y[r, j]:
                present[n_present] = j
                n_present += 1
        for t in range(n.shape[0]):
            i = 0
            for level in range(height):
                n[t, i] += weight
                theta[t, i] += weight * n_present
                for k in range(n_present):
                    c[t, i, present[k]] += weight
                if level < height - 1:
                    i = _child(X[r, feature[t, i]], lower[t, i], upper[t, i], i)


@numba.njit(cache=True)
def _predict_literal(X, feature, lower, upper, n, theta, c, last, now, half_life, height, scores, labels):
    for r in range(X.shape[0]):
        size, answered = 0.0, 0
        for t in range(n.shape[0]):
            if n[t, 0] * 2.0 ** (-(now - last[t, 0]) / half_life) < EMPTY_WEIGHT:
                continue
            i = 0
            for _ in range(height - 1):
                child = _child(X[r, feature[t, i]], lower[t, i], upper[t, i], i)
                if n[t, child] * 2.0 ** (-(now - last[t, child]) / half_life) < EMPTY_WEIGHT:
                    break
                i = child
            share = 1.0 / n[t, i]
            size += theta[t, i] * share
            for j in range(c.shape[2]):
                scores[r, j] += c[t, i, j] * share
            answered += 1
        if answered:
            for j in range(c.shape[2]):
                scores[r, j] /= answered
            _choose(scores[r], size / answered, labels[r])


@numba.njit(cache=True)
def _learn_literal(X, Y, feature, lower, upper, n, theta, c, last, now, half_life, height):
    for r in range(X.shape[0]):
        time = now + r + 1
        size = 0
        for j in range(Y.shape[1]):
            size += Y[r, j]
        for t in range(n.shape[0]):
            i = 0
            for level in range(height):
                factor = 2.0 ** (-(time - last[t, i]) / half_life)
                n[t, i] = n[t, i] * factor + 1.0
                theta[t, i] = theta[t, i] * factor + size
                for j in range(Y.shape[1]):
                    c[t, i, j] = c[t, i, j] * factor + Y[r, j]
                last[t, i] = time
                if level < height - 1:
                    i = _child(X[r, feature[t, i]], lower[t, i], upper[t, i], i)
