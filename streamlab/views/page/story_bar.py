"""The bar over the curves that shows what a ``Story`` tells."""

from __future__ import annotations

import re
from html import escape

import panel as pn

from streamlab.lab.frame import Frame
from streamlab.views.kit.text import MOST_MESSAGE, as_html
from streamlab.views.page.asking import Asking
from streamlab.views.page.screen import at_once
from streamlab.views.page.story import Story, Told
from streamlab.views.page.window import Part

STYLE = """
:host{font:15px/1.33 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif;min-height:40px;overflow-wrap:anywhere}
p{margin:0;max-width:140ch} b{font-weight:650} abbr{cursor:help}
ul{margin:4px 0 0;padding-left:18px;font-size:13px;display:flex;flex-wrap:wrap;gap:0 30px}
@media (max-width:520px){:host{font-size:14px;min-height:58px} p>span{display:none}}
"""


TWO_LINES = at_once(
    ":host{height:40px!important;overflow:hidden} ul{display:none}"
    "p{max-width:none} section{display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}"
    # numbers that have no room are left out whole: one that is cut off would be missed. A float is no line that is cut
    "p>span{float:right;padding-left:1em}"
)
FOR_A_CLASS = (
    "@container style(--sl-projected:1){:host{height:auto!important;font-size:17.3px;line-height:1.25}"
    "p{max-width:none} section{display:-webkit-box;-webkit-line-clamp:var(--sl-story-lines,3);"
    "-webkit-box-orient:vertical;overflow:hidden}"
    "ul,p>span{display:none}}"
)


SHEETS = [STYLE, TWO_LINES, FOR_A_CLASS]


class StoryBar(Part):
    """Shows what a ``Story`` tells; for once what ``asking`` asks stands in its place."""

    def __init__(self, asking: Asking | None) -> None:
        super().__init__()
        # a region by its name: read on request, not aloud with every change
        self._layout = pn.pane.HTML("", stylesheets=SHEETS, sizing_mode="stretch_width", margin=(0, 2))
        self._asking = asking
        self.parts = [self._layout] if asking is None else [self._layout, asking]
        """What stands in its place."""
        if asking is not None:
            # also where no frame comes, as on the way to the projector
            asking.on_end = lambda: self._layout.param.update(visible=True)

    def take(self, frame: Frame) -> None:
        """Take in each frame, drawn here or not: what is done in one of them may end the question."""
        self._layout.visible = self._asking is None or not self._asking.take(frame)

    def show(self, story: Story, frame: Frame) -> None:
        """Tell this frame, which the story has taken in; on the document's thread."""
        self._layout.object = story_html(story.tell(frame))

    def look_back(self, position: int, drawn: int) -> None:
        """Say of which row the picture is, while the playhead is moved to another; on the document's thread."""
        then = "" if drawn == position else f" The picture is of row {drawn:,}; let go, and all is of row {position:,}."
        self._layout.object = story_html(Told(f"Row {position:,}.", then.strip()))


def story_html(told: Told) -> str:
    """Return what is told as HTML; names of learners, labels and streams in it come from outside."""
    text = f" {as_html(told.text, MOST_MESSAGE)}" if told.text else ""
    # before a class and on a phone the curve alone shows the numbers
    text += f" <span>{as_html(told.figures, MOST_MESSAGE)}</span>" if told.figures else ""
    ideas = "".join(f"<li>{as_html(idea, MOST_MESSAGE)}</li>" for idea in told.ideas)
    body = f"<p><b>{as_html(told.headline, MOST_MESSAGE)}</b>{text}</p>"
    if told.rule:
        rule = rf"<abbr title='{escape(told.rule)}'>\1</abbr>"
        body = re.sub(r"\b(be(?:st|tter)(?=:|\.| over | than )|(?<!its )level(?=:| over ))", rule, body, count=1)
    if ideas:
        body += f"<ul aria-label='To try next'>{ideas}</ul>"
    return f"<section aria-label='What happens'>{body}</section>"
