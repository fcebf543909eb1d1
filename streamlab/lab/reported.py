"""What a learner of a run raises and reports: errors get its name, events are checked before they are logged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from streamlab.learners.base.contradictions import shown

__all__ = ["LONGEST_TEXT", "naming_learner", "reported"]

LONGEST_TEXT = 100_000
"""Characters that the kind or the message of an event may have: what an archive takes."""


class naming_learner:
    """Put the learner's name before what is raised inside; a class, for it is entered at each step of a run.

    Raises
    ------
    ValueError
        For a ValueError: input that the learner refuses, or an answer that is refused.
    RuntimeError
        For any other exception, which a learner should not raise; it names the exception's type, and is raised from it.
    """

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, ValueError):
            raise ValueError(f"learner {self._name!r}: {error}") from error
        if isinstance(error, Exception) and not isinstance(error, MemoryError):
            raise RuntimeError(f"learner {self._name!r}: {type(error).__name__}: {error}") from error


def reported(event: Any) -> tuple[int | None, str, str, dict[str, Any]]:
    """Return position (None: not told), kind, message and the rest of an event of ``take_events``.

    Raises
    ------
    ValueError
        If it is not a dictionary, kind or message is not a text, or the position is not a whole number.
    """
    if not isinstance(event, Mapping):
        raise ValueError(f"take_events returned {shown(event)}; expected dictionaries with kind and message")
    for key in ("kind", "message"):
        text = event.get(key)
        if not isinstance(text, str) or len(text) > LONGEST_TEXT or (key == "kind" and not text):
            which = f"event {shown(event.get('kind'))}" if key == "message" else "event"
            raise ValueError(f"{which}: {key} is {shown(text)}; expected a text of at most {LONGEST_TEXT:,} characters")
    kind, message = str(event["kind"]), str(event["message"])
    position = None
    if "position" in event:
        position = event["position"]
        if isinstance(position, bool) or not isinstance(position, (int, np.integer)):
            raise ValueError(f"event {shown(kind)}: position is {shown(position)}; expected a whole number of rows")
        position = int(position)
    return position, kind, message, {k: v for k, v in event.items() if k not in ("kind", "message", "position")}
