"""The study of the docs.

``python -m benchmarks study [--only PART] [--sets …] [--learners …] [--keep]``, and further options

Its parts: fifteen sets, each in the order of its file (``compiled``), in three random orders (``"shuffled 1"`` to 3),
and in the order of its file with labels that come 500 rows late (``delayed``). ``ensembles`` of ten members and the
learners of ``river`` go over the first 3,000 rows of twelve sets (their names say so), and those that are ``slow``, if
they are asked for. Three seeds; one for each random order, and one where labels are late. Row by row, 0/0 = 0. It goes
on where it was stopped. ``--keep`` writes what has ended into docs/studies/study.parquet; ``python -m benchmarks
study_tables`` makes the tables of the pages of that. Sets that are not in the folder of published files are fetched;
those that cannot be had are named.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

import streamlab as sl
from benchmarks.data import SHARED
from benchmarks.harness import Sheet, asked, console, figure
from benchmarks.kept import STUDY, cells_of, keep
from benchmarks.study_measures import example_f1_empty
from benchmarks.study_sets import DELAY, DELAYED, ENSEMBLES, FIRST, LATE, LEARNERS, NEW, ORDERS, SETS, sources
from docs.figures.svg import save_ranks

__all__ = ["part_of", "study"]

RIVER = ("HT", "NB")
"""Recipes of River's learners that take minutes on wide sets; in the whole study."""
SLOW = ("KNN", "HAT", "EFDT", "ABALR", "AMR")
"""Those that take up to an hour there."""
SHUFFLED = tuple(f"shuffled {seed}" for seed in ORDERS)
WHOLE = ("compiled", *SHUFFLED, "delayed", "river", "ensembles")
MEASURES = ("example_f1", "micro_f1", "macro_f1", "subset_accuracy", "hamming_loss", example_f1_empty)
LIMITS = {"seconds": 1800, "gigabytes": 6}


def part_of(results: str | Path, part: str, sets: list[str] | None = None, learners: Sequence[str] = ()) -> sl.Study:
    """Return a part of the study: ``"compiled"``, the same ``"shuffled 1"`` (and 2, 3) or ``"delayed"``, or others."""
    chosen = sources(sets)
    seeds: int | list[int] = 3
    whole, said = part == "compiled" or part in SHUFFLED or part == "delayed", ""
    if part in SHUFFLED:
        order = ORDERS[SHUFFLED.index(part)]
        seeds, shuffled = [order], [{"put": "shuffle_rows", "seed": order}]
        chosen = {name: given | {"changes": shuffled} for name, given in chosen.items()}
    elif part == "delayed":
        seeds, late = [1], [{"put": "delay_labels", "delay": DELAY}]
        chosen = {name: given | {"changes": late} for name, given in chosen.items() if name in LATE}
    elif not whole:
        chosen = {name: given | {"rows": FIRST} for name, given in chosen.items() if name not in NEW}
        said = f" (first {FIRST:,})"
    river, slow = ({name: f"{name} one per label" for name in names} for names in (RIVER, SLOW))
    parts = {"ensembles": ENSEMBLES, "river": river, "slow": slow}
    named = {name + said: given for name, given in (LEARNERS if whole else parts[part]).items()}
    if part == "delayed":
        named = {name: given for name, given in named.items() if name in DELAYED}
    if learners:
        named = {name: given for name, given in named.items() if name in learners}
    return sl.Study(
        chosen, named, seeds=seeds, measures=MEASURES, limits=LIMITS, curves_every=500, results=results,
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
        "study", options, results=None, workers=0, only="", sets=list(SETS | NEW), learners=list(LEARNERS),
        measure="example_f1", keep=False, picture=None, quiet=False,
    )  # fmt: skip
    found = {}
    for part in [given.only] if given.only else WHOLE:
        named = given.learners if len(given.learners) < len(LEARNERS) else ()
        made = part_of(given.results or Path("build/study"), part, given.sets, named)
        made.run(given.workers or None, progress=not given.quiet)
        found[part] = made.results()
        for row in made.failures().itertuples():
            console.print(f"{row.learner} on {row.stream}: {row.status}: {row.message}")
        if given.keep:
            cells = cells_of(made, part)
            if part == "delayed":
                first = made.curves("example_f1", "cumulative").query("position == @DELAY")
                first = first[["learner", "stream", "value"]].rename(columns={"value": "before_labels_f1"})
                cells = cells.merge(first, how="left", on=["learner", "stream"])
            keep(cells, STUDY)
    # one order at a time can be compared
    shown = [name for name in found if name not in SHUFFLED] or list(found)[:1]
    results = pd.concat([found[name] for name in shown], ignore_index=True)
    show(results[results.stream.isin(SETS)] if set(results.stream) > set(SETS) else results, given.measure)
    console.print(f"{len(results):,} cells, {results.seconds.sum():,.0f} CPU seconds")
    if given.picture is not None:
        save_ranks(sl.compare(results, given.measure), given.picture)
    return 0
