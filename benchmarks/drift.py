"""Twelve streams with known drift: how well five learners predict them, and who notices (about two hours)."""

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
}
PUBLISHED = {"River kNN": "KNN", "River HAT": "HAT"}
FIELDS = ("stream", "seed", "learner", "example_f1", "micro_f1", "detected", "missed", "mean_time_to_detection",
          "false_alarms", "recovered", "recovery_time", "promotions", "instances_per_second")  # fmt: skip


def main() -> None:
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.drift", description=__doc__)
    arguments.add_argument("--out", type=Path, help="keep results in this CSV file, and do not run again what it holds")
    arguments.add_argument("--learners", nargs="+", choices=list(LEARNERS), default=list(LEARNERS))
    arguments.add_argument("--bases", nargs="+", choices=list(BASES), default=list(BASES))
    arguments.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS))
    arguments.add_argument("--rows", type=int, default=50_000, help="length of the streams")
    # as ``python -m benchmarks drift`` it takes the defaults
    choices = arguments.parse_args() if __name__ == "__main__" else arguments.parse_args([])
    names = [f"syn-{base}-{change}" for base in choices.bases for change in CHANGES]
    rows = _held(choices.out)
    for learner in choices.learners:
        for name in names:
            for seed in choices.seeds:
                if not any((r["stream"], r["seed"], r["learner"]) == (name, seed, learner) for r in rows):
                    row = measured(name, seed, learner, choices.rows)
                    rows.append(row)
                    _keep(choices.out, row)
    report([row for row in rows if row["learner"] in choices.learners and row["stream"] in names])


def measured(name: str, seed: int, learner: str, n_rows: int) -> dict[str, Any]:
    """One learner over one stream: its measures, and how well the drifts were noticed by the watch on its errors."""
    stream = sl.load(name, seed=seed, n_rows=n_rows)
    result = sl.prequential(stream, {learner: LEARNERS[learner](seed)}, measures=["example_f1", "micro_f1"])
    found = result.detection.set_index("source").loc["errors"]
    promotions = result.events.kind.eq("alternate_promoted").sum()
    summary = result.summary.loc[learner]
    values = {**summary.to_dict(), **found.to_dict(), "promotions": int(promotions)}
    return {"stream": name, "seed": seed, "learner": learner, **{k: values[k] for k in FIELDS[3:]}}


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

        def mean(field: str, group: list[dict[str, Any]] = group) -> float:
            values = [row[field] for row in group if row[field] == row[field]]
            return statistics.fmean(values) if values else math.nan

        table.add_row(
            stream,
            learner,
            str(len(group)),
            f"{mean('example_f1'):.3f}",
            published.get((stream, learner), ""),
            f"{mean('micro_f1'):.3f}",
            f"{mean('detected'):.2f}",
            f"{mean('mean_time_to_detection'):,.0f}",
            f"{mean('false_alarms'):.2f}",
            f"{mean('recovered'):.2f}",
            f"{mean('recovery_time'):,.0f}",
            f"{mean('promotions'):.1f}",
            f"{mean('instances_per_second'):,.0f}",
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


def _held(path: Path | None) -> list[dict[str, Any]]:
    if path is None or not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [
            {k: v if k in ("stream", "learner") else int(v) if k == "seed" else float(v) for k, v in row.items()}
            for row in csv.DictReader(file)
        ]


def _keep(path: Path | None, row: dict[str, Any]) -> None:
    if path is None:
        return
    new = not path.exists()
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, FIELDS)
        if new:
            writer.writeheader()
        writer.writerow(row)


if __name__ == "__main__":
    main()
