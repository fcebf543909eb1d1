"""MLSAkNN written plainly: a list of rows, each with the labels that it may vote for."""

from __future__ import annotations

import numpy as np

from tests.rivals.by_hand import mlsampknn as by_hand

__all__ = ["ByHand"]


class ByHand(by_hand.ByHand):
    """``nominal``: for each feature whether it has more than two categories."""

    def __init__(self, nominal, history=100, **given):
        super().__init__(nominal, **given)
        self.history = history
        # for each label: its k, and whether 1, 3, 5 and 7 votes were right, row after row
        self.k: list[int] = []
        self.right: list[list[list[bool]]] = []
        # for each part of the memory: the number of its oldest row, and how many labels were right by number
        self.levels: list[tuple[int, dict[int, int]]] = []

    @staticmethod
    def vote(near, label, k):
        """The first k of these rows that may vote, or all."""
        return [row for row in near if row["may"][label]][:k]

    @staticmethod
    def is_answered(voters, label):
        return bool(voters) and 2 * sum(row["y"][label] for row in voters) >= len(voters)

    def outwards(self, x):
        return sorted(self.rows, key=lambda row: (self.distance(x, row["x"]), -row["id"]))

    def answer(self, x, n_labels):
        self.k += [3] * (n_labels - len(self.k))
        self.right += [[] for _ in range(n_labels - len(self.right))]
        near = self.outwards(x)
        voters = [self.vote(near, label, self.k[label]) for label in range(n_labels)]
        shares = [
            sum(row["y"][label] for row in found) / len(found) if found else 0.0 for label, found in enumerate(voters)
        ]
        return shares, [self.is_answered(found, label) for label, found in enumerate(voters)]

    def judge(self, near, label, true):
        voters = self.vote(near, label, 7)
        self.right[label].append([
            (self.is_answered(voters[:k], label) if len(voters) >= k else False) == bool(true) for k in (1, 3, 5, 7)
        ])  # fmt: skip
        self.right[label] = self.right[label][-self.history :]
        n = 0
        for row in near:
            if n == self.k[label]:
                break
            is_right = row["y"][label] == true
            n += row["may"][label]
            row["errors"] += row["may"][label] and not is_right
            row["may"][label] = is_right
        sums = np.sum(self.right[label], axis=0)
        self.k[label] = 2 * int(np.argmax(sums)) + 1

    def n_right(self, row, part):
        """How many labels of a row the older ones of its part answer right."""
        near = sorted((other for other in part if other["id"] < row["id"]), key=lambda other: row["to"][other["id"]])
        return sum(
            self.is_answered(self.vote(near, label, k), label) == bool(row["y"][label])
            for label, k in enumerate(self.k)
        )

    def part_is_worth(self, level, size):
        part, older = self.rows[-size:], self.rows[:-size]
        start, known = self.levels[level] if level < len(self.levels) else (None, {})
        if start is None or part[0]["id"] < start or (older and older[-1]["id"] >= start):
            known = {}
        known = {row["id"]: known[row["id"]] if row["id"] in known else self.n_right(row, part) for row in part}
        self.levels[level : level + 1] = [(part[0]["id"], known)]
        n_labels = len(part[0]["y"])
        return (
            sum(known.values()) / n_labels / size if self.hamming else sum(n == n_labels for n in known.values()) / size
        )

    def learn(self, x, y):
        near = self.outwards(x)
        for label, true in enumerate(y):
            self.judge(near, label, true)
        for j, value in enumerate(x):
            if value == value:
                self.low[j], self.high[j] = min(self.low[j], value), max(self.high[j], value)
        to = {row["id"]: self.distance(x, row["x"]) for row in self.rows}
        self.rows.append({"id": self.now, "x": x, "y": y, "errors": 0, "may": [True] * len(y), "to": to})
        self.now += 1
        self.rows = [row for row in self.rows if row["errors"] <= self.penalty * len(y)]
        sizes = [len(self.rows)]
        while sizes[-1] >= 2 * self.min_window:
            sizes.append(max(int(sizes[-1] * self.reduction), 1))
        if len(sizes) > 1:
            worths = [self.part_is_worth(level, size) for level, size in enumerate(sizes)]
            self.levels = self.levels[: len(sizes)]
            level = worths.index(max(worths))
            if sizes[level] < len(self.rows):
                self.cuts.append((self.now, len(self.rows), sizes[level]))
                self.levels = self.levels[level:]
            self.rows = self.rows[-sizes[level] :]
        if len(self.rows) >= self.window:
            self.rows = self.rows[1:]

    def test_then_train(self, X, Y):
        scores, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
        for i, (x, y) in enumerate(zip(X.tolist(), Y.tolist(), strict=True)):
            scores[i], labels[i] = self.answer(x, len(y))
            self.learn(x, y)
        return scores, labels
