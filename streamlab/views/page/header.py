"""What stands in a page's header: the lists of links, and the button that makes a page ready for a class."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import panel as pn
import param

from streamlab.views.hosting.serving import routes_of
from streamlab.views.kit.component import FrameComponent, javascript
from streamlab.views.page.presets import PRESETS
from streamlab.views.page.served import Later

PAGES = {name: (preset.title.removeprefix("streamlab · "), preset.about) for name, preset in PRESETS.items()} | {
    "study": ("study", "Many learners on many streams: a table, their ranks and curves, and each of the runs.")
}
"""Title and sentence of each page that the product serves, by the last part of its address."""


class LinkMenu(FrameComponent):
    """A button that opens a list of links; without a link there is no button.

    Parameters
    ----------
    label
        What the button says.
    links
        Of each its address, title, a remark beside the title, and a sentence.
    """

    label = param.String(default="", doc="What the button says.")

    links = param.List(default=[], doc="Of each its address, title, a remark beside the title, and a sentence.")

    current = param.String(default="", doc="The address of the link that is open; or an empty text.")

    _esm = javascript("menu")

    def __init__(self, label: str, links: Sequence[Sequence[str]] = (), **params: Any) -> None:
        super().__init__(**{"sizing_mode": None, "label": label, "links": [list(each) for each in links], **params})

    def _process_events(self, events: dict[str, Any]) -> None:
        """Take nothing that the browser sets."""
        for name, value in events.items():
            self._refusals.report(f"the menu {self.label}, {name}", value)


class PageMenu(LinkMenu):
    """Leads to the other pages of the server, if it has any.

    Parameters
    ----------
    later
        The page's: which pages there are is known when the browser has this one.
    """

    def __init__(self, later: Later, **params: Any) -> None:
        super().__init__("Pages", **params)
        later.do(self._fill)

    def _fill(self) -> None:
        doc = pn.state.curdoc
        if doc is None or doc.session_context is None:
            return
        current, served = routes_of(doc.session_context)
        links = [[name, title[0].upper() + title[1:], "", about] for name, (title, about) in PAGES.items()]
        links = [each for each in links if each[0] in served]
        self.param.update(current=current, links=links if len(links) > 1 else [])


class Projector(FrameComponent):
    """Enlarge the whole page, with text of at least 20 px, by its button or the key P.

    Parameters
    ----------
    on_turn
        Called with whether it is on now, on the document's thread.
    """

    _esm = javascript("projector")

    def __init__(self, on_turn: Callable[[bool], None], **params: Any) -> None:
        super().__init__(**{"sizing_mode": None, **params})
        self._on_turn = on_turn

    def _handle_msg(self, data: Any) -> None:
        if data.get("kind") != "projector":
            super()._handle_msg(data)
        elif isinstance(data.get("on"), bool):
            self._on_turn(data["on"])
        else:
            self._refusals.report("the projector", data)

    def _process_events(self, events: dict[str, Any]) -> None:
        """Take nothing that the browser sets."""
        for name, value in events.items():
            self._refusals.report(f"the projector’s {name}", value)
