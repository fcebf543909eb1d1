"""What each page of ours does for the browser that it is served to: when it may draw, how often, and what it may send.

What a page's own controls cannot send, somebody else wrote: it must have no effect (``guard``).
"""

from __future__ import annotations

import math
import threading
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeVar

import panel as pn
import panel_material_ui as pmui
import param
from panel.io import unlocked
from panel.io.resources import get_dist_path
from panel.widgets.base import WidgetBase
from panel_material_ui.base import MaterialComponent

from streamlab._checks import with_type
from streamlab.streams.limits import LoadCancelled
from streamlab.views.hosting.limits import give_back_memory, remove_at_exit_signal
from streamlab.views.hosting.serving import complete_server_of, keep_the_log_clean
from streamlab.views.kit.component import Refusals, is_whole
from streamlab.views.kit.text import shown

Made = TypeVar("Made")


class Later:
    """Does things on a document's thread, from any thread, once the browser has the page.

    Not earlier: a model that joins the document between the page's HTML and the browser's first question is sent twice
    by Bokeh, and the browser then listens to the wrong one of the two. Where no page is served they are done at once.
    """

    def __init__(self) -> None:
        self._doc: Any = pn.state.curdoc
        self.is_served = self._doc is not None and self._doc.session_context is not None
        self._lock = threading.Lock()
        self._ready = False
        self._waiting: list[Callable[[], object]] = []
        if self.is_served:
            pn.state.onload(self._loaded)

    def do(self, action: Callable[[], object]) -> None:
        """Do it soon."""
        if not self.is_served:
            action()
            return
        with self._lock:
            if not self._ready:
                self._waiting.append(action)
                return
        if self._doc.session_context is not None:
            self._doc.add_next_tick_callback(action)

    def _loaded(self) -> None:
        """The browser has the page."""
        with self._lock:
            self._ready = True
            waiting, self._waiting = self._waiting, []
        for action in waiting:
            self._doc.add_next_tick_callback(action)


class Ticking:
    """A function that a document's session calls again and again until it is told to stop.

    It is Bokeh's own callback: Panel's marks the page busy and idle at every call, two messages each.
    """

    def __init__(self, doc: Any, tick: Callable[[], object], milliseconds: int) -> None:
        self._doc, self._tick = doc, tick
        self._callback = doc.add_periodic_callback(lambda: self._tick(), milliseconds)

    def stop(self) -> None:
        """Call no more; may be called more than once, and when the session has ended."""
        if self._callback is not None and self._doc.session_context is not None:
            self._doc.remove_periodic_callback(self._callback)
        # Panel remembers the document that it closed last, and this its callbacks: they do not keep the page
        self._doc, self._tick, self._callback = None, lambda: None, None


def serve_page(page: pmui.Page, doc: Any, close: Callable[[], None]) -> pmui.Page:
    """Return the page for the session under way; ``close`` frees everything when its browser has gone."""
    complete_server_of(doc.session_context)
    keep_the_log_clean()
    remove_at_exit_signal()
    # Panel tells the document only when it writes the page's HTML. A session that the browser's socket had to begin
    # again, as the first had expired on a slow way, would ask Panel's public address for style sheets.
    doc.template_variables.setdefault("dist_url", get_dist_path())

    def ended(context: Any) -> None:
        close()
        give_back_memory()

    pn.state.on_session_destroyed(ended)
    return page


def paint(root: Any, dark: bool) -> None:
    """Give everything below ``root`` dark colours or light ones."""
    for each in root.select(lambda part: "dark" in part.param):
        each.dark = dark


def attempted(make: Callable[[], Made], refused: Callable[[str], None]) -> Made | None:
    """Return what ``make`` makes of a file, a stream or a run; None where it cannot, or nobody wants it any longer.

    ``refused`` gets the reason, of what nobody foresaw with its type.
    """
    try:
        return make()
    except LoadCancelled:
        return None
    except (ValueError, OSError, ImportError) as error:
        message = str(error)
    except Exception as error:
        traceback.print_exc()
        message = with_type(error)
    refused(message)
    return None


class ServedPage(pn.viewable.Viewer):
    """A page that is served to one browser.

    A subclass sets ``page``. It frees what it holds in :meth:`close`, which is called when the browser has gone.
    """

    dark = param.Boolean(default=False, doc="Dark colours.")

    page: pmui.Page

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self._doc: Any = pn.state.curdoc
        self._closed = threading.Event()
        self._browser = Later()

    def _soon(self, action: Callable[[], None]) -> None:
        """Do it on the document's thread, unless the page is closed by then."""
        if not self._closed.is_set():
            self._browser.do(lambda: None if self._closed.is_set() else action())

    def _followed(self, event: Any) -> None:
        """A part has told which theme the browser asks for."""
        # not before the browser has all of the page: Panel would take it for part of the page's HTML and not send it
        self._soon(lambda: setattr(self.page, "dark_theme", event.new))

    def _toggled(self, event: Any) -> None:
        """The page has another theme: so have all of its parts."""
        self.dark = event.new
        paint(self.page, event.new)

    def close(self) -> None:
        """Free what the page holds; may be called more than once."""
        self._closed.set()

    def served(self) -> pmui.Page:
        """The page for the session under way, which is closed when its browser has gone."""
        return serve_page(self.page, self._doc, self.close)

    def __panel__(self) -> Any:
        return self.page


POLL_MS = 90
SOON_MS = 25


class Polling:
    """Calls a function again and again: in a served page by Bokeh's callbacks, in a notebook's cell by a thread.

    In a notebook it holds the lock, as a message from the browser may come at any time.
    """

    def __init__(self, tick: Callable[[], None], lock: AbstractContextManager[Any]) -> None:
        self._tick, self._lock = tick, lock
        self._callback: Any = None
        self._doc: Any = None
        self._wake = threading.Event()
        self._ended = False

    @property
    def _served(self) -> bool:
        return self._doc is not None and self._doc.session_context is not None

    def start(self) -> None:
        """Begin, once; not before the browser has drawn what frames refer to."""
        if self._callback is not None or self._ended:
            return
        self._doc = pn.state.curdoc
        if self._served:
            # a browser draws parts before it says that it has them all: what a tick changed in a widget in between,
            # Panel would take for part of the page's HTML and never send
            pn.state.onload(self._begin)
        else:
            # a thread of its own: a kernel's loop stands still while another cell runs
            self._callback = threading.Thread(target=self._keep_ticking, name="streamlab cell", daemon=True)
            self._callback.start()

    def _begin(self) -> None:
        if self._callback is None and not self._ended:
            self._callback = Ticking(self._doc, self._together, POLL_MS)

    def _together(self) -> None:
        """Call it, and send all that it changes as one message: each alone costs both sides five parts and a round."""
        with unlocked():
            self._tick()

    def _keep_ticking(self) -> None:
        while not self._ended:
            with self._lock:
                self._tick()
            self._wake.wait(POLL_MS / 1000)
            self._wake.clear()

    def soon(self) -> None:
        """Call without waiting for the next turn: there is an answer to a command."""
        if not self._served:
            self._wake.set()
        elif self._callback is not None:
            self._doc.add_timeout_callback(self._together, SOON_MS)

    def end(self) -> None:
        """Call no more; may be called more than once."""
        if self._ended:
            return
        self._ended = True
        self._wake.set()
        if isinstance(self._callback, Ticking):
            self._callback.stop()


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
        # Panel sets what a browser sends, be it among the options or not, and asks nobody before: there is no hook, and
        # no issue that asks for one. This method, of these objects alone, is where it could be.
        if "_process_events" not in vars(part):
            part._process_events = _guarded(part, say)


def _guarded(part: Any, say: Callable[[str], None]) -> Callable[[dict[str, Any]], None]:
    """Return how a part processes what the browser sends, without what its own side there does not send."""
    process, of_values, of_others = part._process_events, Refusals(), Refusals()
    # the range as it is now: only Python sets another
    start, end = getattr(part, "start", None), getattr(part, "end", None)

    def take(events: dict[str, Any]) -> None:
        forged = [name for name, value in events.items() if not _is_sent(part, start, end, name, value)]
        if not forged:
            process(events)
            return
        name = forged[0]
        known = shown(getattr(part, "label", "") or type(part).__name__)
        is_new = (of_values if name in VALUES else of_others).report(f"{known}, {shown(name)}", events[name])
        if is_new and name in VALUES:
            say(f"{known}: {shown(repr(events[name]), 60)} is not among what it offers")
        for each in ("active", *VALUES):
            if each in forged and each in part.param:
                part.param.trigger(each)

    return take


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
