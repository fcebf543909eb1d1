"""What a learner answers by, and since when: permutation importance, asked beside learning.

How many rows are asked is decided by measured seconds at few instants alone, and each decision is noted with its row in
``paces``, a part of the run's recipe. Whoever goes the same way again, by seek, replay, archive or script, reads
the decisions, and since draws are functions of seed, row and feature, gets the same numbers to the bit.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab.lab.asking import Asking, chosen_features, dense, named_in, table_of, values_at, values_of, with_values
from streamlab.learners import Learner, RiverClassifier
from streamlab.schema import Schema
from streamlab.streams import stacked
from streamlab.streams.draws import uniform

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Importance"]

POINTS = 500
"""Of the past that is kept; reaching them, every second one goes."""
LEAST, OVERHEAD, ROUND = 5, 4e-3, 10
"""Rows asked at a time of who takes longer for them than these seconds; batches between two choices of features."""
WHICH_ROWS = 2**40
"""Key of the draw of the rows that are asked; a feature's own is its number."""

Rows = tuple[Any, np.ndarray]
COUNTS, NUMBERS = ("row", "last", "chunks", "due", "batches", "stride", "least"), ("pace", "credit")
ARRAYS, PAST = ("asked", "held", "sums", "parts"), ("at", "features", "past_sums")


class Importance:
    """Incremental permutation importance of each feature to a learner: by how much its loss grows without it.

    Some rows are answered before they are learned, as they are, and once for each feature with the value that another
    recent row has there; the loss of the scores is their squared error, summed over labels (of classes: Brier). The
    importance is the mean of what the loss grows by, in which the newest rows weigh most. It tells of this learner now,
    not of causes in the world; features that say the same share it, or hide each other's. The learner is not changed.

    Parameters
    ----------
    learner
        The learner, or a River classifier; it learns elsewhere. Without scores, its answers count as 0 and 1.
    schema
        Features and labels; default: those that the learner is bound to.
    name
        The learner's, in ``paces``.
    before
        Gives chunks X and Y of the ``window`` rows before a position, to go on amid a stream; None: from row 0.
    options
        ``rows`` of 100 that are asked at most, 20 by default; ``alpha``, the part of the mean that 100 rows of the
        stream take over from those before, 0.05; ``window``, latest rows from which values are drawn, 500; ``most``
        features that are asked, 30 (of more, those known to matter, named in the learner's ``nodes``, or varying with a
        label, and three others by turns); ``share`` of the learner's own time that asking may take, 0.1, None for no
        limit; ``seed`` of the draws, 0; ``paces`` and ``spans``.

    Raises
    ------
    ValueError
        For an option that is unknown or out of range, or a learner that is bound to other columns.

    Notes
    -----
    F. Fumagalli, M. Muschalik, E. Hüllermeier, B. Hammer: Incremental permutation feature importance (iPFI): towards
    online explanations on data streams. Machine Learning 112, 2023, 4863-4903.

    Examples
    --------
    >>> import streamlab as sl
    >>> stream, model = sl.load("yeast"), sl.SMART(seed=1)
    >>> importance = sl.Importance(model.bind(stream.schema), share=None)
    >>> for chunk in stream.chunks(100, stop=600):
    ...     importance.ask(chunk.X, chunk.Y)
    ...     scores, labels = model.test_then_train(chunk.X, chunk.Y)
    >>> importance.table().columns.tolist()
    ['position', 'feature', 'value', 'error']
    """

    def __init__(
        self,
        learner: Any,
        schema: Schema | None = None,
        *,
        name: str = "",
        before: Callable[[int], Iterable[Rows]] | None = None,
        **options: Any,
    ) -> None:
        self.asking = options.get("asking") or Asking.of(options) or Asking()
        self.learner = learner if isinstance(learner, Learner) else RiverClassifier(learner).of(learner)
        self.schema = self.learner.schema if schema is None else schema
        bound = self.learner.schema if self.learner.schema.n_features else self.learner.bind(self.schema).schema
        if (other := bound.difference(self.schema)) is not None:
            raise ValueError(f"learner: it is bound to another schema: {other}")
        self._before, self._name, self._n_features = before, name, self.schema.n_features
        self._recent: list[Rows] | None = None if before else []
        # seconds of the learner, for how many rows; of asking, for how many: of late, and (all of asking) in all
        self._clock, self._total, self._ended = np.zeros(4), np.zeros(3), time.thread_time()
        self._width, slots = (min(self._n_features, times * self.asking.most) for times in (1, 2))
        self.row, self.last, self.chunks, self.due, self.batches, self.stride = 0, 0, 0, 2, 0, 1
        self.pace, self.credit, self.per_row = 0.0 if self.asking.share else float(self.asking.rows), 0.0, 0.0
        self.asked, self.least = np.arange(self._width), self.asking.rows
        # which features have sums (-1: none), as ``values_of`` takes them; and the growth of each label's loss
        self.held = np.full(slots, -1) if self._n_features > self._width else np.arange(slots)
        self.sums, self.parts = np.zeros((5, slots)), np.zeros((slots, self.schema.n_labels))
        self._past: list[tuple[int, np.ndarray, np.ndarray]] = []

    def ask(self, X: Any, Y: Any, *, at: int | None = None) -> None:
        """Ask about some rows of a chunk, which the learner has not learned yet.

        Parameters
        ----------
        X
            float64 (n, n_features), NaN for missing, a nominal value its category's index; or CSR; or River's x.
        Y
            uint8 (n, n_labels); or River's y.
        at
            Position of the first row in the stream; default: after those before.
        """
        if isinstance(X, dict):
            X, classes = self.learner._row(X, grow=False).values, self.schema.classes
            Y = [[Y.get(each, 0) for each in self.schema.labels] if classes is None else [c == Y for c in classes]]
        Y, n, own = np.asarray(Y, np.uint8), len(Y), self._before is None
        if X.shape != (n, self._n_features) or Y.shape != (n, self.schema.n_labels):
            wanted = f"{self._n_features} features and {self.schema.n_labels} labels"
            raise ValueError(f"X and Y have the shapes {X.shape} and {Y.shape}; expected {wanted}")
        entered = time.thread_time()
        if own:
            self.spent(entered - self._ended)
        elif at not in (None, self.row):  # rows between have passed unasked
            self._recent = None
        self.row = self.row if at is None else at
        recent = self._rows()
        if recent and n and self._width:
            self._decide()
            self.credit += self.pace * n / 100
            m = min(int(self.credit), -(-self.asking.rows * n // 100))
            if self.asking.share is not None and self.chunks <= 2:  # to learn what it costs
                m = min(2 if self.chunks == 1 else self.least, n)
            elif self.credit < self.least:
                m = 0
            if m > 0:
                began, self.credit = time.thread_time(), max(0.0, self.credit - m)
                self._ask(X, Y, m)
                if self.chunks > 1:  # the first time takes longer
                    self._clock[2:] += time.thread_time() - began, m
        recent.append((X, Y))
        while sum(len(each) for _, each in recent[1:]) >= self.asking.window:
            del recent[0]
        self.chunks, self.row = self.chunks + 1, self.row + n
        self._clock[1] += n
        self._ended = time.thread_time()
        self._total[1:] += n, self._ended - entered

    def spent(self, seconds: float) -> None:
        """Tell how long the learner itself took; in a loop of one's own it is the time between two calls of ``ask``."""
        self._clock[0] += seconds
        self._total[0] += seconds

    def _decide(self) -> None:
        """Decide at few instants how many rows are asked from here on, or do as was decided here before."""
        paces = self.asking.paces.get(self._name, [])
        is_noted = any(row == self.row for row, _, _ in paces)
        if self.asking.share is None or (self.chunks < self.due and not is_noted):
            return
        self.due += max(1, self.due // 2)
        if not is_noted:
            paces = self.asking.paces.setdefault(self._name, [])
            learned, passed, asked, rows = self._clock.tolist()
            # less than the share: what it costs beside, caches and prices
            (whole, of, used), share = self._total.tolist(), 0.7 * self.asking.share
            pace, least = self.pace, self.least
            if passed:
                least = LEAST if LEAST * (self._width + 1) * learned / passed > OVERHEAD else self.asking.rows
            if asked and passed:
                # until the next instant half as many rows pass as have: what was used beyond the share is made up for
                can = share * max(learned / passed, self.per_row)
                left = share * max(whole, of * self.per_row) - used
                pace = 100 * max(can / 4, can + 2 * left / max(of, 1)) * rows / asked
            paces.append((self.row, min(float(f"{pace:.2g}"), float(self.asking.rows)), least))
        self.pace, self.least = next((pace, least) for row, pace, least in paces if row == self.row)
        self._clock /= 2

    def _rows(self) -> list[Rows]:
        if self._recent is None:
            self._recent = [] if self._before is None else list(self._before(self.row))
        return self._recent

    def latest(self) -> Rows:
        """Return X and Y of the rows from which values are drawn."""
        X, Y = (stacked(parts)[-self.asking.window :] for parts in zip(*self._rows(), strict=True))
        return X, Y

    def _ask(self, X: Any, Y: np.ndarray, m: int) -> None:
        asking, recent = self.asking, self.latest()
        if self._n_features > self._width and self.batches % ROUND == 0:
            self._choose(*recent)
        features, rows = self.asked, np.arange(self.row, self.row + len(Y))
        draws = uniform(asking.seed, np.append(features, WHICH_ROWS)[None], rows[:, None])
        chosen = np.sort(draws[:, -1].argsort(kind="stable")[:m])
        x, truth = X[chosen], Y[chosen]
        given = values_at(recent[0], (draws[chosen, :-1] * len(recent[1])).astype(np.int64), features)
        row, place = (given != dense(x, features)).nonzero()
        scores, _ = self.answers(x, row, features[place], given[row, place])
        loss, lost = (scores[:m] - truth) ** 2, (scores[m:] - truth[row]) ** 2
        grown = np.zeros((m, len(features), truth.shape[1]))
        grown[row, place] = lost - loss[row]
        kept = (1 - asking.alpha) ** ((self.row - self.last) / 100)
        places, parts = self._places(features), grown.sum(axis=0)
        both = parts.sum(axis=1)
        self.sums *= [[kept], [kept], [kept**2], [kept**2], [kept**2]]
        self.sums[:2, places] += [np.full(len(both), m), both]
        self.sums[2:, places] += [np.full(len(both), m * m), m * both, both * both]
        self.parts *= kept
        self.parts[places] += parts
        self.last = self.row
        if self.batches % self.stride == 0:
            self._past.append((self.row + len(Y), features, self.sums[:, places]))
            if len(self._past) == POINTS:
                self._past, self.stride = self._past[1::2], 2 * self.stride
        self.batches += 1

    def answers(self, x: Any, row: np.ndarray, features: np.ndarray, values: np.ndarray) -> Rows:
        """Return scores and labels of the rows ``x``, then of ``x[row]`` with one other value each."""
        scores, labels = self.learner.answer_many(stacked([x, with_values(x[row], features, values)]))
        return (scores if self.learner.has_scores else labels.astype(np.float64)), labels

    def _choose(self, X: Any, Y: np.ndarray) -> None:
        named, matters = named_in(self.learner.nodes(), self.schema), np.zeros(self._n_features)
        value, error = values_of(self.sums)
        matters[self.held[value > 2 * error]] = 1
        self.asked = chosen_features(X, Y, named, matters, self._width, self.batches // ROUND)

    def _places(self, features: np.ndarray) -> np.ndarray:
        """Return where the sums of features are; new ones take the places of those that matter least."""
        if self._n_features == self._width:
            return features
        new = np.setdiff1d(features, self.held)
        if len(new):
            least = np.where(self.held < 0, -np.inf, values_of(self.sums)[0])
            least[np.isin(self.held, features)] = np.inf
            free = np.argsort(least, kind="stable")[: len(new)]
            self.held[free], self.sums[:, free], self.parts[free] = new, 0.0, 0.0
        order = np.argsort(self.held, kind="stable")
        return order[np.searchsorted(self.held, features, sorter=order)]

    def points(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the past, bounded: rows passed (points,), and (points, asked) features, their values and errors."""
        at, features, sums = self._points()
        return at, features, *values_of(np.moveaxis(sums, 1, 0))

    def _points(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        at, features, sums = zip(*self._past, strict=True) if self._past else [()] * 3
        both = np.array(features, np.int64), np.array(sums)
        return np.array(at, np.int64), both[0].reshape(-1, self._width), both[1].reshape(-1, 5, self._width)

    def table(self) -> pd.DataFrame:
        """Return the importance along the way: a row for each point, by ``position``, and feature asked then.

        Columns: ``position``, rows passed; ``feature``; ``value``, by how much the loss grows without it; ``error``,
        its standard error, NaN of a single batch. A value within two errors of 0 says that it does not matter.
        """
        return table_of(self.schema, *self.points())

    def state(self) -> dict[str, Any]:
        """Return the state, as a flat dictionary of arrays (not copies) and plain values; clocks are not in it."""
        past = dict(zip(PAST, self._points(), strict=True))
        return {name: vars(self)[name] for name in (*COUNTS, *NUMBERS, *ARRAYS)} | past

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a ``state()``, whose arrays are its own from now on."""
        vars(self).update({name: state[name] for name in (*COUNTS, *NUMBERS, *ARRAYS)})
        at, *columns = (state[name] for name in PAST)
        self._past = list(zip(at.tolist(), *columns, strict=True))
        self._recent = None if self._before else self._recent
