"""One learner of a run: its clock, its memory, its answers to the latest instance."""

from __future__ import annotations

import time

import numpy as np

from streamlab.lab import Run
from streamlab.lab.learner_run import MEMORY_SHARE
from tests.lab.made import Lagging, Slow, made_arrays, made_stream


class Busy(Lagging):
    """Computes for ``seconds`` of CPU time when it learns, and as long when asked for its memory."""

    seconds = 0.02
    looks = 0

    def _burn(self) -> None:
        until = time.thread_time() + self.seconds
        while time.thread_time() < until:
            pass

    def _learn(self, X, Y, missing) -> None:
        self._burn()
        super()._learn(X, Y, missing)

    @property
    def n_bytes(self) -> int:
        self.looks += 1
        self._burn()
        return 1000 + self.looks


def test_seconds_are_those_of_the_learner_alone():
    Run(made_stream(10), Lagging()).advance()  # a kernel that has to be compiled first takes its own time
    idle, busy = Slow(seconds=0.02), Busy()
    run = Run(made_stream(500), {"idle": idle, "busy": busy})
    run.advance()
    seconds = run.summary.seconds
    assert 5 * Busy.seconds <= seconds["busy"] < 5 * Busy.seconds + 0.1
    assert seconds["idle"] < 0.05, "sleeping is not computing, and the other's time is not this one's"
    learner_run = run.learner_runs["busy"]
    assert learner_run.instances_per_second == 500 / learner_run.seconds


def test_looks_at_the_memory_are_spaced():
    busy = Busy()
    run = Run(made_stream(2000), busy)
    run.advance()
    assert busy.looks == 1, f"a second look may come after {1 / MEMORY_SHARE:.0f} times as long as one takes"
    assert run.learner_runs["Busy"].n_bytes == 1001


def test_the_latest_answers():
    learner = Lagging()
    run = Run(made_stream(250), learner)
    for n in (100, 30, 70, 10):
        run.advance(n)
        learner_run = run.learner_runs["Lagging"]
        chunk, row = divmod(run.position - 1, 100)
        scores, labels = learner.answers[chunk]
        assert np.array_equal(learner_run.last_scores, scores[row])
        assert np.array_equal(learner_run.last_labels, labels[row])
    X, Y = made_arrays(250)
    assert np.array_equal(run.last[0], X[209])
    assert np.array_equal(run.last[1], Y[209])


def test_what_waits_for_the_end_of_its_chunk_is_no_more_than_the_chunk():
    run = Run(made_stream(1000), Lagging())
    learner_run = run.learner_runs["Lagging"]
    for _ in range(333):
        run.advance(3)
        assert sum(len(Y) for Y, *_ in learner_run._pieces) == run.position % 100
