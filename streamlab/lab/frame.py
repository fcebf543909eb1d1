"""Frames: what a screen needs of a run at one instant, as copies, made on the thread that owns the run.

The lab knows no pictures. Whoever draws gives the player *readers*: functions that copy what they need out of the run
when a frame is made.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from streamlab._checks import checked_choice
from streamlab.lab.events import Event
from streamlab.lab.history import with_curves
from streamlab.lab.importance_report import swapped
from streamlab.lab.label_stats import hurt_most
from streamlab.lab.learner_run import LearnerRun
from streamlab.lab.run import Run
from streamlab.measures import main_measure

NOTHING_DRAWN = (-1, 0, 0, 0, -1, 0, ())
"""Up to where a screen has drawn: choice, stride, points, events, branch, position, names of the learners."""

Reader = Callable[[Run], Any]
"""Copies what somebody draws out of a run; called on the thread that owns the run, when a frame is made."""

logger = logging.getLogger("streamlab")


@dataclass(frozen=True)
class ReadingFailed:
    """What stands in a frame for a reader that raised an exception.

    Parameters
    ----------
    message
        The exception's text, or its type where it has none.
    """

    message: str


@dataclass(frozen=True)
class CurveUpdate:
    """Points to append to the curves; with ``reset``, all points there are, in place of those drawn.

    Parameters
    ----------
    positions
        int64 [points], the instances up to each point.
    values
        float64 [points] by (measure, learner); of the levels of a hierarchy by level, 0 at the top.
    reset
        True at first, when other measures were chosen, and when the history has been thinned.
    end_whole
        Where the last point there is holds fewer rows than a chunk: by (measure, learner) the value over its rows and
        those of the point before together, which is what is to be concluded from. Else empty.
    blocks
        By learner the first measure at these points over each point's own rows, whatever the curves are averaged over:
        what happened to a learner is judged by them.
    blocks_whole
        By learner ``end_whole`` of these.
    """

    positions: np.ndarray
    values: dict[Any, np.ndarray]
    reset: bool
    end_whole: dict[Any, float] = field(default_factory=dict)
    blocks: dict[str, np.ndarray] = field(default_factory=dict)
    blocks_whole: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Frame:
    """A run at one instant; nothing in it is shared with the run.

    Parameters
    ----------
    number
        Counts the frames made.
    state, message
        The player's state and what there is to say: an error, why the run waits for rows, or "".
    position, n_rows
        Instances passed; the stream's length, None while unknown.
    speed, rate
        Instances a second now (wall clock), and wanted (None: flat out).
    curves
        New points of the curves.
    events
        Events new since the last frame taken.
    learners
        By name: ``seconds``, ``instances_per_second``, ``bytes``, ``parameters`` (the tunable ones), ``values``
        ({measure: cumulative value}), ``began`` (the row at which it joined or left another; 0: at the first),
        ``old`` and ``did`` (which share of what it answers by is from before the latest drift or mark, or None; what it
        did since: ``Learner.old_within`` and ``did_within``), ``renewed`` (``LearnerRun.renewed``), and where what
        matters is asked ``matters``: names of the features by which it answers since then, and of those by which no
        longer; ``leaves``, how many a tree has, else None.
    last
        ``truth`` and, by learner, ``predicted``: names of the labels of the latest instance.
    readings
        What each reader returned, by the reader's name; a ``ReadingFailed`` where it raised.
    hurt
        Name of the group of classes that ``hurt_most`` finds; None: none, or there is no hierarchy.
    end, live
        Instances up to which the run has gone on its branch; whether it stands there, and not in its own past. In its
        past no points or events are new: the screen has them.
    branch
        The number of the branch.
    step, chunk
        Rows that are answered together now, and where nobody slowed the run down.
    fresh
        Whether this is the first frame of a branch or after ``redraw``: events are all there are, as points are.
    """

    number: int
    state: str
    message: str
    position: int
    n_rows: int | None
    speed: float
    rate: float | None
    curves: CurveUpdate
    events: list[Event]
    learners: dict[str, dict[str, Any]]
    last: dict[str, Any]
    readings: dict[str, Any] = field(default_factory=dict)
    hurt: str | None = None
    end: int = 0
    live: bool = True
    branch: int = 0
    fresh: bool = False
    step: int = 0
    chunk: int = 0
    cursor: tuple = field(repr=False, default=())


class FrameMaker:
    """Makes frames of a run; knows up to where the screen has drawn.

    Parameters
    ----------
    run
        The run.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._number = 0
        self._measures: tuple[str, ...] = (main_measure(run.stream.schema),)
        self._over = "chunk"
        self._readers: dict[str, Reader] = {}
        self._failed: set[str] = set()
        self._choice = 0
        self._cursor: tuple = NOTHING_DRAWN
        self._swapped: dict[str, Any] = {}

    def choose(
        self,
        *,
        measures: Iterable[str] | None = None,
        over: str | None = None,
        readers: Mapping[str, Reader | None] | None = None,
        redraw: bool = False,
    ) -> None:
        """Choose what the frames hold; what is left out stays.

        Parameters
        ----------
        measures
            Measures of the curves.
        over
            ``"chunk"``, ``"cumulative"`` or ``"faded"``.
        readers
            Functions by name whose results the frames hold as ``readings``; each replaces the one of its name, None
            takes it away.
        redraw
            Whether the next frame holds all points and events again, for a screen that starts from nothing.

        Raises
        ------
        ValueError
            For an unknown measure or average, or a reader that cannot be called; nothing is changed then.
        """
        # all is checked before anything changes
        chosen = None if measures is None else with_curves(measures, self._run.stream.schema)
        checked_choice("over", over, ("chunk", "cumulative", "faded"), optional=True)
        for name, reader in (readers or {}).items():
            if reader is not None and not callable(reader):
                raise ValueError(f"readers[{name!r}]={reader!r}: expected a function of a run, or None")
        # whoever asks for the same curves again has put away what was drawn: they are sent whole
        self._choice += chosen is not None or over is not None
        for attribute, value in {"_measures": chosen, "_over": over}.items():
            if value is not None:
                setattr(self, attribute, value)
        for name, reader in (readers or {}).items():
            self._failed.discard(name)
            if reader is None:
                self._readers.pop(name, None)
            else:
                self._readers[name] = reader
        if redraw:
            self._choice += 1
            self._cursor = NOTHING_DRAWN

    def cursor(self) -> tuple:
        """Up to where the screen has drawn."""
        return self._cursor

    def taken(self, frame: Frame) -> None:
        """The screen has taken this frame."""
        self._cursor = frame.cursor

    def make(self, since: tuple, state: str, message: str, rate: float | None, speed: float) -> Frame:
        """The frame of this instant; ``since`` is the cursor of what the screen has."""
        run = self._run
        choice, stride, points, events, branch, drawn_to, names = since
        history = next(iter(run.learner_runs.values())).history
        fresh = branch != run.branch or names != tuple(run.learner_runs)
        # in its own past, what is ahead is on the screen already
        behind = not fresh and choice == self._choice and run.position < drawn_to
        reset = not behind and (fresh or choice != self._choice or stride != history.stride)
        start = len(history) if behind else 0 if reset else points
        values = {
            (measure, name): learner_run.history.curve(measure, self._over, start)
            for measure in self._measures
            for name, learner_run in run.learner_runs.items()
        }
        ends, first = self._ends(), self._measures[:1]
        curves = CurveUpdate(
            history.positions[start:].copy(), values, reset,
            # a faded or cumulative figure counts more rows than those of its point anyway
            ends if self._over == "chunk" else {}, self._blocks(values, start),
            {name: value for (measure, name), value in ends.items() if measure in first},
        )  # fmt: skip
        self._number += 1
        hurt = hurt_most(each.classes for each in run.learner_runs.values())
        return Frame(
            number=self._number,
            state=state,
            message=message,
            position=run.position,
            n_rows=run.n_rows,
            speed=speed,
            rate=rate,
            curves=curves,
            events=run.log.since(0 if fresh else events),
            learners={name: self._numbers(learner_run) for name, learner_run in run.learner_runs.items()},
            last=self._last(),
            hurt=None if hurt is None else run.stream.schema.labels[hurt],
            readings={name: self.read(name, reader) for name, reader in self._readers.items()},
            end=run.end,
            live=run.is_live,
            branch=run.branch,
            fresh=fresh,
            step=run.step,
            chunk=run.chunk,
            cursor=since
            if behind
            else (
                self._choice,
                history.stride,
                len(history),
                max(run.log.next_number, 0 if fresh else events),
                run.branch,
                run.position,
                tuple(run.learner_runs),
            ),
        )

    def _ends(self) -> dict[Any, float]:
        return {
            (measure, name): value
            for name, each in self._run.learner_runs.items()
            for measure, value in each.history.end_whole(self._measures, self._run.chunk).items()
        }

    def _blocks(self, values: Mapping[Any, np.ndarray], start: int) -> dict[str, np.ndarray]:
        if not self._measures:
            return {}
        measure, runs = self._measures[0], self._run.learner_runs
        if self._over == "chunk":
            return {name: values[measure, name] for name in runs}
        return {name: each.history.curve(measure, "chunk", start) for name, each in runs.items()}

    def _numbers(self, learner_run: LearnerRun) -> dict[str, Any]:
        tracker, mark, learner = learner_run.tracker, self._run.marked, learner_run.learner
        return {
            "seconds": learner_run.seconds,
            "instances_per_second": learner_run.instances_per_second,
            "bytes": learner_run.n_bytes,
            "began": max(learner_run.joined_at, learner_run.forked_at),
            "old": None if mark is None else learner.old_within(self._run.position - mark.row),
            "renewed": learner_run.renewed(mark, self._run.position),
            "did": "" if mark is None else learner.did_within(self._run.position - mark.row),
            "matters": self._matters(learner_run),
            "parameters": {each.name: getattr(learner, each.name) for each in learner.tunables},
            "values": tracker.values("cumulative", self._measures) if tracker.row else {},
        }

    def _matters(self, learner_run: LearnerRun) -> tuple[list[str], list[str]] | None:
        run, mark, asked = self._run, self._run.marked, learner_run.importance
        if mark is None or asked is None or not learner_run.asks_at(run.position):
            return None
        # worked out again when rows were asked, not ten times a second
        key = (asked, asked.batches, asked.row, mark.row)
        if self._swapped.get(learner_run.name, (None,))[0] != key:
            self._swapped[learner_run.name] = key, swapped(asked, mark.row)
        return self._swapped[learner_run.name][1]

    def read(self, name: str, reader: Reader) -> Any:
        """What a reader says, or that it failed: a learner that cannot be drawn must not stop the run."""
        try:
            reading = reader(self._run)
        except BaseException as error:  # also SystemExit: on the player's thread nothing else would hear of it
            if name not in self._failed:  # said once in the log, not ten times a second
                self._failed.add(name)
                logger.warning("the reader %r failed", name, exc_info=True)
            return ReadingFailed(str(error) or type(error).__name__)
        self._failed.discard(name)
        return reading

    def _last(self) -> dict[str, Any]:
        run = self._run
        if run.last is None:
            return {}
        names = run.stream.schema.labels
        return {
            "truth": [names[j] for j in np.flatnonzero(run.last[1])],
            "predicted": {
                name: [names[j] for j in np.flatnonzero(learner_run.last_labels)]
                for name, learner_run in run.learner_runs.items()
                if learner_run.last_labels is not None
            },
        }
