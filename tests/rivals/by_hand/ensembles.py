"""Hoeffding trees, chains, GOOWE-ML and online bagging written plainly, with lists: what the learners must equal."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from streamlab.detectors import ADWIN
from streamlab.rivals import PrunedSets
from tests.rivals.by_hand.pruned_sets import ByHand as PrunedSetsByHand

GOLDEN, ALL = 0x9E3779B97F4A7C15, 2**64 - 1


# ---------------------------------------------------------------------- a Hoeffding tree of two classes


class Moments:
    def __init__(self) -> None:
        self.n = self.mean = self.m2 = 0.0
        self.low, self.high = math.inf, -math.inf

    def add(self, v: float, w: float) -> None:
        if self.n == 0:
            self.mean = v
        self.low, self.high = min(self.low, v), max(self.high, v)
        self.n += w
        away = v - self.mean
        self.mean += w * away / self.n
        self.m2 += w * away * (v - self.mean)

    @property
    def variance(self) -> float:
        return self.m2 / (self.n - 1) if self.n > 1 and self.m2 > 0 else 0.0

    def below(self, point: float) -> float:
        if self.n == 0 or point < self.low:
            return 0.0
        if point >= self.high:
            return self.n
        sigma = math.sqrt(self.m2 / (self.n - 1)) if self.n > 1 else 0.0
        return self.n * 0.5 * math.erfc((self.mean - point) / (sigma * math.sqrt(2))) if sigma > 0 else 0.0


def entropy(weights: list[float]) -> float:
    total = sum(weights)
    return -sum(w / total * math.log2(w / total) for w in weights if w > 0) if total > 0 else 0.0


class Node:
    def __init__(self, weights: list[float]) -> None:
        self.seen = self.since = 0.0
        self.weights, self.right = weights, [0.0, 0.0]
        self.numeric: dict[tuple[int, int], Moments] = {}
        self.nominal: dict[tuple[int, int], list[float]] = {}
        self.test: tuple[int, float] | None = None
        self.children: list[Node] = []


class Tree:
    """``kinds`` says how many categories each column has, 0 of a number; columns that are NaN are left out."""

    def __init__(self, kinds: list[int], p: Any) -> None:
        self.kinds, self.p, self.root = kinds, p, Node([0.0, 0.0])

    def leaf(self, x: list[float], w: float) -> Node:
        node = self.root
        node.seen += w
        while node.test:
            f, point = node.test
            left, right = node.children
            if math.isnan(x[f]):
                node = right if right.seen > left.seen else left
            else:
                node = left if (x[f] == point if self.kinds[f] else x[f] <= point) else right
            node.seen += w
        return node

    def both(self, node: Node, x: list[float]) -> tuple[list[float], list[float]]:
        total = sum(node.weights)
        shares = [w / total if total > 0 else 0.0 for w in node.weights]
        if total == 0:
            return shares, shares
        logs = []
        for c in range(2):
            if shares[c] <= 0:
                logs.append(-math.inf)
                continue
            log = math.log(shares[c])
            for f, v in enumerate(x):
                if math.isnan(v):
                    continue
                if self.kinds[f]:
                    counts = node.nominal.get((f, c), [0.0] * self.kinds[f])
                    if sum(counts) > 0:
                        log += math.log((counts[int(v)] + 1) / (sum(counts) + self.kinds[f]))
                elif (f, c) in node.numeric and node.numeric[f, c].variance > 0:
                    own = node.numeric[f, c]
                    log -= (v - own.mean) ** 2 / (2 * own.variance) + 0.5 * math.log(2 * math.pi * own.variance)
            logs.append(log)
        powers = [math.exp(log - max(logs)) for log in logs]
        return shares, [power / sum(powers) for power in powers]

    def answer(self, x: list[float]) -> tuple[float, bool]:
        node = self.leaf(x, 0.0)
        shares, bayes = self.both(node, x)
        chosen = bayes if node.right[1] >= node.right[0] else shares
        return chosen[1], chosen[1] > chosen[0]

    def learn(self, x: list[float], c: int, w: float) -> None:
        node = self.leaf(x, w)
        shares, bayes = self.both(node, x)
        known = sum(node.weights) > 0
        node.right[0] += w * (not known or int(shares[1] > shares[0]) == c)
        node.right[1] += w * (known and int(bayes[1] > bayes[0]) == c)
        node.weights[c] += w
        for f, v in enumerate(x):
            if math.isnan(v):
                continue
            if self.kinds[f]:
                node.nominal.setdefault((f, c), [0.0] * self.kinds[f])[int(v)] += w
            else:
                node.numeric.setdefault((f, c), Moments()).add(v, w)
        node.since += w
        if node.since >= self.p.grace_period:
            node.since = 0.0
            self.attempt(node)

    def sides(self, node: Node, f: int, point: float) -> list[list[float]]:
        left, whole = [], []
        for c in range(2):
            if self.kinds[f]:
                counts = node.nominal.get((f, c), [0.0] * self.kinds[f])
                left.append(counts[int(point)])
                whole.append(sum(counts))
            else:
                own = node.numeric.get((f, c), Moments())
                left.append(own.below(point))
                whole.append(own.n)
        return [left, [a - b for a, b in zip(whole, left, strict=True)]]

    def attempt(self, node: Node) -> None:
        total = sum(node.weights)
        if min(node.weights) <= 0 or max(node.weights) / total > 0.99:
            return
        before, ranked = entropy(node.weights), []
        for f, kind in enumerate(self.kinds):
            own = [node.numeric[f, c] for c in range(2) if (f, c) in node.numeric]
            points = list(range(kind))
            if not kind and own:
                low, high = min(m.low for m in own), max(m.high for m in own)
                points = [low + (high - low) / 11 * (i + 1) for i in range(10)]
                points = [point for point in points if low < point < high]
            best, at = 0.0, 0.0
            for point in points:
                left, right = self.sides(node, f, point)
                n = sum(left) + sum(right)
                if n <= 0 or min(sum(left), sum(right)) / n <= 0.01:
                    continue
                gain = before - (sum(left) * entropy(left) + sum(right) * entropy(right)) / n
                if gain > best:
                    best, at = gain, point
            ranked.append((best, f, at))
        ranked.sort(key=lambda each: (-each[0], each[1]))
        best, f, at = ranked[0]
        second = ranked[1][0] if len(ranked) > 1 else 0.0
        bound = math.sqrt(math.log(1 / self.p.delta) / (2 * total))
        if best > 0 and (best - second > bound or bound < self.p.tau):
            node.test = (f, float(at))
            node.children = [Node(side) for side in self.sides(node, f, at)]


# ---------------------------------------------------------------------- members


class Trees:
    """A tree for each label, by itself or in a chain."""

    def __init__(self, p: Any, kinds: list[int], n_labels: int, rng: Any) -> None:
        self.is_chain, self.n_labels, self.n_learned = p.base == "chain", n_labels, 0
        self.order = rng.permutation(n_labels).tolist() if self.is_chain else list(range(n_labels))
        own = kinds + [2] * n_labels if self.is_chain else kinds
        self.trees = [Tree(own, p) for _ in range(n_labels)]

    def answer(self, x: np.ndarray) -> tuple[list[float], list[int]]:
        row, votes, labels = [*x.tolist()], [0.0] * self.n_labels, [0] * self.n_labels
        row += [math.nan] * self.n_labels * self.is_chain
        for label in self.order:
            votes[label], labels[label] = self.trees[label].answer(row)
            if self.is_chain:
                votes[label] = row[len(x) + label] = float(labels[label])
        return votes, labels

    def learn(self, x: np.ndarray, y: np.ndarray, w: float) -> None:
        row = [*x.tolist()] + [math.nan] * self.n_labels * self.is_chain
        for label in self.order if w else ():
            self.trees[label].learn(row, int(y[label]), w)
            if self.is_chain:
                row[len(x) + label] = float(y[label])
        self.n_learned += w > 0


class Regressions:
    """A chain of logistic regressions."""

    def __init__(self, p: Any, kinds: list[int], n_labels: int, rng: Any) -> None:
        self.step, self.kinds, self.n_labels, self.n_learned = p.step, kinds, n_labels, 0
        self.order = rng.permutation(n_labels).tolist()
        width = sum(kind - 1 if kind else 1 for kind in kinds) + n_labels
        self.weights, self.constants = np.zeros((n_labels, width)), np.zeros(n_labels)

    def row(self, x: np.ndarray) -> np.ndarray:
        row: list[float] = []
        for v, kind in zip(x.tolist(), self.kinds, strict=True):
            row += [float(v == c) for c in range(1, kind)] if kind else [0.0 if math.isnan(v) else v]
        return np.array(row + [0.0] * self.n_labels)

    def one(self, label: int, z: np.ndarray) -> float:
        total = float(self.constants[label])
        for weight, value in zip(self.weights[label].tolist(), z.tolist(), strict=True):
            total += weight * value
        return 1 / (1 + math.exp(-total)) if total >= 0 else math.exp(total) / (1 + math.exp(total))

    def answer(self, x: np.ndarray) -> tuple[list[float], list[int]]:
        z, votes, labels = self.row(x), [0.0] * self.n_labels, [0] * self.n_labels
        for label in self.order:
            votes[label] = self.one(label, z)
            labels[label] = int(votes[label] > 0.5)
            z[len(z) - self.n_labels + label] = labels[label]
        return votes, labels

    def learn(self, x: np.ndarray, y: np.ndarray, w: float) -> None:
        z = self.row(x)
        for label in self.order if w else ():
            move = self.step * w * (self.one(label, z) - y[label])
            self.weights[label] -= move * z
            self.constants[label] -= move
            z[len(z) - self.n_labels + label] = y[label]
        self.n_learned += w > 0


class Sets:
    """Pruned sets with naive Bayes."""

    def __init__(self, p: Any, kinds: list[int], n_labels: int, rng: Any) -> None:
        self.sets, self.n_learned = PrunedSetsByHand(PrunedSets(base="bayes"), n_labels, kinds), 0

    def answer(self, x: np.ndarray) -> tuple[list[float], list[int]]:
        return self.sets.answer(self.row(x))

    @staticmethod
    def row(x: np.ndarray) -> list:
        return [None if math.isnan(v) else v for v in x.tolist()]

    def learn(self, x: np.ndarray, y: np.ndarray, w: float) -> None:
        if w:
            self.sets.learn(self.row(x), y.tolist(), w)
        self.n_learned += w > 0


MEMBERS = {"logistic": Regressions, "pruned_sets": Sets}


def member(p: Any, kinds: list[int], n_labels: int, seat: int, born: int) -> Any:
    rng = np.random.default_rng((p.seed, seat, born))
    return MEMBERS.get(p.base, Trees)(p, kinds, n_labels, rng)


# ---------------------------------------------------------------------- GOOWE-ML


def shares(votes: list[float]) -> list[float]:
    rest = [vote - min(votes) for vote in votes]
    return [each / sum(rest) for each in rest] if sum(rest) > 0 else [1 / len(votes)] * len(votes)


class GooweByHand:
    """Row by row; ``model`` gives the parameters."""

    def __init__(self, model: Any, kinds: list[int], n_labels: int) -> None:
        self.p, self.kinds, self.n_labels = model, kinds, n_labels
        self.seats: dict[int, Any] = {}
        self.weights: dict[int, float] = {}
        self.rows: list[tuple[np.ndarray, np.ndarray]] = []
        self.seen = self.chunks = 0
        self.replaced: list[tuple[int, int]] = []
        self.begin()

    def begin(self) -> None:
        self.A, self.d = np.zeros((len(self.seats),) * 2), np.zeros(len(self.seats))

    def votes(self, x: np.ndarray) -> list[list[float]]:
        return [self.seats[seat].answer(x)[0] for seat in sorted(self.seats)]

    def answer(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        L = self.n_labels
        if not self.seats:
            return np.zeros(L), np.zeros(L, np.uint8)
        total = [0.0] * L
        for seat in sorted(self.seats):
            for j, share in enumerate(shares(self.seats[seat].answer(x)[0])):
                total[j] += self.weights[seat] * share
        c = np.array(shares(total))
        return c * L / (1 + c * L), (c > 1 / L).astype(np.uint8)

    def learn(self, x: np.ndarray, y: np.ndarray) -> None:
        if len(self.seats) > 1:
            points = [shares(votes) for votes in self.votes(x)]
            for i, one in enumerate(points):
                self.d[i] += sum(a * b for a, b in zip(one, y.tolist(), strict=True))
                for k, other in enumerate(points):
                    self.A[i, k] += sum(a * b for a, b in zip(one, other, strict=True))
        self.rows.append((x, y))
        self.seen += 1
        is_full = len(self.rows) == self.p.chunk
        if self.chunks == 0 and (is_full or len(self.rows) & (len(self.rows) - 1) == 0):
            if not self.seats:
                self.seats[0], self.weights[0] = member(self.p, self.kinds, self.n_labels, 0, self.seen), 1.0
            for each in self.rows[self.seats[0].n_learned :]:
                self.seats[0].learn(*each, 1.0)
            for each in self.rows if is_full else ():
                self.seats[0].learn(*each, 1.0)
        elif is_full:
            self.close()
        if is_full:
            self.rows, self.chunks = [], self.chunks + 1
            self.begin()

    def close(self) -> None:
        order = sorted(self.seats)
        w = np.ones(len(order))
        if len(order) > 1 and np.linalg.cond(self.A) < 1e12:
            w = np.linalg.solve(self.A, self.d)
            w = (w - w.min()) / (w.max() - w.min()) if w.max() > w.min() else np.ones(len(order))
        self.weights = dict(zip(order, w.tolist(), strict=True))
        seat = len(order)
        if len(order) == self.p.n_models:
            seat = min(order, key=lambda each: (self.weights[each], each))
            self.replaced.append((self.seen, seat))
        self.seats[seat], self.weights[seat] = member(self.p, self.kinds, self.n_labels, seat, self.seen), 1.0
        for each in (*self.seats.values(), self.seats[seat]):
            for row in self.rows:
                each.learn(*row, 1.0)


# ---------------------------------------------------------------------- online bagging


def mix(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & ALL
    z = (z ^ z >> 27) * 0x94D049BB133111EB & ALL
    return z ^ z >> 31


def draw(seed: int, seat: int, row: int, rate: float) -> int:
    z = mix(seed + (seat + 1) * GOLDEN & ALL)
    u = (mix(z + (row + 1) * GOLDEN & ALL) >> 11) / 2**53
    k, share = 0, math.exp(-rate)
    below = share
    while u >= below:
        k += 1
        share *= rate / k
        below += share
    return k


class BaggingByHand:
    """Row by row; ``model`` gives the parameters."""

    def __init__(self, model: Any, kinds: list[int], n_labels: int) -> None:
        self.p, self.kinds, self.n_labels, self.seen = model, kinds, n_labels, 0
        self.members = [member(model, kinds, n_labels, seat, 0) for seat in range(model.n_models)]
        self.detectors = [ADWIN() for _ in self.members]
        self.replaced: list[tuple[int, int]] = []

    def answer(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        total, n = np.zeros(self.n_labels), 0
        for each in self.members:
            if each.n_learned:
                total, n = total + each.answer(x)[0], n + 1
        return total / max(n, 1), (total / max(n, 1) > 0.5).astype(np.uint8)

    def learn(self, x: np.ndarray, y: np.ndarray) -> None:
        for seat in range(len(self.members)):
            w = float(draw(self.p.seed, seat, self.seen, self.p.poisson_rate))
            if self.p.detector is not None:
                wrong = self.members[seat].answer(x)[1] != y.tolist()
                if any(change.rising for change in self.detectors[seat].update_many([[float(wrong)]])):
                    self.members[seat] = member(self.p, self.kinds, self.n_labels, seat, self.seen)
                    self.detectors[seat] = ADWIN()
                    self.replaced.append((self.seen + 1, seat))
            self.members[seat].learn(x, y, w)
        self.seen += 1
