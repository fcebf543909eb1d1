"""How the parts of a run are arranged: side by side if there is room, else one below the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import panel as pn
import panel_material_ui as pmui

__all__ = [
    "AS_TALL_AS_CONTENT", "INSPECTOR", "INSPECTOR_CLASS", "PICTURE_FIRST", "THEMES", "UNSQUEEZED", "WIDE", "WINDOW",
    "arrange", "equal_columns", "settings_section", "tabs_of",
]  # fmt: skip

SIDE_BY_SIDE = """
:host{display:grid!important;grid-template-columns:minmax(0,1fr) minmax(0,1.05fr);gap:28px;align-items:start;
  grid-auto-rows:max-content;height:max-content!important}
@container page (max-width:860px){:host{grid-template-columns:minmax(0,1fr)}}
"""
"""Two columns where the page is wide enough, one under the other where it is not."""
PICTURE_FIRST = SIDE_BY_SIDE.replace("minmax(0,1fr) minmax(0,1.05fr)", "minmax(0,2.2fr) minmax(0,1fr)")
INSPECTOR_CLASS = "sl-inspector"
CARDS_AND_STAGE = (
    SIDE_BY_SIDE.replace("minmax(0,1fr) minmax(0,1.05fr)", "280px minmax(0,1fr)")
    + f"""
:host>.{INSPECTOR_CLASS}{{grid-column:2}}
@container page (max-width:860px){{:host>.{INSPECTOR_CLASS}{{grid-column:1}}}}
@container page (min-width:1180px){{:host{{grid-template-columns:280px minmax(0,1fr) 300px;gap:24px}}
  :host>.{INSPECTOR_CLASS}{{grid-column:3;position:sticky;top:0;max-height:100vh;overflow-y:auto}}}}
"""
)
"""Cards beside the stage; the inspector is the third column where there is room, else it is under the stage."""
INSPECTOR = ":host{container-type:inline-size;height:max-content!important} :host>*{max-height:none!important}"
"""Parts of the inspector adapt to its width."""
WINDOW = """
.mui-light,.mui-dark{width:calc(100vw / var(--streamlab-larger, 1))!important;
  height:calc(100vh / var(--streamlab-larger, 1))!important}
"""
"""A page fills the window, also where ``Projector`` enlarges it."""
SPACED = ":host{gap:18px}"
NO_SCROLL_BOX = ".MuiTabsPanel > .MuiBox-root{overflow:visible!important}"
"""A tab's content scrolls with the page, so that the details can stay at its top."""
WRAPPED_TABS = """
@media (max-width:640px){.MuiTabs-scroller{height:auto!important}
:is(.MuiTabs-flexContainer,.MuiTabs-list){flex-wrap:wrap}
.MuiTabs-indicator{display:none} .MuiTab-root.Mui-selected{box-shadow:inset 0 -2px 0 currentColor}}
"""
"""On a phone tabs stand in as many lines as they need, each underlined itself."""
AS_TALL_AS_CONTENT = ":host{height:max-content!important}"
"""A page would squeeze its content into the window; it scrolls instead."""
UNSQUEEZED = ":host{height:max-content!important;max-height:none!important} :host>*{max-height:none!important}"
"""Nor does a column cut its parts down to the window: a tall picture would reach under what comes next."""
SETTINGS_COLUMNS = (
    ":host{display:grid!important;grid-template-columns:repeat(auto-fill,minmax(280px,1fr));align-items:end}"
)
WIDE: dict[str, Any] = {"sizing_mode": "stretch_width"}


def _theme(primary: str, paper: str, ink: str, line: str) -> dict[str, Any]:
    """Return a theme whose header is low and of the page's own colour: nothing but Play is saturated."""
    bar = {"backgroundColor": paper, "color": ink, "boxShadow": "none", "borderBottom": f"1px solid {line}"}
    tool = {
        "minHeight": "48px !important",
        "& .MuiTypography-root": {"fontSize": "17px", "fontWeight": 650, "color": ink},
    }
    return {
        "palette": {"primary": {"main": primary}},
        "components": {
            "MuiAppBar": {"styleOverrides": {"root": bar}},
            "MuiToolbar": {"styleOverrides": {"root": tool}},
        },
    }


THEMES = {
    "light": _theme("#0f5c8c", "#ffffff", "#1b1f24", "#d9dde2"),
    "dark": _theme("#90caf9", "#121212", "#f2f4f7", "#33383e"),
}
"""Colours of pages, light and dark, as panel-material-ui's ``theme_config`` takes them."""


def equal_columns(least: int) -> str:
    """Return the style of as many columns as have room, all of a width, each at least this many px wide."""
    return (
        f":host{{display:grid!important;grid-template-columns:repeat(auto-fit,minmax(min({least}px,100%),1fr));gap:28px;"
        "align-items:start;grid-auto-rows:max-content;height:max-content!important}"
        # Panel's button to scroll a column, which is never seen here, would take a place among the columns
        ".scroll-button{display:none!important}"
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
    return pmui.Tabs(*tabs, active=active, dynamic=True, stylesheets=[NO_SCROLL_BOX, WRAPPED_TABS], **WIDE)


def arrange(curves: Sequence[Any], cards: Any, table: Any, tabs: pmui.Tabs, inspector: Any | None) -> pn.Column:
    """Return the parts one under the other: curves, the cards, the pictures and the inspector beside each other, and
    the table. Without an inspector the pictures come first, over the whole width.
    """
    if len(curves) > 1:
        curves = [pn.Column(*curves, stylesheets=[SIDE_BY_SIDE], **WIDE)]
    if inspector is None:
        return pn.Column(tabs, *curves, cards, table, stylesheets=[UNSQUEEZED, SPACED], **WIDE)
    stage = pn.Column(cards, tabs, inspector, stylesheets=[CARDS_AND_STAGE], **WIDE)
    return pn.Column(*curves, stage, table, stylesheets=[UNSQUEEZED, SPACED], **WIDE)


def settings_section(settings: Sequence[Any]) -> pmui.Accordion:
    """Return settings that open by their title, for a view without a sidebar."""
    content = pn.Column(*settings, stylesheets=[SETTINGS_COLUMNS], **WIDE)
    return pmui.Accordion(("Settings", content), active=[], margin=(12, 2, 18, 2), **WIDE)
