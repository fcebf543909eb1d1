"""What a reading process does: opens a stream, reports its status, and reads until it is told to stop."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TextIO

from streamlab.live.addresses import Address
from streamlab.live.join import KeyedStream
from streamlab.live.journal import Locked
from streamlab.live.own_process import ERRORS, open_here
from streamlab.live.stream import LiveStream

LOCKED_SECONDS = 10.0
"""How long a process that was killed, or that ends just now, may still hold the journal."""
ROWS_SECONDS = 0.02
STATUS_SECONDS = 0.25


def main(told: dict[str, Any]) -> None:
    """Read the stream of an address until standard input says stop, or is closed.

    Parameters
    ----------
    told
        ``address``, the fields of an ``Address``.
    """
    # Ctrl-C in a terminal is for the process that asked for this one
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # what a source may print is not to stand between the lines
    sys.stdout, out = sys.stderr, sys.stdout
    try:
        stream = _opened(Address(**told["address"]))
    except tuple(ERRORS.values()) as error:
        kind = next(name for name, each in ERRORS.items() if isinstance(error, each))
        _say(out, {"error": kind, "text": str(error)})
        return
    _say(out, {"open": {"name": stream.name, "guarantee": stream.guarantee, "joined": isinstance(stream, KeyedStream)}})
    asked: threading.Event = threading.Event()
    threading.Thread(target=_listen, args=(stream, asked.set), name="streamlab asked", daemon=True).start()
    try:
        _tell(stream, asked, out)
    finally:
        stream.close()
        _say(out, _standing(stream))


def _opened(address: Address) -> LiveStream:
    until = time.monotonic() + LOCKED_SECONDS
    while True:
        try:
            return open_here(address)
        except Locked:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def _listen(stream: LiveStream, close: Callable[[], object]) -> None:
    """Do what the other process says; when it is gone, stop."""
    for line in sys.stdin:
        asked = json.loads(line)
        if "read" in asked:
            stream.reader.has_read(asked["read"])
        if "want" in asked:
            stream.reader.want(asked["want"])
        if "end" in asked:
            stream.end()
        if "close" in asked:
            break
    close()


def _tell(stream: LiveStream, asked: threading.Event, out: TextIO) -> None:
    """Tell of rows soon after they came, and of all else now and then, until reading stops."""
    rows, stood_at = -1, -STATUS_SECONDS
    while not asked.is_set():
        stopped = stream.reader.has_stopped  # first: what is there then is all
        if stream.available != rows:
            rows = stream.available
            _say(out, {"rows": rows})
        if stopped:
            return
        if time.monotonic() - stood_at >= STATUS_SECONDS:
            stood_at = time.monotonic()
            _say(out, _standing(stream))
        if stream.reader.wait(rows, ROWS_SECONDS):
            asked.wait(ROWS_SECONDS)  # more may come at once


def _standing(stream: LiveStream) -> dict[str, Any]:
    found: dict[str, Any] = {"status": asdict(stream.status()), "failure": stream.reader.failure}
    if isinstance(stream, KeyedStream):
        found |= {
            "counts": stream.counts.told(),
            "why": stream.reader.why_waiting(),
            "sides": stream.reader.sides(),
        }
    return found


def _say(out: TextIO, what: dict[str, Any]) -> None:
    try:
        out.write(json.dumps(what) + "\n")
        out.flush()
    except (BrokenPipeError, ValueError):  # nobody listens any more: standard input will say so
        pass
