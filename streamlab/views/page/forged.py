"""Values that a page's own controls cannot send: somebody else wrote the message, and nothing may come of it."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from typing import Any

import panel_material_ui as pmui
from panel.widgets.base import WidgetBase

from streamlab.views.kit.text import shown

__all__ = ["guard", "is_offered"]

logger = logging.getLogger("streamlab")

VALUES = ("value", "value_throttled")


def guard(root: Any, say: Callable[[str], None]) -> None:
    """Have every control below ``root`` take only what it offers.

    Anything else is logged and said in one line, and the control shows the value that it had.

    Parameters
    ----------
    root
        A layout, or one control.
    say
        Called with the line.
    """
    for widget in root.select(WidgetBase):
        if not getattr(widget, "_takes_only_what_it_offers", False):
            widget._takes_only_what_it_offers = True
            _guard(widget, say)


def _guard(widget: Any, say: Callable[[str], None]) -> None:
    process = widget._process_events
    # as they are now: a browser could send another range before the value
    start, end = getattr(widget, "start", None), getattr(widget, "end", None)

    def checked(events: dict[str, Any]) -> None:
        forged = [name for name in VALUES if name in events and not is_offered(widget, events[name], start, end)]
        if not forged:
            process(events)
            return
        line = f"{shown(widget.label)}: {shown(repr(events[forged[0]]), 60)} is not among what it offers"
        logger.warning("the browser sent a value that no control of the page sends: %s", line)
        say(line)
        widget.param.trigger("value")

    widget._process_events = checked


def is_offered(widget: Any, value: Any, start: float | None = None, end: float | None = None) -> bool:
    """Whether a browser's control sends such a value.

    Parameters
    ----------
    widget
        One of panel-material-ui's. Of one that has neither options nor a range any value is taken.
    value
        What came: for a list the words that people read, for a discrete slider the place of its handle.
    start, end
        The range of a slider or a number; None: no end.
    """
    if isinstance(widget, pmui.DiscreteSlider):
        return isinstance(value, int) and not isinstance(value, bool) and value in range(len(widget.values))
    if isinstance(widget, (pmui.MultiChoice, pmui.CheckBoxGroup)):
        most = getattr(widget, "max_items", None)
        known = isinstance(value, list) and all(isinstance(each, str) and each in widget.labels for each in value)
        return known and (most is None or len(value) <= most)
    if isinstance(widget, pmui.Select):
        return isinstance(value, str) and value in widget.labels
    if start is None and end is None:
        return True
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
        return value is None and not isinstance(widget, (pmui.IntSlider, pmui.FloatSlider))
    return (start is None or value >= start) and (end is None or value <= end)
