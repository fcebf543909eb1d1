"""Rows of many columns in MLHAT: sparse ones as its kernels take them, compact trees, and leaves too large to begin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from streamlab.learners.base.learner import Learner
from streamlab.learners.base.sparse_rows import SparseRows
from streamlab.learners.mlhat import _tree as t
from streamlab.learners.mlhat import growth, places

if TYPE_CHECKING:
    from streamlab.schema import Feature, Schema

NO_ROWS = (np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0))


class WideRows(Learner):
    """Takes sparse rows, of very many columns those that were seen, and refuses too many for a first leaf."""

    takes_sparse: ClassVar[bool] = True
    COMPACT_FROM: ClassVar[int] = 10_000
    """Columns from which on a tree that begins with sparse rows is compact."""

    n_models: int
    window: int
    max_depth: int | None
    max_bytes: int | None
    _is_hedged: ClassVar[bool]
    _features: Sequence[Feature]
    _tree: t.Tree | None
    # one row of zeros, into which a sparse one is unfolded
    _unfolded: np.ndarray = np.zeros((1, 0))
    # bytes as ``growth.bytes_per_row`` tells them; of a compact tree without places, and what each place adds
    _bytes_per_row: np.ndarray
    _bytes_per_place: np.ndarray

    def _depth_bound(self) -> float:
        return math.inf if self.max_depth is None else float(self.max_depth)

    def _memory_bound(self) -> float:
        if self.max_bytes is not None:
            return self.max_bytes
        return growth.MOST_AT_FIRST if self._is_compact() else math.inf

    # ------------------------------------------------------------------ compact trees

    def _is_compact(self) -> bool:
        return self._tree is not None and len(self._tree.place_cursor) > 0

    def _new_tree(self, X: np.ndarray | SparseRows) -> t.Tree:
        """Return the tree that begins with these rows."""
        n_features, n_labels, n_models, window = len(self._features), len(self._labels), *self._leaf_size()
        may_split = self._depth_bound() > 0
        compact = n_features >= self.COMPACT_FROM and (
            isinstance(X, SparseRows)
            or growth.bytes_at_first(n_features, n_labels, n_models, window, may_split) > growth.MOST_AT_FIRST
        )
        make = places.new_tree if compact else growth.new_tree
        return make(self._features, n_labels, n_models, window, self._depth_bound(), hedged=self._is_hedged)

    def _leaf_size(self) -> tuple[int, int]:
        return int(self.n_models), int(self.window)

    def _keep(self, tree: t.Tree) -> None:
        self._tree = tree
        if self._is_compact():
            self._bytes_per_row, self._bytes_per_place = places.bytes_of_place(tree, int(self.n_models))
        else:
            self._bytes_per_row = growth.bytes_per_row(tree)

    def _bytes_now(self) -> np.ndarray:
        """Return ``_bytes_per_row`` with the places in use."""
        if self._tree is None or not self._is_compact():
            return self._bytes_per_row
        return self._bytes_per_row + self._tree.place_cursor[0].places * self._bytes_per_place

    def _have_places(self, X: np.ndarray | SparseRows) -> None:
        """Have as many places in reserve as a row that is asked about can need."""
        if self._tree is not None and self._is_compact():
            most = int(np.diff(X.indptr).max()) if isinstance(X, SparseRows) else X.shape[1]
            tree = places.with_places(self._tree, int(self.n_models), most)
            if tree is not self._tree:
                self._keep(tree)

    def _for_kernels(self, X: np.ndarray | SparseRows) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """Return rows as kernels take them: dense ones, and no sparse ones; or a row of zeros, and sparse ones."""
        compact = self._is_compact()
        if not isinstance(X, SparseRows):
            if not compact:
                return X, NO_ROWS
            X = SparseRows.of(X)
        width = len(self._tree.column_of) if self._tree is not None and compact else X.n_features
        if self._unfolded.shape[1] != width:
            self._unfolded = np.zeros((1, width))
        return self._unfolded, X.arrays

    # ------------------------------------------------------------------ the door

    def _start_schema(self, schema: Schema) -> None:
        self._check_size(schema.n_features, len(schema.labels))
        super()._start_schema(schema)

    def _check_growth(self, n_features: int) -> None:
        super()._check_growth(n_features)
        self._check_size(n_features, len(self._labels))

    def _check_size(self, n_features: int, n_labels: int) -> None:
        """Raise a ValueError if the leaves of this many columns are too large to begin with, before they are made.

        A compact tree splits as far as its bound of memory permits: of it, a leaf that has seen all columns must fit.
        """
        tree = getattr(self, "_tree", None)
        compact = n_features >= self.COMPACT_FROM if tree is None else self._is_compact()
        may_split = self._depth_bound() > 0 and not compact
        growth.check_first_leaf(type(self).__name__, n_features, n_labels, *self._leaf_size(), may_split)
