"""The button that makes a page ready for a class: larger, with nothing at its side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamlab.views.kit.component import FrameComponent, javascript

__all__ = ["Projector"]


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
