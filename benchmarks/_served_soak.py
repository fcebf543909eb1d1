"""The monitor on a stream without an end, for the benchmark ``soak``: ``python -m benchmarks._served_soak PORT``.

``/long`` is the page on a stream of 10^9 rows, made while it is read, ``/endless`` on one of no length,
``/stream_monitor`` the one that users get, ``/cost`` a look at the process (see ``_served_monitor``).
"""

from __future__ import annotations

import sys

import panel as pn

from benchmarks._served_monitor import CHECK_MS, LIFETIME_MS, Cost, Monitor, pages
from streamlab.streams import load

STREAM = "syn-branches"
N_ROWS = 1_000_000_000


def serve(port: int) -> None:
    def page(**options) -> pn.viewable.Viewable:
        monitor = Monitor(**options)
        pages.add(monitor)
        return monitor.served()

    pn.extension(reconnect=True)
    pn.serve(
        {
            "long": lambda: page(stream=load(STREAM, n_rows=N_ROWS)),
            "endless": lambda: page(stream=load(STREAM, endless=True)),
            "stream_monitor": page,
        },
        port=port,
        address="127.0.0.1",
        show=False,
        compress_response=True,
        unused_session_lifetime_milliseconds=LIFETIME_MS,
        check_unused_sessions_milliseconds=CHECK_MS,
        extra_patterns=[("/cost", Cost)],
    )


if __name__ == "__main__":
    serve(int(sys.argv[1]))
