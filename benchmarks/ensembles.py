"""GOOWE and OnlineBagging beside what was measured with their rivals' programs: F1, speed (10 minutes)."""

from __future__ import annotations

import argparse
import statistics
import sys
import time

import numpy as np
from rich.console import Console
from rich.table import Table

import streamlab as sl
from benchmarks._data import SHARED
from benchmarks.mlhat_table import read
from streamlab.learners import Learner

SEEDS = (0, 1, 2)
SETS = ("emotions", "yeast", "scene", "water quality", "birds")
BATCH = 100
# what the programs reached: base, rows of a chunk: set: example F1 over all rows, where the first chunk is not answered
GOOWE_ML: dict[tuple[str, int], dict[str, str]] = {
    ("chain", 50): {"emotions": ".548", "yeast": ".614", "scene": ".680", "water quality": ".452", "birds": ".098"},
    ("chain", 100): {"emotions": ".491", "yeast": ".599"},
    ("relevance", 50): {"emotions": ".560", "yeast": ".612"},
    ("relevance", 100): {},
    ("logistic", 50): {},
    ("logistic", 100): {},
    ("pruned_sets", 50): {"emotions": ".538", "yeast": ".604"},
    ("pruned_sets", 100): {},
}
# base, detector: set: example F1; rows a CPU second on yeast
BAGGING: dict[tuple[str, str | None], tuple[dict[str, str], str]] = {
    ("relevance", None): ({"emotions": ".545", "yeast": ".606"}, "270"),
    ("relevance", "adwin"): ({"emotions": ".545", "yeast": ".606"}, ""),
    ("chain", None): ({"emotions": ".534", "yeast": ".605"}, ""),
    ("chain", "adwin"): ({"emotions": ".534", "yeast": ".608"}, "155"),
    ("pruned_sets", None): ({"emotions": ".511", "yeast": ".565"}, "1,600"),
    ("pruned_sets", "adwin"): ({}, ""),
}
MISSING = "–"

console = Console()


def main(options: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ensembles", description=__doc__)
    parser.add_argument("--sets", nargs="+", choices=[*SETS, "medical", "enron"], default=list(SETS))
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS))
    parser.add_argument("--families", nargs="+", choices=["GOOWE", "OnlineBagging"], default=["GOOWE", "OnlineBagging"])
    chosen = parser.parse_args(options or [])
    if not SHARED.is_dir():
        console.print("the shared data folder is absent: there is nothing to compare with")
        return
    console.width = max(console.width, 140)
    if "GOOWE" in chosen.families:
        sl.GOOWE.prepare()
        goowe(chosen.sets, chosen.seeds)
    if "OnlineBagging" in chosen.families:
        sl.OnlineBagging.prepare()
        bagging(chosen.sets, chosen.seeds)


def goowe(sets: list[str], seeds: list[int]) -> None:
    heads = ("set", "F1, all rows", "first chunk unanswered", "program", "without the first chunk", "rows/s", "MB")
    for (base, chunk), program in GOOWE_ML.items():
        table = Table(*heads, title=f"GOOWE({base!r}, chunk={chunk}), mean of seeds {seeds}, lowest and highest")
        for name in sets:
            runs = [measured(sl.GOOWE(base, chunk=chunk, seed=seed), name) for seed in seeds]
            unanswered = [float(np.concatenate([np.zeros(chunk), f1[chunk:]]).mean()) for f1, *_ in runs]
            table.add_row(
                name, spread([float(f1.mean()) for f1, *_ in runs]), spread(unanswered), program.get(name, MISSING),
                spread([float(f1[chunk:].mean()) for f1, *_ in runs]), *costs(runs),
            )  # fmt: skip
        console.print(table)


def bagging(sets: list[str], seeds: list[int]) -> None:
    heads = ("set", "F1, all rows", "program", "replaced", "rows/s", "program", "MB")
    for (base, detector), (program, speed) in BAGGING.items():
        title = f"OnlineBagging({base!r}, detector={detector!r}), mean of seeds {seeds}, lowest and highest"
        table = Table(*heads, title=title)
        for name in sets:
            runs = [measured(sl.OnlineBagging(base, detector=detector, seed=seed), name) for seed in seeds]
            rate, held = costs(runs)
            table.add_row(
                name, spread([float(f1.mean()) for f1, *_ in runs]), program.get(name, MISSING),
                str(max(run[3] for run in runs)), rate, speed if name == "yeast" and speed else MISSING, held,
            )  # fmt: skip
        console.print(table)


def measured(model: Learner, name: str) -> tuple[np.ndarray, float, int, int]:
    """Return example F1 of each row, rows a CPU second, bytes held at the end, and members that were replaced."""
    schema, X, Y = read(name)
    model.bind(schema)
    parts, begun = [], time.process_time()
    for start in range(0, len(X), BATCH):
        parts.append(model.test_then_train(X[start : start + BATCH], Y[start : start + BATCH])[1])
    seconds = time.process_time() - begun
    labels = np.concatenate(parts)
    sums = labels.sum(axis=1, dtype=int) + Y.sum(axis=1, dtype=int)
    f1 = 2.0 * (labels & Y).sum(axis=1) / np.maximum(sums, 1)
    replaced = sum(event["kind"] == "replaced" for event in model.take_events())
    return f1, len(X) / seconds, model.n_bytes, replaced


def spread(values: list[float]) -> str:
    low, high = min(values), max(values)
    return f"{statistics.mean(values):.3f}" + (f" ({low:.3f}–{high:.3f})" if high - low >= 0.0005 else "")


def costs(runs: list[tuple[np.ndarray, float, int, int]]) -> tuple[str, str]:
    return f"{statistics.median(run[1] for run in runs):,.0f}", f"{max(run[2] for run in runs) / 1e6:.1f}"


if __name__ == "__main__":
    main(sys.argv[1:])
