"""The learner HedgedMLHAT: MLHAT whose branches keep what they knew, and whose nodes mix two answers."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.decision import Decision
from streamlab.learners.base.events import EventKind
from streamlab.learners.base.parameters import Tunable
from streamlab.learners.mlhat import growth
from streamlab.learners.mlhat._answer import trust
from streamlab.learners.mlhat.events import HEDGED_EVENTS, hedged_event_of
from streamlab.learners.mlhat.introspection import TreeReader
from streamlab.learners.mlhat.mlhat import MLHAT
from streamlab.learners.mlhat.storage import Parts

__all__ = ["HedgedMLHAT"]

# parameters of MLHAT that choose between neighbours and regressions, which are mixed here
CHOOSES = ("cardinality_threshold", "entropy_threshold")


class HedgedReader(TreeReader):
    """Reads a tree in whose nodes two experts answer."""

    def experts(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """Return the experts of nodes: their faded losses, and the share of the first; NaN where there are none."""
        is_leaf = self.tree.links["leaf"][rows] >= 0
        keeps = self.tree.kept_slots[rows, 0] >= 0
        losses = self.tree.expert_losses[rows]
        first, second = losses["first"], losses["second"]
        share = np.array([trust(a, b, self.settings.eta) for a, b in zip(first, second, strict=True)])
        return {
            "keeps_regressions": keeps,
            "share_own": np.where(keeps, share, math.nan),
            "loss_own": np.where(keeps, first, math.nan),
            "loss_below": np.where(keeps, second, math.nan),
            "share_neighbours": np.where(is_leaf, share, math.nan),
            "loss_neighbours": np.where(is_leaf, first, math.nan),
            "loss_regressions": np.where(is_leaf, second, math.nan),
        }

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
        1 / (1 + exp(``eta`` (E - E′))). 0: both always have one half. Tunable.
    loss_memory
        Number of instances over which losses fade: a loss is the mean of all instances until then, and after that it
        moves by 1/``loss_memory`` of the way to each new one. 500 has a half-life of some 350 instances. Infinity: the
        mean of all. Tunable.
    tau
        A leaf also splits when the bound is below ``tau`` times log2 of the number of label sets seen (at least 1) and
        there is any gain. Tunable.
    kept_levels
        For each instance, the branches that mix in their own answer and learn: the root, and this many above the leaf.
        A branch without a leaf that near gives up its regressions for good. None: all branches. Tunable.
    grace_period, delta, alternate_grace_period, switch_significance, poisson_rate, bootstrap, n_neighbors, window
        As in ``MLHAT``. Tunable.
    learning_rate, intercept_learning_rate, alternate_on, combine_alternates, max_depth, max_bytes
        As in ``MLHAT``; the kept regressions count in the memory. Tunable.
    n_models, leaf_start, drift_measure, warning_delta, drift_delta, n_split_points, min_branch_fraction
        As in ``MLHAT``.
    max_share_to_split, seed
        As in ``MLHAT``.
    decision
        Which labels are answered, as in ``MLHAT``. Tunable.

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

    events: ClassVar[dict[str, EventKind]] = HEDGED_EVENTS
    _event_of = staticmethod(hedged_event_of)
    _reader_type: ClassVar[type[TreeReader]] = HedgedReader
    tunables: ClassVar[tuple[Tunable, ...]] = (
        Tunable(
            "eta", 0.0, 500.0, limit=1e6, title="Trust in the better",
            help="Higher: of two answers, nearly all weight goes to the one that lost less lately.",
        ),
        Tunable(
            "loss_memory", 1, 10_000, logarithmic=True, infinite=True, limit=1e12, unit="instances",
            title="Losses fade over", help="Lower: the mixture follows recent losses faster.",
            says="judges its branches by about the latest {value} rows", says_never="judges its branches by all rows",
        ),
        Tunable(
            "kept_levels", 0, 30, integer=True, unit="levels", title="Branches that answer", optional=True,
            none="all", help="The root, and this many branches above the leaf, mix in their own answer.",
        ),
        *(
            replace(each, unit="of log₂ label sets", help="A leaf also splits once its bound is below this share.")
            if each.name == "tau" else each
            for each in MLHAT.tunables if each.name not in CHOOSES
        ),
    )  # fmt: skip

    def __init__(
        self,
        eta: float = 50.0,
        loss_memory: float = 500,
        kept_levels: int | None = None,
        grace_period: int = 200,
        delta: float = 1e-7,
        tau: float = 0.1,
        alternate_grace_period: int = 200,
        switch_significance: float = 0.05,
        poisson_rate: float = 1.0,
        bootstrap: bool | str = True,
        n_neighbors: int = 4,
        window: int = 170,
        n_models: int = 10,
        learning_rate: float = 0.3,
        intercept_learning_rate: float = 0.01,
        leaf_start: str = "inherit",
        drift_measure: str = "hamming",
        alternate_on: str = "warning",
        warning_delta: float = 0.01,
        drift_delta: float = 0.002,
        combine_alternates: bool = True,
        n_split_points: int = 10,
        min_branch_fraction: float = 0.01,
        max_share_to_split: float = 0.99,
        max_depth: int | None = None,
        max_bytes: int | None = None,
        seed: int | None = None,
        decision: Decision = "half",
    ) -> None:
        self.eta = eta
        self.loss_memory = loss_memory
        self.kept_levels = kept_levels
        super().__init__(
            grace_period=grace_period, delta=delta, tau=tau, alternate_grace_period=alternate_grace_period,
            switch_significance=switch_significance, poisson_rate=poisson_rate, bootstrap=bootstrap,
            n_neighbors=n_neighbors, window=window, n_models=n_models, learning_rate=learning_rate,
            intercept_learning_rate=intercept_learning_rate, leaf_start=leaf_start, drift_measure=drift_measure,
            alternate_on=alternate_on, warning_delta=warning_delta, drift_delta=drift_delta,
            combine_alternates=combine_alternates, n_split_points=n_split_points,
            min_branch_fraction=min_branch_fraction, max_share_to_split=max_share_to_split, max_depth=max_depth,
            max_bytes=max_bytes, seed=seed, decision=decision,
        )  # fmt: skip

    @classmethod
    @cache
    def prepare(cls) -> None:
        super().prepare()
        model = cls(seed=0)
        model.learn_many(np.zeros((1, 1)), np.zeros((1, 1), np.uint8))
        model.tune(kept_levels=0)

    @property
    def _parts(self) -> Parts:
        return replace(super()._parts, hedged=True)

    def _further_settings(self) -> tuple[float, ...]:
        levels = math.inf if self.kept_levels is None else self.kept_levels
        return (*super()._further_settings(), 1.0, self.eta, 1.0 / self.loss_memory, levels)

    def _tune(self, values: dict[str, Any]) -> None:
        super()._tune(values)
        levels = values.get("kept_levels")
        if self._tree is not None and levels is not None:
            growth.drop_kept(self._tree, float(levels))
