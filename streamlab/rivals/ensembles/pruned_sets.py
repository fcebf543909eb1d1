"""Members that are pruned sets: the label sets that are frequent among a member's first rows, told by naive Bayes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.storage import Number, Storage
from streamlab.rivals.ensembles.member import Features, Member
from streamlab.rivals.hoeffding import _forest as forest
from streamlab.rivals.pruned_sets import _kernels as kernels
from streamlab.rivals.pruned_sets import growth
from streamlab.rivals.pruned_sets.pruned_sets import settings_of

BUFFER, SUPPORT, REINTRODUCE = 100, 10, 0
"""Rows before the label sets are chosen, label sets kept at most, subsets of others that are learned."""
COUNTED = Storage(Number("n_learned", low=0))


class PrunedSetsMember(Member):
    """Pruned sets with naive Bayes; a vote is the sum of the probabilities of the label sets that have the label."""

    storage: ClassVar[Storage] = COUNTED + growth.PRUNED_SETS

    def __init__(self, features: Features, n_labels: int, settings: Any, rng: np.random.Generator) -> None:
        self.settings, self._rng = settings, rng
        self.features, self.n_labels = tuple(features), n_labels
        self.arrays = {"n_learned": 0}
        self._keep(growth.empty(features, n_labels, 1, BUFFER))

    def _keep(self, pair: growth.Pair) -> None:
        self._sets, self._forest = pair
        self._scratch = growth.scratch_for(self._sets)

    @classmethod
    def bytes_of(cls, features: Features, n_labels: int) -> int:
        """Return the bytes of a full buffer, and of the statistics of all classes."""
        categories = sum(len(feature.categories or ()) for feature in features)
        statistics = len(features) * (forest.N_MOMENTS + 2) + categories
        return 8 * (BUFFER * (len(features) + 4) + SUPPORT * statistics)

    def widen(self, features: Features, n_labels: int) -> None:
        """Take columns and categories that were added."""
        self._keep(growth.with_columns(self._sets, self._forest, features, n_labels))
        self.features, self.n_labels = tuple(features), n_labels

    def sizes(self) -> dict[str, int]:
        """Return the lengths of its dimensions."""
        return super().sizes() | growth.sizes_of(self._sets, self._forest)

    # ------------------------------------------------------------------ rows

    def _settings(self) -> np.ndarray:
        own = self.settings
        return settings_of(own.grace_period, own.delta, own.tau, BUFFER, SUPPORT, REINTRODUCE, "bayes")

    def answer(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return votes and labels."""
        votes, labels = np.zeros((len(X), self.n_labels)), np.zeros((len(X), self.n_labels), np.uint8)
        kernels.answer_rows(self._sets, self._forest, 0, X, self._settings(), self._scratch, votes, labels)
        return votes, labels

    def learn(self, X: np.ndarray, Y: np.ndarray, weights: np.ndarray) -> None:
        """Learn rows with their weights."""
        self.test_then_train(X, Y, weights)

    def test_then_train(self, X: np.ndarray, Y: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Answer rows, and learn them with their weights."""
        votes, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
        row, settings = 0, self._settings()
        while True:
            row = kernels.test_then_train(
                self._sets, self._forest, 0, X, Y, weights, row, settings, self._scratch, votes, labels
            )
            # what happened inside a member is not an event of the ensemble
            self._sets.cursor[kernels.N_NOTED] = self._forest.cursor[forest.N_EVENTS] = 0
            if row == len(X):
                self.arrays["n_learned"] += int(np.count_nonzero(weights))
                return votes, labels
            self._keep(growth.with_room(self._sets, self._forest))

    # ------------------------------------------------------------------ state

    def state(self, prefix: str) -> dict[str, Any]:
        """Return its part of the ensemble's state."""
        own = Storage(*growth.PRUNED_SETS.entries, prefix=prefix)
        counted = Storage(*COUNTED.entries, prefix=prefix)
        return counted.state(self.arrays, {}, {}) | growth.saved(self._sets, self._forest, table=own)

    def restore(self, owner: str, state: Mapping[str, Any], prefix: str) -> None:
        """Take its part of a state, checked."""
        own = Storage(*growth.PRUNED_SETS.entries, prefix=prefix)
        self.arrays = Storage(*COUNTED.entries, prefix=prefix).restore(owner, state, {})
        self._keep(growth.restored(owner, state, self.features, self.n_labels, BUFFER, (1, 1), own))
        self._forest.cursor[forest.POSITION] = self.arrays["n_learned"]

    @property
    def n_bytes(self) -> int:
        """Bytes of its arrays, reserve included."""
        return sum(array.nbytes for array in growth.kept(self._sets, self._forest).values())
