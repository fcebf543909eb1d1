"""Whether a run's archive is the old one or the new one, whenever the program that saves it is killed.

``python -m tests.fuzz killed [--n 100] [--seed 1]``

A process saves a run again and again to the same file, ten instances later each time; it is ended by ``SIGKILL`` at a
random instant of a save, and the file is opened: whole, and of one of the instants at which it was saved. The exit code
is 1 if that failed once.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import asked, console

__all__ = ["killed", "main"]

STEP = 10


def _run() -> Any:
    import streamlab as sl

    learners = {"SMART": sl.SMART(seed=1), "BKNN": sl.BalancedKNN(window=50)}
    run = sl.Run(sl.load("syn-tree-sudden", seed=1, n_rows=10**6), learners, chunk=STEP)
    run.advance(200)
    return run


def _save_forever(run: Any, path: Path, told: int) -> None:
    try:
        while True:
            run.advance(STEP)
            os.write(told, b"s")
            run.save(path)
            os.write(told, b"d")
    finally:  # nothing of the parent's is to happen in the child
        os._exit(1)


def killed(n: int = 100, seed: int = 1) -> Counter[str]:
    """Kill ``n`` savers; how often the file was ``"old"`` or ``"new"``, and what else came of it."""
    from streamlab.lab.archive import Archive

    rng = np.random.default_rng(seed)
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="streamlab-killed-") as folder:
        path = Path(folder) / "run.slab"
        run = _run()
        run.save(path)
        begun = time.perf_counter()
        run.save(path)
        lasts = time.perf_counter() - begun
        start = run.position
        for _ in range(n):
            run.save(path)
            reads, writes = os.pipe()
            child = os.fork()
            if child == 0:
                os.close(reads)
                _save_forever(run, path, writes)
            os.close(writes)
            time.sleep(float(rng.uniform(0, 4 * lasts)))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            said = b""
            while piece := os.read(reads, 4096):
                said += piece
            os.close(reads)
            begins, ends = said.count(b"s"), said.count(b"d")
            try:
                position = Archive(path).present.position
            except ValueError as error:
                found[f"broken: {error}"] += 1
                continue
            saves = (position - start) // STEP
            if begins == ends:
                found["between two saves" if saves == ends else "another"] += 1
            else:
                found[{ends: "old", begins: "new"}.get(saves, "another")] += 1
            left = list(Path(folder).glob(".*.part"))
            found["left a file beside it"] += len(left)
            for each in left:
                each.unlink()
    return found


def main(options: list[str] | None = None) -> int:
    given = asked("tests.fuzz killed", options, n=100, seed=1)
    found = killed(given.n, given.seed)
    console.print(", ".join(f"{what}: {times}" for what, times in sorted(found.items())))
    return int(any(what.startswith(("broken", "another")) for what in found))
