"""The pages that the product serves: each a preset, and the class of page that it opens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn
import panel_material_ui as pmui

from streamlab.plugins import Registry
from streamlab.views.hosting.limits import LIMITS, SEATS, full_message
from streamlab.views.page.drift_lab import DriftLab
from streamlab.views.page.monitor import Monitor
from streamlab.views.page.notices import Notice
from streamlab.views.page.presets import PRESETS

__all__ = ["PAGES", "FullPage", "make_page"]

PAGES: Registry[Callable[[], Any]] = Registry("streamlab.pages", "page")
"""Further pages by the last part of their address: functions that return, for each session, what has ``served``."""


class FullPage:
    """Served in place of a page when the server is full: one sentence, without a session."""

    def served(self) -> pmui.Page:
        """Return the page for the session under way."""
        notice = Notice(object=full_message(), severity="warning", margin=20)
        return pmui.Page(title="streamlab", main=[notice], busy_indicator=None)


def make_page(name: str) -> Monitor | FullPage:
    """Return a page of ``PRESETS``; for a session whose server has no place left, the page that says so.

    Raises
    ------
    ValueError
        If there is none of this name.
    """
    if name not in PRESETS:
        raise ValueError(f"unknown page {name!r}; there are: {', '.join(PRESETS)}")
    is_served = pn.state.curdoc is not None and pn.state.curdoc.session_context is not None
    if is_served and SEATS.full(LIMITS.pages):
        return FullPage()
    return DriftLab() if name == "drift_lab" else Monitor(preset=PRESETS[name])
