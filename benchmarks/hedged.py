"""HedgedMLHAT beside MLHAT and its own single leaf: F1, splits, promotions and prunings, speed (half a CPU hour)."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import streamlab as sl
from benchmarks import mlhat_table
from benchmarks._data import SHARED
from benchmarks._results import Results
from benchmarks.mlhat_table import LONG, VALUES, mean, measured, report_long
from streamlab.learners import Learner

SEEDS = (1, 2, 3)
PLAIN, HEDGED, LEAF = "MLHAT", "HedgedMLHAT", "HedgedMLHAT, one leaf"
OURS: dict[str, Callable[[int], Learner]] = {
    PLAIN: lambda seed: sl.MLHAT(seed=seed),
    HEDGED: lambda seed: sl.HedgedMLHAT(seed=seed),
    LEAF: lambda seed: sl.HedgedMLHAT(seed=seed, max_depth=0),
}
# example F1 as the sheet has it: plain, hedged, hedged less its single leaf
ASKED: dict[str, tuple[float, float, float]] = {
    "emotions": (0.432, 0.442, 0.0),
    "segments": (0.709, 0.862, 0.014),
    "yeast": (0.595, 0.601, 0.003),
    "scene": (0.954, 0.959, 0.0),
    "water quality": (0.536, 0.552, -0.001),
    "instruments": (0.345, 0.606, 0.156),
    "medical": (0.535, 0.597, -0.002),
    "slashdot": (0.346, 0.342, 0.0),
    "movies": (0.281, 0.331, 0.027),
    "enron": (0.477, 0.533, 0.004),
    "tmc": (0.652, 0.667, 0.012),
    "20ng": (0.609, 0.620, 0.005),
}
NEAR = 0.01
EVENTS = ("splits", "promoted", "pruned")


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.hedged", description=__doc__)
    arguments.add_argument("--out", type=Path, help="keep results in this CSV file, and do not run again what it holds")
    arguments.add_argument("--sets", nargs="*", choices=list(ASKED), default=list(ASKED))
    arguments.add_argument("--long", nargs="*", choices=LONG, default=[], help="streams of 100,000 rows that drift")
    arguments.add_argument("--seeds", nargs="*", type=int, default=list(SEEDS))
    # as ``python -m benchmarks hedged`` it takes the defaults
    choices = arguments.parse_args() if __name__ == "__main__" else arguments.parse_args([])
    results = Results(choices.out, ("stream", "learner", "seed"), VALUES)
    published = [name for name in choices.sets if name in mlhat_table.SETS]
    sets = [name for name in choices.sets if name not in published or SHARED.is_dir()]
    for name in (*sets, *choices.long):
        for seed in choices.seeds:
            for learner in OURS:
                if not results.holds(name, learner, seed):
                    results.add(measured(name, learner, seed, OURS[learner](seed)))
    report([row for row in results.rows if row["stream"] in sets], sets)
    if choices.long:
        report_long([row for row in results.rows if row["stream"] in choices.long])


def report(rows: list[dict[str, Any]], sets: list[str]) -> None:
    """A line for each set: what was measured, what the sheet asks for, and what happened to the tree."""
    events = [f"{kind}, {name}" for name in ("plain", "hedged") for kind in EVENTS]
    table = Table("", "seeds", *OURS, "hedged - leaf", "asked: MLHAT", "hedged", "- leaf", "within .01", *events)
    table.add_column("speed of plain")
    table.title = "example-based F1 of the whole stream, 0/0 = 0"
    for name in sets:
        of = {c: [r for r in rows if (r["stream"], r["learner"]) == (name, c)] for c in OURS}
        if not all(of.values()):
            continue
        f1 = {c: mean(of[c], "f1") for c in OURS}
        gap, asked = f1[HEDGED] - f1[LEAF], ASKED[name]
        seconds = {c: float(np.median([r["seconds"] for r in of[c]])) for c in OURS}
        near = f1[HEDGED] >= asked[1] - NEAR and gap >= asked[2] - NEAR
        table.add_row(
            name,
            str(len(of[HEDGED])),
            *(f"{f1[c]:.4f}" for c in OURS),
            f"{gap:+.4f}",
            *(f"{value:.3f}" for value in asked[:2]),
            f"{asked[2]:+.3f}",
            "yes" if near else "no",
            *(f"{mean(of[c], kind):.1f}" for c in (PLAIN, HEDGED) for kind in EVENTS),
            f"{seconds[PLAIN] / seconds[HEDGED]:.2f}",
        )
    Console(width=max(200, Console().width)).print(table)


if __name__ == "__main__":
    main()
