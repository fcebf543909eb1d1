"""The learner HedgedMLHAT: MLHAT whose branches keep what they knew, and whose nodes mix two answers."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.parameters import like, parameter, tunable
from streamlab.learners.base.registry import EventKind
from streamlab.learners.mlhat import growth
from streamlab.learners.mlhat._answer import trust
from streamlab.learners.mlhat.events import HEDGED_EVENTS, hedged_event_of
from streamlab.learners.mlhat.introspection import TreeReader
from streamlab.learners.mlhat.mlhat import MLHAT
from streamlab.learners.mlhat.storage import Parts

__all__ = ["HedgedMLHAT"]


class HedgedReader(TreeReader):
    """Reads a tree in whose nodes two experts answer."""

    def experts(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Return the experts of nodes: their faded losses, and the share of the first; NaN where there are none."""
        is_leaf = self.tree.links["leaf"][rows] >= 0
        keeps = self.tree.kept_slots[rows, 0] >= 0
        losses = self.tree.expert_losses[rows]
        first, second = losses["first"], losses["second"]
        share = np.array([trust(a, b, self.settings.eta) for a, b in zip(first, second, strict=True)])
        names = ("share_own", "loss_own", "loss_below"), ("share_neighbours", "loss_neighbours", "loss_regressions")
        own, of_leaf = (
            {name: np.where(has, each, math.nan) for name, each in zip(three, (share, first, second), strict=True)}
            for has, three in zip((keeps, is_leaf), names, strict=True)
        )
        return {"keeps_regressions": keeps, **own, **of_leaf}

    def bytes_of(self, rows: np.ndarray) -> np.ndarray:
        """Return the bytes that nodes take."""
        return super().bytes_of(rows) + (self.tree.kept_slots[rows, 0] >= 0) * self.settings.kept_bytes

    def details(self, node_id: int) -> dict[str, Any] | None:
        """Return what ``HedgedMLHAT.describe_node`` says."""
        story = super().details(node_id)
        if story is None:
            return None
        rows = self.rows()
        found = self.experts(rows[self.tree.links["id"][rows] == node_id])
        del found["keeps_regressions"]
        # a branch that keeps no regressions has no experts
        hedge = {name: float(value[0]) for name, value in found.items() if not math.isnan(value[0])}
        return {"hedge": hedge or None} | story


class HedgedMLHAT(MLHAT):
    """Multi-label Hoeffding adaptive tree that never pays for a split: its nodes mix what they knew with what is new.

    It is ``MLHAT`` with three changes. A branch keeps the logistic regressions that it had as a leaf. They go on
    learning every instance that passes, and the branch mixes their answer with the one from below. A leaf mixes the
    answers of its neighbours and of its regressions, instead of changing from the one to the other. And a leaf splits
    once the Hoeffding bound is small relative to its range. Where splits help, the answers from below get nearly all
    of the share; where they do not, the root answers as if it had never split.

    Parameters
    ----------
    eta
        How fast the mixture turns to the better of two answers: with faded losses E and E′, the first has the share
        1 / (1 + exp(``eta`` (E - E′))). 0: both always have one half.
    loss_memory
        Number of instances over which losses fade: a loss is the mean of all instances until then, and after that it
        moves by 1/``loss_memory`` of the way to each new one. 500 has a half-life of some 350 instances. Infinity: the
        mean of all.
    tau
        A leaf also splits when the bound is below ``tau`` times log2 of the number of label sets seen (at least 1) and
        there is any gain.
    kept_levels
        For each instance, the branches that mix in their own answer and learn: the root, and this many above the leaf.
        A branch without a leaf that near gives up its regressions for good. None: all branches.
    max_bytes
        As in ``MLHAT``; the kept regressions count in the memory.

    Notes
    -----
    The loss of an answer is 1 - F1 of its labels, none predicted and none true counting as no loss. Losses start at 0
    in a new leaf, and in a branch at its split; the leaves of a split start with those of their parent. The mixture is
    the branch's answer also for its detectors and in the comparison with its alternate. A leaf that has seen one label
    set, or none, answers as in ``MLHAT``.

    The time that an instance takes grows with the depth of its leaf: each branch on the way has its regressions.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.random.default_rng(0).random((3000, 3))
    >>> Y = (X[:, :2] > 0.5).astype("uint8")
    >>> model = HedgedMLHAT(seed=1)
    >>> scores, labels = model.test_then_train(X, Y)
    >>> float((labels[1000:] == Y[1000:]).mean()) > 0.85
    True
    """

    line: ClassVar[str] = "MLHAT that splits early and mixes old with new: see its tree. Fast."
    events: ClassVar[dict[str, EventKind]] = HEDGED_EVENTS
    plain_words: ClassVar[tuple[str, str]] = ("tree", "a tree: old and new mixed")
    _event_of = staticmethod(hedged_event_of)
    _reader_type: ClassVar[type[TreeReader]] = HedgedReader
    eta: float = tunable(
        0.0, 500.0, default=50.0, limit=1e6, title="Trust in the better",
        help="Higher: of two answers, nearly all weight goes to the one that lost less lately.",
    )  # fmt: skip
    loss_memory: float = tunable(
        1, 10_000, default=500, logarithmic=True, infinite=True, limit=1e12, unit="instances", title="Losses fade over",
        help="Lower: the mixture follows recent losses faster.",
        says="judges branches by {value} rows", says_never="judges branches by all",
    )  # fmt: skip
    kept_levels: int | None = tunable(
        0, 30, default=None, unit="levels", title="Branches that answer", none="all",
        help="The root, and this many branches above the leaf, mix in their own answer.",
    )  # fmt: skip
    grace_period: int = like(default=200, says="")
    tau: float = like(
        default=0.1, unit="of log₂ label sets", help="A leaf also splits once its bound is below this share."
    )
    # they choose between neighbours and regressions, which are mixed here
    cardinality_threshold: float = parameter(default=750, init=False)
    entropy_threshold: float = parameter(default=0.3, init=False)

    def _try_further(self, X: np.ndarray) -> None:
        super()._try_further(X)
        self.tune(kept_levels=0)

    @property
    def _parts(self) -> Parts:
        return replace(super()._parts, hedged=True)

    def _further_settings(self) -> dict[str, float]:
        return super()._further_settings() | {"hedged": 1.0, "fading": 1.0 / self.loss_memory}

    def _tune(self, values: dict[str, Any]) -> None:
        super()._tune(values)
        levels = values.get("kept_levels")
        if self._tree is not None and levels is not None:
            growth.drop_kept(self._tree, float(levels))
