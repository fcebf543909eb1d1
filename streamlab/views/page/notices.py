"""Notices and headings that show plain text; Panel's own interpret Markdown and HTML."""

from __future__ import annotations

from html import escape
from typing import Any

import panel_material_ui as pmui

from streamlab.views.kit.text import as_html, message_html

__all__ = ["Explanation", "Heading", "Notice"]

WRAP = ":host{overflow-wrap:anywhere;max-width:100%}"
"""A long word is broken instead of widening the page."""


class Notice(pmui.Alert):
    """An alert whose ``object`` is text: whatever a file or a learner wrote into it is shown, not read."""

    def __init__(self, **params: Any) -> None:
        params.setdefault("title", "")
        params.setdefault("object", "")
        super().__init__(**{"stylesheets": [WRAP], **params})

    def _process_param_change(self, params: dict[str, Any]) -> dict[str, Any]:
        text = params.pop("object", None)
        changed = super()._process_param_change(params)
        if text is not None:
            # the browser takes one layer of escapes off before it sets the HTML
            changed["object"] = escape(message_html(text))
        return changed

    def say(self, text: str, severity: str = "error") -> None:
        """Show a text; an empty one hides the notice."""
        self.param.update(object=text, severity=severity, visible=bool(text))


class Heading(pmui.Typography):
    """A line whose ``object`` is text."""

    def __init__(self, text: str, **params: Any) -> None:
        super().__init__(text, **{"stylesheets": [WRAP], **params})

    def _transform_object(self, obj: Any) -> dict[str, Any]:
        return {"object": escape(as_html(obj))}


class Explanation(Heading):
    """Text of some lines."""

    def _transform_object(self, obj: Any) -> dict[str, Any]:
        return {"object": escape(message_html(obj))}
