"""ML-BELS written plainly, with numpy and lists: what the learner must equal. It gets the random numbers from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

SOFT = 1e-5


@dataclass
class Member:
    """A ridge regression of one label; it answers once it has learned a chunk."""

    width: int
    born: int
    learned: int = 0
    gram: Any = None
    moments: Any = None
    weights: Any = None

    def __post_init__(self) -> None:
        self.gram, self.moments = np.zeros((self.width, self.width)), np.zeros((self.width, 2))

    def learn(self, Z: np.ndarray, y: np.ndarray, rows: int, ridge: float) -> None:
        self.gram = self.gram + Z.T @ Z
        self.moments = self.moments + Z.T @ np.column_stack([1 - y, y])
        self.weights = np.linalg.solve(self.gram + ridge * np.eye(self.width), self.moments)
        self.learned += rows


@dataclass
class Label:
    members: list[Member] = field(default_factory=list)
    pool: list[Member] = field(default_factory=list)
    right: int = 0
    counted: int = 0

    @property
    def answering(self) -> list[Member]:
        return [member for member in self.members if member.learned]


class ByHand:
    """Learns chunk by chunk; some values are NaN. ``model`` gives the parameters and the random nodes."""

    def __init__(self, model: Any, n_features: int, n_labels: int) -> None:
        self.p, self.n_features, self.n_labels = model, n_features, n_labels
        # the model keeps the constant's row behind the features', and a sum behind that
        self.random, self.basis = model._random[:-1].copy(), model._enhancement.copy()
        self.nodes = model.n_windows * model.window_nodes
        self.width = self.nodes + model.enhancement_nodes
        self.rows_X: list[np.ndarray] = []
        self.rows_Y: list[np.ndarray] = []
        self.seen, self.chunks = 0, 0
        self.events: list[tuple[str, int, int]] = []
        self.begin()

    def begin(self) -> None:
        shape = (self.n_features + 1, self.nodes)
        size = self.p.window_nodes
        self.P, self.S, self.mapping = np.zeros((self.p.n_windows, size, size)), np.zeros(shape), np.zeros(shape)
        self.low_A, self.high_A = np.full(self.nodes, np.inf), np.full(self.nodes, -np.inf)
        self.low, self.high = np.full(self.nodes, np.inf), np.full(self.nodes, -np.inf)
        self.factor = 1.0
        self.labels = [Label([Member(self.width, 0)]) for _ in range(self.n_labels)]
        self.gram, self.moments, self.weights = (
            np.zeros((self.width, self.width)),
            np.zeros((self.width, self.n_labels)),
            None,
        )
        self.cardinality = 0.0

    # ------------------------------------------------------------------ features

    def scaled(self, X: np.ndarray) -> np.ndarray:
        out = np.zeros((len(X), self.n_features + 1))
        out[:, -1] = 0.1
        for i, x in enumerate(X):
            there = ~np.isnan(x)
            deviation = x[there].std() if there.any() else 0.0
            if there.any() and deviation > 1e-12 * np.abs(x[there]).max():
                out[i, :-1][there] = (x[there] - x[there].mean()) / deviation
        return out

    @staticmethod
    def ranged(A: np.ndarray, low: np.ndarray, high: np.ndarray, start: float, end: float) -> np.ndarray:
        out = np.zeros(A.shape)
        for j in range(A.shape[1]):
            if high[j] - low[j] > 1e-12 * max(abs(low[j]), abs(high[j])):
                out[:, j] = start + (end - start) * (A[:, j] - low[j]) / (high[j] - low[j])
        return out

    def with_enhancement(self, Y: np.ndarray) -> np.ndarray:
        inputs = np.column_stack([Y, np.full(len(Y), 0.1)])
        return np.column_stack([Y, np.tanh(self.factor * (inputs @ self.basis))])

    def features(self, X: np.ndarray) -> np.ndarray:
        return self.with_enhancement(self.ranged(self.scaled(X) @ self.mapping, self.low, self.high, 0, 1))

    def learn_features(self, X: np.ndarray) -> np.ndarray:
        H = self.scaled(X)
        A = H @ self.random
        self.low_A, self.high_A = np.minimum(self.low_A, A.min(axis=0)), np.maximum(self.high_A, A.max(axis=0))
        A = self.ranged(A, self.low_A, self.high_A, -1, 1)
        self.S = self.S + H.T @ A
        for w in range(self.p.n_windows):
            window = slice(w * self.p.window_nodes, (w + 1) * self.p.window_nodes)
            self.P[w] += A[:, window].T @ A[:, window]
            L = np.linalg.inv(self.P[w] + np.eye(self.p.window_nodes))
            o = u = np.zeros((self.p.window_nodes, self.n_features + 1))
            for _ in range(2):
                c = L @ self.S[:, window].T + L @ (o - u)
                o = np.sign(c + u) * np.maximum(np.abs(c + u) - SOFT, 0)
                u = u + c - o
            self.mapping[:, window] = o.T
        T = H @ self.mapping
        self.low, self.high = np.minimum(self.low, T.min(axis=0)), np.maximum(self.high, T.max(axis=0))
        Y = self.ranged(T, self.low, self.high, 0, 1)
        self.factor = self.p.shrink / max(Y.max(), 0.1)
        return self.with_enhancement(Y)

    # ------------------------------------------------------------------ answers

    def answer(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        scores, chosen = np.zeros((len(X), self.n_labels)), np.zeros((len(X), self.n_labels), np.uint8)
        knowing = [label for label in range(self.n_labels) if self.labels[label].answering]
        if not knowing:
            return scores, chosen
        for i, z in enumerate(self.features(X)):
            p = np.array([sum((z @ m.weights for m in label.answering), np.zeros(2)) for label in self.labels])
            g = z @ self.weights
            if self.cardinality >= self.p.tau:
                g = (g - g.min()) / (g.max() - g.min()) if g.max() > g.min() else np.zeros(self.n_labels)
                p = np.abs(p) * np.column_stack([1 - g, g])
            for label in knowing:
                p0, p1 = p[label]
                if self.cardinality >= self.p.tau:
                    scores[i, label] = p1 / (p0 + p1) if p0 + p1 > 0 else 0
                else:
                    scores[i, label] = np.clip(0.5 + (p1 - p0) / (2 * len(self.labels[label].answering)), 0, 1)
                chosen[i, label] = p1 > p0
            if not chosen[i].any():
                chosen[i, max(knowing, key=lambda label: (p[label, 1], -label))] = 1
        return scores, chosen

    # ------------------------------------------------------------------ learning

    def learn(self, X: np.ndarray, Y: np.ndarray) -> None:
        for x, y in zip(X, Y, strict=True):
            self.rows_X.append(x)
            self.rows_Y.append(y)
            self.seen += 1
            held = len(self.rows_X)
            is_full = held == self.p.chunk
            if self.chunks == 0 and (is_full or held & (held - 1) == 0):
                self.begin()
                self.learn_chunk(np.array(self.rows_X), np.array(self.rows_Y).astype(int), is_full)
            elif self.chunks and is_full:
                self.learn_chunk(np.array(self.rows_X), np.array(self.rows_Y).astype(int), True)
            if is_full:
                self.rows_X, self.rows_Y, self.chunks = [], [], self.chunks + 1

    def learn_chunk(self, X: np.ndarray, Y: np.ndarray, is_full: bool) -> None:
        n, first = len(X), self.chunks == 0
        before = None if first else self.features(X)
        Z = self.learn_features(X)
        self.gram, self.moments = self.gram + Z.T @ Z, self.moments + Z.T @ Y
        self.weights = np.linalg.solve(self.gram + self.p.ridge * np.eye(self.width), self.moments)
        self.cardinality = Y.sum() / n
        counts = dict.fromkeys(("started", "removed", "set_aside", "came_back"), 0)
        if first and is_full:
            counts["started"] += self.n_labels
        for k, label in enumerate(self.labels):
            y = Y[:, k]
            usual = label.right / label.counted if label.counted else 0.5
            worst, wrong, good = [], np.zeros(n, bool), []
            if not first:
                votes, sums = np.zeros(n), np.zeros((n, 2))
                for place, member in enumerate(label.members):
                    if member.learned:
                        p = before @ member.weights
                        says = p[:, 1] > p[:, 0]
                        votes, sums = votes + np.where(says, 1, -1), sums + p
                        if (says == (y == 1)).mean() < usual:
                            worst.append(place)
                says = np.where(votes == 0, sums[:, 1] > sums[:, 0], votes > 0)
                wrong = says != (y == 1)
                for member in label.pool:
                    p = before @ member.weights
                    if ((p[:, 1] > p[:, 0]) == (y == 1)).mean() > 0.5:
                        good.append(member)
                label.right, label.counted = label.right + int((~wrong).sum()), label.counted + n
            twice = np.concatenate([np.arange(n), np.flatnonzero(wrong)])
            for member in label.members:
                member.learn(Z[twice], y[twice], n, self.p.ridge)
            if is_full:
                self.rearrange(label, worst, good, counts)
        self.events += [(kind, self.seen, count) for kind, count in counts.items() if count]

    def rearrange(self, label: Label, worst: list[int], good: list[Member], counts: dict[str, int]) -> None:
        if len(label.members) < self.p.max_learners:
            label.members.append(Member(self.width, self.seen))
            counts["started"] += 1
        many = len(worst) > len(label.members) / 2
        if not worst or not (len(label.members) >= self.p.max_learners or many):
            return
        going = [label.members[place] for place in worst[:-1] if place != 0]
        label.members = [member for member in label.members if not any(member is each for each in going)]
        counts["set_aside" if many else "removed"] += len(going)
        for member in good:
            if len(label.members) < self.p.max_learners:
                label.members.append(member)
                label.pool = [each for each in label.pool if each is not member]
                counts["came_back"] += 1
        label.pool += going if many else []
        if len(label.pool) > 100:
            label.pool = label.pool[20:]
