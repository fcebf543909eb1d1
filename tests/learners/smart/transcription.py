"""Figures 1 to 4 of the SMART paper, line by line in plain Python, with explicit fading at every visit of a node.

Only the tests of the nodes come from the product, by its own draw: all else is written again, to be compared with.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from streamlab.learners.smart import _kernels
from streamlab.schema import Schema

__all__ = ["Node", "Transcription"]

EMPTY_WEIGHT = 1e-12


@dataclass
class Node:
    """Definition 1 of the paper: (c, n, θ, t); ``faded_to`` is the instant to which the sums are faded."""

    c: list[float]
    n: float = 0.0
    theta: float = 0.0
    t: int = 0
    faded_to: int = 0

    def fade(self, now: int, half_life: float) -> None:
        """Multiply every sum with 2^-(now - t)/λ."""
        factor = 2.0 ** (-(now - self.faded_to) / half_life)
        self.n *= factor
        self.theta *= factor
        self.c = [count * factor for count in self.c]
        self.faded_to = now


@dataclass
class Transcription:
    """SMART as printed; the nodes of a tree in a dictionary by heap index, the children of i at 2i+1 and 2i+2."""

    schema: Schema
    n_trees: int
    height: int
    half_life: float
    seed: int
    now: int = 0
    trees: list[dict[int, Node]] = field(default_factory=list)
    tests: dict[tuple[int, int], tuple[int, float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        features = self.schema.features
        self.low = np.array([0.0 if f.is_nominal else f.low for f in features])
        self.high = np.array([0.0 if f.is_nominal else f.high for f in features])
        self.n_categories = np.array([float(len(f.categories or ())) for f in features])
        self.trees = [{} for _ in range(self.n_trees)]

    # ------------------------------------------------------------------ what changes mid-stream

    def tune(self, *, n_trees: int | None = None, height: int | None = None, half_life: float | None = None) -> None:
        if half_life is not None:
            for tree in self.trees:
                for node in tree.values():
                    node.fade(self.now, self.half_life)
            self.half_life = half_life
        if n_trees is not None:
            self.trees = self.trees[:n_trees] + [{} for _ in range(n_trees - len(self.trees))]
        if height is not None:
            self.trees = [{i: node for i, node in tree.items() if i < 2**height - 1} for tree in self.trees]
            self.height = height

    # ------------------------------------------------------------------ figures 1 and 2

    def learn(self, x: list[float], y: list[int], timestamp: int | None = None) -> None:
        self.now = self.now + 1 if timestamp is None else timestamp
        for t in range(len(self.trees)):
            self.update_tree(t, x, y)

    def update_tree(self, t: int, x: list[float], y: list[int]) -> None:
        tree, i = self.trees[t], 0
        for level in range(1, self.height + 1):
            node = tree.get(i)
            if node is None:
                node = tree[i] = Node([0.0] * len(y))
            node.fade(self.now, self.half_life)
            if node.n < EMPTY_WEIGHT:
                node.n, node.theta, node.c = 0.0, 0.0, [0.0] * len(y)
            node.n += 1
            node.theta += sum(y)
            node.c = [count + flag for count, flag in zip(node.c, y, strict=True)]
            node.t = self.now
            if level == self.height:
                return
            i = self.child(t, i, x)

    # ------------------------------------------------------------------ figures 3 and 4

    def classify(self, x: list[float]) -> tuple[list[float], list[int]]:
        n_labels = self.schema.n_labels
        answers = [answer for t in range(len(self.trees)) if (answer := self.tree_predict(t, x)) is not None]
        if not answers:
            return [0.0] * n_labels, [0] * n_labels
        p = [sum(column) / len(answers) for column in zip(*(p for p, _ in answers), strict=True)]
        theta = sum(theta for _, theta in answers) / len(answers)
        ranked = sorted(range(n_labels), key=lambda j: (-p[j], j))
        chosen = set(ranked[: math.floor(theta + 0.5)])
        return p, [int(j in chosen) for j in range(n_labels)]

    def tree_predict(self, t: int, x: list[float]) -> tuple[list[float], float] | None:
        """The answer of the last non-empty node on the path; None from a tree that is empty yet."""
        if self.weight(t, 0) == 0.0:
            return None
        i = 0
        for _ in range(self.height - 1):
            child = self.child(t, i, x)
            if self.weight(t, child) == 0.0:
                break
            i = child
        node = self.trees[t][i]
        return [count / node.n for count in node.c], node.theta / node.n

    # ------------------------------------------------------------------ the trees

    def weight(self, t: int, i: int) -> float:
        """The weight of a node faded to now; 0 for an empty one."""
        node = self.trees[t].get(i)
        if node is None:
            return 0.0
        weight = node.n * 2.0 ** (-(self.now - node.faded_to) / self.half_life)
        return weight if weight >= EMPTY_WEIGHT else 0.0

    def child(self, t: int, i: int, x: list[float]) -> int:
        """The child that ``x`` goes to; a missing value goes to the heavier one, a tie to child 1."""
        if (t, i) not in self.tests:
            self.tests[t, i] = _kernels._draw_test(self.seed, t, i, self.low, self.high, self.n_categories)
        feature, lower, upper = self.tests[t, i]
        left, right = 2 * i + 1, 2 * i + 2
        if math.isnan(x[feature]):
            return right if self.weight(t, right) > self.weight(t, left) else left
        return right if lower < x[feature] <= upper else left

    # ------------------------------------------------------------------ a chunk

    def test_then_train(self, X: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Predict all of the chunk, then learn it."""
        X, Y = X.tolist(), Y.tolist()
        answers = [self.classify(x) for x in X]
        for x, y in zip(X, Y, strict=True):
            self.learn(x, y)
        return np.array([p for p, _ in answers]), np.array([labels for _, labels in answers], np.uint8)
