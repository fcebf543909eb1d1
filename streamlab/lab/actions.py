"""What a user does to a run, in order: from the stream and this list a run can be had again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

TUNE, DRIFT, FORK, JOIN, REMOVE, COMPLETE = "tune", "drift", "fork", "join", "remove", "complete"
MARK, STEP = "mark", "step"


@dataclass(frozen=True, eq=False)
class Action:
    """Something that a user did between two instances. Two actions are equal only if they are the same one.

    Parameters
    ----------
    position
        Instances that had passed before it.
    kind
        ``"tune"``, ``"drift"`` (one was put in), ``"fork"``, ``"join"`` (a learner came), ``"remove"``,
        ``"complete"`` (the curves got a point of what had passed since the last), ``"mark"`` (the learners noted what
        they held) or ``"step"`` (this many rows are answered together from here on).
    detail
        What the run needs to do it again.
    is_after_end
        Whether the stream had ended, and the run was finished, before it.
    """

    position: int
    kind: str
    detail: Mapping[str, Any]
    is_after_end: bool = False


class Done(Sequence[Action]):
    """What had been done at an instant: the first actions of a branch, which is only ever added to.

    Many snapshots of a long branch share its list.

    Parameters
    ----------
    branch
        The actions of the branch.
    n
        How many of them had been done.
    """

    __slots__ = ("branch", "n")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, branch: list[Action], n: int) -> None:
        self.branch, self.n = branch, n

    def __len__(self) -> int:
        return self.n

    @overload
    def __getitem__(self, place: int) -> Action: ...

    @overload
    def __getitem__(self, place: slice) -> list[Action]: ...

    def __getitem__(self, place: int | slice) -> Action | list[Action]:
        return self.branch[: self.n][place]

    def __iter__(self) -> Iterator[Action]:
        return iter(self.branch[: self.n])

    def __reversed__(self) -> Iterator[Action]:
        return reversed(self.branch[: self.n])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Done) and self.n == other.n and self.begins(other.branch)

    def begins(self, path: list[Action]) -> bool:
        """Return whether a path begins with these actions."""
        return self.n <= len(path) and (path is self.branch or path[: self.n] == self.branch[: self.n])
