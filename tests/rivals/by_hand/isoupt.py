"""iSOUPT in plain Python: bins are lists of their rows, whose sums are worked out again at each attempt to split.

Rows are arrays, NaN is missing, a nominal value is its category's index; ``kinds`` has the categories of each feature,
0 of a number.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

__all__ = ["ByHand", "Leaf"]

BINS = 64
Row = tuple[float, np.ndarray]
"""Weight and labels."""


@dataclass
class Bin:
    low: float
    high: float
    rows: list[Row]

    @property
    def weight(self) -> float:
        return sum(w for w, _ in self.rows)


@dataclass
class Leaf:
    id: int
    depth: int
    n_labels: int
    totals: np.ndarray
    models: np.ndarray
    errors: np.ndarray
    parent: Leaf | None = None
    seen: float = 0.0
    since: float = 0.0
    bins: dict[int, list[Bin]] = field(default_factory=dict)
    categories: dict[tuple[int, int], list[Row]] = field(default_factory=dict)
    test: tuple[int, float] | None = None
    children: list[Leaf] = field(default_factory=list)


def variances(rows: list[Row]) -> float:
    """The labels' variances (n - 1), added up."""
    n = sum(w for w, _ in rows)
    if n <= 1:
        return 0.0
    sums = sum(w * y for w, y in rows)
    return float(((sums - sums**2 / n) / (n - 1)).sum())


def add_value(bins: list[Bin], v: float, row: Row) -> None:
    for each in bins:
        if each.low <= v <= each.high:
            each.rows.append(row)
            return
    at = sum(each.high < v for each in bins)
    bins.insert(at, Bin(v, v, [row]))
    if len(bins) > BINS:
        ranked = [(a.weight + b.weight, b.high - a.low, k) for k, (a, b) in enumerate(pairwise(bins))]
        _, _, k = min(ranked)
        a, b = bins[k : k + 2]
        bins[k : k + 2] = [Bin(a.low, b.high, a.rows + b.rows)]


class ByHand:
    """The whole learner; ``p`` has the parameters of an ``ISOUPT``."""

    def __init__(self, p: Any, n_labels: int, kinds: list[int]) -> None:
        self.p, self.n_labels, self.kinds = p, n_labels, kinds
        self.width = 1 + sum(kind - 1 if kind else 1 for kind in kinds)
        zeros = np.zeros(1 + n_labels), np.zeros((n_labels, self.width)), np.zeros((n_labels, 2))
        self.root = Leaf(0, 0, n_labels, *zeros)
        self.n_nodes, self.position = 1, 0
        self.rows: list[tuple[float, np.ndarray]] = []
        self.truths: list[Row] = []
        self.splits: list[tuple[int, int, int, float]] = []

    # ------------------------------------------------------------------ answers

    def leaf(self, x: np.ndarray) -> Leaf:
        node = self.root
        while node.test:
            (f, point), (left, right) = node.test, node.children
            if math.isnan(x[f]):
                node = right if right.seen > left.seen else left
            else:
                node = left if (x[f] == point if self.kinds[f] else x[f] <= point) else right
        return node

    def raw(self, x: np.ndarray) -> np.ndarray:
        row = [1.0]
        for v, kind in zip(x.tolist(), self.kinds, strict=True):
            row += [math.nan if math.isnan(v) else float(v == c) for c in range(1, kind)] if kind else [v]
        return np.array(row)

    def columns(self, x: np.ndarray) -> np.ndarray:
        row = self.raw(x)
        if self.p.leaf == "perceptron":
            for k in range(1, self.width):
                known = [(w, z[k]) for w, z in self.rows if not math.isnan(z[k])]
                n = sum(w for w, _ in known)
                if n <= 1:
                    row[k] = 0.0
                    continue
                mean = sum(w * z for w, z in known) / n
                deviation = math.sqrt(sum(w * (z - mean) ** 2 for w, z in known) / n)
                row[k] = (row[k] - mean) / deviation if deviation > 1e-5 else 0.0
        return np.nan_to_num(row, nan=0.0)

    def shares(self) -> tuple[np.ndarray, np.ndarray]:
        n = sum(w for w, _ in self.truths)
        if not n:
            return np.zeros(self.n_labels), np.zeros(self.n_labels)
        share = sum(w * y for w, y in self.truths) / n
        return share, np.sqrt(np.maximum(share * (1 - share), 0))

    def both(self, node: Leaf, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        means = node.totals[1:] / node.totals[0] if node.totals[0] > 0 else np.zeros(self.n_labels)
        models = node.models @ self.columns(x)
        if self.p.leaf == "model":
            models = np.array([1 / (1 + math.exp(-v)) if v >= 0 else math.exp(v) / (1 + math.exp(v)) for v in models])
        elif self.p.leaf == "perceptron":
            share, deviation = self.shares()
            models = share + deviation * models
        return means, models

    def answer(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        node = self.leaf(x)
        means, models = self.both(node, x)
        by_mean = (node.errors[:, 0] < node.errors[:, 1]) & (self.p.leaf != "model")
        scores = np.clip(np.where(by_mean, means, models), 0, 1)
        return scores, (scores > self.p.threshold).astype(np.uint8)

    # ------------------------------------------------------------------ learning

    def learn(self, x: np.ndarray, y: np.ndarray, w: float = 1.0) -> None:
        node, z = self.leaf(x), self.columns(x)
        means, models = self.both(node, x)
        off = models - y
        if self.p.leaf != "model":
            node.errors = 0.95 * node.errors + np.column_stack([(means - y) ** 2, off**2])
        step = self.p.learning_rate * w
        if self.p.leaf == "model":
            node.models = node.models - step * np.outer(off, z)
        elif self.p.leaf == "adaptive":
            node.models = node.models - 2 * step * np.outer(off, z)
        elif sum(each for each, _ in self.truths) > 1:
            _, deviation = self.shares()
            off = np.where(deviation > 0, off / np.where(deviation > 0, deviation, 1), 0)
            node.models = node.models - 2 * step / (1 + 0.001 * (node.seen + w)) * np.outer(off, z)
            total = np.abs(node.models).sum(axis=1, keepdims=True)
            node.models = np.where(total > 0, node.models / np.where(total > 0, total, 1), node.models)
        row = (w, y.astype(float))
        self.rows.append((w, self.raw(x)))
        self.truths.append(row)
        node.totals = node.totals + w * np.concatenate([[1], y])
        for f, v in enumerate(x.tolist()):
            if math.isnan(v):
                continue
            if self.kinds[f]:
                node.categories.setdefault((f, int(v)), []).append(row)
            else:
                add_value(node.bins.setdefault(f, []), v, row)
        node.since += w
        up: Leaf | None = node
        while up:
            up.seen += w
            up = up.parent
        self.position += 1
        deepest = math.inf if self.p.max_depth is None else self.p.max_depth
        if node.since >= self.p.grace_period and node.depth < deepest:
            node.since = 0.0
            self.attempt(node)

    def candidates(self, node: Leaf, f: int):
        """Points of a feature, with the rows on both sides."""
        if self.kinds[f]:
            parts = [node.categories.get((f, c), []) for c in range(self.kinds[f])]
            for c, left in enumerate(parts):
                yield float(c), left, [row for k, part in enumerate(parts) if k != c for row in part]
            return
        bins = node.bins.get(f, [])
        for k in range(len(bins) - 1):
            point = bins[k].high + 0.5 * (bins[k + 1].low - bins[k].high)
            left, right = ([row for each in part for row in each.rows] for part in (bins[: k + 1], bins[k + 1 :]))
            yield point, left, right

    def attempt(self, node: Leaf) -> None:
        ranked = []
        for f in range(len(self.kinds)):
            best = (0.0, 0.0, [], [])
            for point, left, right in self.candidates(node, f):
                n_left, n_right = (sum(w for w, _ in side) for side in (left, right))
                if min(n_left, n_right) < self.p.min_samples_split:
                    continue
                n = n_left + n_right
                after = n_left / n * variances(left) + n_right / n * variances(right)
                merit = (variances(left + right) - after) / self.n_labels * n / node.seen
                if merit > best[0] + 1e-15:
                    best = (merit, point, left, right)
            ranked.append((best[0], f, best))
        ranked.sort(key=lambda each: (-each[0], each[1]))
        merit, f, (_, point, *sides) = ranked[0]
        second = ranked[1][0] if len(ranked) > 1 else 0.0
        bound = math.sqrt(math.log(1 / self.p.delta) / (2 * node.seen))
        if not merit > 0 or not (second / merit < 1 - bound or bound < self.p.tau):
            return
        self.splits.append((node.id, self.position, f, point))
        node.test = (f, point)
        for side in sides:
            totals = np.zeros(1 + self.n_labels)
            for w, y in side:
                totals += w * np.concatenate([[1], y])
            copies = node.models.copy(), node.errors.copy()
            node.children.append(Leaf(self.n_nodes, node.depth + 1, self.n_labels, totals, *copies, node))
            self.n_nodes += 1
