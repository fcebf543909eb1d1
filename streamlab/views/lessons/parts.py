"""Parts of the page that a lesson may hide, so that the eye finds what the step is about."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import panel as pn

__all__ = ["PARTS", "show_only"]

PARTS: dict[str, Callable[[Any], Any]] = {
    "story": lambda view: view.story_bar,
    "curves": lambda view: view.curves,
    "cards": lambda view: view.cards,
    "pictures": lambda view: view._tabs,
    "table": lambda view: view.table,
}
"""By name, what gives the part of a ``RunView``."""
AWAY = ":host{display:none!important}"
"""Not ``visible``: some parts say with ``!important`` how they are displayed."""
ALONE = ":host{grid-column:1/-1}"
BESIDE = {"cards": "pictures", "pictures": "cards"}
"""Parts that stand side by side: one alone takes the room of both."""


def show_only(view: Any, hidden: Collection[str]) -> None:
    """Show all parts of a view but these."""
    for name, part_of in PARTS.items():
        part = part_of(view)
        viewable = part if isinstance(part, pn.viewable.Viewable) else part.__panel__()
        sheets = [sheet for sheet in viewable.stylesheets if sheet not in (AWAY, ALONE)]
        if name in hidden:
            sheets.append(AWAY)
        elif BESIDE.get(name) in hidden:
            sheets.append(ALONE)
        if sheets != list(viewable.stylesheets):
            viewable.stylesheets = sheets
