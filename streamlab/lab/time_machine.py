"""The time machine of a run: snapshots along the way, the list of what was done, and the branches it makes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from streamlab.lab._running import Running
from streamlab.lab.actions import STEP, Action, Done
from streamlab.lab.run_state import run_state, set_run_state
from streamlab.lab.snapshots import DEFAULT_BUDGET, Snapshot, SnapshotStore
from streamlab.lab.view_log import DEFAULT_BUDGET as VIEWS_BUDGET
from streamlab.lab.view_log import ViewLog
from streamlab.learners.base.contradictions import told

__all__ = ["Branch", "TimeMachine"]

SPACING_SECONDS = 0.25
"""Processor seconds of a run between two snapshots: the longest time that a replay to a position takes."""
LEAST_VIEWS = 2**22
COST_SHARE = 0.08
"""Share of the run's time that snapshots may take."""


def step_of(path: Sequence[Action], chunk: int) -> int:
    """Return the rows that are answered together after what was done; ``chunk`` where nobody chose."""
    return next((action.detail["rows"] for action in reversed(path) if action.kind == STEP), chunk)


@dataclass
class Branch:
    """One way that the run went.

    Parameters
    ----------
    number
        From 0, in the order in which branches were made.
    parent
        The branch that it left; None for the first.
    left_at
        Instances after which it left it.
    path
        What was done on it from the run's beginning.
    end
        Instances up to which it has gone.
    finished
        Whether the stream ended there.
    views
        What pictures showed on it.
    """

    number: int
    parent: int | None = None
    left_at: int = 0
    path: list[Action] = field(default_factory=list)
    end: int = 0
    finished: bool = False
    views: ViewLog = field(default_factory=ViewLog)


class TimeMachine:
    """Restore a run at any instant: load the nearest snapshot and replay from there.

    Snapshots are taken at the end of a chunk, before anything is done there: so they hold no half of a chunk, and
    whatever happens at their position is done again.

    Parameters
    ----------
    run
        The run.
    budget
        Bytes of the snapshots; 0: only the one of the beginning is kept.
    """

    def __init__(self, run: Running, budget: int = DEFAULT_BUDGET) -> None:
        self._run = run
        self.store = SnapshotStore(budget)
        # a share of what snapshots may take
        self._views_budget = max(LEAST_VIEWS, min(VIEWS_BUDGET, budget // 4))
        self.branches = [Branch(0, views=ViewLog(self._views_budget))]
        self.current = self.branches[0]
        self.done = 0
        """How much of the path has been done where the run stands."""
        self._began = False
        self._redoing = False
        self._clean = True  # nothing was done since the last instance
        self.seconds = 0.0
        """Processor seconds that the run has gone on, to where it stands."""
        self._since = 0.0
        self._cost = 0.0
        self._unable: str | None = None

    @property
    def path(self) -> list[Action]:
        """What was done, and will be done again, on the present branch."""
        return self.current.path

    @property
    def is_live(self) -> bool:
        """Whether the run stands where its branch ends, with nothing left to be done again."""
        run = self._run
        is_there = run.position == self.current.end and self.done == len(self.path)
        return is_there and (run.finished or not self.current.finished)

    # ------------------------------------------------------------------ along the way

    def begin(self) -> None:
        """Keep the beginning, before anything happens."""
        if not self._began:
            self._began = True
            self._keep()

    def limited(self, n: int | None) -> int | None:
        """Return how many of ``n`` instances may pass before something is done again."""
        if self.done == len(self.path):
            return n
        left = self.path[self.done].position - self._run.position
        return left if n is None else min(n, left)

    def passed(self, seconds: float) -> None:
        """Instances have passed, in so much time: take a snapshot if it is due, then do again what was done here."""
        run = self._run
        self._clean = True
        self.seconds += seconds
        if run.position > self.current.end:
            self.current.end, self.current.finished = run.position, False
        if run.finished and run.position == self.current.end:
            self.current.finished = True
        is_due = self.seconds - self._since >= max(SPACING_SECONDS, self._cost / COST_SHARE)
        if is_due and self.store.budget and self._between_chunks and self._unable is None:
            self._since = self.seconds
            if not self.store.has(run.position, self.path):
                begun = time.thread_time()
                self._keep()
                self._cost = time.thread_time() - begun
        self.redo()

    def redo(self) -> None:
        """Do again what was done at this position."""
        while self.done < len(self.path) and self.path[self.done].position <= self._run.position:
            action = self.path[self.done]
            self._redoing = True
            try:
                if action.is_after_end and not self._run.is_waiting:
                    self._run._is_at_end()
                self._run._do(action)
            finally:
                self._redoing = False
            self.done += 1
            self._clean = False

    def record(self, kind: str, **detail: Any) -> None:
        """Note what the user has just done; a new branch begins if the run was in its own past."""
        if self._redoing:
            return
        if not self.is_live:
            self.branch()
        run = self._run
        self.path.append(Action(run.position, kind, detail, run.finished))
        self.done = len(self.path)
        self.current.end, self.current.finished, self._clean = run.position, run.finished, False

    def branch(self, left_out: Action | None = None) -> None:
        """Begin a branch of what has been done so far, ``left_out`` left out; the old branch is kept."""
        old, position = self.current, self._run.position
        done = [action for action in self.path[: self.done] if action is not left_out]
        views = old.views.until(position if left_out is None else left_out.position)
        self.current = Branch(len(self.branches), old.number, position, done, position, self._run.finished, views)
        self.branches.append(self.current)
        self.done = len(done)
        others = [branch for branch in self.branches if branch is not self.current]
        while sum(branch.views.n_bytes for branch in others) > self._views_budget:
            oldest = next(branch for branch in others if len(branch.views))
            oldest.views = ViewLog(self._views_budget)

    # ------------------------------------------------------------------ back and forth

    def snapshot(self) -> Snapshot:
        """Return the run as it is now.

        Raises
        ------
        ValueError
            Within a chunk, or where the run was changed since the last instance.
        """
        if not self._between_chunks:
            raise ValueError(
                f"after {self._run.position:,} instances the run is within a chunk; snapshots are taken at its end"
            )
        if not self._clean:
            raise ValueError(
                "the run was changed since the last instance: a snapshot can be taken after the next chunk"
            )
        return self._taken()

    def restore(self, snapshot: Snapshot) -> None:
        """Let the run stand where it stood at a snapshot of its own."""
        run = self._run
        before = run.stream
        run.stream = snapshot.stream
        try:
            state = snapshot.state()
            learner_runs = {name: run._known(name, state, i) for i, name in enumerate(state["learners"])}
            set_run_state(run, state, learner_runs)
        except BaseException as error:
            run.stream = before
            if not snapshot.origin:
                raise
            # whatever an altered file leads to; some learners may stand there now, and others not
            run._broken = (
                f"{snapshot.origin}: the run after {snapshot.position:,} instances cannot be restored: {told(error)}"
            )
            if isinstance(error, Exception):
                raise ValueError(run._broken) from None
            raise
        run.log.rewind(snapshot.mark)
        run._step = step_of(snapshot.path, run.chunk)
        self.done = len(snapshot.path)
        self._since = self.seconds = snapshot.seconds
        self._clean = True

    def seek(self, position: int, interrupted: Callable[[], bool] | None = None) -> None:
        """Go to a position of the present branch; ``interrupted`` is asked now and then, and may leave it before."""
        run, end = self._run, self.current.end
        self.begin()
        if not 0 <= position <= end:
            raise ValueError(f"position={position}: expected one that the run has passed, from 0 to {end:,}")
        self.keep_end()
        if position == run.position and self.is_live and run._broken is None and run.finished == self.current.finished:
            return
        self.keep_end()
        best = self._best(position, self.path)
        behind = run.position > position or run._broken is not None
        if behind or (best.position, len(best.path)) > (run.position, self.done):
            self.restore(best)
        self.redo()
        while run.position < position:
            if run._advance_whole(position - run.position) == 0:
                break
            if interrupted is not None and interrupted():
                return
        if position == end and self.current.finished and not run.finished:
            run._advance_whole(1)

    def redo_from(self, changed_at: int, position: int) -> None:
        """Go to a position by way of the newest snapshot before a place where the path was changed."""
        self.restore(self._best(changed_at, self.path))
        self.seek(position)

    def switch(self, number: int, interrupted: Callable[[], bool] | None = None) -> None:
        """Go to the end of another branch."""
        if not 0 <= number < len(self.branches):
            raise ValueError(f"branch={number}: expected one from 0 to {len(self.branches) - 1}")
        self.begin()
        self.keep_end()
        branch = self.branches[number]
        best = self._best(branch.end, branch.path)
        self.current = branch
        self.restore(best)
        self.seek(branch.end, interrupted)

    def keep_end(self) -> None:
        """Keep the end of the branch, before the run leaves it, if a snapshot can be taken there."""
        run = self._run
        if not (self.is_live and self._clean and self._between_chunks and run._broken is None and self.store.budget):
            return
        self._keep(end_of=self.current.number)

    # ------------------------------------------------------------------ helpers

    def _best(self, position: int, path: list[Action]) -> Snapshot:
        best = self.store.best(position, path)
        if best is None:
            raise ValueError(f"the run cannot go back: {self._unable or 'its beginning was not kept'}")
        return best

    def _keep(self, end_of: int | None = None) -> None:
        """Keep a snapshot; a learner that cannot be kept must not stop the run."""
        try:
            self.store.add(self._taken(), self.path, end_of=end_of)
        except Exception as error:  # whatever a learner of another package raises when it is pickled
            self._unable = f"{type(error).__name__}: {error}"

    @property
    def _between_chunks(self) -> bool:
        run = self._run
        return run._current is None or run._used == len(run._current)

    def _taken(self) -> Snapshot:
        run = self._run
        return Snapshot(
            run.position,
            Done(self.path, self.done),
            run.stream,
            self.store.packed(run_state(run)),
            run.log.mark(),
            self.seconds,
        )
