"""Whether a study that is killed again and again comes to the table of one that was not, with no cell run twice.

``python -m tests.fuzz study_killed [--n 20] [--seed 1]``

A study is run in a process of its own, which is ended by ``SIGKILL`` at a random moment and begun again, ``n`` times;
then it runs to its end. Its results are compared with those of an undisturbed run to the bit, and it is seen whether a
result was written again. The exit code is 1 if a figure differs, a cell was written twice, or a lock is left.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import streamlab as sl
from benchmarks.harness import asked, console

__all__ = ["main"]

MEASURES = ("example_f1", "micro_f1", "hamming_loss")
SAME = ["learner", "stream", "seed", "status", "rows", "key", *MEASURES]
"""Columns in which no time stands."""
STREAMS = {f"{name} {n}": {"use": name, "n_rows": n, "seed": 1} for name in ("syn-regions", "syn-rbf-sudden")
           for n in (1500, 2500, 3500)}  # fmt: skip
LEARNERS = {"SMART": {"half_life": [50, 400]}, "NoChange": {}, "MajorityLabels": {}}
CODE = "from tests.fuzz.study_killed import study; import sys; study(sys.argv[1]).run(2)"


def study(folder: str | Path) -> sl.Study:
    """The study that is killed."""
    return sl.Study(STREAMS, LEARNERS, seeds=3, measures=MEASURES, results=folder)


def main(options: list[str] | None = None) -> int:
    given = asked("tests.fuzz study_killed", options, n=20, seed=1)
    rng = np.random.default_rng(given.seed)
    with tempfile.TemporaryDirectory(prefix="streamlab-study-") as folder:
        whole = study(Path(folder, "whole"))
        begun = time.perf_counter()
        whole.run(2)
        seconds = time.perf_counter() - begun
        expected = whole.results()[SAME]
        there = Path(folder, "killed")
        written: dict[str, int] = {}
        twice, kills, runs = [], 0, 0
        while True:
            runs += 1
            process = subprocess.Popen([sys.executable, "-c", CODE, str(there)])
            wait = None if kills == given.n else float(rng.uniform(0.1, 1.0)) * max(seconds / 4, 4.0)
            try:
                process.wait(wait)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
            for path in (there / "cells").glob("*.parquet"):
                changed = path.stat().st_mtime_ns
                if written.setdefault(path.name, changed) != changed:
                    twice.append(path.name)
            if wait is None:
                break
            if process.returncode == 0:  # it came to its end before it was killed: begin again with an empty folder
                same = study(there).results()[SAME].equals(expected)
                if not same:
                    break
                for path in (there / "cells").glob("*"):
                    path.unlink()
                written.clear()
        found = study(there).results()[SAME]
        locks = list((there / "cells").glob("*.lock"))
        same = found.equals(expected)
        console.print(
            f"{len(expected)} cells, {seconds:.1f} s undisturbed; killed {kills} times in {runs} runs: the table is "
            f"{'the same to the bit' if same else 'ANOTHER'}; {len(twice)} written twice; {len(locks)} locks left"
        )
        return 0 if same and not twice and not locks else 1
