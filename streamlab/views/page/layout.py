"""How the parts of a run are arranged: side by side where there is room, else one under the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import panel as pn
import panel_material_ui as pmui

__all__ = ["AS_TALL_AS_CONTENT", "PICTURE_FIRST", "arrange", "equal_columns", "settings_section", "tabs_of"]

SIDE_BY_SIDE = """
:host{display:grid!important;grid-template-columns:minmax(0,1fr) minmax(0,1.05fr);gap:28px;align-items:start;
  grid-auto-rows:max-content;height:max-content!important}
@container page (max-width:860px){:host{grid-template-columns:minmax(0,1fr)}}
"""
"""Two columns where the page is wide enough, one under the other where it is not."""
PICTURE_FIRST = SIDE_BY_SIDE.replace("minmax(0,1fr) minmax(0,1.05fr)", "minmax(0,2.2fr) minmax(0,1fr)")
NO_SCROLL_BOX = ".MuiTabsPanel > .MuiBox-root{overflow:visible!important}"
"""A tab's content scrolls with the page, so that the details can stay at its top."""
AS_TALL_AS_CONTENT = ":host{height:max-content!important}"
"""A page would squeeze its content into the window; it scrolls instead."""
UNSQUEEZED = ":host{height:max-content!important;max-height:none!important} :host>*{max-height:none!important}"
"""Nor does a column cut its parts down to the window: a tall picture would reach under what comes next."""
SETTINGS_COLUMNS = (
    ":host{display:grid!important;grid-template-columns:repeat(auto-fill,minmax(280px,1fr));align-items:end}"
)
WIDE: dict[str, Any] = {"sizing_mode": "stretch_width"}


def equal_columns(least: int) -> str:
    """Return the style of as many columns as have room, all of a width, each at least so many px wide."""
    return (
        f":host{{display:grid!important;grid-template-columns:repeat(auto-fit,minmax(min({least}px,100%),1fr));gap:28px;"
        "align-items:start;grid-auto-rows:max-content;height:max-content!important}"
    )


def tabs_of(tabs: Sequence[tuple[str, Any]], opened: str | None) -> pmui.Tabs:
    """Return tabs with the one of a title open; None: the first.

    Raises
    ------
    ValueError
        If there is none of this title.
    """
    titles = [title for title, _ in tabs]
    if opened is not None and opened not in titles:
        raise ValueError(f"tab={opened!r}: expected one of {', '.join(titles)}")
    active = 0 if opened is None else titles.index(opened)
    return pmui.Tabs(*tabs, active=active, stylesheets=[NO_SCROLL_BOX], **WIDE)


def arrange(curves: Sequence[Any], table: Any, tabs: pmui.Tabs, *, large: bool) -> pn.Column:
    """Return the curves and the table beside the pictures; with ``large`` below them, each over the whole width."""
    if large and len(curves) > 1:
        curves = [pn.Column(*curves, stylesheets=[SIDE_BY_SIDE], **WIDE)]
    numbers = pn.Column(*curves, table, **WIDE)
    if large:
        return pn.Column(tabs, numbers, stylesheets=[UNSQUEEZED], **WIDE)
    return pn.Column(numbers, tabs, stylesheets=[SIDE_BY_SIDE], **WIDE)


def settings_section(settings: Sequence[Any]) -> pmui.Accordion:
    """Return settings that open by their title, for a view without a sidebar."""
    content = pn.Column(*settings, stylesheets=[SETTINGS_COLUMNS], **WIDE)
    return pmui.Accordion(("Settings", content), active=[], margin=(12, 2, 18, 2), **WIDE)
