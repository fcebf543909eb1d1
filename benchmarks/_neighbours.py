"""River's nearest neighbours, one per label, over arrays: all labels share a window, so one search does for all."""

from __future__ import annotations

import numpy as np

from streamlab.kernels import kernel
from streamlab.learners import Learner

__all__ = ["Neighbours"]


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


@kernel
def _run(X, Y, window_X, window_Y, n, k, nominal, scores):
    for i in range(len(X)):
        _answer(X[i], window_X, window_Y, n, k, nominal, scores[i])
        place = n % len(window_X)
        window_X[place] = X[i]
        window_Y[place] = Y[i]
        n += 1
    return n


@kernel
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
