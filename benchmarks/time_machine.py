"""The time machine: how soon a drag is answered and a run stands in its past, and what its history costs.

A run goes through a stream twice, with snapshots and a log of views and without; then a drag is answered from the
log of views at random positions, and the run seeks random positions exactly. ``--rows 1000000`` shows that the budget
holds on a long run.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import streamlab as sl
from streamlab.views.recording import readers_of

__all__ = ["main"]

STREAMS = ("syn-regions", "movies")
LEARNERS = ("SMART", "MLHAT", "HedgedMLHAT")
CHUNK = 100
VIEW_SECONDS = 0.2


class Repeated(sl.streams.Stream):
    """A stream over and over again, for so many rows."""

    def __init__(self, stream: sl.streams.Stream, n_rows: int) -> None:
        self.name, self.schema, self.n_rows = f"{stream.name}, repeated", stream.schema, n_rows
        chunks = list(stream.chunks(1000))
        self._X = np.concatenate([chunk.X for chunk in chunks])
        self._Y = np.concatenate([chunk.Y for chunk in chunks])

    def blocks(self, start: int = 0):
        """Yield the rows from ``start`` on."""
        while start < self.n_rows:
            at = start % len(self._Y)
            n = min(len(self._Y) - at, self.n_rows - start)
            yield self._X[at : at + n], self._Y[at : at + n]
            start += n


def stream_of(name: str, rows: int, seed: int) -> sl.streams.Stream:
    """Return a stream of so many rows."""
    return sl.load(name, seed=seed, n_rows=rows) if name.startswith("syn-") else Repeated(sl.load(name), rows)


def lived(stream: sl.streams.Stream, learner: str, seed: int, *, history: bool) -> tuple[sl.Run, float]:
    """Let a run go through a stream; returns it, and the processor seconds it took."""
    model = getattr(sl, learner)(seed=seed)
    # as the page has it: alarms of each label, which the plain run has too
    run = sl.Run(stream, {learner: model}, chunk=CHUNK, alarms="label", **({} if history else {"snapshots": 0}))
    readers = readers_of(run)
    at = 0.0
    begun = time.process_time()
    while run.advance(CHUNK):
        if history and time.monotonic() >= at and run.views.wants(run.position):
            took = time.monotonic()
            run.views.add(run.position, {name: read(run) for name, read in readers.items()})
            took = time.monotonic() - took
            at = time.monotonic() + max(VIEW_SECONDS, took / 0.03)
    return run, time.process_time() - begun


def measured(name: str, learner: str, options: argparse.Namespace) -> dict[str, Any]:
    """Return what one learner on one stream comes to."""
    stream = stream_of(name, options.rows, options.seed)
    lived(stream_of(name, 500, options.seed), learner, options.seed, history=True)
    with_history, without = [], []
    for _ in range(options.rounds):
        without.append(lived(stream, learner, options.seed, history=False)[1])
        run, seconds = lived(stream, learner, options.seed, history=True)
        with_history.append(seconds)
    rng = np.random.default_rng(options.seed)
    drags = []
    for position in rng.integers(0, run.end, 1000):
        begun = time.perf_counter()
        entry = run.views.at(int(position))
        assert entry is None or entry.position <= position
        drags.append(time.perf_counter() - begun)
    seeks = []
    for position in rng.integers(0, run.end + 1, options.seeks):
        begun = time.process_time()
        run.seek(int(position))
        seeks.append(time.process_time() - begun)
    store = run._machine.store
    return {
        "stream": name,
        "learner": learner,
        "rows": options.rows,
        "speed with history": float(np.median(without) / np.median(with_history)),
        "learning (s)": float(np.median(without)),
        "snapshots": len(store),
        "MB of snapshots": store.n_bytes / 2**20,
        "views": len(run.views),
        "MB of views": run.views.n_bytes / 2**20,
        "drag (ms), 99 of 100": 1000 * float(np.quantile(drags, 0.99)),
        "seek (s), median": float(np.median(seeks)),
        "seek (s), slowest": float(np.max(seeks)),
    }


def main(options: list[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser("python -m benchmarks time_machine", description=__doc__.partition("\n")[0])
    parser.add_argument("--streams", nargs="+", default=list(STREAMS), choices=STREAMS)
    parser.add_argument("--learners", nargs="+", default=list(LEARNERS))
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--seeks", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3, help="runs with and without history, by turns")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--markdown", type=Path, help="also append the table to this file")
    asked = parser.parse_args([] if options is None else options)
    rows = [measured(name, learner, asked) for name in asked.streams for learner in asked.learners]
    table = Table(title=f"{asked.rows:,} rows, {asked.seeks} seeks; processor seconds")
    for column in rows[0]:
        table.add_column(column)
    for row in rows:
        table.add_row(*(_text(value) for value in row.values()))
    Console(width=200).print(table)
    if asked.markdown:
        lines = ["| " + " | ".join(rows[0]) + " |", "| " + " | ".join("---" for _ in rows[0]) + " |"]
        lines += ["| " + " | ".join(_text(value) for value in row.values()) + " |" for row in rows]
        with asked.markdown.open("a", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
    return 0


def _text(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:,}" if isinstance(value, int) else f"{value:.3g}"
