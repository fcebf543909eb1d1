"""The one question that a page asks: at the first thing worth one its run pauses, and says where that is explained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn
import panel_material_ui as pmui
import param

from streamlab.lab import Player
from streamlab.lab.frame import Frame
from streamlab.views.kit.component import FrameComponent, bundled
from streamlab.views.page.forged import guard
from streamlab.views.page.questions import Question

COOKIE = "streamlab_asks"
"""Keeps in the browser whether to ask; the question's JavaScript writes it."""


class Asking(FrameComponent):
    """Asks once what happened, in the story's place, unless people have said that they do not want to be asked.

    Parameters
    ----------
    lesson
        Called with a question; returns the address of its lesson and what the link says, or None.
    """

    asks = param.Boolean(default=True, doc="Whether people want to be asked.")

    _bundle = bundled("asking")

    def __init__(self, lesson: Callable[[Question], tuple[str, str] | None], **params: Any) -> None:
        served = pn.state.curdoc is not None and pn.state.curdoc.session_context is not None
        cookie = pn.state.cookies.get(COOKIE) if served else None
        super().__init__(**{"asks": cookie != "off", "margin": 0, **params})
        self._lesson = lesson
        self._player: Player | None = None
        self._question: Question | None = None
        self._is_held = self.is_open = False
        self.choice = pmui.Checkbox(
            label="Pause once, and ask what happened", value=self.asks, margin=(0, 18), sizing_mode="stretch_width"
        )
        """Whether to ask, for the drawer."""
        guard(self.choice, lambda line: None)
        self.choice.param.watch(lambda event: self.param.update(asks=event.new), "value")
        self._draw()

    def begin(self, player: Player, question: Question | None) -> None:
        """Take the run that begins, and what is to be asked of it; None: nothing."""
        self._player, self._question, self.is_open = player, question, False
        self._draw()
        self._arm()

    def hold(self, on: bool) -> None:
        """Ask nothing for the time being, as before a class; or ask again."""
        self._is_held = on
        self._end() if on and self.is_open else self._arm()

    def take(self, frame: Frame) -> bool:
        """Return whether the question stands now, after a frame of the run; on the document's thread."""
        question = self._question
        if self.is_open and (frame.state != "paused" or question is None or frame.position != question.row):
            self._end()
        elif question is not None and not self.is_open and frame.position > question.row:
            # whoever is past it has no need of it
            self._end()
        elif question is not None and not self.is_open and self._is_due(frame, question):
            self.is_open = True
            self._draw()
        return self.is_open

    def _is_due(self, frame: Frame, question: Question) -> bool:
        is_there = frame.state == "paused" and frame.live and frame.position == question.row
        return is_there and self.asks and not self._is_held

    def _end(self) -> None:
        """It has been asked: once is enough, also where the run comes by again."""
        self._question, self.is_open = None, False
        if self._player is not None:
            self._player.stop_at(None)
        self._draw()

    @param.depends("asks", watch=True)
    def _arm(self) -> None:
        """Let the run pause where the question is, or not."""
        if self._player is not None and self._question is not None and not self.is_open:
            wanted = self.asks and not self._is_held
            self._player.stop_at(self._question.row if wanted else None)

    def _draw(self) -> None:
        question = self._question if self.is_open else None
        self._show(
            {
                "question": question.words if question else "", "answers": list(question.answers) if question else [],
                "right": question.right if question else 0, "why": question.why if question else "",
                "lesson": self._lesson(question) if question else None,
            }
        )  # fmt: skip

    def _handle_msg(self, data: Any) -> None:
        if data.get("kind") == "play" and self.is_open and self._player is not None:
            self._player.play()
        elif data.get("kind") == "off" and self.is_open:
            self.choice.value = False
            if self._player is not None:
                self._player.play()
        else:
            super()._handle_msg(data)

    def _process_events(self, events: dict[str, Any]) -> None:
        """Take nothing that the browser sets."""
        for name, value in events.items():
            self._refusals.report(f"the question’s {name}", value)
