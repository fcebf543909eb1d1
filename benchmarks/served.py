"""Monitors on long streams, and an address that tells what they cost: ``python -m benchmarks.served PORT STREAM ROWS``.

``/long`` is the page on the stream (``numbers``: made-up rows that are held; another name: of the catalogue, made while
it is read; no rows: without an end), ``/endless`` the same without an end, ``/stream_monitor`` the page that users get,
``/cost`` a look at the process, ``/alone?on=1`` and ``/alone?on=0`` play the stream without a page.
"""

from __future__ import annotations

import ctypes
import gc
import json
import sys
import threading
import weakref
from collections.abc import Iterator

import numpy as np
import panel as pn
import psutil
from tornado.web import RequestHandler

import streamlab as sl
from streamlab.lab import Player, Run
from streamlab.views.hosting.limits import LIMITS
from streamlab.views.page.monitor import SEED, Monitor
from streamlab.views.page.presets import DEMONSTRATION, make_learners

__all__ = ["NUMBERS", "stream_of"]

NUMBERS = "numbers"
N_FEATURES, N_LABELS, SIZE = 30, 10, 50_000
# as quick as a benchmark wants it: Bokeh's own are 15 and 17 seconds
LIFETIME_MS, CHECK_MS = 1000, 500

process = psutil.Process()
pages: weakref.WeakSet[Monitor] = weakref.WeakSet()
alone: dict[str, Player] = {}


class Repeated(sl.streams.Stream):
    """A stream over and over again, for so many rows."""

    def __init__(self, stream: sl.streams.Stream, n_rows: int) -> None:
        self.name, self.schema, self.n_rows = f"{stream.name}, repeated", stream.schema, n_rows
        chunks = list(stream.chunks(1000))
        self._X, self._Y = (np.concatenate([getattr(chunk, side) for chunk in chunks]) for side in "XY")

    def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield the rows from ``start`` on."""
        while start < self.n_rows:
            at = start % len(self._Y)
            n = min(len(self._Y) - at, self.n_rows - start)
            yield self._X[at : at + n], self._Y[at : at + n]
            start += n


def stream_of(name: str, n_rows: int, seed: int = 1) -> sl.streams.Stream:
    """Return a stream of so many rows."""
    if name == NUMBERS:
        return _numbers(n_rows)
    if name.startswith("syn-"):
        return sl.load(name, seed=seed, n_rows=n_rows)
    return Repeated(sl.load(name), n_rows)


def _numbers(n_rows: int) -> sl.streams.Stream:
    """Numeric features; every label hangs on two of them, and the pairs change every 50,000 instances."""
    rng = np.random.default_rng(11)
    X = rng.random((n_rows, N_FEATURES))
    Y = np.empty((n_rows, N_LABELS), np.uint8)
    for start in range(0, n_rows, SIZE):
        part = X[start : start + SIZE]
        first, second = rng.permutation(N_FEATURES)[: 2 * N_LABELS].reshape(2, N_LABELS)
        Y[start : start + SIZE] = part[:, first] + part[:, second] > 1.3
    return sl.load((X, Y))


def playing() -> Player | None:
    """The player under way: the one without a page, else a page's."""
    if alone:
        return alone["player"]
    players = [page._view.player for page in list(pages) if page._view is not None and not page._view.player.closed]
    return players[-1] if players else None


class Cost(RequestHandler):
    """Memory, threads and, of the run under way, how far it is and the CPU seconds so far."""

    def get(self) -> None:
        player = playing()
        answer = {
            "rss": process.memory_info().rss,
            "threads": process.num_threads(),
            "handles": process.num_fds() if hasattr(process, "num_fds") else process.num_handles(),
            "players": sum(thread.name == "streamlab player" for thread in threading.enumerate()),
            "sessions": sum(len(context._sessions) for context in self.application._applications.values()),
            "cpu": sum(process.cpu_times()[:2]),
        }
        if player is not None:
            spent = {each.id: each.user_time + each.system_time for each in process.threads()}
            answer |= {
                "position": player._run.position,
                "learning": sum(each.seconds for each in player._run.learner_runs.values()),
                "thread": spent.get(player._thread.native_id, 0.0),
            }
        if self.get_query_argument("collect", ""):
            gc.collect()
            if sys.platform == "linux":
                # what the allocator keeps for later is not what the pages keep
                ctypes.CDLL(None).malloc_trim(0)
            answer |= {"objects": len(gc.get_objects()), "rss": process.memory_info().rss}
        self.write(json.dumps(answer))


def serve(port: int, name: str, n_rows: int) -> None:
    held = stream_of(name, n_rows) if name == NUMBERS else None

    def page(**options) -> pn.viewable.Viewable:
        monitor = Monitor(**options)
        pages.add(monitor)
        return monitor.served()

    class Alone(RequestHandler):
        """Begin, or end, to play the stream flat out without a page."""

        def get(self) -> None:
            if alone:
                alone.pop("player").close()
            if self.get_query_argument("on") == "1":
                # the run that a page would make; nobody looks: no frames are made either
                learners = make_learners(DEMONSTRATION, [], SEED)
                run = Run(held, learners, alarms="label", snapshots=LIMITS.snapshot_bytes)
                player = Player(run, frames_per_second=1e-3)
                player.play()
                alone["player"] = player

    pn.extension(reconnect=True)
    pn.serve(
        {
            "long": lambda: page(stream=held or stream_of(name, n_rows)),
            "endless": lambda: page(stream=sl.load(name, endless=True)),
            "stream_monitor": page,
        },
        port=port,
        address="127.0.0.1",
        show=False,
        compress_response=True,
        unused_session_lifetime_milliseconds=LIFETIME_MS,
        check_unused_sessions_milliseconds=CHECK_MS,
        extra_patterns=[("/cost", Cost), ("/alone", Alone)],
    )


if __name__ == "__main__":
    serve(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
