"""Sparse training rows with, for each of their columns, the rows that have a value there."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab.learners.base import _inverted as kernels
from streamlab.learners.base.sparse_rows import SparseRows


class InvertedIndex:
    """Counts the labels of the nearest of some sparse rows, whose features are numeric.

    The answers are, to the bit, those of ``PointLearner``'s points: a missing value counts as the mean of its column
    over the rows, the exact distance of centred values decides, and of equals the row that came first.

    Parameters
    ----------
    rows
        The training rows; at least one.
    before
        An index that is no longer used: its map of the columns is taken over.
    """

    place_of: np.ndarray
    columns: np.ndarray

    def __init__(self, rows: SparseRows, before: InvertedIndex | None = None) -> None:
        if before is not None and len(before.place_of) == rows.n_features:
            # to clear what it has written is quicker than a new array of all columns
            self.place_of = before.place_of
            self.place_of[before.columns] = -1
        else:
            self.place_of = np.full(rows.n_features, -1, np.int32)
        self.rows = rows
        n_values = rows.n_values
        columns, places = np.empty(n_values, np.int32), np.empty(n_values, np.int32)
        n = kernels.places_of(rows.indptr, rows.indices, self.place_of, columns, places)
        self.columns = columns[:n]
        self.fill, self.centre, self.starts = np.zeros(n), np.zeros(n), np.zeros(n + 1, np.int64)
        self.in_rows, self.values = np.empty(n_values, np.uint32), np.empty(n_values)
        n_long = n_values + len(rows)
        self.steps, self.centred, self.norms = np.empty(2 * n_long), np.empty(n_long), np.empty(len(rows))
        kernels.invert(
            *rows.arrays, places, self.fill, self.centre, self.starts, self.in_rows, self.values, self.steps,
            self.centred, self.norms,
        )  # fmt: skip

    def label_counts(self, X: Any, own: np.ndarray, k: int, Y: np.ndarray) -> np.ndarray:
        """Return how many of the k nearest rows have each label, int64 (n, n_labels).

        Parameters
        ----------
        X
            The rows that ask, an array or ``SparseRows``.
        own
            For each its own place among the training rows, which is not counted as a neighbour; -1 if it has none.
        k
            Neighbours.
        Y
            Labels of the training rows.
        """
        asking = X if isinstance(X, SparseRows) else SparseRows.of(X)
        counts = np.zeros((len(asking), Y.shape[1]), np.int64)
        if len(asking):
            kernels.count_labels(
                *asking.arrays, own, k, self.place_of, self.fill, self.centre, self.starts, self.in_rows, self.values,
                self.rows.indptr, self.steps, self.centred, self.norms, Y, counts,
            )  # fmt: skip
        return counts

    def __reduce__(self) -> tuple[Any, ...]:
        # the rows are never written to, the map of the columns is, perhaps while somebody writes a copy to a file
        return InvertedIndex, (self.rows,)

    @property
    def nbytes(self) -> int:
        """Bytes of its arrays, without the rows."""
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))
