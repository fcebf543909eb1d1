"""The study: every learner, and River's with the parameters of MLHAT's study, on the real sets; table, ranks, diagram.

``python -m benchmarks study [--results FOLDER] [--workers 2] [--only compiled|river] [--sets …] [--measure …]``

Twelve streams of the shared data folder, whole; River's slow learners on the first 3,000 rows of each (their names say
so). Three seeds. Row by row, 0/0 = 0, example F1 and others over all rows. It goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

import streamlab as sl
from benchmarks._data import SHARED
from benchmarks._results import print_table

__all__ = ["main", "study"]

FIRST = 3000
SETS: dict[str, dict[str, Any]] = {
    "flags": {"use": "flags.arff.gz", "labels": "flags.xml"},
    "water quality": {"use": "Water-quality.arff.gz", "labels": 14},
    "emotions": {"use": "emotions.arff.gz", "labels": "emotions.xml"},
    "birds": {"files": ["birds-train.arff.gz", "birds-test.arff.gz"], "labels": "birds.xml"},
    "yeast": {"use": "yeast.arff.gz", "labels": "yeast.xml"},
    "scene": {"files": ["scene-train.arff.gz", "scene-test.arff.gz"], "labels": "scene.xml"},
    "medical": {"use": "medical.arff.gz"},
    "enron": {"use": "enron.arff.gz", "labels": "enron.xml"},
    "slashdot": {"use": "SLASHDOT-F.arff.gz"},
    "20ng": {"use": "20NG-F.arff.gz"},
    "tmc": {"use": "tmc2007-500.arff.gz", "labels": "tmc2007-500.xml"},
}
COMPILED: dict[str, Any] = {
    "MLHAT": {},
    "MLHAT, by cardinality": {"use": "MLHAT", "decision": "cardinality"},
    "HedgedMLHAT": {},
    "HedgedMLHAT, by cardinality": {"use": "HedgedMLHAT", "decision": "cardinality"},
    "SMART": {"warm_up": 10},
    "ARkNN": {},
    "MLSAMPkNN": {},
    "MLBELS": {},
    "HoeffdingTrees": {},
    "MLHT": {},
    "MLKNN": {},
    "NoChange": {},
    "MajorityLabels": {},
}
RIVER = ("NB", "KNN", "HT", "HAT", "EFDT", "ABALR", "AMR")
"""Recipes of River's learners that come to an end on most sets within the limit."""
MEASURES = ("example_f1", "micro_f1", "macro_f1", "subset_accuracy", "hamming_loss")
LIMITS = {"seconds": 900, "gigabytes": 6}


def study(results: str | Path, part: str, sets: list[str] | None = None) -> sl.Study:
    """Return one half of the study: ``"compiled"``, or ``"river"`` on the first rows."""
    chosen = {name: dict(given) for name, given in SETS.items() if sets is None or name in sets}
    if part == "river":
        for given in chosen.values():
            given["rows"] = FIRST
    learners = (
        COMPILED if part == "compiled" else {f"{name} (first {FIRST:,})": f"{name} one per label" for name in RIVER}
    )
    return sl.Study(
        chosen, learners, seeds=3, measures=MEASURES, limits=LIMITS, curves_every=500, results=results,
        name=part, folder=SHARED,
    )  # fmt: skip


def main(options: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks study", description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("build/study"), help="the folder of results")
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--only", choices=("compiled", "river"))
    parser.add_argument("--sets", nargs="+", choices=list(SETS))
    parser.add_argument("--measure", choices=MEASURES, default=MEASURES[0])
    parser.add_argument("--quiet", action="store_true")
    asked = parser.parse_args(options or [])
    console = Console()
    if not SHARED.is_dir():
        console.print(f"{SHARED} is not there: it holds the data sets of the study")
        return 1
    for part in ("compiled", "river") if asked.only is None else (asked.only,):
        made = study(asked.results, part, asked.sets)
        made.run(asked.workers, progress=not asked.quiet)
        table = made.table(asked.measure)
        lines = [[name, *(f"{value:.3f}" if value == value else "–" for value in row)] for name, row in
                 zip(table.index, table.to_numpy(), strict=True)]  # fmt: skip
        print_table(f"{asked.measure}, {part}, mean of the seeds", ("", *table.columns), lines)
        for row in made.failures().itertuples():
            console.print(f"{row.learner} on {row.stream}: {row.status}: {row.message}", markup=False)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
