"""MLHAT and HedgedMLHAT beside published figures and River's learners: real sets, then long streams that drift."""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

import streamlab as sl
from benchmarks._data import SHARED
from benchmarks._neighbours import Neighbours
from benchmarks._results import LOSSES, MISSING, Results, figure, figures, mean, print_table
from streamlab.learners import Learner, NoChange, OnePerLabel
from streamlab.schema import Schema

CHUNK = 100
SEEDS = (1, 2, 3)
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
FURTHER = ("segments", "instruments", "movies")
"""Real and synthesised sets that the package itself has; nothing is published of them."""
SHUFFLED = ", shuffled"
REORDERED = tuple(f"{name}{SHUFFLED}" for name in ("scene", "water quality", "enron"))
"""Sets whose order in the file flatters, their rows in one random order, the same for every learner."""
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


@dataclass(frozen=True)
class Entry:
    """A learner of the table.

    Parameters
    ----------
    make
        The learner by its seed.
    seeded
        Whether more than one seed is worth its while.
    chunk
        Instances answered before any of them is learned, by a learner that answers whole chunks.
    """

    make: Callable[[int], Learner]
    seeded: bool = True
    chunk: int = CHUNK


OURS, HEDGED, LEAF = "MLHAT", "HedgedMLHAT", "MLHAT, one leaf"
LEARNERS: dict[str, Entry] = {
    OURS: Entry(lambda seed: sl.MLHAT(seed=seed)),
    LEAF: Entry(lambda seed: sl.MLHAT(seed=seed, max_depth=0)),
    HEDGED: Entry(lambda seed: sl.HedgedMLHAT(seed=seed)),
    "HedgedMLHAT, one leaf": Entry(lambda seed: sl.HedgedMLHAT(seed=seed, max_depth=0)),
    "SMART": Entry(lambda seed: sl.SMART(warm_up=10, seed=seed), chunk=1),
    "no-change": Entry(lambda seed: NoChange(), seeded=False),
    "River kNN": Entry(lambda seed: Neighbours(window=1000), seeded=False),
    "River HAT": Entry(_adaptive_tree, seeded=False),
    "River ARF": Entry(_adaptive_forest, seeded=False),
    "MLHAT, fresh leaves": Entry(lambda seed: sl.MLHAT(seed=seed, leaf_start="fresh")),
    "MLHAT, tau=0.3": Entry(lambda seed: sl.MLHAT(seed=seed, tau=0.3)),
}
KINDS = {"splits": "split", "started": "alternate_started", "promoted": "alternate_promoted",
         "pruned": "alternate_pruned"}  # fmt: skip
BY_CARDINALITY = ("cardinality_f1", "cardinality_micro_f1", "cardinality_hamming_loss")
VALUES = ("rows", "f1", "f1_empty_1", "micro_f1", "seconds", *KINDS, *LOSSES, *BY_CARDINALITY)
WORDS = {"f1": "example-based F1, 0/0 = 0", "f1_empty_1": "example-based F1, 0/0 = 1", "micro_f1": "micro F1",
         "hamming_loss": "Hamming loss", "log_loss": "log loss", "brier_loss": "Brier score"}  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.mlhat_table", description=__doc__)
    arguments.add_argument("--out", type=Path, help="keep results in this CSV file, and do not run again what it holds")
    arguments.add_argument("--learners", nargs="+", choices=list(LEARNERS), default=list(LEARNERS))
    every = (*SETS, *FURTHER, *REORDERED)
    arguments.add_argument("--sets", nargs="*", choices=every, default=list(every))
    arguments.add_argument("--long", nargs="*", choices=LONG, default=list(LONG))
    arguments.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS))
    # as ``python -m benchmarks mlhat_table`` it takes the defaults
    choices = arguments.parse_args() if __name__ == "__main__" else arguments.parse_args([])
    results = Results(choices.out, ("stream", "learner", "seed"), VALUES)
    sets = [name for name in choices.sets if name in FURTHER or SHARED.is_dir()]
    for name in (*sets, *choices.long):
        for learner in choices.learners:
            for seed in choices.seeds if LEARNERS[learner].seeded else choices.seeds[:1]:
                if not results.holds(name, learner, seed):
                    results.add(measured(name, learner, seed))
    rows = [row for row in results.rows if row["learner"] in choices.learners]
    report([row for row in rows if row["stream"] in sets], sets, choices.learners)
    report_long([row for row in rows if row["stream"] in choices.long])


def opened(name: str) -> list[sl.Stream]:
    """The files of a published set, the training rows first."""
    files, labels, *_ = SETS[name]
    return [
        sl.load(SHARED / f"{file}.arff.gz", labels=SHARED / labels if isinstance(labels, str) else labels)
        for file in files
    ]


@lru_cache(maxsize=1)
def read(name: str) -> tuple[Schema, np.ndarray, np.ndarray]:
    """A data set as a whole, its training rows first."""
    if name.endswith(SHUFFLED):
        schema, X, Y = read(name.removesuffix(SHUFFLED))
        order = np.random.default_rng(0).permutation(len(X))
        return schema, X[order], Y[order]
    if name in SETS:
        streams = opened(name)
    else:
        name, _, seed = name.partition(" ")
        streams = [sl.load(name, seed=int(seed), n_rows=LONG_ROWS) if seed else sl.load(name)]
    chunks = [chunk for stream in streams for chunk in stream.chunks(1000)]
    X, Y = (np.concatenate([getattr(chunk, side) for chunk in chunks]) for side in "XY")
    return streams[0].schema, X, Y


def measured(
    name: str, learner: str, seed: int, model: Learner | None = None, *, n_rows: int | None = None, chunk: int = CHUNK
) -> dict[str, Any]:
    """One learner over one stream, prequentially: its measures, its CPU seconds and what happened to its tree.

    Parameters
    ----------
    name
        Of a set or a long stream.
    learner, seed
        A name of ``LEARNERS``, and the seed of it.
    model
        What is measured in its place, under that name.
    n_rows
        Only so many first rows; None: all.
    chunk
        Of ``model``: instances answered before any of them is learned, if it answers whole chunks.
    """
    schema, X, Y = read(name)
    X, Y = X[:n_rows], Y[:n_rows]
    size = chunk if model is not None else LEARNERS[learner].chunk
    model = (LEARNERS[learner].make(seed) if model is None else model).bind(schema)
    answers = []
    kinds: Counter[str] = Counter()
    begun = time.thread_time()
    for start in range(0, len(X), size):
        answers.append(model.test_then_train(X[start : start + size], Y[start : start + size]))
        kinds.update(event["kind"] for event in model.take_events())
    seconds = time.thread_time() - begun
    scores, labels = (np.concatenate(part) for part in zip(*answers, strict=True))
    row = {"stream": name, "learner": learner, "seed": seed, "rows": len(X), "seconds": seconds}
    row |= figures(Y, labels, scores, decides=hasattr(model, "decision"))
    return row | {name: kinds[kind] for name, kind in KINDS.items()}


def report(rows: list[dict[str, Any]], sets: Sequence[str], learners: Sequence[str]) -> None:
    """Tables of the sets: a line for each set and a column for each learner, a table for each measure."""
    columns = [c for c in learners if any(row["learner"] == c for row in rows)]
    groups = {
        (name, c): [r for r in rows if (r["stream"], r["learner"]) == (name, c)] for name in sets for c in columns
    }
    if OURS in columns:
        lines = []
        for name in sets:
            published, program = SETS[name][2:] if name in SETS else (None, None)
            ours = groups[name, OURS]
            reached = MISSING
            if published is not None and ours:
                reached = "yes" if mean(ours, "f1") >= published - TOLERANCE else "no"
            lines.append([
                name,
                f"{ours[0]['rows']:,.0f}" if ours else MISSING,
                *(MISSING if value is None else f"{value:.3f}" for value in (published, program)),
                figure(mean(ours, "f1")),
                f"{statistics.pstdev(row['f1'] for row in ours):.3f}" if ours else MISSING,
                *(figure(mean(groups.get((name, c), []), "splits"), 1) for c in (OURS, HEDGED)),
                reached,
            ])  # fmt: skip
        header = ("", "rows", "published", "program", OURS, "±", "splits", f"splits, {HEDGED}", "reached")
        print_table("MLHAT beside what is published: example-based F1 of the whole stream, 0/0 = 0", header, lines)
    for field, words in WORDS.items():
        lines = [[name, *(figure(mean(groups[name, c], field)) for c in columns)] for name in sets]
        print_table(f"{words}, of the whole stream", ("", *columns), lines)
    report_rules(groups)


def report_rules(groups: dict[tuple[str, str], list[dict[str, Any]]]) -> None:
    """A table of both decision rules: a line for each set and learner that has them."""
    fields = ("f1", "micro_f1", "hamming_loss")
    lines = [
        [name, learner, *(figure(mean(rows, f"{rule}{field}")) for field in fields for rule in ("", "cardinality_"))]
        for (name, learner), rows in groups.items()
        if not math.isnan(mean(rows, "cardinality_f1"))
    ]
    words = (f"{WORDS[field].partition(',')[0]}, {rule}" for field in fields for rule in ("half", "cardinality"))
    print_table("both decision rules", ("", "learner", *words), lines)


def report_long(rows: list[dict[str, Any]]) -> None:
    """A table of the long streams: a line for each stream and learner."""
    lines = []
    for stream, learner in dict.fromkeys((row["stream"], row["learner"]) for row in rows):
        of = [row for row in rows if (row["stream"], row["learner"]) == (stream, learner)]
        lines.append([
            stream,
            learner,
            str(len(of)),
            figure(mean(of, "f1")),
            f"{statistics.pstdev(row['f1'] for row in of):.3f}",
            *(figure(mean(of, field)) for field in ("cardinality_f1", "micro_f1", *LOSSES)),
            *(f"{mean(of, kind):.1f}" for kind in KINDS),
            f"{sum(row['rows'] for row in of) / max(1e-9, sum(row['seconds'] for row in of)):,.0f}",
        ])  # fmt: skip
    header = ("stream", "learner", "seeds", "example F1", "±", "by cardinality", "micro F1",
              *(WORDS[f] for f in LOSSES), *KINDS,
              "instances/s (CPU)")  # fmt: skip
    print_table(f"{LONG_ROWS:,} instances with structure and drift", header, lines)


if __name__ == "__main__":
    main()
