"""Rows of many columns in MLHAT: sparse ones as its kernels take them, and leaves that would be too large."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from streamlab.learners.base.learner import Learner
from streamlab.learners.base.sparse_rows import SparseRows
from streamlab.learners.mlhat import growth

if TYPE_CHECKING:
    from streamlab.schema import Schema

__all__ = ["WideRows"]

NO_ROWS = (np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0))


class WideRows(Learner):
    """Takes sparse rows, and refuses columns for which the first leaf would be too large."""

    takes_sparse: ClassVar[bool] = True

    n_models: int
    window: int
    max_depth: int | None
    # one row of zeros, into which a sparse one is unfolded
    _unfolded: np.ndarray

    def _depth_bound(self) -> float:
        return math.inf if self.max_depth is None else float(self.max_depth)

    def _for_kernels(self, X: np.ndarray | SparseRows) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """Return rows as kernels take them: dense ones, and no sparse ones; or a row of zeros, and sparse ones."""
        if not isinstance(X, SparseRows):
            return X, NO_ROWS
        if self._unfolded.shape[1] != X.n_features:
            self._unfolded = np.zeros((1, X.n_features))
        return self._unfolded, X.arrays

    def _start_schema(self, schema: Schema) -> None:
        self._check_size(schema.n_features, len(schema.labels))
        super()._start_schema(schema)

    def _check_growth(self, n_features: int) -> None:
        super()._check_growth(n_features)
        self._check_size(n_features, len(self._labels))

    def _check_size(self, n_features: int, n_labels: int) -> None:
        """Raise a ValueError if the leaves of so many columns are too large to begin with, before they are made."""
        n_models, window, may_split = int(self.n_models), int(self.window), self._depth_bound() > 0
        growth.check_first_leaf(type(self).__name__, n_features, n_labels, n_models, window, may_split)
