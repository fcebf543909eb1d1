"""Twelve streams with known drift: how well learners predict them, and who notices (hours with River's trees)."""

from __future__ import annotations

import argparse
import csv
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import streamlab as sl
from benchmarks._data import SHARED
from benchmarks._neighbours import Neighbours
from benchmarks._results import LOSSES, Results, figure, figures, mean, print_table
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
    "HedgedMLHAT": lambda seed: sl.HedgedMLHAT(seed=seed),
    "HedgedMLHAT, one leaf": lambda seed: sl.HedgedMLHAT(max_depth=0, seed=seed),
}
DEFAULT = ("SMART", "SMART (static)", "no-change", "MLHAT", "HedgedMLHAT", "River kNN", "River HAT")
TREES = ("MLHAT", "MLHAT, tau=0.3", "HedgedMLHAT")
PUBLISHED = {"River kNN": "KNN", "River HAT": "HAT", **dict.fromkeys(("MLHAT", "MLHAT, tau=0.3"), "MLHAT")}
KEY = ("stream", "seed", "learner")
VALUES = ("example_f1", "micro_f1", "detected", "missed", "mean_time_to_detection",
          "false_alarms", "recovered", "recovery_time", "promotions", "instances_per_second", "splits", "pruned",
          "nodes_detected", "nodes_after", "nodes_false", "nodes_alarmed", "best_node_detected",
          *LOSSES, "cardinality_f1", "cardinality_micro_f1", "cardinality_hamming_loss")  # fmt: skip


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
    measures = ("example_f1", "micro_f1", *LOSSES)
    model = LEARNERS[learner](seed)
    answers = _recorded(model)
    result = sl.prequential(stream, {learner: model}, measures=measures)
    Y, scores, labels = (np.concatenate(part) for part in zip(*answers, strict=True))
    sources = result.detection.set_index("source")
    kinds = result.events.kind.value_counts()
    own = sources.loc["own detectors"] if "own detectors" in sources.index else {}
    nodes = result.run.detection(by="node")
    values = {
        **result.summary.loc[learner].to_dict(),
        **sources.loc["errors"].to_dict(),
        **figures(Y, labels, scores, decides=hasattr(model, "decision")),
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


def _recorded(model: Any) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """A list that gets what is true, the scores and the labels of each chunk that the model tests and trains on."""
    answers = []
    test_then_train = model.test_then_train

    def recording(X: np.ndarray, Y: np.ndarray, **options: Any) -> tuple[np.ndarray, np.ndarray]:
        scores, labels = test_then_train(X, Y, **options)
        answers.append((np.array(Y), np.array(scores), np.array(labels)))
        return scores, labels

    model.test_then_train = recording
    return answers


def report_nodes(rows: list[dict[str, Any]]) -> None:
    """What the detectors of a tree's nodes noticed, all of them together and the best of them alone."""
    if not rows:
        return
    fields = {"splits": 1, "promotions": 1, "pruned": 1, "nodes_detected": 1, "nodes_after": 0, "nodes_false": 1,
              "nodes_alarmed": 1, "best_node_detected": 1}  # fmt: skip
    header = ("stream", "learner", "splits", "promoted", "pruned", "noticed by any node", "after", "false alarms",
              "nodes that raised one", "noticed by the best node")  # fmt: skip
    lines = [
        (stream, learner, *(figure(mean(group, field), digits) for field, digits in fields.items()))
        for (stream, learner), group in _groups(rows).items()
    ]
    print_table("Drifts noticed by the detectors of the tree's nodes, 3 a stream; means over the seeds", header, lines)


def report(rows: list[dict[str, Any]]) -> None:
    """Means over the seeds; example-based F1 beside what was published for the same kind of stream."""
    published = _published()
    answers = {"example_f1": 3, "cardinality_f1": 3, "micro_f1": 3, **dict.fromkeys(LOSSES, 4)}
    words = ("example F1", "by cardinality", "micro F1", "Hamming loss", "log loss", "Brier score")
    noticed = {"detected": 2, "mean_time_to_detection": 0, "false_alarms": 2, "recovered": 2, "recovery_time": 0,
               "promotions": 1}  # fmt: skip
    lines = [
        (
            stream,
            learner,
            str(len(group)),
            *(figure(mean(group, field), digits) for field, digits in answers.items()),
            published.get((stream, learner), ""),
            *(figure(mean(group, field), digits) for field, digits in noticed.items()),
            figure(mean(group, "instances_per_second"), 0),
        )
        for (stream, learner), group in _groups(rows).items()
    ]
    header = ("stream", "learner", "seeds", *words, "published F1", "noticed", "after", "false alarms", "recovered",
              "after", "promotions", "instances/s")  # fmt: skip
    print_table("Means over the seeds; drifts noticed by ADWIN on the Hamming loss, 3 a stream", header, lines)
    kinds: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for (stream, learner), group in _groups(rows).items():
        kinds.setdefault(("all", learner), []).extend(group)
        kinds.setdefault((stream.rpartition("-")[0], learner), []).extend(group)
    lines = [
        (kind, learner, *(figure(mean(group, field), digits) for field, digits in (answers | noticed).items()))
        for (kind, learner), group in sorted(kinds.items(), key=lambda pair: pair[0][0])
    ]
    print_table("Means over the streams", ("streams", "learner", *words, *header[10:-1]), lines)


def _groups(rows: list[dict[str, Any]]) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The rows by stream and learner, in the order of streams."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in sorted(rows, key=lambda row: row["stream"]):
        groups.setdefault((row["stream"], row["learner"]), []).append(row)
    return groups


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
