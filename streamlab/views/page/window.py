"""The window that pages have: title, colours, and what is said above."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import panel_material_ui as pmui
import param
from panel.util import edit_readonly

from streamlab.views.page.forged import guard
from streamlab.views.page.layout import THEMES, WINDOW
from streamlab.views.page.opening import OPENING

__all__ = ["make_window", "told"]

MOST_TOLD = 4


def make_window(
    title: str, main: Sequence[Any], say: Callable[[str], None], *, dark: bool, sidebar: Sequence[Any] = (), **more: Any
) -> pmui.Page:
    """Return a page of Panel's with our colours, guarded against what no control of it sends."""
    page = pmui.Page(
        title=title, template=OPENING, main=list(main), sidebar=list(sidebar), sidebar_width=330,
        sidebar_resizable=False, dark_theme=dark, theme_config=THEMES, stylesheets=[WINDOW], busy_indicator=None,
        **more,
    )  # fmt: skip
    with edit_readonly(page):
        # The page would say busy and idle at every message from the browser, 30 ms of server time each. Another
        # reference, not a plain value: only that ends Panel's own, which would hold the page for ever.
        page.busy = param.rx(False)
    guard(page, say)
    return page


def told(refused: Sequence[str]) -> str:
    """Return what a link asked for and cannot be had, in a sentence; "" if there is nothing."""
    if not refused:
        return ""
    more = f" (and {len(refused) - MOST_TOLD} more)" if len(refused) > MOST_TOLD else ""
    return f"The link asked for what cannot be had here: {'; '.join(refused[:MOST_TOLD])}{more}."
