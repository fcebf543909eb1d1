"""MLHTPS in plain Python: MLHT's transcription, with a transcription of pruned sets for each leaf."""

from __future__ import annotations

from types import SimpleNamespace

from streamlab.rivals import MLHTPS
from streamlab.schema import Schema
from tests.rivals.by_hand.mlht import ByHand as PlainTree
from tests.rivals.by_hand.mlht import Node
from tests.rivals.by_hand.pruned_sets import ByHand as PrunedSetsByHand

__all__ = ["ByHand"]


class ByHand(PlainTree):
    """The whole learner; parameters are those of an ``MLHTPS`` object."""

    def __init__(self, model: MLHTPS, schema: Schema) -> None:
        # the depth is bounded for the tree, not for the classifiers in its leaves
        names = ("buffer", "support", "reintroduce", "base", "grace_period", "delta", "tau", "n_split_points",
                 "min_branch_fraction", "max_share_to_split")  # fmt: skip
        self.own = SimpleNamespace(max_depth=None, **{name: getattr(model, name) for name in names})
        self.categories = [len(feature.categories or ()) for feature in schema.features]
        self.parts: dict[int, PrunedSetsByHand] = {}
        super().__init__(model, schema)

    def leaf(self, *given) -> Node:
        node = super().leaf(*given)
        self.parts[node.id] = PrunedSetsByHand(self.own, self.n_labels, self.categories)
        return node

    def test_then_train(self, x: list, y: list[int]) -> tuple[list[float], list[int]]:
        part = self.parts[self.path(x)[-1].id]
        chosen = part.answer(x) if part.tree is not None else None
        part.learn(x, y)
        most_frequent = super().test_then_train(x, y)
        return most_frequent if chosen is None else chosen
