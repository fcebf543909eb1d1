"""Members that are pruned sets: the label sets that are frequent among a member's first rows, by naive Bayes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.storage import Number, Storage
from streamlab.rivals.ensembles.member import Features, Member, Rows
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

    def _answer(self, X: np.ndarray, votes: np.ndarray, labels: np.ndarray) -> None:
        kernels.answer_rows(self._sets, self._forest, 0, X, self._settings(), self._scratch, votes, labels)

    def _run(self, rows: Rows, first: int, answers: bool) -> int:
        own = rows.X, rows.Y, rows.weights, first, self._settings(), self._scratch, rows.votes, rows.labels
        row = kernels.test_then_train(self._sets, self._forest, 0, *own)
        # what happened inside a member is not an event of the ensemble
        self._sets.cursor[kernels.N_NOTED] = self._forest.cursor[forest.N_EVENTS] = 0
        return int(row)

    def _make_room(self) -> None:
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
