"""The door of a learner: one bad reading costs one reading.

A numeric value that lies further outside the range seen so far than 100 times the width of that range is a *stray*, and
counts as missing, in what is learned and in what is asked. After ten strays of a feature within 100 rows the range
reaches them: a change of scale, such as of a unit, is learned within some tens of rows. A range is trusted from the
30th value other than 0 of its feature on, after ``fit`` from the 30th that follows, and where it has a width.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab.learners.base import _sparse_kernels as sparse_kernels
from streamlab.learners.base._kernels import (
    COUNT,
    HIGH,
    LOW,
    ROWS_OF_DOOR,
    admit,
    beyond,
    count_values,
    mark_strays,
)
from streamlab.learners.base.saving import State
from streamlab.learners.base.sparse_rows import SparseRows
from streamlab.learners.base.storage import Array, Number, Storage, between

SETTLED, WIDTHS, PATIENCE, WINDOW = 30.0, 100.0, 10, 100

DOOR = Storage(
    # an open range, low above high, is that of a feature without a value; a nominal one has no bounds
    Array("door_ranges", (2, "features")),
    Array("door_strays", (ROWS_OF_DOOR - 2, "features"), finite=True, rules=(between(0),)),
    Number("door_rows", low=0),
)
"""The range of each feature; its values but 0, its late strays and the row of the first of these; rows learned."""


class Door:
    """Knows the range of each feature, and which readings are strays."""

    _n_categories: np.ndarray
    _door: np.ndarray
    _door_rows: int
    _door_judges = True
    # whether all ranges are trusted, so that nothing needs to be counted
    _door_settled = False
    # a chunk of which it is known that it lies in the ranges
    _door_inside: np.ndarray | None = None
    # features whose range may not hold 0, where a sparse row without them is news; None: not looked for
    _door_around: np.ndarray | None = None

    def _no_door(self) -> None:
        """Forget all ranges."""
        self._door, self._door_rows = np.zeros((ROWS_OF_DOOR, 0)), 0
        self._door_settled, self._door_inside, self._door_around = False, None, None

    def _widen_door(self) -> None:
        """Make room for the features that are new."""
        known = self._door.shape[1]
        added = self._n_categories[known:]
        if len(added):
            self._door_settled, self._door_inside, self._door_around = False, None, None
            more = np.zeros((ROWS_OF_DOOR, len(added)))
            more[LOW] = np.where(added > 0, -np.inf, np.inf)
            self._door = np.hstack([self._door, more])
            self._door[HIGH, known:] = -more[LOW]

    def _guarded(self, X: Any, missing: np.ndarray) -> tuple[Any, np.ndarray]:
        """Return a checked chunk for prediction without its strays, and its rows with missing values."""
        if isinstance(X, SparseRows):
            return self._guarded_rows(X, missing)
        inside = X is self._door_inside
        # a chunk is not kept beyond the call that it came with
        self._door_inside = None
        if inside:
            return X, missing
        strays = np.zeros(X.shape, np.bool_)
        n = mark_strays(X, strays, self._door, SETTLED, WIDTHS)
        return self._less_marked(X, missing, strays) if n else (X, missing)

    def _admitted(self, X: Any, missing: np.ndarray) -> tuple[Any, np.ndarray]:
        """Return a checked chunk that will be learned without its strays, and its rows with missing values."""
        if isinstance(X, SparseRows):
            return self._admitted_rows(X, missing)
        row = self._door_rows
        self._door_rows = row + len(X)
        inside = X is self._door_inside or not beyond(X, self._door)
        self._door_inside = None
        if inside:
            if not self._door_settled:
                self._door_settled = count_values(X, self._door, SETTLED) and self._door_judges
            return X, missing
        strays, door = np.zeros(X.shape, np.bool_), self._door.copy()
        n = admit(X, strays, door, row, SETTLED if self._door_judges else np.inf, WIDTHS, PATIENCE, WINDOW)
        self._door = door
        return self._less_marked(X, missing, strays) if n else (X, missing)

    @staticmethod
    def _less_marked(X: np.ndarray, missing: np.ndarray, strays: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return a chunk without its strays, and its rows with missing values."""
        return np.where(strays, np.nan, X), missing | strays.any(axis=1)

    # ------------------------------------------------------------------ sparse rows

    def _open_features(self) -> np.ndarray:
        """Return the features whose range may not hold 0; ranges only widen, so that no further ones come."""
        if self._door_around is None:
            self._door_around = sparse_kernels.open_features(self._door)
        return self._door_around

    def _guarded_rows(self, X: SparseRows, missing: np.ndarray) -> tuple[SparseRows, np.ndarray]:
        data, around = X.data.copy(), self._open_features()
        absent = sparse_kernels.guard_rows(X.indptr, X.indices, data, self._door, around, SETTLED, WIDTHS)
        return self._less_strays(X, missing, data, absent)

    def _admitted_rows(self, X: SparseRows, missing: np.ndarray) -> tuple[SparseRows, np.ndarray]:
        row = self._door_rows
        self._door_rows = row + len(X)
        around, strays = self._open_features(), np.zeros(len(X.data), np.bool_)
        # in place: a copy of the ranges of 262,144 features takes longer than a chunk of rows
        n, absent, n_around = sparse_kernels.admit_rows(
            *X.arrays, strays, self._door, around, row, SETTLED if self._door_judges else np.inf, WIDTHS, PATIENCE,
            WINDOW,
        )  # fmt: skip
        self._door_around = around[:n_around]
        self._door_inside = None
        return self._less_strays(X, missing, np.where(strays, np.nan, X.data) if n else X.data, absent)

    @staticmethod
    def _less_strays(
        X: SparseRows, missing: np.ndarray, data: np.ndarray, absent: np.ndarray
    ) -> tuple[SparseRows, np.ndarray]:
        """Return rows with other values, and NaN where their zeros are strays: X itself if nothing has changed."""
        begin, end = int(X.indptr[0]), int(X.indptr[-1])
        gaps = np.isnan(data[begin:end])
        if not len(absent) and int(gaps.sum()) == int(np.isnan(X.data[begin:end]).sum()):
            return X, missing
        kept = SparseRows(X.indptr, X.indices, data, X.n_features)
        if len(absent):
            kept = kept.with_values(absent[:, 0], absent[:, 1], np.nan)
        return kept, kept.gaps()

    # ------------------------------------------------------------------ tables and states

    def _know_ranges(self, X: Any) -> None:
        """Take the ranges of a table that is learned as a whole, in which nothing is a stray."""
        self._door_judges = False
        self._admitted(X, np.zeros(len(X), np.bool_))
        self._judge_from_here()

    def _judge_from_here(self) -> None:
        """Let the ranges settle again before anything is a stray."""
        self._door_judges = True
        self._door[COUNT] = 0.0
        self._door_settled = False

    def _join_door(self, other: Door) -> None:
        """Let the ranges reach as far as another's as well; both have the same features."""
        door = self._door.copy()
        door[LOW] = np.minimum(door[LOW], other._door[LOW])
        door[HIGH] = np.maximum(door[HIGH], other._door[HIGH])
        door[COUNT] = np.minimum(door[COUNT] + other._door[COUNT], SETTLED)
        self._door, self._door_rows = door, max(self._door_rows, other._door_rows)
        self._door_around = None

    def _door_state(self) -> State:
        values = {"door_ranges": self._door[:COUNT], "door_strays": self._door[COUNT:], "door_rows": self._door_rows}
        return DOOR.state(values, {"features": self._door.shape[1]})

    def _set_door(self, owner: str, state: State) -> None:
        if not any(DOOR.key_of(entry) in state for entry in DOOR):
            # written before there were doors
            return
        values: dict[str, Any] = DOOR.restore(owner, state, {"features": len(self._n_categories)})
        self._door = np.vstack([values["door_ranges"], values["door_strays"]])
        self._door_rows = values["door_rows"]
        self._door_settled, self._door_around = False, None
