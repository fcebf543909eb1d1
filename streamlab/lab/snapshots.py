"""Snapshots of a run within a budget of bytes: what did not change since the last one is shared, not copied.

A snapshot keeps each array as blocks of bytes. A block that equals the same block of the snapshot before *is* that
block: equality is found by comparing the bytes, which costs no more than copying them would.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from streamlab.lab.events import EVENT_BYTES, Action, EventMark
from streamlab.streams import Stream

DEFAULT_BUDGET = 256 * 2**20
"""Bytes of the snapshots of a run."""
BLOCK = 2**16
# how much sooner an old snapshot is given up than a new one
AGE_WEIGHT = 3.0
SOUGHT = 4
"""Snapshots of places that were sought which are kept, the newest ones: who has gone there will go there again."""


class Blocks:
    """An array as blocks of bytes, some of which are shared with an older snapshot.

    Parameters
    ----------
    array
        What is kept; copied.
    before
        The same array in the snapshot before, whose equal blocks are shared; None: nothing is.
    """

    __slots__ = ("blocks", "dtype", "shape")

    def __init__(self, array: np.ndarray, before: Any = None) -> None:
        self.dtype, self.shape = array.dtype, array.shape
        raw = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        old = before.blocks if isinstance(before, Blocks) else ()
        blocks = []
        for place, start in enumerate(range(0, raw.size, BLOCK)):
            block = raw[start : start + BLOCK].tobytes()
            blocks.append(old[place] if place < len(old) and old[place] == block else block)
        self.blocks: tuple[bytes, ...] = tuple(blocks)

    def array(self) -> np.ndarray:
        """Return the array, as a copy of its own."""
        return np.frombuffer(bytearray(b"".join(self.blocks)), self.dtype).reshape(self.shape)


@dataclass(frozen=True, eq=False)
class Snapshot:
    """A whole run at the end of a chunk.

    Parameters
    ----------
    position
        Instances that had passed.
    path
        What the user had done by then, in order.
    stream
        The stream as it was then, with the drifts put in.
    entries
        The state: arrays as ``Blocks``, plain values as they are.
    mark
        The end of the log of events.
    seconds
        Processor seconds that the run had gone on by then.
    """

    position: int
    path: tuple[Action, ...]
    stream: Stream
    entries: Mapping[str, Any]
    mark: EventMark
    seconds: float

    def state(self) -> dict[str, Any]:
        """Return the run's state as a flat dictionary of arrays, copied, and plain values."""
        return {name: value.array() if isinstance(value, Blocks) else value for name, value in self.entries.items()}

    def is_on(self, path: list[Action]) -> bool:
        """Whether a run that does what ``path`` says comes through this snapshot."""
        if tuple(path[: len(self.path)]) != self.path:
            return False
        if len(self.path) == len(path):
            return True
        then = path[len(self.path)]
        # what was done at the end before the run was finished cannot be done after it
        is_before = then.position == self.position and self.entries.get("finished") is True and not then.is_after_end
        return then.position >= self.position and not is_before

    @property
    def n_bytes(self) -> int:
        """Bytes that it would take alone."""
        return sum(size for _, size in _parts(self))


def _parts(snapshot: Snapshot) -> list[tuple[int, int]]:
    """Return each thing that it keeps by its identity, with its bytes."""
    parts = [(id(mark), EVENT_BYTES * len(mark.events)) for mark in snapshot.mark.chain()]
    for value in snapshot.entries.values():
        if isinstance(value, Blocks):
            parts += [(id(block), len(block)) for block in value.blocks]
        elif isinstance(value, (str, bytes)):
            parts.append((id(value), len(value)))
    return parts


@dataclass
class SnapshotStore:
    """Snapshots of a run, thinned to a budget.

    Parameters
    ----------
    budget
        Bytes that they may take together, what they share counted once. The first snapshot is kept whatever it takes.
    """

    budget: int = DEFAULT_BUDGET
    _kept: list[Snapshot] = field(default_factory=list)
    _uses: dict[int, int] = field(default_factory=dict)
    _ends: dict[int, Snapshot] = field(default_factory=dict)
    _sought: deque[Snapshot] = field(default_factory=lambda: deque(maxlen=SOUGHT))
    n_bytes: int = 0

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[Snapshot]:
        return iter(self._kept)

    @property
    def newest(self) -> Mapping[str, Any]:
        """The entries of the newest snapshot; none where there is none."""
        return self._kept[-1].entries if self._kept else {}

    def packed(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """Return the entries of a snapshot: arrays as blocks, and equal parts those of the newest one kept."""
        before, entries = self.newest, dict[str, Any]()
        for name, value in state.items():
            old = before.get(name)
            if isinstance(value, np.ndarray):
                entries[name] = Blocks(value, old)
            else:
                entries[name] = old if type(old) is type(value) and old == value else value
        return entries

    def add(
        self, snapshot: Snapshot, current: list[Action], *, end_of: int | None = None, is_sought: bool = False
    ) -> None:
        """Keep a snapshot; if the budget asks for it, give up others.

        Parameters
        ----------
        snapshot
            The newest.
        current
            What the run does on its present branch: snapshots of other branches are given up first.
        end_of
            The number of the branch that ends here: its end is given up last.
        is_sought
            Whether a seek leads here: it is given up after those that were taken on the way.
        """
        # in the place of the same instant: the first one stays the beginning
        same = [i for i, s in enumerate(self._kept) if s.position == snapshot.position and s.path == snapshot.path]
        place = same[0] if same else len(self._kept)
        for each in [self._kept[i] for i in same]:
            self._drop(each)
        self._kept.insert(place, snapshot)
        if end_of is not None:
            self._ends[end_of] = snapshot
        if is_sought:
            self._sought.append(snapshot)
        for part, size in _parts(snapshot):
            uses = self._uses.get(part, 0)
            self._uses[part] = uses + 1
            self.n_bytes += size if uses == 0 else 0
        while self.n_bytes > self.budget and len(self._kept) > 1:
            self._drop(self._dearest(current))

    def best(self, position: int, path: list[Action]) -> Snapshot | None:
        """Return the snapshot from which ``position`` on this path is nearest; None if there is none before it."""
        fit = [s for s in self._kept if s.position <= position and s.is_on(path)]
        return max(fit, key=lambda s: (s.position, len(s.path)), default=None)

    def has(self, position: int, path: list[Action]) -> bool:
        """Whether there is a snapshot of this instant."""
        return any(s.position == position and s.is_on(path) for s in self._kept)

    def forget(self, position: int) -> None:
        """Give up the snapshots behind a position; the first one stays."""
        for snapshot in [each for each in self._kept[1:] if each.position > position]:
            self._drop(snapshot)

    def _dearest(self, current: list[Action]) -> Snapshot:
        """Return the snapshot that is missed least."""
        others = self._kept[1:]
        ends = {id(each) for each in (*self._ends.values(), *self._sought)}
        elsewhere = [s for s in others if not s.is_on(current) and id(s) not in ends]
        if elsewhere:
            return elsewhere[0]
        here = sorted((s for s in self._kept if s.is_on(current)), key=lambda s: (s.position, len(s.path)))
        first = self._kept[0]
        newest = here[-1].seconds if here else 0.0
        best, least = None, np.inf
        for before, snapshot, after in zip(here, here[1:], [*here[2:], here[-1]], strict=False):
            if snapshot is first or id(snapshot) in ends:
                continue
            gap = after.seconds - before.seconds
            age = (newest - snapshot.seconds) / newest if newest > 0 else 0.0
            missed = gap / (1.0 + AGE_WEIGHT * age)
            if missed < least:
                best, least = snapshot, missed
        return best if best is not None else others[0]

    def _drop(self, snapshot: Snapshot) -> None:
        self._kept.remove(snapshot)
        self._ends = {branch: end for branch, end in self._ends.items() if end is not snapshot}
        if snapshot in self._sought:
            self._sought.remove(snapshot)
        for part, size in _parts(snapshot):
            self._uses[part] -= 1
            if self._uses[part] == 0:
                del self._uses[part]
                self.n_bytes -= size
