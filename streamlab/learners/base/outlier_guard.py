"""The guard against outliers: one bad reading costs one reading.

A numeric value that lies further outside the range seen so far than 100 times the width of that range is an *outlier*,
and counts as missing, in what is learned and in what is asked. After ten outliers of a feature within 100 rows the
range reaches them: a change of scale, such as of a unit, is learned within some tens of rows. A range is trusted from
the 30th value other than 0 of its feature on, after ``fit`` from the 30th that follows, and where it has a width.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab.learners.base import _sparse_kernels as sparse_kernels
from streamlab.learners.base._kernels import (
    COUNT,
    HIGH,
    LOW,
    ROWS_OF_RANGES,
    count_values,
    learn_ranges,
    mark_outliers,
)
from streamlab.learners.base.rows import Rows, SparseRows
from streamlab.learners.base.state import Part, State
from streamlab.learners.base.storage import Array, Number, Storage

TRUSTED, WIDTHS, PATIENCE, WINDOW = 30.0, 100.0, 10, 100
# the ranges of columns and what lies out of them, by the keys that saved states have always had
RANGES = Storage(
    # an open range, low above high, is that of a feature without a value; a nominal one has no bounds
    Array("door_ranges", (2, "features")),
    Array("door_strays", (ROWS_OF_RANGES - 2, "features"), finite=True),
    Number("door_rows", low=0),
)
"""The range of each feature; its values but 0, its late outliers and the row of the first of these; rows learned."""


class OutlierGuard(Part):
    """Knows the range of each feature, and which values are outliers.

    Attributes
    ----------
    ranges
        float64 (``ROWS_OF_RANGES``, n_features): a column for each feature, as the kernels say.
    n_rows
        How many rows were learned.
    judges
        Whether values that are learned may be outliers.
    """

    def __init__(self) -> None:
        self.ranges = np.zeros((ROWS_OF_RANGES, 0))
        self.n_rows = 0
        self.judges = True
        # whether all ranges are trusted, so that nothing needs to be counted
        self._all_trusted = False
        # features whose range may not hold 0, where a sparse row without them is news; None: not looked for
        self._around: np.ndarray | None = None

    def widen(self, n_categories: np.ndarray) -> None:
        """Make room for the features that are new: of all features the numbers of categories, 0 for numeric ones."""
        known = self.ranges.shape[1]
        added = n_categories[known:]
        if len(added):
            self._all_trusted, self._around = False, None
            more = np.zeros((ROWS_OF_RANGES, len(added)))
            more[LOW] = np.where(added > 0, -np.inf, np.inf)
            self.ranges = np.hstack([self.ranges, more])
            self.ranges[HIGH, known:] = -more[LOW]

    def ask(self, rows: Rows) -> Rows:
        """Return rows that are asked about without their outliers, by the ranges as they are."""
        X = rows.values
        if isinstance(X, SparseRows):
            data, around = X.data.copy(), self._features_around_zero()
            absent = sparse_kernels.guard_rows(X.indptr, X.indices, data, self.ranges, around, TRUSTED, WIDTHS)
            return rows.with_data(data, absent)
        if rows.within:
            return rows
        outliers = np.zeros(X.shape, np.bool_)
        return rows.without(outliers) if mark_outliers(X, outliers, self.ranges, TRUSTED, WIDTHS) else rows

    def learn(self, rows: Rows) -> Rows:
        """Return rows that will be learned without their outliers; the ranges reach the other values."""
        X, row = rows.values, self.n_rows
        self.n_rows = row + len(X)
        trusted = TRUSTED if self.judges else np.inf
        if isinstance(X, SparseRows):
            around, marks = self._features_around_zero(), np.zeros(len(X.data), np.bool_)
            # in place: a copy of the ranges of 262,144 features takes longer than a chunk of rows
            n, absent, n_around = sparse_kernels.learn_ranges_of_rows(
                *X.arrays, marks, self.ranges, around, row, trusted, WIDTHS, PATIENCE, WINDOW
            )
            self._around = around[:n_around]
            return rows.with_data(np.where(marks, np.nan, X.data) if n else X.data, absent)
        if rows.within:
            if not self._all_trusted:
                self._all_trusted = count_values(X, self.ranges, TRUSTED) and self.judges
            return rows
        outliers, ranges = np.zeros(X.shape, np.bool_), self.ranges.copy()
        n = learn_ranges(X, outliers, ranges, row, trusted, WIDTHS, PATIENCE, WINDOW)
        self.ranges = ranges
        return rows.without(outliers) if n else rows

    def judge_from_here(self) -> None:
        """Let the ranges be trusted again, each after its next values, before anything is an outlier."""
        self.judges = True
        self.ranges[COUNT] = 0.0
        self._all_trusted = False

    def merge(self, other: OutlierGuard) -> None:
        """Let the ranges reach as far as another's as well; both have the same features."""
        ranges = self.ranges.copy()
        ranges[LOW] = np.minimum(ranges[LOW], other.ranges[LOW])
        ranges[HIGH] = np.maximum(ranges[HIGH], other.ranges[HIGH])
        ranges[COUNT] = np.minimum(ranges[COUNT] + other.ranges[COUNT], TRUSTED)
        self.ranges, self.n_rows = ranges, max(self.n_rows, other.n_rows)
        self._around = None

    def state(self) -> State:
        """Return the ranges as entries of a learner's state."""
        values = {"door_ranges": self.ranges[:COUNT], "door_strays": self.ranges[COUNT:], "door_rows": self.n_rows}
        return RANGES.state(values, {"features": self.ranges.shape[1]})

    def restore(self, owner: str, state: State) -> None:
        """Take the ranges of a state of ``owner`` with as many features; a ValueError where it contradicts itself."""
        values: dict[str, Any] = RANGES.restore(owner, state, {"features": self.ranges.shape[1]})
        self.ranges = np.vstack([values["door_ranges"], values["door_strays"]])
        self.n_rows = values["door_rows"]
        self._all_trusted, self._around = False, None

    def _features_around_zero(self) -> np.ndarray:
        """Return the features whose range may not hold 0; ranges only widen, so that no further ones come."""
        if self._around is None:
            self._around = sparse_kernels.open_features(self.ranges)
        return self._around
