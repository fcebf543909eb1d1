"""Alarms to a webhook: posted one after another, by a thread of its own, again if it fails."""

from __future__ import annotations

import contextlib
import json
import queue
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

from streamlab.live.source import credential

MOST_WAITING = 1000
TRIES = 4
FIRST_WAIT = 1.0
TIMEOUT = 10.0
FAREWELL_SECONDS = 5.0


def webhook_of(variable: str) -> str | None:
    """Return the address that a variable of the environment holds, or the file that ``<variable>_FILE`` names.

    Raises
    ------
    ValueError
        If it is not an http address, holds a blank or a control character, the file cannot be read, or both are set; it
        names the variable, not what it holds.
    """
    text = credential(variable)
    if not text:
        return None
    try:
        parts = urlsplit(text)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname)
        fits = fits and (parts.port is None or parts.port > 0)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"{variable}: it does not hold the address of a webhook; expected https://…")
    if not all("!" <= letter <= "~" for letter in text):
        raise ValueError(
            f"{variable}: the address of the webhook holds a blank, a control character or one that is not ASCII; "
            "expected such characters written as %20"
        )
    return text


class Posting:
    """Posts alarms as JSON; the caller never waits.

    Parameters
    ----------
    address
        The webhook.
    tell
        Called with a sentence when an alarm is given up. The address is not in it: it may hold a credential.
    first_wait
        Seconds before the second try; doubled before each further one.
    """

    def __init__(self, address: str, tell: Callable[[str], object] = print, first_wait: float = FIRST_WAIT) -> None:
        self._address, self._tell, self._first_wait = address, tell, first_wait
        self._queue: queue.Queue[dict[str, Any] | None] = queue.Queue(MOST_WAITING)
        self._closed = threading.Event()
        self.lost = 0
        self.posted = 0
        self._thread = threading.Thread(target=self._loop, name="streamlab alarms", daemon=True)
        self._thread.start()

    def post(self, alarm: dict[str, Any]) -> None:
        """Hand an alarm over; it is lost, and counted, if a thousand wait already."""
        try:
            self._queue.put_nowait(alarm)
        except queue.Full:
            self._lose("a thousand wait already")

    def close(self) -> None:
        """Post what waits, for some seconds at most, and stop."""
        with contextlib.suppress(queue.Full):
            self._queue.put(None, timeout=0.1)
        self._thread.join(FAREWELL_SECONDS)
        self._closed.set()

    def _loop(self) -> None:
        while (alarm := self._queue.get()) is not None:
            why = self._tried(json.dumps(alarm, allow_nan=False).encode())
            if why:
                self._lose(why)
            else:
                self.posted += 1

    def _tried(self, body: bytes) -> str:
        """Return why it could not be posted; "" if it was."""
        why = ""
        for attempt in range(TRIES):
            if attempt and self._closed.wait(self._first_wait * 2 ** (attempt - 1)):
                break
            request = urllib.request.Request(
                self._address, data=body, headers={"Content-Type": "application/json"}, method="POST"
            )
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT):
                    return ""
            except urllib.error.HTTPError as error:
                why = f"the webhook answers {error.code}"
                error.close()
                if error.code < 500 and error.code not in (408, 429):
                    break
            except (OSError, ValueError, HTTPException) as error:
                # only the kind: the message may hold the address
                why = f"the webhook cannot be reached ({type(error).__name__})"
        return why or "the service ends"

    def _lose(self, why: str) -> None:
        self.lost += 1
        self._tell(f"an alarm could not be posted: {why}")
