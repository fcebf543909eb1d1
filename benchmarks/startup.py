"""Seconds until something happens: the import, and SMART's first chunk without and with compiled kernels on disk."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]
REPEATS = 5

IMPORT = """
import time
start = time.perf_counter()
import streamlab
print(time.perf_counter() - start)
"""
FIRST_CHUNK = """
import time
import numpy as np
X = np.random.default_rng(0).random((100, 50))
Y = (X[:, :10] > 0.7).astype(np.uint8)
import streamlab as sl
start = time.perf_counter()
model = sl.SMART(seed=1)
imported = time.perf_counter() - start
start = time.perf_counter()
for _ in range(2):
    # the first chunk is the warm-up's, the second the first that is predicted
    model.test_then_train(X, Y)
print(time.perf_counter() - start, imported)
"""

console = Console()


def main() -> None:
    table = Table("", "seconds", "allowed", "", title="start-up, in fresh interpreters")

    def show(what: str, seconds: float, allowed: float | None) -> None:
        verdict = "" if allowed is None else "ok" if seconds < allowed else "TOO SLOW"
        table.add_row(what, f"{seconds:.2f}", "" if allowed is None else f"{allowed:g}", verdict)

    show(f"import streamlab (median of {REPEATS})", statistics.median(fresh(IMPORT)[0] for _ in range(REPEATS)), 1.0)
    with tempfile.TemporaryDirectory() as cache:
        cold, _ = fresh(FIRST_CHUNK, NUMBA_CACHE_DIR=cache)
        warm = [fresh(FIRST_CHUNK, NUMBA_CACHE_DIR=cache) for _ in range(REPEATS)]
    show("SMART's first two chunks, nothing compiled", cold, 15.0)
    show(f"SMART's first two chunks, compiled (median of {REPEATS})", statistics.median(s for s, _ in warm), 1.0)
    show(f"the import of SMART before them (median of {REPEATS})", statistics.median(s for _, s in warm), None)
    console.print(table)


def fresh(code: str, **environment: str) -> list[float]:
    """The numbers that the code prints, run in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=os.environ | environment, capture_output=True, text=True, check=True
    )
    return [float(word) for word in done.stdout.split()]


if __name__ == "__main__":
    main()
