"""Synthetic streams: streamlab's multi-label instances against River's of one label, in CPU seconds."""

from __future__ import annotations

import statistics
import time
from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice

__all__ = ["main", "measure"]

BASES = ("tree", "rbf", "hyperplane")
N_FEATURES, N_LABELS = 80, 25
N_ROWS = 1000
REPEATS = 21
WANTED_MS, WANTED_RATIO = 5.0, 20.0


def main() -> None:
    """Print a table: CPU milliseconds for 1,000 instances, and how many times faster than River's generators."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    title = f"{N_ROWS:,} instances of {N_FEATURES} features: CPU milliseconds, median of {REPEATS}"
    table = Table(title=title)
    for column in ("generator", "River, 1 label", f"streamlab, {N_LABELS} labels", "ratio", "opening"):
        table.add_column(column, justify="left" if column == "generator" else "right")
    for base in BASES:
        peer, ours, opening = measure(base)
        slow = "" if ours < WANTED_MS else f" (above {WANTED_MS:g})"
        low = "" if peer / ours >= WANTED_RATIO else f" (below {WANTED_RATIO:g})"
        table.add_row(base, f"{peer:.1f}", f"{ours:.2f}{slow}", f"{peer / ours:.0f}{low}", f"{opening:.0f}")
    console.print(table)
    console.print(
        "streamlab draws two instances and a label set for each row; kernels compiled before the clock starts"
    )


def measure(base: str, repeats: int = REPEATS) -> tuple[float, float, float]:
    """Median CPU milliseconds for ``N_ROWS`` instances: River's, streamlab's; and for opening the stream again."""
    from streamlab.streams import Concept, MultiLabelGenerator

    def opened(seed: int) -> MultiLabelGenerator:
        concept = Concept(seed=10 * seed + BASES.index(base))  # no base profits by another's
        return MultiLabelGenerator(base, concept, n_features=N_FEATURES, n_labels=N_LABELS, n_rows=None)

    next(opened(0).chunks(N_ROWS))
    opening = statistics.median(_milliseconds(lambda seed=seed: opened(seed)) for seed in range(1, 6))
    # Both go on where they were, and let go of what they gave, as an evaluation does.
    chunks, peer = opened(0).chunks(N_ROWS), iter(_river(base))
    jobs: dict[str, Callable[[], None]] = {
        "River": lambda: _drain(islice(peer, N_ROWS)),
        "streamlab": lambda: _drain(islice(chunks, 1)),
    }
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(repeats):
        for name, job in jobs.items():
            taken[name].append(_milliseconds(job))
    return statistics.median(taken["River"]), statistics.median(taken["streamlab"]), opening


def _drain(rows: Iterable[object]) -> None:
    deque(rows, maxlen=0)


def _river(base: str) -> Iterable[tuple[dict, object]]:
    from river.datasets import synth

    if base == "tree":
        return synth.RandomTree(seed_tree=1, seed_sample=1, n_num_features=N_FEATURES, n_cat_features=0)
    if base == "rbf":
        return synth.RandomRBF(seed_model=1, seed_sample=1, n_features=N_FEATURES, n_centroids=50)
    return synth.Hyperplane(seed=1, n_features=N_FEATURES, n_drift_features=10, mag_change=0.001, noise_percentage=0.05)


def _milliseconds(job: Callable[[], object]) -> float:
    start = time.process_time()
    job()
    return 1000 * (time.process_time() - start)
