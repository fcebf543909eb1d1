"""The place of the sentence on the page: what a ``Sentence`` tells."""

from __future__ import annotations

from html import escape

import panel as pn

from streamlab.lab.frame import Frame
from streamlab.views.kit.text import MOST_MESSAGE, as_html
from streamlab.views.page.sentence import Sentence, Told
from streamlab.views.page.window import Part
from streamlab.views.timeline.bands import style_of

STYLE = """
:host{font:600 23px/1.3 Roboto,system-ui,-apple-system,"Segoe UI",sans-serif;overflow-wrap:anywhere}
p{margin:0;text-wrap:balance} b{font-weight:600} i{font-style:normal}
@media (max-width:520px){:host{font-size:18px}}
@container style(--sl-projected:1){:host{font-size:23px}}
"""


class SentenceBar(Part):
    """Shows what a ``Sentence`` tells."""

    def __init__(self) -> None:
        super().__init__()
        # a region by its name: read on request, not aloud with every change
        self._layout = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=0)

    def show(self, sentence: Sentence, frame: Frame) -> None:
        """Tell this frame, which the sentence has taken in; on the document's thread."""
        self._say(sentence.tell(frame))

    def look_back(self, position: int, drawn: int) -> None:
        """Say that the picture is of another row, while the playhead is moved; on the document's thread."""
        follows = "" if drawn == position else ": let go, and the picture follows"
        self._say(Told([(f"You look back{follows}.", None)]))

    def _say(self, sentence: Told) -> None:
        html = sentence_html(sentence)
        if html != self._layout.object:
            self._layout.object = html


def sentence_html(sentence: Told) -> str:
    """Return a sentence as HTML, learners' names in their colours; what comes from outside is escaped."""
    words = "".join(
        as_html(text, MOST_MESSAGE)
        if place is None
        else f"<b style='{colour_of(place)}' data-place='{place}'>{as_html(text)}</b>"
        for text, place in sentence.parts
    )
    mark = "" if sentence.mark is None else f"<i>{escape(sentence.mark)}</i> "
    return f"<section aria-label='What happens'><p>{mark}{words}</p></section>"


def colour_of(place: int) -> str:
    """Return the CSS of a learner's colour, on a dark page nearer to white, as its curve is."""
    colour = style_of(place)[0]
    return f"color:{colour};color:light-dark({colour},color-mix(in srgb,{colour} 62%,#fff))"
