"""Reading ARFF: streamlab against liac-arff in its fastest form, on two real data sets, in CPU seconds."""

from __future__ import annotations

import gzip
import statistics
import time
from collections.abc import Callable
from pathlib import Path

__all__ = ["main", "measure"]

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"
SETS = ("tmc2007-500", "20NG-F")
FORMS = ("DENSE", "LOD", "COO")
REPEATS = 5
WANTED_RATIO = 5.0


def main() -> None:
    """Print a table: median CPU seconds of several readings, and how many times faster streamlab is."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    missing = [name for name in SETS if not _path(name).is_file()]
    if missing:
        console.print(f"arff: {', '.join(missing)} not found in {DATA}; nothing measured")
        return
    table = Table(title=f"Reading ARFF (.gz): CPU seconds, median of {REPEATS}")
    for column in ("set", "rows", *(f"liac {form}" for form in FORMS), "streamlab", "ratio to the fastest"):
        table.add_column(column, justify="left" if column == "set" else "right")
    for name in SETS:
        n_rows, peers, ours = measure(_path(name))
        ratio = min(peers.values()) / ours
        verdict = "" if ratio >= WANTED_RATIO else f" (below {WANTED_RATIO:g})"
        seconds = (f"{s:.3f}" for s in (*peers.values(), ours))
        table.add_row(name, f"{n_rows:,}", *seconds, f"{ratio:.1f}{verdict}")
    console.print(table)
    console.print("streamlab reads into dense arrays, labels apart; kernels compiled before the clock starts")


def measure(path: Path, repeats: int = REPEATS) -> tuple[int, dict[str, float], float]:
    """Rows, liac-arff's median CPU seconds by form, and streamlab's, opening included, taken in turn in one process."""
    from streamlab.streams.readers.arff import ArffStream

    def ours() -> int:
        return sum(len(X) for X, _ in ArffStream(path).blocks())

    n_rows = ours()
    jobs: dict[str, Callable[[], object]] = {form: lambda form=form: _liac(path, form) for form in FORMS}
    jobs["streamlab"] = ours
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repeats):
        for name, job in jobs.items():
            start = time.process_time()
            job()
            seconds[name].append(time.process_time() - start)
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    return n_rows, {form: medians[form] for form in FORMS}, medians["streamlab"]


def _liac(path: Path, form: str) -> object:
    import arff

    with gzip.open(path, "rt", encoding="utf-8") as file:
        return arff.load(file, encode_nominal=True, return_type=getattr(arff, form))


def _path(name: str) -> Path:
    return DATA / f"{name}.arff.gz"
