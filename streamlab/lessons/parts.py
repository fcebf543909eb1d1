"""Parts of the page that a lesson may hide, so that the eye finds what the step is about."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import panel as pn

PARTS: dict[str, Callable[[Any], list[Any]]] = {
    "story": lambda view: [view.story_bar],
    "curves": lambda view: [view.timeline],
    "cards": lambda view: [view.cards],
    "pictures": lambda view: view.stage,
    "table": lambda view: [view.table],
}
"""By name, what gives the parts of a ``RunView``; the first takes the room of others that are hidden."""
AWAY = ":host{display:none!important}"
"""Not ``visible``: some parts say with ``!important`` how they are displayed."""
ALONE = {
    "cards": ":host{grid-column:1/-1}",
    # where the inspector is the third column, the pictures leave it its place
    "pictures": ":host{grid-column:1/-1} @container page (min-width:1180px){:host{grid-column:1/3}}",
}
BESIDE = {"cards": "pictures", "pictures": "cards"}
"""Parts that stand side by side: one alone takes the room of both."""


def show_only(view: Any, hidden: Collection[str]) -> None:
    """Show all parts of a view but these."""
    for name, parts_of in PARTS.items():
        for i, part in enumerate(parts_of(view)):
            viewable = part if isinstance(part, pn.viewable.Viewable) else part.__panel__()
            sheets = [sheet for sheet in viewable.stylesheets if sheet != AWAY and sheet not in ALONE.values()]
            if name in hidden:
                sheets.append(AWAY)
            elif i == 0 and BESIDE.get(name) in hidden:
                sheets.append(ALONE[name])
            if sheets != list(viewable.stylesheets):
                viewable.stylesheets = sheets
