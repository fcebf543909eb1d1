"""What SMART's nodes keep of the evidence from before a marked instant, exact by forward fading."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab._frames import Frame
from streamlab.learners.base.parameters import kept
from streamlab.learners.base.storage import Array, Storage, between
from streamlab.learners.smart import _kernels as kernels
from streamlab.learners.smart.nodes import ForestNodes

MARK = Storage(
    Array("mark_ids", ("marked",), np.int64, rules=(between(0),), rising=True, optional=True),
    Array("mark_weights", ("marked",), finite=True, rules=(between(0),), optional=True),
    Array("mark_times", (2,), finite=True, rules=(between(-(2**62), 2**62),), optional=True),
)
"""The nodes that held something at the mark, their weights then, and two times: the mark's, and that to which these
weights are faded. A node is known by its id, which is never used again: one that takes a freed place inherits nothing.
"""


class MarkedNodes(ForestNodes):
    """Nodes whose weight at a marked instant was noted.

    All that a node held at the mark fades alike: of its weight w there, w·2^(-Δt/half_life) is left. So one number a
    node, noted once, says at any time how much of its evidence is from before; learning knows nothing of it.
    """

    _low: Any = kept()
    _mark_ids: Any = kept()
    _mark_weights: Any = kept()
    _mark_times: Any = kept()

    @property
    def now(self) -> int:
        """Time of the last instance learned."""
        raise AssertionError("SMART knows it")

    def mark(self) -> None:
        """Note how much evidence each node holds; ``node_columns`` tells then what is left of it. Replaces a mark."""
        self._mark_times = np.array([float(self.now)] * 2)
        self._note_weights()

    def evidence(self) -> tuple[float, float]:
        """Return what the roots of all trees hold, and how much of it is from before the mark: rows' worth, faded."""
        roots = self._roots[self._roots > 0] if int(self._cursor[kernels.TOP]) > 1 else self._roots[:0]
        weights = self._sums[roots, kernels.WEIGHT]
        roots, weights = roots[weights >= self._empty], weights[weights >= self._empty]
        before = self._weight_before(self._place[roots, kernels.ID])
        scale = 2.0 ** ((self._clock[0] - self._clock[1]) / self._rate)
        return float(weights.sum() * scale), float(np.minimum(before, weights * scale).sum())

    def _note_weights(self) -> None:
        """Note every node's weight as it is now."""
        top = int(self._cursor[kernels.TOP])
        weights = self._sums[:top, kernels.WEIGHT]
        slots = np.flatnonzero((self._place[:top, kernels.HEAP] >= 0) & (weights >= self._empty))
        slots = slots[np.argsort(self._place[slots, kernels.ID])]
        self._mark_ids = self._place[slots, kernels.ID]
        self._mark_weights = weights[slots] * 2.0 ** ((self._clock[0] - self._clock[1]) / self._rate)
        self._mark_times[1] = self._clock[1]

    def _weight_before(self, ids: np.ndarray) -> np.ndarray:
        """Return how much of the weight of nodes, by id, is from before the mark, faded to now; 0 without a mark."""
        if self._mark_ids is None or not len(self._mark_ids) or not len(ids):
            return np.zeros(len(ids))
        at = np.minimum(np.searchsorted(self._mark_ids, ids), len(self._mark_ids) - 1)
        faded = 2.0 ** ((self._mark_times[1] - self._clock[1]) / self._rate)
        return np.where(self._mark_ids[at] == ids, self._mark_weights[at] * faded, 0.0)

    def _fade_mark(self) -> None:
        """Fade what was noted to the present instant: from here on another half-life counts."""
        if self._mark_ids is not None:
            self._mark_weights = self._mark_weights * 2.0 ** ((self._mark_times[1] - self._clock[1]) / self._rate)
            self._mark_times[1] = self._clock[1]

    def _forget_mark(self) -> None:
        self._mark_ids = self._mark_weights = self._mark_times = None

    def path_of(self, x: np.ndarray | Frame) -> np.ndarray:
        """Return the ids of the nodes that a row, of shape (1, n_features), passes in all trees."""
        if self._low is None or not self._features:
            return np.zeros(0, np.int64)
        rows = self._outliers.ask(self._checked_X(x))
        paths = self._find_paths(rows.values, rows.missing).ravel()
        return self._place[paths[paths > 0], kernels.ID]

    def _find_paths(self, X: Any, missing: np.ndarray) -> np.ndarray:
        """Return the slots that each row passes."""
        raise AssertionError("SMART finds them")
