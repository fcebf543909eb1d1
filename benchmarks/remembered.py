"""ARkNN and MLSAMPkNN beside the figures and the speeds of their authors' programs, test then train in file order."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

import streamlab as sl
from benchmarks._data import SHARED
from benchmarks._results import MISSING, figure, figures, print_table
from benchmarks.mlhat_table import read

CHUNK = 100
REPEATS = 3
FIRST = {"20ng": 3_000, "tmc": 3_000}
"""Sets of which only so many first rows are taken, as the programs were."""
FIGURES: dict[str, dict[str, float]] = {
    "ARkNN": {
        "emotions": 0.579, "yeast": 0.560, "scene": 0.879, "water quality": 0.510, "enron": 0.481, "slashdot": 0.334,
        "20ng": 0.437, "medical": 0.511, "tmc": 0.531, "birds": 0.093,
    },
    "MLSAMPkNN": {
        "emotions": 0.553, "yeast": 0.559, "scene": 0.889, "water quality": 0.519, "enron": 0.368, "slashdot": 0.228,
        "20ng": 0.240, "medical": 0.537, "tmc": 0.487, "birds": 0.082,
    },
}  # fmt: skip
"""Example F1 of the authors' programs, 0/0 = 0, all rows; there is no seed."""
SPEEDS: dict[str, dict[str, float]] = {"ARkNN": {"yeast": 5_400, "tmc": 1_200}, "MLSAMPkNN": {"yeast": 2_600}}
"""Rows a CPU second of the programs (Java), on another machine."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.remembered", description=__doc__)
    parser.add_argument("--learners", nargs="+", choices=list(FIGURES), default=list(FIGURES))
    parser.add_argument("--sets", nargs="+", choices=list(FIGURES["ARkNN"]), default=list(FIGURES["ARkNN"]))
    parser.add_argument("--repeats", type=int, default=REPEATS, help="runs of which the speed is the median")
    # as ``python -m benchmarks remembered`` it takes the defaults
    choices = parser.parse_args() if __name__ == "__main__" else parser.parse_args([])
    if not SHARED.is_dir():
        raise SystemExit(f"{SHARED} is not there: it holds the data sets that the programs were measured on")
    for learner in choices.learners:
        report(learner, choices.sets, choices.repeats)


def measured(learner: str, name: str, repeats: int = 1) -> dict[str, Any]:
    """A learner over a set: its measures, rows a CPU second (median), bytes and rows held at the end."""
    schema, X, Y = read(name)
    X, Y = X[: FIRST.get(name)], Y[: FIRST.get(name)]
    kind = getattr(sl, learner)
    kind.prepare()
    seconds = []
    for _ in range(repeats):
        model = kind().bind(schema)
        # what is read once a process is not counted
        model.copy().test_then_train(X[:CHUNK], Y[:CHUNK])
        answers = []
        begun = time.thread_time()
        for start in range(0, len(X), CHUNK):
            answers.append(model.test_then_train(X[start : start + CHUNK], Y[start : start + CHUNK]))
        seconds.append(time.thread_time() - begun)
    scores, labels = (np.concatenate(parts) for parts in zip(*answers, strict=True))
    found = figures(Y, labels, scores, decides=False)
    return found | {"rows": len(X), "speed": len(X) / statistics.median(seconds), "bytes": model.n_bytes,
                    "held": model.n_rows}  # fmt: skip


def report(learner: str, sets: Sequence[str], repeats: int) -> None:
    """A line for each set: figures beside the program's, speed, state."""
    lines = []
    for name in sets:
        row, asked = measured(learner, name, repeats), FIGURES[learner][name]
        theirs = SPEEDS[learner].get(name)
        lines.append([
            name, f"{row['rows']:,}", f"{asked:.3f}", figure(row["f1"]), figure(row["f1"] - asked, 4, sign=True),
            figure(row["micro_f1"]), figure(row["hamming_loss"]), f"{row['speed']:,.0f}",
            MISSING if theirs is None else f"{theirs:,}",
            MISSING if theirs is None else f"{row['speed'] / theirs:.0f}", f"{row['held']:,}", f"{row['bytes']:,}",
        ])  # fmt: skip
    header = ("", "rows", "program", "example F1", "difference", "micro F1", "Hamming loss", "rows a CPU second",
              "program", "times", "rows held", "bytes")  # fmt: skip
    print_table(f"{learner}: example F1 with 0/0 = 0, chunks of {CHUNK}", header, lines)


if __name__ == "__main__":
    main()
