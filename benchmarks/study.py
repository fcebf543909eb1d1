"""The study of the docs.

``python -m benchmarks study [--results FOLDER] [--workers 2] [--only compiled|"shuffled 1"|river|ensembles|slow]
[--sets …] [--measure …] [--keep]``

Twelve streams, eleven of the shared data folder and the package's films; and three sets that are new. Each in the order
of its file (``compiled``), and in three random orders (``shuffled 1`` to 3). Ensembles of ten members and River's
learners go over the first 3,000 rows of each of the twelve in its order (their names say so). Three seeds; one for each
random order. Row by row, 0/0 = 0. It goes on where it was stopped. Without ``--only`` it is all of it but ``slow``.
``--keep`` writes what has ended into docs/studies/study.parquet; ``python -m benchmarks study_tables`` makes the pages'
tables of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

import streamlab as sl
from benchmarks.data import SHARED, missing
from benchmarks.harness import Sheet, asked, console, figure
from benchmarks.kept import STUDY, cells_of, keep
from docs.figures.svg import save_ranks

__all__ = ["part_of", "study"]

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
NEW: dict[str, dict[str, Any]] = {"digits": {}, "glucose": {}, "routes": {}}
"""Sets that came when all learners were done: nobody chose anything on them."""
ORDERS = (1, 2, 3)
"""Seeds of the orders in which the rows are shuffled."""
COMPILED: dict[str, Any] = {
    "Council": {},
    "MLHAT": {},
    "MLHAT, by cardinality": {"use": "MLHAT", "decision": "cardinality"},
    "HedgedMLHAT": {},
    "HedgedMLHAT, by cardinality": {"use": "HedgedMLHAT", "decision": "cardinality"},
    "HedgedMLHAT, by expected F1": {"use": "HedgedMLHAT", "decision": "expected_f1"},
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
SHUFFLED = tuple(f"shuffled {seed}" for seed in ORDERS)
PARTS = ("compiled", *SHUFFLED, "river", "ensembles", "slow")
WHOLE = ("compiled", *SHUFFLED, "river", "ensembles")
MEASURES = ("example_f1", "micro_f1", "macro_f1", "subset_accuracy", "hamming_loss")
LIMITS = {"seconds": 1800, "gigabytes": 6}


def part_of(results: str | Path, part: str, sets: list[str] | None = None) -> sl.Study:
    """Return a part of the study: ``"compiled"``, the same ``"shuffled 1"`` (and 2, 3), or others on the first rows."""
    chosen = {name: dict(given) for name, given in (SETS | NEW).items() if sets is None or name in sets}
    compiled, seeds = part == "compiled" or part in SHUFFLED, 3
    if part in SHUFFLED:
        seeds = [ORDERS[SHUFFLED.index(part)]]
        for given in chosen.values():
            given["changes"] = [{"put": "shuffle_rows", "seed": seeds[0]}]
    elif part != "compiled":
        chosen = {name: given | {"rows": FIRST} for name, given in chosen.items() if name not in NEW}
    river, slow = ({name: f"{name} one per label" for name in names} for names in (RIVER, SLOW))
    parts = {"ensembles": ENSEMBLES, "river": river, "slow": slow}
    said = "" if compiled else f" (first {FIRST:,})"
    learners = {name + said: given for name, given in (COMPILED if compiled else parts[part]).items()}
    return sl.Study(
        chosen, learners, seeds=seeds, measures=MEASURES, limits=LIMITS, curves_every=500, results=results,
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


def study(options: Sequence[str]) -> int:
    """Every learner, and River's with MLHAT's parameters, on the real sets, in file order and shuffled."""
    given = asked(
        "study", options, results=None, workers=0, only="", sets=list(SETS | NEW), measure=MEASURES[0], keep=False,
        picture=None, quiet=False,
    )  # fmt: skip
    if missing():
        return 1
    found = {}
    for part in [given.only] if given.only else WHOLE:
        made = part_of(given.results or Path("build/study"), part, given.sets)
        made.run(given.workers or None, progress=not given.quiet)
        found[part] = made.results()
        for row in made.failures().itertuples():
            console.print(f"{row.learner} on {row.stream}: {row.status}: {row.message}")
        if given.keep:
            keep(cells_of(made, part), STUDY)
    # one order at a time can be compared
    shown = [name for name in found if name not in SHUFFLED] or list(found)[:1]
    results = pd.concat([found[name] for name in shown], ignore_index=True)
    show(results[results.stream.isin(SETS)] if set(results.stream) > set(SETS) else results, given.measure)
    console.print(f"{len(results):,} cells, {results.seconds.sum():,.0f} CPU seconds")
    if given.picture is not None:
        save_ranks(sl.compare(results, given.measure), given.picture)
    return 0
