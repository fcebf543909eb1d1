"""Members that are pruned sets: the label sets that are frequent among a member's first rows, by naive Bayes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.row_learner import category_counts
from streamlab.learners.base.storage import Storage
from streamlab.rivals.ensembles.member import COUNTED, Features, GrowingMember, Rows
from streamlab.rivals.hoeffding import _forest as forest
from streamlab.rivals.pruned_sets import _kernels as kernels
from streamlab.rivals.pruned_sets import growth
from streamlab.rivals.pruned_sets.pruned_sets import settings_of

BUFFER, SUPPORT, REINTRODUCE = 100, 10, 0
"""Rows before the label sets are chosen, label sets kept at most, subsets of others that are learned."""


class PrunedSetsMember(GrowingMember):
    """Pruned sets with naive Bayes; a vote is the sum of the probabilities of the label sets that have the label."""

    own_table: ClassVar[Storage] = growth.PRUNED_SETS
    storage: ClassVar[Storage] = COUNTED + growth.PRUNED_SETS

    def _keep(self, pair: growth.Pair) -> None:
        self._sets, self._forest = pair
        self._scratch = growth.scratch_for(self._sets)

    @classmethod
    def bytes_of(cls, features: Features, n_labels: int) -> int:
        """Return the bytes of a full buffer, and of the statistics of all classes."""
        statistics = len(features) * (forest.N_MOMENTS + 2) + int(category_counts(features).sum())
        return 8 * (BUFFER * (len(features) + 4) + SUPPORT * statistics)

    def _grow(self) -> None:
        if hasattr(self, "_sets"):
            self._keep(growth.with_columns(self._sets, self._forest, self.features, self.n_labels))
        else:
            self._keep(growth.empty(self.features, self.n_labels, 1, BUFFER))

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

    def _saved(self, table: Storage) -> dict[str, Any]:
        return growth.saved(self._sets, self._forest, table=table)

    def _restored(self, owner: str, state: Mapping[str, Any], table: Storage) -> None:
        self._keep(growth.restored(owner, state, self.features, self.n_labels, BUFFER, (1, 1), table))
        self._forest.cursor[forest.POSITION] = self.n_learned

    @property
    def n_bytes(self) -> int:
        """Bytes of its arrays, reserve included."""
        return sum(array.nbytes for array in growth.kept(self._sets, self._forest).values())
