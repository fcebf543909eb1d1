"""The tables of the study's pages, made of what is kept: ``python -m benchmarks study_tables`` writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd

import streamlab as sl
from benchmarks import anchors, drift_tables
from benchmarks.after_drift import SOON
from benchmarks.harness import MISSING, ROOT, asked, markdown
from benchmarks.kept import AFTER_DRIFT, DELAYS, NEVER_BELOW, REFERENCES, STUDY, read
from benchmarks.references import ORDERS
from benchmarks.study_sets import BASELINES, BY_EXPECTED, DELAY, EXPECTED, LEARNERS, NEW, SETS, THRESHOLD
from docs.figures.svg import save_ranks
from streamlab.study import pair_tests
from streamlab.study.comparison import Comparison

__all__ = ["PAGES", "study_tables", "written"]

FILE, SHUFFLED, DELAYED = "file", "shuffled", "delayed"
EXAMPLE, MICRO, MACRO = "example_f1", "micro_f1", "macro_f1"
OWN = ""
"""The rule that each learner has by default."""
OWN_RULES = tuple(name for name in LEARNERS if ", " not in name and name not in BASELINES)
RIVALS = (
    *("Council", "HedgedMLHAT, by cardinality", "MLHAT, by cardinality", "HedgedMLHAT", "MLBELS", "SMART", "MLHAT"),
    *("MLBELS, by cardinality", "ARkNN", "MLSAMPkNN", "HoeffdingTrees", "MLKNN", "MLHT", "NoChange", "MajorityLabels"),
    *("OnlineLogistic", "RankedKNN", "MLSAkNN"),
)
"""The learners of the table of own rules; its sets are those that the published table has by name."""
OURS = tuple(name for name in RIVALS[:11] if name != "MLBELS, by cardinality")
"""Those that are put beside the published columns."""
PUBLISHED = {
    "flags": "Flags", "water quality": "WQ", "emotions": "Emo", "yeast": "Yeast", "scene": "Scene", "medical": "Med",
    "slashdot": "Slashdot", "20ng": "D20ng", "tmc": "Tmc",
}  # fmt: skip
"""Our names of the sets whose published figures can be compared, and the names in the paper."""
PARTS = {FILE: "compiled"}
RIVERS = ("HT, River's", "NB, River's")
MADE = re.compile(r"(<!-- table: ([^>]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


@cache
def cells() -> pd.DataFrame:
    """Everything that is kept of the study, a row for each cell."""
    return read(STUDY)


def results(order: str, sets: tuple[str, ...] = tuple(SETS), rule: str | None = None) -> pd.DataFrame:
    """The cells of these sets in this order: of all learners, or of those that answer by one rule, and the baselines.

    Learners that answer by a rule are called by their names alone.
    """
    found = cells()
    part = found.part.str.startswith(SHUFFLED) if order == SHUFFLED else found.part == PARTS.get(order, order)
    if (order, rule) == (FILE, EXPECTED) and set(sets) <= set(SETS):
        part |= found.part == "peers"
    kept = found[part & found.stream.isin(sets)]
    if rule is not None:
        names = {name: plain for name in kept.learner.unique() if (plain := by_rule(name, rule))}
        kept = kept[kept.learner.isin(names)].assign(learner=lambda rows: rows.learner.map(names))
    if order == SHUFFLED:
        # orders over which not all learners went say nothing of the others
        took_part = kept.groupby("part").learner.nunique()
        kept = kept[kept.part.map(took_part) == took_part.max()]
        # a learner that takes no seed has a cell for each order all the same
        kept = kept.assign(seed=kept.part.str.removeprefix("shuffled ").astype("Int64"))
    place = {name: i for i, name in enumerate(sets)}
    return kept.sort_values("stream", key=lambda column: column.map(place), kind="stable")


def by_rule(name: str, rule: str) -> str:
    """Return the plain name of a learner that answers by a rule, or "": it does not."""
    plain, _, said = name.partition(", ")
    if name == anchors.WABBIT:
        return plain if rule == EXPECTED else ""
    if name in BASELINES:
        return name
    if rule == EXPECTED and name in BY_EXPECTED:
        return name
    return plain if said == rule and plain in LEARNERS else ""


@cache
def compared(order: str, measure: str, sets: tuple[str, ...] = tuple(SETS), rule: str = EXPECTED) -> Comparison:
    """Compare all learners that answer by one rule, by a measure over sets in an order."""
    return sl.compare(results(order, sets, rule), measure)


# ---------------------------------------------------------------------- figures as they stand


REFERENCE = {"fixed": "fixed mean", "best": "best expert", "stack": "refitted stack"}
"""What Council is to be compared with, of its own experts (``benchmarks/references.py``)."""


def share(value: float, digits: int = 3, *, sign: bool = False) -> str:
    """A figure without the 0 before its point, or a dash."""
    return MISSING if np.isnan(value) else f"{value:{'+' if sign else ''}.{digits}f}".replace("0.", ".", 1)


def chance(p: float) -> str:
    """A probability of chance."""
    return share(p) if p >= 0.0005 else f"{p:.0e}"


def figures(order: str, measure: str, rule: str = EXPECTED, gain: bool = False) -> str:
    """A line for each learner, the best average rank first: its score on each set, their mean, its rank; references."""
    found = read(REFERENCES)
    beside = found[found.order == ("shuffled" if order == SHUFFLED else "file")].set_index("stream")
    return lines(compared(order, measure, rule=rule), gain, beside if (measure, rule) == (EXAMPLE, EXPECTED) else None)


def lines(found: Comparison, gain: bool = False, beside: pd.DataFrame | None = None) -> str:
    """The same of any comparison; with the gain over no-change behind each score, and references that have no rank."""
    sets, calm = list(found.scores.index), [name for name in found.scores.index if name != "movies"]
    scored = [(str(name), found.scores[name], f"{rank:.2f}") for name, rank in found.ranks.items()]
    if beside is not None:
        scored += [(f"*{said}*", beside[name].reindex(sets), MISSING) for name, said in REFERENCE.items()]
    rows = []
    for name, own, rank in scored:
        least = found.scores.get("NoChange", own)
        behind = [f" {share(own[each] - least[each], sign=True)}" if gain else "" for each in sets]
        cells = [share(own[each]) + behind[i] for i, each in enumerate(sets)]
        means = [share(own[calm].mean())] if len(calm) < len(sets) else []
        rows.append([name, *cells, share(own.mean()), *means, rank])
    heads = ["", *sets, "mean", *(["without movies"] if len(calm) < len(sets) else []), "rank"]
    return markdown(heads, rows)


def rules() -> str:
    """What each learner has by its own rule, by expected F1 and by a threshold for each label: means of the sets."""
    asked_for = (
        *((order, EXAMPLE, rule) for order in (FILE, SHUFFLED) for rule in (OWN, EXPECTED)),
        *((FILE, MACRO, rule) for rule in (OWN, EXPECTED, THRESHOLD)),
    )
    found = {}
    for order, measure, rule in asked_for:
        means = results(order, rule=rule).groupby(["learner", "stream"])[measure].mean()
        found[order, measure, rule] = means.unstack().mean(axis=1)
    first = found[FILE, EXAMPLE, EXPECTED]
    names = sorted((name for name in first.index if name in OWN_RULES), key=lambda name: -first[name])
    own = [name for name in names if name in BY_EXPECTED]
    rows = [
        [
            name,
            *(
                MISSING if key[2] == OWN and name in own else share(each.get(name, np.nan))
                for key, each in found.items()
            ),
        ]
        for name in names
    ]
    heads = ("", "own rule", "by expected F1", "shuffled: own rule", "by expected F1", "macro F1: own rule",
             "by expected F1", "by threshold")  # fmt: skip
    return markdown(heads, rows)


def after_drift() -> str:
    """What every label taking the next one's name costs, right after it and later: means over the sets."""
    found = read(AFTER_DRIFT)
    mean = found.groupby("learner")[["before", "soon_calm", "soon", "rest_calm", "rest"]].mean()
    rows = [
        [name, share(row.before), share(row.soon_calm), share(row.soon), share(row.soon - row.soon_calm, sign=True),
         share(row.rest_calm), share(row.rest), share(row.rest - row.rest_calm, sign=True)]
        for name, row in mean.sort_values("soon", ascending=False).iterrows()
    ]  # fmt: skip
    heads = (f"{found.stream.nunique()} sets", f"{SOON} rows before", f"next {SOON}, no drift", "with", "cost",
             "rest, no drift", "with", "cost")  # fmt: skip
    return markdown(heads, rows)


def delays() -> str:
    """Example F1 by delay, of the first answer and of the one asked again; and of a label that first comes half-way."""
    found = read(DELAYS)
    mean = found.groupby(["learner", "delay"])[["first", "again", "new_first", "new_again"]].mean()
    waits = sorted(found.delay.unique())
    order = mean["first"].groupby("learner").mean().sort_values(ascending=False).index
    rows = []
    for name in order:
        cells = [name]
        for which in ("", "new_"):
            for wait in waits:
                each = mean.loc[(name, wait)]
                cells += [share(each[f"{which}first"]), *([share(each[f"{which}again"])] if wait else [])]
        rows.append(cells)
    by_wait = [words for wait in waits for words in ([f"{wait:,} rows", "asked again"] if wait else ["at once"])]
    heads = [f"{found.stream.nunique()} streams", *by_wait, *(f"new label: {words}" for words in by_wait)]
    return markdown(heads, rows)


def beside() -> str:
    """Council in three orders, and what it has above three references made of its own experts; means and tests."""
    found = read(REFERENCES).set_index(["order", "stream"])
    names, heads, columns = REFERENCE, [""], []
    for order in ORDERS:
        here = found.loc[order].reindex(list(SETS))
        gains = np.stack([here.council - here[each] for each in names], axis=1)
        there = gains[~np.isnan(gains[:, 0])]
        p = pair_tests.holm(pair_tests.wilcoxon(there))
        heads += [f"{order}: Council", *(f"than {name}" for name in names.values())]
        columns.append([share(each) for each in (*here.council, here.council.mean())] + [MISSING] * 2)
        columns += [
            [*(share(each, sign=True) for each in (*gains[:, k], there[:, k].mean())),
             f"{(there[:, k] > 0).sum()} of {len(there)}", chance(p[k])]
            for k in range(len(names))
        ]  # fmt: skip
    sides = [*SETS, "mean", "ahead on", "p (Wilcoxon, Holm of three)"]
    return markdown(heads, [[side, *(column[i] for column in columns)] for i, side in enumerate(sides)])


def never_below() -> str:
    """Council beside no-change in each order, and its own answer, without giving way to no-change."""
    found = read(NEVER_BELOW)
    rows = []
    for order, here in found.groupby("order", sort=False):
        cells = [f"{order}: {here.stream.nunique()} streams", str(len(here)), share(here.no_change.mean())]
        for each in ("alone", "council"):
            above = here[each] - here.no_change
            least = f"{share(above.min(), 4, sign=True)} ({here.stream[above.idxmin()]})"
            cells += [share(here[each].mean(), 4), least, str((above < -0.002).sum())]
        rows.append(cells)
    of = ("mean", "least above no-change", "under it by over .002")
    return markdown(
        ["", "runs", "no-change", *(f"{who}: {each}" for who in ("its own answer", "Council") for each in of)], rows
    )


def outside() -> str:
    """Systems of others on the sets of the study, in file order: one that was run here, and figures as printed."""
    found = results(FILE)
    peer = cells()[cells().part == "peers"].set_index("stream")
    own = found.groupby(["learner", "stream"])[[EXAMPLE, MICRO]].mean()
    sets = list(SETS)
    ours = (("Council", "Council"), ("OnlineLogistic", "OnlineLogistic"), ("MLSAkNN", "MLSAkNN, own rule"))
    rows = []
    for measure, said in ((EXAMPLE, "example F1"), (MICRO, "micro F1")):
        for name, shown in ours:
            if name in own.index:
                rows.append([said, f"{shown}, here", *(share(own[measure].get((name, each), np.nan)) for each in sets)])
        rows.append([said, "Vowpal Wabbit 9.11, run here", *(share(peer[measure].get(each, np.nan)) for each in sets)])
    for shown, printed in (("iHOMER, printed", anchors.IHOMER), ("MLHAT, printed beside it", anchors.MLHAT_THERE)):
        rows.append(["micro F1", shown, *(share(printed.get(each, np.nan)) for each in sets)])
    return markdown(["measure", "", *sets], rows)


def better_rule(order: str, measure: str) -> pd.DataFrame:
    """Each learner's score on each set by the better one of its own rule and expected F1: a column for each."""
    both = [
        results(order, rule=rule).groupby(["stream", "learner"])[measure].mean().unstack() for rule in (OWN, EXPECTED)
    ]
    return both[0].combine(both[1], np.fmax, overwrite=False).loc[list(SETS)]


def tests() -> str:
    """Who is first by equal rules, and what the tests find, a line for each order and measure."""
    rows = []
    either = "the better rule on each set"
    for order in (FILE, SHUFFLED):
        every = (EXAMPLE, EXPECTED), (MICRO, EXPECTED), (EXAMPLE, either), (MACRO, THRESHOLD), (MACRO, EXPECTED)
        for measure, rule in every:
            if order == SHUFFLED and rule == THRESHOLD:
                continue
            given = better_rule(order, measure) if rule == either else results(order, rule=rule)
            found = sl.compare(given, measure)
            first = str(found.ranks.index[0])
            pairs = sl.compare(given, measure, control=first).pairs
            rows.append([
                f"{order}{' order' if order == FILE else ''}, {measure.replace('_f1', ' F1')}, {rule}",
                str(len(found.ranks)), f"{first} ({found.ranks.iloc[0]:.2f})",
                f"{found.ranks.index[1]} ({found.ranks.iloc[1]:.2f})", chance(found.friedman.p),
                f"{found.critical_distance:.2f}", f"{int((pairs.p < found.alpha).sum())} of {len(pairs)}",
                # of equals the last, also where the last bit of a logarithm or a sum is another
                f"{pairs.rival[pairs.p.round(12)[::-1].idxmax()]} {chance(pairs.p.max())}",
            ])  # fmt: skip
    heads = ("", "learners", "first (mean rank)", "next", "Friedman p", "critical distance",
             "first, apart from (Wilcoxon, Holm)", "largest p")  # fmt: skip
    return markdown(heads, rows)


def new_sets() -> str:
    """Every learner on the new sets, in their order and shuffled, by example F1."""
    both = [compared(order, EXAMPLE, tuple(NEW)) for order in (FILE, SHUFFLED)]
    rows = []
    for name, rank in both[0].ranks.items():
        there = [name in each.ranks.index for each in both]
        scores = [share(each.scores.loc[stream, name]) if has else MISSING
                  for stream in NEW for each, has in zip(both, there, strict=True)]  # fmt: skip
        means = [share(each.means[name]) if has else MISSING for each, has in zip(both, there, strict=True)]
        rows.append([str(name), *scores, *means, f"{rank:.2f}",
                     f"{both[1].ranks[name]:.2f}" if there[1] else MISSING])  # fmt: skip
    heads = [f"{stream}{said}" for stream in (*NEW, "mean", "rank") for said in ("", ", shuffled")]
    return markdown(["", *heads], rows)


def speed() -> str:
    """Rows a second of CPU in each learner, row by row as in the study, and its seconds over the twelve sets."""
    part = cells()[(cells().part == "compiled") & cells().seconds.notna() & cells().stream.isin(SETS)]
    part = part[part.learner.map(lambda name: ", " not in name)]
    rate = part.assign(rate=part.rows / part.seconds).groupby(["learner", "stream"]).rate.median().unstack()
    sums = part.groupby(["learner", "stream"]).seconds.mean().unstack().sum(axis=1).sort_values()
    of = ("yeast", "enron", "20ng", "tmc")
    rows = [[name, *(f"{rate.loc[name, each]:,.0f}" for each in of), f"{sums[name]:.1f}"] for name in sums.index]
    return markdown(["", *(f"{each}, rows/s" for each in of), "s for the twelve sets"], rows)


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


def own_rules() -> str:
    """Learners by their own rules on the sets that the published table has by name."""
    sets = tuple(name for name in SETS if name != "movies")
    both = pd.concat([results(FILE, sets), results("rivals", sets)])
    place = {name: i for i, name in enumerate(sets)}
    part = both[both.learner.isin(RIVALS)].sort_values("stream", key=lambda column: column.map(place), kind="stable")
    return lines(sl.compare(part, EXAMPLE))


def delayed() -> str:
    """Example F1 where each label comes late, also from the first label on, and how much less than without delay."""
    found = results(DELAYED, tuple(SETS | NEW), EXPECTED)
    at_once = results(FILE, tuple(found.stream.unique()), EXPECTED)
    at_once = at_once[at_once.seed.isna() | (at_once.seed == 1)]
    late, n, blind = sl.compare(found, EXAMPLE), found.rows, found.before_labels_f1
    knowing = found.assign(f1=(n * found[EXAMPLE] - DELAY * blind) / (n - DELAY)).groupby("learner").f1.mean()
    before = at_once.groupby(["stream", "learner"])[EXAMPLE].mean().unstack()
    rows = [
        [name, *(share(late.scores.loc[each, name]) for each in late.scores.index), share(late.means[name]),
         share(knowing[name]), share(float((late.scores[name] - before[name]).mean()), sign=True), f"{rank:.2f}"]
        for name, rank in late.ranks.items()
    ]  # fmt: skip
    return markdown(["", *late.scores.index, "mean", "mean from the first label on", "than at once", "rank"], rows)


# ---------------------------------------------------------------------- the pages

PAGES: dict[str, dict[str, Callable[[], str]]] = {
    "docs/study.md": {
        "example F1, file order": partial(figures, FILE, EXAMPLE, gain=True),
        "example F1, shuffled": partial(figures, SHUFFLED, EXAMPLE),
        "micro F1, file order": partial(figures, FILE, MICRO),
        "macro F1, file order": partial(figures, FILE, MACRO, THRESHOLD),
        "rules": rules,
        "tests": tests,
        "delayed": delayed,
        "delays": delays,
        "after drift": after_drift,
        "new sets": new_sets,
        "outside": outside,
        "published": published,
        "own rules": own_rules,
    },
    "docs/speed.md": {"speed": speed},
    "docs/council_table.md": {"beside": beside, "never below": never_below},
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
    """Write the tables of the study's pages, of what is kept in docs/studies."""
    asked("study_tables", options)
    for page in PAGES:
        Path(ROOT / page).write_text(written(page), encoding="utf-8")
    save_ranks(compared(FILE, EXAMPLE), ROOT / "docs" / "studies" / "example_f1.svg")
    save_ranks(compared(SHUFFLED, EXAMPLE), ROOT / "docs" / "studies" / "shuffled_f1.svg")
