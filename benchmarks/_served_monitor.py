"""The monitor on a long generated stream, served with a second address that tells what it costs.

``python -m benchmarks._served_monitor PORT N_ROWS``: ``/long`` is the page on the long stream, ``/stream_monitor``
the one that users get, ``/cost`` a look at the process, ``/alone?on=1`` and ``/alone?on=0`` play the long stream
without a page.
"""

from __future__ import annotations

import ctypes
import gc
import json
import sys
import threading
import weakref

import numpy as np
import panel as pn
import psutil
from tornado.web import RequestHandler

from streamlab.lab import Player, Run
from streamlab.streams import load
from streamlab.views.page.monitor import SEED, Monitor
from streamlab.views.page.presets import DEMONSTRATION, make_learners

N_FEATURES, N_LABELS, SIZE = 30, 10, 50_000
# as quick as a test wants it: Bokeh's own are 15 and 17 seconds
LIFETIME_MS, CHECK_MS = 1000, 500

process = psutil.Process()
pages: weakref.WeakSet[Monitor] = weakref.WeakSet()
alone: dict[str, Player] = {}


def long_stream(n_rows: int):
    """Numeric features; every label hangs on two of them, and the pairs change every 50,000 instances."""
    rng = np.random.default_rng(11)
    X = rng.random((n_rows, N_FEATURES))
    Y = np.empty((n_rows, N_LABELS), np.uint8)
    for start in range(0, n_rows, SIZE):
        part = X[start : start + SIZE]
        first, second = rng.permutation(N_FEATURES)[: 2 * N_LABELS].reshape(2, N_LABELS)
        Y[start : start + SIZE] = part[:, first] + part[:, second] > 1.3
    return load((X, Y))


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
            "players": sum(thread.name == "streamlab player" for thread in threading.enumerate()),
            "sessions": sum(len(context._sessions) for context in self.application._applications.values()),
            "cpu": sum(process.cpu_times()[:2]),
            "idle": psutil.cpu_times().idle,
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


def serve(port: int, n_rows: int) -> None:
    stream = long_stream(n_rows)

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
                # nobody looks: no frames are made either
                player = Player(Run(stream, make_learners(list(DEMONSTRATION), [], SEED)), frames_per_second=1e-3)
                player.play()
                alone["player"] = player

    pn.extension(reconnect=True)
    pn.serve(
        {"long": lambda: page(stream=stream), "stream_monitor": page},
        port=port,
        address="127.0.0.1",
        show=False,
        compress_response=True,
        unused_session_lifetime_milliseconds=LIFETIME_MS,
        check_unused_sessions_milliseconds=CHECK_MS,
        extra_patterns=[("/cost", Cost), ("/alone", Alone)],
    )


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]))
