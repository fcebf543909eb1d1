"""MLHAT and HedgedMLHAT beside published figures and River's learners: real sets, long streams, streams with drift."""

from __future__ import annotations

import csv
import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import streamlab as sl
from benchmarks.data import FURTHER, LONG, REORDERED, SETS, SHARED, missing, read
from benchmarks.harness import CHUNK, LOSSES, MISSING, Results, Sheet, asked, figure, figures, followed, mean, shown
from benchmarks.kept import DRIFT, keep, machine, versions
from benchmarks.peers import Neighbours
from streamlab.learners import Learner, NoChange, OnePerLabel

SEEDS = (1, 2, 3)


def _adaptive_tree(seed: int) -> Learner:
    from river.tree import HoeffdingAdaptiveTreeClassifier

    return OnePerLabel(HoeffdingAdaptiveTreeClassifier(seed=seed))


def _adaptive_forest(seed: int) -> Learner:
    from river.forest import ARFClassifier

    return OnePerLabel(ARFClassifier(seed=seed))


class Entry(NamedTuple):
    """A learner of the table by its seed, how many seeds are worth their while, and the rows it answers at a time."""

    make: Callable[[int], Learner]
    seeded: bool = True
    chunk: int = CHUNK


OURS, HEDGED = "MLHAT", "HedgedMLHAT"
LEARNERS: dict[str, Entry] = {
    OURS: Entry(lambda seed: sl.MLHAT(seed=seed)),
    "MLHAT, one leaf": Entry(lambda seed: sl.MLHAT(seed=seed, max_depth=0)),
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
Rows = list[dict[str, Any]]


def mlhat_table(options: Sequence[str]) -> None:
    """MLHAT and HedgedMLHAT beside published figures and River's learners, on real sets and long streams (hours)."""
    every = [*SETS, *FURTHER, *REORDERED]
    given = asked(
        "mlhat_table", options, out=None, learners=list(LEARNERS), sets=every, long=list(LONG), seeds=SEEDS
    )  # fmt: skip
    results = Results(given.out, ("stream", "learner", "seed"), VALUES)
    sets = [name for name in given.sets if name in FURTHER or not missing()]
    seeds = {name: given.seeds if LEARNERS[name].seeded else given.seeds[:1] for name in given.learners}
    streams = (*sets, *given.long)
    results.complete([(name, each, seed) for name in streams for each in seeds for seed in seeds[each]], measured)
    rows = [row for row in results.rows if row["learner"] in given.learners]
    report([row for row in rows if row["stream"] in sets], sets, given.learners)
    happened([row for row in rows if row["stream"] in (*sets, *given.long)])


def measured(name: str, learner: str, seed: int, *, n_rows: int | None = None) -> dict[str, Any]:
    """One learner over one set or long stream: its measures, CPU seconds, and what happened to its tree."""
    schema, X, Y = read(name)
    entry = LEARNERS[learner]
    found = followed(entry.make(seed), (schema, X[:n_rows], Y[:n_rows]), entry.chunk)
    row = {"stream": name, "learner": learner, "seed": seed, "rows": len(found.Y), "seconds": found.seconds}
    return row | found.figures() | {field: found.count(kind) for field, kind in KINDS.items()}


def report(rows: Rows, sets: Sequence[str], learners: Sequence[str]) -> None:
    """A table for each measure, a line for each set and a column for each learner; then both decision rules."""
    groups = grouped(rows)
    columns = [c for c in learners if any(learner == c for _, learner in groups)]
    for field, words in WORDS.items():
        head = ("published", "program") if field == "f1" else ()
        sheet = Sheet(f"{words}, of the whole stream", ("", *head, *columns))
        for name in sets:
            expected = map(shown, SETS[name][2:] if name in SETS else (None, None)) if head else ()
            sheet.add(name, *expected, *(mean(groups.get((name, c), []), field) for c in columns))
        sheet.show()
    fields = ("f1", "micro_f1", "hamming_loss")
    words = (f"{WORDS[field].partition(',')[0]}, {rule}" for field in fields for rule in ("half", "cardinality"))
    sheet = Sheet("both decision rules", ("", "learner", *words))
    for (name, learner), own in groups.items():
        if not math.isnan(mean(own, "cardinality_f1")):
            sheet.add(name, learner, *(mean(own, f"{rule}{f}") for f in fields for rule in ("", "cardinality_")))
    sheet.show()


def happened(rows: Rows) -> None:
    """A line for each stream and learner: its measures, spread over the seeds, its tree and its speed."""
    words = ("example F1", "±", "by cardinality", "micro F1", *(WORDS[field] for field in LOSSES))
    sheet = Sheet("by stream and learner", ("stream", "learner", "seeds", *words, *KINDS, "instances/s (CPU)"))
    for (stream, learner), of in grouped(rows).items():
        sheet.add(
            stream, learner, len(of), mean(of, "f1"), statistics.pstdev(row["f1"] for row in of),
            *(mean(of, field) for field in ("cardinality_f1", "micro_f1", *LOSSES)),
            *(figure(mean(of, kind), 1) for kind in KINDS),
            f"{sum(row['rows'] for row in of) / max(1e-9, sum(row['seconds'] for row in of)):,.0f}",
        )  # fmt: skip
    sheet.show()


def grouped(rows: Iterable[dict[str, Any]]) -> dict[tuple[str, str], Rows]:
    """The rows by stream and learner."""
    groups: dict[tuple[str, str], Rows] = {}
    for row in rows:
        groups.setdefault((row["stream"], row["learner"]), []).append(row)
    return groups


# ---------------------------------------------------------------------- twelve streams with known drift

BASES = {"tree": "Tree", "rbf": "RBF", "hp": "HP"}
CHANGES = {"sudden": "Sud", "gradual": "Grad", "incremental": "Inc", "recurrent": "Rec"}
DRIFTERS: dict[str, Callable[[int], Learner]] = {
    "Council": lambda seed: sl.Council(seed=seed),
    "SMART": lambda seed: sl.SMART(seed=seed),
    "SMART (static)": lambda seed: sl.SMART(half_life=math.inf, seed=seed),
    "MLBELS": lambda seed: sl.MLBELS(seed=seed),
    "ARkNN": lambda seed: sl.ARkNN(),
    **{name: LEARNERS[name].make for name in ("no-change", "MLHAT", "HedgedMLHAT", "River kNN", "River HAT")},
}
OTHERS = {name: LEARNERS[name].make for name in ("MLHAT, tau=0.3", "MLHAT, one leaf", "HedgedMLHAT, one leaf")}
"""Those that are run when they are named."""
PUBLISHED = {"River kNN": "KNN", "River HAT": "HAT", "MLHAT": "MLHAT", "MLHAT, tau=0.3": "MLHAT"}
ANSWERS = {"example_f1": 3, "cardinality_f1": 3, "micro_f1": 3, **dict.fromkeys(LOSSES, 4)}
NOTICED = {"detected": 2, "mean_time_to_detection": 0, "by_chance": 3, "false_alarms": 2, "affected": 2, "level": 3,
           "plateau": 3, "settled": 2, "settling_time": 0, "settling_loss": 0}  # fmt: skip
OF_NODES = {"splits": 1, "promotions": 1, "pruned": 1, "nodes_detected": 1, "nodes_after": 0, "nodes_false": 1,
            "nodes_alarmed": 1, "best_node_detected": 1}  # fmt: skip
"""Fields with their digits: answers; drifts noticed by ADWIN on the Hamming loss, and by the detectors of nodes."""
DRIFT_VALUES = (*ANSWERS, *NOTICED, *OF_NODES, "instances_per_second")


def drift(options: Sequence[str]) -> None:
    """Twelve streams with known drift: how well learners predict them, and who notices (hours with River's trees)."""
    every = {**DRIFTERS, **OTHERS}
    given = asked(
        "drift", options, out=None, learners=tuple(DRIFTERS), bases=list(BASES), seeds=SEEDS, rows=50_000, keep=False
    )  # fmt: skip
    if unknown := set(given.learners) - set(every):
        raise SystemExit(f"no learner {', '.join(sorted(unknown))}; expected some of {', '.join(every)}")
    names = [f"syn-{base}-{change}" for base in given.bases for change in CHANGES]
    results = Results(given.out, ("stream", "seed", "learner"), DRIFT_VALUES)
    keys = [(name, seed, learner) for learner in given.learners for name in names for seed in given.seeds]
    results.complete(keys, lambda name, seed, learner: drifted(name, seed, learner, every[learner](seed), given.rows))
    rows = [row for row in results.rows if row["learner"] in given.learners and row["stream"] in names]
    kinds = [row | {"stream": kind} for row in rows for kind in ("all", row["stream"].rpartition("-")[0])]
    published, fields = _published(), ANSWERS | NOTICED | OF_NODES
    if given.keep:
        about = {"seeds": 1, "versions": versions(), "machine": machine()}
        words = [published.get((row["stream"], row["learner"]), "") for row in rows]
        keep(pd.DataFrame(rows).astype({"seed": "Int64"}).assign(published=words, **about), DRIFT)
    for title, of in (("Means over the seeds", rows), ("Means over the streams", kinds)):
        sheet = Sheet(f"{title}; 3 drifts a stream", ("stream", "learner", "published F1", *fields, "instances/s"))
        for (stream, learner), group in sorted(grouped(of).items(), key=lambda pair: pair[0][0]):
            cells = (figure(mean(group, field), digits) for field, digits in fields.items())
            speed = f"{mean(group, 'instances_per_second'):,.0f}"
            sheet.add(stream, learner, published.get((stream, learner), MISSING), *cells, speed)
        sheet.show()


def drifted(name: str, seed: int, learner: str, model: Learner, n_rows: int) -> dict[str, Any]:
    """One learner over one stream: its measures, and how well the drifts were noticed by the watch on its errors."""
    stream = sl.load(name, seed=seed, n_rows=n_rows)
    answers = _recorded(model)
    result = sl.prequential(stream, {learner: model}, measures=("example_f1", "micro_f1", *LOSSES))
    Y, scores, labels = (np.concatenate(part) for part in zip(*answers, strict=True))
    sources = result.detection.set_index("source")
    kinds = result.events.kind.value_counts()
    own = sources.loc["own detectors"] if "own detectors" in sources.index else {}
    nodes = result.run.detection(by="node")
    return {
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


def _published() -> dict[tuple[str, str], str]:
    """The MLHAT authors' example-based F1 on their streams of the same kind, where the file is there."""
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
