"""MLHAT: F1 on real data beside published figures, speed beside the authors' program, tree against one leaf."""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter
from collections.abc import Iterable

import numpy as np
from rich.console import Console
from rich.table import Table

import streamlab as sl
from benchmarks._data import SHARED
from streamlab.schema import Schema

CHUNK = 100
SEEDS = (1, 2, 3, 4, 5)
# name: (files, labels where a file does not say so itself, published F1, the program's F1 as measured; rows without
# labels that are predicted without labels count 0, but for birds, whose published figure counts them 1)
SETS = {
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
TOLERANCE = 0.02
# instances per CPU second of the authors' program (River 0.26.1; only non-zero features for tmc and 20ng), and the
# ratio aimed at
PROGRAM = {"yeast": (194, 300), "scene": (149, 300), "emotions": (438, 150), "tmc": (131, 100), "20ng": (70, 100)}
LONG = ("syn-regions", "syn-tree-sudden", "syn-hp-recurrent", "syn-rbf-gradual")
# what the tree is asked with: the defaults, a tie break that lets it split within the stream, one leaf
TREES = {"defaults": {}, "tau=0.3": {"tau": 0.3}, "one leaf": {"max_depth": 0}}

console = Console(width=120)
Data = tuple[Schema, np.ndarray, np.ndarray]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mlhat", description=__doc__)
    parser.add_argument("--sets", nargs="*", choices=list(SETS), default=list(QUICK), help="data sets for the F1")
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS))
    parser.add_argument("--leaf-start", nargs="+", choices=("fresh", "inherit"), default=["inherit"])
    parser.add_argument("--speed", nargs="*", choices=list(PROGRAM), default=list(PROGRAM))
    parser.add_argument("--speed-rows", type=int, default=6_000, help="rows at most, from the beginning")
    parser.add_argument("--long", nargs="*", default=list(LONG[:2]), help="generated streams that drift")
    parser.add_argument("--long-rows", type=int, default=100_000)
    # as ``python -m benchmarks mlhat`` it takes the defaults
    choices = parser.parse_args() if __name__ == "__main__" else parser.parse_args([])
    sl.MLHAT.prepare()
    if not SHARED.is_dir():
        console.print(f"the real data are not there ({SHARED}); only generated streams are run")
    else:
        if choices.sets:
            show_quality(choices.sets, choices.seeds, choices.leaf_start)
        if choices.speed:
            show_speed(choices.speed, choices.speed_rows)
            show_stalls(choices.speed_rows)
    if choices.long:
        show_long(choices.long, choices.long_rows)


def read(name: str) -> Data:
    """A data set as a whole, its training rows first."""
    files, labels, *_ = SETS[name]
    if isinstance(labels, str):
        labels = SHARED / labels
    streams = [sl.load(SHARED / f"{file}.arff.gz", labels=labels) for file in files]
    chunks = [chunk for stream in streams for chunk in stream.chunks(1000)]
    return streams[0].schema, *(np.concatenate([getattr(chunk, side) for chunk in chunks]) for side in "XY")


def generated(name: str, n_rows: int) -> Data:
    stream = sl.load(name, seed=1, n_rows=n_rows)
    chunks = list(stream.chunks(1000))
    return stream.schema, *(np.concatenate([getattr(chunk, side) for chunk in chunks]) for side in "XY")


def follow(model, data: Data, size: int = CHUNK) -> tuple[np.ndarray, np.ndarray, float]:
    """Labels predicted, CPU seconds of each chunk, and of all."""
    schema, X, Y = data
    model.bind(schema)
    labels, seconds = [], []
    for start in range(0, len(X), size):
        begun = time.thread_time()
        labels.append(model.test_then_train(X[start : start + size], Y[start : start + size])[1])
        seconds.append(time.thread_time() - begun)
    return np.concatenate(labels), np.array(seconds), float(np.sum(seconds))


def example_f1(Y: np.ndarray, labels: np.ndarray, empty: float = 0.0) -> float:
    """Mean F1 of the rows; ``empty`` is what a row counts that has no label and is predicted none."""
    either = Y.sum(axis=1, dtype=np.int64) + labels.sum(axis=1, dtype=np.int64)
    return float(np.where(either > 0, 2 * (Y & labels).sum(axis=1) / np.maximum(either, 1), empty).mean())


def no_change(Y: np.ndarray) -> np.ndarray:
    return np.concatenate([np.zeros_like(Y[:1]), Y[:-1]])


def show_quality(names: Iterable[str], seeds: list[int], starts: list[str]) -> None:
    table = Table("", "rows", *starts, "±", "splits", "published", "program", "no-change", "0/0 = 1", "reached")
    table.title = f"example-based F1 of the whole stream, mean of {len(seeds)} seeds"
    for name in names:
        data = read(name)
        Y = data[2]
        published, program = SETS[name][2:]
        empty = 1.0 if name == "birds" else 0.0
        scores: dict[str, list[float]] = {}
        other, splits = [], []
        for start in starts:
            scores[start] = []
            for seed in seeds:
                model = sl.MLHAT(seed=seed, leaf_start=start)
                labels, *_ = follow(model, data)
                scores[start].append(example_f1(Y, labels, empty))
                if start == starts[0]:
                    other.append(example_f1(Y, labels, 1.0))
                    splits.append(Counter(e["kind"] for e in model.take_events())["split"])
        means = [statistics.mean(scores[start]) for start in starts]
        table.add_row(
            name,
            f"{len(Y):,}",
            *(f"{mean:.3f}" for mean in means),
            f"{np.std(scores[starts[0]]):.3f}",
            f"{np.mean(splits):.1f}",
            f"{published:.3f}",
            "" if program is None else f"{program:.3f}",
            f"{example_f1(Y, no_change(Y), empty):.3f}",
            f"{np.mean(other):.3f}",
            "yes" if means[0] >= published - TOLERANCE else "no",
        )
    console.print(table)


def show_speed(names: Iterable[str], n_rows: int) -> None:
    table = Table(
        "", "rows", "instances/s", "the program", "ratio", "aimed at", title=f"CPU, chunks of {CHUNK}, best of 5"
    )
    for name in names:
        schema, X, Y = read(name)
        data = schema, X[:n_rows], Y[:n_rows]
        seconds = min(follow(sl.MLHAT(seed=1), data)[2] for _ in range(5))
        rate, (program, aim) = len(data[1]) / seconds, PROGRAM[name]
        table.add_row(name, f"{len(data[1]):,}", f"{rate:,.0f}", f"{program}", f"{rate / program:,.0f}", f"{aim}")
    console.print(table)


def show_stalls(n_rows: int) -> None:
    """The slowest instance of 20NG-F: the least of three runs, instance by instance, as other work disturbs any."""
    schema, X, Y = read("20ng")
    data = schema, X[:n_rows], Y[:n_rows]
    tens = min(float(np.median(follow(sl.MLHAT(seed=1), data, 10)[1])) for _ in range(3))
    ones = np.min([follow(sl.MLHAT(seed=1), data, 1)[1] for _ in range(3)], axis=0)
    console.print(
        f"20ng: the slowest instance takes {ones.max() * 1e3:.2f} ms, {ones.max() / tens:.1f} times the median chunk "
        f"of 10 ({tens * 1e3:.2f} ms); aimed at: under 20 times"
    )


def show_long(names: Iterable[str], n_rows: int) -> None:
    table = Table("", "learner", "F1", "instances/s", "splits", "started", "promoted", "pruned", "nodes")
    table.title = f"long streams that drift, {n_rows:,} rows"
    for name in names:
        data = generated(name, n_rows)
        table.add_row(name, "no-change", f"{example_f1(data[2], no_change(data[2])):.3f}")
        for words, parameters in TREES.items():
            model = sl.MLHAT(seed=1, **parameters)
            labels, _, seconds = follow(model, data)
            kinds = Counter(e["kind"] for e in model.take_events())
            table.add_row(
                name,
                words,
                f"{example_f1(data[2], labels):.3f}",
                f"{n_rows / seconds:,.0f}",
                *(str(kinds[k]) for k in ("split", "alternate_started", "alternate_promoted", "alternate_pruned")),
                str(len(model.node_columns()["id"])),
            )
    console.print(table)


if __name__ == "__main__":
    main()
