"""What it is worth that a council answers as its baseline where that was better lately.

``python -m benchmarks never_below [--sets …] [--keep]``

Where rows come in long runs Council's own answer may be a little below no-change, one of its experts. So it repeats
the labels of the row before while the faded sum of (F1 of no-change less that of its own answer) is above 0. What is
learned does not depend on what is answered, so that one run gives the figures with the rule and without it. The twelve
sets go in the order of their files, shuffled, sorted by label set, and in bursts: each label set's rows in a random
order, cut into runs of 1 to 20, the runs in a random order. Generated streams go in the last two orders.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

import streamlab as sl
from benchmarks.data import SHARED
from benchmarks.harness import Sheet, asked, figure
from benchmarks.kept import NEVER_BELOW, keep, machine, versions
from benchmarks.references import f1_by_row, heard
from benchmarks.study_sets import SETS, sources
from streamlab.streams.readers.arrays import ArrayStream
from streamlab.study.definition import sources_of, stream_of

__all__ = ["FADING", "in_bursts", "never_below", "with_rule"]

FADING = 0.99
"""Per row, of the sum that decides."""
MOST_ROWS, LONGEST = 4000, 20
"""Rows of a set that are put in another order, and of one burst, at most."""
DRAWS, OF_SMALL = 3, 10
"""How many orders in bursts there are, and of sets of less than 1,000 rows."""
GENERATED = ("syn-regions", "syn-rbf-sudden")


def never_below(options: Sequence[str]) -> None:
    """Council, and its own answer without giving way to no-change, beside no-change."""
    given = asked("never_below", options, sets=[*SETS, *GENERATED], keep=False)
    heads = ("", "order", "draw", "rows", "no-change", "its own answer", "Council", "its own, above", "Council, above")
    sheet, rows = Sheet("example F1, and above no-change", heads), []
    for name, order, draw, stream in _orders(given.sets):
        found = heard(stream, Alone(seed=1))
        own = f1_by_row(found.Y, found.labels)
        # the first row has none before it
        baseline = np.concatenate([[0.0], f1_by_row(found.Y[1:], found.Y[:-1])])
        f1 = {"no_change": baseline.mean(), "alone": own.mean(), "council": with_rule(own, baseline).mean()}
        rows.append({"stream": name, "order": order, "draw": draw, "rows": len(own), **f1})
        gains = (figure(f1[each] - f1["no_change"], 4, sign=True) for each in ("alone", "council"))
        sheet.add(name, order, draw, len(own), *(figure(each, 4) for each in f1.values()), *gains)
    sheet.show()
    if given.keep:
        made = {"versions": versions(), "machine": machine(), "ended": time.strftime("%Y-%m-%d")}
        keep(pd.DataFrame(rows).assign(**made), NEVER_BELOW)


class Alone(sl.Council):
    """A council that gives way to nobody."""

    def _give_way(self, *told: object) -> None:
        """Change nothing."""


def with_rule(own: np.ndarray, baseline: np.ndarray, fading: float = FADING) -> np.ndarray:
    """Return the F1 of each row, answered as the baseline while its faded lead before that row is above 0."""
    lead, found = 0.0, own.copy()
    for i, ahead in enumerate(baseline - own):
        if lead > 0:
            found[i] = baseline[i]
        lead = fading * lead + ahead
    return found


def _orders(names: Sequence[str]) -> Iterator[tuple[str, str, int, sl.Stream]]:
    real = sources_of(sources([name for name in names if name in SETS]), SHARED)
    for name, source in real.items():
        stream = stream_of(source.recipe, source.identity)
        yield name, "file", 0, stream
        yield name, "shuffled", 0, sl.shuffle_rows(stream, seed=1)
        yield from _reordered(name, stream)
    for name in (name for name in names if name in GENERATED):
        yield from _reordered(name, sl.load(name, seed=1, n_rows=MOST_ROWS))


def _reordered(name: str, stream: sl.Stream) -> Iterator[tuple[str, str, int, sl.Stream]]:
    chunks = list(stream.chunks(1000))
    X, Y = (np.concatenate([getattr(chunk, side) for chunk in chunks]) for side in "XY")
    if len(Y) > MOST_ROWS:
        kept = np.sort(np.random.default_rng(1).choice(len(Y), MOST_ROWS, replace=False))
        X, Y = X[kept], Y[kept]
    sets = np.unique(Y, axis=0, return_inverse=True)[1].ravel()
    orders = [("sorted", 0, np.argsort(sets, kind="stable"))]
    draws = range(1, 1 + (OF_SMALL if len(Y) < 1000 else DRAWS))
    orders += [("bursts", draw, in_bursts(sets, draw)) for draw in draws]
    for order, draw, rows in orders:
        yield name, order, draw, ArrayStream(X[rows], Y[rows], schema=stream.schema, name=name)


def in_bursts(sets: np.ndarray, seed: int) -> np.ndarray:
    """Return an order of rows, by the number of each row's label set: runs of one label set, up to 20 rows long."""
    rng = np.random.default_rng(seed)
    runs = []
    for number in range(sets.max() + 1):
        rows, start = rng.permutation(np.flatnonzero(sets == number)), 0
        while start < len(rows):
            stop = start + int(rng.integers(1, LONGEST + 1))
            runs.append(rows[start:stop])
            start = stop
    return np.concatenate([runs[i] for i in rng.permutation(len(runs))])
