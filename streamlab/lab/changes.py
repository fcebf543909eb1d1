"""What people change in a run between two instances: done at once, and noted, so that it can be done again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from streamlab._checks import checked_count
from streamlab.lab.events import COMPLETE, DRIFT, FORK, JOIN, MARK, REMOVE, STEP, TUNE, Action, Event
from streamlab.lab.learners import named_learners
from streamlab.lab.time_machine import TimeMachine
from streamlab.learners import Learner
from streamlab.streams import Stream

TRIED_ROWS = 200
"""On which a learner that is to join is timed."""


ASKING_RATE = 500.0
"""Rows a second, by which is measured how much may be asked of rows that have passed."""


class Changes:
    """Changes of a run, each an action of its time machine.

    Parameters
    ----------
    machine
        The time machine.
    """

    def __init__(self, machine: TimeMachine) -> None:
        self._machine, self._lockstep, self._course = machine, machine.lockstep, machine.course

    def _do(self, kind: str, **detail: Any) -> Event:
        """Do something for the first time, and note it."""
        self._machine.begin()
        event = self._lockstep.do(kind, detail)
        self._machine.record(kind, **detail)
        assert event is not None, "it is logged"
        return event

    def tune(self, learner: str, **parameters: float) -> Event:
        """Change parameters of a learner between two instances; returns the event in the log.

        Raises
        ------
        ValueError
            If there is no such learner, or as ``Learner.tune``; nothing is changed then.
        """
        return self._do(TUNE, learner=learner, parameters=dict(parameters))

    def put_drift(self, change: Callable[[Stream, int], Stream], *, at: int | None = None) -> Event:
        """Put a drift into the running stream, from the next chunk or a later row on.

        Parameters
        ----------
        change
            Called with the stream as it is and the row where the drift is to begin; returns the changed stream, such as
            ``rotate_labels(stream, at=at)``. Up to that row it must be the same.
        at
            That row: where the next chunk begins, or later. None: where the next chunk begins.

        Returns
        -------
        Event
            Of the kind ``"put in"``; the drift itself gets its event when it begins.

        Raises
        ------
        ValueError
            If the stream is fixed or has ended, or the run has broken off, or the changed stream has other columns, for
            a row before the next chunk, or as ``change``; nothing is changed then.
        """
        stream = self._course.stream
        if stream.is_fixed:
            raise ValueError(f"{stream.name}: answers to its rows were given elsewhere; nothing can be put into it")
        at = self._course.next_chunk if at is None else checked_count("at", at)
        return self._do(DRIFT, change=change, at=at)

    def mark(self) -> Event:
        """Mark this instant, as a drift would: pictures tell then what of the evidence is from before it.

        Nothing is learned otherwise for it. The next drift, or the next mark, takes its place.

        Returns
        -------
        Event
            Of the kind ``"marked"``.

        Examples
        --------
        >>> import streamlab as sl
        >>> run = sl.Run("yeast", {"SMART": sl.SMART(seed=1, bounds=(-1.0, 1.0))})
        >>> run.advance(500), run.mark().message, run.advance(200)
        (500, 'the evidence of this instant was marked', 200)
        >>> held, before = run.learner_runs["SMART"].learner.evidence()
        >>> round(before / held, 2)
        0.45
        """
        return self._do(MARK)

    def set_step(self, rows: int | None) -> Event | None:
        """Answer this many rows together from here on, and learn them before the next ones.

        Chunks keep their places in the stream, and the curves their points: each chunk is cut into parts. What has
        been answered amid a part is not answered again. It is an action like a tuning: going back, archives, scripts
        and replays do it again at its instant. Learners that answer row by row anyway notice nothing.

        Parameters
        ----------
        rows
            From 1 to ``chunk``; None: ``chunk``.

        Returns
        -------
        Event or None
            Of the kind ``"step"``; None where it was so already, and nothing is done.

        Raises
        ------
        ValueError
            For another number.

        Examples
        --------
        >>> import streamlab as sl
        >>> run = sl.Run("yeast", {"SMART": sl.SMART(seed=1)})
        >>> run.advance(150), run.set_step(5).message, run.step
        (150, 'rows are answered and learned 5 at a time', 5)
        """
        chunk = self._course.chunk
        rows = chunk if rows is None else rows
        checked_count("rows", rows, 1, chunk, optional=True)
        return None if int(rows) == self._course.step else self._do(STEP, rows=int(rows))

    def ask_importance(self, on: bool = True, *, since: int | None = None) -> bool:
        """Ask the learners which features matter to them from the next chunk on, or no longer.

        No answer, event or state changes by it, and it is no action. ``Run(importance=True)`` asks always.

        Parameters
        ----------
        on
            False: they are asked no longer.
        since
            A row that has passed: the run goes back to the beginning of its chunk (``seek``), and the learners are
            asked when it goes on from there. None: what has passed is not asked about.

        Returns
        -------
        Whether that changes anything.

        Examples
        --------
        >>> import streamlab as sl
        >>> run = sl.Run("yeast", {"SMART": sl.SMART(seed=1)})
        >>> run.advance(450), run.ask_importance(), run.advance(500)
        (450, True, 500)
        >>> int(run.what_matters("SMART").position.min())
        600
        """
        machine, chunk = self._machine, self._course.chunk
        row = -(-machine.current.end // chunk) * chunk
        if is_back := on and since is not None:
            row = min(row, checked_count("since", since) // chunk * chunk)
        if not self._lockstep.learners.switch_asking(bool(on), row):
            return False
        if is_back:
            machine.seek(row)
            # as if they came at this rate: who looks back waits for the answers
            self._lockstep.learners.at_rate(ASKING_RATE)
        # those behind this row are of other branches, and know nothing of it
        machine.store.forget(row)
        return True

    def complete_curves(self) -> None:
        """Make a point of the curves of what has passed since the last one, if anything has: nobody will go on.

        At the end of the stream it happens by itself.
        """
        self._machine.begin()
        self._lockstep.complete_curves()
        if not self._course.finished:
            self._machine.record(COMPLETE)

    # ------------------------------------------------------------------ learners that come and go

    def fork(self, learner: str, name: str, *, train_on: int | None = None, **parameters: Any) -> Event:
        """Let a copy of a learner go on under another name, with other parameters, over the same rows.

        With parameters that may change mid-stream the copy has learned what its origin has, and its curves have the
        same past. Other parameters need a new learner, which is trained on the newest rows (``train_on``).

        Parameters
        ----------
        learner
            Whose copy.
        name
            What the copy is called; no learner of the run may be called so.
        train_on
            How many of the newest rows a new learner learns first, 0 or more; None: no new one but a copy, with
            parameters that are tunable.
        **parameters
            The copy's parameters that differ; none: a copy that stays the same to the bit.

        Returns
        -------
        Event
            Of the kind ``"forked"``.

        Raises
        ------
        ValueError
            For an unknown learner or parameter, a value that is not allowed, a name that is taken, or parameters that
            are not tunable without ``train_on``; nothing is changed then.
        """
        return self._do(FORK, learner=learner, name=name, train_on=train_on, parameters=dict(parameters))

    def join(self, name: str, learner: Learner | Any, *, train_on: int = 0, from_the_beginning: bool = False) -> Event:
        """Let another learner join the run, from here on, or as if it had been there from the first row on.

        Parameters
        ----------
        name
            What it is called; no learner of the run may be called so.
        learner
            As in ``Run``; it is the run's own from now on.
        train_on
            How many of the newest rows it learns first.
        from_the_beginning
            Whether the rows so far pass once more, with it: its curve is whole, all others stay equal to the bit. What
            was done to the run is done again, each at its instant.

        Returns
        -------
        Event
            Of the kind ``"joined"``.

        Raises
        ------
        ValueError
            For what is not a learner, a name that is taken, or as ``Learner.learn_many``; if the rows are to pass once
            more and the first of them are no longer there. Nothing is changed then.

        Examples
        --------
        >>> import streamlab as sl
        >>> run = sl.Run("yeast", {"SMART": sl.SMART(seed=1)})
        >>> run.advance(500), run.join("no-change", sl.NoChange(), from_the_beginning=True).position
        (500, 0)
        >>> run.position, run.summary["instances"].tolist()
        (500, [500.0, 500.0])
        """
        ((_, own),) = named_learners({name: learner}, self._course.schema).items()
        self._machine.begin()
        if from_the_beginning and self._course.position:
            return self._join_before(name, own)
        pristine = own.copy()
        event = self._lockstep.do(JOIN, {"name": name, "learner": own, "train_on": train_on})
        self._machine.record(JOIN, name=name, learner=pristine, train_on=train_on)
        assert event is not None, "it is logged"
        return event

    def _join_before(self, name: str, learner: Learner) -> Event:
        """Let a learner join at the stream's first row, and let the rows so far pass once more."""
        self._lockstep.learners.check_free(name)
        if next(self._course.stream.chunks(1, stop=1), None) is None:
            raise ValueError(f"{name} cannot begin at the first row: the stream no longer has it")
        joins = Action(0, JOIN, {"name": name, "learner": learner, "train_on": 0})
        self._machine.change_past(first=joins)
        return next(event for event in self._lockstep.log if event.kind == "joined" and event.learner == name)

    def join_seconds(self, learner: Learner) -> float:
        """Return about how many seconds of a processor it takes to let the rows so far pass once more with a learner.

        The learner's share is measured on a copy, on the first rows of the stream.
        """
        course = self._course
        rows = min(TRIED_ROWS, course.position)
        if not rows:
            return 0.0
        tried, started = learner.copy(), time.thread_time()
        tried.bind(course.schema)
        for chunk in course.stream.chunks(course.chunk, stop=rows):
            tried.test_then_train(chunk.X, chunk.Y)
        return self._machine.seconds + (time.thread_time() - started) * course.position / rows

    def remove(self, name: str) -> Event:
        """Take a learner out of the run; ``put_back`` undoes it. The last one stays.

        Raises
        ------
        ValueError
            If there is no such learner, or no other.
        """
        return self._do(REMOVE, name=name)

    def put_back(self, name: str) -> None:
        """Undo the newest removal of a learner: it is as if it had never been removed, over the rows since, too.

        Raises
        ------
        ValueError
            If no learner of that name was removed on this branch before where the run stands, or another has its name.
        """
        machine = self._machine
        removals = [a for a in machine.path[: machine.done] if a.kind == REMOVE and a.detail["name"] == name]
        if not removals:
            raise ValueError(f"no learner {name!r} was removed here")
        self._lockstep.learners.check_free(name)
        machine.change_past(left_out=removals[-1])

    def removed(self) -> tuple[str, ...]:
        """Return the learners that were removed on this branch and can be put back, the newest last."""
        machine = self._machine
        gone = [each.detail["name"] for each in machine.path[: machine.done] if each.kind == REMOVE]
        return tuple(name for name in dict.fromkeys(gone) if name not in self._lockstep.learners.runs)
