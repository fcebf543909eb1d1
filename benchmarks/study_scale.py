"""How a study and shards scale: the same study in one process and two, more processes with as many cells each, shards.

``python -m benchmarks study_scale [--parts ways weak shards] [--repeats 3]``

``weak``: each process has 14 cells, so that the time should not change with the number of processes. ``shards``: SMART
learns as many rows in each process, and the parts are added.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlab as sl
from benchmarks.harness import Sheet, asked, console, figure
from streamlab.study import learn_in_shards

__all__ = ["study_scale", "work"]

WEAK = (1, 2, 4, 8)
SHARD_ROWS = 2_000_000
"""Of each shard: some seconds of learning."""


def study_scale(options: Sequence[str]) -> int:
    """The same study in one process and two; as many cells for each of 1 to 8 processes; SMART in shards."""
    given = asked("study_scale", options, parts=["ways", "weak", "shards"], repeats=3)
    same = True
    with tempfile.TemporaryDirectory(prefix="streamlab-scale-") as name:
        if "ways" in given.parts:
            same = two_ways(Path(name))
        if "weak" in given.parts:
            weak_scaling(Path(name), given.repeats)
    if "shards" in given.parts:
        in_shards(given.repeats)
    return 0 if same else 1


def two_ways(folder: Path) -> bool:
    """Show the same study in one process and in two; return whether its figures are the same."""
    sheet = Sheet("The same study two ways", ("processes", "cells", "s", "CPU s of the cells", "CPU s per s"))
    figures = []
    for n in (1, 2):
        wall, results = timed(work(folder / f"{n}"), workers=n)
        figures.append(results[["learner", "stream", "seed", "example_f1", "micro_f1"]])
        cpu = float(results.cpu_seconds.sum())
        sheet.add(n, len(results), f"{wall:.1f}", f"{cpu:.1f}", f"{cpu / wall:.2f}")
    same = figures[0].equals(figures[1])
    sheet.show()
    console.print(f"the figures of both are {'the same to the bit' if same else 'NOT the same'}")
    return same


def weak_scaling(folder: Path, repeats: int) -> None:
    """Show what 14 cells for each process take, the median of some repeats, by turns.

    On a machine with other work the clock says little, so CPU time stands beside it.
    """
    runs: dict[int, list[tuple[float, float]]] = {n: [] for n in WEAK if n <= (os.cpu_count() or 1)}
    for repeat in range(repeats):
        for n, each in runs.items():
            before = sum(os.times()[:4])
            wall, _ = timed(work(folder / f"{n} of {repeat}", 2 * n), workers=n)
            each.append((wall, sum(os.times()[:4]) - before))
    load = os.getloadavg()[0]
    sheet = Sheet(
        f"14 cells for each process (load at the end: {load:.1f})",
        ("processes", "cells", "s", "efficiency", "CPU s of all", "efficiency by CPU"),
    )
    for n, (wall, cpu, by_clock, by_cpu) in scaled(runs).items():
        sheet.add(n, 14 * n, f"{wall:.1f}", figure(by_clock, 2), f"{cpu:.1f}", figure(by_cpu, 2))
    sheet.show()


def scaled(runs: Mapping[int, Sequence[tuple[float, float]]]) -> dict[int, tuple[float, float, float, float]]:
    """Return by the number of workers the medians of clock and CPU seconds, and both efficiencies.

    With as much work for each worker, the efficiency is the time of one, or its CPU time for so many, over theirs.
    """
    medians = {n: [statistics.median(part) for part in zip(*each, strict=True)] for n, each in runs.items()}
    return {n: (wall, cpu, medians[1][0] / wall, n * medians[1][1] / cpu) for n, (wall, cpu) in medians.items()}


def in_shards(repeats: int) -> None:
    """Show what SMART takes for as many rows in each process, parts added; the median of some repeats, by turns."""
    runs: dict[int, list[tuple[float, float]]] = {n: [] for n in WEAK if n <= (os.cpu_count() or 1)}
    for _ in range(repeats):
        for n, each in runs.items():
            stream = sl.load("syn-regions", n_rows=n * SHARD_ROWS, seed=1)
            begun, before = time.perf_counter(), sum(os.times()[:4])
            learn_in_shards(stream, sl.SMART(seed=1), n, workers=n)
            each.append((time.perf_counter() - begun, sum(os.times()[:4]) - before))
    heads = ("processes", "rows", "s", "efficiency", "CPU s", "efficiency by CPU", "rows a CPU s")
    sheet = Sheet("SMART in shards", heads)
    for n, (wall, cpu, by_clock, by_cpu) in scaled(runs).items():
        rate = f"{n * SHARD_ROWS / cpu:,.0f}"
        sheet.add(n, n * SHARD_ROWS, f"{wall:.1f}", figure(by_clock, 2), f"{cpu:.1f}", figure(by_cpu, 2), rate)
    sheet.show()


def work(folder: Path, n_streams: int = 4) -> sl.Study:
    """A study of 7 cells for each stream, six of which take a second or two."""
    numbers = range(1, n_streams + 1)
    streams = {f"trees {seed}": {"use": "syn-tree-sudden", "seed": seed, "n_rows": 20_000} for seed in numbers}
    learners = {"SMART": {"half_life": [100, 400]}, "MajorityLabels": {}}
    return sl.Study(streams, learners, seeds=3, measures=["example_f1", "micro_f1"], results=folder)


def timed(study: sl.Study, **options: Any) -> tuple[float, Any]:
    """Run a study; return the seconds by the clock, and its results."""
    begun = time.perf_counter()
    study.run(**options)
    return time.perf_counter() - begun, study.results()
