"""Learners over points: training points with their raw rows, distances by blocks, an index of sparse rows."""

from __future__ import annotations

import copy
import threading
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, ClassVar

import numpy as np
from threadpoolctl import ThreadpoolController

from streamlab._lock import serialised
from streamlab.learners.base.parameters import kept
from streamlab.learners.base.row_learner import BatchFace, ChunkBuffer, coordinates, widths
from streamlab.learners.base.rows import KEPT_BYTES, SparseRows, widened
from streamlab.learners.base.state import State, contradiction
from streamlab.learners.base.storage import Array, Storage, between, index_into
from streamlab.learners.points import _neighbours as kernels


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


# distances held at once: 2 MB, which stay in a core's cache
BLOCK = 250_000


class PointLearner(ChunkBuffer, BatchFace):
    """A learner that answers by the distances to training points, whose rows it keeps.

    A numeric feature is a coordinate; two categories of a nominal one are at distance 1. A missing value counts as the
    mean of its coordinates over the training points when these were last placed.

    In a ``Pipeline`` it keeps the raw rows, and ``_transform_points`` makes points of them: when the transformers
    before it have learned, all its points move with them.

    Where the rows are sparse, distances come from an inverted index; where some of the features are nominal, from
    points that have the columns alone in which one of them has a value: in all others they are 0, and add nothing.
    """

    keeps_points: ClassVar[bool] = True
    storage: ClassVar[Storage] = ChunkBuffer.storage + Storage(Array("points", ("rows", "width")))
    # training rows, an array or ``SparseRows``, and where they are as points about their middle
    _X: Any = kept("rows", "features", sparse=True)
    _Y: np.ndarray = kept("rows", "labels", dtype=np.uint8, rules=(between(0, 1),))
    _fill: np.ndarray = kept("width")
    _centre: np.ndarray = kept("width")
    _squares: np.ndarray = kept("rows")
    # the points so far: rows at the end and columns may be missing, of those there were categories so many
    _point_rows: np.ndarray = kept()
    _point_categories: np.ndarray | None = kept()
    # of sparse rows: the columns of their points; none where all features are numeric, and an index takes their place
    _columns: Any = kept("columns", dtype=np.int64, rules=(index_into("features"),), rising=True, optional=True)
    _inverted: InvertedIndex | None = kept()
    _transform_points: Callable[[np.ndarray], np.ndarray] | None = kept()

    # ------------------------------------------------------------------ points

    @abstractmethod
    def _moved(self) -> None:
        """Place the points of the rows kept again: the transformers before it have learned."""

    @property
    def _points(self) -> np.ndarray:
        """The points of all rows. Rows and coordinates that came since are added when they are asked for, at once."""
        if self._point_categories is not None:
            at = _places_of_new(self._point_categories, self._placed_categories, self._point_rows.shape[1])
            self._point_rows = np.ascontiguousarray(np.insert(self._point_rows, at, 0.0, axis=1))
            self._point_categories = None
        if len(self._point_rows) < len(self._X):
            self._point_rows = np.concatenate([self._point_rows, self._located(self._X[len(self._point_rows) :])])
        return self._point_rows

    @_points.setter
    def _points(self, points: np.ndarray) -> None:
        self._point_rows, self._point_categories = points, None

    def _reset(self) -> None:
        super()._reset()
        self._inverted = self._transform_points = self._point_categories = None
        self._product: tuple[np.ndarray, np.ndarray] | None = None
        self._placed_categories = self._n_categories

    @serialised
    def __getstate__(self) -> dict[str, Any]:
        # a pipeline lets it see its points again
        return copy.deepcopy(vars(self) | {"_transform_points": None})

    def _grown(self, n_features: int, n_labels: int) -> None:
        self._X = widened(self._X, self._features)
        self._Y = np.pad(self._Y, ((0, 0), (0, len(self._labels) - self._Y.shape[1])))
        self._widen_chunk()
        if len(self._X) and self._transform_points is None and not self._add_coordinates(n_features):
            self._place()

    def _add_coordinates(self, n_features: int) -> bool:
        """Give the points the coordinates that came, in which all are 0; False where others have changed.

        The points themselves get them when they are asked for: of many categories, one by one, all at once.
        """
        if self._columns is not None:
            return False
        before, now = self._placed_categories, self._n_categories
        if len(before) != n_features or ((before != now[:n_features]) & (before <= 2)).any():
            # a third category changes how the first two are coded
            return False
        if len(self._fill) != widths(before, contrasts=False).sum():
            return False
        at = _places_of_new(before, now, len(self._fill))
        self._fill, self._centre = np.insert(self._fill, at, 0.0), np.insert(self._centre, at, 0.0)
        if self._point_categories is None:
            self._point_categories = before
        self._placed_categories = now
        return True

    def _coordinates(self, X: np.ndarray) -> np.ndarray:
        return coordinates(X, self._n_categories) if self._transform_points is None else self._transform_points(X)

    def _place(self) -> None:
        """Make points of the rows kept; these rows say what a missing value counts as and where the middle is."""
        self._columns = None
        if isinstance(self._X, SparseRows) and len(self._X) and not self._intake.has_nominal():
            self._invert()
            return
        self._inverted = None
        if isinstance(self._X, SparseRows):
            self._columns = np.union1d(self._X.columns(), np.flatnonzero(self._n_categories))
            points = self._coordinates_in(self._X, self._columns)
        else:
            points = self._coordinates(self._X)
        self._placed_categories = self._n_categories
        gaps = np.isnan(points)
        self._fill = np.where(gaps, 0.0, points).sum(axis=0) / np.maximum((~gaps).sum(axis=0), 1)
        points = np.where(gaps, self._fill, points)
        # about their middle the products below lose no digits to a common offset
        self._centre = points.mean(axis=0) if len(points) else np.zeros(points.shape[1])
        self._points = np.ascontiguousarray(points - self._centre)
        self._squares = np.einsum("ij,ij->i", self._points, self._points)

    def _invert(self) -> None:
        """Make an index of the sparse rows kept; there are no points then."""
        self._inverted = InvertedIndex(self._X, self._inverted)
        self._fill, self._centre, self._columns = np.zeros(0), np.zeros(0), np.zeros(0, np.int64)
        self._points, self._squares = np.zeros((len(self._X), 0)), self._inverted.norms

    def _coordinates_in(self, X: SparseRows, columns: np.ndarray) -> np.ndarray:
        """Return the coordinates of sparse rows in these columns."""
        kinds = self._n_categories[columns]
        size = 8 * len(X) * int(widths(kinds, contrasts=False).sum())
        if size > KEPT_BYTES:
            raise ValueError(
                f"{type(self).__name__} would take {size / 1e9:.2g} GB for {len(X):,} rows in the {len(columns):,} "
                f"columns that they have; expected at most {KEPT_BYTES / 1e9:.2g}: fewer rows at once"
            )
        return coordinates(X.dense_part(columns), kinds)

    def _together(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return other rows as points, and the training points, in the same columns about the same middle."""
        if self._columns is None:
            return self._located(X.dense() if isinstance(X, SparseRows) else X), self._points
        rows = X if isinstance(X, SparseRows) else SparseRows.of(X)
        columns = np.union1d(self._columns, rows.columns())
        fill, centre, training = self._fill, self._centre, self._points
        added = np.setdiff1d(columns, self._columns, assume_unique=True)
        if len(added):
            # in their order: the exact distances are sums from the first column to the last
            ends = np.concatenate([[0], np.cumsum(widths(self._n_categories[self._columns], contrasts=False))])
            at = ends[np.searchsorted(self._columns, added)]
            fill, centre = np.insert(fill, at, 0.0), np.insert(centre, at, 0.0)
            training = np.ascontiguousarray(np.insert(training, at, 0.0, axis=1))
        return _about(self._coordinates_in(rows, columns), fill, centre), training

    def _located(self, X: np.ndarray) -> np.ndarray:
        """Return the points of other rows, about the same middle."""
        points = self._coordinates(X)
        if points.shape[1] != len(self._fill):
            # columns, or directions, that came since the points were placed
            points = np.pad(points, ((0, 0), (0, max(len(self._fill) - points.shape[1], 0))))[:, : len(self._fill)]
        return _about(points, self._fill, self._centre)

    def _blocks(
        self, points: np.ndarray, training: np.ndarray | None = None
    ) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
        """Yield slices of ``points``, their squares and, less these, their squared distances to the training points.

        ``training`` are these in other columns, as ``_together`` returned them.
        """
        training = self._points if training is None else training
        if self._product is None or self._product[0] is not training:
            # |p|² - 2xp in one product: (x, 1) by (-2p, |p|²)
            self._product = training, np.vstack([-2.0 * training.T, self._squares])
        step = max(BLOCK // max(len(training), 1), 1)
        squares = np.einsum("ij,ij->i", points, points)
        # the same memory for all blocks: pages that are new take longer than the product where coordinates are few
        rows = min(step, len(points))
        longer, room = np.ones((rows, points.shape[1] + 1)), np.empty((rows, len(training)))
        for start in range(0, len(points), step):
            part = slice(start, start + step)
            n = len(points[part])
            longer[:n, :-1] = points[part]
            with one_thread():
                np.matmul(longer[:n], self._product[1], out=room[:n])
            yield part, squares[part], room[:n]

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        known = self._columns
        if isinstance(self._X, SparseRows) != (known is not None) or (
            known is not None and widths(self._n_categories[known], contrasts=False).sum() != len(self._fill)
        ):
            raise contradiction(type(self).__name__, "columns are not those of its points; expected one for each")
        self._product = None
        self._placed_categories = self._n_categories
        if known is not None and len(self._X) and not self._intake.has_nominal():
            # states written before there was an index have points
            self._invert()


def _about(points: np.ndarray, fill: np.ndarray, centre: np.ndarray) -> np.ndarray:
    """Return points about a middle, with what a missing value counts as, in C order."""
    gaps = np.isnan(points)
    return np.ascontiguousarray((np.where(gaps, fill, points) if gaps.any() else points) - centre)


def _places_of_new(before: np.ndarray, now: np.ndarray, width: int) -> np.ndarray:
    """Return where coordinates come in among ``width``, for ``np.insert``, as categories are added: int64.

    Parameters
    ----------
    before, now
        Numbers of categories of each feature, as ``widths`` takes them; ``now`` may have more features.
    width
        Coordinates so far.
    """
    old, new = widths(before, contrasts=False), widths(now, contrasts=False)
    # they come at the end of their feature
    added = new.copy()
    added[: len(old)] -= old
    return np.repeat(np.pad(np.cumsum(old), (0, len(new) - len(old)), constant_values=width), added)


_lock = threading.Lock()
_inside = 0
_limit: Any = None


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def one_thread() -> Iterator[None]:
    """Keep the linear algebra library to the calling thread; the last to leave restores its number of threads.

    The limit is the process's: two threads that each set and restored it would leave it at one.
    """
    global _inside, _limit
    with _lock:
        if _inside == 0:
            _limit = _controller().limit(limits=1, user_api="blas")
            _limit.__enter__()
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _limit.__exit__(None, None, None)
                _limit = None
