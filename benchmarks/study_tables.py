"""The tables of the study's pages, made of what is kept: ``python -m benchmarks study_tables`` writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd

import streamlab as sl
from benchmarks import drift_tables
from benchmarks.harness import MISSING, ROOT, asked, markdown
from benchmarks.kept import STUDY, read
from benchmarks.study import ENSEMBLES, FIRST, NEW, SETS
from docs.figures.svg import save_ranks
from streamlab.study.comparison import Comparison
from streamlab.study.pair_tests import signed_rank_sums

__all__ = ["PAGES", "study_tables", "written"]

FILE, SHUFFLED = "file", "shuffled"
EXAMPLE, MICRO = "example_f1", "micro_f1"
RIVALS = (
    *("Council", "HedgedMLHAT, by cardinality", "MLHAT, by cardinality", "HedgedMLHAT", "MLBELS", "SMART", "MLHAT"),
    *("MLBELS, by cardinality", "ARkNN", "MLSAMPkNN", "HoeffdingTrees", "MLKNN", "MLHT", "NoChange", "MajorityLabels"),
)
"""The learners of docs/rivals.md; its sets are those that the published table has by name."""
OURS = tuple(name for name in RIVALS[:11] if name != "MLBELS, by cardinality")
"""Those that are put beside the published columns."""
PUBLISHED = {
    "flags": "Flags", "water quality": "WQ", "emotions": "Emo", "yeast": "Yeast", "scene": "Scene", "medical": "Med",
    "slashdot": "Slashdot", "20ng": "D20ng", "tmc": "Tmc",
}  # fmt: skip
"""Our names of the sets whose published figures can be compared, and the names in the paper."""
MADE = re.compile(r"(<!-- table: ([^>]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


@cache
def cells() -> pd.DataFrame:
    """Everything that is kept of the study, a row for each cell."""
    return read(STUDY)


def results(order: str, sets: tuple[str, ...], beside: str = "") -> pd.DataFrame:
    """The cells of whole sets in this order, and those of another part beside them."""
    found = cells()
    part = found.part.str.startswith(SHUFFLED) if order == SHUFFLED else found.part == "compiled"
    if beside:
        part |= found.part == beside
    kept = found[part & found.stream.isin(sets)]
    if order == SHUFFLED:
        # a learner that takes no seed has a cell for each order all the same
        kept = kept.assign(seed=kept.part.str.removeprefix("shuffled ").astype("Int64"))
    place = {name: i for i, name in enumerate(sets)}
    return kept.sort_values("stream", key=lambda column: column.map(place), kind="stable")


@cache
def compared(order: str, measure: str, sets: tuple[str, ...] = tuple(SETS), river: bool = False) -> Comparison:
    """Compare all learners by a measure over sets in an order."""
    return sl.compare(results(order, sets, "river" if river else ""), measure)


# ---------------------------------------------------------------------- figures as they stand


def share(value: float, digits: int = 3, *, sign: bool = False) -> str:
    """A figure without the 0 before its point, or a dash."""
    return MISSING if np.isnan(value) else f"{value:{'+' if sign else ''}.{digits}f}".replace("0.", ".", 1)


def chance(p: float) -> str:
    """A probability of chance."""
    return share(p) if p >= 0.0005 else f"{p:.0e}"


def figures(order: str, measure: str, sets: tuple[str, ...] = tuple(SETS), river: bool = False) -> str:
    """A line for each learner, the best average rank first: its score on each set, their mean, its rank."""
    return lines(compared(order, measure, sets, river))


def lines(found: Comparison) -> str:
    """The same of any comparison."""
    rows = [
        [name, *map(share, found.scores[name]), share(found.means[name]), f"{rank:.2f}"]
        for name, rank in found.ranks.items()
    ]
    return markdown(["", *found.scores.index, "mean", "rank"], rows)


def ranks() -> str:
    """The rank of each learner on each set, in file order and shuffled."""
    file, shuffled = compared(FILE, EXAMPLE), compared(SHUFFLED, EXAMPLE)
    rows = []
    for name in file.ranks.index:
        pairs = [(each.ranks_by_stream[name], each.ranks[name]) for each in (file, shuffled)]
        rows.append([
            name,
            *(f"{a:g} / {b:g}" for a, b in zip(*(by_set for by_set, _ in pairs), strict=True)),
            " / ".join(f"{mean:.2f}" for _, mean in pairs),
        ])  # fmt: skip
    return markdown(["", *file.scores.index, "mean rank"], rows)


def tests() -> str:
    """Who is first, and what the tests of all pairs find, a line for each order and measure."""
    rows = []
    for order in (FILE, SHUFFLED):
        for measure in (EXAMPLE, MICRO):
            found = compared(order, measure, river=order == FILE)
            n = len(found.pairs)
            p = found.nemenyi.to_numpy()[np.triu_indices(len(found.ranks), 1)]
            rows.append([
                f"{order}{' order' if order == FILE else ''}, {measure.replace('_f1', ' F1')}", str(len(found.ranks)),
                f"{found.ranks.index[0]} ({found.ranks.iloc[0]:.2f})", chance(found.friedman.p),
                f"{found.critical_distance:.2f}", f"{int((p < found.alpha).sum())} of {n}",
                f"{int(found.pairs.differs.sum())} of {n}",
            ])  # fmt: skip
    heads = ("", "learners", "first (mean rank)", "Friedman p", "critical distance", "Nemenyi: pairs apart",
             "Wilcoxon, Holm: pairs apart")  # fmt: skip
    return markdown(heads, rows)


def against(order: str, sets: tuple[str, ...] = tuple(SETS)) -> str:
    """The learner of the best average rank against each other one: how large the difference is, and how sure."""
    base = compared(order, EXAMPLE, sets)
    first = str(base.ranks.index[0])
    found = sl.compare(results(order, sets), EXAMPLE, control=first)
    bayes = found.bayes.set_index("rival")
    n = len(found.scores)
    rows = []
    for pair in found.pairs.itertuples():
        differences = (found.scores[first] - found.scores[pair.rival]).to_numpy()[:, None]
        kept = int((differences != 0).sum())
        effect = signed_rank_sums(differences)[0] / (kept * (kept + 1) / 2) if kept else 0.0
        sure = bayes.loc[pair.rival]
        rows.append([
            pair.rival, share(float(differences.mean()), sign=True), share(pair.median, sign=True),
            f"{pair.wins} of {n}", share(effect, 2, sign=True), chance(pair.p),
            *(share(sure[name], 2) for name in ("better", "equal", "worse")),
        ])  # fmt: skip
    heads = (f"{first} against", "mean difference", "median", "ahead on", "rank-biserial r", "p (Wilcoxon, Holm)",
             "better", "equal", "worse")  # fmt: skip
    return markdown(heads, rows)


def orders() -> str:
    """How much the order of each file flatters: how often a row has the labels of the one before."""
    sets = tuple(SETS | NEW)
    kept = [results(order, sets) for order in (FILE, SHUFFLED)]
    same = [each[each.learner == "NoChange"].groupby("stream", sort=False).subset_accuracy.mean() for each in kept]
    means = [each.groupby(["stream", "learner"], sort=False)[EXAMPLE].mean().unstack() for each in kept]
    rows = []
    for name in sets:
        best = [each.loc[name].idxmax() for each in means]
        rows.append([
            name, *(share(each[name]) for each in same), *(share(each.loc[name, "NoChange"]) for each in means),
            *(f"{who} {share(each.loc[name, who])}" for who, each in zip(best, means, strict=True)),
        ])  # fmt: skip
    heads = ("", "same labels as the row before, in the file", "shuffled", "no-change, in the file", "shuffled",
             "best, in the file", "shuffled")  # fmt: skip
    return markdown(heads, rows)


def new_sets() -> str:
    """Every learner on the new sets, in their order and shuffled, by example F1."""
    both = [compared(order, EXAMPLE, tuple(NEW)) for order in (FILE, SHUFFLED)]
    rows = []
    for name, rank in both[0].ranks.items():
        scores = [share(each.scores.loc[stream, name]) for stream in NEW for each in both]
        rows.append([name, *scores, *(share(each.means[name]) for each in both), f"{rank:.2f}",
                     f"{both[1].ranks[name]:.2f}"])  # fmt: skip
    heads = [f"{stream}{said}" for stream in (*NEW, "mean", "rank") for said in ("", ", shuffled")]
    return markdown(["", *heads], rows)


def ensembles() -> str:
    """The ensembles of ten members over the first rows, by example F1."""
    part = cells()[cells().part == "ensembles"]
    said = f" (first {FIRST:,})"
    table = part.groupby(["learner", "stream"])[EXAMPLE].mean().unstack().rename(lambda name: name.removesuffix(said))
    rows = [[name, *map(share, table.loc[name, list(SETS)])] for name in ENSEMBLES if name in table.index]
    return markdown(["", *SETS], rows)


def seconds() -> str:
    """CPU seconds of each learner over all sets and seeds, with reading and counting."""
    part = cells()[cells().part.isin(["compiled"]) & cells().stream.isin(SETS)]
    sums = part.groupby("learner").cpu_seconds.agg(["sum", "count"]).sort_values("sum")
    return markdown(
        ["", "cells", "s"], [[name, str(int(row["count"])), f"{row['sum']:.1f}"] for name, row in sums.iterrows()]
    )


def published() -> str:
    """Our learners and the published columns on the nine sets that both have: ranks and means."""
    theirs = sl.published("mlhat-paper", EXAMPLE)
    theirs = theirs[theirs.stream.isin(PUBLISHED.values())]
    theirs = theirs.assign(learner=theirs.learner + ", published")
    own = results(FILE, tuple(PUBLISHED))
    own = own[own.learner.isin(OURS)].assign(stream=own.stream.map(PUBLISHED))
    own = own.groupby(["learner", "stream"], as_index=False)[EXAMPLE].mean()
    both = sl.compare(pd.concat([own, theirs[["learner", "stream", EXAMPLE]]], ignore_index=True), EXAMPLE)
    rows = [[name, f"{rank:.1f}", share(both.means[name])] for name, rank in both.ranks.items()]
    return markdown(["", f"average rank of {len(rows)}", f"mean of {len(PUBLISHED)}"], rows[:16])


def rivals(measure: str) -> str:
    """The learners of docs/rivals.md on the sets that the published table has by name."""
    sets = tuple(name for name in SETS if name != "movies")
    part = results(FILE, sets, "rivals")
    return lines(sl.compare(part[part.learner.isin(RIVALS)], measure))


# ---------------------------------------------------------------------- the pages

PAGES: dict[str, dict[str, Callable[[], str]]] = {
    "docs/study.md": {
        "example F1, file order": partial(figures, FILE, EXAMPLE, river=True),
        "micro F1, file order": partial(figures, FILE, MICRO, river=True),
        "example F1, shuffled": partial(figures, SHUFFLED, EXAMPLE),
        "micro F1, shuffled": partial(figures, SHUFFLED, MICRO),
        "ranks": ranks,
        "tests": tests,
        "first, file order": partial(against, FILE),
        "first, shuffled": partial(against, SHUFFLED),
        "orders": orders,
        "new sets": new_sets,
        "ensembles": ensembles,
        "seconds": seconds,
        "published": published,
    },
    "docs/rivals.md": {"example F1": partial(rivals, EXAMPLE), "micro F1": partial(rivals, MICRO)},
    "docs/drift_table.md": drift_tables.TABLES,
}
"""What makes each table of each page, by the name that stands above the table."""


def written(page: str) -> str:
    """Return a page with the tables that are made of what is kept.

    Raises
    ------
    ValueError
        If the page has a table that nobody makes, or lacks one.
    """
    makers, text = PAGES[page], (ROOT / page).read_text(encoding="utf-8")
    names = [name for _, name, _, _ in MADE.findall(text)]
    if sorted(names) != sorted(makers):
        raise ValueError(f"{page} has the tables {', '.join(names)}; expected {', '.join(makers)}")
    return MADE.sub(lambda found: f"{found[1]}\n{makers[found[2]]()}\n\n{found[4]}", text)


def study_tables(options: Sequence[str]) -> None:
    """Write the tables of docs/study.md, docs/rivals.md and docs/drift_table.md, of what is kept in docs/studies."""
    asked("study_tables", options)
    for page in PAGES:
        Path(ROOT / page).write_text(written(page), encoding="utf-8")
    save_ranks(compared(FILE, EXAMPLE, river=True), ROOT / "docs" / "studies" / "example_f1.svg")
    save_ranks(compared(SHUFFLED, EXAMPLE), ROOT / "docs" / "studies" / "shuffled_f1.svg")
