"""The loop of a page: looks for a new frame some ten times a second, on the thread that may draw."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import panel as pn
from panel.io import unlocked

from streamlab.views.page.served import stop_ticking

POLL_MS = 90
SOON_MS = 25


class Polling:
    """Calls a function again and again: in a served page by Bokeh's callbacks, in a notebook's cell by a thread.

    Parameters
    ----------
    tick
        What is called.
    lock
        Held around each call in a notebook, where a message from the browser may come at any time.
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
