"""The members of an ensemble, those that left lately included: who they are, and how good they were."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab.learners.base.estimator import StreamEstimator
from streamlab.learners.base.parameters import kept
from streamlab.learners.base.rows_shown import story_of, table_of
from streamlab.learners.base.storage import between

if TYPE_CHECKING:
    import pandas as pd

HISTORY = 48
"""Stretches of rows over which it is kept how good the members were: for their picture."""
MOST_SEATS = 10_000
NEVER = -1


class Roster(StreamEstimator):
    """An ensemble that keeps a list of its members."""

    measure: ClassVar[str]
    """What the history holds, in words."""
    # ``members`` are those of the list, the oldest first
    _ids: np.ndarray = kept("members", dtype=np.int64, rules=(between(0),), rising=True)
    # the line of the picture on which it is drawn
    _seats: np.ndarray = kept("members", dtype=np.int64, rules=(between(0, MOST_SEATS),))
    # rows that had been learned when it was started, and when it left
    _born: np.ndarray = kept("members", dtype=np.int64, rules=(between(0),))
    _left: np.ndarray = kept("members", dtype=np.int64)
    # how good it was in each of the latest stretches, NaN where it did not answer
    _history: np.ndarray = kept("members", HISTORY, dtype=np.float32)
    _next_id: int = kept(low=0)
    # rows learned
    _n_seen: int = kept(low=0)

    def _append_members(self, n: int, **columns: Any) -> None:
        """Put ``n`` members at the end of the list, with new ids."""
        for name, values in {"ids": self._next_id + np.arange(n), "left": NEVER, "history": np.nan, **columns}.items():
            old = getattr(self, f"_{name}")
            column = np.empty((len(old) + n, *old.shape[1:]), old.dtype)
            column[: len(old)], column[len(old) :] = old, values
            setattr(self, f"_{name}", column)
        self._next_id += n

    def _keep_members(self, rows: np.ndarray) -> None:
        """Remove all others from the list."""
        for name in self.storage.names_of("members"):
            setattr(self, f"_{name}", getattr(self, f"_{name}")[rows])

    def _extend_history(self, values: np.ndarray) -> None:
        """Keep how good the members of the list were in a stretch that ends here."""
        self._history[:, :-1] = self._history[:, 1:]
        self._history[:, -1] = values

    @abstractmethod
    def _stretches(self) -> tuple[int, int, int]:
        """Return how many stretches there were, the rows of one, and the rows learned at the end of the newest."""

    @abstractmethod
    def _status_of(self, row: int) -> str:
        """Return the status of a member of the list, in words."""

    @abstractmethod
    def node_columns(self) -> dict[str, np.ndarray]:
        """Return the members as arrays, one entry for each of the list."""

    def node_history(self) -> dict[str, Any]:
        """Return how good each member was in the latest stretches of rows.

        Returns
        -------
        dict
            ``values`` float32 (members, stretches), in the order of ``node_columns``, the newest last, NaN where a
            member did not answer; ``step``, the rows of a stretch; ``end``, how many rows had been learned when the
            newest ended; ``measure``, what the values are, in words.
        """
        n, step, end = self._stretches()
        values = self._history[:, HISTORY - min(n, HISTORY) :].copy()
        return {"values": values, "step": step, "end": end, "measure": self.measure}

    def nodes(self) -> pd.DataFrame:
        """Return ``node_columns`` as a table, with the status in words: one row a member, indexed by ``id``."""
        status = [self._status_of(row) for row in range(len(self._ids))]
        return table_of(self.node_columns(), status=status).drop(columns=["group", "aside"])

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return what is known of one member; None where there is none, or no longer.

        Returns
        -------
        dict or None
            ``node_columns`` of it, with ``status`` in words, ``others`` (members that answer beside it), and what the
            ensemble adds.
        """
        story = story_of(self.node_columns(), node_id)
        if story is None:
            return None
        row = int(np.flatnonzero(self._ids == node_id)[0])
        return story | self._further_story(row) | {"status": self._status_of(row)}

    @abstractmethod
    def _further_story(self, row: int) -> dict[str, Any]:
        """Return what ``describe_node`` says of a member besides columns and status."""
