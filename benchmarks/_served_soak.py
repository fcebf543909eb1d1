"""The monitor on an endless stream, for the benchmark ``soak``: ``python -m benchmarks._served_soak PORT``.

``/endless`` is the page on the endless stream, ``/stream_monitor`` the one that users get, ``/cost`` a look at the
process (see ``_served_monitor``).
"""

from __future__ import annotations

import sys

import panel as pn

from benchmarks._served_monitor import CHECK_MS, LIFETIME_MS, Cost, Monitor, pages
from streamlab.streams import load

STREAM = "syn-branches"


def serve(port: int) -> None:
    def page(**options) -> pn.viewable.Viewable:
        monitor = Monitor(**options)
        pages.add(monitor)
        return monitor.served()

    pn.extension(reconnect=True)
    pn.serve(
        {"endless": lambda: page(stream=load(STREAM, endless=True)), "stream_monitor": page},
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
