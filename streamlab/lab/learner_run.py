"""One learner in a run: what it answers is counted, its time and memory taken, its past kept."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamlab.lab.alarms import ErrorWatch
from streamlab.lab.class_stats import ClassRecords
from streamlab.lab.delay_queue import DelayQueue
from streamlab.lab.history import History
from streamlab.learners import Learner
from streamlab.measures import Tracker
from streamlab.streams import Chunk

__all__ = ["Known", "LearnerAlarm", "LearnerRun"]

# a look at the learner's memory may take this share of the time that learning takes
MEMORY_SHARE = 0.01


@dataclass(frozen=True)
class Known:
    """What is known of labels while a step of a run with delayed or hidden labels is taken.

    Parameters
    ----------
    arrives
        For each row of the step, the instance after whose prediction its labels are known; int64 (n,).
    told
        What the learner is told then, uint8 (n, n_labels); the measures count with the truth.
    due_at, X, Y
        The rows, of this step or earlier ones, whose labels arrive during the step, in order of arrival.
    """

    arrives: np.ndarray
    told: np.ndarray
    due_at: np.ndarray
    X: Any
    Y: np.ndarray


@dataclass(frozen=True)
class LearnerAlarm:
    """An alarm at a position of the stream; ``label`` is a column, or None for the Hamming loss over all."""

    position: int
    label: int | None
    before: float
    after: float


class LearnerRun:
    """A learner with its counts, clock and history.

    Parameters
    ----------
    name
        As the run calls it.
    learner
        The learner itself; it is this object's from now on.
    tracker
        Its counts.
    history
        Its past.
    watch
        What raises alarms over its errors; None: nothing does.
    classes
        How it does at each class of the labels' hierarchy; None where there is none.

    Attributes
    ----------
    seconds
        CPU seconds of this thread inside the learner: not reading, counting or drawing.
    n_bytes
        Memory of the learner at the last look; looks are spaced so that they take 1 % of its time at the most.
    """

    def __init__(
        self,
        name: str,
        learner: Learner,
        tracker: Tracker,
        history: History,
        watch: ErrorWatch | None = None,
        classes: ClassRecords | None = None,
    ) -> None:
        self.name, self.learner, self.tracker, self.history = name, learner, tracker, history
        self.classes = classes
        self._watch = watch
        self._alarms: list[LearnerAlarm] = []
        self._errors = DelayQueue()
        self.seconds = 0.0
        self.n_bytes = 0
        self.last_labels: np.ndarray | None = None
        self.last_scores: np.ndarray | None = None
        self._pieces: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._look_at = 0.0
        self._chunk_answers: tuple[np.ndarray, np.ndarray] | None = None

    def advance(self, chunk: Chunk, start: int, stop: int, known: Known | None = None) -> None:
        """Test, then train on the rows from ``start`` to ``stop`` of a chunk, and count the answers.

        A learner that predicts whole chunks does so when the chunk begins, however small the steps through it: what it
        answers must not depend on how the run was cut. ``known`` is given where labels are delayed or hidden: then
        what is learned is not what has just been predicted.
        """
        X, Y = chunk.X[start:stop], chunk.Y[start:stop]
        whole = start == 0 and stop == len(chunk)
        begun = time.thread_time()
        if not self.learner.predicts_whole_chunks:
            if known is None:
                scores, labels = self.learner.test_then_train(X, Y)
            else:
                scores, labels = self._row_by_row(chunk.start + start, X, known)
        elif known is None and whole:
            scores, labels = self.learner.test_then_train(X, Y)
        else:
            if start == 0:
                self._chunk_answers = self.learner.answer_many(chunk.X)
            assert self._chunk_answers is not None, "a chunk is begun at its first row"
            scores, labels = (answers[start:stop] for answers in self._chunk_answers)
            if known is None:
                self.learner.learn_many(X, Y)
            elif len(known.Y):
                self.learner.learn_many(known.X, known.Y)
        self.seconds += time.thread_time() - begun
        self.tracker.update(Y, labels, scores)
        if self.classes is not None:
            self.classes.add(Y, labels)
        if not whole:
            self._pieces.append((Y, labels, scores))
        self.last_scores, self.last_labels = scores[-1], labels[-1]
        if self._watch is not None:
            self._look_for_alarms(self._watch, chunk.start + start, labels, Y, known)

    def _row_by_row(self, position: int, X: Any, known: Known) -> tuple[np.ndarray, np.ndarray]:
        """Answers of a learner that is asked row by row; between two rows it learns what has become known."""
        parts, done = [], 0
        for at in np.unique(known.due_at):
            row = min(max(int(at) - position + 1, done), X.shape[0])
            if row > done:
                parts.append(self.learner.answer_many(X[done:row]))
                done = row
            now = known.due_at == at
            self.learner.learn_many(known.X[now], known.Y[now])
        if done < X.shape[0]:
            parts.append(self.learner.answer_many(X[done:]))
        scores, labels = (np.concatenate(answers) for answers in zip(*parts, strict=True))
        return scores, labels

    def _look_for_alarms(
        self, watch: ErrorWatch, position: int, labels: np.ndarray, Y: np.ndarray, known: Known | None
    ) -> None:
        """Look for alarms: an error counts from the moment its label is known."""
        if known is None:
            passed = np.arange(position, position + len(Y))
            errors = labels != Y
        else:
            self._errors.add(known.arrives, labels != known.told)
            passed, *rest = self._errors.take(position + len(Y))
            if not rest:
                return
            errors = rest[0]
        for alarm in watch.update(errors):
            self._alarms.append(LearnerAlarm(int(passed[alarm.row]) + 1, alarm.label, alarm.before, alarm.after))

    @property
    def watched(self) -> str | None:
        """``"learner"`` or ``"label"``: what raises alarms; None: nothing does."""
        if self._watch is None:
            return None
        return "label" if self._watch.per_label else "learner"

    def take_alarms(self) -> list[LearnerAlarm]:
        """The alarms since the last call, in order."""
        alarms, self._alarms = self._alarms, []
        return alarms

    def close_chunk(self, position: int) -> None:
        """The chunk ends at ``position``: a point of the history."""
        counts = self.tracker.counts("chunk")
        if self._pieces:
            # counted again as a whole, so that the sums are the same to the last bit however the chunk was cut
            Y, labels, scores = (np.concatenate(parts) for parts in zip(*self._pieces, strict=True))
            counts = self.tracker.counted(Y, labels, scores)
            self._pieces.clear()
        self.history.append(position, counts, self.tracker.counts("faded"))
        if self.seconds >= self._look_at:
            begun = time.thread_time()
            self.n_bytes = self.learner.n_bytes
            self._look_at = self.seconds + (time.thread_time() - begun) / MEMORY_SHARE

    def complete_history(self, position: int) -> None:
        """Make a point of the history of what has none yet: the run ends at ``position``, perhaps amid a chunk."""
        if self._pieces:
            self.close_chunk(position)
        self.history.finish()

    @property
    def instances_per_second(self) -> float:
        """Instances learned for each CPU second of the learner."""
        return self.tracker.row / self.seconds if self.seconds > 0 else 0.0
