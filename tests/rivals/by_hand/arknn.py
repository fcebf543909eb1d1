"""ARkNN written plainly: a list of rows, each with its fitness, and every cosine from its definition."""

from __future__ import annotations

import math

import numpy as np

__all__ = ["ByHand"]


class ByHand:
    """``nominal``: for each feature whether it has more than two categories."""

    def __init__(self, nominal, k=3, window=500, min_fitness=0.001, fading=0.995, hamming=False):
        self.nominal, self.k, self.window = nominal, k, window
        self.min_fitness, self.fading, self.hamming = min_fitness, fading, hamming
        self.low = [0.0] * len(nominal)
        self.high = [0.0] * len(nominal)
        # each {"x", "y", "fitness"}, the oldest first
        self.rows: list[dict] = []
        self.hits = self.weight = 0.0

    def coordinates(self, x, j):
        """The numbers that a feature counts as: one, or an indicator for each category but the first."""
        if self.nominal[j]:
            return [1.0 if x[j] == category else 0.0 for category in range(1, 10)]
        width = self.high[j] - self.low[j]
        return [(x[j] - self.low[j]) / width if width > 0 else 0.0]

    def cosine(self, x, other):
        a, b = [], []
        for j in range(len(x)):
            if not (math.isnan(x[j]) or math.isnan(other[j])):
                a += self.coordinates(x, j)
                b += self.coordinates(other, j)
        length = math.sqrt(sum(v * v for v in a)) * math.sqrt(sum(v * v for v in b))
        return sum(v * w for v, w in zip(a, b, strict=True)) / length if length > 0 else 0.0

    def neighbours(self, x):
        """Distances and rows; ``sorted`` leaves equals in order, the older one first."""
        distances = [1.0 - self.cosine(x, row["x"]) for row in self.rows]
        nearest = sorted(range(len(self.rows)), key=lambda i: distances[i])[: self.k]
        return [(self.rows[i], 2.0 - distances[i]) for i in nearest]

    def answer(self, x, n_labels):
        near = self.neighbours(x)
        scores, labels = np.zeros(n_labels), np.zeros(n_labels, np.uint8)
        for label in range(n_labels):
            votes = sum(row["fitness"] * near_by for row, near_by in near if row["y"][label])
            against = sum(row["fitness"] * near_by for row, near_by in near if not row["y"][label])
            if votes + against > 0:
                scores[label] = votes / (votes + against)
                labels[label] = votes > against
        return scores, labels

    def worth(self, y, truth):
        right = [a == b for a, b in zip(y, truth, strict=True)]
        return sum(right) / len(right) if self.hamming else float(all(right))

    def learn(self, x, y, answered):
        accuracy = self.hits / self.weight if self.weight else 0.0
        for row, _ in self.neighbours(x):
            row["fitness"] = min(max(row["fitness"] + self.worth(row["y"], y) - accuracy, 0.0), 1.0)
        self.hits = self.fading * self.hits + self.worth(answered, y)
        self.weight = self.fading * self.weight + 1.0
        for j, value in enumerate(x):
            if not (math.isnan(value) or self.nominal[j]):
                self.low[j] = min(self.low[j], value)
                self.high[j] = max(self.high[j], value)
        for row in self.rows:
            row["fitness"] *= self.fading
        self.rows.append({"x": list(x), "y": list(y), "fitness": 1.0})
        self.rows = [row for row in self.rows if row["fitness"] >= self.min_fitness]
        if len(self.rows) > self.window:
            self.rows.remove(min(self.rows, key=lambda row: row["fitness"]))

    def test_then_train(self, X, Y):
        scores, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
        for i, (x, y) in enumerate(zip(X.tolist(), Y.tolist(), strict=True)):
            scores[i], labels[i] = self.answer(x, len(y))
            self.learn(x, y, labels[i].tolist())
        return scores, labels
