"""The study: every learner, and River's with the parameters of MLHAT's study, on the real sets; table, ranks, diagram.

``python -m benchmarks study [--results FOLDER] [--workers 2] [--only compiled|river|ensembles|slow]
[--sets …] [--measure …]``

Twelve streams, eleven of the shared data folder and the package's films. Ensembles of ten members and River's learners
go over the first 3,000 rows of each (their names say so), all others over all. Three seeds. Row by row, 0/0 = 0. It
goes on where it was stopped. Without ``--only`` it is what the documentation shows: the compiled learners and two of
River's.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

import streamlab as sl
from benchmarks.data import SHARED, missing
from benchmarks.harness import Sheet, asked, console, figure
from docs.figures.svg import save_ranks

__all__ = ["main", "part_of"]

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
    "movies": {},
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
    "MLHTPS": {},
    "PrunedSets": {},
    "ISOUPT": {},
    "MLKNN": {},
    "NoChange": {},
    "MajorityLabels": {},
}
ENSEMBLES: dict[str, Any] = {
    "GOOWE, chains": {"use": "GOOWE", "base": "chain"},
    "GOOWE, trees": {"use": "GOOWE", "base": "relevance"},
    "bagged trees, ADWIN": {"use": "OnlineBagging", "base": "relevance", "detector": "adwin"},
    "bagged chains, ADWIN": {"use": "OnlineBagging", "base": "chain", "detector": "adwin"},
}
"""Compiled, but of ten members each, which take minutes on sets of a thousand features."""
RIVER = ("HT", "NB")
"""Recipes of River's learners that take minutes on wide sets; in the whole study."""
SLOW = ("KNN", "HAT", "EFDT", "ABALR", "AMR")
"""Those that take up to an hour there."""
PARTS = ("compiled", "river", "ensembles", "slow")
WHOLE = ("compiled", "river")
MEASURES = ("example_f1", "micro_f1", "macro_f1", "subset_accuracy", "hamming_loss")
LIMITS = {"seconds": 1800, "gigabytes": 6}


def part_of(results: str | Path, part: str, sets: list[str] | None = None) -> sl.Study:
    """Return a part of the study: ``"compiled"``, or one of the others on the first rows."""
    chosen = {name: dict(given) for name, given in SETS.items() if sets is None or name in sets}
    if part != "compiled":
        for given in chosen.values():
            given["rows"] = FIRST
    river, slow = ({name: f"{name} one per label" for name in names} for names in (RIVER, SLOW))
    parts = {"compiled": COMPILED, "ensembles": ENSEMBLES, "river": river, "slow": slow}
    said = "" if part == "compiled" else f" (first {FIRST:,})"
    learners = {name + said: given for name, given in parts[part].items()}
    return sl.Study(
        chosen, learners, seeds=3, measures=MEASURES, limits=LIMITS, curves_every=500, results=results,
        name=part, folder=SHARED,
    )  # fmt: skip


def show(results: pd.DataFrame, measure: str) -> None:
    """Show the table of all learners, the best average rank first, and what the tests say."""
    found = sl.compare(results, measure, alpha=0.05)
    heads = ("", *found.scores.index, "mean", "rank")
    sheet = Sheet(f"{measure}, mean of the seeds, best rank first", heads)
    for name, rank in found.ranks.items():
        sheet.add(name, *found.scores[name], found.means[name], figure(rank, 2))
    sheet.show()
    console.print(found.sentence)


def main(options: Sequence[str] | None = None) -> int:
    given = asked(
        "study", options, results=None, workers=0, only="", sets=list(SETS), measure=MEASURES[0], picture=None,
        quiet=False,
    )  # fmt: skip
    if missing():
        return 1
    found = []
    for part in [given.only] if given.only else WHOLE:
        made = part_of(given.results or Path("build/study"), part, given.sets)
        made.run(given.workers or None, progress=not given.quiet)
        found.append(made.results())
        for row in made.failures().itertuples():
            console.print(f"{row.learner} on {row.stream}: {row.status}: {row.message}")
    results = pd.concat(found, ignore_index=True)
    show(results, given.measure)
    console.print(f"{len(results):,} cells, {results.seconds.sum():,.0f} CPU seconds")
    if given.picture is not None:
        save_ranks(sl.compare(results, given.measure), given.picture)
    return 0
