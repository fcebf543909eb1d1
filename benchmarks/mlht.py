"""MLHT beside the most frequent label set, its authors' program and published figures: F1, splits, speed, memory."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import streamlab as sl
from benchmarks._data import SHARED
from benchmarks._results import MISSING, figure, figures, print_table
from benchmarks.mlhat_table import CHUNK, read
from streamlab.learners import Learner

# example F1: of the program of MLHAT's authors as measured, and published (table 6 of MLHAT's paper)
EXPECTED: dict[str, tuple[float | None, float]] = {
    "emotions": (0.295, 0.333),
    "yeast": (0.521, 0.519),
    "water quality": (0.240, 0.239),
    "flags": (None, 0.615),
    "scene": (None, 0.184),
    "birds": (None, 0.000),
    "medical": (None, 0.231),
    "enron": (None, 0.310),
    "slashdot": (None, 0.150),
    "20ng": (None, 0.083),
    "tmc": (None, 0.215),
}
EAGER = 1.0
ROUNDS = 3


def measured(name: str, learner: Learner) -> dict[str, Any]:
    """One learner over a set, in chunks: example and micro F1, splits, bytes, rows a second of CPU."""
    schema, X, Y = read(name)
    seconds = []
    for _ in range(ROUNDS):
        model = learner.clone().bind(schema)
        begun = time.thread_time()
        answers = [model.test_then_train(X[i : i + CHUNK], Y[i : i + CHUNK]) for i in range(0, len(X), CHUNK)]
        seconds.append(time.thread_time() - begun)
    scores, labels = (np.concatenate(part) for part in zip(*answers, strict=True))
    found = figures(Y, labels, scores, decides=False)
    splits = sum(event["kind"] == "split" for event in model.take_events())
    return found | {"splits": splits, "bytes": model.n_bytes, "rate": len(X) / min(seconds)}


def main() -> None:
    lines = []
    for name, (program, published) in EXPECTED.items() if SHARED.is_dir() else ():
        ours, eager, majority = (measured(name, each) for each in (sl.MLHT(), sl.MLHT(tau=EAGER), sl.MajorityLabels()))
        lines.append([
            name,
            figure(ours["f1"]),
            MISSING if program is None else figure(program),
            figure(published),
            figure(majority["f1"]),
            figure(ours["micro_f1"]),
            str(ours["splits"]),
            figure(eager["f1"]),
            str(eager["splits"]),
            f"{ours['rate']:,.0f}",
            f"{ours['bytes'] / 1000:,.0f}",
        ])  # fmt: skip
    header = ("", "MLHT", "program", "published", "MajorityLabels", "micro F1", "splits", f"MLHT, tau={EAGER:g}",
              "splits", "rows/s (CPU)", "kB")  # fmt: skip
    print_table("MLHT: example F1 of the whole stream, 0/0 = 0", header, lines)


if __name__ == "__main__":
    main()
