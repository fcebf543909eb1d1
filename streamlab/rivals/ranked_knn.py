"""The learner RankedKNN: the nearest of the latest rows vote by their ranks."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np

from streamlab.learners.base.parameters import kept, tunable
from streamlab.learners.base.row_learner import CoordinateLearner
from streamlab.learners.base.rows import SparseRows
from streamlab.learners.base.rows_shown import RowsShown, ShownRows
from streamlab.learners.base.state import State, contradiction, stored_length
from streamlab.learners.base.storage import between, consistent, index_into, moved_places
from streamlab.learners.base.storage_rules import LARGEST_COUNT
from streamlab.learners.linear import _kernels as moments
from streamlab.rivals import _ranked_knn as kernels
from streamlab.rivals._ranked_knn import FEWEST, count_index, rebuild_index

__all__ = ["RankedKNN"]

FIRST_PLACES = 512


class RankedKNN(RowsShown, CoordinateLearner):
    """Nearest neighbours among the latest rows; the nearer one is by rank, the more its labels count.

    Of the latest ``window`` rows the ``n_neighbors`` nearest vote: the nearest has 1 vote for each of its labels, the
    next 1/2, then 1/3 and so on. A label's score is its votes over all votes + 0.3, and so below 1: few neighbours say
    little.

    If more than 70 % of the values of the first 100 rows are 0, rows are sparse, and the nearest are those of the
    largest cosine. Else they are those of the smallest Euclidean distance, each value divided by its deviation over all
    rows learned so far. Before row 100 this is decided for each row by the rows so far, its own included.

    Parameters
    ----------
    n_neighbors
        Rows that vote (k).
    window
        Rows remembered: the latest. Fewer follow a drift faster, and know less.
    decision
        Which labels are answered: ``"expected_f1"`` (default), ``"half"``, scores of one half and more, or another rule
        of ``Deciding``.

    Notes
    -----
    A numeric feature is one coordinate, a nominal one of k categories k - 1 indicators (at least one): the first
    category is 0 in all of them. A missing value counts as the mean of its coordinate where rows are dense, and as 0
    where they are sparse. The cosine with a row of zeros is 0. Of equals the newer row is nearer; cosines are
    compared as float32.

    Rows are scored and learned one after the other, also within a chunk. Neighbours are exact: an inverted index gives
    all cosines in the time of the values that a row shares with others, and distances are first found in float32, then
    exactly of the rows that may be the nearest.

    Sources
    -------
    The rule and its numbers are ours; votes by rank as in S. A. Dudani: "The distance-weighted k-nearest-neighbor
    rule", IEEE Transactions on Systems, Man, and Cybernetics 6(4), 1976, in spirit.

    Examples
    --------
    >>> import streamlab as sl
    >>> model = sl.RankedKNN(window=100)
    >>> chunk = next(sl.load("yeast").chunks(300))
    >>> scores, labels = model.test_then_train(chunk.X, chunk.Y)
    >>> model.n_rows, bool(scores.max() < 1)
    (100, True)
    """

    line: ClassVar[str] = "The latest rows like this one vote, the nearer the more: see the memory. Medium."
    plain_words: ClassVar[tuple[str, str]] = ("nearest rows", "the most similar rows vote")
    papers: ClassVar[tuple[str, ...]] = ("dudani1976distance",)
    picture: ClassVar[str] = "memory"
    compile_seconds: ClassVar[float] = 5.0
    _quick: ClassVar = {"n_neighbors": 1, "window": 110}
    n_neighbors: int = tunable(
        1, 100, default=30, limit=10_000, title="Neighbours",
        help="Rows that vote, the nearer the more: more smooth the answer.",
    )  # fmt: skip
    window: int = tunable(
        1, 10_000, default=5000, limit=1_000_000, logarithmic=True, unit="rows", title="Memory",
        help="Rows remembered: fewer follow a drift faster, and know less.",
        says="remembers the latest {value} rows",
    )  # fmt: skip
    _near: np.ndarray = kept("neighbours", dtype=np.int64, fill=-1)
    _queue: np.ndarray = kept("coordinates", dtype=np.int64, saved=False)
    _queue_room: np.ndarray = kept("coordinates", dtype=np.int32, saved=False)
    _queue_first: np.ndarray = kept("coordinates", dtype=np.int32, saved=False)
    _queue_filled: np.ndarray = kept("coordinates", dtype=np.int32, saved=False)
    _top: np.ndarray = kept(1, dtype=np.int64, saved=False)
    _pool_places: np.ndarray = kept("pool", dtype=np.int32, saved=False)
    _pool_values: np.ndarray = kept("pool", saved=False)
    _columns: np.ndarray = kept("columns", "lanes", dtype=np.float32, saved=False)
    _reference: np.ndarray = kept(2, "coordinates", saved=False)

    _list_columns: np.ndarray = kept("list_places", "width", dtype=np.int32, rules=(index_into("coordinates"),))
    _list_values: np.ndarray = kept("list_places", "width")
    _list_lengths: np.ndarray = kept("list_places", dtype=np.int32, rules=(
        between(0),
        consistent(lambda arrays: arrays["list_lengths"] > arrays["list_columns"].shape[1], "at most its columns"),
    ))  # fmt: skip
    _points: np.ndarray = kept("point_places", "coordinates")
    _norms: np.ndarray = kept("places", finite=True)
    _gaps: np.ndarray = kept("places", dtype=np.uint8)
    _asked: np.ndarray = kept("places", dtype=np.int64)
    _right: np.ndarray = kept("places", dtype=np.int64)
    _Y: np.ndarray = kept("places", "labels", dtype=np.uint8, rules=(between(0, 1),))
    _seen: np.ndarray = kept("coordinates", 4, finite=True)
    _counts: np.ndarray = kept(5, dtype=np.int64, rules=(between(0, LARGEST_COUNT),))
    _held_after: np.ndarray = kept(kernels.HISTORY, dtype=np.int64)

    # ------------------------------------------------------------------ arrays

    def _try_further(self, X: np.ndarray) -> None:
        # so many rows that points take the place of lists
        self.test_then_train(np.tile(X, (10, 1)), np.ones((10 * len(X), 2), np.uint8))

    @property
    def now(self) -> int:
        """Number of rows learned."""
        return int(self._counts[kernels.ROWS])

    @property
    def n_rows(self) -> int:
        """Number of rows remembered."""
        return int(self._counts[kernels.HELD])

    @property
    def _is_known_dense(self) -> bool:
        """Whether enough rows were learned to know that they are dense."""
        _, n_values, n_zeros, *_ = self._counts.tolist()
        return self.now >= moments.WARM_UP and n_zeros <= moments.SPARSE * n_values

    def _reset(self) -> None:
        self._lay_out()
        self._take(self.storage.allocate(self._sizes() | dict.fromkeys(("places", "list_places", "point_places"), 0)))

    def _sizes(self) -> dict[str, int]:
        return super()._sizes() | {"neighbours": int(self.n_neighbors)}

    def _used(self) -> dict[str, int]:
        n = self.n_rows
        return {"places": n, "list_places": min(n, len(self._list_lengths)), "point_places": min(n, len(self._points))}

    def _resize(self, places: int, width: int) -> None:
        """Give the arrays this many places, and lists so much room; rows that are known to be dense become points."""
        is_dense = self._is_known_dense
        if is_dense and not len(self._points):
            self._points = np.zeros((len(self._list_lengths), len(self._seen)))
            kernels.write_points(self._model(), self._points)
        sizes = self._sizes() | {
            "places": places,
            "list_places": 0 if is_dense else places,
            "width": 0 if is_dense else width,
            "point_places": places if is_dense else 0,
        }
        self._take(self.storage.resize(self._kept(), sizes))
        self._write_index()

    def _write_index(self) -> None:
        """Write the index of the rows, with room for about as many values again."""
        held, n_coordinates = self.n_rows, len(self._seen)
        filled = np.zeros(n_coordinates, np.int32)
        count_index(self._list_columns[:held], self._list_values[:held], self._list_lengths[:held], filled)
        self._queue_room = np.where(filled, np.maximum(filled + filled // 2, FEWEST), 0).astype(np.int32)
        self._queue, self._queue_first = np.zeros(n_coordinates, np.int64), np.zeros(n_coordinates, np.int32)
        self._queue_filled, self._top = np.zeros(n_coordinates, np.int32), np.zeros(1, np.int64)
        needed = int(self._queue_room.sum()) + FEWEST * max(self._list_columns.shape[1], 1)
        pool = 0 if len(self._points) else 2 * needed
        self._pool_places, self._pool_values = np.zeros(pool, np.int32), np.zeros(pool)
        self._columns = np.zeros((-(-n_coordinates // 4) * 4, len(self._points)), np.float32)
        if len(self._list_lengths):
            rebuild_index(self._model(), held, int(self._counts[kernels.OLDEST]))
        elif len(self._points):
            kernels.write_columns(self._model())

    def _make_room(self, X: Any) -> None:
        """Change the arrays so that the first row of ``X`` can be learned."""
        places, width = len(self._norms), self._list_columns.shape[1]
        if self.n_rows == places and places < self.window:
            places = min(max(2 * places, FIRST_PLACES), int(self.window))
        if not self._is_known_dense:
            row = X[:1].dense()[0] if isinstance(X, SparseRows) else X[0]
            n_values = int(self._widths[row != 0.0].sum())
            width = width if n_values <= width else min(max(n_values, 2 * width), len(self._seen))
        self._resize(places, width)

    def _place_oldest_first(self, n: int) -> None:
        """Keep the newest ``n`` rows, in the order in which they came."""
        held = self.n_rows
        order = (self._counts[kernels.OLDEST] + np.arange(max(held - n, 0), held)) % max(held, 1)
        for name in self.storage.names_of("places", "list_places", "point_places"):
            rows = getattr(self, f"_{name}")
            if len(rows):
                rows[: len(order)] = rows[order]
        self._counts[kernels.OLDEST], self._counts[kernels.HELD] = 0, len(order)

    def _grown(self, n_features: int, n_labels: int) -> None:
        old, columns = self._widths, self._list_columns
        self._lay_out()
        if (old == self._widths[:n_features]).all() and len(self._widths) == n_features:
            super()._grown(n_features, n_labels)
            return
        # where the coordinates that there were are now
        at = moved_places(old, self._widths)
        self._take(self.storage.resize(self._kept(), self._sizes(), {"coordinates": at}))
        if columns.size:
            self._list_columns[:] = at[columns]
        # until now a new nominal feature was missing; a new category was where its feature was
        known = np.zeros(len(self._widths), np.int64)
        known[:n_features] = old
        for feature in np.flatnonzero((self._n_categories > 0) & (known < self._widths)):
            first = self._starts[feature]
            new = np.arange(first + known[feature], first + self._widths[feature])
            self._note_gaps(new, int(first) if known[feature] else -1)
        self._write_index()

    def _note_gaps(self, new: np.ndarray, like: int) -> None:
        """Note that new coordinates were missing where coordinate ``like`` was, -1: in all rows."""
        self._seen[new, moments.GAPS] = self.now if like < 0 else self._seen[like, moments.GAPS]
        held = self.n_rows
        if len(self._points):
            rows = np.ones(held, np.bool_) if like < 0 else np.isnan(self._points[:held, like])
            self._points[np.ix_(np.flatnonzero(rows), new)] = math.nan
        elif self.now <= moments.WARM_UP:
            lengths, columns, values = self._list_lengths[:held], self._list_columns[:held], self._list_values[:held]
            there = np.arange(columns.shape[1]) < lengths[:, None]
            rows = np.ones(held, np.bool_) if like < 0 else (there & (columns == like) & np.isnan(values)).any(axis=1)
            wanted = int(lengths[rows].max(initial=0)) + len(new)
            if wanted > columns.shape[1]:
                self._resize(len(self._norms), wanted)
            for row in np.flatnonzero(rows):
                end = self._list_lengths[row] + len(new)
                self._list_columns[row, end - len(new) : end] = new
                self._list_values[row, end - len(new) : end] = math.nan
                self._list_lengths[row] = end
        else:
            return
        self._gaps[:held] |= rows

    def _stored_sizes(self, state: State) -> tuple[dict[str, int], dict[str, int]]:
        owner = type(self).__name__
        lists, points, places = (stored_length(owner, state, key) for key in ("list_lengths", "points", "norms"))
        sizes = self._sizes() | {"places": places, "list_places": lists, "point_places": points}
        return sizes | {"width": stored_length(owner, state, "list_columns", 1)}, {"places": places}

    def _set_state(self, state: State) -> None:
        self._lay_out()
        super()._set_state(state)
        owner, held, oldest = type(self).__name__, self.n_rows, int(self._counts[kernels.OLDEST])
        n_rows = self.now
        if held != len(self._norms) or held > min(self.window, n_rows):
            raise contradiction(
                owner, f"counts row {kernels.HELD} is {held}; expected the rows of norms, the latest of {n_rows:,}"
            )
        if oldest >= max(held, 1) or (oldest and held < self.window):
            raise contradiction(owner, f"counts row {kernels.OLDEST} is {oldest}; expected one of {held} places")
        for name, rows in (("list_lengths", self._list_lengths), ("points", self._points)):
            if len(rows) not in (0, held) or (
                name == "points" and (len(rows) > 0) == (len(self._list_lengths) > 0) and held
            ):
                raise contradiction(owner, f"{name} has {len(rows)} rows; expected {held}, as lists or as points")
        if len(self._points) and not self._is_known_dense:
            raise contradiction(owner, f"points has {len(self._points)} rows; expected lists, as counts says")
        self._write_index()

    # ------------------------------------------------------------------ learning

    def _score(self, model, X, sparse, Y, start, scores):
        return kernels.run(model, X, *sparse.arrays, Y, start, int(self.window), scores)

    def _tune(self, values) -> None:
        window, k = values.get("window", self.window), values.get("n_neighbors", self.n_neighbors)
        if window != self.window:
            self._place_oldest_first(int(window))
            self._resize(min(len(self._norms), int(window)), self._list_columns.shape[1])
        self._change_near(k)

    # ------------------------------------------------------------------ rows, for people

    def _shown(self) -> ShownRows:
        held = self.n_rows
        order = (self._counts[kernels.OLDEST] + np.arange(held)) % max(held, 1)
        born = np.arange(self.now - held, self.now)
        standing = 1.0 - (self.now - 1 - born) / self.window
        return ShownRows(born, standing, self._asked[order], self._right[order], self._Y[order])

    def _sizes_after(self) -> np.ndarray:
        return self._held_after

    def standing_words(self) -> dict[str, Any]:
        leaves = f"dropped after {self.window:,} rows"
        return {"measure": "time left", "leaves": leaves, "best": 1.0, "worst": 0.0}
