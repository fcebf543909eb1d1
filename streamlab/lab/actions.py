"""What a user does to a run, in order: from the stream and this list a run can be had again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["COMPLETE", "DRIFT", "FORK", "JOIN", "MARK", "REMOVE", "STEP", "TUNE", "Action"]

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
        they held) or ``"step"`` (so many rows are answered together from here on).
    detail
        What the run needs to do it again.
    """

    position: int
    kind: str
    detail: Mapping[str, Any]
