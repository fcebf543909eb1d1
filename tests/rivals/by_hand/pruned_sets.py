"""Pruned sets in plain Python: a buffer as a list, and a Hoeffding tree whose leaves keep every row that they learned.

Rows are lists, None is missing, a nominal value is its category's index, a label set is a tuple of its columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

__all__ = ["ByHand", "Tree"]


@dataclass
class Leaf:
    weights: list[float]
    rows: list[tuple[list, int, float]] = field(default_factory=list)
    since: float = 0.0
    seen: float = 0.0
    right: list[float] = field(default_factory=lambda: [0.0, 0.0])
    depth: int = 0
    feature: int = -1
    point: float = math.nan
    children: tuple[Leaf, Leaf] | None = None

    def values(self, f: int, c: int) -> list[tuple[float, float]]:
        return [(x[f], w) for x, k, w in self.rows if k == c and x[f] is not None]


def moments(values: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Weight, mean and variance (0: none)."""
    n = sum(w for _, w in values)
    if not n:
        return 0.0, 0.0, 0.0
    mean = sum(w * v for v, w in values) / n
    spread = sum(w * (v - mean) ** 2 for v, w in values) if len({v for v, _ in values}) > 1 else 0.0
    return n, mean, spread / (n - 1) if n > 1 and spread > 0 else 0.0


def entropy(weights: list[float]) -> float:
    total = sum(weights)
    return -sum(w / total * math.log2(w / total) for w in weights if w > 0) if total else 0.0


class Tree:
    """A Hoeffding tree, or naive Bayes; ``p`` has the parameters of a ``PrunedSets``."""

    def __init__(self, p, n_classes: int, categories: list[int]) -> None:
        self.p, self.n, self.categories = p, n_classes, categories
        self.points = getattr(p, "n_split_points", 10)
        self.least, self.most = getattr(p, "min_branch_fraction", 0.01), getattr(p, "max_share_to_split", 0.99)
        self.root = Leaf([0.0] * n_classes)
        self.splits: list[tuple[int, float, float, float]] = []

    def path(self, x: list) -> list[Leaf]:
        path = [self.root]
        while path[-1].children is not None:
            node, (left, right) = path[-1], path[-1].children
            v = x[node.feature]
            if v is None:
                path.append(right if right.seen > left.seen else left)
            else:
                holds = v == node.point if self.categories[node.feature] else v <= node.point
                path.append(left if holds else right)
        return path

    def shares(self, leaf: Leaf, x: list) -> tuple[list[float], list[float]]:
        total = sum(leaf.weights)
        majority = [w / total for w in leaf.weights]
        logs = [math.log(s) if s > 0 else -math.inf for s in majority]
        for c in range(self.n):
            for f, v in enumerate(x):
                if v is None or logs[c] == -math.inf:
                    continue
                values = leaf.values(f, c)
                if self.categories[f]:
                    n = sum(w for _, w in values)
                    if n:
                        own = sum(w for u, w in values if u == v)
                        logs[c] += math.log((own + 1) / (n + self.categories[f]))
                    continue
                _, mean, variance = moments(values)
                if variance > 0:
                    logs[c] -= (v - mean) ** 2 / (2 * variance) + 0.5 * math.log(2 * math.pi * variance)
        top = max(logs)
        bayes = [math.exp(v - top) for v in logs]
        return majority, [b / sum(bayes) for b in bayes]

    def answer(self, x: list) -> list[float]:
        leaf = self.path(x)[-1]
        majority, bayes = self.shares(leaf, x)
        return bayes if self.p.base == "bayes" or leaf.right[1] >= leaf.right[0] else majority

    def learn(self, x: list, c: int, w: float) -> None:
        path = self.path(x)
        for node in path:
            node.seen += w
        leaf = path[-1]
        known = sum(leaf.weights) > 0
        if self.p.base == "tree":
            majority, bayes = self.shares(leaf, x) if known else ([0.0], [0.0])
            leaf.right[0] += w if not known or majority.index(max(majority)) == c else 0.0
            leaf.right[1] += w if known and bayes.index(max(bayes)) == c else 0.0
        leaf.rows.append((x, c, w))
        leaf.weights[c] += w
        leaf.since += w
        deep = self.p.max_depth is not None and leaf.depth >= self.p.max_depth
        if self.p.base == "tree" and leaf.since >= self.p.grace_period and not deep:
            self.attempt(leaf)

    def sides(self, leaf: Leaf, f: int, point: float) -> list[list[float]]:
        """The classes' weights on both sides of a test."""
        left, right = [], []
        for c in range(self.n):
            values = leaf.values(f, c)
            n, mean, variance = moments(values)
            if self.categories[f]:
                part = sum(w for v, w in values if v == point)
            elif not values or point < min(values)[0]:
                part = 0.0
            elif point >= max(values)[0]:
                part = n
            else:
                part = n * 0.5 * math.erfc((mean - point) / math.sqrt(2 * variance)) if variance > 0 else 0.0
            left.append(part)
            right.append(n - part)
        return [left, right]

    def attempt(self, leaf: Leaf) -> None:
        leaf.since = 0.0
        total = sum(leaf.weights)
        if sum(w > 0 for w in leaf.weights) < 2 or max(leaf.weights) / total > self.most:
            return
        before, gains = entropy(leaf.weights), []
        for f, n in enumerate(self.categories):
            values = [v for c in range(self.n) for v, _ in leaf.values(f, c)]
            low, high = (min(values), max(values)) if values else (0.0, 0.0)
            points = range(n) if n else [low + (high - low) / (self.points + 1) * (i + 1) for i in range(self.points)]
            best = (0.0, 0.0)
            for point in points:
                if not n and not low < point < high:
                    continue
                sides = self.sides(leaf, f, point)
                weights = [sum(side) for side in sides]
                if not sum(weights) or min(weights) / sum(weights) <= self.least:
                    continue
                gain = before - sum(w * entropy(s) for w, s in zip(weights, sides, strict=True)) / sum(weights)
                best = max(best, (gain, point), key=lambda each: each[0])
            gains.append((best[0], -f, best[1]))
        gain, f, point = max(gains, key=lambda each: each[:2])
        second = sorted((each[0] for each in gains), reverse=True)[1] if len(gains) > 1 else 0.0
        reach = math.log2(max(sum(w > 0 for w in leaf.weights), 2))
        bound = math.sqrt(reach**2 * math.log(1 / self.p.delta) / (2 * total))
        if gain <= 0 or (gain - second <= bound and bound >= self.p.tau):
            return
        leaf.feature, leaf.point = -f, point
        leaf.children = tuple(Leaf(side, depth=leaf.depth + 1) for side in self.sides(leaf, -f, point))
        self.splits.append((-f, point, gain, bound))


class ByHand:
    """The whole learner; ``p`` has the parameters."""

    def __init__(self, p, n_labels: int, categories: list[int]) -> None:
        self.p, self.n_labels, self.categories = p, n_labels, categories
        self.rows: list[tuple[list, tuple, float]] = []
        self.tree: Tree | None = None
        self.classes: list[tuple] = []
        self.level = math.nan

    def counts(self) -> dict[tuple, float]:
        counts: dict[tuple, float] = {}
        for _, y, w in self.rows:
            counts[y] = counts.get(y, 0.0) + w
        return counts

    def answer(self, x: list) -> tuple[list[float], list[int]]:
        if self.tree is None:
            counts = self.counts()
            sets, shares = list(counts), [w / sum(counts.values()) for w in counts.values()]
        else:
            sets, shares = self.classes, self.tree.answer(x)
        if not sets:
            return [0.0] * self.n_labels, [0] * self.n_labels
        best = sets[shares.index(max(shares))]
        scores = [sum(s for s, y in zip(shares, sets, strict=True) if j in y) for j in range(self.n_labels)]
        return scores, [int(j in best) for j in range(self.n_labels)]

    def learn(self, x: list, y: list[int], w: float = 1.0) -> None:
        labels = tuple(j for j, flag in enumerate(y) if flag)
        if self.tree is not None:
            self.learn_set(x, labels, w)
            return
        self.rows.append((x, labels, w))
        if len(self.rows) < self.p.buffer:
            return
        counts, self.level = self.counts(), 0
        while sum(w > self.level for w in counts.values()) > self.p.support:
            self.level += 1
        if self.level and sum(w > self.level for w in counts.values()) < 2:
            self.level -= 1
        self.classes = [y for y, w in counts.items() if w > self.level]
        self.tree = Tree(self.p, len(self.classes), self.categories)
        for each in self.rows:
            self.learn_set(*each)

    def learn_set(self, x: list, labels: tuple, w: float) -> None:
        if labels in self.classes:
            self.tree.learn(x, self.classes.index(labels), w)
            return
        parts = [y for y in self.classes if y and set(y) <= set(labels)]
        parts = sorted(parts, key=len, reverse=True)[: self.p.reintroduce]
        for y in sorted(parts, key=self.classes.index):
            self.tree.learn(x, self.classes.index(y), w / len(parts))
