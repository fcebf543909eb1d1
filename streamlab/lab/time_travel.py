"""What a run offers of its time machine: go back, go on, keep the branches."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from streamlab.lab.ownership import Owned, owned
from streamlab.lab.snapshots import Snapshot
from streamlab.lab.time_machine import TimeMachine
from streamlab.lab.view_log import ViewLog

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["TimeTravel"]


class TimeTravel(Owned):
    """A run that can go back in time."""

    position: int
    _machine: TimeMachine

    @property
    def end(self) -> int:
        """Instances up to which the present branch has gone: what ``seek`` reaches at most."""
        return self._machine.current.end

    @property
    def is_live(self) -> bool:
        """Whether the run stands at the end of its branch; else it stands in its own past."""
        return self._machine.is_live

    @property
    def is_as_made(self) -> bool:
        """Whether nobody has changed anything in it: no tuning, no drift put in, no learner that came or went."""
        return not self._machine.path

    @property
    def branch(self) -> int:
        """The number of the present branch."""
        return self._machine.current.number

    @property
    def views(self) -> ViewLog:
        """What pictures showed along the present branch, if somebody recorded it."""
        return self._machine.current.views

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
        if self._is_elsewhere:
            return self._seek_elsewhere(position)
        return self._seek(position, interrupted)

    @owned
    def _seek(self, position: int, interrupted: Callable[[], bool] | None = None) -> int:
        if isinstance(position, bool) or not isinstance(position, int):
            raise ValueError(f"position={position!r}: expected a whole number of instances")
        self._machine.seek(position, interrupted)
        return self.position

    def _seek_elsewhere(self, position: int) -> int:
        """Let the owner seek, a moment at a time."""
        before = -1
        while True:
            at = self._in_slices(lambda _, interrupted: self._seek(position, interrupted), None)
            if at in (position, before):
                return at
            before = at

    @owned
    def snapshot(self) -> Snapshot:
        """Return the whole run as it is now, at the end of a chunk.

        Raises
        ------
        ValueError
            Within a chunk, or if the run was changed since the last instance.
        """
        return self._machine.snapshot()

    @owned
    def restore(self, snapshot: Snapshot) -> None:
        """Let the run stand where it stood at one of its own snapshots.

        Raises
        ------
        ValueError
            If the snapshot does not lie on the present branch, or is another run's.
        """
        # that of another run, where nothing was done, is on any path
        is_own = any(branch.path is snapshot.path.branch for branch in self._machine.branches)
        if not is_own or not snapshot.is_on(self._machine.path) or snapshot.position > self.end:
            raise ValueError("the snapshot is not of this branch of the run; switch to its branch first")
        self._machine.keep_end()
        self._machine.restore(snapshot)

    @property
    @owned
    def branches(self) -> pd.DataFrame:
        """The branches of the run, one row each, in the order in which they were made.

        Columns: ``branch``, its number; ``parent``, the branch that it left (-1: none), and ``left_at``, where;
        ``end``, instances up to which it went; ``actions``, how many things were done on its way; ``current``.
        """
        import pandas as pd

        machine = self._machine
        return pd.DataFrame(
            [
                {
                    "branch": each.number,
                    "parent": -1 if each.parent is None else each.parent,
                    "left_at": each.left_at,
                    "end": each.end,
                    "actions": len(each.path),
                    "current": each is machine.current,
                }
                for each in machine.branches
            ]
        )

    @owned
    def switch_branch(self, branch: int) -> int:
        """Go to the end of another branch; returns the position there.

        Raises
        ------
        ValueError
            If there is no such branch.
        """
        self._machine.switch(branch)
        return self.position
