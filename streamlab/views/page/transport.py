"""The transport bar: play, pause, step, speed, the row; what the user does arrives as commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import param

from streamlab.lab.frame import Frame
from streamlab.views.kit.component import CommandComponent, bundled, is_nothing, is_whole
from streamlab.views.kit.text import shown

RATES: tuple[tuple[str, float | None], ...] = (
    ("5 rows/s", 5.0),
    ("25 rows/s", 25.0),
    ("100 rows/s", 100.0),
    ("250 rows/s", 250.0),
    ("1,000 rows/s", 1_000.0),
    ("10,000 rows/s", 10_000.0),
    ("flat out", None),
)
"""Speeds offered: what people read, and instances a second (None: as fast as the machine can)."""

MOST_MARK = 160
"""Characters of a mark's text."""


class Transport(CommandComponent):
    """Buttons and speed of a run, and the row that was answered last.

    Parameters
    ----------
    on_command
        Called as ``on_command(name, value)`` on the document's thread: ``"play"``, ``"pause"``, ``"step"`` (value 1, or
        None for the rest of the chunk), ``"restart"``, ``"rate"`` (instances a second or None), ``"live"``,
        ``"row"`` (all of the row is asked for). ``"ready"``: the
        browser has drawn the bar for the first time.
    """

    commands: ClassVar = {
        "play": is_nothing, "pause": is_nothing, "restart": is_nothing, "live": is_nothing, "row": is_nothing,
        "rate": lambda value: is_whole(value, len(RATES) - 1),
        "step": lambda value: value is None or (is_whole(value) and value == 1),
    }  # fmt: skip

    takes = ("dark",)

    page = param.Boolean(
        default=False,
        doc="Whether it is a page's own: then it follows the system's light or dark, else JupyterLab's around it.",
    )

    restart = param.Boolean(default=True, doc="Whether there is a button to start again.")

    secret = param.String(default="", doc="What a reload of the page is to be known by; a page's own only.")

    query = param.String(default="", doc="What the page's address says of its settings; a page's own only.")

    own = param.Boolean(default=False, doc="Whether no link leads to the run, as its rows are somebody's own.")

    about = param.String(default="", doc="What runs, in words, for the start page; a page's own only.")

    rates = param.List(default=[list(rate) for rate in RATES], doc="Speeds offered.")

    _bundle = bundled("transport")

    def __init__(self, on_command: Callable[[str, Any], None], **params: Any) -> None:
        super().__init__(on_command, **params)
        self._seen = False

    def show(self, frame: Frame, marks: Sequence[tuple[int, str]], row: Mapping[str, Any] | None = None) -> None:
        """Draw a frame.

        Parameters
        ----------
        frame
            The newest frame.
        marks
            Positions and texts in order: the latest up to where the run stands is told to assistive software.
        row
            Of the row that was answered last: ``labels`` as ``row_marks`` returns them, ``picture`` as ``row_picture``
            does, ``who`` answered, in which ``colour``, with a ``note`` on the names, each of them if known; None: its
            number alone stands there.
        """
        past = [mark for mark in marks if mark[0] <= frame.position]
        values = [rate for _, rate in RATES]
        self._show(
            {
                "state": frame.state,
                # the banner is for what is wrong; what a run waits for stands beside its position
                "message": "" if frame.state == "playing" else frame.message,
                "position": frame.position,
                "n_rows": frame.n_rows,
                "end": frame.end,
                "live": frame.live,
                "speed": frame.speed,
                "pace": pace_of(frame),
                "rate_index": values.index(frame.rate) if frame.rate in values else -1,
                "rate": frame.rate,
                "row": None if row is None else dict(row),
                "mark": [past[-1][0], shown(past[-1][1], MOST_MARK)] if past else None,
            }
        )

    def _handle_msg(self, data: Any) -> None:
        if data.get("kind") != "command" and not self._seen:
            self._seen = True
            self._on_command("ready", None)
        super()._handle_msg(data)

    def _commanded(self, name: str, value: Any) -> None:
        super()._commanded(name, RATES[value][1] if name == "rate" else value)


def pace_of(frame: Frame) -> str:
    """Return what people read of a run that waits for rows, or goes slowly; "" at other speeds."""
    if frame.state == "playing" and frame.message:
        return shown(frame.message, MOST_MARK)
    if frame.step >= frame.chunk:
        return ""
    return f"slow: learned {'row by row' if frame.step == 1 else f'{frame.step} rows at a time'}"
