"""What a study costs besides its cells: the overhead of a cell, the speed-up of two processes, 10,000 cells on dask.

``python -m benchmarks study_scale [--cells 10000] [--sleep 0.02]``

Cells that sleep in place of learning show what scheduling costs: how long they take on 4 workers of a dask cluster on
this machine, beside how long they sleep.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import streamlab as sl
from benchmarks.harness import Sheet, asked, console
from streamlab.study.cell import Cell
from streamlab.study.on_dask import run_on_dask
from streamlab.study.run_cell import DONE, Expected, Limits, failure

__all__ = ["main"]

WORKERS = 4


def main(options: list[str] | None = None) -> int:
    given = asked("study_scale", options, cells=10_000, sleep=0.02)
    from dask.distributed import Client, LocalCluster

    sheet = Sheet("The same study three ways", ("", "cells", "s", "CPU s of the cells", "CPU s per s"))
    with (
        tempfile.TemporaryDirectory(prefix="streamlab-scale-") as folder,
        LocalCluster(
            n_workers=WORKERS, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=40
        ) as cluster,
        Client(cluster) as client,
    ):
        figures = {}
        for how, run in (
            ("1 process", lambda study: study.run(1)),
            ("2 processes", lambda study: study.run(2)),
            ("dask, 4 workers", lambda study: study.run(client=client)),
        ):
            study = work(Path(folder, how))
            begun = time.perf_counter()
            run(study)
            wall = time.perf_counter() - begun
            results = study.results()
            figures[how] = results[["learner", "stream", "seed", "example_f1", "micro_f1"]]
            cpu = float(results.cpu_seconds.sum())
            sheet.add(how, len(results), f"{wall:.1f}", f"{cpu:.1f}", f"{cpu / wall:.2f}")
        same = all(each.equals(figures["1 process"]) for each in figures.values())
        sheet.show()
        console.print(f"the figures of all three are {'the same to the bit' if same else 'NOT the same'}")

        study = work(Path(folder, "empty"))
        cells = [_numbered(study._cells[0], number) for number in range(given.cells)]
        begun = time.perf_counter()
        run_on_dask(cells, study.store, Limits(), client, Expected(), lambda cell, about: None, task=Sleep(given.sleep))
        wall = time.perf_counter() - begun
        least = given.cells * given.sleep / WORKERS
        console.print(
            f"{given.cells:,} cells that sleep {given.sleep:g} s on {WORKERS} workers: {wall:.1f} s, of which "
            f"{least:.1f} s asleep; {1e3 * (wall - least) / given.cells:.2f} ms of this machine for each cell"
        )
    return 0 if same else 1


def work(folder: Path) -> sl.Study:
    """A study whose cells take about a second each."""
    streams = {f"trees {seed}": {"use": "syn-tree-sudden", "seed": seed, "n_rows": 20_000} for seed in range(1, 5)}
    learners = {"SMART": {"half_life": [100, 400]}, "MajorityLabels": {}}
    return sl.Study(streams, learners, seeds=3, measures=["example_f1", "micro_f1"], results=folder)


def _numbered(cell: Cell, number: int) -> Cell:
    plain = cell.plain()
    return Cell.from_plain({**plain, "seed": number, "learner": f"sleeps {number}"})


class Sleep:
    """What a worker does in place of a cell."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def __call__(self, cell: Any, limits: Any, folder: str, token: str) -> bytes:
        time.sleep(self.seconds)
        return failure(Cell.from_plain(cell), DONE, "", self.seconds)
