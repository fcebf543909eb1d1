"""A live run on two joined topics, which saves itself now and then and goes on from there when it is started again."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil

import streamlab as sl
from tests.fuzz.live_topics import tell

SAVE_EVERY = 10.0


def begun(kind: str, stream: Any, path: Path) -> sl.Run:
    """Return the run as it was saved last, or at its beginning."""
    if path.exists():
        return sl.Run.open(path, stream, snapshots=0)
    return sl.Run(stream, {kind: getattr(sl, kind)(seed=1)}, chunk=100, snapshots=0, alarms=None)


def main(address: str, journal: str, archive: str, learner: str) -> None:
    """Learn until the parent says that it ends, and tell once a second how far it is."""
    opened = time.monotonic()
    stream = sl.load(address, journal=journal)
    path = Path(archive)
    run = begun(learner, stream, path)
    asked_end = threading.Event()

    def listen() -> None:
        sys.stdin.readline()
        asked_end.set()

    threading.Thread(target=listen, daemon=True).start()
    process = psutil.Process(os.getpid())
    tell(open=run.position, seconds=time.monotonic() - opened, **_status(run, stream, process))
    saved = told = time.monotonic()
    has_ended = False
    while not run.finished:
        passed = run.advance(2000)
        if asked_end.is_set() and not has_ended:
            has_ended = True
            stream.end()
        now = time.monotonic()
        if now - saved > SAVE_EVERY:
            run.save(path)
            saved = time.monotonic()
        if now - told > 1:
            told = now
            tell(**_status(run, stream, process))
        if not passed and not run.finished:
            time.sleep(0.02)
    tell(**_status(run, stream, process), over=True)
    run.save(path)
    stream.close()


def _status(run: sl.Run, stream: Any, process: psutil.Process) -> dict[str, Any]:
    status, sides = stream.status(), stream.reader.sides()
    both = [process, *process.children()]  # the other one reads
    return {
        "position": run.position,
        "joined": status.rows,
        "read": [sides["rows"], sides["labels"]],
        "waiting": sides["waiting"],
        "lag": status.lag,
        "bad": status.bad,
        "connected": status.connected,
        "trouble": status.trouble,
        "cpu": sum(sum(each.cpu_times()[:2]) for each in both),
        "megabytes": sum(each.memory_info().rss for each in both) / 1e6,
        "counts": stream.counts.told(),
    }


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
