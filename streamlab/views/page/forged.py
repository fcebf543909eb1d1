"""Values that a page's own controls cannot send: somebody else wrote the message, and it must have no effect."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import panel as pn
import panel_material_ui as pmui
from panel.widgets.base import WidgetBase
from panel_material_ui.base import MaterialComponent

from streamlab.views.kit.component import Refusals
from streamlab.views.kit.text import shown

VALUES = ("value", "value_throttled")
OF_CONTROLS = {
    "value", "value_throttled", "value_input", "clicks", "enter_pressed", "dropdown_open", "filter_str",
}  # fmt: skip
"""What the browser's side of a control changes. Other options, another range or another label are Python's to set."""
MOST_LETTERS = 100_000
"""Of a field's text: the names of many label columns."""


def guard(root: Any, say: Callable[[str], None]) -> None:
    """Make everything below ``root`` accept from the browser only what its own controls can send.

    Anything else is logged and said in one line, and the control shows the value that it had.

    Parameters
    ----------
    root
        A layout, a view, or one control.
    say
        Called with the line.
    """
    viewable: Any = pn.panel(root)
    for each in viewable.select(lambda part: isinstance(part, (WidgetBase, MaterialComponent))):
        if not getattr(each, "_takes_only_what_it_offers", False):
            each._takes_only_what_it_offers = True
            _guard(each, say)


def _guard(part: Any, say: Callable[[str], None]) -> None:
    process, of_values, of_others = part._process_events, Refusals(), Refusals()
    offered: Callable[[str, Any], bool]
    if isinstance(part, WidgetBase):
        # the range as it is now: only Python sets another
        start, end = getattr(part, "start", None), getattr(part, "end", None)
        offered = partial(_is_of_control, part, start, end)
    else:
        offered = partial(_is_of_layout, part)

    def checked(events: dict[str, Any]) -> None:
        forged = [name for name in events if not (_is_theme(name, events[name]) or offered(name, events[name]))]
        if not forged:
            process(events)
            return
        name = forged[0]
        known = shown(getattr(part, "label", "") or type(part).__name__)
        refusals = of_values if name in VALUES else of_others
        if refusals.report(f"{known}, {shown(name)}", events[name]) and name in VALUES:
            say(f"{known}: {shown(repr(events[name]), 60)} is not among what it offers")
        for each in ("active", *VALUES):
            if each in forged and each in part.param:
                part.param.trigger(each)

    part._process_events = checked


def _is_theme(name: str, value: Any) -> bool:
    """Whether it is what each component tells of the theme that the browser asks for."""
    return name == "dark_theme" and isinstance(value, bool)


def _is_of_control(widget: Any, start: float | None, end: float | None, name: str, value: Any) -> bool:
    if name in VALUES:
        # what is downloaded is the server's to say
        return not isinstance(widget, pmui.FileDownload) and is_offered(widget, value, start, end)
    return name in OF_CONTROLS


def _is_of_layout(part: Any, name: str, value: Any) -> bool:
    """Whether a layout's own side in the browser changes this to such a value."""
    if name == "active" and isinstance(part, pmui.Tabs):
        return _is_index(value, len(part))
    if name == "active" and isinstance(part, pmui.Accordion):
        return isinstance(value, list) and len(value) <= len(part) and all(_is_index(each, len(part)) for each in value)
    if isinstance(part, pmui.Page):
        return name in ("sidebar_open", "contextbar_open") and isinstance(value, bool)
    return name == "closed" and isinstance(part, pmui.Alert) and isinstance(value, bool)


def _is_index(value: Any, n: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < n


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
        return _is_index(value, len(widget.values))
    if isinstance(widget, (pmui.MultiChoice, pmui.CheckBoxGroup)):
        most = getattr(widget, "max_items", None)
        known = isinstance(value, list) and all(isinstance(each, str) and each in widget.labels for each in value)
        return known and (most is None or len(value) <= most)
    if isinstance(widget, pmui.Checkbox):
        return isinstance(value, bool)
    if isinstance(widget, pmui.Select):
        return isinstance(value, str) and value in widget.labels
    if isinstance(widget, pmui.TextInput):
        return isinstance(value, str) and len(value) <= MOST_LETTERS
    if start is None and end is None:
        return True
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
        return value is None and not isinstance(widget, (pmui.IntSlider, pmui.FloatSlider))
    return (start is None or value >= start) and (end is None or value <= end)
