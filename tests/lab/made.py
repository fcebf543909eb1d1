"""Streams and learners made up for the tests of live runs: small, known, slow or failing on purpose."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from streamlab.learners import Learner
from streamlab.learners.base.parameters import Tunable
from streamlab.schema import Hierarchy, Schema
from streamlab.streams import Drift, Stream
from streamlab.streams.readers.arrays import ArrayStream

__all__ = [
    "EndlessStream",
    "Failing",
    "Lagging",
    "RaggedStream",
    "Slow",
    "made_arrays",
    "made_stream",
    "nested_stream",
    "wait_until",
]

PARENTS = (-1, 0, 0, -1, 3, 4, 4)


def made_arrays(
    n: int, n_features: int = 4, n_labels: int = 3, *, missing: float = 0.0, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Instances whose labels follow from their features; with empty label sets and full ones among them."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, n_features))
    Y = (X[:, :n_labels] + 0.2 * rng.normal(size=(n, n_labels)) > 0.55).astype(np.uint8)
    X[rng.random(X.shape) < missing] = np.nan
    return X, Y


def made_stream(n: int, *, drifts: tuple[Drift, ...] = (), **options) -> ArrayStream:
    """``made_arrays`` as a stream."""
    return ArrayStream(*made_arrays(n, **options), name="made", drifts=drifts)


def nested_stream(n: int = 600, parents=PARENTS, seed: int = 1):
    """Points around a centre for each leaf, with the leaf and what stands above it as labels."""
    tree = Hierarchy(parents)
    rng = np.random.default_rng(seed)
    leaf = rng.choice(tree.leaves, n)
    X = np.stack([leaf % 3, leaf // 3], axis=1) + rng.normal(0, 0.4, (n, 2))
    base = Schema.anonymous(2, len(parents))
    return ArrayStream(X, tree.above[leaf].astype(np.uint8), schema=Schema(base.features, base.labels, tree))


class EndlessStream(Stream):
    """The same block of rows again and again; its length is not known."""

    name = "endless"

    def __init__(self, n_labels: int = 3) -> None:
        self._X, self._Y = made_arrays(500, n_labels=n_labels)
        self.schema = Schema.anonymous(self._X.shape[1], n_labels)

    def blocks(self, start=0):
        while True:
            yield self._X.copy(), self._Y.copy()


class RaggedStream(Stream):
    """Good rows, then one that cannot be read, which only reading finds out."""

    name = "ragged.csv"

    def __init__(self, n_good: int) -> None:
        self._X, self._Y = made_arrays(n_good)
        self.schema = Schema.anonymous(self._X.shape[1], self._Y.shape[1])

    def blocks(self, start=0):
        yield self._X[start:].copy(), self._Y[start:].copy()
        raise ValueError(f"{self.name}, line {len(self._X) + 1}, column 3: expected 7 cells, found 2")


class Lagging(Learner):
    """Predicts, for a whole chunk, the last label set learned before it; notes what was asked of it, in order.

    ``gain`` scales the scores and may be tuned.
    """

    tunables = (Tunable("gain", 0.0, 1.0, limit=1.0),)

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain
        self._start()

    def _reset(self) -> None:
        self._last = np.zeros(0, np.uint8)
        self.log: list[tuple[str, int]] = []
        self.answers: list[tuple[np.ndarray, np.ndarray]] = []
        self.happened: list[dict] = []

    def _grown(self, n_features: int, n_labels: int) -> None:
        self._last = np.pad(self._last, (0, len(self._labels) - len(self._last)))

    def _predict(self, X, missing):
        self.log.append(("predict", len(X)))
        labels = np.repeat(self._last[None], len(X), axis=0)
        # scores that differ from label to label and from row to row, so that the ranking measures have work to do
        scores = self.gain * (0.6 * labels + 0.4 * np.abs(np.nan_to_num(X[:, : labels.shape[1]])) / 10)
        self.answers.append((scores.copy(), labels.copy()))
        return scores, labels

    def _learn(self, X, Y, missing) -> None:
        self.log.append(("learn", len(X)))
        self._last = Y[-1].copy()

    def take_events(self):
        taken, self.happened = self.happened, []
        return taken


class Slow(Lagging):
    """Takes ``seconds`` for every call that learns."""

    def __init__(self, gain: float = 1.0, seconds: float = 0.02) -> None:
        self.seconds = seconds
        super().__init__(gain)

    def _learn(self, X, Y, missing) -> None:
        time.sleep(self.seconds)
        super()._learn(X, Y, missing)


class Failing(Lagging):
    """Refuses to learn after ``after`` rows."""

    def __init__(self, gain: float = 1.0, after: int = 250) -> None:
        self.after = after
        super().__init__(gain)

    def _learn(self, X, Y, missing) -> None:
        if sum(n for what, n in self.log if what == "learn") + len(X) > self.after:
            raise ValueError("this row is too much for me")
        super()._learn(X, Y, missing)


def wait_until(condition: Callable[[], Any], what: str = "", seconds: float = 60.0) -> Any:
    """Wait until ``condition()`` is true, and return what it gave."""
    until = time.perf_counter() + seconds
    while not (value := condition()):
        if time.perf_counter() > until:
            raise TimeoutError(f"{what or condition} did not come about within {seconds} s")
        time.sleep(0.002)
    return value
