"""The time machine of a run: snapshots along the way, the list of what was done, and the branches it makes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from streamlab._checks import checked_count, with_type
from streamlab._side_by_side import cpu_seconds
from streamlab.lab.events import Action
from streamlab.lab.lockstep import Lockstep
from streamlab.lab.snapshots import DEFAULT_BUDGET, Snapshot, SnapshotStore
from streamlab.lab.view_log import DEFAULT_BUDGET as VIEWS_BUDGET
from streamlab.lab.view_log import ViewLog

if TYPE_CHECKING:
    import pandas as pd

SPACING_SECONDS = 0.25
"""Processor seconds of a run between two snapshots: the longest time that a replay to a position takes."""
SOON_SECONDS = 0.05
"""A seek that replays for longer leaves a snapshot where it arrives."""
LEAST_VIEWS = 2**22
COST_SHARE = 0.08
"""Share of the run's time that snapshots may take."""
PICKLED_COST = 1.6
"""How much dearer one counts that holds pickled models, such as River's: theirs take 5 % of the time."""


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
        Instances after which it left its parent.
    path
        What was done on it from the run's beginning.
    end
        Instances that it has reached.
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
    lockstep
        What goes on, and is set back.
    budget
        Bytes of the snapshots; 0: only the one of the beginning is kept.
    """

    def __init__(self, lockstep: Lockstep, budget: int = DEFAULT_BUDGET) -> None:
        self.lockstep, self.course = lockstep, lockstep.course
        self.store = SnapshotStore(budget)
        # a share of what snapshots may take
        self._views_budget = max(LEAST_VIEWS, min(VIEWS_BUDGET, budget // 4))
        self.branches = [Branch(0, views=ViewLog(self._views_budget))]
        self.current = self.branches[0]
        self.done = 0
        """How much of the path has been done where the run stands."""
        self._began = False
        self._clean = True  # nothing was done since the last instance
        self.seconds = 0.0
        """Processor seconds that the run has gone on, to where it stands."""
        self._since = 0.0
        self._cost = 0.0
        self._sought: int | None = None
        self.unable: str | None = None
        """Why the newest snapshot that was due could not be kept."""

    @property
    def path(self) -> list[Action]:
        """What was done, and will be done again, on the present branch."""
        return self.current.path

    @property
    def is_live(self) -> bool:
        """Whether the run stands where its branch ends, with nothing left to be done again."""
        course = self.course
        is_there = course.position == self.current.end and self.done == len(self.path)
        return is_there and (course.finished or not self.current.finished)

    def actions(self) -> tuple[Action, ...]:
        """Return what people did on the present branch up to where the run stands, in order."""
        return tuple(self.path[: self.done])

    # ------------------------------------------------------------------ along the way

    def begin(self) -> None:
        """Keep the beginning, before anything happens."""
        if not self._began:
            self._began = True
            self._keep()

    def advance(self, n: int | None = None) -> int:
        """Go on by ``n`` instances or to the end of the chunk, and take a snapshot if one is due.

        Returns
        -------
        How many passed; 0 at the end of the stream, or if a live stream has no whole chunk yet.

        Raises
        ------
        ValueError
            If the run broke off, here or before.
        """
        if self.lockstep.broken is not None:
            raise ValueError(f"the run broke off after {self.course.position:,} instances: {self.lockstep.broken}")
        if self.course.is_waiting:
            return 0
        try:
            if not self._began:
                self.begin()
            path = self.current.path
            if self.done < len(path):
                # no further than to where something is done again
                left = path[self.done].position - self.course.position
                n = left if n is None else min(n, left)
            began = cpu_seconds()
            passed = 0 if self.course.finished else self.lockstep.advance(n)
            self._passed(cpu_seconds() - began)
            return passed
        except BaseException as error:
            self.lockstep.broken = str(error) or type(error).__name__
            raise

    def _passed(self, seconds: float) -> None:
        """Instances have passed, in so much time: take a snapshot if it is due, then do again what was done here."""
        course = self.course
        self._clean = True
        self.seconds += seconds
        if course.position > self.current.end or course.finished:
            self.current.end, self.current.finished = course.position, False
        if course.finished and course.position == self.current.end:
            self.current.finished = True
        is_due = self.seconds - self._since >= max(SPACING_SECONDS, self._cost / COST_SHARE)
        arrives = self._sought is not None and 0 <= self._sought - course.position < course.chunk
        is_sought = arrives and self.seconds - self._since >= SOON_SECONDS
        if (is_due or is_sought) and self.store.budget and course.is_between_chunks and self.unable is None:
            self._since = self.seconds
            if not self.store.has(course.position, self.path):
                began = cpu_seconds()
                self._keep(is_sought=is_sought)
                is_pickled = any(name.endswith(".object") for name in self.store.newest)
                self._cost = (cpu_seconds() - began) * (PICKLED_COST if is_pickled else 1.0)
        if self.done < len(self.current.path):
            self.redo()

    def redo(self) -> None:
        """Do again what was done at this position."""
        path = self.current.path
        while self.done < len(path) and path[self.done].position <= self.course.position:
            action = path[self.done]
            if action.is_after_end and not self.course.is_waiting:
                self.lockstep.is_at_end()
            self.lockstep.do_again(action)
            self.done += 1
            self._clean = False

    def record(self, kind: str, **detail: Any) -> None:
        """Note what the user has just done; a new branch begins if the run was in its own past."""
        if not self.is_live:
            self._branch()
        course = self.course
        self.path.append(Action(course.position, kind, detail, course.finished))
        self.done = len(self.path)
        self.current.end, self.current.finished, self._clean = course.position, course.finished, False

    def _branch(self, left_out: Action | None = None, first: Action | None = None) -> int:
        """Begin a branch as ``change_past`` does, and return from where on it differs; the old one is kept."""
        old, position = self.current, self.course.position
        done = [action for action in self.path[: self.done] if action is not left_out]
        changed_at = position if left_out is None else left_out.position
        if first is not None:
            done, changed_at = [first, *done], 0
        views = old.views.until(changed_at)
        self.current = Branch(len(self.branches), old.number, position, done, position, self.course.finished, views)
        self.branches.append(self.current)
        self.done = len(done)
        others = [branch for branch in self.branches if branch is not self.current]
        while sum(branch.views.n_bytes for branch in others) > self._views_budget:
            oldest = next(branch for branch in others if len(branch.views))
            oldest.views = ViewLog(self._views_budget)
        return changed_at

    # ------------------------------------------------------------------ back and forth

    def stand_at(self, snapshot: Snapshot) -> None:
        """Let the run stand where it stood at a snapshot, which is not checked to be of its branch."""
        lockstep = self.lockstep
        lockstep.set_state(snapshot.state(), snapshot.stream)
        lockstep.log.rewind(snapshot.mark)
        self.course.follow(snapshot.path)
        self.done = len(snapshot.path)
        self._since = self.seconds = snapshot.seconds
        self._clean = True

    def seek(self, position: int, *, interrupted: Callable[[], bool] | None = None) -> int:
        """Go back, or on again, to where the run was after this many instances: exactly, to the bit.

        The nearest snapshot before it is restored, and the run goes on from there as it went then: what was tuned, put
        in, forked and removed is done again at its instant, what happened at ``position`` included. Going on from here
        (``advance``) follows the same way; as soon as something is changed, a new branch begins, and the old one is
        kept (``branches``).

        Parameters
        ----------
        position
            Instances from the stream's beginning, from 0 to ``end``.
        interrupted
            Asked between chunks; a true answer leaves the run where it has come to.

        Returns
        -------
        The position where the run stands.

        Raises
        ------
        ValueError
            For a position that the run has not passed.

        Examples
        --------
        >>> import streamlab as sl
        >>> run = sl.Run("yeast", {"SMART": sl.SMART(seed=1)})
        >>> run.advance(1000)
        1000
        >>> run.seek(250)
        250
        >>> run.tune("SMART", half_life=50).position
        250
        >>> run.branches.end.tolist()
        [1000, 250]
        """
        position = checked_count("position", position)
        course, lockstep, end = self.course, self.lockstep, self.current.end
        self.begin()
        if not 0 <= position <= end:
            raise ValueError(f"position={position}: expected one that the run has passed, from 0 to {end:,}")
        self.keep_end()
        is_there = position == course.position and self.is_live and course.finished == self.current.finished
        if is_there and lockstep.broken is None:
            return position
        best = self._best(position, self.path)
        behind = course.position > position or lockstep.broken is not None
        if behind or (best.position, len(best.path)) > (course.position, self.done):
            self.stand_at(best)
        self.redo()
        self._sought = position
        try:
            while course.position < position:
                if self.advance(position - course.position) == 0:
                    break
                if interrupted is not None and interrupted():
                    return course.position
        finally:
            self._sought = None
        if position == end and self.current.finished and not course.finished:
            self.advance(1)
        return course.position

    def go_the_way_of(self, actions: Sequence[Action], position: int, finished: bool) -> None:
        """Go on to a position, and do further actions on the way; ``finished``: to the end of the stream, behind it."""
        self.begin()
        self.path.extend(actions)
        self.redo()
        while self.course.position < position and self.advance(position - self.course.position):
            pass
        if finished and not self.course.finished:
            self.advance(1)

    def change_past(self, *, left_out: Action | None = None, first: Action | None = None) -> None:
        """Begin a branch with another past, ``left_out`` left out or ``first`` before all; go to where the run stands.

        Where what was done since does not go with it, such as another learner of its name, that raises a ValueError,
        and the run stands on the old branch again.
        """
        self.keep_end()
        position, before = self.course.position, self.current.number
        changed_at = self._branch(left_out, first)
        try:
            self.stand_at(self._best(changed_at, self.path))
            self.seek(position)
        except ValueError:
            self.switch_branch(before)
            raise

    def switch_branch(self, branch: int) -> int:
        """Go to the end of another branch; returns the position there.

        Raises
        ------
        ValueError
            If there is no such branch.
        """
        checked_count("branch", branch, 0, len(self.branches) - 1)
        self.begin()
        self.keep_end()
        other = self.branches[branch]
        best = self._best(other.end, other.path)
        self.current = other
        self.stand_at(best)
        return self.seek(other.end)

    def table(self) -> pd.DataFrame:
        """Return the table of ``Run.branches``, which says what is in it."""
        import pandas as pd

        return pd.DataFrame([
            {
                "branch": each.number, "parent": -1 if each.parent is None else each.parent, "left_at": each.left_at,
                "end": each.end, "actions": len(each.path), "current": each is self.current,
            }
            for each in self.branches
        ])  # fmt: skip

    def keep_end(self) -> None:
        """Keep the end of the branch, before the run leaves it, if a snapshot can be taken there."""
        can = self.course.is_between_chunks and self.lockstep.broken is None and self.store.budget > 0
        if can and self._clean and self.is_live:
            self._keep(end_of=self.current.number)

    # ------------------------------------------------------------------ helpers

    def _best(self, position: int, path: list[Action]) -> Snapshot:
        best = self.store.best(position, path)
        if best is None:
            raise ValueError(f"the run cannot go back: {self.unable or 'its beginning was not kept'}")
        return best

    def _keep(self, end_of: int | None = None, *, is_sought: bool = False) -> None:
        """Keep a snapshot; a learner that cannot be kept must not stop the run."""
        try:
            self.store.add(self.taken(), self.path, end_of=end_of, is_sought=is_sought)
        except Exception as error:  # whatever a learner of another package raises when it is pickled
            self.unable = with_type(error)

    def taken(self) -> Snapshot:
        """Return the run as it is now, wherever it stands: within a chunk it cannot go on from there."""
        lockstep = self.lockstep
        return Snapshot(
            self.course.position, self.actions(), self.course.stream, self.store.packed(lockstep.state()),
            lockstep.log.mark(), self.seconds,
        )  # fmt: skip
