"""What a loop of one's own has told: its rows as a stream, and its models as they were."""

from __future__ import annotations

import pickle
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, ClassVar, Self
from weakref import WeakValueDictionary

import numpy as np

from streamlab._checks import shown
from streamlab.lab.recipe import UNPACKABLE
from streamlab.learners import RiverClassifier
from streamlab.learners.base.parameters import Tunable
from streamlab.streams.readers.river import RiverStream

MOST_COPIES = 8
"""Copies of a model that are kept: a run that goes back shows the newest that there was."""
LATE = "(new later)"
"""Stands for each category that the first rows of a loop did not have."""

LoopRow = tuple[dict[Any, Any], Any, dict[str, Any]]
"""A row, its class and the answers to it by model."""

_known: WeakValueDictionary[int, LoopRecord] = WeakValueDictionary()


class LoopRecord:
    """What a loop has told of one model. The loop's thread adds to it, the run's thread reads; no row is changed.

    There is one for each model: copies of a learner, and snapshots of it, have the same one, which goes on.
    """

    def __init__(self) -> None:
        _known[id(self)] = self
        self.answers = bytearray()
        self.events: list[dict[str, Any]] = []
        self.copies: list[tuple[int, bytes | LoopClassifier]] = []

    def __reduce__(self) -> tuple[Any, ...]:
        return _record_of, (id(self),)


def _record_of(number: int) -> LoopRecord:
    return _known[number]


class LoopClassifier(RiverClassifier):
    """One of River's classifiers in a loop that is not ours: its answers are those told, and it is drawn as it was.

    Nothing of it can be tuned here: the model is the loop's.
    """

    has_scores: ClassVar[bool] = False

    def _reset(self) -> None:
        super()._reset()
        self._record = LoopRecord()

    @property
    def tunables(self) -> tuple[Tunable, ...]:  # type: ignore[override]
        """None."""
        return ()

    def hear(self, answers: LoopRecord) -> Self:
        """Take what is told of the loop's model."""
        self._record = answers
        return self

    def _look(self, n_seen: int) -> None:
        # the loop's model has learned a row; its thread alone does this, which needs no turn, and must cost little
        self._record.events += self._read("events", self._model, n_seen)

    def hand_over(self, n_seen: int) -> None:
        """Let the run have the model as it is now; whatever a model raises that cannot be copied."""
        copied: bytes | LoopClassifier
        try:
            # an adaptive tree took 5 ms, a copy of it 16; they are read where they are shown, in the run's thread
            copied = self._pickled()
        except UNPACKABLE:
            copied = self.copy()
        self._record.copies = [*self._record.copies[1 - MOST_COPIES :], (n_seen, copied)]

    def _run_rows(self, X: Any, Y: np.ndarray, start: int, scores: np.ndarray, labels: np.ndarray) -> int:
        if not len(Y):
            return super()._run_rows(X, Y, start, scores, labels)
        first, last, width = self._n_seen, self._n_seen + len(X), labels.shape[1]
        labels[:] = np.frombuffer(self._record.answers[first * width : last * width], np.uint8).reshape(len(X), width)
        scores[:] = labels
        self._n_seen = last
        self._events += [event for event in self._record.events if first < event["position"] <= last]
        copied = [copy for row, copy in self._record.copies if first < row <= last]
        if copied:
            twin = pickle.loads(copied[-1]) if isinstance(copied[-1], bytes) else copied[-1].copy()
            twin._seen.take_mark(self._seen)
            self._model, self._seen = twin._model, twin._seen
        return len(X)


class LoopStream(RiverStream):
    """The rows that a loop has told so far: more come as it goes on.

    A category that is new after the first rows is ``LATE``, a feature that is new then is left out.

    Parameters
    ----------
    rows
        The first ones, ``(x, y)``: they decide about features, categories and classes.
    classes
        Classes that may come later.
    pull
        Takes what the loop has told meanwhile.
    """

    is_live = is_fixed = in_parts = True
    ending = "your loop ended"

    def __init__(self, rows: Sequence[tuple[dict, Any]], classes: Sequence[Any], pull: Callable[[], None]) -> None:
        late = {key: LATE for x, _ in rows for key, value in x.items() if isinstance(value, str)}
        super().__init__([*rows, (late, rows[0][1]), *(({}, each) for each in classes)], name="your loop")
        self.dataset, self.n_rows, self._pull = (), None, pull
        self._arrived: list[tuple[int, np.ndarray, np.ndarray]] = []
        # equal values are one class, as to River: True is 1
        self._same: dict[Any, Any] = {each: each for each in self.schema.classes or ()}
        self._flags: dict[Any, bytes] = {None: bytes(self.schema.n_labels)}
        self.available, self.released = 0, 0
        """Rows that are there; and those that are shown though their chunk lacks some: the loop is quiet."""
        self.ended, self.wrong = False, ""

    def take(self, rows: Sequence[LoopRow], records: Mapping[str, LoopRecord]) -> None:
        """Add rows, and the answers to them; where one is bad, nothing."""
        X, Y = self._arrays([(i, (x, self._own(y))) for i, (x, y, _) in enumerate(rows, self.available)])
        flags = [
            {n: self._flags_of(row, y) for n, y in each[2].items()} for row, each in enumerate(rows, self.available)
        ]
        for name, record in records.items():
            # at their place: who was interrupted here does it once more
            record.answers[self.available * self.schema.n_labels :] = b"".join(each[name] for each in flags)
        # last: the run goes on as soon as the rows are there
        self._arrived.append((self.available, X, Y))
        self.available += len(Y)

    def _flags_of(self, row: int, y: Any) -> bytes:
        """Return the labels of an answer, one byte each; None: there is none."""
        if isinstance(y, dict) and self.schema.classes is not None:
            raise ValueError(f"{self.name}, row {row}: the answer is {shown(y)}; expected a class, as of predict_one")
        found = self._flags.get(y) if isinstance(y, Hashable) else None
        if found is None:
            found = self._arrays([(row, ({}, self._own(y)))])[1].tobytes()
            if isinstance(y, Hashable):
                self._flags[y] = found
        return found

    def _own(self, y: Any) -> Any:
        return self._same.get(y, y) if isinstance(y, Hashable) else y

    def _inputs(self, row: int, x: dict) -> Iterator[tuple[str, Any]]:
        known = vars(self).get("_features")
        for key, value in super()._inputs(row, x):
            if known is None or key in known:
                places = None if known is None else known[key][1]
                yield key, value if places is None or value in places else LATE

    def has_rows(self, start: int, n: int) -> bool:
        self._pull()
        is_there = self.ended or start + n <= self.available or start < self.released
        if self.wrong and not is_there:
            raise ValueError(self.wrong)
        return is_there

    def why_waiting(self) -> str:
        return "your loop is quiet" if self.released == self.available else "your loop hands them over some at a time"

    def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        place = max(bisect_right(self._arrived, start, key=itemgetter(0)) - 1, 0)
        while place < len(self._arrived):
            at, X, Y = self._arrived[place]
            place += 1
            yield X[max(start - at, 0) :], Y[max(start - at, 0) :]
