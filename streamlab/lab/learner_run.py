"""One learner in a run: its answers are counted and watched, its time and memory taken, its past kept."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from streamlab._checks import one_line, shown, under, with_type
from streamlab._side_by_side import cpu_seconds
from streamlab.detectors import ADWIN
from streamlab.lab.course import DelayQueue, Known, Mark
from streamlab.lab.drift_watch import DriftWatch
from streamlab.lab.events import ALARM, LABEL_ALARM, Reported, Step, reported
from streamlab.lab.history import History
from streamlab.lab.importance import Importance
from streamlab.lab.label_stats import ClassRecords
from streamlab.learners import Learner
from streamlab.learners.base.learner import FORGOTTEN, checked_answer
from streamlab.measures import Past, Tracker
from streamlab.streams import Chunk

NUMBERS = ("seconds", "n_bytes", "joined_at", "forked_at", "renewed_at")
"""Of a state."""
WATCHED = ("learner", "label")
"""The alarms that can be requested: on a learner's Hamming loss only, or also on each label's errors."""
# a look at the learner's memory may take this share of the time that learning takes
MEMORY_SHARE = 0.01


def raise_named(name: str, error: Exception) -> NoReturn:
    """Raise an error again, with the learner's name before its message.

    Raises
    ------
    ValueError
        For a ValueError: input that the learner refuses, or an answer that is refused.
    MemoryError
        The same, as it is.
    RuntimeError
        For any other exception, which a learner should not raise; it names the exception's type, and is raised from it.
    """
    if isinstance(error, MemoryError):
        raise error
    if isinstance(error, ValueError):
        raise ValueError(f"learner {name!r}: {one_line(error, 2000)}") from error
    raise RuntimeError(f"learner {name!r}: {with_type(error)}") from error


def learner_of(state: Mapping[str, Any]) -> Learner:
    """Return a new object that is the learner of a ``LearnerRun.state()``."""
    if "object" in state:
        return pickle.loads(state["object"])
    return state["kind"].from_state(under(state, "model."))


class ErrorWatch:
    """ADWIN on the Hamming loss of each instance and, if asked, on the error of each label.

    Only rising errors are alarms: falling ones are a learner that learns.

    Parameters
    ----------
    labels
        Their names.
    per_label
        Whether each label is watched too.
    delta
        ADWIN's confidence. Default 0.002.
    """

    def __init__(self, labels: Sequence[str], *, per_label: bool = False, delta: float = 0.002) -> None:
        self.labels = labels
        self.per_label = per_label
        self._adwin = ADWIN(1 + len(labels) * per_label, delta=delta)

    def update(self, errors: np.ndarray, rows: np.ndarray) -> list[Reported]:
        """Feed errors, of shape (n, n_labels), true where a label was predicted wrongly; return the alarms, in order.

        ``rows``, int64 (n,), are the instances at which the errors are known. ``before`` and ``after`` are the mean
        error in the part of the detector's window that was dropped, and after the cut where it was detected; ``since``
        is the row to which the evidence reaches back: where the part of the window that was kept begins, and a quarter
        of that part before it, for ADWIN cuts its window only between blocks.
        """
        loss = errors.mean(axis=1) if len(self.labels) else np.zeros(len(errors))
        values = np.column_stack([loss, errors]) if self.per_label else loss[:, None]
        found: list[Reported] = []
        for change in self._adwin.update_many(values):
            if change.rising:
                at, label = int(rows[change.row]) + 1, self.labels[change.detector - 1] if change.detector else None
                what, kind = ("Hamming loss", ALARM) if label is None else (f"errors on {label}", LABEL_ALARM)
                message = f"{what} rose: {change.before:.3g} → {change.after:.3g}"
                since = max(0, at - change.kept - change.kept // 4)
                detail = {"label": label, "before": change.before, "after": change.after, "since": since}
                found.append((at, kind, message, detail))
        return found

    def state(self) -> dict[str, Any]:
        """Return the detectors' state, as a flat dictionary of arrays, copied."""
        return self._adwin.state()

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a ``state()``, which is copied; raises a ValueError as ``ADWIN.set_state``."""
        self._adwin.set_state(dict(state))


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
    detectors
        River's detectors on its errors; None: there are none.
    importance
        What it answers by, asked at the beginning of each chunk; None: it is not asked.

    Attributes
    ----------
    seconds
        CPU seconds inside the learner, whichever threads worked: not reading, counting or drawing.
    n_bytes
        Memory of the learner at the last look; looks are spaced so that they take 1 % of its time at the most.
    joined_at
        Instances of the run that had passed when it joined.
    forked_at
        Instances of the run that had passed when it left another; 0: it did not.
    renewed_at
        Instances that had passed when, after the latest mark of then, most of the rows that it keeps were newer; 0:
        they never were.
    """

    def __init__(
        self, name: str, learner: Learner, tracker: Tracker, history: History, watch: ErrorWatch | None = None,
        classes: ClassRecords | None = None, detectors: DriftWatch | None = None, importance: Importance | None = None,
    ) -> None:  # fmt: skip
        self.name, self.learner, self.tracker, self.history = name, learner, tracker, history
        self.classes, self.importance = classes, importance
        history.unasked = tracker.unasked
        self._watch, self._detectors = watch, detectors
        self._alarms: list[Reported] = []
        self._errors, self._kept = DelayQueue(), DelayQueue()
        self.seconds = 0.0
        self.n_bytes = 0
        self.joined_at = self.forked_at = self.renewed_at = 0
        self.last_labels: np.ndarray | None = None
        self.last_scores: np.ndarray | None = None
        self._pieces: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._chunk_past: Past | None = None
        self._look_at = 0.0
        self._chunk_answers: tuple[np.ndarray, np.ndarray] | None = None
        self._step = Step(0, None, None)

    def advance(
        self, chunk: Chunk, start: int, stop: int, known: Known | None = None, part: tuple[int, int] | None = None
    ) -> None:
        """Test, then train on the rows from ``start`` to ``stop`` of a chunk, and count the answers.

        A learner that predicts whole chunks does so when the chunk begins, however small the steps through it: what it
        answers must not depend on how the run was cut. ``known`` is given where labels are delayed or hidden: then
        what is learned is not what has just been predicted. ``part``: the rows of the chunk that are predicted
        together, where these are not all; the step lies within it.
        """
        try:
            first, last = (0, len(chunk.Y)) if part is None else part
            X, Y = chunk.X[start:stop], chunk.Y[start:stop]
            asked = self.importance if self.importance is not None and self.asks_at(chunk.start) else None
            if asked is not None and start == 0:
                asked.ask(chunk.X, chunk.Y, at=chunk.start)
            entered = cpu_seconds()
            self._step = Step(chunk.start + start, self.learner.now, None if known is None else known.due_at)
            began = cpu_seconds()
            if not self.learner.predicts_whole_chunks:
                if known is None:
                    scores, labels = self.learner.test_then_train(X, Y)
                else:
                    scores, labels = self._row_by_row(chunk.start + start, X, known)
            elif known is None and (start, stop) == (first, last):
                scores, labels = self.learner.test_then_train(X, Y)
            else:
                if start == first:
                    self._chunk_answers = self.learner.answer_many(chunk.X[first:last])
                assert self._chunk_answers is not None, "a part is begun at its first row"
                scores, labels = (answers[start - first : stop - first] for answers in self._chunk_answers)
                if known is None:
                    self.learner.learn_many(X, Y)
                elif len(known.Y):
                    self.learner.learn_many(known.X, known.Y)
            self.seconds += cpu_seconds() - began
            # a learner may answer by methods of its own; what it answered is kept, saved, and checked when it is opened
            scores, labels = checked_answer(type(self.learner).__name__, (scores, labels), *Y.shape)
            past = self.tracker.past
            if not self._pieces:
                self._chunk_past = past
            self.tracker.update(Y, labels, scores)
            if not np.isfinite(scores[-1]).all():
                kind = type(self.learner).__name__
                raise ValueError(f"{kind} answered scores with inf in its last row; expected finite numbers")
            if self.classes is not None:
                self.classes.add(Y, labels)
            self._pieces.append((Y, labels, scores))
            self.last_scores, self.last_labels = scores[-1], labels[-1]
            if self._watch is not None or self._detectors is not None:
                self._look_for_alarms(chunk.start + start, labels, scores, Y, known, past)
            if asked is not None:
                asked.spent(cpu_seconds() - entered)
        except Exception as error:
            raise_named(self.name, error)

    def _row_by_row(self, position: int, X: Any, known: Known) -> tuple[np.ndarray, np.ndarray]:
        """Answers of a learner that is asked row by row; between two rows it learns what has become known."""
        parts, done = [], 0
        for at in np.unique(known.due_at):
            row = min(max(int(at) - position + 1, done), X.shape[0])
            if row > done:
                parts.append(self._answer_waiting(X[done:row], known.arrives[done:row]))
                done = row
            now = known.due_at == at
            # of rows from before it joined the run nothing is kept
            *_, kept = self._kept.take(int(at) + 1)
            self.learner._learn_late(known.X[now], known.Y[now], kept if len(kept) == now.sum() else None)
        if done < X.shape[0]:
            parts.append(self._answer_waiting(X[done:], known.arrives[done:]))
        scores, labels = (np.concatenate(answers) for answers in zip(*parts, strict=True))
        return scores, labels

    def _answer_waiting(self, X: Any, arrives: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        scores, labels, kept = self.learner._answer_waiting(X)
        if kept is not None:
            if len(self._kept) and self._kept._blocks[-1].columns[0].shape[1] != kept.shape[1]:
                # part of the learner has left, and what it kept of the rows before has no place any more
                self._kept = DelayQueue()
            self._kept.add(arrives, kept)
        return scores, labels

    def _look_for_alarms(
        self, position: int, labels: np.ndarray, scores: np.ndarray, Y: np.ndarray, known: Known | None,
        past: Past | None,
    ) -> None:  # fmt: skip
        """Look for alarms: an error counts from the moment its label is known."""
        truth = Y if known is None else known.labels
        errors = [labels != truth]
        if self._detectors is not None:
            errors.append(self._detectors.errors(self.tracker, truth, labels, scores, past))
        if known is None:
            passed = np.arange(position, position + len(Y))
        else:
            self._errors.add(known.arrives, *errors)
            passed, *errors = self._errors.take(position + len(Y))
            if not errors:
                return
        if self._watch is not None:
            self._alarms += self._watch.update(errors[0], passed)
        if self._detectors is not None:
            self._alarms += self._detectors.update(errors[1], passed)

    @property
    def watched(self) -> str | None:
        """``"learner"`` or ``"label"``: what raises alarms; None: nothing does."""
        return None if self._watch is None else "label" if self._watch.per_label else "learner"

    @property
    def detectors(self) -> tuple[str, ...]:
        """The names of River's detectors on its errors."""
        return () if self._detectors is None else self._detectors.names

    def take_events(self, end: int) -> list[Reported]:
        """Return the alarms of the last step, in order, then what the learner reported in it.

        ``end``: where the run is; what has no position happened there.

        Raises
        ------
        ValueError
            If an event cannot be kept, or its position is not in the step.
        """
        found, self._alarms = self._alarms, []
        try:
            for position, kind, message, detail in map(reported, self.learner.take_events()):
                try:
                    at = end if position is None else self._step.passed(position, self.learner.now, end)
                except ValueError as error:
                    raise ValueError(f"event {shown(kind)}: {error}") from None
                found.append((at, kind, message, detail))
        except Exception as error:
            raise_named(self.name, error)
        return found

    def renewed(self, mark: Mark | None, position: int) -> int | None:
        """Return after how many rows since a mark most rows that the learner keeps were newer ones; 0: not yet.

        None without a mark, and where it keeps no rows, or does not know which are old. Looked at after each chunk.
        """
        known = mark is not None and self.learner.kept_within(position - mark.row) is not None
        return max(self.renewed_at - mark.row, 0) if mark is not None and known else None

    def close_chunk(self, position: int, mark: Mark | None = None) -> None:
        """The chunk ends at ``position``, after the latest ``mark``: a point of the history."""
        if mark is not None and self.renewed_at <= mark.row:
            newer, kept = self.learner.kept_within(position - mark.row) or (0, 0)
            self.renewed_at = position if kept and 1 - newer / kept <= FORGOTTEN else 0
        counts = self.tracker.counts("chunk")
        if len(self._pieces) > 1:
            # counted again as a whole, so that the sums are the same to the last bit however the chunk was cut
            Y, labels, scores = (np.concatenate(parts) for parts in zip(*self._pieces, strict=True))
            counts = self.tracker.counted(Y, labels, scores, self._chunk_past)
        self._pieces.clear()
        self.history.append(position, counts, self.tracker.counts("faded"))
        if self.seconds >= self._look_at:
            began = cpu_seconds()
            self.n_bytes = self.learner.n_bytes
            self._look_at = self.seconds + (cpu_seconds() - began) / MEMORY_SHARE

    def complete_history(self, position: int) -> None:
        """Make a point of the history of what has none yet: the run ends at ``position``, perhaps amid a chunk."""
        if self._pieces:
            self.close_chunk(position)
        self.history.finish()

    @property
    def n_rows(self) -> int:
        """Instances that it has answered in this run."""
        return self.tracker.row - self.joined_at

    @property
    def instances_per_second(self) -> float:
        """Instances learned for each CPU second of the learner."""
        return self.n_rows / self.seconds if self.seconds > 0 else 0.0

    # ------------------------------------------------------------------ amid a run

    def take_past(self, origin: LearnerRun) -> None:
        """Have the same past as another, whose learner was copied: counts, curves, alarms, clock."""
        state = {name: value for name, value in origin.parts().items() if name != "object"}
        self._set_parts({name: np.copy(v) if isinstance(v, np.ndarray) else v for name, v in state.items()})
        self._pieces, self._chunk_answers = list(origin._pieces), origin._chunk_answers
        self._chunk_past = origin._chunk_past

    def begin_at(self, position: int, beside: History, rows: Any) -> None:
        """Begin at a position of the run, with the points of another history.

        Amid a part of a chunk, whose ``rows`` these are: it answers them now; else None.
        """
        self.joined_at = self.tracker.row = position
        self.history.begin_beside(beside, position)
        if rows is not None and self.learner.predicts_whole_chunks:
            self._chunk_answers = self.learner.answer_many(rows)

    def asks_at(self, row: int) -> bool:
        """Whether it is asked what matters to it in a chunk that begins at a row."""
        return self.importance is not None and self.importance.asking.asks_at(row)

    # ------------------------------------------------------------------ state, between two chunks

    def state(self) -> dict[str, Any]:
        """Return everything it is between two chunks, as a flat dictionary of arrays and plain values.

        It is for this process alone: ``kind`` is the learner's class. The learner's entries begin with ``model.``; of
        one that has no flat state (River's objects) there is one entry ``object`` instead: it pickled.
        """
        own = self.parts() | {"kind": type(self.learner)}
        try:
            model = self.learner.state()
        except ValueError:
            return own | {"object": self.learner._pickled()}
        return own | {f"model.{name}": value for name, value in model.items()}

    def parts(self) -> dict[str, Any]:
        """Return the state without the learner's own."""
        state = {name: getattr(self, name) for name in NUMBERS}
        if self.last_labels is not None:
            state |= {"last_labels": self.last_labels, "last_scores": self.last_scores}
        for part, owner in self._owners().items():
            state |= {f"{part}.{name}": value for name, value in owner.state().items()}
        return state

    def _owners(self) -> dict[str, Any]:
        """Return what keeps a state of its own, by the prefix of its entries."""
        owners: dict[str, Any] = {
            "tracker": self.tracker, "errors": self._errors, "kept": self._kept, "history": self.history,
            "watch": self._watch, "detectors": self._detectors, "classes": self.classes, "importance": self.importance,
        }  # fmt: skip
        return {part: owner for part, owner in owners.items() if owner is not None}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a ``state()`` of this learner in this run; the learner stays the same object."""
        learner = learner_of(state)
        self._set_parts(state)
        self.learner._become(learner)
        self._look_at = 0.0

    def _set_parts(self, state: Mapping[str, Any]) -> None:
        for name in NUMBERS:
            setattr(self, name, state[name])
        self.last_labels, self.last_scores = state.get("last_labels"), state.get("last_scores")
        if self.importance is not None and "importance.row" not in state:
            # nothing had been asked by then
            old = self.importance
            self.importance = Importance(self.learner, name=self.name, before=old._before, asking=old.asking)
            self.importance.per_row = old.per_row
        for part, owner in self._owners().items():
            if owner is not self.importance or "importance.row" in state:
                owner.set_state(under(state, f"{part}."))
        self._alarms, self._pieces, self._chunk_answers = [], [], None
