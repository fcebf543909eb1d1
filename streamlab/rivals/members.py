"""Members of committees: chains of logistic regressions, Hoeffding trees, pruned sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.row_learner import category_counts, check_categories
from streamlab.learners.base.storage import Array, Number, Storage, index_into, moved_places
from streamlab.rivals import _committee as logistic
from streamlab.rivals import _hoeffding as forest
from streamlab.rivals import _hoeffding_rows as trees
from streamlab.rivals import _pruned_sets as pruned
from streamlab.rivals import pruned_sets, pruned_sets_growth
from streamlab.rivals.hoeffding import (
    POINTS_OF_CATEGORIES,
    forest_arrays,
    forest_of,
    longer,
    needed_of,
    settings_of,
    stored_room,
    used_of,
)
from streamlab.rivals.member import ORDER, Features, GrowingMember, Member, Rows, lengthened_order


def widths_of(n_categories: np.ndarray) -> np.ndarray:
    """Return how many columns of a regression each feature has."""
    return np.where(n_categories == 0, 1, n_categories - 1)


class LogisticChain(Member):
    """A chain of logistic regressions in a drawn order: each sees the row and the labels before it; a vote is its
    probability.

    Features are taken as they come, as River's ``LogisticRegression`` does, whose steps these are.
    """

    storage: ClassVar[Storage] = Storage(
        ORDER,
        Number("n_learned", low=0),
        Array("coefficients", ("labels", "width"), finite=True),
        Array("constants", ("labels",), finite=True),
    )

    def _begin(self, rng: np.random.Generator) -> None:
        super()._begin(rng)
        self._n_categories, self._starts = np.zeros(0, np.int64), np.zeros(0, np.int64)

    @classmethod
    def bytes_of(cls, features: Features, n_labels: int) -> int:
        """Return the bytes of its coefficients."""
        return 8 * n_labels * (int(widths_of(category_counts(features)).sum()) + n_labels)

    def widen(self, features: Features, n_labels: int) -> None:
        """Take columns and categories that were added: their coefficients are 0."""
        counts = category_counts(features)
        widths = widths_of(counts)
        columns = moved_places(widths_of(self._n_categories), widths)
        places = np.concatenate([columns, int(widths.sum()) + np.arange(self.n_labels)])
        order = lengthened_order(self.arrays["order"], n_labels, self._rng)
        self.features, self.n_labels = tuple(features), n_labels
        self.arrays |= self.storage.resize(self.arrays, self.sizes(), {"width": places}) | {"order": order}
        self._n_categories, self._starts = counts, np.cumsum(widths) - widths

    def sizes(self) -> dict[str, int]:
        """Return the lengths of its dimensions."""
        return super().sizes() | {"width": int(widths_of(category_counts(self.features)).sum()) + self.n_labels}

    def _model(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        own = self.arrays
        return own["coefficients"], own["constants"], own["order"], self._n_categories, self._starts

    def _answer(self, X: np.ndarray, votes: np.ndarray, labels: np.ndarray) -> None:
        logistic.answer(*self._model(), X, votes, labels)

    def _run(self, rows: Rows, first: int, answers: bool) -> int:
        step = float(self.settings.step)
        logistic.run(*self._model(), rows.X, rows.Y, rows.weights, answers, step, rows.votes, rows.labels)
        return len(rows.X)


CLASSES = 2
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
        self._places = np.zeros(0, np.int64)

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
        first, old_first = np.cumsum(kinds) - kinds, np.cumsum(old_kinds) - old_kinds
        categories = np.repeat(first[moved] - old_first, old_kinds) + np.arange(int(old_kinds.sum()))
        self.features, self.n_labels, self._places = tuple(features), n_labels, places
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
        self._events = np.zeros((2 * n_labels, forest.N_EVENT))
        woods = self._forest()
        for tree in range(before, n_labels):
            forest.new_root(woods, tree)

    def sizes(self) -> dict[str, int]:
        """Return the lengths of its dimensions."""
        kinds = self._columns(self.features, self.n_labels)
        lengths = {"columns": len(kinds), "numeric": int((kinds == 0).sum()), "categories": int(kinds.sum())}
        return super().sizes() | lengths | self._room

    def used(self) -> dict[str, int]:
        """Return how many nodes and slots are in use."""
        return used_of(self._cursor)

    def _forest(self) -> forest.Forest:
        return forest_of(self.arrays, self._cursor, self._events)

    # ------------------------------------------------------------------ rows

    def _answer(self, X: np.ndarray, votes: np.ndarray, labels: np.ndarray) -> None:
        trees.answer(self._forest(), self.arrays["order"], self._places, X, votes, labels)

    def _run(self, rows: Rows, first: int, answers: bool) -> int:
        own = rows.X, rows.Y, rows.weights, first, answers, settings_of(self.settings), rows.votes, rows.labels
        row = trees.run(self._forest(), self.arrays["order"], self._places, *own)
        # what happened inside a member is not an event of the ensemble
        self._cursor[forest.N_EVENTS] = 0
        return int(row)

    def _make_room(self) -> None:
        self._room |= longer(self._room, needed_of(self._cursor, self.n_labels))
        self.arrays |= self.storage.resize(self.arrays, self.sizes())

    # ------------------------------------------------------------------ state

    def stored_sizes(self, owner: str, state: Mapping[str, Any], prefix: str) -> dict[str, int]:
        """Return its sizes, with as many nodes and slots as the state has."""
        return self.sizes() | stored_room(owner, dict(state), prefix)

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


BUFFER, SUPPORT, REINTRODUCE = 100, 10, 0
"""Rows before the label sets are chosen, label sets kept at most, subsets of others that are learned."""


class PrunedSetsMember(GrowingMember):
    """Pruned sets with naive Bayes; a vote is the sum of the probabilities of the label sets that have the label."""

    storage: ClassVar[Storage] = pruned_sets_growth.PRUNED_SETS

    def _keep(self, pair: pruned_sets_growth.Pair) -> None:
        self._sets, self._forest = pair
        self._scratch = pruned_sets_growth.scratch_for(self._sets)

    @classmethod
    def bytes_of(cls, features: Features, n_labels: int) -> int:
        """Return the bytes of a full buffer, and of the statistics of all classes."""
        statistics = len(features) * (forest.N_MOMENTS + 2) + int(category_counts(features).sum())
        return 8 * (BUFFER * (len(features) + 4) + SUPPORT * statistics)

    def _grow(self) -> None:
        if hasattr(self, "_sets"):
            self._keep(pruned_sets_growth.with_columns(self._sets, self._forest, self.features, self.n_labels))
        else:
            self._keep(pruned_sets_growth.empty(self.features, self.n_labels, 1, BUFFER))

    # ------------------------------------------------------------------ rows

    def _settings(self) -> np.ndarray:
        own = {"buffer": BUFFER, "support": SUPPORT, "reintroduce": REINTRODUCE, "base": "bayes"}
        return pruned_sets.settings_of(self.settings, **own)

    def _answer(self, X: np.ndarray, votes: np.ndarray, labels: np.ndarray) -> None:
        pruned.answer_rows(self._sets, self._forest, 0, X, self._settings(), self._scratch, votes, labels)

    def _run(self, rows: Rows, first: int, answers: bool) -> int:
        own = rows.X, rows.Y, rows.weights, first, self._settings(), self._scratch, rows.votes, rows.labels
        row = pruned.test_then_train(self._sets, self._forest, 0, *own)
        # what happened inside a member is not an event of the ensemble
        self._sets.cursor[pruned.N_NOTED] = self._forest.cursor[forest.N_EVENTS] = 0
        return int(row)

    def _make_room(self) -> None:
        self._keep(pruned_sets_growth.with_room(self._sets, self._forest))

    # ------------------------------------------------------------------ state

    def _saved(self, table: Storage) -> dict[str, Any]:
        return pruned_sets_growth.saved(self._sets, self._forest, table=table)

    def _restored(self, owner: str, state: Mapping[str, Any], table: Storage) -> None:
        self._keep(pruned_sets_growth.restored(owner, state, self.features, self.n_labels, BUFFER, (1, 1), table))
        self._forest.cursor[forest.POSITION] = self.n_learned

    def _groups(self) -> tuple[Any, ...]:
        return self._sets, self._forest
