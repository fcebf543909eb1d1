"""Peers over arrays: River's nearest neighbours, one per label; SMART as its paper says it, over dense trees."""

from __future__ import annotations

import numba
import numpy as np

from streamlab.kernels import kernel
from streamlab.learners import Learner
from streamlab.learners.smart import _kernels
from streamlab.schema import Schema

__all__ = ["DenseTrees", "Neighbours"]

EMPTY_WEIGHT = 1e-12


class Neighbours(Learner):
    """What ``OnePerLabel(KNNClassifier(n_neighbors, engine=LazySearch(window)))`` answers, some hundred times as fast.

    Euclidean distance over the newest ``window`` instances, votes weighted by 1/distance, an exact match decides alone.
    Where River has no distance, for nominal values, it is 0 or 1, as in MOA.

    Parameters
    ----------
    n_neighbors
        River's default 5.
    window
        River's default 50.
    """

    predicts_whole_chunks = False

    def __init__(self, n_neighbors: int = 5, window: int = 50) -> None:
        self.n_neighbors = n_neighbors
        self.window = window
        self._start()

    def _reset(self) -> None:
        self._X = np.zeros((self.window, 0))
        self._Y = np.zeros((self.window, 0), np.uint8)
        self._n = 0

    def _grown(self, n_features: int, n_labels: int) -> None:
        self._X = np.zeros((self.window, len(self._features)))
        self._Y = np.zeros((self.window, len(self._labels)), np.uint8)
        self._nominal = np.array([feature.categories is not None for feature in self._features])

    def _predict(self, X, missing):
        scores = np.zeros((len(X), len(self._labels)))
        for i, x in enumerate(X):
            _answer(x, self._X, self._Y, self._n, self.n_neighbors, self._nominal, scores[i])
        return scores, (scores > 0.5).astype(np.uint8)

    def _learn(self, X, Y, missing) -> None:
        for x, y in zip(X, Y, strict=True):
            self._X[self._n % self.window], self._Y[self._n % self.window] = x, y
            self._n += 1

    def _test_then_train(self, X, Y, missing):
        scores = np.zeros(Y.shape)
        self._n = _run(X, Y, self._X, self._Y, self._n, self.n_neighbors, self._nominal, scores)
        return scores, (scores > 0.5).astype(np.uint8)

    @property
    def n_bytes(self) -> int:
        return self._X.nbytes + self._Y.nbytes

    def _get_state(self):
        return {"X": self._X, "Y": self._Y, "n": self._n}

    def _set_state(self, state) -> None:
        self._X, self._Y, self._n = state["X"], state["Y"], state["n"]


@kernel(arrays=True)
def _run(X, Y, window_X, window_Y, n, k, nominal, scores):
    for i in range(len(X)):
        _answer(X[i], window_X, window_Y, n, k, nominal, scores[i])
        place = n % len(window_X)
        window_X[place] = X[i]
        window_Y[place] = Y[i]
        n += 1
    return n


@kernel(arrays=True)
def _answer(x, window_X, window_Y, n, k, nominal, scores):
    """The weighted share of votes for each label; 0 while the window is empty."""
    held = min(n, len(window_X))
    squares = np.empty(held)
    for i in range(held):
        total = 0.0
        for j in range(len(x)):
            away = x[j] - window_X[i, j]
            total += (1.0 if away != 0.0 else 0.0) if nominal[j] else away * away
        squares[i] = total
    # of equals the oldest first
    oldest = n - held
    weights = 0.0
    for round in range(min(k, held)):
        best = -1
        for age in range(held):
            i = (oldest + age) % len(window_X)
            if squares[i] >= 0.0 and (best < 0 or squares[i] < squares[best]):
                best = i
        if round == 0 and squares[best] == 0.0:
            for label in range(len(scores)):
                scores[label] = window_Y[best, label]
            return
        weight = 1.0 / np.sqrt(squares[best])
        for label in range(len(scores)):
            scores[label] += weight * window_Y[best, label]
        weights += weight
        squares[best] = -1.0
    if weights > 0.0:
        scores /= weights


# ---------------------------------------------------------------------- SMART, literally


class DenseTrees:
    """SMART as one would first write it: all 2^height - 1 nodes of every tree, each sum faded at every node visited.

    ``n``, ``theta`` float64 [trees, nodes], ``c`` float64 [trees, nodes, labels], ``t`` int64 [trees, nodes]. Of the
    product it uses the draw of a node's test alone, and answers as the product does.
    """

    def __init__(self, schema: Schema, *, seed: int, n_trees: int = 20, height: int = 15) -> None:
        self.height, self.half_life, self.n_labels = height, 200.0, schema.n_labels
        self.shape = n_trees, 2**height - 1
        self.feature = np.empty(self.shape, np.int64)
        self.lower, self.upper = np.empty(self.shape), np.empty(self.shape)
        low = np.array([0.0 if f.is_nominal else f.low for f in schema.features])
        high = np.array([0.0 if f.is_nominal else f.high for f in schema.features])
        n_categories = np.array([float(len(f.categories or ())) for f in schema.features])
        for at in np.ndindex(self.shape):
            test = _kernels._draw_test(seed, *at, low, high, n_categories)
            self.feature[at], self.lower[at], self.upper[at] = test
        self.forget()

    def forget(self) -> None:
        """Start again with the same tests."""
        self.n, self.theta = np.zeros(self.shape), np.zeros(self.shape)
        self.c = np.zeros((*self.shape, self.n_labels))
        self.t = np.zeros(self.shape, np.int64)
        self.now = 0

    def test_then_train(self, X: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        scores, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
        state = (self.feature, self.lower, self.upper, self.n, self.theta, self.c, self.t, self.now, self.half_life)
        _predict_literal(X, *state, self.height, scores, labels)
        _learn_literal(X, Y, *state, self.height)
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
