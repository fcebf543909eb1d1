"""What learners that are ensembles share: their members, the list of who they are and were, one state of all."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from streamlab._checks import shown
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import checked_seed, kept, parameter
from streamlab.learners.base.state import State, contradiction
from streamlab.rivals.member import Features, Member, Settings
from streamlab.rivals.members import LogisticChain, PrunedSetsMember, TreeChain, TreePerLabel
from streamlab.rivals.roster import HISTORY, NEVER, Roster

BASES: dict[str, type[Member]] = {
    "relevance": TreePerLabel,
    "chain": TreeChain,
    "logistic": LogisticChain,
    "pruned_sets": PrunedSetsMember,
}
"""A further kind is a subclass of ``Member`` and a line here; ensembles, their states and their checks take it so."""


MOST_BYTES = 2 << 30
"""What the members may take before they have learned anything; each split adds what a leaf takes."""


class Committee(Roster, Learner):
    """An ensemble whose members are of one kind, ``base``, and learn the same rows.

    The members that are there are in ``_members``, by their seats; member
    ``i`` is in the state under ``member{i}.``.
    """

    base: str = parameter(default="chain", choices=tuple(BASES))
    n_models: int = parameter(1, default=10)
    # of the members; they stay as they are
    grace_period: int = parameter(1, 2000, default=200, limit=1_000_000, kw_only=True)
    delta: float = parameter(1e-12, 0.999999, default=1e-7, limit=0.999999, kw_only=True)
    tau: float = parameter(0.0, 1.0, default=0.05, limit=10.0, kw_only=True)
    step: float = parameter(0.0, 1.0, default=0.01, limit=1e6, kw_only=True)
    seed: int | None = parameter(default=None, check=checked_seed, kw_only=True)
    _members: list[Member] = kept()
    # stretches of rows in the history, and rows that had been learned at the end of the newest
    _n_noted: int = kept(low=0)
    _noted_at: int = kept(low=0)

    @classmethod
    @cache
    def prepare(cls) -> None:
        """Load the kernels of all bases, or compile them."""
        super().prepare()
        for base in BASES:
            cls._try_out(cls(base, **cls._quick or {}))

    def _reset(self) -> None:
        super()._reset()
        self._members = []
        # of a learner without a seed every member draws a new one, and so does every learner
        self._entropy = secrets.randbits(63) if self.seed is None else int(self.seed)

    # ------------------------------------------------------------------ columns

    def _check_size(self, features: Features, n_labels: int) -> None:
        """Raise a ValueError if the members cannot fit in memory; nothing has changed then."""
        size = int(self.n_models) * BASES[self.base].bytes_of(features, n_labels)
        if size > MOST_BYTES:
            raise ValueError(
                f"{type(self).__name__} with base={self.base!r} would take {size / 1e9:.2g} GB for "
                f"{self.n_models} members of {n_labels:,} labels and {len(features):,} features, before any split; "
                f"expected at most {MOST_BYTES / 1e9:.2g} GB: take fewer members, features or labels"
                + ("" if self.base == "logistic" else ", or base='logistic'")
            )

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        for member in self._members:
            member.widen(self._features, len(self._labels))

    # ------------------------------------------------------------------ members

    def _settings(self) -> Settings:
        return Settings(*(getattr(self, name) for name in Settings._fields))

    def _made_member(self, seat: int, born: int) -> Member:
        """Return a member that knows nothing; what is drawn for it follows from the seed, its seat and its birth."""
        rng = np.random.default_rng((self._entropy, seat, born))
        return BASES[self.base](self._features, len(self._labels), self._settings(), rng)

    def _enter(self) -> int:
        """Start a member in a free slot; return its place among the members."""
        seats = self._seats[self._rows_there()].tolist()
        place = next(seat for seat in range(len(seats) + 1) if seat not in seats[seat : seat + 1])
        self._members.insert(place, self._made_member(place, self._n_seen))
        self._change_rows(lambda values, axis: np.insert(values, place, 0, axis))
        self._append_members(1, seats=place, born=self._n_seen)
        return place

    def _replace(self, place: int, member: Member, now: int) -> tuple[int, int]:
        """Let a member have the seat of another, which leaves when ``now`` rows have been learned; return their ids."""
        row = int(self._rows_there()[place])
        self._left[row] = now
        self._members[place] = member
        self._append_members(1, seats=self._seats[row], born=now)
        return int(self._ids[row]), int(self._ids[-1])

    def _remove(self, places: list[int]) -> None:
        """Let the members in these places go."""
        self._left[self._rows_there()[places]] = self._n_seen
        self._members = [member for place, member in enumerate(self._members) if place not in places]
        self._change_rows(lambda values, axis: np.delete(values, places, axis))

    def _change_rows(self, change: Callable[[np.ndarray, int], np.ndarray]) -> None:
        """Let all arrays that have an entry for each member that is there have one more, or fewer."""
        for name, array in self.storage.arrays.items():
            for axis, dimension in enumerate(array.shape):
                if dimension in self._of_members:
                    setattr(self, f"_{name}", change(getattr(self, f"_{name}"), axis))

    @property
    def _of_members(self) -> tuple[str, ...]:
        """Dimensions of the storage that are as long as there are members."""
        return ("there",)

    def _rows_there(self) -> np.ndarray:
        """Return the rows of the list that are of members that are there, by their seats."""
        rows = np.flatnonzero(self._left == NEVER)
        return rows[np.argsort(self._seats[rows])]

    def _note(self, values: np.ndarray, step: int) -> None:
        """Keep how good the members that are there were in a stretch of ``step`` rows, which ends here; NaN: no say."""
        column = np.full(len(self._ids), np.nan)
        column[self._rows_there()] = values
        self._extend_history(column)
        self._n_noted, self._noted_at = self._n_noted + 1, self._n_seen
        # who left before what the picture shows
        stays = (self._left == NEVER) | (self._left > self._n_seen - HISTORY * step)
        if not stays.all():
            self._keep_members(stays)

    def _forget_history(self) -> None:
        """Begin the history again, as stretches of another length cannot stand beside those that were."""
        self._keep_members(np.sort(self._rows_there()))
        self._history[:] = np.nan
        self._n_noted = 0

    # ------------------------------------------------------------------ state

    def _get_state(self) -> State:
        state = super()._get_state() | {"entropy": str(self._entropy)}
        for place, member in enumerate(self._members):
            state |= member.state(f"member{place}.")
        return state

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        owner = type(self).__name__
        entropy = state.get("entropy")
        if not isinstance(entropy, str) or not (entropy.isascii() and entropy.isdigit() and len(entropy) < 100):
            raise contradiction(owner, f"entropy is {shown(entropy)}; expected a whole number written as text")
        self._entropy = int(entropy)
        rows = self._rows_there()
        if len(np.unique(self._seats[rows])) < len(rows):
            raise contradiction(owner, "seats has a seat twice; expected one for each member that is there")
        self._members = []
        for place, row in enumerate(rows.tolist()):
            member = self._made_member(int(self._seats[row]), int(self._born[row]))
            member.restore(owner, state, f"member{place}.")
            self._members.append(member)
        for name in self.storage.names_of(*self._of_members):
            n = len(getattr(self, f"_{name}"))
            if n != len(rows):
                raise contradiction(owner, f"{name} is of {n} members; expected {len(rows)}")

    @property
    def n_bytes(self) -> int:
        """Bytes of the arrays it and its members keep, reserve included."""
        own: int = super().n_bytes
        return own + sum(member.n_bytes for member in self._members)

    # ------------------------------------------------------------------ events and pictures

    def _step(self) -> int:
        """Return the rows of a stretch of the history."""
        raise NotImplementedError

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return the members as arrays, one entry for each, those that left lately included.

        Returns
        -------
        dict
            ``id`` (never reused), ``group`` (-1: all answer for all labels), ``seat`` (its line), ``born`` (rows that
            had been learned when it was started), ``left`` (when it left; -1: it is there), ``rows`` (that it has
            learned; -1 when it has left), ``value`` (what ``node_history`` says of the newest stretch; NaN where it
            had no say) and ``aside`` (False: who leaves does not come back).
        """
        rows = np.full(len(self._ids), -1)
        rows[self._rows_there()] = [member.n_learned for member in self._members]
        return {
            "id": self._ids.copy(),
            "group": np.full(len(self._ids), -1),
            "seat": self._seats.copy(),
            "born": self._born.copy(),
            "left": self._left.copy(),
            "rows": rows,
            "value": self._history[:, -1].astype(np.float64),
            "aside": np.zeros(len(self._ids), bool),
        }

    def _stretches(self) -> tuple[int, int, int]:
        return self._n_noted, self._step(), self._noted_at

    def _further_story(self, row: int) -> dict[str, Any]:
        learned = [member.n_learned > 0 for member in self._members]
        own = self._left[row] == NEVER and learned[int(np.flatnonzero(self._rows_there() == row)[0])]
        return {"measure": self.measure, "others": sum(learned) - int(own)}

    def _status_of(self, row: int) -> str:
        if self._left[row] != NEVER:
            return "replaced"
        place = int(np.flatnonzero(self._rows_there() == row)[0])
        return "answers" if self._members[place].n_learned else "has learned nothing yet"
