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

from streamlab.views.kit.component import Refusals, is_whole
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
    """
    viewable: Any = pn.panel(root)
    for part in viewable.select(lambda part: isinstance(part, (WidgetBase, MaterialComponent))):
        if not getattr(part, "_takes_only_what_it_offers", False):
            part._takes_only_what_it_offers = True
            # the range as it is now: only Python sets another
            sent = partial(_is_sent, part, getattr(part, "start", None), getattr(part, "end", None))
            part._process_events = partial(_take, part, part._process_events, sent, say, Refusals(), Refusals())


def _take(
    part: Any,
    process: Callable[[dict[str, Any]], None],
    is_sent: Callable[[str, Any], bool],
    say: Callable[[str], None],
    of_values: Refusals,
    of_others: Refusals,
    events: dict[str, Any],
) -> None:
    forged = [name for name, value in events.items() if not is_sent(name, value)]
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


def _is_sent(part: Any, start: float | None, end: float | None, name: str, value: Any) -> bool:
    """Whether a control's or a layout's own side in the browser changes this to such a value."""
    if name == "dark_theme":
        # each component tells of the theme that the browser asks for
        return isinstance(value, bool)
    if isinstance(part, WidgetBase):
        if name not in VALUES:
            return name in OF_CONTROLS
        # what is downloaded is the server's to say
        return not isinstance(part, pmui.FileDownload) and is_offered(part, value, start, end)
    if isinstance(part, pmui.Tabs):
        return name == "active" and is_whole(value, len(part) - 1)
    if isinstance(part, pmui.Accordion):
        several = value if name == "active" and isinstance(value, list) and len(value) <= len(part) else [None]
        return all(is_whole(each, len(part) - 1) for each in several)
    own = ("sidebar_open", "contextbar_open") if isinstance(part, pmui.Page) else ()
    return isinstance(value, bool) and name in (("closed",) if isinstance(part, pmui.Alert) else own)


def is_offered(widget: Any, value: Any, start: float | None = None, end: float | None = None) -> bool:
    """Whether a browser's control sends such a value; one that has neither options nor a range takes any.

    For a list it is the words that people read, for a discrete slider the place of its handle. ``start`` and ``end``
    are the range as Python set it; None: no end.
    """
    if isinstance(widget, pmui.DiscreteSlider):
        return is_whole(value, len(widget.values) - 1)
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
