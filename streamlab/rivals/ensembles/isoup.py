"""Members that are iSOUP trees: one regression tree for all labels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.storage import Storage
from streamlab.rivals.ensembles.member import COUNTED, Features, GrowingMember, Rows
from streamlab.rivals.isoupt import _learn as kernels
from streamlab.rivals.isoupt import _tree as t
from streamlab.rivals.isoupt import growth

LEAST, THRESHOLD = 5, 0.5
"""Least rows of a side of a split, and the score above which a label is answered."""


class IsoupMember(GrowingMember):
    """An iSOUP tree whose leaves answer by mean or perceptron, as in MOA's tree, which GOOWE-ML's program takes.

    A vote is its regression, at least 0 and at most 1.
    """

    own_table: ClassVar[Storage] = growth.ISOUP
    storage: ClassVar[Storage] = COUNTED + growth.ISOUP
    _tree: Any = None

    @classmethod
    def bytes_of(cls, features: Features, n_labels: int) -> int:
        """Return the bytes of a leaf whose bins are all in use."""
        return growth.bytes_of(features, n_labels)

    def _grow(self) -> None:
        if self._tree is None:
            self._tree = growth.empty(self.features, self.n_labels, is_scaled=True)
        else:
            self._tree = growth.with_columns(self._tree, self.features, self.n_labels)

    # ------------------------------------------------------------------ rows

    def _settings(self) -> np.ndarray:
        grace_period, delta, tau, step = self.settings
        return np.array([grace_period, delta, tau, LEAST, math.inf, step, THRESHOLD, t.PERCEPTRON], np.float64)

    def _answer(self, X: np.ndarray, votes: np.ndarray, labels: np.ndarray) -> None:
        kernels.answer(self._tree, X, self._settings(), votes, labels)

    def _run(self, rows: Rows, first: int, answers: bool) -> int:
        own = rows.X, rows.Y, rows.weights, first, self._settings(), rows.votes, rows.labels
        row = kernels.test_then_train(self._tree, *own)
        # what happened inside a member is not an event of the ensemble
        self._tree.cursor[t.N_EVENTS] = 0
        return int(row)

    def _make_room(self) -> None:
        self._tree = growth.with_room(self._tree)

    # ------------------------------------------------------------------ state

    def _saved(self, table: Storage) -> dict[str, Any]:
        return growth.saved(self._tree, table)

    def _restored(self, owner: str, state: Mapping[str, Any], table: Storage) -> None:
        self._tree = growth.restored(owner, state, self.features, self.n_labels, True, self.n_learned, table)

    @property
    def n_bytes(self) -> int:
        """Bytes of its arrays, reserve included."""
        return growth.n_bytes(self._tree)
