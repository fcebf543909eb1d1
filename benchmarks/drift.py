"""Twelve streams with known drift: how well learners predict them, and who notices (about three hours)."""

from __future__ import annotations

import argparse
import csv
import math
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

import streamlab as sl
from benchmarks._data import SHARED
from benchmarks._neighbours import Neighbours
from benchmarks._results import Results
from streamlab.learners import Learner, NoChange, OnePerLabel

BASES = {"tree": "Tree", "rbf": "RBF", "hp": "HP"}
CHANGES = {"sudden": "Sud", "gradual": "Grad", "incremental": "Inc", "recurrent": "Rec"}
SEEDS = (1, 2, 3)
KNN_WINDOW = 1000
"""As many instances as River's default engine (SWINN) keeps; searched exactly."""


def _adaptive_tree(seed: int) -> Learner:
    from river.tree import HoeffdingAdaptiveTreeClassifier

    return OnePerLabel(HoeffdingAdaptiveTreeClassifier(seed=seed))


LEARNERS: dict[str, Callable[[int], Learner]] = {
    "SMART": lambda seed: sl.SMART(seed=seed),
    "SMART (static)": lambda seed: sl.SMART(half_life=math.inf, seed=seed),
    "no-change": lambda seed: NoChange(),
    "River kNN": lambda seed: Neighbours(window=KNN_WINDOW),
    "River HAT": _adaptive_tree,
    "MLHAT": lambda seed: sl.MLHAT(seed=seed),
    "MLHAT, tau=0.3": lambda seed: sl.MLHAT(tau=0.3, seed=seed),
    "MLHAT, one leaf": lambda seed: sl.MLHAT(max_depth=0, seed=seed),
}
DEFAULT = ("SMART", "SMART (static)", "no-change", "River kNN", "River HAT")
TREES = ("MLHAT", "MLHAT, tau=0.3")
PUBLISHED = {"River kNN": "KNN", "River HAT": "HAT", **dict.fromkeys(TREES, "MLHAT")}
KEY = ("stream", "seed", "learner")
VALUES = ("example_f1", "micro_f1", "detected", "missed", "mean_time_to_detection",
          "false_alarms", "recovered", "recovery_time", "promotions", "instances_per_second", "splits", "pruned",
          "nodes_detected", "nodes_after", "nodes_false", "nodes_alarmed", "best_node_detected")  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.drift", description=__doc__)
    arguments.add_argument("--out", type=Path, help="keep results in this CSV file, and do not run again what it holds")
    arguments.add_argument("--learners", nargs="+", choices=list(LEARNERS), default=list(DEFAULT))
    arguments.add_argument("--bases", nargs="+", choices=list(BASES), default=list(BASES))
    arguments.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS))
    arguments.add_argument("--rows", type=int, default=50_000, help="length of the streams")
    # as ``python -m benchmarks drift`` it takes the defaults
    choices = arguments.parse_args() if __name__ == "__main__" else arguments.parse_args([])
    names = [f"syn-{base}-{change}" for base in choices.bases for change in CHANGES]
    results = Results(choices.out, KEY, VALUES)
    for learner in choices.learners:
        for name in names:
            for seed in choices.seeds:
                if not results.holds(name, seed, learner):
                    results.add(measured(name, seed, learner, choices.rows))
    rows = [row for row in results.rows if row["learner"] in choices.learners and row["stream"] in names]
    report(rows)
    report_nodes([row for row in rows if row["learner"] in TREES])


def measured(name: str, seed: int, learner: str, n_rows: int) -> dict[str, Any]:
    """One learner over one stream: its measures, and how well the drifts were noticed by the watch on its errors."""
    stream = sl.load(name, seed=seed, n_rows=n_rows)
    result = sl.prequential(stream, {learner: LEARNERS[learner](seed)}, measures=["example_f1", "micro_f1"])
    sources = result.detection.set_index("source")
    kinds = result.events.kind.value_counts()
    own = sources.loc["own detectors"] if "own detectors" in sources.index else {}
    nodes = result.run.detection(by="node")
    values = {
        **result.summary.loc[learner].to_dict(),
        **sources.loc["errors"].to_dict(),
        "promotions": int(kinds.get("alternate_promoted", 0)),
        "pruned": int(kinds.get("alternate_pruned", 0)),
        "splits": int(kinds.get("split", 0)),
        "nodes_detected": own.get("detected", 0),
        "nodes_after": own.get("mean_time_to_detection", math.nan),
        "nodes_false": own.get("false_alarms", 0),
        "nodes_alarmed": len(nodes),
        "best_node_detected": nodes["detected"].max() if len(nodes) else 0,
    }
    return {"stream": name, "seed": seed, "learner": learner, **{k: values[k] for k in VALUES}}


def mean(rows: list[dict[str, Any]], field: str) -> float:
    values = [row[field] for row in rows if row[field] == row[field]]
    return statistics.fmean(values) if values else math.nan


def report_nodes(rows: list[dict[str, Any]]) -> None:
    """What the detectors of a tree's nodes noticed, all of them together and the best of them alone."""
    if not rows:
        return
    table = Table("stream", "learner", "splits", "promoted", "pruned", "noticed by any node", "after (instances)",
                  "false alarms", "nodes that raised one", "noticed by the best node")  # fmt: skip
    table.title = "drifts noticed by the detectors of the tree's nodes, 3 a stream; means over the seeds"
    for stream, learner in dict.fromkeys((row["stream"], row["learner"]) for row in rows):
        group = [row for row in rows if (row["stream"], row["learner"]) == (stream, learner)]
        fields = ("splits", "promotions", "pruned", "nodes_detected", "nodes_after", "nodes_false", "nodes_alarmed",
                  "best_node_detected")  # fmt: skip
        values = (mean(group, field) for field in fields)
        table.add_row(stream, learner, *("" if math.isnan(value) else f"{value:,.1f}" for value in values))
    Console(width=max(150, Console().width)).print(table)


def report(rows: list[dict[str, Any]]) -> None:
    """Means over the seeds; example-based F1 beside what was published for the same kind of stream."""
    console = Console(width=max(170, Console().width))
    published = _published()
    table = Table(title="means over the seeds; drifts noticed by ADWIN on the Hamming loss, 3 a stream")
    for title in ("stream", "learner", "seeds", "example F1", "published", "micro F1", "noticed", "after (instances)",
                  "false alarms", "recovered", "after (instances)", "promotions", "instances/s"):  # fmt: skip
        table.add_column(title, justify="left" if title in ("stream", "learner") else "right")
    keys = dict.fromkeys((row["stream"], row["learner"]) for row in sorted(rows, key=lambda row: row["stream"]))
    for stream, learner in keys:
        group = [row for row in rows if (row["stream"], row["learner"]) == (stream, learner)]

        table.add_row(
            stream,
            learner,
            str(len(group)),
            f"{mean(group, 'example_f1'):.3f}",
            published.get((stream, learner), ""),
            f"{mean(group, 'micro_f1'):.3f}",
            f"{mean(group, 'detected'):.2f}",
            f"{mean(group, 'mean_time_to_detection'):,.0f}",
            f"{mean(group, 'false_alarms'):.2f}",
            f"{mean(group, 'recovered'):.2f}",
            f"{mean(group, 'recovery_time'):,.0f}",
            f"{mean(group, 'promotions'):.1f}",
            f"{mean(group, 'instances_per_second'):,.0f}",
        )
    console.print(table)


def _published() -> dict[tuple[str, str], str]:
    """The MLHAT authors' example-based F1 of kNN and HAT on their streams of the same kind, where the file is there."""
    path = SHARED.parent / "reference" / "mlhat-published" / "example_f1.csv"
    if not path.exists():
        return {}
    with path.open(newline="", encoding="utf-8") as file:
        table = {row["Dataset"]: row for row in csv.DictReader(file)}
    return {
        (f"syn-{base}-{change}", learner): f"{float(table[f'Syn{Base}{Change}'][column]):.3f}"
        for base, Base in BASES.items()
        for change, Change in CHANGES.items()
        for learner, column in PUBLISHED.items()
    }


if __name__ == "__main__":
    main()
