"""A process of a study: it is ordered to run cells, runs one after another in one thread, and writes them."""

from __future__ import annotations

import os
import queue
import threading
from functools import partial
from typing import Any

from streamlab.workers import orders, reporter


def main() -> None:
    """Run cells until orders end: at once, also amid a cell, because then nobody waits for it."""
    say = reporter()
    jobs: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_listen, args=(jobs,), daemon=True).start()

    from streamlab.study.cell import Cell
    from streamlab.study.run_cell import Limits, run_cell
    from streamlab.study.store import Store

    say(ready=True)
    while True:
        job = jobs.get()
        cell = Cell.from_plain(job["cell"])
        content = run_cell(cell, Limits(**job["limits"]), partial(say, begun=cell.key))
        Store(job["folder"]).write(cell.key, content)
        say(done=cell.key)


def _listen(jobs: queue.Queue[dict[str, Any]]) -> None:
    for job in orders():
        jobs.put(job)
    os._exit(0)
