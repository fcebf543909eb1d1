"""Reloads: a page that comes again in place of one that has just gone takes over its run.

The browser's side says which page it leaves in a cookie, which is written when it leaves and deleted when the next page
has come. A page is given away only when no browser looks at it any longer, once, and only while its session lives: the
half minute that Bokeh keeps it.
"""

from __future__ import annotations

import secrets
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

__all__ = ["COOKIE", "RELOADS", "Reloads"]

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

    def take(self, secret: str, is_watched: Callable[[Any], bool]) -> Any:
        """Return the page of a secret once nobody looks at it, and forget it; None if there is none, or it is kept.

        Parameters
        ----------
        secret
            What the browser's cookie says.
        is_watched
            Whether a browser looks at a page. It is asked for some seconds: the browser opens the new page first.
        """
        deadline = time.monotonic() + WAIT_SECONDS
        while (page := self.find(secret)) is not None and is_watched(page):
            if time.monotonic() > deadline:
                return None
            time.sleep(EVERY_SECONDS)
        with self._lock:
            return self._pages.pop(secret, None)


RELOADS = Reloads()
"""Of this process."""
