"""MLSAMPkNN written plainly: a list of rows, and after each row every part of it is judged from the beginning."""

from __future__ import annotations

import math

import numpy as np

__all__ = ["ByHand"]


class ByHand:
    """``nominal``: for each feature whether it has more than two categories."""

    def __init__(self, nominal, k=3, window=1000, min_window=50, penalty=1.0, reduction=0.5, hamming=False):
        self.nominal, self.k, self.window, self.min_window = nominal, k, window, min_window
        self.penalty, self.reduction, self.hamming = penalty, reduction, hamming
        self.low = [0.0] * len(nominal)
        self.high = [0.0] * len(nominal)
        # each {"id", "x", "y", "errors", "to": distances to older rows by their id}, the oldest first
        self.rows: list[dict] = []
        self.cuts: list[tuple[int, int, int]] = []
        self.now = 0

    def distance(self, x, other):
        total, n = 0.0, 0
        for j in range(len(x)):
            if math.isnan(x[j]) or math.isnan(other[j]):
                continue
            n += 1
            width = self.high[j] - self.low[j]
            if self.nominal[j]:
                total += float(x[j] != other[j])
            elif width > 0:
                total += ((x[j] - other[j]) / width) ** 2
        return math.sqrt(total * len(x) / n) if n else math.inf

    def shares(self, near, n_labels):
        return [sum(row["y"][label] for row in near) / len(near) if near else 0.0 for label in range(n_labels)]

    def neighbours(self, x):
        return sorted(self.rows, key=lambda row: self.distance(x, row["x"]))[: self.k]

    def worth(self, part):
        """How right neighbours within a part of the rows are about these."""
        n_right = []
        for i, row in enumerate(part):
            near = sorted(part[:i], key=lambda older: row["to"][older["id"]])[: self.k]
            right = [(s > 0.5) == bool(y) for s, y in zip(self.shares(near, len(row["y"])), row["y"], strict=True)]
            n_right.append(sum(right) if self.hamming else all(right))
        return sum(n_right) / (len(part) * (len(part[0]["y"]) if self.hamming else 1))

    def learn(self, x, y):
        for row in self.neighbours(x):
            row["errors"] += sum(a != b for a, b in zip(row["y"], y, strict=True))
        for j, value in enumerate(x):
            if not math.isnan(value):
                self.low[j] = min(self.low[j], value)
                self.high[j] = max(self.high[j], value)
        to = {row["id"]: self.distance(x, row["x"]) for row in self.rows}
        self.rows.append({"id": self.now, "x": x, "y": y, "errors": 0, "to": to})
        self.now += 1
        self.rows = [row for row in self.rows if row["errors"] <= self.penalty * len(y)]
        sizes = [len(self.rows)]
        while sizes[-1] >= 2 * self.min_window:
            sizes.append(max(int(sizes[-1] * self.reduction), 1))
        if len(sizes) > 1:
            worths = [self.worth(self.rows[-size:]) for size in sizes]
            best = sizes[worths.index(max(worths))]
            if best < len(self.rows):
                self.cuts.append((self.now, len(self.rows), best))
            self.rows = self.rows[-best:]
        if len(self.rows) >= self.window:
            self.rows = self.rows[1:]

    def test_then_train(self, X, Y):
        scores = np.zeros(Y.shape)
        for i, (x, y) in enumerate(zip(X.tolist(), Y.tolist(), strict=True)):
            scores[i] = self.shares(self.neighbours(x), len(y))
            self.learn(x, y)
        return scores, (scores > 0.5).astype(np.uint8)
