"""See a model learn, in one line: on a stream, or in a loop of one's own that tells its rows one by one."""

from __future__ import annotations

import contextlib
import copy
import logging
import pickle
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Self
from weakref import WeakValueDictionary

import numpy as np
from river.base import Estimator

from streamlab._checks import checked_count, checked_text, shown
from streamlab.lab.learners import named_learners
from streamlab.lab.recipe import UNPACKABLE, pickled
from streamlab.lab.run import Run
from streamlab.learners import LEARNERS, Learner, RiverClassifier
from streamlab.learners.base.parameters import Tunable
from streamlab.learners.one_per_label import is_river_classifier
from streamlab.learners.river_models import last_step
from streamlab.plugins import DOORS
from streamlab.schema import Schema
from streamlab.streams import Drift, Stream, load
from streamlab.streams.readers.river import RiverStream

__all__ = ["see"]

logger = logging.getLogger("streamlab")

BASELINES = {"no change": "NoChange", "majority": "MajorityLabels"}

SPACING_SECONDS, SHARE = 0.1, 0.04
"""Models are copied this often at most, and copying them takes this share of the time at most."""
MOST_COPIES = 8
"""Copies of a model that are kept: a run that goes back shows the newest that there was."""


# ---------------------------------------------------------------------- what a loop tells

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

    def hand_over(self, n_seen: int, schema: Schema) -> None:
        """Let the run have the model as it is now."""
        self.bind(schema)
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

    Parameters
    ----------
    rows
        The first ones, ``(x, y)``: they decide about features, categories and classes.
    classes
        Classes that may come later.
    close
        Hands over the last rows and ends the stream: called where the script ends without it.
    """

    is_live = is_fixed = True

    def __init__(self, rows: Sequence[tuple[dict, Any]], classes: Sequence[Any], close: Callable[[], None]) -> None:
        super().__init__([*rows, *(({}, each) for each in classes)], name="your loop")
        self.dataset, self.n_rows, self._close = (), None, close
        self._arrived: list[tuple[int, np.ndarray, np.ndarray]] = []
        # equal values are one class, as to River: True is 1
        self._same: dict[Any, Any] = {each: each for each in self.schema.classes or ()}
        self._flags: dict[Any, bytes] = {None: bytes(self.schema.n_labels)}
        self.available, self.ended, self.wrong = 0, False, ""

    def arrays(self, rows: Sequence[tuple[dict, Any]]) -> tuple[np.ndarray, np.ndarray]:
        """Return X and Y of the next rows."""
        return self._arrays([(i, (x, self._own(y))) for i, (x, y) in enumerate(rows, self.available)])

    def take(self, X: np.ndarray, Y: np.ndarray) -> None:
        """Add rows, for who waits for them."""
        self._arrived.append((self.available, X, Y))
        self.available += len(Y)

    def flags(self, row: int, y: Any) -> bytes:
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

    def has_rows(self, start: int, n: int) -> bool:
        if not self.ended and not threading.main_thread().is_alive():
            self._close()
        is_there = self.ended or start + n <= self.available
        if self.wrong and not is_there:
            raise ValueError(self.wrong)
        return is_there

    def why_waiting(self) -> str:
        return "your loop hands them over some at a time"

    def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        place = 0
        while True:
            while place < len(self._arrived):
                at, X, Y = self._arrived[place]
                place += 1
                if at + len(Y) > start:
                    yield X[max(start - at, 0) :], Y[max(start - at, 0) :]
            if self.ended:
                return
            time.sleep(SPACING_SECONDS)  # who must not wait asks first


class OwnLoop:
    """Draws River's classifiers while a loop of one's own lets them learn; ``sl.see(model)`` returns one.

    The page comes when the first rows are there, which decide about features, categories and classes. The models are
    copied ten times a second, and less often where that would take more than 4 % of the time; the page
    shows these copies. Its Pause holds the page, not the loop. The rows are kept, 8 bytes a feature.

    Parameters
    ----------
    models
        The loop's models by name: classifiers of River's.
    begin
        Makes a run of a stream and learners, and shows it; returns both. Called once, with the first rows.
    chunk
        That of the run: it goes on when so many rows are there.
    first
        How many rows decide.
    classes
        Classes that may come after these.

    Raises
    ------
    ValueError
        If a model is none of River's classifiers.
    """

    def __init__(
        self,
        models: Mapping[str, Any],
        begin: Callable[[Stream, dict[str, Learner]], tuple[Run, Any]],
        chunk: int,
        first: int,
        classes: Sequence[Any],
    ) -> None:
        self._begin, self._classes = begin, classes
        self._chunk, self._first = checked_count("chunk", chunk, 1), checked_count("first", first, 1)
        for name, model in models.items():
            checked_text("models: name", name)
            if not is_river_classifier(model):
                raise ValueError(f"models[{name!r}] is {shown(model)}; expected one of River's classifiers")
        self._records = {name: LoopRecord() for name in models}
        self._learners = {name: self._learner(name, model).of(model) for name, model in models.items()}
        self._rows: list[tuple[dict, Any]] = []
        self._answers: list[Mapping[str, Any]] = []
        self._drifts: list[Drift] = []
        self._n, self._due = 0, 0.0
        self._stream: LoopStream | None = None
        self.run: Run | None = None
        """The run that is drawn; None before the first rows are there."""
        self.page: Any = None
        """What shows it."""

    def row(self, x: dict[Any, Any], y: Any, y_pred: Any) -> None:
        """Tell of a row that the models have answered and then learned.

        Parameters
        ----------
        x, y
            The row and its class, as River has them.
        y_pred
            What the model answered before it learned the row, None for no answer; of several models by name.
        """
        answers = y_pred if len(self._records) > 1 else {next(iter(self._records)): y_pred}
        if not isinstance(answers, Mapping) or answers.keys() != self._records.keys():
            given = list(answers) if isinstance(answers, Mapping) else shown(answers)
            raise ValueError(f"row {self._n}: y_pred is of {given}; expected answers by name, of {list(self._records)}")
        self._n += 1
        for learner in self._learners.values():
            learner._look(self._n)
        if self._stream is not None and self._stream.wrong:
            return
        self._rows.append((dict(x), y))
        self._answers.append(dict(answers))
        is_first = self._stream is None and self._n >= self._first
        if is_first or (self._stream is not None and self._n % self._chunk == 0 and time.perf_counter() >= self._due):
            self._hand_over()

    def drift(self, about: str = "the stream changed") -> None:
        """Tell that a drift begins with the next row, where you know it: it is marked, and losses are counted from it.

        Parameters
        ----------
        about
            What changes, as a clause: ``"the sensor was exchanged"``.

        Raises
        ------
        ValueError
            If ``about`` is no text.
        """
        checked_text("about", about)
        if not self._drifts or self._drifts[-1].start < self._n:
            self._drifts.append(Drift(self._n, kind="drift", about=about))

    def close(self) -> None:
        """Hand over the last rows: the loop has ended, and the page with it, at its last row."""
        if self._rows:
            self._hand_over()
        if self._stream is not None:
            self._stream.ended = True

    def wait(self) -> None:
        """Close, and serve the page until it is interrupted (Ctrl-C): at the end of a script."""
        self.close()
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                time.sleep(1.0)
        # else its thread would go on, and hold the interpreter
        if self.page is not None:
            self.page.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _learner(self, name: str, model: Any) -> LoopClassifier:
        return LoopClassifier(model.clone()).hear(self._records[name])

    def _hand_over(self) -> None:
        started = time.perf_counter()
        stream, begins = self._stream, self._stream is None
        try:
            if stream is None:
                stream = LoopStream(self._rows, self._classes, self.close)
            self._take(stream, self._rows, self._answers)
        except ValueError as error:
            if stream is None or begins:
                raise
            # the loop goes on: what cannot be drawn is no fault of its models
            self._stop(stream, error)
        self._stream, self._rows, self._answers = stream, [], []
        if begins:
            learners: dict[str, Learner] = {
                name: self._learner(name, learner.classifier) for name, learner in self._learners.items()
            }
            self.run, self.page = self._begin(stream, learners)
        took = time.perf_counter() - started
        self._due = started + max(SPACING_SECONDS, 0.0 if begins else took / SHARE)

    def _take(self, stream: LoopStream, rows: Sequence[tuple[dict, Any]], answers: Sequence[Mapping[str, Any]]) -> None:
        """Let the run have rows, or where one is bad, nothing; and the models as they are, if these are their last."""
        X, Y = stream.arrays(rows)
        flags = [
            {n: stream.flags(row, y) for n, y in each.items()} for row, each in enumerate(answers, stream.available)
        ]
        for name, given in self._records.items():
            given.answers += b"".join(each[name] for each in flags)
            if stream.available + len(rows) == self._n:
                self._learners[name].hand_over(self._n, stream.schema)
        stream.drifts = tuple(drift for drift in self._drifts if drift.start < stream.available + len(rows))
        # last: the run goes on as soon as the rows are there
        stream.take(X, Y)

    def _stop(self, stream: LoopStream, error: ValueError) -> None:
        """End the page, at the last whole chunk before the first bad row."""
        for n in range(self._chunk, len(self._rows), self._chunk):
            try:
                self._take(stream, self._rows[n - self._chunk : n], self._answers[n - self._chunk : n])
            except ValueError:
                break
        late = "; classes= of see names those that come later" if " is new; expected" in str(error) else ""
        stream.wrong = f"{error}{late}"
        logger.warning("the page stops, the loop goes on: %s", stream.wrong)


# ---------------------------------------------------------------------- on a stream


def see(
    stream: Stream | Any,
    models: Any = None,
    *,
    chunk: int = 100,
    baselines: bool = True,
    first: int = 200,
    classes: Sequence[Any] = (),
    **view: Any,
) -> Any:
    """See models learn a stream, tested then trained: in a notebook's cell, or from a script in the browser.

    It is ``Run(stream, models).view(**view)``. A script serves the page on this machine, opens the browser and goes on
    when it is interrupted (Ctrl-C); a page that is loaded again goes on with the run.

    With a model alone, ``seen = see(model)``, the loop is one's own: ``seen.row(x, y, y_pred)`` after each row lets the
    page follow, and ``seen.wait()`` at the end of a script keeps it there. See ``OwnLoop``.

    Parameters
    ----------
    stream
        What ``load`` takes: one of River's data sets, a name, a path, ``(X, y)``, a ``Stream``. For a loop of one's own
        the model, one of River's classifiers, or a dictionary of these by name.
    models
        A learner, a model of River's, or a dictionary of these by name. River's are copied, and begin with what they
        have learned; a model that is taken apart into one for each label begins with nothing.
    chunk
        Instances that learners which answer whole chunks predict before they learn them; River's go row by row. Of a
        slow loop take fewer: the page goes on when so many are there.
    baselines
        Whether learners that repeat the last class, and the most frequent one, run along where each row has one class.
    first, classes
        For a loop of one's own: how many rows decide about features, categories and classes, and classes that may come
        later.
    **view
        Options of the view: ``measures``, ``rate`` (instances a second; None: flat out), ``over``, ``tab``; in a
        script also ``port`` and ``show`` (whether the browser opens).

    Returns
    -------
    The view in a notebook, else the run; for a loop of one's own an ``OwnLoop``.

    Raises
    ------
    ValueError
        As ``Run``.
    ImportError
        If Panel is not installed (the ``notebook`` and ``app`` extras have it).

    Examples
    --------
    >>> from river import datasets, tree
    >>> import streamlab as sl
    >>> sl.see(datasets.ImageSegments(), tree.HoeffdingAdaptiveTreeClassifier(seed=1))  # doctest: +SKIP
    """

    def begin(stream: Stream, learners: Mapping[str, Learner], **options: Any) -> tuple[Run, Any]:
        if baselines and stream.schema.classes is not None:
            learners = {**learners, **{n: LEARNERS.load(k)() for n, k in BASELINES.items() if n not in learners}}
        run = Run(stream, learners, chunk=chunk)
        return run, DOORS.load("see_run")(run, **options, **view)

    if models is None:
        return OwnLoop(_by_name(stream), partial(begin, aside=True), chunk, first, classes)
    stream = stream if isinstance(stream, Stream) else load(stream)
    given = _by_name(models)
    learners = named_learners(given, stream.schema)
    for name, learner in learners.items():
        model = given[name]
        if isinstance(learner, RiverClassifier) and learner is not model and _may_have_learned(model):
            learner.of(copy.deepcopy(model))
    return begin(stream, learners)[1]


def _may_have_learned(model: Any) -> bool:
    """Whether a model of River's is not as it was made: only one that is has a recipe."""
    try:
        return pickled(model) != pickled(model.clone())
    except UNPACKABLE:
        return True


def _by_name(models: Any) -> Mapping[str, Any]:
    is_one = isinstance(models, Estimator) or not isinstance(models, Mapping)
    return {type(last_step(models)).__name__: models} if is_one else models
