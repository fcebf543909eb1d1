"""SMART's memory over 1,000,000 instances of 100 features and 50 labels: it must stay within 5 % from 100,000 on."""

from __future__ import annotations

import gc
import time

import psutil
from rich.console import Console
from rich.table import Table

from benchmarks._data import synthetic_chunk
from streamlab.learners import SMART
from streamlab.learners.smart import _kernels as kernels
from streamlab.schema import Feature, Schema

N_ROWS, N_FEATURES, N_LABELS = 1_000_000, 100, 50
CHUNK = 1000
MARKS = (20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)
FIRST = 100_000
ALLOWED = 1.05

console = Console()


def main() -> None:
    schema = Schema(
        tuple(Feature(f"x{i}", None, 0.0, 1.0) for i in range(N_FEATURES)), tuple(f"l{i}" for i in range(N_LABELS))
    )
    model = SMART(seed=1).bind(schema)
    table = Table("instances", "learner, MB", "process, MB", "nodes", "slots", "instances/s", title="memory")
    measured: dict[int, tuple[int, int]] = {}
    seconds = 0.0
    for number in range(N_ROWS // CHUNK):
        chunk = synthetic_chunk(number, CHUNK, N_FEATURES, N_LABELS)
        start = time.process_time()
        for at in range(0, CHUNK, 100):
            model.test_then_train(*(side[at : at + 100] for side in chunk))
        seconds += time.process_time() - start
        seen = (number + 1) * CHUNK
        if seen in MARKS:
            gc.collect()
            measured[seen] = model.n_bytes, psutil.Process().memory_info().rss
            nodes = int((model._sums[:, kernels.WEIGHT] >= model._empty).sum())
            mb = (f"{n_bytes / 1e6:,.1f}" for n_bytes in measured[seen])
            table.add_row(f"{seen:,}", *mb, f"{nodes:,}", f"{len(model._nodes):,}", f"{seen / seconds:,.0f}")
    console.print(table)
    for what, before, after in zip(("learner", "process"), measured[FIRST], measured[N_ROWS], strict=True):
        verdict = "within" if after <= ALLOWED * before else "NOT WITHIN"
        console.print(f"{what}: {after / before:.3f} times what it was after {FIRST:,}, {verdict} {ALLOWED - 1:.0%}")


if __name__ == "__main__":
    main()
