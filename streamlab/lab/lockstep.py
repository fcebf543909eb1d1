"""Learners in lock-step on one stream: all are tested on the same rows, then trained on them; what happens is logged.

It knows no past: the time machine sets it back, lets it go on, and lets it do again what was done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from streamlab._checks import counted, under
from streamlab._side_by_side import Team
from streamlab.lab.course import Course
from streamlab.lab.events import COMPLETE, DRIFT, FORK, JOIN, MARK, REMOVE, STEP, TUNE, Action, Event, EventLog
from streamlab.lab.label_stats import LabelStatistics
from streamlab.lab.learners import Learners
from streamlab.learners import Learner
from streamlab.streams import Stream


class Lockstep:
    """Learners in lock-step, where they stand in their stream, and the log of what happened.

    Parameters
    ----------
    course
        The way through the stream.
    learners
        The learners.
    jobs
        How many of them may work at a time; None: as many as this process has cores.

    Attributes
    ----------
    labels
        How often each label comes.
    log
        The events.
    broken
        Why it can go on no longer; None: it can.
    """

    def __init__(self, course: Course, learners: Learners, jobs: int | None = None) -> None:
        self.course, self.learners = course, learners
        self.labels = LabelStatistics(course.schema.n_labels, learners.settings.fading)
        self.log = EventLog()
        self.broken: str | None = None
        self._team = Team(jobs)

    # ------------------------------------------------------------------ going on

    def advance(self, n: int | None) -> int:
        """Go on by ``n`` instances or to the end of the part; 0, and the run is finished, at the end of the stream."""
        if self.is_at_end():
            return 0
        # learners mark what they hold as a drift begins, and as long as late labels from before it come in
        if self.course.is_before:
            self._mark_learners()
        rows = self.course.rows_ahead(n)
        first = self.log.next_number
        self._advance_rows(rows)
        if self.course.is_before:
            self._mark_learners()
        self.log.sort_since(first)
        return rows

    def is_at_end(self) -> bool:
        """Whether the stream has ended; from then on the run is finished."""
        course = self.course
        if not course.finished and not course.load():
            course.finished = True
            self.complete_curves()
            self._note("", "finished", f"{course.stream.ending} after {course.position:,} instances")
        return course.finished

    def complete_curves(self) -> None:
        """Make a point of the curves of what has passed since the last one."""
        for learner_run in self.learners.runs.values():
            learner_run.complete_history(self.course.position)

    def _advance_rows(self, n: int) -> None:
        course, runs = self.course, self.learners.runs
        chunk, start, stop = course.current, course.used, course.used + n
        assert chunk is not None, "a chunk was loaded"
        known = course.labels_known(chunk, start, stop)
        calls = [partial(each.advance, chunk, start, stop, known, course.part) for each in runs.values()]
        # who asks what matters reads the stream, which one thread does at a time
        here = [name for name, each in runs.items() if each.learner.works_in_python or each.asks_at(chunk.start)]
        self._team.work(list(runs), calls, n, here)
        self.labels.add(chunk.Y[start:stop])
        for drift in course.passed(chunk, n):
            over = "" if drift.width <= 1 else f", over {drift.width:,} instances"
            about = {"about": drift.about} if drift.about else {}
            self.log.add(drift.start, "", "drift", f"{drift.kind}{over}", {"width": drift.width, **about})
        for name, learner_run in runs.items():
            for at, kind, message, detail in learner_run.take_events(course.position):
                self.log.add(at, name, kind, message, detail)
        if course.is_between_chunks:
            for learner_run in runs.values():
                learner_run.close_chunk(course.position, course.marked)

    def _mark_learners(self, by_people: bool = False) -> None:
        course = self.course
        begins = by_people or any(drift.start == course.position for drift in course.stream.drifts)
        for learner_run in self.learners.runs.values():
            learner_run.learner.mark()
            if begins and learner_run.classes is not None:
                learner_run.classes.mark()

    # ------------------------------------------------------------------ what people do, also done again

    def do(self, kind: str, detail: Mapping[str, Any]) -> Event | None:
        """Do something between two instances, as an ``Action`` has it; return its event, if it is logged."""
        if kind == COMPLETE:
            self.complete_curves()
            return None
        does: dict[str, Callable[..., Event]] = {
            TUNE: self._tune, DRIFT: self._put_drift, FORK: self._fork, JOIN: self._join, REMOVE: self._remove,
            MARK: self._mark, STEP: self._set_step,
        }  # fmt: skip
        return does[kind](**detail)

    def do_again(self, action: Action) -> None:
        """Do again what was done before; a learner that joined then joins as it was then."""
        detail = dict(action.detail)
        if action.kind == JOIN:
            detail["learner"] = detail["learner"].copy()
        self.do(action.kind, detail)

    def _tune(self, learner: str, parameters: Mapping[str, Any]) -> Event:
        tuned = self.learners.called(learner).learner
        if not parameters:
            raise ValueError("tune: name at least one parameter")
        old = {name: getattr(tuned, name, None) for name in parameters}
        tuned.tune(**parameters)
        for name, before in old.items():
            now = getattr(tuned, name)
            message = f"{name}: {_brief(before)} → {_brief(now)}"
            event = self._note(learner, "tuned", message, {"parameter": name, "old": before, "new": now})
        return event

    def _put_drift(self, change: Callable[[Stream, int], Stream], at: int) -> Event:
        if self.course.finished or self.broken is not None:
            raise ValueError("the stream has no rows left that a drift could change")
        self.course.put_in(change, at)
        kinds = ", ".join(drift.kind for drift in self.course.drifts if drift.start == at) or "a change"
        return self._note("", "put in", f"{kinds}, from {at:,} on", {"at": at})

    def _fork(self, learner: str, name: str, train_on: int | None, parameters: dict[str, Any]) -> Event:
        self.learners.take_in(name, self.learners.forked(learner, name, train_on, parameters))
        changes = ", ".join(f"{key}={value!r}" for key, value in parameters.items())
        message = f"{name} left {learner}" + (f" with {changes}" if changes else "")
        return self._note(name, "forked", message, {"from": learner, "parameters": dict(parameters)})

    def _join(self, name: str, learner: Learner, train_on: int) -> Event:
        self.learners.take_in(name, self.learners.newcomer(name, learner, train_on))
        trained = f", trained on the {counted(min(train_on, self.course.position), 'row')} before" if train_on else ""
        return self._note(name, "joined", f"{name} joined{trained}")

    def _remove(self, name: str) -> Event:
        self.learners.remove(name)
        return self._note(name, "removed", f"{name} was removed")

    def _mark(self) -> Event:
        self._mark_learners(by_people=True)
        self.course.marks.append(self.course.position)
        return self._note("", "marked", "the evidence of this instant was marked")

    def _set_step(self, rows: int) -> Event:
        self.course.set_step(rows)
        how = "row by row" if rows == 1 else f"{rows:,} at a time"
        return self._note("", STEP, f"rows are answered and learned {how}", {"rows": rows})

    def _note(self, learner: str, kind: str, message: str, detail: dict[str, Any] | None = None) -> Event:
        return self.log.add(self.course.position, learner, kind, message, detail)

    # ------------------------------------------------------------------ state, between two chunks

    def state(self) -> dict[str, Any]:
        """Return all that it is between two chunks, as a flat dictionary of arrays and plain values.

        The stream, the events and what people did are not in it. Arrays of the learners are copies; others are its
        own, to be copied before it goes on.
        """
        labels = {f"labels.{name}": value for name, value in self.labels.state().items()}
        return {**self.learners.state(), **labels, **self.course.state()}

    def set_state(self, state: Mapping[str, Any], stream: Stream) -> None:
        """Continue from a ``state()`` of this run on the stream of then; its arrays are this one's from now on."""
        self.learners.set_state(state)
        self.labels.set_state(under(state, "labels."))
        self.course.set_state(state, stream)
        self.broken = None


def _brief(value: Any) -> str:
    is_number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    return f"{value:g}" if is_number else str(value)
