"""The hedged tree in plain Python: what its description changes in ``ByHand``, and nothing else."""

from __future__ import annotations

import math
from collections import defaultdict

from streamlab.schema import Schema
from tests.learners.mlhat.by_hand import ByHand, Instance, Node

__all__ = ["HedgedByHand", "f1_loss"]


def f1_loss(scores: list[float], y: list[int]) -> float:
    """1 - F1 of the labels above one half; 0/0 is not a loss."""
    z = [int(p > 0.5) for p in scores]
    either = sum(z) + sum(y)
    return 1 - 2 * sum(a and b for a, b in zip(z, y, strict=True)) / either if either else 0.0


class HedgedByHand(ByHand):
    """``HedgedMLHAT``; parameters are those of such an object."""

    def __init__(self, model, schema: Schema) -> None:
        # by node id: E of its two experts, number of rows that came
        self.experts: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self.n_rows: dict[int, int] = defaultdict(int)
        self.kept: set[int] = set()
        super().__init__(model, schema)

    # ------------------------------------------------------------------ mixing

    def share(self, node: Node) -> float:
        a, b = self.experts[node.id]
        return 1 / (1 + math.exp(max(-30.0, min(30.0, self.p.eta * (a - b)))))

    def mixed(self, node: Node, first: list[float], second: list[float]) -> list[float]:
        share = self.share(node)
        return [share * a + (1 - share) * b for a, b in zip(first, second, strict=True)]

    def height(self, node: Node, x: list) -> int:
        return len(self.path(node, x)) - 1

    def asked(self, node: Node, x: list) -> bool:
        levels = math.inf if self.p.kept_levels is None else self.p.kept_levels
        return node.id in self.kept and (node.depth == 0 or self.height(node, x) <= levels)

    def answer(self, leaf: Node, x: list) -> list[float]:
        if self.regime(leaf) in ("none", "majority"):
            return super().answer(leaf, x)
        return self.mixed(leaf, self.neighbours(leaf, x), self.bagged(leaf, x))

    def vote(self, leaf: Node) -> float:
        return 1 / (leaf.error**2 + 1e-6)

    def up(self, node: Node, x: list) -> tuple[list[float], float]:
        """What a subtree answers, without the alternate of its own top, and the weight of its vote."""
        if node.is_leaf:
            return self.answer(node, x), self.vote(node)
        below, weight = self.contested(self.side(node, x), x)
        return (self.mixed(node, self.bagged(node, x), below) if self.asked(node, x) else below), weight

    def contested(self, node: Node, x: list) -> tuple[list[float], float]:
        """What a subtree and its alternate answer together."""
        answer, weight = self.up(node, x)
        if node.alternate is not None and self.p.combine_alternates:
            leaf = self.path(node.alternate, x)[-1]
            if leaf.weight > self.p.alternate_grace_period:
                other, vote = self.up(node.alternate, x)[0], self.vote(leaf)
                answer = [(weight * a + vote * b) / (weight + vote) for a, b in zip(answer, other, strict=True)]
                weight += vote
        return answer, weight

    def subtree(self, node: Node, x: list, *, own_alternate: bool) -> list[float]:
        return (self.contested if own_alternate else self.up)(node, x)[0]

    # ------------------------------------------------------------------ learning

    def visited(self, x: list) -> list[Node]:
        nodes = self.path(self.root, x)
        return nodes + [n for branch in nodes if branch.alternate for n in self.path(branch.alternate, x)]

    def opinions(self, node: Node, x: list) -> tuple[list[float], list[float]] | None:
        """What the two experts of a node answer; None for a branch that is not asked."""
        if node.is_leaf:
            return self.neighbours(node, x), self.bagged(node, x)
        return (self.bagged(node, x), self.contested(self.side(node, x), x)[0]) if self.asked(node, x) else None

    def test_then_train(self, x: list, y: list[int]) -> list[float]:
        self.judged: set[int] = set()
        return super().test_then_train(x, y)

    def learn(self, node: Node, instance: Instance, losses: dict) -> None:
        if not self.judged:
            # the instance begins: all answers come before anything is learned from it
            x, y = instance.x, instance.y
            nodes = self.visited(x)
            losses |= {id(n): self.loss(self.subtree(n, x, own_alternate=False), y) for n in nodes}
            for each, both in [(n, self.opinions(n, x)) for n in nodes]:
                if both is not None:
                    self.judge(each, *both, y)
                    if not each.is_leaf:
                        self.descend(each, instance)
        super().learn(node, instance, losses)
        self.drop_far(self.root)

    def judge(self, node: Node, first: list[float], second: list[float], y: list[int]) -> None:
        self.judged.add(node.id)
        rate = max(1 / self.p.loss_memory, 1 / (self.n_rows[node.id] + 1))
        losses = self.experts[node.id]
        for i, scores in enumerate((first, second)):
            losses[i] += rate * (f1_loss(scores, y) - losses[i])

    def note(self, node: Node, instance: Instance, loss: float) -> None:
        super().note(node, instance, loss)
        self.n_rows[node.id] += 1

    def learn_leaf(self, leaf: Node, instance: Instance, loss: float) -> None:
        if leaf.id not in self.judged:
            # an alternate that started with this instance
            self.judge(leaf, self.neighbours(leaf, instance.x), self.bagged(leaf, instance.x), instance.y)
        super().learn_leaf(leaf, instance, loss)

    def tie(self, n_sets: int) -> float:
        return self.p.tau * max(1.0, math.log2(n_sets))

    def split(self, leaf: Node, f: int, candidate) -> None:
        models = leaf.models
        super().split(leaf, f, candidate)
        for child in (leaf.left, leaf.right):
            self.experts[child.id] = list(self.experts[leaf.id])
        self.experts[leaf.id] = [0.0, 0.0]
        leaf.models = models
        self.kept.add(leaf.id)

    # ------------------------------------------------------------------ branches that are too far from any leaf

    def nearest_leaf(self, node: Node) -> int:
        return 0 if node.is_leaf else 1 + min(self.nearest_leaf(node.left), self.nearest_leaf(node.right))

    def drop_far(self, node: Node) -> None:
        if node.is_leaf or self.p.kept_levels is None:
            return
        if node.depth and self.nearest_leaf(node) > self.p.kept_levels:
            self.kept.discard(node.id)
        for child in (node.left, node.right, node.alternate):
            if child is not None:
                self.drop_far(child)
