"""One learner in a run: what it answers is counted, its time and memory taken, its past kept."""

from __future__ import annotations

import time

import numpy as np

from streamlab.lab.history import History
from streamlab.learners import Learner
from streamlab.measures import Counts, Tracker
from streamlab.streams import Chunk

__all__ = ["Track"]

# a look at the learner's memory may take this share of the time that learning takes
MEMORY_SHARE = 0.01


class Track:
    """A learner with its counts, clock and history.

    Parameters
    ----------
    name
        As the run calls it.
    learner
        The learner itself; it is this track's from now on.
    tracker
        Its counts.
    history
        Its past.

    Attributes
    ----------
    seconds
        CPU seconds of this thread inside the learner: not reading, counting or drawing.
    n_bytes
        Memory of the learner at the last look; looks are spaced so that they take 1 % of its time at the most.
    """

    def __init__(self, name: str, learner: Learner, tracker: Tracker, history: History) -> None:
        self.name, self.learner, self.tracker, self.history = name, learner, tracker, history
        self.seconds = 0.0
        self.n_bytes = 0
        self.last_labels: np.ndarray | None = None
        self.last_scores: np.ndarray | None = None
        self._pieces: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._look_at = 0.0
        self._held: tuple[np.ndarray, np.ndarray] | None = None

    def advance(self, chunk: Chunk, start: int, stop: int) -> None:
        """Test, then train on the rows from ``start`` to ``stop`` of a chunk, and count the answers.

        A learner that predicts whole chunks does so when the chunk begins, however small the steps through it: what it
        answers must not depend on how the run was cut.
        """
        X, Y = chunk.X[start:stop], chunk.Y[start:stop]
        whole = start == 0 and stop == len(chunk)
        begun = time.thread_time()
        if whole or not self.learner.predicts_whole_chunks:
            scores, labels = self.learner.test_then_train(X, Y)
        else:
            if start == 0:
                self._held = self.learner.answer_many(chunk.X)
            scores, labels = (answers[start:stop] for answers in self._held)
            self.learner.learn_many(X, Y)
        self.seconds += time.thread_time() - begun
        self.tracker.update(Y, labels, scores)
        if not whole:
            self._pieces.append((Y, labels, scores))
        self.last_scores, self.last_labels = scores[-1], labels[-1]

    def close_chunk(self, position: int) -> None:
        """The chunk ends at ``position``: a point of the history."""
        counts = self.tracker.counts("chunk")
        if self._pieces:
            # counted anew as a whole, so that the sums are the same to the last bit however the chunk was cut
            Y, labels, scores = (np.concatenate(parts) for parts in zip(*self._pieces, strict=True))
            counts = Counts.zeros(self.tracker.n_labels).count(Y, labels, scores)
            self._pieces.clear()
        self.history.append(position, counts, self.tracker.counts("faded"))
        if self.seconds >= self._look_at:
            begun = time.thread_time()
            self.n_bytes = self.learner.n_bytes
            self._look_at = self.seconds + (time.thread_time() - begun) / MEMORY_SHARE

    def settle(self, position: int) -> None:
        """The run ends at ``position``, perhaps amid a chunk: what has no point of the history yet gets one."""
        if self._pieces:
            self.close_chunk(position)
        self.history.finish()

    @property
    def instances_per_second(self) -> float:
        """Instances learned for each CPU second of the learner."""
        return self.tracker.row / self.seconds if self.seconds > 0 else 0.0
