"""MLHAT beside its published figures and River's learners: real sets, then long streams that drift (hours)."""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import streamlab as sl
from benchmarks._data import SHARED
from benchmarks._neighbours import Neighbours
from benchmarks._results import Results
from streamlab.learners import Learner, NoChange, OnePerLabel
from streamlab.schema import Schema

CHUNK = 100
SEEDS = (1, 2, 3, 4, 5)
# name: files, labels where a file does not say so itself, published F1, the program's F1 as measured
SETS: dict[str, tuple[tuple[str, ...], str | int | None, float, float | None]] = {
    "emotions": (("emotions",), None, 0.446, 0.447),
    "yeast": (("yeast",), None, 0.588, 0.594),
    "scene": (("scene-train", "scene-test"), "scene.xml", 0.948, 0.954),
    "water quality": (("Water-quality",), 14, 0.533, None),
    "flags": (("flags",), None, 0.605, None),
    "birds": (("birds-train", "birds-test"), "birds.xml", 0.482, None),
    "medical": (("medical",), None, 0.539, None),
    "enron": (("enron",), None, 0.421, None),
    "slashdot": (("SLASHDOT-F",), None, 0.361, None),
    "20ng": (("20NG-F",), None, 0.600, None),
    "tmc": (("tmc2007-500",), None, 0.628, None),
}
QUICK = ("emotions", "yeast", "scene", "water quality", "flags", "birds", "medical")
LONG = tuple(f"{name} {seed}" for name in ("syn-regions", "syn-branches") for seed in (1, 2, 3))
"""Regions of the feature space with label sets of their own, a branch of which drifts; three seeds of each stream."""
LONG_ROWS = 100_000
TOLERANCE = 0.02


def _adaptive_tree(seed: int) -> Learner:
    from river.tree import HoeffdingAdaptiveTreeClassifier

    return OnePerLabel(HoeffdingAdaptiveTreeClassifier(seed=seed))


def _adaptive_forest(seed: int) -> Learner:
    from river.forest import ARFClassifier

    return OnePerLabel(ARFClassifier(seed=seed))


OURS = "MLHAT"
# the learner by its seed, and whether more than one seed is worth its while
LEARNERS: dict[str, tuple[Callable[[int], Learner], bool]] = {
    OURS: (lambda seed: sl.MLHAT(seed=seed), True),
    "MLHAT, fresh leaves": (lambda seed: sl.MLHAT(seed=seed, leaf_start="fresh"), True),
    "MLHAT, tau=0.3": (lambda seed: sl.MLHAT(seed=seed, tau=0.3), True),
    "MLHAT, one leaf": (lambda seed: sl.MLHAT(seed=seed, max_depth=0), True),
    "no-change": (lambda seed: NoChange(), False),
    "River kNN": (lambda seed: Neighbours(window=1000), False),
    "River HAT": (_adaptive_tree, False),
    "River ARF": (_adaptive_forest, False),
}
KINDS = {"splits": "split", "started": "alternate_started", "promoted": "alternate_promoted",
         "pruned": "alternate_pruned"}  # fmt: skip
VALUES = ("rows", "f1", "f1_empty_1", "micro_f1", "seconds", *KINDS)


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.mlhat_table", description=__doc__)
    arguments.add_argument("--out", type=Path, help="keep results in this CSV file, and do not run again what it holds")
    arguments.add_argument("--learners", nargs="+", choices=list(LEARNERS), default=list(LEARNERS))
    arguments.add_argument("--sets", nargs="*", choices=list(SETS), default=list(SETS))
    arguments.add_argument("--long", nargs="*", choices=LONG, default=list(LONG))
    # as ``python -m benchmarks mlhat_table`` it takes the defaults
    choices = arguments.parse_args() if __name__ == "__main__" else arguments.parse_args([])
    results = Results(choices.out, ("stream", "learner", "seed"), VALUES)
    sets = choices.sets if SHARED.is_dir() else []
    for learner in choices.learners:
        for name in (*sets, *choices.long):
            for seed in SEEDS if LEARNERS[learner][1] else SEEDS[:1]:
                if not results.holds(name, learner, seed):
                    results.add(measured(name, learner, seed))
    report([row for row in results.rows if row["stream"] in sets], sets, choices.learners)
    report_long([row for row in results.rows if row["stream"] in choices.long])


def read(name: str) -> tuple[Schema, np.ndarray, np.ndarray]:
    """A data set as a whole, its training rows first."""
    if name in SETS:
        files, labels, *_ = SETS[name]
        streams = [
            sl.load(SHARED / f"{file}.arff.gz", labels=SHARED / labels if isinstance(labels, str) else labels)
            for file in files
        ]
    else:
        name, _, seed = name.partition(" ")
        streams = [sl.load(name, seed=int(seed), n_rows=LONG_ROWS) if seed else sl.load(name)]
    chunks = [chunk for stream in streams for chunk in stream.chunks(1000)]
    return streams[0].schema, *(np.concatenate([getattr(chunk, side) for chunk in chunks]) for side in "XY")


def measured(name: str, learner: str, seed: int, model: Learner | None = None) -> dict[str, Any]:
    """One learner over one stream, prequentially: its F1, its CPU seconds and what happened to its tree."""
    schema, X, Y = read(name)
    model = (LEARNERS[learner][0](seed) if model is None else model).bind(schema)
    answers = []
    kinds: Counter[str] = Counter()
    begun = time.thread_time()
    for start in range(0, len(X), CHUNK):
        answers.append(model.test_then_train(X[start : start + CHUNK], Y[start : start + CHUNK])[1])
        kinds.update(event["kind"] for event in model.take_events())
    seconds = time.thread_time() - begun
    labels = np.concatenate(answers)
    row = {"stream": name, "learner": learner, "seed": seed, "rows": len(X), "seconds": seconds}
    row |= {"f1": example_f1(Y, labels), "f1_empty_1": example_f1(Y, labels, 1.0), "micro_f1": micro_f1(Y, labels)}
    return row | {name: kinds[kind] for name, kind in KINDS.items()}


def example_f1(Y: np.ndarray, labels: np.ndarray, empty: float = 0.0) -> float:
    """Mean F1 of the rows; ``empty`` is what a row counts that has no label and is predicted none."""
    either = Y.sum(axis=1, dtype=np.int64) + labels.sum(axis=1, dtype=np.int64)
    return float(np.where(either > 0, 2 * (Y & labels).sum(axis=1) / np.maximum(either, 1), empty).mean())


def micro_f1(Y: np.ndarray, labels: np.ndarray) -> float:
    return float(2 * (Y & labels).sum() / max(1, Y.sum(dtype=np.int64) + labels.sum(dtype=np.int64)))


def mean(rows: list[dict[str, Any]], field: str) -> float:
    return statistics.fmean(row[field] for row in rows)


def report(rows: list[dict[str, Any]], sets: list[str], learners: list[str]) -> None:
    """Example-based F1, a line for each set, as the sheet counts it and with 0/0 as 1."""
    if not sets:
        return
    for field, words in (("f1", "0/0 = 0"), ("f1_empty_1", "0/0 = 1")):
        columns = [c for c in learners if any(row["learner"] == c for row in rows)]
        table = Table("", "rows", "published", "program", *columns, "±", "splits", "reached")
        table.title = f"example-based F1 of the whole stream, {words}; MLHAT: mean and spread of {len(SEEDS)} seeds"
        for name in sets:
            of = {c: [row for row in rows if (row["stream"], row["learner"]) == (name, c)] for c in columns}
            published, program = SETS[name][2:]
            ours = of.get(OURS)
            first = next(filter(None, of.values()), None)
            table.add_row(
                name,
                f"{first[0]['rows']:,.0f}" if first else "",
                f"{published:.3f}",
                "" if program is None else f"{program:.3f}",
                *(f"{mean(of[c], field):.3f}" if of[c] else "" for c in columns),
                f"{statistics.pstdev(row[field] for row in ours):.3f}" if ours else "",
                f"{mean(ours, 'splits'):.1f}" if ours else "",
                ("yes" if mean(ours, field) >= published - TOLERANCE else "no") if ours else "",
            )
        Console(width=max(160, Console().width)).print(table)


def report_long(rows: list[dict[str, Any]]) -> None:
    table = Table("stream", "learner", "seeds", "example F1", "±", "micro F1", *KINDS, "instances/s (CPU)")
    table.title = f"{LONG_ROWS:,} instances with structure and drift"
    for stream, learner in dict.fromkeys((row["stream"], row["learner"]) for row in rows):
        of = [row for row in rows if (row["stream"], row["learner"]) == (stream, learner)]
        table.add_row(
            stream,
            learner,
            str(len(of)),
            f"{mean(of, 'f1'):.3f}",
            f"{statistics.pstdev(row['f1'] for row in of):.3f}",
            f"{mean(of, 'micro_f1'):.3f}",
            *(f"{mean(of, kind):.1f}" for kind in KINDS),
            f"{sum(row['rows'] for row in of) / max(1e-9, sum(row['seconds'] for row in of)):,.0f}",
        )
    Console(width=max(160, Console().width)).print(table)


if __name__ == "__main__":
    main()
