"""What the browser shows of a lesson: the panel of the one that is open."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import param

from streamlab.lessons.session import HANDLES
from streamlab.views.kit.component import FrameComponent, javascript

__all__ = ["LessonPanel"]

PLAIN = ("next", "back", "pass", "play", "skip", "do", "again", "leave")
"""What buttons send, without a value."""
MOST_OPTIONS = 5
DOCK = """
:host{position:sticky;top:12px;align-self:start;width:376px;margin:0 16px 0 0!important;z-index:6}
@media (max-width:1000px){:host{order:-1;top:0;width:100%;margin:0!important;z-index:12}}
"""
"""Beside the page where there is room, else above it: it stays in sight while the page scrolls."""


class LessonPanel(FrameComponent):
    """The step of a lesson: its text, what is asked, and the buttons.

    Parameters
    ----------
    on_command
        Called as ``on_command(name, value)`` on the document's thread: the names of ``PLAIN``, ``"pick"`` (the place of
        an answer) and ``"draw"`` (as many numbers from 0 to 1 as ``HANDLES``).
    """

    step = param.Dict(default={}, doc="What ``Session.state`` says.")

    _esm = javascript("lesson")

    def __init__(self, on_command: Callable[[str, Any], None], **params: Any) -> None:
        super().__init__(**{"stylesheets": [DOCK], "sizing_mode": None, **params})
        self._on_command = on_command

    def _handle_msg(self, data: Any) -> None:
        name, value = data.get("name"), data.get("value")
        if data.get("kind") == "command" and _is_command(name, value):
            self._on_command(name, value)
        elif data.get("kind") == "command":
            self._refusals.report("a command of a lesson", data)
        else:
            super()._handle_msg(data)

    def _process_events(self, events: dict[str, Any]) -> None:
        """Take nothing that the browser sets: what is shown is the server's to say."""
        for name, value in events.items():
            self._refusals.report(f"a lesson’s {name}", value)


def _is_command(name: Any, value: Any) -> bool:
    """Whether a button or a key of the panel sends this."""
    if name == "pick":
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST_OPTIONS
    if name == "draw":
        return isinstance(value, list) and len(value) == HANDLES and all(_is_share(each) for each in value)
    return name in PLAIN and value is None


def _is_share(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and 0 <= value <= 1
