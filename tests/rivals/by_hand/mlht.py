"""MLHT in plain Python: a leaf keeps every row that it has learned, and works all out again at each attempt to split.

Gains and the walk down are those of MLHAT's transcription. Rows are lists, None is missing, a nominal value is its
category's index.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from streamlab.rivals import MLHT
from streamlab.schema import Schema
from tests.learners.mlhat.by_hand import Gains, Instance

__all__ = ["ByHand"]


@dataclass
class Node:
    id: int
    depth: int
    born: list[float]
    # the label set that the parent answered with
    inherited: tuple[int, ...]
    rows: list[Instance] = field(default_factory=list)
    n: int = 0
    counts: list[int] = field(default_factory=list)
    since: int = 0
    feature: int = -1
    point: float = math.nan
    children: tuple[Node, Node] | None = None


class ByHand:
    """The whole learner; parameters are those of an ``MLHT`` object."""

    def __init__(self, model: MLHT, schema: Schema) -> None:
        self.p = model
        self.nominal = [f.is_nominal for f in schema.features]
        self.n_labels = schema.n_labels
        self.seen: list[tuple[int, ...]] = []
        self.splits: list[tuple] = []
        self.n_nodes = self.now = 0
        self.root = self.leaf(0, [0.0] * self.n_labels, (0,) * self.n_labels)

    def leaf(self, depth: int, born: list[float], inherited: tuple[int, ...]) -> Node:
        self.n_nodes += 1
        return Node(self.n_nodes - 1, depth, born, inherited, counts=[0] * self.n_labels)

    def path(self, x: list) -> list[Node]:
        path = [self.root]
        while path[-1].children is not None:
            node, (left, right) = path[-1], path[-1].children
            v = x[node.feature]
            if v is None:
                path.append(right if right.n > left.n else left)
            else:
                path.append(left if (v == node.point if self.nominal[node.feature] else v <= node.point) else right)
        return path

    def answer(self, leaf: Node) -> tuple[list[float], list[int]]:
        """Scores, and the most frequent label set: of equals the one that came to the tree first."""
        if not leaf.rows:
            return leaf.born, list(leaf.inherited)
        sets = [tuple(r.y) for r in leaf.rows]
        return [c / leaf.n for c in leaf.counts], list(max(self.seen, key=sets.count))

    def test_then_train(self, x: list, y: list[int]) -> tuple[list[float], list[int]]:
        path = self.path(x)
        answer = self.answer(path[-1])
        if tuple(y) not in self.seen:
            self.seen.append(tuple(y))
        for node in path:
            node.n += 1
            node.counts = [c + v for c, v in zip(node.counts, y, strict=True)]
        self.now += 1
        self.learn(path[-1], Instance(x, y, 1.0))
        return answer

    def learn(self, leaf: Node, instance: Instance) -> None:
        leaf.rows.append(instance)
        leaf.since += 1
        if self.p.max_depth is not None and leaf.depth >= self.p.max_depth:
            return
        if leaf.since < self.p.grace_period or len({tuple(r.y) for r in leaf.rows}) < 2:
            return
        if max(leaf.counts) / leaf.n > self.p.max_share_to_split:
            return
        leaf.since = 0
        gains = Gains(leaf.rows, self.nominal, self.p.n_split_points, self.p.min_branch_fraction)
        found = [(gains.best(f), f) for f in range(len(self.nominal))]
        ranked = sorted(((b[0], -f, b[1]) for b, f in found if b is not None), key=lambda t: t[:2], reverse=True)
        if not ranked or ranked[0][0] <= 0:
            return
        gain, f, candidate = ranked[0]
        second = max(ranked[1][0], 0.0) if len(ranked) > 1 else 0.0
        reach = max(math.log2(sum(c > 0 for c in leaf.counts)), 1.0)
        epsilon = math.sqrt(reach**2 * math.log(1 / self.p.delta) / (2 * leaf.n))
        if gain - second > epsilon or epsilon < self.p.tau:
            leaf.feature, (leaf.point, shares, _) = -f, candidate
            common = tuple(self.answer(leaf)[1])
            leaf.children = tuple(self.leaf(leaf.depth + 1, [s[k] for s in shares], common) for k in (1, 2))
            self.splits.append((leaf.id, self.now, -f, leaf.point, gain, second, epsilon))
