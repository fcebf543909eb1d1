"""What each page of ours does for the browser that it is served to: when it may draw, and how often."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import panel as pn
import panel_material_ui as pmui
import param
from panel.io import unlocked
from panel.io.resources import get_dist_path

from streamlab.views.hosting.limits import give_back_memory
from streamlab.views.hosting.serving import (
    compress_responses,
    keep_periods,
    keep_the_log_clean,
    keep_to_known_hosts,
)
from streamlab.views.hosting.uploads import remove_when_told_to_end

LEISURE_MS = 3000
"""After the browser has the page's HTML, until what is not seen at first is made: a tenth of the server's time."""


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

    def at_leisure(self, action: Callable[[], object]) -> None:
        """Do it when what a first look needs should be there."""
        self.do(lambda: self._doc.add_timeout_callback(action, LEISURE_MS) if self.is_served else action())

    def _loaded(self) -> None:
        """The browser has the page."""
        with self._lock:
            self._ready = True
            waiting, self._waiting = self._waiting, []
        for action in waiting:
            self._doc.add_next_tick_callback(action)


def stop_ticking(doc: Any, callback: Any) -> None:
    """Remove a document's periodic callback, also where its session has ended."""
    if doc.session_context is not None:
        doc.remove_periodic_callback(callback)
    else:
        # it is called no more, but Panel remembers the document that it closed last, and that would keep the page
        doc.callbacks._session_callbacks.discard(callback)


def serve_page(page: pmui.Page, doc: Any, close: Callable[[], None]) -> pmui.Page:
    """Return the page for the session under way; ``close`` frees everything when its browser has gone."""
    compress_responses()
    keep_periods()
    keep_to_known_hosts()
    keep_the_log_clean()
    remove_when_told_to_end()
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
            # Bokeh's own callback: Panel's marks the page busy and idle at every tick, two messages each
            self._callback = self._doc.add_periodic_callback(self._together, POLL_MS)

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
        if self._callback is not None and self._doc is not None:
            stop_ticking(self._doc, self._callback)
