"""The latest mark between old and new evidence: where a drift began, or where people set a mark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from streamlab.lab.actions import MARK
from streamlab.lab.events import Event, EventLog
from streamlab.lab.learner_run import LearnerRun
from streamlab.lab.ownership import Owned, owned
from streamlab.lab.time_machine import TimeMachine
from streamlab.learners import Learner
from streamlab.streams import Stream

__all__ = ["Mark", "Marks"]


@dataclass(frozen=True)
class Mark:
    """An instant that was marked.

    Parameters
    ----------
    row
        Instances that had passed before it.
    drift
        The number of the drift that began there, from 1; 0: people set it.
    """

    row: int
    drift: int


class Marks(Owned):
    """A run that lets its learners note what they hold when a drift begins."""

    stream: Stream
    position: int
    learner_runs: dict[str, LearnerRun]
    log: EventLog
    _machine: TimeMachine

    @owned
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
        self._machine.begin()
        event = self._mark()
        self._machine.record(MARK)
        return event

    @property
    def marked(self) -> Mark | None:
        """The latest instant marked: by a drift of the stream or by ``mark``; None: there was none."""
        starts = sorted(drift.start for drift in self.stream.drifts if drift.start < self.position)
        rows = [a.position for a in self._machine.path[: self._machine.done] if a.kind == MARK]
        if rows and (not starts or rows[-1] > starts[-1]):
            return Mark(rows[-1], 0)
        return Mark(starts[-1], len(starts)) if starts else None

    def _mark(self) -> Event:
        self._mark_learners()
        return self.log.add(self.position, "", "marked", "the evidence of this instant was marked")

    def _mark_learners(self) -> None:
        for learner_run in self.learner_runs.values():
            learner_run.learner.mark()

    def _train(self, learner: Learner, rows: np.ndarray, X: Any, Y: np.ndarray) -> None:
        """Let a newcomer learn earlier rows, in ascending order, and mark the latest instant among them."""
        mark = self.marked
        cut = -1 if mark is None else int(np.searchsorted(rows, mark.row))
        if 0 < cut < len(rows):
            learner.learn_many(X[:cut], Y[:cut])
            learner.mark()
            learner.learn_many(X[cut:], Y[cut:])
        else:
            learner.learn_many(X, Y)
            if cut == len(rows):
                learner.mark()
