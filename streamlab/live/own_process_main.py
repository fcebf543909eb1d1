"""What a reading process does: opens a stream, reports its status, and reads until it is told to stop."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from streamlab.live.addresses import Address
from streamlab.live.join import KeyedStream
from streamlab.live.journal import Locked
from streamlab.live.own_process import ERRORS, open_here
from streamlab.live.stream import LiveStream
from streamlab.workers import orders, reporter

LOCKED_SECONDS = 10.0
"""How long a process that was killed, or that ends just now, may still hold the journal."""
ROWS_SECONDS = 0.02
STATUS_SECONDS = 0.25


def main() -> None:
    """Read the stream of the address that the first order has, until orders end."""
    # Ctrl-C in a terminal is for the process that asked for this one
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    say, asked_for = reporter(), orders()
    first = next(asked_for, None)
    if first is None:  # whoever wanted the stream has ended
        return
    try:
        stream = _opened(Address(**first["address"]))
    except tuple(ERRORS.values()) as error:
        kind = next(name for name, each in ERRORS.items() if isinstance(error, each))
        say(error=kind, text=str(error))
        return
    say(open={"name": stream.name, "guarantee": stream.guarantee})
    stop = threading.Event()
    threading.Thread(target=_listen, args=(stream, asked_for, stop), name="streamlab asked", daemon=True).start()
    try:
        _tell(stream, stop, say)
    finally:
        stream.close()
        say(**_standing(stream))


def _opened(address: Address) -> LiveStream:
    until = time.monotonic() + LOCKED_SECONDS
    while True:
        try:
            return open_here(address)
        except Locked:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def _listen(stream: LiveStream, asked_for: Iterator[dict[str, Any]], stop: threading.Event) -> None:
    """Do what the other process says; when it says no more, stop."""
    for asked in asked_for:
        if "read" in asked:
            stream.reader.has_read(asked["read"])
        if "want" in asked:
            stream.reader.want(asked["want"])
        if "end" in asked:
            stream.end()
    stop.set()


def _tell(stream: LiveStream, stop: threading.Event, say: Callable[..., bool]) -> None:
    """Tell of rows soon after they came, and of all else now and then, until reading stops."""
    rows, stood_at = -1, -STATUS_SECONDS
    while not stop.is_set():
        stopped = stream.reader.has_stopped  # first: what is there then is all
        if stream.available != rows:
            rows = stream.available
            say(rows=rows)
        if stopped:
            return
        if time.monotonic() - stood_at >= STATUS_SECONDS:
            stood_at = time.monotonic()
            say(**_standing(stream))
        if stream.reader.wait(rows, ROWS_SECONDS):
            stop.wait(ROWS_SECONDS)  # more may come at once


def _standing(stream: LiveStream) -> dict[str, Any]:
    found: dict[str, Any] = {"status": asdict(stream.status()), "failure": stream.reader.failure}
    if isinstance(stream, KeyedStream):
        found |= {
            "counts": stream.counts.told(),
            "why": stream.reader.why_waiting(),
            "sides": stream.reader.sides(),
        }
    return found
