"""ML-BELS beside what was measured with its program: F1 with and without the first chunk, speed, memory (6 minutes)."""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import streamlab as sl
from benchmarks._data import SHARED
from benchmarks.mlhat_table import read
from streamlab.learners.base._one_thread import one_thread

CHUNK = 50
FIRST = 3000
SEEDS = (0, 1, 2)
# learners: set: F1 of the program over all rows, without the first chunk (None: not measured), its rows a CPU second
PROGRAM: dict[int, dict[str, tuple[str | None, str | None, int | None]]] = {
    3: {
        "emotions": (None, None, None),
        "yeast": (".597", ".614", 2200),
        "scene": (None, None, None),
        "water quality": (None, None, None),
        "medical": (".618", ".671", None),
        "enron": (".507", ".523", 650),
        "slashdot": (".398", ".407", None),
        "20ng": (".371", ".377", None),
        "tmc": (".600", ".610", 1600),
    },
    100: {
        "emotions": (".468–.486", ".555–.576", None),
        "yeast": (".590", ".607", 900),
        "scene": (".719", ".737", None),
        "water quality": (".425", ".452", None),
        "medical": (".621", ".675", None),
        "enron": (".502", ".518", 310),
    },
}
SHORT = ("20ng", "tmc")
"""Sets of which the first rows alone were measured."""
PLAIN = ("yeast", "enron", "tmc")

console = Console()


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mlbels", description=__doc__)
    parser.add_argument("--sets", nargs="+", choices=list(PROGRAM[3]), default=list(PROGRAM[3]))
    parser.add_argument("--learners", nargs="+", type=int, choices=list(PROGRAM), default=list(PROGRAM))
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS))
    options = parser.parse_args([] if arguments is None else arguments)
    if not SHARED.is_dir():
        console.print("the shared data folder is absent: there is nothing to compare with")
        return
    console.width = max(console.width, 150)
    sl.MLBELS.prepare()
    for most in options.learners:
        heads = ("set", "F1, all rows", "program", "without the first chunk", "program", "rows/s", "program", "MB")
        table = Table(*heads, title=f"up to {most} learners, seeds {options.seeds}, chunks of {CHUNK}")
        for name in options.sets:
            if name in PROGRAM[most]:
                table.add_row(*row_of(name, most, options.seeds))
        console.print(table)
    speed([name for name in PLAIN if name in options.sets])


def rows_of(name: str) -> tuple[Any, np.ndarray, np.ndarray]:
    schema, X, Y = read(name)
    return (schema, X[:FIRST], Y[:FIRST]) if name in SHORT else (schema, X, Y)


def row_of(name: str, most: int, seeds: list[int]) -> list[str]:
    """Return a row of the table."""
    schema, X, Y = rows_of(name)
    runs = [measured(sl.MLBELS(max_learners=most, seed=seed).bind(schema), X, Y) for seed in seeds]
    whole, rest, speed, held = ([run[i] for run in runs] for i in range(4))
    told = [shown(part) if part is not None else "–" for part in PROGRAM[most][name]]
    return [
        name, _spread(whole), told[0], _spread(rest), told[1], f"{statistics.median(speed):,.0f}", told[2],
        f"{max(held) / 1e6:.1f}",
    ]  # fmt: skip


def shown(part: str | int) -> str:
    return part if isinstance(part, str) else f"{part:,}"


def _spread(values: list[float]) -> str:
    return f"{statistics.mean(values):.3f} ({min(values):.3f}–{max(values):.3f})"


def measured(model: sl.MLBELS, X: np.ndarray, Y: np.ndarray) -> tuple[float, float, float, int]:
    """Return example F1 over all rows and without the first chunk, rows a CPU second, and bytes held at the end."""
    scores, seconds = [], 0.0
    for start in range(0, len(X), CHUNK):
        x, y = X[start : start + CHUNK], Y[start : start + CHUNK]
        begun = time.process_time()
        chosen = model.test_then_train(x, y)[1]
        seconds += time.process_time() - begun
        sums = chosen.sum(axis=1, dtype=int) + y.sum(axis=1, dtype=int)
        scores.append(2.0 * (chosen & y).sum(axis=1) / np.maximum(sums, 1))
    f1 = np.concatenate(scores)
    return float(f1.mean()), float(f1[CHUNK:].mean()), len(X) / seconds, model.n_bytes


# ---------------------------------------------------------------------- the same arithmetic, plainly


def speed(names: list[str]) -> None:
    """Print rows a CPU second beside the same arithmetic with numpy, label by label, in one run."""
    table = Table("set", "MLBELS, 3 learners", "numpy, learner by learner", "ratio", title="rows a CPU second")
    for name in names:
        schema, X, Y = rows_of(name)
        ours, plain = [], []
        for _ in range(3):
            ours.append(measured(sl.MLBELS(seed=0).bind(schema), X, Y)[2])
            plain.append(_plain_speed(X, Y))
        fast, slow = statistics.median(ours), statistics.median(plain)
        table.add_row(name, f"{fast:,.0f}", f"{slow:,.0f}", f"{fast / slow:.1f}")
    console.print(table)


def _plain_speed(X: np.ndarray, Y: np.ndarray, most: int = 3, chunks: int = 20) -> float:
    """Return the rows a CPU second of numpy doing what three learners of each label need, over the first chunks.

    Features and regressions by whole matrices; nobody is started, evaluated or removed: it does less than ML-BELS.
    """
    rng = np.random.default_rng(0)
    n_windows, size = 25, 3
    nodes, n_labels = n_windows * size, Y.shape[1]
    R = 2 * rng.standard_normal((n_windows, X.shape[1] + 1, size)) - 1
    P, S = np.zeros((n_windows, size, size)), np.zeros((n_windows, size, X.shape[1] + 1))
    basis = rng.standard_normal((nodes + 1, 1))
    grams, moments = np.zeros((n_labels, most, nodes + 1, nodes + 1)), np.zeros((n_labels, most, nodes + 1, 2))
    weights = np.zeros((n_labels, most, nodes + 1, 2))
    ridge, begun, done = 2.0**-30 * np.eye(nodes + 1), time.process_time(), 0
    with one_thread():
        for start in range(0, min(len(X), chunks * CHUNK) - CHUNK + 1, CHUNK):
            x, y = X[start : start + CHUNK], Y[start : start + CHUNK]
            deviation = x.std(axis=1, keepdims=True)
            H = (x - x.mean(axis=1, keepdims=True)) / np.where(deviation > 0, deviation, 1)
            H = np.column_stack([H, np.full(len(x), 0.1)])
            T = np.empty((len(x), nodes))
            for w in range(n_windows):
                A = H @ R[w]
                A = 2 * (A - A.min(axis=0)) / np.ptp(A, axis=0) - 1
                P[w] += A.T @ A
                S[w] += A.T @ H
                L = np.linalg.inv(P[w] + np.eye(size))
                c = L @ S[w]
                T[:, w * size : (w + 1) * size] = H @ (c + L @ c).T
            Z = (T - T.min(axis=0)) / np.maximum(np.ptp(T, axis=0), 1e-12)
            Z = np.column_stack([Z, np.tanh(0.8 * (np.column_stack([Z, np.full(len(x), 0.1)]) @ basis))])
            for label in range(n_labels):
                targets = np.column_stack([1 - y[:, label], y[:, label]])
                for k in range(most):
                    Z @ weights[label, k]
                    grams[label, k] += Z.T @ Z
                    moments[label, k] += Z.T @ targets
                    weights[label, k] = np.linalg.inv(grams[label, k] + ridge) @ moments[label, k]
            done += len(x)
    return done / (time.process_time() - begun)


if __name__ == "__main__":
    main(sys.argv[1:])
