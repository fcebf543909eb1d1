"""A run: several learners in lock-step on one stream, advanced by hand, each tuning an event."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from streamlab.lab.actions import COMPLETE, DRIFT, MARK, STEP, TUNE, Action
from streamlab.lab.alarms import WATCHED, ErrorWatch
from streamlab.lab.class_stats import ClassRecords
from streamlab.lab.delay_queue import DelayQueue
from streamlab.lab.events import ALARM, LABEL_ALARM, Event, EventLog
from streamlab.lab.forks import Forks
from streamlab.lab.history import History
from streamlab.lab.keeping import Keeping
from streamlab.lab.label_stats import LabelStatistics
from streamlab.lab.learner_run import Known, LearnerRun
from streamlab.lab.marks import Marks
from streamlab.lab.named_learners import named_learners
from streamlab.lab.ownership import owned
from streamlab.lab.reported import naming_learner, reported
from streamlab.lab.run_tables import RunTables
from streamlab.lab.seeds import with_seeds
from streamlab.lab.snapshots import DEFAULT_BUDGET
from streamlab.lab.steps import Steps
from streamlab.lab.time_machine import TimeMachine
from streamlab.lab.time_travel import TimeTravel
from streamlab.lab.waiting import Waiting
from streamlab.learners import Learner
from streamlab.learners.base.one_at_a_time import serialised
from streamlab.learners.base.saving import class_of
from streamlab.measures import Tracker
from streamlab.plugins import DOORS
from streamlab.streams import Chunk, Stream, load

__all__ = ["Run"]


class Run(RunTables, TimeTravel, Steps, Waiting, Marks, Forks, Keeping):
    """Learners on a stream, chunk by chunk: all are tested on the same instances, then trained on them.

    Parameters
    ----------
    stream
        A ``Stream``, or whatever ``load`` takes.
    learners
        A learner or a dictionary of learners by name. A River classifier is taken one per label
        (``OnePerLabel``), one of River's multi-label classifiers as it is (``RiverMultiLabel``).
        They are the run's own from now on.
    chunk
        Instances that are predicted before any of them is learned, 1 or more.
    measures
        Names of ``MEASURES`` for the tables; default: all that the counts hold.
    fading
        Weight of an instance relative to the next in the faded measures, the MLHAT paper's 0.995.
    zero_division
        What a measure says for 0/0: 0.0, as River has it, or 1.0.
    history
        Points kept of every curve (an even number); reaching them, neighbours are added together.
    alarms
        ``"learner"`` (default): an ADWIN watches the Hamming loss of each learner, and when it rises there is an event
        of the kind ``"alarm"``; ``"label"``: each label's errors too, kind ``"label alarm"``; None: no alarms.
    alarm_delta
        ADWIN's confidence, above 0 and below 1. Default 0.002.
    snapshots
        Bytes of the snapshots with which the run goes back in time (``seek``), 256 MiB by default; 0: none but that of
        the beginning, from which it then goes on.
    seeds
        How many seeds each learner that takes one runs with, its own and those that follow (None: from 1 on):
        ``"SMART · seed 1"``, ``"SMART · seed 2"`` and so on are ordinary learners of the run. Charts draw them as one
        line, their mean, with a band from the least to the greatest. Default 1.

    Raises
    ------
    ValueError
        For an unknown stream, no learner, a name that is empty or what is not a learner; for a sparse stream too wide
        for a learner that takes arrays.

    Examples
    --------
    >>> import streamlab as sl
    >>> run = sl.Run("yeast", {"SMART": sl.SMART(seed=1)})
    >>> run.advance(250)
    250
    >>> run.tune("SMART", half_life=50).message
    'half_life: 200 → 50'

    Notes
    -----
    Threads take turns. While a ``Player`` has the run, its thread carries out what others call, and answers within two
    seconds or raises a ValueError. An interrupt (Ctrl-C) takes effect between two chunks, and the run can go on.
    """

    def __init__(
        self,
        stream: Stream | Any,
        learners: Learner | Mapping[str, Learner],
        *,
        chunk: int = 100,
        measures: Iterable[str] | None = None,
        fading: float = 0.995,
        zero_division: float = 0.0,
        history: int = 2000,
        alarms: str | None = "learner",
        alarm_delta: float = 0.002,
        snapshots: int = DEFAULT_BUDGET,
        seeds: int = 1,
    ) -> None:
        if alarms is not None and alarms not in WATCHED:
            raise ValueError(f"alarms={alarms!r}: expected {' or '.join(map(repr, WATCHED))}, or None")
        self.stream = stream if isinstance(stream, Stream) else load(stream)
        if isinstance(chunk, bool) or not isinstance(chunk, (int, np.integer)) or chunk < 1:
            raise ValueError(f"chunk={chunk!r}: expected a whole number of instances, at least 1")
        self.chunk = int(chunk)
        if isinstance(snapshots, bool) or not isinstance(snapshots, (int, np.integer)) or snapshots < 0:
            raise ValueError(f"snapshots={snapshots!r}: expected a number of bytes, 0 or more")
        if isinstance(history, bool) or not isinstance(history, (int, np.integer)):
            raise ValueError(f"history={history!r}: expected an even number of points, at least 2")
        self.zero_division = zero_division
        self._measures = None if measures is None else tuple(measures)
        self._fading, self._history_limit = fading, int(history)
        self._alarms, self._alarm_delta = alarms, alarm_delta
        self._n_rows = self.stream.n_rows
        self.learner_runs: dict[str, LearnerRun] = {}
        self._ever: dict[tuple[str, type], LearnerRun] = {}
        # that of the beginning: ranges of features that a drift put in changes are none of the learners' business
        self._schema = schema = self.stream.schema
        for name, learner in with_seeds(named_learners(learners), seeds).items():
            self.learner_runs[name] = self._new_learner_run(name, learner)
        self.labels = LabelStatistics(schema.n_labels, fading)
        self.log = EventLog()
        self.position = 0
        self.finished = False
        # the last row's X, an array or CSR of one row, and its labels
        self.last: tuple[Any, np.ndarray] | None = None
        self._chunks = self.stream.chunks(self.chunk)
        self._current: Chunk | None = None
        self._used = 0
        # rows answered together, and where the part of the chunk that has been answered begins and ends
        self._step, self._part = self.chunk, (0, 0)
        self._drifts = sorted(self.stream.drifts, key=lambda drift: drift.start)
        self._waiting = DelayQueue()
        self._broken: str | None = None
        self._machine = TimeMachine(self, int(snapshots))
        self._no_owner()

    def _new_learner_run(self, name: str, learner: Learner) -> LearnerRun:
        schema, kind = self._schema, type(learner)
        for called, known in self._ever:
            if called == name and known is not kind and known.__name__ == kind.__name__:
                raise ValueError(
                    f"learner {name!r} was another class of the name {kind.__name__} before in this run, and its "
                    "snapshots say no more: rename the class, or the learner"
                )
        if self.stream.is_sparse:
            learner.check_dense(self.chunk, schema.n_features)
        with naming_learner(name):
            learner.bind(schema)
            learner.prepare()
        # one that joins later counts what the others do, whatever was registered meanwhile
        counted = next((each.tracker.measures for each in self._ever.values()), self._measures)
        tracker = Tracker(
            schema.labels,
            counted,
            zero_division=self.zero_division,
            fading=self._fading,
            n_rows=self._n_rows,
            hierarchy=schema.hierarchy,
        )
        watch = None
        if self._alarms is not None:
            watch = ErrorWatch(schema.n_labels, per_label=self._alarms == "label", delta=self._alarm_delta)
        past = History(schema.n_labels, self._history_limit, self.zero_division, tracker.kept_along, tracker.n_levels)
        classes = None if schema.hierarchy is None else ClassRecords(schema.hierarchy, self._fading)
        made = LearnerRun(name, learner, tracker, past, watch, classes)
        self._ever[name, kind] = made
        return made

    def _known(self, name: str, state: Mapping[str, Any], place: int) -> LearnerRun:
        """Return the learner of a state, as the object that it was, or a new one."""
        prefix = f"learner.{place}."
        if f"{prefix}object" in state:
            learner = pickle.loads(state[f"{prefix}object"])
            kind: Any = type(learner)
        else:
            told = state.get(f"{prefix}model.learner")
            # the run's own class first: a notebook's need not be registered, or shares its name with one that is
            own_kinds = [kind for called, kind in self._ever if called == name and kind.__name__ == told]
            learner, kind = None, own_kinds[0] if own_kinds else class_of(told)
        if (name, kind) not in self._ever:
            own = {k.removeprefix(f"{prefix}model."): v for k, v in state.items() if k.startswith(f"{prefix}model.")}
            self._new_learner_run(name, kind.from_state(own) if learner is None else learner)
        return self._ever[name, kind]

    @property
    def n_rows(self) -> int | None:
        """Length of the stream; None while it is not known."""
        return self._n_rows if not self.finished else self.position

    # ------------------------------------------------------------------ going on

    def advance(self, n: int | None = None, *, interrupted: Callable[[], bool] | None = None) -> int:
        """Go on by ``n`` instances (default: to the end of the stream).

        Chunks keep their places in the stream, and the answers do not depend on how the way is cut into calls.

        Parameters
        ----------
        n
            How many instances; fewer pass if the stream ends, or if a live stream has no whole chunk yet: then
            ``finished`` stays False, ``is_waiting`` is True, and a later call goes on.
        interrupted
            Asked between chunks; a true answer ends the call early. Of a run that a player has: asked now and then.

        Returns
        -------
        How many instances passed.

        Raises
        ------
        ValueError
            What the reader or a learner says of bad rows. Some learners have learned then what others have not: each
            later call raises too.
        """
        if n is not None and n < 0:
            raise ValueError(f"n={n} must not be negative")
        passed, rows = 0, -1
        while (n is None or passed < n) and rows != 0:
            left = None if n is None else n - passed
            rows = self._in_slices(self.advance, left) if self._is_elsewhere else self._advance_whole(left)
            passed += rows
            if rows and interrupted is not None and interrupted():
                break
        return passed

    @serialised
    def _advance_whole(self, n: int | None) -> int:
        """Go on by ``n`` instances or to the end of the chunk, which nothing interrupts; 0 at the end of the stream."""
        if self._broken is not None:
            raise ValueError(f"the run broke off after {self.position:,} instances: {self._broken}")
        if self.is_waiting:
            return 0
        try:
            self._machine.begin()
            # after a snapshot was restored, what was done where it stands is still to be done
            self._machine.redo()
            begun = time.thread_time()
            passed = 0 if self.finished else self._advance_in_chunk(self._machine.limited(n))
            self._machine.passed(time.thread_time() - begun)
            return passed
        except BaseException as error:
            self._broken = str(error) or type(error).__name__
            raise

    @owned
    def complete_curves(self) -> None:
        """Make a point of the curves of what has passed since the last one, if anything has: nobody will go on.

        At the end of the stream it happens by itself.
        """
        self._machine.begin()
        self._complete_curves()
        if not self.finished:
            self._machine.record(COMPLETE)

    def _complete_curves(self) -> None:
        for learner_run in self.learner_runs.values():
            learner_run.complete_history(self.position)

    def _advance_in_chunk(self, n: int | None) -> int:
        """Go on by ``n`` instances or to the end of the part; 0, and the run is finished, at the end of the stream."""
        if self._is_at_end():
            return 0
        assert self._current is not None, "a chunk was loaded"
        left = self._part[1] - self._used
        rows = left if n is None else min(left, n)
        # learners mark the instant at which a drift begins: what they hold then is from before it
        starts = [drift.start for drift in self._drifts if drift.start < self.position + rows]
        if starts and starts[0] <= self.position:
            self._mark_learners()
        rows = min([rows, *(start - self.position for start in starts if start > self.position)])
        first = self.log.next_number
        self._advance_rows(rows)
        self.log.sort_since(first)
        return rows

    def _is_at_end(self) -> bool:
        """Whether the stream has ended; from then on the run is finished."""
        if not self.finished and not self._load_chunk():
            self.finished = True
            self._complete_curves()
            self.log.add(self.position, "", "finished", f"the stream ended after {self.position:,} instances")
        return self.finished

    def _load_chunk(self) -> bool:
        """See to it that there are rows to go on with; False at the end of the stream."""
        if self._current is None or self._used == len(self._current):
            self._current = next(self._chunks, None)
            self._used, self._part = 0, (0, 0)
        if self._current is not None and self._used == self._part[1]:
            self._next_part()
        return self._current is not None

    def _advance_rows(self, n: int) -> None:
        chunk, start, stop = self._current, self._used, self._used + n
        assert chunk is not None, "a chunk was loaded"
        known = self._told(chunk, start, stop)
        for learner_run in self.learner_runs.values():
            learner_run.advance(chunk, start, stop, known, self._part)
        Y = chunk.Y[start:stop]
        self.labels.add(Y)
        self.last = (chunk.X[stop - 1 : stop] if self.stream.is_sparse else chunk.X[stop - 1]), Y[-1]
        self.position += n
        self._used = stop
        while self._drifts and self._drifts[0].start < self.position:
            drift = self._drifts.pop(0)
            over = "" if drift.width <= 1 else f", over {drift.width:,} instances"
            about = {"about": drift.about} if drift.about else {}
            self.log.add(drift.start, "", "drift", f"{drift.kind}{over}", {"width": drift.width, **about})
        for name, learner_run in self.learner_runs.items():
            self._log_alarms(name, learner_run)
            with naming_learner(name):
                happened = [reported(event) for event in learner_run.learner.take_events()]
            for told_at, kind, message, detail in happened:
                # A learner counts what it has learned, which is another number where labels come late or where it
                # joined: then the chunk's beginning, however the chunk is cut.
                at = min(max(self.position if told_at is None else told_at, chunk.start), self.position)
                self.log.add(at, name, kind, message, detail)
        if stop == len(chunk):
            for learner_run in self.learner_runs.values():
                learner_run.close_chunk(self.position)

    def _told(self, chunk: Chunk, start: int, stop: int) -> Known | None:
        """What becomes known during a step, where labels are delayed or hidden; else None."""
        labelling = self.stream.labelling
        if labelling is None:
            return None
        rows = np.arange(chunk.start + start, chunk.start + stop)
        arrives, told = labelling.arrives(rows), labelling.told(chunk.Y[start:stop], rows)
        self._waiting.add(arrives, chunk.X[start:stop], told)
        return Known(arrives, told, *self._waiting.take(chunk.start + stop))

    def _log_alarms(self, name: str, learner_run: LearnerRun) -> None:
        for alarm in learner_run.take_alarms():
            what, kind, label = "Hamming loss", ALARM, None
            if alarm.label is not None:
                label = self.stream.schema.labels[alarm.label]
                what, kind = f"errors on {label}", LABEL_ALARM
            message = f"{what} rose: {alarm.before:.3g} → {alarm.after:.3g}"
            detail = {"label": label, "before": alarm.before, "after": alarm.after}
            self.log.add(alarm.position, name, kind, message, detail)

    @owned
    def put_drift(self, change: Callable[[Stream, int], Stream]) -> Event:
        """Put a drift into the running stream, from the next chunk on.

        Parameters
        ----------
        change
            Called with the stream as it is and the position where the next chunk begins; returns the changed stream,
            such as ``rotate_labels(stream, at=at)``. Up to that position it must be the same.

        Returns
        -------
        Event
            Of the kind ``"put in"``; the drift itself gets its event when it begins.

        Raises
        ------
        ValueError
            If the stream has ended or the run has broken off, or the changed stream has other columns, or as
            ``change``; nothing is changed then.
        """
        self._machine.begin()
        event = self._put_drift(change)
        self._machine.record(DRIFT, change=change, at=event.detail["at"])
        return event

    def _put_drift(self, change: Callable[[Stream, int], Stream]) -> Event:
        if self.finished or self._broken is not None:
            raise ValueError("the stream has no rows left that a drift could change")
        chunk = self._current
        at = chunk.stop if chunk is not None and self._used < len(chunk) else self.position
        changed = change(self.stream, at)
        if not isinstance(changed, Stream):
            raise ValueError(f"change returned {type(changed).__name__}; expected a Stream")
        difference = self.stream.schema.difference(changed.schema, ranges=False)
        if difference is not None:
            raise ValueError(f"the changed stream has another schema: {difference}")
        chunks = changed.chunks(self.chunk, start=at)
        before, self.stream, self._chunks = self._chunks, changed, chunks
        before.close()
        self._drifts = sorted((d for d in changed.drifts if d.start >= self.position), key=lambda drift: drift.start)
        kinds = ", ".join(d.kind for d in self._drifts if d.start == at) or "a change"
        return self.log.add(self.position, "", "put in", f"{kinds}, from {at:,} on", {"at": at})

    @owned
    def tune(self, learner: str, **parameters: float) -> Event:
        """Change parameters of a learner between two instances; returns the event in the log.

        Raises
        ------
        ValueError
            If there is no such learner, or as ``Learner.tune``; nothing is changed then.
        """
        self._machine.begin()
        event = self._tune(learner, parameters)
        self._machine.record(TUNE, learner=learner, parameters=dict(parameters))
        return event

    def _tune(self, learner: str, parameters: Mapping[str, Any]) -> Event:
        learner_run = self._learner_run(learner)
        if not parameters:
            raise ValueError("tune: name at least one parameter")
        old = {name: getattr(learner_run.learner, name, None) for name in parameters}
        learner_run.learner.tune(**parameters)
        new = {name: getattr(learner_run.learner, name) for name in parameters}
        event = None
        for name in parameters:
            event = self.log.add(
                self.position,
                learner,
                "tuned",
                f"{name}: {_brief(old[name])} → {_brief(new[name])}",
                {"parameter": name, "old": old[name], "new": new[name]},
            )
        assert event is not None, "at least one parameter was named"
        return event

    def _do(self, action: Action) -> None:
        """Do again what was done here, after the run went back."""
        if action.kind == TUNE:
            self._tune(action.detail["learner"], action.detail["parameters"])
        elif action.kind == DRIFT:
            self._put_drift(action.detail["change"])
        elif action.kind == MARK:
            self._mark()
        elif action.kind == STEP:
            self._set_step(action.detail["rows"])
        elif action.kind == COMPLETE:
            self._complete_curves()
        else:
            self._do_learners(action)

    def view(self, **options: Any) -> Any:
        """The monitor on this run, for a notebook cell.

        Raises
        ------
        ImportError
            If Panel is not installed (the ``notebook`` extra has it).
        """
        return DOORS.load("view_run")(self, **options)

    @owned
    def export_html(self, path: str | Path, **options: Any) -> Path:
        """Write the run as one HTML file that replays it, without a server; see ``streamlab.views.hosting``.

        Parameters
        ----------
        path
            The file; replaced if it exists.
        **options
            Those of ``views.hosting.replay_page.export_html``, such as ``title``.

        Raises
        ------
        ImportError
            If Panel is not installed.
        ValueError
            As ``export_html``.
        """
        return DOORS.load("export_run")(self, path, **options)

    def __repr__(self) -> str:
        of = "" if self.n_rows is None else f" of {self.n_rows:,}"
        return f"<Run of {', '.join(self.learner_runs)} on {self.stream.name!r}: {self.position:,}{of} instances>"


def _brief(value: Any) -> str:
    is_number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    return f"{value:g}" if is_number else str(value)
