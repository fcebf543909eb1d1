"""A page that is reloaded goes on with its run: the page that was left hands it over, and to no other page.

The browser's Back and Forward come later, when that page has ended: its address begins a run at the same row.
"""

from __future__ import annotations

import secrets
import threading
import time
import weakref
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import panel as pn

from streamlab.lab import Run
from streamlab.views.hosting.limits import LIMITS, SEATS, full_message
from streamlab.views.page.address import Address
from streamlab.views.page.page_link import RunStart
from streamlab.views.page.run_view import RunView

COOKIE = "streamlab_left"
"""Name of the cookie; the transport's JavaScript writes it."""
WAIT_SECONDS, EVERY_SECONDS = 15.0, 0.05
"""How long a page that is left may still be connected, and how often is looked."""


class Reloads:
    """The pages of this process by a secret that only their own browser knows."""

    def __init__(self) -> None:
        self._pages: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()
        self._lock = threading.Lock()

    def enter(self, page: Any) -> str:
        """Take a page in; returns its secret."""
        secret = secrets.token_urlsafe(16)
        with self._lock:
            self._pages[secret] = page
        return secret

    def leave(self, secret: str) -> None:
        """Forget a page, which may be forgotten already."""
        with self._lock:
            self._pages.pop(secret, None)

    def find(self, secret: str | None) -> Any:
        """Return the page of a secret, or None."""
        with self._lock:
            return None if secret is None else self._pages.get(secret)

    def take(self, secret: str) -> Any:
        """Return the page of a secret once nobody looks at it, and forget it; None if there is none, or it is kept.

        Whether it is watched is asked for some seconds: the browser opens the new page first.
        """
        deadline = time.monotonic() + WAIT_SECONDS
        while (page := self.find(secret)) is not None and page.is_watched:
            if time.monotonic() > deadline:
                return None
            time.sleep(EVERY_SECONDS)
        with self._lock:
            return self._pages.pop(secret, None)


RELOADS = Reloads()
"""Of this process."""


AFRESH = "."
"""Prefix of the secret in the cookie after a link of the header led to the next page."""
GIVE_SECONDS = 10.0
"""How long a page that was left may take to give its run away: a chunk of it may be under way."""


@dataclass(frozen=True)
class HandedOver:
    """A run that changes hands: where it came from, how it began and whether it plays, and the folder of uploads."""

    run: Run
    source: Any
    start: RunStart
    folder: Path | None


class Reloading:
    """What a page of the monitor does for its reload, and as one."""

    def __init__(self, monitor: Any) -> None:
        self._monitor = monitor
        self._doc: Any = pn.state.curdoc
        context: Any = None if self._doc is None else self._doc.session_context
        self._application = None if context is None else context.server_context.application_context
        self._session = getattr(context, "session", None)
        self._secret = "" if context is None else RELOADS.enter(self)
        self._left: str | None = None if context is None else pn.state.cookies.get(COOKIE)
        self._shown: tuple[RunView, Any, RunStart] | None = None

    def begin(self, view: RunView, source: Any, start: RunStart) -> None:
        """Say that the page shows this run now, made from a source, and how it began."""
        self._shown = view, source, start
        view.transport.secret = self._secret

    def end(self) -> None:
        """Forget the page."""
        RELOADS.leave(self._secret)
        self._shown = None

    @property
    def is_watched(self) -> bool:
        """Whether a browser is connected to the page."""
        return self._session is not None and self._session.connection_count > 0

    def left(self, asked: Address) -> str | None:
        """Return, once, the secret of the page that was left for this one, if this is a reload of it; else None.

        A reload has the same path and the same address, and no link of the header led to it. Any other page that was
        left for this one ends.
        """
        left, self._left = self._left, None
        is_afresh, reason = (left or "").startswith(AFRESH), (left or "").removeprefix(AFRESH)
        secret, _, at = reason.partition(":")
        before = RELOADS.find(secret)
        if before is None or before is self:
            return None
        is_same = before._application is self._application and before.is_at(asked, at)
        if is_same and not is_afresh:
            return secret
        threading.Thread(target=_end, args=(secret,), name="streamlab page left", daemon=True).start()
        return None

    def is_at(self, asked: Address, at: str) -> bool:
        """Whether this is what the page's address says; ``at``: the row that the browser wrote into it on leaving."""
        if self._shown is None:
            return False
        read, transport = self._monitor.link.read, self._shown[0].transport
        return asked in (read(transport.query), read(f"{transport.query}&at={at}"))

    def take(self, left: str) -> HandedOver | None:
        """Take the run of the page that was left; None if it is not to be had, and a new one begins.

        Raises a ValueError if the server has no place for the page.
        """
        before = RELOADS.take(left)
        handed = None if before is None else before.give()
        if not SEATS.take(self._monitor, LIMITS.pages):
            raise ValueError(full_message())
        if handed is not None:
            self._monitor.own_data.take_folder(handed.folder)
            # the run stands where the address says already
            self._monitor.link.asked = replace(self._monitor.link.asked, at=None)
        return handed

    def close_page(self) -> None:
        """Close the page, on its own thread; from any thread."""
        self._doc.add_next_tick_callback(self._monitor.close)

    def give(self) -> HandedOver | None:
        """Give the run away and close the page; None if it shows none, or has ended meanwhile. From any thread."""
        answer: Future[HandedOver | None] = Future()

        def hand_over() -> None:
            try:
                answer.set_result(self._hand_over())
            except Exception as error:
                answer.set_exception(error)

        # on the thread of the page's document: its callbacks and its upload end there
        self._doc.add_next_tick_callback(hand_over)
        try:
            return answer.result(timeout=GIVE_SECONDS)
        except TimeoutError:
            return None

    def _hand_over(self) -> HandedOver | None:
        if self._shown is None:
            return None
        view, source, start = self._shown
        start = replace(start, plays=view.player.state == "playing")
        handed = HandedOver(view.run, source, start, self._monitor.own_data.give_folder())
        self._monitor.parts.every(lambda part: part.forget())
        self._monitor.close()
        return handed


def _end(secret: str) -> None:
    """Close the page of a secret once no browser shows it; one that is shown after all stays."""
    page = RELOADS.take(secret)
    if page is not None:
        page.close_page()
