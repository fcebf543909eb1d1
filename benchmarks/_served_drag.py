"""A page on a stream as long as is asked, for drags: ``python -m benchmarks._served_drag PORT STREAM ROWS``."""

from __future__ import annotations

import sys

import panel as pn

from benchmarks.time_machine import stream_of
from streamlab.views.page.monitor import Monitor

if __name__ == "__main__":
    port, name, rows = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    stream = stream_of(name, rows, 1)
    pn.extension(reconnect=True)
    pn.serve({"page": lambda: Monitor(stream=stream).served()}, port=port, address="127.0.0.1", show=False)
