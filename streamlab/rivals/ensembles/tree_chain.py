"""Members with a Hoeffding tree for each label: each by itself, or in a chain."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.row_learner import category_counts, check_categories
from streamlab.learners.base.state import stored_length
from streamlab.learners.base.storage import Array, Number, Storage, index_into
from streamlab.rivals.ensembles import _tree_chain as kernels
from streamlab.rivals.ensembles.member import ORDER, Features, Member, Rows, lengthened_order
from streamlab.rivals.hoeffding import _forest as forest
from streamlab.rivals.hoeffding.hoeffding_trees import POINTS_OF_CATEGORIES, forest_arrays

CLASSES = 2
GROWTH = 1.5
# as in HoeffdingTrees: thresholds tried, the least share of a side, and the share of one class from which a leaf waits
POINTS, LEAST_SHARE, MOST_SHARE = 10, 0.01, 0.99
SLOT_BYTES = 8 * (CLASSES + 2)
NUMERIC_BYTES = 8 * CLASSES * (forest.N_MOMENTS + 2)
CATEGORY_BYTES = 8 * CLASSES


class TreePerLabel(Member):
    """A Hoeffding tree for each label, each by itself: a vote is the probability of the label.

    Statistics of numeric features take 112 bytes a leaf, those of a category 16.
    """

    is_chain: ClassVar[bool] = False
    storage: ClassVar[Storage] = Storage(
        ORDER,
        Number("n_learned", low=0),
        # of the columns of a test row, see the kernels
        Array("kinds", ("columns",), np.int64, key="n_categories"),
        *forest_arrays("labels", index_into("nodes"), CLASSES, "columns", "numeric", POINTS_OF_CATEGORIES),
    )

    def _begin(self, rng: np.random.Generator) -> None:
        super()._begin(rng)
        self._room = {"nodes": 0, "slots": 0}
        self._cursor = np.zeros(forest.N_CURSOR, np.int64)
        self._events = np.zeros((0, forest.N_EVENT))
        self._places, self._first = np.zeros(0, np.int64), np.zeros(0, np.int64)

    @classmethod
    def bytes_of(cls, features: Features, n_labels: int) -> int:
        """Return the bytes of a chain that has learned nothing: a leaf for each label."""
        kinds = cls._columns(features, n_labels)
        numeric = int((kinds == 0).sum())
        return n_labels * (SLOT_BYTES + NUMERIC_BYTES * numeric + CATEGORY_BYTES * int(kinds.sum()))

    @classmethod
    def _columns(cls, features: Features, n_labels: int) -> np.ndarray:
        """Return how many categories the columns of a test row have."""
        counts = category_counts(features)
        labels = np.full(n_labels if cls.is_chain else 0, CLASSES)
        return np.concatenate([counts[counts == 0], counts[counts > 0], labels])

    # ------------------------------------------------------------------ columns

    def widen(self, features: Features, n_labels: int) -> None:
        """Take columns and categories that were added."""
        kinds, old_kinds = self._columns(features, n_labels), self.arrays["kinds"]
        nominal = np.array([feature.categories is not None for feature in features], bool)
        places = np.empty(len(features), np.int64)
        places[np.argsort(nominal, kind="stable")] = np.arange(len(features))
        # where the columns that were there are now
        n_before, is_chain = len(self.features), self.is_chain
        moved = np.empty(len(old_kinds), np.int64)
        moved[self._places] = places[:n_before]
        if is_chain:
            moved[n_before:] = len(features) + np.arange(self.n_labels)
        before = self.n_labels
        first, old_first = np.cumsum(kinds) - kinds, self._first
        categories = np.repeat(first[moved] - old_first, old_kinds) + np.arange(int(old_kinds.sum()))
        self.features, self.n_labels, self._places, self._first = tuple(features), n_labels, places, first
        used = self.used()
        self._room = {name: max(n, used[name] + n_labels - before) for name, n in self._room.items()}
        self.arrays["kinds"] = kinds
        if not np.array_equal(kinds, old_kinds):
            links = self.arrays["links"][: used["nodes"]]
            tested = links[:, forest.FEATURE] >= 0
            links[tested, forest.FEATURE] = moved[links[tested, forest.FEATURE]]
        order = lengthened_order(self.arrays["order"], n_labels, self._rng if is_chain else None)
        resized = self.storage.resize(self.arrays, self.sizes(), {"categories": categories})
        self.arrays |= resized | {"order": order}
        self._events = np.zeros((n_labels, forest.N_EVENT))
        woods = self._forest()
        for tree in range(before, n_labels):
            forest.new_root(woods, tree)

    def sizes(self) -> dict[str, int]:
        """Return the lengths of its dimensions."""
        kinds = self._columns(self.features, self.n_labels)
        return super().sizes() | self._lengths(kinds) | self._room

    @staticmethod
    def _lengths(kinds: np.ndarray) -> dict[str, int]:
        return {"columns": len(kinds), "numeric": int((kinds == 0).sum()), "categories": int(kinds.sum())}

    def used(self) -> dict[str, int]:
        """Return how many nodes and slots are in use."""
        return {"nodes": int(self._cursor[forest.NODES]), "slots": int(self._cursor[forest.SLOTS])}

    def _forest(self) -> forest.Forest:
        own = self.arrays
        return forest.Forest(
            own["links"], own["values"], own["roots"], own["weights"], own["right"], own["moments"], own["bells"],
            own["tallies"], own["kinds"], self._first, self._cursor, self._events,
        )  # fmt: skip

    # ------------------------------------------------------------------ rows

    def _answer(self, X: np.ndarray, votes: np.ndarray, labels: np.ndarray) -> None:
        kernels.answer(self._forest(), self.arrays["order"], self._places, X, votes, labels)

    def _run(self, rows: Rows, first: int, answers: bool) -> int:
        settings = np.array([*self.settings[:3], POINTS, LEAST_SHARE, MOST_SHARE, math.inf], np.float64)
        own = rows.X, rows.Y, rows.weights, first, answers, settings, rows.votes, rows.labels
        return int(kernels.run(self._forest(), self.arrays["order"], self._places, *own))

    def _make_room(self) -> None:
        """Have room for what a row may need: each tree may split."""
        used = self.used()
        wanted = {"nodes": used["nodes"] + 2 * self.n_labels, "slots": used["slots"] + self.n_labels}
        self._room = {name: max(n, int(GROWTH * self._room[name])) for name, n in wanted.items()}
        self.arrays |= self.storage.resize(self.arrays, self.sizes())

    # ------------------------------------------------------------------ state

    def stored_sizes(self, owner: str, state: Mapping[str, Any], prefix: str) -> dict[str, int]:
        """Return its sizes, with as many nodes and slots as the state has."""
        room = {"nodes": "links", "slots": "weights"}
        return self.sizes() | {name: stored_length(owner, state, prefix + key) for name, key in room.items()}

    def restored(self, owner: str, prefix: str) -> None:
        """Check the categories, and fill the Gaussians."""
        expected = self._columns(self.features, self.n_labels)
        check_categories(owner, f"{prefix}n_categories", self.arrays["kinds"], expected)
        self._room = {"nodes": len(self.arrays["links"]), "slots": len(self.arrays["weights"])}
        self._cursor[:] = self._room["nodes"], self._room["slots"], self.arrays["n_learned"], 0
        forest.set_bells(self.arrays["moments"], self.arrays["bells"])


class TreeChain(TreePerLabel):
    """A chain of Hoeffding trees in a drawn order: each sees the row and the labels before it; a vote is 0 or 1.

    It learns with the true labels before it and answers with its own.
    """

    is_chain: ClassVar[bool] = True
