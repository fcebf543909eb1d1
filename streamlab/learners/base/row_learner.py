"""How learners take rows: one by one in a kernel, as points over coordinates, in chunks, or a table as a whole."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from streamlab.bundle import Bundle
from streamlab.learners.base.decision import Deciding, Decision
from streamlab.learners.base.estimator import StreamEstimator
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import kept, like
from streamlab.learners.base.rows import SparseRows, joined, widened
from streamlab.learners.base.state import contradiction
from streamlab.learners.base.storage import between
from streamlab.schema import Feature

NO_ROWS = SparseRows.none(0)
NO_ARRAY = np.zeros((0, 0))


class RowLearner(Learner):
    """A learner whose kernel answers rows and learns each after it was answered, until its arrays have no room."""

    predicts_whole_chunks: ClassVar[bool] = False
    _follows: ClassVar[Any] = False

    def _decided(self, scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
        return labels

    def _followed(self, scores: np.ndarray, labels: np.ndarray, Y: np.ndarray) -> np.ndarray:
        return labels

    @abstractmethod
    def _run_rows(self, X: Any, Y: np.ndarray, start: int, scores: np.ndarray, labels: np.ndarray) -> int:
        """Answer rows from ``start`` on, and learn them if ``Y`` has rows.

        Returns
        -------
        int
            The row for which the arrays have no room, of which nothing is learned yet; or the number of rows.
        """

    @abstractmethod
    def _make_room(self, X: Any) -> None:
        """Change the arrays so that the first row of ``X`` can be learned."""

    def _predict(self, X, missing):
        scores, labels = self._run(X, np.zeros((0, len(self._labels)), np.uint8))
        return scores, self._decided(scores, labels)

    def _learn(self, X, Y, missing) -> None:
        scores, labels = self._run(X, Y)
        if self._follows:
            self._followed(scores, labels, Y)

    def _test_then_train(self, X, Y, missing):
        scores, labels = self._run(X, Y)
        return scores, self._followed(scores, labels, Y)

    def _scores_row_by_row(self, X, Y, missing):
        # nobody asks which labels it answers, and to choose them takes longer than to score where there are many
        return super()._scores_row_by_row(X, Y, missing) if self._follows else self._run(X, Y)[0]

    def _run(self, X: Any, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the answers to rows; with labels they are learned too, each after it was answered."""
        n, n_labels, done = len(X), len(self._labels), 0
        scores, labels = np.zeros((n, n_labels)), np.zeros((n, n_labels), np.uint8)
        while (done := self._run_rows(X, Y, done, scores, labels)) < n:
            self._make_room(X[done:])
        return scores, labels


# ---------------------------------------------------------------------- coordinates


def category_counts(features: Sequence[Feature]) -> np.ndarray:
    """Return how many categories each feature has, int64 (n_features,); 0 for a numeric one."""
    return np.array([len(feature.categories or ()) for feature in features], np.int64)


def check_categories(owner: str, name: str, found: np.ndarray, expected: np.ndarray) -> None:
    """Raise a ValueError unless what a state has of the features, under this name, is what follows from the schema."""
    if not np.array_equal(found, expected):
        raise contradiction(
            owner, f"{name} is another; expected {expected.tolist()[:8]} …, as the schema's features have"
        )


def widths(n_categories: np.ndarray, contrasts: bool) -> np.ndarray:
    """Return how many columns each feature takes, int64 (n_features,); parameters are those of ``coordinates``."""
    counts = np.asarray(n_categories, np.int64)
    return np.where(counts <= 2, 1, counts - 1 if contrasts else counts)


def coordinates(X: np.ndarray, n_categories: np.ndarray, contrasts: bool = False) -> np.ndarray:
    """Return the points of a checked chunk.

    Parameters
    ----------
    X
        float64 (n, n_features), a nominal value its category's index, NaN missing.
    n_categories
        float64 (n_features,), 0 where a feature is numeric.
    contrasts
        How a nominal feature of three categories and more is coded. False: a column for each category, so that two
        different categories are at distance 1, whichever they are. True: one column less, 1 in that of the category
        and 0 for the first, so that the columns are not linearly dependent. One of two categories is 0 and 1.

    Returns
    -------
    numpy.ndarray
        float64 (n, width): NaN in all columns of a missing value, or of a category not among those counted. ``X``
        itself where no feature has more than two categories.
    """
    if not (n_categories > 2).any():
        return X
    width = widths(n_categories, contrasts)
    starts = np.concatenate([[0], np.cumsum(width)])
    points = np.empty((len(X), int(starts[-1])))
    plain = n_categories <= 2
    points[:, starts[:-1][plain]] = X[:, plain]
    for feature in np.flatnonzero(~plain):
        values, k = X[:, feature], int(n_categories[feature])
        categories = np.arange(1 if contrasts else 0, k)
        code = (values[:, None] == categories) * (1.0 if contrasts else math.sqrt(0.5))
        code[~(values < k)] = math.nan
        points[:, starts[feature] : starts[feature + 1]] = code
    return points


class CoordinateLearner(Deciding, RowLearner):
    """A learner of sparse and dense rows over coordinates, which answers labels whose scores are at least one half.

    A numeric feature is one coordinate, a nominal one of k categories k - 1 (at least one): the first category is 0 in
    all of them.
    """

    takes_sparse: ClassVar[bool] = True
    _bundle: ClassVar[type[Bundle]]
    """The arrays that the kernel takes: those that the class declares, and ``starts`` and ``n_categories``."""

    decision: Decision = like(default="expected_f1", kw_only=True)
    # coordinates of each feature, and its first
    _widths: np.ndarray = kept()
    _starts: np.ndarray = kept()
    # the arrays packed for kernels, if they are
    _packed: list[Any] = kept()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        known = CoordinateLearner.storage.arrays
        own = [name for name, array in cls.storage.arrays.items() if name not in known and not array.optional]

        class Model(Bundle, names=(*own, "starts", "n_categories")):
            """What is learned."""

        cls._bundle = Model

    @abstractmethod
    def _score(
        self, model: Any, X: np.ndarray, sparse: SparseRows, Y: np.ndarray, start: int, scores: np.ndarray
    ) -> int:
        """Do what ``_run_rows`` does, of ``X`` or, if it has no rows, ``sparse``."""

    def _lay_out(self) -> None:
        """Find which coordinates are whose."""
        self._packed = []
        self._widths = widths(self._n_categories, contrasts=True)
        self._starts = np.cumsum(self._widths) - self._widths

    def _sizes(self) -> dict[str, int]:
        return super()._sizes() | {"coordinates": int(self._widths.sum())}

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_packed": []}

    def _model(self) -> Any:
        """Return the arrays as kernels take them: to pack them takes as long as 20 rows, so they stay packed."""
        arrays = {name: getattr(self, f"_{name}") for name in self._bundle.names}
        if not self._packed or any(getattr(self._packed[0], name) is not array for name, array in arrays.items()):
            self._packed = [self._bundle(**arrays)]
        return self._packed[0]

    def _run_rows(self, X, Y, start, scores, labels):
        array, sparse = (NO_ARRAY, X) if isinstance(X, SparseRows) else (X, NO_ROWS)
        done = self._score(self._model(), array, sparse, Y, start, scores)
        np.greater_equal(scores, 0.5, out=labels.view(np.bool_))
        return done


# ---------------------------------------------------------------------- chunks


class Piece(NamedTuple):
    """Rows ``start`` to ``stop`` of those that came; whether something is due after them, and a chunk is full."""

    start: int
    stop: int
    is_due: bool
    is_full: bool


def pieces(n: int, since: int, every: int, warming_up: bool) -> Iterator[Piece]:
    """Cut ``n`` new rows where a chunk of ``every`` rows is full, so that no cut of the stream changes what is learned.

    Parameters
    ----------
    n
        Number of new rows.
    since
        Rows since the last full chunk.
    every
        Rows of a chunk, 1 or more.
    warming_up
        Whether no chunk has been full yet. Then something is also due whenever the rows have doubled (1, 2, 4, ...), so
        that a learner answers before its first chunk is full.
    """
    start = 0
    while start < n:
        ahead = max(every - since, 1)
        if warming_up:
            ahead = min(ahead, (1 << since.bit_length()) - since)
        stop = min(start + ahead, n)
        since += stop - start
        is_full = since >= every
        yield Piece(start, stop, is_full or (warming_up and stop - start == ahead), is_full)
        if is_full:
            since, warming_up = 0, False
        start = stop


class ChunkCounter(StreamEstimator):
    """Counts the rows of the present chunk; needs the parameter ``chunk``."""

    chunk: int = kept()
    # rows since the last full chunk, and whether there was none yet
    _since: int = kept(low=0)
    _warming_up: bool = kept(start=True, key="young")

    @property
    def _rows_of_chunk(self) -> int:
        """Rows of the present chunk."""
        return int(self.chunk)

    def _pieces(self, n: int) -> Iterator[Piece]:
        """Cut ``n`` new rows where something is due, and count those of each piece before it is learned."""
        done = 0
        while done < n:
            # the next chunk may have another length
            _, rows, is_due, is_full = next(pieces(n - done, self._since, self._rows_of_chunk, self._warming_up))
            self._since = 0 if is_full else self._since + rows
            self._warming_up = self._warming_up and not is_full
            yield Piece(done, done + rows, is_due, is_full)
            done += rows


class ChunkBuffer(ChunkCounter):
    """Keeps the rows of the present chunk."""

    # an array, or ``SparseRows`` where these came
    _chunk_X: Any = kept("chunk_rows", "features", sparse=True, key="held_X")
    _chunk_Y: np.ndarray = kept("chunk_rows", "labels", dtype=np.uint8, rules=(between(0, 1),), key="held_Y")

    def _fill_chunk(self, X: Any, Y: np.ndarray) -> None:
        self._chunk_X = joined(self._chunk_X, X)
        self._chunk_Y = np.concatenate([self._chunk_Y, Y])

    def _empty_chunk(self) -> None:
        self._chunk_X = np.zeros((0, self._chunk_X.shape[1]))
        self._chunk_Y = self._chunk_Y[:0].copy()

    def _widen_chunk(self) -> None:
        """Give its rows the columns that have come since."""
        self._chunk_X = widened(self._chunk_X, self._features)
        self._chunk_Y = np.pad(self._chunk_Y, ((0, 0), (0, len(self._labels) - self._chunk_Y.shape[1])))


# ---------------------------------------------------------------------- a table as a whole


class BatchFace(Learner):
    """A learner whose ``fit`` learns a table as a whole, by ``_fit``, and not row by row."""

    def _fit_table(self, X: Any, y: Any) -> None:
        rows, Y, _ = self._checked(X, y)
        # of a table that is learned as a whole nothing is an outlier
        self._intake.outliers.judges = False
        self._intake.learn(rows, Y)
        self._intake.outliers.judge_from_here()
        self._fit(rows.values, Y)

    @abstractmethod
    def _fit(self, X: np.ndarray, Y: np.ndarray) -> None:
        """Learn checked rows as a whole, having learned nothing before."""
