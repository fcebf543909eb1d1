"""What several cores bring: learners of a run and experts of a council side by side, against one after another.

``python -m benchmarks cores [--threads 2] [--repeats 5] [--rows 12000] [--council-rows 3000]``

Each line is of runs of their own, by turns with a yardstick: a loop of a kernel, sines without memory, in as many
threads against one after another, for two virtual cores may be one real one. Medians; seconds by the clock. Of a run
the first chunks do not count: it measures there which way takes less time.
"""

from __future__ import annotations

import math
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import psutil

import streamlab as sl
from benchmarks.data import missing, read, tmc2007
from benchmarks.harness import Sheet, asked, console
from streamlab._side_by_side import cores
from streamlab.kernels import kernel
from streamlab.streams.readers.arrays import ArrayStream

__all__ = ["main", "simulated"]

COUNCIL_SETS = ("emotions", "yeast", "scene", "enron", "tmc")
SETTLED = 8
"""Chunks that a run may take to find out which way takes less time."""
SINES = 2_000_000
MOST_THREADS = (1, 2, 4, 8, 16)


@kernel
def sines(n):
    """Return the sum of ``n`` sines, none of which waits for another: two threads of one real core gain little then."""
    total = 0.0
    for i in range(n):
        total += math.sin(0.001 * i)
    return total


def together(n: int) -> None:
    """Do the yardstick in ``n`` threads at a time."""
    threads = [threading.Thread(target=sines, args=(SINES,)) for _ in range(n)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()


def by_turns(jobs: Mapping[str, Callable[[], Callable[[], object]]], repeats: int) -> dict[str, tuple[float, float]]:
    """Return the median seconds of jobs by the clock and of a processor; what a job returns is timed, the job is not.

    Each turn begins with another one.
    """
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in jobs}
    names = list(jobs)
    for turn in range(repeats + 1):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            work = jobs[name]()
            clock, processor = time.perf_counter(), time.process_time()
            work()
            taken[name].append((time.perf_counter() - clock, time.process_time() - processor))
    # the first turn compiles kernels and reads files
    return {
        name: tuple(statistics.median(each) for each in zip(*all_[1:], strict=True)) for name, all_ in taken.items()
    }


def settling(chunk: int, rows: int) -> int:
    """Return how many rows of a run do not count."""
    return min(SETTLED * chunk, rows // 2)


def run_of(
    data: Any, learners: Callable[[], dict[str, Any]], chunk: int, jobs: int
) -> Callable[[], Callable[[], object]]:
    """Return what makes a run, and lets it find out how it works, before it is timed."""
    schema, X, Y = data

    def begun() -> Callable[[], object]:
        run = sl.Run(ArrayStream(X, Y, schema=schema), learners(), chunk=chunk, jobs=jobs, snapshots=0)
        run.advance(settling(chunk, len(Y)))
        return run.advance

    return begun


def repeated(data: Any, rows: int) -> Any:
    """Return a data set of so many rows, its own again and again."""
    schema, X, Y = data
    times = -(-rows // len(Y))
    return schema, np.tile(X, (times, 1))[:rows], np.tile(Y, (times, 1))[:rows]


def cases(rows: int, council_rows: int) -> Iterator[tuple[str, Any, int, Callable[[], dict[str, Any]]]]:
    """Yield what each line is, its rows, its chunks and its learners."""
    sets = {"yeast": read("yeast"), "tmc2007": tmc2007()[1]}
    makers: dict[str, Callable[[int], Any]] = {
        "SMART": lambda seed: sl.SMART(seed=seed), "MLHAT": lambda seed: sl.MLHAT(seed=seed)
    }  # fmt: skip
    for chunk in (100, 1000):
        for set_, data in sets.items():
            for kind, make in makers.items():
                what = f"two {kind}, {set_}, chunks of {chunk:,}"
                yield (
                    what,
                    repeated(data, max(rows, 40 * chunk)),
                    chunk,
                    lambda make=make: {f"{i}": make(i) for i in (1, 2)},
                )
    yeast = sets["yeast"]
    yield "one SMART, yeast, chunks of 100", repeated(yeast, rows), 100, lambda: {"1": sl.SMART(seed=1)}
    yield (
        "two SMART, yeast, chunks of 1",
        repeated(yeast, rows // 10),
        1,
        lambda: {f"{i}": sl.SMART(seed=i) for i in (1, 2)},
    )
    for name in COUNCIL_SETS:
        yield f"Council, {name}", repeated(read(name), council_rows), 100, lambda: {"Council": sl.Council(seed=1)}


def simulated(locked: float, free: float, learners: int, threads: int, pieces: int = 4) -> float:
    """Return how many times as fast ``learners`` equal ones are in so many threads, on as many idle cores.

    Parameters
    ----------
    locked, free
        Seconds of a chunk with Python's lock and without, which take turns in ``pieces``.
    """
    ends, lock_free = [0.0] * threads, 0.0
    todo: list[list[float]] = [[] for _ in range(threads)]
    for number in range(learners):
        todo[number % threads].extend([locked / pieces, free / pieces] * pieces)
    while any(todo):
        place = min((i for i in range(threads) if todo[i]), key=lambda i: ends[i])
        begins = max(ends[place], lock_free)
        lock_free = begins + todo[place].pop(0)
        ends[place] = lock_free + todo[place].pop(0)
    return learners * (locked + free) / max(ends)


def curve(repeats: int) -> Sheet:
    """Return how much 16 equal learners gain by 1 to 16 threads, by simulation from what was measured of one."""
    sheet = Sheet("16 equal learners on yeast, times as fast: simulated", ("", "locked", *map(str, MOST_THREADS)))
    schema, X, Y = repeated(read("yeast"), 10_000)
    for kind, make in {"SMART": lambda: sl.SMART(seed=1), "MLHAT": lambda: sl.MLHAT(seed=1)}.items():
        for chunk in (100, 1000):
            jobs = {str(n): run_of((schema, X, Y), lambda make=make: {"1": make()}, n, 1) for n in (chunk, 10)}
            seconds = {
                int(n): taken[1] / (len(Y) - settling(int(n), len(Y))) for n, taken in by_turns(jobs, repeats).items()
            }
            # what a chunk costs however few its rows are: Python's share, or more than that
            locked = max(0.0, (seconds[10] - seconds[chunk]) / (1 / 10 - 1 / chunk))
            free = max(seconds[chunk] * chunk - locked, 0.0)
            told = [f"{simulated(locked, free, MOST_THREADS[-1], n):.1f}" for n in MOST_THREADS]
            sheet.add(f"{kind}, chunks of {chunk:,}", f"{locked / (locked + free):.0%}", *told)
    return sheet


def main(options: Sequence[str]) -> int:
    """Print the tables."""
    given = asked("cores", options, threads=2, repeats=5, rows=12_000, council_rows=3000)
    if missing():
        return 1
    n = given.threads
    console.print(f"{cores()} cores; load {psutil.getloadavg()[0]:.1f} at first: this benchmark wants {n} idle ones")
    header = ("", "one after another, s", "side by side, s", "times as fast", "the yardstick", "of it", "CPU, times")
    sheet = Sheet(f"{n} threads", header)
    for what, data, chunk, learners in cases(given.rows, given.council_rows):
        taken = by_turns(
            {
                "yardstick": lambda: lambda: [sines(SINES) for _ in range(n)],
                "yardstick together": lambda: lambda: together(n),
                "apart": run_of(data, learners, chunk, 1),
                "together": run_of(data, learners, chunk, n),
            },
            given.repeats,
        )
        (yard, _), (yards, _), (apart, used), (beside, used_beside) = taken.values()
        faster, stick = apart / beside, yard / yards
        sheet.add(
            what, apart, beside, f"{faster:.2f}", f"{stick:.2f}", f"{faster / stick:.2f}", f"{used_beside / used:.2f}"
        )
    sheet.show()
    curve(given.repeats).show()
    console.print(f"load {psutil.getloadavg()[0]:.1f} at last")
    return 0
