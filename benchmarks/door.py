"""What a learner's door costs: its checks, its lock and the holding back of interrupts, per call and per row.

``python -m benchmarks door [--learners ...] [--rows 1000] [--rounds 15] [--allowed PERCENT]``

Each verb runs over the same rows twice, once as it is and once as the bare methods behind the door, ``_learn`` and
``_predict``, which take what was checked before; in turns, each time with a learner of its own. The table gives the
medians of the processor time of this thread, and what the door adds to the bare methods: in microseconds for a call,
and in percent. ``--allowed`` makes the exit code 1 if it adds more than so many percent to a chunk of 100 rows or more.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import streamlab as sl
from benchmarks._learners import NESTED, made

__all__ = ["CHUNKS", "VERBS", "main", "measure"]

LEARNERS = ("SMART", "MLHAT", "BalancedKNN", "MLKNN", "FlatKNN", "HierarchicalKNN")
CHUNKS = (1, 100, 1000)
VERBS = ("learn_one", "predict_one", "learn_many", "predict_many")
N_FEATURES, N_LABELS = 20, 6
# rows learned before any is timed: ranges are known, and SMART is past its warm-up
BEFORE = 500

console = Console()


def rows(n: int, nested: bool, seed: int = 1) -> tuple[sl.Schema, np.ndarray, np.ndarray]:
    """Numeric features in [0, 1], and labels that hang on them; ``nested``: one of the others under the first."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, N_FEATURES))
    # the ranges are those of the first rows
    X[0], X[1] = 0.0, 1.0
    Y = (X[:, :N_LABELS] > 0.6).astype(np.uint8)
    schema = sl.Schema.anonymous(N_FEATURES, N_LABELS)
    if nested:
        Y[:] = 0
        Y[:, 0] = 1
        Y[np.arange(n), 1 + X[:, : N_LABELS - 1].argmax(axis=1)] = 1
        schema = sl.Schema(schema.features, schema.labels, sl.Hierarchy((-1,) + (0,) * (N_LABELS - 1)))
    return schema, X, Y


def calls(model: Any, verb: str, chunk: int, X: np.ndarray, Y: np.ndarray, bare: bool) -> list[Callable[[], Any]]:
    """The calls of a verb over all rows; ``bare``: of what is behind the door."""
    n = len(X)
    if verb.endswith("_one"):
        chunk = 1
    pieces = [slice(start, start + chunk) for start in range(0, n, chunk)]
    learns = verb.startswith("learn")
    if bare:
        missing = np.zeros(n, np.bool_)
        if learns:
            return [lambda p=p: model._learn(X[p], Y[p], missing[p]) for p in pieces]
        return [lambda p=p: model._predict(X[p], missing[p]) for p in pieces]
    if verb.endswith("_one"):
        names, labels = model.schema.feature_names, model.schema.labels
        x = [dict(zip(names, row, strict=True)) for row in X.tolist()]
        y = [dict(zip(labels, map(bool, row), strict=True)) for row in Y.tolist()]
        if learns:
            return [lambda a=a, b=b: model.learn_one(a, b) for a, b in zip(x, y, strict=True)]
        return [lambda a=a: model.predict_one(a) for a in x]
    if learns:
        return [lambda p=p: model.learn_many(X[p], Y[p]) for p in pieces]
    return [lambda p=p: model.predict_many(X[p]) for p in pieces]


def seconds(name: str, verb: str, chunk: int, n: int, bare: bool) -> float:
    """Processor time of this thread for a verb over ``n`` rows, by a learner that has learned some before."""
    schema, X, Y = rows(BEFORE + n, name in NESTED)
    model = made(name, small=False)
    model.bind(schema)
    model.learn_many(X[:BEFORE], Y[:BEFORE])
    model.predict_one(dict(zip(schema.feature_names, X[0].tolist(), strict=True)))
    todo = calls(model, verb, chunk, X[BEFORE:], Y[BEFORE:], bare)
    gc.collect()
    gc.disable()
    try:
        start = time.thread_time()
        for call in todo:
            call()
        return time.thread_time() - start
    finally:
        gc.enable()


def measure(name: str, verb: str, chunk: int, n: int, rounds: int) -> tuple[float, float]:
    """Median seconds over ``n`` rows as it is and of the bare methods, measured in turns."""
    times: dict[bool, list[float]] = {False: [], True: []}
    for i in range(rounds):
        for bare in (False, True) if i % 2 else (True, False):
            times[bare].append(seconds(name, verb, chunk, n, bare))
    return statistics.median(times[False]), statistics.median(times[True])


def main(options: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks door", description=__doc__.partition("\n")[0])
    parser.add_argument("--learners", nargs="*", default=LEARNERS)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--allowed", type=float, help="percent that may be added to a chunk of 100 rows or more")
    asked = parser.parse_args(options)
    table = Table(
        "learner", "verb", "rows a call", "µs a call", "bare, µs", "door, µs", "door, %",
        title=f"what the door adds, {asked.rows:,} rows of {N_FEATURES} features, medians of {asked.rounds} rounds",
    )  # fmt: skip
    worst = 0.0
    for name in asked.learners:
        for verb in VERBS:
            for chunk in CHUNKS if verb.endswith("many") else (1,):
                whole, bare = measure(name, verb, chunk, asked.rows, asked.rounds)
                n_calls = -(-asked.rows // chunk)
                percent = 100.0 * (whole / bare - 1.0)
                if chunk >= 100:
                    worst = max(worst, percent)
                times = (whole, bare, whole - bare)
                figures = [f"{1e6 * value / n_calls:,.1f}" for value in times]
                table.add_row(name, verb, str(chunk), *figures, f"{percent:+.1f}")
    console.print(table)
    console.print(f"most added to a chunk of 100 rows or more: {worst:+.1f} %")
    return int(asked.allowed is not None and worst > asked.allowed)


if __name__ == "__main__":
    raise SystemExit(main())
