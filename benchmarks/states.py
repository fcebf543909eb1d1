"""How large the state of each learner is as bytes, and how long it takes to write and to read.

``python -m benchmarks states [--rows 1000] [--stream yeast]``

What an engine writes for a key and a batch (``streamlab.keyed``), what a snapshot or a file of a model takes. CPU
times are medians of five.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.table import Table

import streamlab as sl
from streamlab.learners import LEARNERS

__all__ = ["main"]

console = Console(soft_wrap=True, highlight=False)
CHUNK = 100
NOT_ALONE = {"Pipeline", "OnePerLabel", "TargetsAsLabels", "RiverMultiLabel", "StandardScaler"}
"""What is made of others, or transforms."""


def main(options: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks states", description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--stream", default="yeast")
    given = parser.parse_args(options)
    stream = sl.load(given.stream)
    schema = stream.schema
    console.print(f"{stream.name}: {schema.n_features} features, {schema.n_labels} labels; after {given.rows:,} rows")
    table = Table("learner", "bytes", "written in ms", "read in ms")
    found: list[tuple[int, str, float, float]] = []
    for name in sorted(set(LEARNERS.names()) - NOT_ALONE):
        try:
            model = LEARNERS.load(name)()
            model.bind(schema)
            for chunk in stream.chunks(CHUNK, stop=given.rows):
                model.learn_many(chunk.X, chunk.Y)
            raw = model.to_bytes()
        except (ValueError, AttributeError) as error:
            console.print(f"{name}: {str(error).splitlines()[0][:120]}", style="dim")
            continue
        found.append((len(raw), name, _median(model.to_bytes), _median(lambda raw=raw: sl.load_model(raw))))
    for size, name, written, read in sorted(found):
        table.add_row(name, f"{size:,}", f"{written * 1000:.2f}", f"{read * 1000:.2f}")
    console.print(table)
    return 0


def _median(act: Callable[[], Any]) -> float:
    seconds = []
    for _ in range(5):
        began = time.process_time()
        act()
        seconds.append(time.process_time() - began)
    return statistics.median(seconds)
