"""Figures in the sentences of pages that compare learners are those of the tables that they come from."""

from __future__ import annotations

import re
from functools import cache

import pytest

from benchmarks.harness import ROOT

FIGURE = re.compile(r"(?<![\w.=`])(?:[−+-]?0?\.\d{3,4}|\d\.\d\d)(?!\.?\d)")
CELL = re.compile(r"[−+-]?\d*\.\d+")

STUDY, DRIFT, COUNCIL = "docs/study.md", "docs/drift_table.md", "docs/council_table.md"
TABLES = {
    **{name: (STUDY, name) for name in ("tests", "rules", "delayed", "delays", "after drift", "new sets", "outside")},
    "file": (STUDY, "example F1, file order"),
    "shuffled": (STUDY, "example F1, shuffled"),
    "macro": (STUDY, "macro F1, file order"),
    "own": (STUDY, "own rules"),
    "drift": (DRIFT, "means"),
    **{name: (COUNCIL, name) for name in ("beside", "never below")},
}
NONE = None
"""A figure that is in no table: a constant, a figure of others, or of a run that is told and not kept."""
P = "p (Wilcoxon, Holm of three)"
FADING, WINDOW = "OnlineLogistic, fading .999", "RankedKNN, window 1,000"

CLAIMS: dict[str, dict[str, list]] = {
    STUDY: {
        "With labels 100 rows late": [
            "delays|Council|2 - delays|OnlineLogistic|2", "delays|Council|3 - delays|OnlineLogistic|3",
            "delays|OnlineLogistic|4 - delays|Council|4", "delays|OnlineLogistic|5 - delays|Council|5",
            "delays|OnlineLogistic|9",
        ],
        "**Equal rules.**": [NONE],
        "Of .1, .15, .2,": [NONE],
        "So it is .2.": [NONE, "file|OnlineLogistic|scene", NONE],
        "**First is [Council]": [
            "file|Council|mean", "file|Council|without movies", "file|SMART|flags", "file|Vowpal Wabbit|flags",
            "file|Council|flags", "file|OnlineLogistic|mean", "file|Vowpal Wabbit|mean", "file|RankedKNN|mean",
        ],
        "**Much of that lead is what": ["beside|mean|2", "beside|mean|3"],
        "Council is below no-change nowhere": ["file|Council|scene - file|NoChange|scene"],
        "**Council is first on eleven again**": [
            "shuffled|Council|mean", "shuffled|Council|without movies", "beside|mean|6", "file|Council|scene",
            "shuffled|Council|scene",
        ],
        "Wilcoxon's signed ranks with": [NONE],
        "**By equal rules Council is apart": [
            "tests|file order, example F1, by expected F1|largest p",
            "tests|shuffled, micro F1, by expected F1|largest p",
        ],
        "Nothing of a row's labels reaches": [NONE] * 4,
        "The rule by expected F1 serves all": [NONE, "file|MLBELS|20ng"],
        "around a learner ([how]": [NONE] * 2,
        "**First is Council** on all eleven": [
            "own|Council|mean", "own|OnlineLogistic|mean", "own|RankedKNN|mean", "own|HedgedMLHAT|mean",
            "own|MLHAT|mean", "own|MLBELS|mean", "own|HedgedMLHAT, by cardinality|mean",
            "own|MLHAT, by cardinality|mean",
        ],
        "**By macro F1 Council is not apart": [
            "tests|file order, macro F1, by threshold|largest p",
            "tests|file order, macro F1, by expected F1|largest p",
            "tests|shuffled, macro F1, by expected F1|largest p", NONE,
            "tests|file order, macro F1, by threshold|largest p", "macro|NoChange|scene", "macro|Council|scene",
            "macro|Council|mean", "rules|Council|6",
        ],
        "How often a row has exactly": [NONE] * 8,
        "**Here Council is first by rank": [
            "delayed|Council|rank", "delayed|OnlineLogistic|mean", "delayed|Council|mean", "delayed|RankedKNN|mean",
            *[NONE] * 4,
        ],
        "What Council lacks to OnlineLogistic": [
            "delayed|Council|7", "delayed|OnlineLogistic|7", "delayed|RankedKNN|7",
            "delayed|RankedKNN|scene", "delayed|Council|scene",
        ],
        "A rotation costs Council": [
            "after drift|Council|4", "after drift|Council of five|4",
            "after drift|Council of five|3 - after drift|Council|3", NONE, NONE, "after drift|Council|6",
            "after drift|Council of five|6", "after drift|Council|2 - after drift|Council of five|2",
            "after drift|Council|5 - after drift|Council of five|5", f"after drift|{FADING}|4",
            "after drift|OnlineLogistic|4", f"after drift|{WINDOW}|4", "after drift|RankedKNN|4",
        ],
        "Council is first if 0/0 is 0": ["file|Council|birds", *[NONE] * 4],
        "Council is first on all three": ["new sets|NoChange|glucose"],
        "**iHOMER**": ["outside|iHOMER, printed|scene", NONE],
        "**OEMLHAT**": [NONE] * 6,
    },
    DRIFT: {
        "**Of these learners Council is first": [
            "drift|Council|example F1", "drift|Council|by cardinality", "drift|MLBELS|by cardinality", NONE, NONE,
        ],
        "On RBF, where there is more": [NONE, NONE],
    },
    COUNCIL: {
        "Example F1 of seed 1 in file order": [NONE, NONE],
        "The parameters of three experts": [NONE] * 3,
        "**Council is ahead of the fixed mean**": [
            "beside|mean|2", "beside|mean|6", "beside|mean|10", "beside|mean|3", "beside|mean|7", "beside|mean|11",
            "beside|mean|4", f"beside|{P}|4", "beside|mean|8", f"beside|{P}|8",
        ],
        "Its own answer is below no-change": [
            NONE, "never below|sorted: 14 streams|4", "never below|bursts: 14 streams|4",
            *(f"never below|{order} streams|6 - never below|{order} streams|3"
              for order in ("file: 12", "sorted: 14", "bursts: 14")),
            "never below|bursts: 14 streams|7", *[NONE] * 4,
        ],
    },
    "docs/learners/council.md": {
        "7. Its memory of gradients": [NONE],
        "It has the best mean rank of": ["file|Council|mean", "file|OnlineLogistic|mean"],
        "Much of that lead is what": ["beside|mean|2", "beside|mean|3", NONE],
        "Where rows come in runs of": [NONE, "never below|bursts: 14 streams|7"],
    },
    "docs/learners/smart.md": {
        "Labels rotated in 11 stages": [NONE] * 2,
        "Twelve streams with known drift": [
            "drift|SMART|example F1", "drift|SMART (static)|example F1", "drift|no-change|example F1",
        ],
    },
    "docs/learners/mlhat.md": {
        "On 100,000 rows of": [NONE] * 4,
        "Over twelve streams with known drift": ["drift|MLHAT|example F1", "drift|no-change|example F1"],
    },
    "docs/learners/online_logistic.md": {
        "AdaGrad is as in its paper": [NONE],
    },
}  # fmt: skip
"""Of each paragraph, known by how it begins, where its figures come from, in order: table, row and column."""


@cache
def cells(table: str) -> dict[tuple[str, str], float]:
    """The first number of each cell, by row and column; columns by name and by number from 0."""
    page, name = TABLES[table]
    part = (ROOT / page).read_text(encoding="utf-8").partition(f"<!-- table: {name} -->")[2].partition("<!-- end")[0]
    heads, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in part.split("\n") if line[:1] == "|")
    found = {}
    for row in rows:
        for place, cell in enumerate(row):
            for number in CELL.findall(cell)[:1]:
                for column in (heads[place], str(place)):
                    found[row[0], column] = found[row[1], column] = float(number.replace("−", "-"))
    return found


def value(cell: str) -> float:
    table, row, column = cell.split("|")
    return cells(table)[row, column]


def paragraphs(page: str) -> list[str]:
    """The page's prose: paragraphs and items of lists that have figures."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    parts = re.split(r"\n\s*\n|\n(?=(?:- |\d+\. |#))", text)
    prose = ["\n".join(line for line in part.split("\n") if not line.startswith("|")) for part in parts]
    return [part.strip().removeprefix("- ") for part in prose if FIGURE.search(part)]


@pytest.mark.whole
@pytest.mark.parametrize("page", CLAIMS)
def test_each_figure_in_a_sentence_is_that_of_its_table(page):
    left = dict(CLAIMS[page])
    for text in paragraphs(page):
        begin = next((each for each in left if text.startswith(each)), None)
        assert begin is not None, f"whence are the figures of: {text[:100]}"
        figures, origins = [float(each.replace("−", "-")) for each in FIGURE.findall(text)], left.pop(begin)
        assert len(figures) == len(origins), (begin, figures)
        for figure, origin in zip(figures, origins, strict=True):
            if origin is not NONE:
                first, *second = map(value, origin.split(" - "))
                # a difference is of figures that were rounded by themselves
                close = 0.00101 if second else 1e-9
                assert abs(figure) == pytest.approx(abs(first - sum(second)), abs=close), (begin, figure, origin)
    assert not left, "these paragraphs are no more"
