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


def show_only(view: Any, hidden: Collection[str]) -> None:
    """Show all parts of a view but these."""
    for name, part_of in PARTS.items():
        part = part_of(view)
        viewable = part if isinstance(part, pn.viewable.Viewable) else part.__panel__()
        visible = name not in hidden
        if viewable.visible != visible:
            viewable.visible = visible
