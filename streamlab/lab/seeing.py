"""See a model learn, in one line: on a stream, or in a loop of one's own that tells its rows one by one."""

from __future__ import annotations

import contextlib
import copy
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Self

from river.base import Estimator

from streamlab._checks import check_known, checked_count, checked_flag, checked_text, one_line, shown, with_type
from streamlab.lab.asking import Asking
from streamlab.lab.drift_watch import named_detectors
from streamlab.lab.learners import named_learners
from streamlab.lab.loop_stream import LoopClassifier, LoopRecord, LoopRow, LoopStream
from streamlab.lab.recipe import UNPACKABLE, pickled
from streamlab.lab.run import Run
from streamlab.lab.view_options import check_view
from streamlab.learners import LEARNERS, Learner, RiverClassifier
from streamlab.learners.one_per_label import is_river_classifier
from streamlab.learners.river_models import last_step
from streamlab.plugins import HOOKS
from streamlab.streams import Drift, Stream, load

__all__ = ["see"]

logger = logging.getLogger("streamlab")

BASELINES = {"no change": "NoChange", "majority": "MajorityLabels"}

SPACING_SECONDS, SHARE = 0.1, 0.04
"""Models are copied this often at most, and copying them takes this share of the time at most."""
QUIET_SECONDS, LOOK_SECONDS = 0.4, 0.1
"""A loop that tells nothing for so long rests; and how often its rows are taken."""


class OwnLoop:
    """Draws River's classifiers while a loop of one's own lets them learn; ``sl.see(model)`` returns one.

    The page comes when the first rows are there, which decide about features, categories and classes. The models are
    copied ten times a second, and less often where that would take more than 4 % of the time; the page
    shows these copies. Its Pause holds the page, not the loop. The rows are kept, 8 bytes a feature.

    What cannot be shown stops the page, which says why, as a warning does once: never the loop.

    Parameters
    ----------
    models
        The loop's models by name: classifiers of River's.
    begin
        Makes a run of a stream and learners, and shows it; returns both. Called once, with the first rows.
    chunk
        That of the run: a point of its curves.
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
        self._make, self._classes = begin, classes
        self._chunk, self._first = chunk, checked_count("first", first, 1)
        for name, model in models.items():
            checked_text("models: name", name)
            if not is_river_classifier(model):
                raise ValueError(f"models[{name!r}] is {shown(model)}; expected one of River's classifiers")
        self._records = {name: LoopRecord() for name in models}
        self._learners: dict[str, LoopClassifier] = {}
        # the loop's thread adds to it, which counts the row; what has been taken from it is None
        self._rows: list[LoopRow | None] = []
        self._drifts: list[Drift] = []
        self._due, self._latest_at, self._closing, self._wrong = 0.0, 0.0, False, ""
        self._stream: LoopStream | None = None
        self._pulling, self._enough, self._begun = threading.RLock(), threading.Event(), threading.Event()
        self.run: Run | None = None
        """The run that is drawn; None before the first rows are there."""
        self.page: Any = None
        """What shows it."""
        for name, model in models.items():
            with self._watching(f"models[{name!r}] cannot be copied"):
                self._learners[name] = self._learner(name, model).of(model)
        threading.Thread(target=self._follow, name="streamlab loop", daemon=True).start()

    def row(self, x: dict[Any, Any], y: Any, y_pred: Any) -> None:
        """Tell of a row that the models have answered and then learned.

        Parameters
        ----------
        x, y
            The row and its class, as River has them; a text as ``{"body": text}``, with ``on="body"`` in the model.
        y_pred
            What the model answered before it learned the row, None for no answer; of several models by name.
        """
        if self._wrong:
            return
        try:
            answers = y_pred if len(self._records) > 1 else {next(iter(self._records)): y_pred}
            if not isinstance(answers, Mapping) or answers.keys() != self._records.keys():
                given = list(answers) if isinstance(answers, Mapping) else shown(answers)
                raise ValueError(f"y_pred is of {given}; expected answers by name, of {list(self._records)}")
            if not isinstance(x, Mapping):
                text = '; of a text {"body": text}, and on="body" in what reads it' if isinstance(x, str) else ""
                raise ValueError(f"x is {shown(x)}; expected a dictionary{text}")
            self._rows.append((dict(x), y, dict(answers)))
            self._latest_at = now = time.perf_counter()
            n = len(self._rows)
            for learner in self._learners.values():
                learner._look(n)
            if not self._begun.is_set():
                if n >= self._first:
                    self._begin()
            # a slow loop need not wait for its chunk
            elif now >= self._due and (n % self._chunk == 0 or now >= self._due + QUIET_SECONDS):
                self._copy()
        except Exception as error:
            self._failed(f"row {len(self._rows)}", error)

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
        if not self._drifts or self._drifts[-1].start < len(self._rows):
            self._drifts.append(Drift(len(self._rows), kind="drift", about=about))

    def close(self) -> None:
        """Hand over the last rows: the loop has ended, and the page with it, at its last row."""
        if self._rows and not self._wrong:
            if not self._begun.is_set():
                self._begin()
            with self._watching("the last row"):
                self._copy()
        self._closing = True

    def wait(self) -> None:
        """Close, and serve the page until it is interrupted (Ctrl-C): at the end of a script."""
        self.close()
        if self.page is None:
            return
        with contextlib.suppress(KeyboardInterrupt):
            while True:
                time.sleep(1.0)
        # else its thread would go on, and hold the interpreter
        self.page.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------ in the loop's thread

    @contextlib.contextmanager
    def _watching(self, what: str = "") -> Iterator[None]:
        """What cannot be watched stops the page: it is no fault of the loop, nor of its models."""
        try:
            yield
        except Exception as error:
            self._failed(what, error)

    def _failed(self, what: str, error: Exception) -> None:
        why = one_line(error) if isinstance(error, ValueError) else with_type(error)
        late = "; classes= of see names those that come later" if " is new; expected" in why else ""
        if not self._wrong:
            self._wrong = f"{what}{': ' if what else ''}{why}{late}"
            logger.warning("the loop goes on, its page does not: %s", self._wrong)

    def _learner(self, name: str, model: Any) -> LoopClassifier:
        return LoopClassifier(model.clone()).hear(self._records[name])

    def _begin(self) -> None:
        """Let the page be made, and wait for it: not in this thread, which may be interrupted, and come here again."""
        self._enough.set()
        self._begun.wait()
        if not self._wrong:
            self._copy()

    def _copy(self) -> None:
        """Let the run have the models as they are."""
        started, n = time.perf_counter(), len(self._rows)
        for name, learner in self._learners.items():
            with self._watching(f"models[{name!r}] cannot be copied"):
                learner.hand_over(n)
        done = time.perf_counter()
        self._due = started + max(SPACING_SECONDS, (done - started) / SHARE)

    # ------------------------------------------------------------------ in threads of its run

    def _follow(self) -> None:
        """Make the page when there are enough rows; then take what is told, so that no row waits to be asked for."""
        self._enough.wait()
        with self._watching("the page does not come"):
            rows = [each[:2] for each in self._rows if each is not None]
            stream = LoopStream(rows, self._classes, self._pull)
            for learner in self._learners.values():
                learner.bind(stream.schema)
            self._stream = stream
            self._pull()
            learners: dict[str, Learner] = {
                name: self._learner(name, learner.classifier) for name, learner in self._learners.items()
            }
            self.run, self.page = self._make(stream, learners)
        self._begun.set()
        while self._stream is not None and not (self._stream.ended or self._stream.wrong):
            time.sleep(LOOK_SECONDS)
            self._pull()

    def _pull(self) -> None:
        """Take the rows that the loop has told, where one is bad those before it; of a quiet loop the models, too."""
        stream = self._stream
        if stream is None or stream.ended or stream.wrong:
            return
        with self._pulling:
            is_last = self._closing or not threading.main_thread().is_alive()
            is_quiet = is_last or time.perf_counter() - self._latest_at > QUIET_SECONDS
            wrong, start, n = self._wrong, stream.available, len(self._rows)
            if is_quiet and not self._closing:
                self._copy_at_rest(n)
            stream.drifts = tuple(drift for drift in self._drifts if drift.start < n)
            rows = [each for each in self._rows[start:n] if each is not None]
            wrong = self._take(stream, rows) or wrong
            self._rows[start : stream.available] = [None] * (stream.available - start)
            if is_quiet or wrong:
                stream.released = stream.available
            stream.wrong, stream.ended = wrong, is_last and not wrong

    def _take(self, stream: LoopStream, rows: Sequence[LoopRow]) -> str:
        """Let the run have rows, up to the first bad one; return what is wrong with it."""
        try:
            stream.take(rows, self._records)
        except Exception:
            for each in rows:
                with self._watching():
                    stream.take([each], self._records)
                if self._wrong:
                    return self._wrong
        return ""

    def _copy_at_rest(self, n: int) -> None:
        """Let the run have the models that the loop, which learns nothing now, left with its last row."""
        for record, learner in zip(self._records.values(), self._learners.values(), strict=True):
            if not record.copies or record.copies[-1][0] < n:
                with contextlib.suppress(Exception):
                    learner.hand_over(n)


# ---------------------------------------------------------------------- on a stream


def see(
    stream: Stream | Any,
    models: Any = None,
    *,
    chunk: int = 100,
    baselines: bool = True,
    first: int = 200,
    classes: Sequence[Any] = (),
    detectors: Mapping[str, Any] | None = None,
    importance: bool | Mapping[str, Any] = False,
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
    detectors
        River's drift detectors by name, as of ``Run``.
    importance
        Whether models are asked which features matter to them, also while nobody looks at *What matters*; as of
        ``Run``.
    **view
        Options of the view: ``measures``, ``rate`` (instances a second; None: flat out), ``over``, ``tab``,
        ``compared``, ``dark``; in a script also ``port`` and ``show`` (whether the browser opens).

    Returns
    -------
    The view in a notebook, else the run; for a loop of one's own an ``OwnLoop``.

    Raises
    ------
    ValueError
        As ``Run``; for options that there are not.
    ImportError
        If Panel is not installed (the ``notebook`` and ``app`` extras have it).

    Examples
    --------
    >>> from river import datasets, tree
    >>> import streamlab as sl
    >>> sl.see(datasets.ImageSegments(), tree.HoeffdingAdaptiveTreeClassifier(seed=1))  # doctest: +SKIP
    """

    check_known(check_view, "see", view)
    check_view(**view)
    checked_count("chunk", chunk, 1)
    checked_flag("baselines", baselines)
    named_detectors(detectors)
    Asking.of(importance)

    def begin(stream: Stream, learners: Mapping[str, Learner], **options: Any) -> tuple[Run, Any]:
        if baselines and stream.schema.classes is not None:
            learners = {**learners, **{n: LEARNERS.load(k)() for n, k in BASELINES.items() if n not in learners}}
        run = Run(stream, learners, chunk=chunk, detectors=detectors, importance=importance)
        return run, HOOKS.load("see_run")(run, **options, **view)

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
