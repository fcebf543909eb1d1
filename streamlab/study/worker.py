"""A process of a study: cells come in as lines of JSON, it runs one after another in one thread, and writes them."""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import time
from functools import partial
from typing import Any

SIGN_OF_LIFE_S = 0.5


def main() -> None:
    """Serve cells until the standard input ends: at once, also amid a cell, because then nobody waits for it."""
    # learners may print: what goes to the parent has a channel of its own
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    jobs: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=_listen, args=(jobs,), daemon=True).start()

    from streamlab.study.cell import Cell
    from streamlab.study.run_cell import Limits, run_cell
    from streamlab.study.store import Store

    said = [0.0]

    def say(**what: Any) -> None:
        out.write(json.dumps(what) + "\n")

    def progress(rows: int) -> None:
        if time.monotonic() - said[0] > SIGN_OF_LIFE_S:
            said[0] = time.monotonic()
            say(rows=rows)

    say(ready=True)
    while True:
        job = jobs.get()
        cell = Cell.from_plain(job["cell"])
        content = run_cell(cell, Limits(**job["limits"]), progress, partial(say, begun=cell.key))
        Store(job["folder"]).write(cell.key, content)
        say(done=cell.key)


def _listen(jobs: queue.Queue[dict[str, Any]]) -> None:
    for line in sys.stdin:
        jobs.put(json.loads(line))
    os._exit(0)


if __name__ == "__main__":
    main()
