"""What a study costs besides its cells, and how it scales: three ways, more workers with as many cells each, shards.

``python -m benchmarks study_scale [--parts ways overhead weak shards] [--cells 10000] [--sleep 0.02] [--repeats 3]``

``overhead``: cells that sleep in place of learning show what scheduling costs: how long they take on 4 workers of a
dask cluster on this machine, beside how long they sleep. ``weak``: each worker has 14 cells, so that the time should
not change with the number of workers. More workers than processors have cells that sleep as long as the cells of one
worker took. ``shards``: SMART learns as many rows in each process, and the parts are added.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import streamlab as sl
from benchmarks.harness import Sheet, asked, console, figure
from streamlab.study import learn_in_shards
from streamlab.study.cell import DONE, Cell, Limits, failure
from streamlab.study.on_dask import run_on_dask
from streamlab.study.progress import Expected

__all__ = ["Sleep", "study_scale", "work"]

WORKERS = 4
WEAK = (1, 2, 4, 8)
SHARD_ROWS = 2_000_000
"""Of each shard: some seconds of learning."""


def study_scale(options: Sequence[str]) -> int:
    """What a study costs besides its cells; as many cells for each of 1 to 8 workers of dask; SMART in shards."""
    given = asked(
        "study_scale", options, parts=["ways", "overhead", "weak", "shards"], cells=10_000, sleep=0.02, repeats=3
    )  # fmt: skip
    same = True
    with tempfile.TemporaryDirectory(prefix="streamlab-scale-") as name:
        folder = Path(name)
        with cluster(WORKERS) as client:
            if "ways" in given.parts:
                same = three_ways(folder, client)
            if "overhead" in given.parts:
                cells = [_numbered(work(folder / "empty")._cells[0], number) for number in range(given.cells)]
                wall = asleep(folder / "overhead", cells, [given.sleep], client)
                least = given.cells * given.sleep / WORKERS
                console.print(
                    f"{given.cells:,} cells that sleep {given.sleep:g} s on {WORKERS} workers: {wall:.1f} s, of which "
                    f"{least:.1f} s asleep; {1e3 * (wall - least) / given.cells:.2f} ms of this machine for each cell"
                )
        if "weak" in given.parts:
            weak_scaling(folder, given.repeats)
    if "shards" in given.parts:
        in_shards(given.repeats)
    return 0 if same else 1


@contextmanager
def cluster(n_workers: int) -> Iterator[Any]:
    """A client of a cluster of this machine: processes of one thread that have read their kernels."""
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=n_workers, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=40
        ) as workers,
        Client(workers) as client,
    ):
        client.run(sl.SMART.prepare)
        yield client


def three_ways(folder: Path, client: Any) -> bool:
    """Show the same study in one process, in two, and on dask; return whether its figures are the same."""
    sheet = Sheet("The same study three ways", ("", "cells", "s", "CPU s of the cells", "CPU s per s"))
    figures = []
    for how, options in (
        ("1 process", {"workers": 1}),
        ("2 processes", {"workers": 2}),
        ("dask, 4 workers", {"client": client}),
    ):
        wall, results = timed(work(folder / how), **options)
        figures.append(results[["learner", "stream", "seed", "example_f1", "micro_f1"]])
        cpu = float(results.cpu_seconds.sum())
        sheet.add(how, len(results), f"{wall:.1f}", f"{cpu:.1f}", f"{cpu / wall:.2f}")
    same = all(found.equals(figures[0]) for found in figures)
    sheet.show()
    console.print(f"the figures of all three are {'the same to the bit' if same else 'NOT the same'}")
    return same


def weak_scaling(folder: Path, repeats: int) -> None:
    """Show what 14 cells for each worker take, the median of some repeats, by turns: cells, then sleeping ones.

    On a machine with other work the clock says little, so CPU time stands beside it: of scheduler, client and workers.
    """
    runs: dict[int, list[tuple[float, float]]] = {n: [] for n in WEAK if n <= (os.cpu_count() or 1)}
    taken: list[float] = []
    for repeat in range(repeats):
        for n, each in runs.items():
            with cluster(n) as client:
                before = cpu_of(client)
                wall, results = timed(work(folder / f"{n} of {repeat}", 2 * n), client=client)
                each.append((wall, cpu_of(client) - before))
            taken = taken or results.cpu_seconds.tolist()
    cell = work(folder / "empty")._cells[0]
    sleeping: dict[int, list[tuple[float, float]]] = {}
    for n in WEAK:
        cells = [_numbered(cell, number) for number in range(n * len(taken))]
        with cluster(n) as client:
            before = cpu_of(client)
            wall = asleep(folder / f"{n} asleep", cells, taken, client)
            sleeping[n] = [(wall, cpu_of(client) - before)]
    load = os.getloadavg()[0]
    sheet = Sheet(
        f"{len(taken)} cells for each worker, {sum(taken):.1f} CPU s when there is one (load at the end: {load:.1f})",
        ("workers", "cells", "they", "s", "efficiency", "CPU s of all", "efficiency by CPU"),
    )
    for they, each in (("learn", runs), ("sleep", sleeping)):
        for n, (wall, cpu, by_clock, by_cpu) in scaled(each).items():
            sheet.add(n, n * len(taken), they, f"{wall:.1f}", figure(by_clock, 2), f"{cpu:.1f}", figure(by_cpu, 2))
    sheet.show()


def scaled(runs: Mapping[int, Sequence[tuple[float, float]]]) -> dict[int, tuple[float, float, float, float]]:
    """Return by the number of workers the medians of clock and CPU seconds, and both efficiencies.

    With as much work for each worker, the efficiency is the time of one, or its CPU time for so many, over theirs.
    """
    medians = {n: [statistics.median(part) for part in zip(*each, strict=True)] for n, each in runs.items()}
    return {n: (wall, cpu, medians[1][0] / wall, n * medians[1][1] / cpu) for n, (wall, cpu) in medians.items()}


def cpu_of(client: Any) -> float:
    """CPU seconds so far of this process, which has the scheduler, and of the workers."""
    return time.process_time() + sum(client.run(time.process_time).values())


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


def asleep(folder: Path, cells: Sequence[Cell], taken: Sequence[float], client: Any) -> float:
    """Return the seconds by the clock of numbered cells that sleep as long as others took, in turn."""
    store = work(folder).store
    begun = time.perf_counter()
    run_on_dask(cells, store, Limits(), client, Expected(), lambda cell, about: None, task=Sleep(taken))
    return time.perf_counter() - begun


def _numbered(cell: Cell, number: int) -> Cell:
    plain = cell.plain()
    return Cell.from_plain({**plain, "seed": number, "learner": f"sleeps {number}"})


class Sleep:
    """What a worker does in place of a cell."""

    def __init__(self, taken: Sequence[float]) -> None:
        self.taken = taken

    def __call__(self, cell: Any, limits: Any, folder: str, token: str) -> bytes:
        seconds = self.taken[cell["seed"] % len(self.taken)]
        time.sleep(seconds)
        return failure(Cell.from_plain(cell), DONE, "", seconds)
