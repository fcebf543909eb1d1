"""MLHAT in plain Python, written from its description with dictionaries and objects, for small streams.

A leaf keeps every instance that it has learned and works its statistics out again at each attempt. Only the Poisson
draws come from the product, and ADWIN from River. Rows are lists, None is missing, a nominal value is its category's
index; nothing fades, nothing is bounded.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from river.drift import ADWIN

from streamlab.learners import MLHAT
from streamlab.learners.mlhat import _bags
from streamlab.schema import Schema

__all__ = ["ByHand", "Gains", "gaussian", "h"]

EXACT = 16


def h(p: float) -> float:
    """Binary entropy in bits."""
    return 0.0 if p <= 0 or p >= 1 else -p * math.log2(p) - (1 - p) * math.log2(1 - p)


def gaussian(s: float, rows: list[tuple[float, float]], low: float, high: float) -> float:
    """Φ(s) of weighted values ``(value, weight)``: 0 and 1 outside ``low`` to ``high``."""
    if s < low:
        return 0.0
    if s >= high:
        return 1.0
    n = sum(w for _, w in rows)
    mean = sum(v * w for v, w in rows) / n
    variance = sum(w * (v - mean) ** 2 for v, w in rows) / n
    if variance <= 0:
        return float(s >= mean)
    return 0.5 * (1 + math.erf((s - mean) / math.sqrt(2 * variance)))


@dataclass
class Instance:
    x: list
    y: list[int]
    w: float


class Gains:
    """Gains of all splits of the instances that a leaf has learned."""

    def __init__(self, rows: list[Instance], nominal: list[bool], n_points: int, least: float) -> None:
        self.rows, self.nominal, self.n_points, self.least = rows, nominal, n_points, least
        self.weight = sum(r.w for r in rows)
        self.labels = range(len(rows[0].y))

    def known(self, f: int) -> list[Instance]:
        return [r for r in self.rows if r.x[f] is not None]

    def candidates(self, f: int) -> list[tuple[float, list[tuple[float, float, float]], float]]:
        """Splits on ``f``: (point, for each label (share left, P(l | left), P(l | right)), share of the left side)."""
        known = self.known(f)
        if not known:
            return []
        values = sorted({r.x[f] for r in known})
        if self.nominal[f]:
            return [self.counted(f, known, v, [r for r in known if r.x[f] == v]) for v in values]
        if len(values) <= EXACT:
            cuts = [a / 2 + b / 2 for a, b in itertools.pairwise(values)]
            return [self.counted(f, known, s, [r for r in known if r.x[f] <= s]) for s in cuts]
        return [
            self.modelled(f, known, values[0] + (values[-1] - values[0]) * (i + 1) / (self.n_points + 1))
            for i in range(self.n_points)
        ]

    def counted(self, f, known, point, left):
        n, n_left = sum(r.w for r in known), sum(r.w for r in left)
        shares = []
        for label in self.labels:
            both = sum(r.w for r in left if r.y[label])
            rest = sum(r.w for r in known if r.y[label]) - both
            shares.append((n_left / n, both / n_left, rest / (n - n_left) if n > n_left else 0.0))
        return point, shares, n_left / n

    def modelled(self, f, known, point):
        """Equation 14, each label with its own mixture of two Gaussians."""
        low, high = min(r.x[f] for r in known), max(r.x[f] for r in known)
        n = sum(r.w for r in known)
        shares, mixed = [], []
        for label in self.labels:
            inside = [(r.x[f], r.w) for r in known if r.y[label]]
            outside = [(r.x[f], r.w) for r in known if not r.y[label]]
            if not inside or not outside:
                shares.append((0.5, float(bool(inside)), float(bool(inside))))
                continue
            low1, high1 = min(v for v, _ in inside), max(v for v, _ in inside)
            p = sum(w for _, w in inside) / n
            a = gaussian(point, inside, low1, high1) * p
            low0, high0 = low if low1 > low else -math.inf, high if high1 < high else math.inf
            share = a + gaussian(point, outside, low0, high0) * (1 - p)
            shares.append((share, a / share if share > 0 else p, (p - a) / (1 - share) if share < 1 else p))
            mixed.append(share)
        return point, shares, float(np.mean(mixed)) if mixed else 0.0

    def gain(self, f: int, candidate) -> float:
        known = self.known(f)
        n = sum(r.w for r in known)
        _, shares, _ = candidate
        total = 0.0
        for label, (share, left, right) in zip(self.labels, shares, strict=True):
            p = sum(r.w for r in known if r.y[label]) / n
            if 0 < p < 1:
                total += h(p) - share * h(left) - (1 - share) * h(right)
        return total * n / self.weight

    def best(self, f: int) -> tuple[float, Any] | None:
        found = None
        for candidate in self.candidates(f):
            share = candidate[2]
            if min(share, 1 - share) < self.least or not 0 < share < 1:
                continue
            gain = self.gain(f, candidate)
            if found is None or gain > found[0]:
                found = gain, candidate
        return found


@dataclass
class Node:
    id: int
    depth: int
    background: bool
    parent: Node | None
    born: list[float]
    born_error: float = 0.0
    # all that was learned here, as a leaf
    rows: list[Instance] = field(default_factory=list)
    weight: float = 0.0
    counts: list[float] = field(default_factory=list)
    losses: float = 0.0
    judged: float = 0.0
    since: float = 0.0
    window: list[Instance] = field(default_factory=list)
    models: dict = field(default_factory=dict)
    inherited: int = 0
    trained: float = 0.0
    # a branch
    feature: int = -1
    point: float = math.nan
    left: Node | None = None
    right: Node | None = None
    alternate: Node | None = None
    warning: ADWIN | None = None
    drift: ADWIN | None = None

    @property
    def is_leaf(self) -> bool:
        return self.left is None

    @property
    def error(self) -> float:
        return self.losses / self.judged if self.judged > 0 else self.born_error

    def size(self) -> int:
        return 1 if self.is_leaf else 1 + self.left.size() + self.right.size()


class ByHand:
    """The whole learner; parameters are those of a ``MLHAT`` object."""

    def __init__(self, model: MLHAT, schema: Schema) -> None:
        self.p = model
        self.nominal = [f.is_nominal for f in schema.features]
        self.n_categories = [len(f.categories or ()) for f in schema.features]
        self.n_labels = schema.n_labels
        self.now = 0
        self.next_id = 0
        self.events: list[tuple] = []
        self.root = self.leaf(None, 0, False, [0.0] * self.n_labels, 0.0)

    def leaf(self, parent, depth, background, born, error) -> Node:
        node = Node(self.next_id, depth, background, parent, born, error, counts=[0.0] * self.n_labels)
        self.next_id += 1
        return node

    # ------------------------------------------------------------------ answers

    def side(self, node: Node, x: list) -> Node:
        v = x[node.feature]
        if v is None:
            return node.right if node.right.weight > node.left.weight else node.left
        goes_left = v == node.point if self.nominal[node.feature] else v <= node.point
        return node.left if goes_left else node.right

    def path(self, node: Node, x: list) -> list[Node]:
        path = [node]
        while not path[-1].is_leaf:
            path.append(self.side(path[-1], x))
        return path

    def distance(self, a: list, b: list) -> float:
        total = 0.0
        for v, u, nominal in zip(a, b, self.nominal, strict=True):
            if v is not None and u is not None:
                total += float(v != u) if nominal else (v - u) ** 2
        return math.sqrt(total)

    def neighbours(self, leaf: Node, x: list) -> list[float]:
        near = sorted(((self.distance(x, r.x), i) for i, r in enumerate(leaf.window)))[: self.p.n_neighbors]
        if not near:
            return [0.0] * self.n_labels
        if near[0][0] == 0:
            near = [(1.0, near[0][1])]
        total = sum(1 / d for d, _ in near)
        return [sum(leaf.window[i].y[j] / d for d, i in near) / total for j in range(self.n_labels)]

    def inputs(self, x: list) -> dict:
        inputs: dict = {}
        for f, v in enumerate(x):
            if v is None:
                continue
            if not self.nominal[f]:
                inputs[f] = v
            elif self.n_categories[f] > 2 or v == 1:
                inputs[f, int(v)] = 1.0
        return inputs

    @staticmethod
    def logit(weights: dict, inputs: dict) -> float:
        return weights.get("intercept", 0.0) + sum(weights.get(k, 0.0) * v for k, v in inputs.items())

    @staticmethod
    def probability(z: float) -> float:
        return 1 / (1 + math.exp(-z)) if z > -700 else 0.0

    def bagged(self, leaf: Node, x: list) -> list[float]:
        inputs = self.inputs(x)
        return [
            float(
                np.mean(
                    [
                        self.probability(self.logit(leaf.models.get((label, m), {}), inputs))
                        for m in range(self.p.n_models)
                    ]
                )
            )
            for label in range(self.n_labels)
        ]

    def regime(self, leaf: Node) -> str:
        n_sets = len({tuple(r.y) for r in leaf.rows})
        if not leaf.inherited and n_sets < 2:
            return ("none", "majority")[n_sets]
        shares = [c / leaf.weight for c in leaf.counts] if leaf.weight else leaf.born
        if leaf.weight < self.p.cardinality_threshold:
            shares = leaf.born
        entropy = sum(map(h, shares))
        if leaf.trained < self.p.cardinality_threshold or entropy < self.p.entropy_threshold:
            return "knn"
        return "bagging"

    def answer(self, leaf: Node, x: list) -> list[float]:
        regime = self.regime(leaf)
        if regime == "none":
            return leaf.born
        if regime == "majority":
            return [float(v) for v in leaf.rows[0].y]
        return self.neighbours(leaf, x) if regime == "knn" else self.bagged(leaf, x)

    def subtree(self, node: Node, x: list, *, own_alternate: bool) -> list[float]:
        """What the subtree of a node answers; ``own_alternate``: with the one that competes with the node itself."""
        path = self.path(node, x)
        voters = [path[-1]]
        if self.p.combine_alternates:
            for branch in path[:-1]:
                if branch.alternate is not None and (own_alternate or branch is not node):
                    leaf = self.path(branch.alternate, x)[-1]
                    if leaf.weight > self.p.alternate_grace_period:
                        voters.append(leaf)
        if len(voters) == 1:
            return self.answer(voters[0], x)
        weights = [1 / (v.error**2 + 1e-6) for v in voters]
        answers = [self.answer(v, x) for v in voters]
        return [
            sum(w * a[j] for w, a in zip(weights, answers, strict=True)) / sum(weights) for j in range(self.n_labels)
        ]

    def predict(self, x: list) -> list[float]:
        return self.subtree(self.root, x, own_alternate=True)

    def loss(self, scores: list[float], y: list[int]) -> float:
        z = [int(p > 0.5) for p in scores]
        both = sum(a and b for a, b in zip(z, y, strict=True))
        measure = self.p.drift_measure
        if z == y:
            return 0.0
        if measure == "hamming":
            return sum(a != b for a, b in zip(z, y, strict=True)) / len(y)
        if measure == "subset":
            return 1.0
        if measure == "micro_f1":
            return 1 - 2 * both / (sum(z) + sum(y))
        return 1 - both / sum(a or b for a, b in zip(z, y, strict=True))

    # ------------------------------------------------------------------ learning

    def test_then_train(self, x: list, y: list[int]) -> list[float]:
        w = 1.0
        if self.p.bootstrap:
            w = float(_bags.instance_weight(self.p._key, self.now, self.p.poisson_rate))
            if w == 0 and self.p.bootstrap != "strict":
                w = 1.0
        scores = self.predict(x)
        if w > 0:
            # what each subtree answers, and each alternate's, before anything is learned
            path = self.path(self.root, x)
            losses = {id(n): self.loss(self.subtree(n, x, own_alternate=False), y) for n in path}
            for node in path:
                if node.alternate is not None:
                    leaf = self.path(node.alternate, x)[-1]
                    own = self.loss(self.answer(leaf, x), y)
                    losses |= {id(n): own for n in self.path(node.alternate, x)}
            self.learn(self.root, Instance(x, y, w), losses)
        self.now += 1
        return scores

    def note(self, node: Node, instance: Instance, loss: float) -> None:
        node.weight += instance.w
        node.counts = [c + instance.w * v for c, v in zip(node.counts, instance.y, strict=True)]
        node.losses += instance.w * loss
        node.judged += instance.w

    @staticmethod
    def detect(adwin: ADWIN, loss: float) -> int:
        """1 if the error rose, -1 if it fell, 0 if ADWIN found nothing."""
        width, total = (0, 0.0) if adwin.drift_detected else (adwin.width, adwin.total)
        adwin.update(loss)
        if not adwin.drift_detected:
            return 0
        dropped = (total + loss - adwin.total) / (width + 1 - adwin.width)
        return 1 if adwin.total / adwin.width > dropped else -1

    def learn(self, node: Node, instance: Instance, losses: dict) -> None:
        while not node.is_leaf:
            loss = losses[id(node)]
            self.note(node, instance, loss)
            warned, drifted = self.detect(node.warning, loss), self.detect(node.drift, loss)
            if not node.background:
                self.events += [("warning", node.id, self.now + 1)] * (warned != 0)
                self.events += [("drift", node.id, self.now + 1)] * (drifted != 0)
                rises = drifted > 0 or (warned > 0 and self.p.alternate_on == "warning")
                if node.alternate is None and rises:
                    born = [c / node.weight for c in node.counts]
                    node.alternate = self.leaf(node.parent, node.depth, True, born, node.error)
                    self.events.append(("alternate_started", node.id, self.now + 1))
                    losses[id(node.alternate)] = self.loss(born, instance.y)
                elif node.alternate is not None and self.duel(node):
                    node = self.replace(node)
                    continue
            if drifted:
                node.born_error = node.error
                node.losses = node.judged = 0.0
            if node.alternate is not None:
                self.learn(node.alternate, instance, losses)
            node = self.side(node, instance.x)
        self.learn_leaf(node, instance, losses[id(node)])

    def duel(self, node: Node) -> bool:
        """Whether the alternate takes over; if it is worse it is pruned here."""
        other = node.alternate
        if min(other.judged, node.judged) <= self.p.alternate_grace_period:
            return False
        e, e2, w, w2 = node.error, other.error, node.judged, other.judged
        bound = math.sqrt(2 * e * (1 - e2) * (w + w2) * math.log(2 / self.p.switch_significance) / (w * w2))
        if e - e2 > bound:
            self.events.append(("alternate_promoted", node.id, self.now + 1))
            return True
        if e2 - e > bound:
            self.events.append(("alternate_pruned", node.id, self.now + 1))
            node.alternate = None
            node.born_error = e
            node.losses = node.judged = 0.0
        return False

    def replace(self, node: Node) -> Node:
        new = node.alternate
        if node.parent is None:
            self.root = new
        elif node.parent.left is node:
            node.parent.left = new
        else:
            node.parent.right = new
        stack = [new]
        while stack:
            at = stack.pop()
            at.background = False
            if not at.is_leaf:
                stack += [at.left, at.right]
        new.born_error = new.error
        new.losses = new.judged = 0.0
        return new

    def learn_leaf(self, leaf: Node, instance: Instance, loss: float) -> None:
        self.note(leaf, instance, loss)
        leaf.rows.append(instance)
        leaf.window = [*leaf.window, instance][-self.p.window :]
        self.descend(leaf, instance)
        leaf.trained += instance.w
        leaf.since += instance.w
        if self.p.max_depth is not None and leaf.depth >= self.p.max_depth:
            return
        n_sets = len({tuple(r.y) for r in leaf.rows})
        share = max(leaf.counts) / leaf.weight
        if leaf.since < self.p.grace_period or n_sets < 2 or share > self.p.max_share_to_split:
            return
        leaf.since = 0.0
        gains = Gains(leaf.rows, self.nominal, self.p.n_split_points, self.p.min_branch_fraction)
        found = [(gains.best(f), f) for f in range(len(self.nominal))]
        ranked = sorted(((b[0], -f, b[1]) for b, f in found if b is not None), key=lambda t: t[:2], reverse=True)
        if not ranked or ranked[0][0] <= 0:
            return
        second = max(ranked[1][0], 0.0) if len(ranked) > 1 else 0.0
        reach = max(math.log2(n_sets), 1.0)
        epsilon = math.sqrt(reach**2 * math.log(1 / self.p.delta) / (2 * leaf.weight))
        if ranked[0][0] - second > epsilon or epsilon < self.tie(n_sets):
            self.split(leaf, -ranked[0][1], ranked[0][2])
            self.events.append(
                ("split", leaf.id, self.now + 1, -ranked[0][1], leaf.point, ranked[0][0], second, epsilon)
            )

    def descend(self, leaf: Node, instance: Instance) -> None:
        inputs = self.inputs(instance.x)
        times = np.zeros(self.p.n_models, np.int64)
        _bags.bag_weights(self.p._key, self.now, leaf.id, times)
        for label in range(self.n_labels):
            for m in range(self.p.n_models):
                weights = leaf.models.setdefault((label, m), {})
                for _ in range(times[m]):
                    gradient = self.probability(self.logit(weights, inputs)) - instance.y[label]
                    for k, v in inputs.items():
                        weights[k] = weights.get(k, 0.0) - self.p.learning_rate * gradient * v
                    weights["intercept"] = weights.get("intercept", 0.0) - self.p.intercept_learning_rate * gradient

    def tie(self, n_sets: int) -> float:
        """Below which ε a leaf splits whatever the gap."""
        return self.p.tau

    def split(self, leaf: Node, f: int, candidate) -> None:
        point, shares, _ = candidate
        leaf.feature, leaf.point = f, point
        leaf.left = self.leaf(leaf, leaf.depth + 1, leaf.background, [s[1] for s in shares], leaf.error)
        leaf.right = self.leaf(leaf, leaf.depth + 1, leaf.background, [s[2] for s in shares], leaf.error)
        leaf.warning, leaf.drift = ADWIN(delta=self.p.warning_delta), ADWIN(delta=self.p.drift_delta)
        if self.p.leaf_start == "inherit":
            rows = leaf.window
            known = [r for r in rows if r.x[f] is not None]
            sides = {True: leaf.left, False: leaf.right}

            def passes(r):
                return r.x[f] == point if self.nominal[f] else r.x[f] <= point

            heavier = 2 * sum(passes(r) for r in known) >= len(known)
            for r in rows:
                side = sides[heavier if r.x[f] is None else passes(r)]
                side.window.append(r)
                side.inherited += 1
            for side in sides.values():
                side.models = {k: dict(w) for k, w in leaf.models.items()}
                side.trained = leaf.trained
        leaf.models, leaf.window = {}, []

    def structure(self) -> list[tuple]:
        """(id, depth, background, is leaf, feature, weight) of all nodes, by id."""
        found, stack = [], [self.root]
        while stack:
            node = stack.pop()
            found.append((node.id, node.depth, node.background, node.is_leaf, node.feature, node.weight))
            stack += [n for n in (node.left, node.right, node.alternate) if n is not None]
        return sorted(found)

    def kinds(self) -> Counter:
        return Counter(e[0] for e in self.events)
