"""Every compiled learner for flat labels on the sets of the published table, whole and in file order; their ranks."""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from scipy.stats import rankdata

import streamlab as sl
from benchmarks._data import SHARED
from benchmarks._results import Results, figure, mean, print_table
from benchmarks.mlhat_table import CHUNK, SETS, measured
from streamlab.learners import Learner

SEEDS = (1, 2, 3)
VALUES = ("rows", "seconds", "f1", "micro_f1", "cardinality_f1", "cardinality_micro_f1")
BY_CARDINALITY = ", by cardinality"
"""What follows the name of a learner that answers by the rule ``"cardinality"``; what it learns is the same."""


@dataclass(frozen=True)
class Rival:
    """A learner of the table: made from a seed, whether that matters, and whether its second rule has a column."""

    make: Callable[[int], Learner]
    seeded: bool = True
    decides: bool = False


RIVALS: dict[str, Rival] = {
    "MLHAT": Rival(lambda seed: sl.MLHAT(seed=seed), decides=True),
    "HedgedMLHAT": Rival(lambda seed: sl.HedgedMLHAT(seed=seed), decides=True),
    "SMART": Rival(lambda seed: sl.SMART(warm_up=10, seed=seed)),
    "ARkNN": Rival(lambda seed: sl.ARkNN(), seeded=False),
    "MLSAMPkNN": Rival(lambda seed: sl.MLSAMPkNN(), seeded=False),
    "MLBELS": Rival(lambda seed: sl.MLBELS(seed=seed), decides=True),
    "GOOWE": Rival(lambda seed: sl.GOOWE(seed=seed)),
    "OnlineBagging": Rival(lambda seed: sl.OnlineBagging("relevance", detector="adwin", seed=seed)),
    "HoeffdingTrees": Rival(lambda seed: sl.HoeffdingTrees(), seeded=False),
    "MLHT": Rival(lambda seed: sl.MLHT(), seeded=False),
    "MLHTPS": Rival(lambda seed: sl.MLHTPS(), seeded=False),
    "PrunedSets": Rival(lambda seed: sl.PrunedSets(), seeded=False),
    "ISOUPT": Rival(lambda seed: sl.ISOUPT(), seeded=False),
    "MLKNN": Rival(lambda seed: sl.MLKNN(), seeded=False),
    "no-change": Rival(lambda seed: sl.NoChange(), seeded=False),
    "majority": Rival(lambda seed: sl.MajorityLabels(), seeded=False),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.rivals", description=__doc__)
    parser.add_argument("--out", type=Path, help="keep results in this CSV file, and do not run again what it holds")
    parser.add_argument("--learners", nargs="+", choices=list(RIVALS), default=list(RIVALS))
    parser.add_argument("--sets", nargs="+", choices=list(SETS), default=list(SETS))
    # as ``python -m benchmarks rivals`` it takes the defaults
    choices = parser.parse_args() if __name__ == "__main__" else parser.parse_args([])
    if not SHARED.is_dir():
        raise SystemExit(f"{SHARED} is not there: it holds the data sets of the table")
    results = Results(choices.out, ("stream", "learner", "seed"), VALUES)
    for name in choices.sets:
        for learner in choices.learners:
            rival = RIVALS[learner]
            for seed in SEEDS if rival.seeded else SEEDS[:1]:
                if not results.holds(name, learner, seed):
                    model = rival.make(seed)
                    # row by row, as the published figures are: who answers whole chunks gets chunks of one
                    chunk = 1 if model.predicts_whole_chunks else CHUNK
                    results.add(measured(name, learner, seed, model, chunk=chunk))
    report(results.rows, choices.sets, choices.learners)


def report(rows: list[dict[str, Any]], sets: list[str], learners: list[str]) -> None:
    """A table for each measure: a line for each learner and rule, a column for each set, the mean and the mean rank."""
    for field, words in (("f1", "Example F1"), ("micro_f1", "Micro F1")):
        found: dict[str, list[float]] = {}
        for learner in learners:
            own = {name: [r for r in rows if (r["stream"], r["learner"]) == (name, learner)] for name in sets}
            found[learner] = [mean(own[name], field) for name in sets]
            if RIVALS[learner].decides:
                found[learner + BY_CARDINALITY] = [mean(own[name], f"cardinality_{field}") for name in sets]
        ranks = {name: statistics.fmean(ranks) for name, ranks in ranked(found).items()}
        lines = [
            [name, *map(figure, found[name]), figure(statistics.fmean(found[name])), figure(ranks[name], 1)]
            for name in sorted(found, key=ranks.__getitem__)
        ]
        print_table(f"{words}, 0/0 = 0, all rows, mean of seeds", ("", *sets, "mean", "mean rank"), lines)
        first, second = (line[0] for line in lines[:2])
        Console().print(
            f"{words}: {first} has the best mean rank, {ranks[first]:.1f}, {ranks[second] - ranks[first]:.1f} before "
            f"{second}; the means differ by {statistics.fmean(found[first]) - statistics.fmean(found[second]):+.3f}."
        )


def ranked(found: dict[str, list[float]]) -> dict[str, list[float]]:
    """The rank of each learner on each set, 1 the best; equals share the mean of their ranks."""
    columns = zip(*found.values(), strict=True)
    by_set = [rankdata([-value for value in column]) for column in columns]
    return {name: [float(ranks[i]) for ranks in by_set] for i, name in enumerate(found)}


if __name__ == "__main__":
    main()
