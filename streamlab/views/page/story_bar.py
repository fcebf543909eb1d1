"""The story bar: one live sentence on what happens, over the curves."""

from __future__ import annotations

import time

import panel as pn

from streamlab.lab.frame import Frame
from streamlab.views.kit.text import MOST_MESSAGE, as_html
from streamlab.views.page.story import Story, Told

__all__ = ["StoryBar"]

SECONDS = 0.5
"""No sentence changes sooner while the run plays: it has to be read."""
STYLE = """
:host{font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;min-height:114px}
p{margin:0;max-width:140ch;overflow-wrap:anywhere} b{font-weight:650}
ul{margin:4px 0 0;padding-left:18px;font-size:13px;display:flex;flex-wrap:wrap;gap:0 30px}
@media (max-width:520px){:host{font-size:14px;min-height:110px}}
"""


class StoryBar(pn.viewable.Viewer):
    """Shows what a ``Story`` tells."""

    def __init__(self) -> None:
        super().__init__()
        self._said_at = 0.0
        self._state = ""
        # a region by its name: read on request, not aloud with every change
        self._pane = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(10, 2, 14, 2))

    def show(self, story: Story, frame: Frame) -> None:
        """Tell this frame, unless the last sentence has just been said; on the document's thread."""
        story.take(frame)
        now = time.monotonic()
        is_due = frame.state != self._state or frame.state != "playing" or now - self._said_at >= SECONDS
        if is_due:
            self._said_at, self._state = now, frame.state
            told = story_html(story.tell(frame))
            if told != self._pane.object:
                self._pane.object = told

    def __panel__(self) -> pn.pane.HTML:
        return self._pane


def story_html(told: Told) -> str:
    """Return what is told as HTML; names of learners, labels and streams in it come from outside."""
    text = f" {as_html(told.text, MOST_MESSAGE)}" if told.text else ""
    ideas = "".join(f"<li>{as_html(idea, MOST_MESSAGE)}</li>" for idea in told.ideas)
    body = f"<p><b>{as_html(told.headline, MOST_MESSAGE)}</b>{text}</p>"
    if ideas:
        body += f"<ul aria-label='To try next'>{ideas}</ul>"
    return f"<section aria-label='What happens'>{body}</section>"
