"""What a drift costs right after it: the same rows answered with the drift and without it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

import streamlab as sl
from benchmarks.data import SHARED
from benchmarks.harness import CHUNK, Sheet, asked, figure
from benchmarks.kept import AFTER_DRIFT, keep, machine, versions
from benchmarks.study_sets import LATE, sources
from streamlab.learners import Learner
from streamlab.study.definition import sources_of, stream_of

__all__ = ["SOON", "after_drift"]

SOON = 500
"""Rows after the drift that count as right after it."""
LEARNERS: dict[str, Callable[[], Learner]] = {
    "Council": lambda: sl.Council(seed=1),
    "Council of five": lambda: sl.Council([
        sl.HedgedMLHAT(seed=1), sl.SMART(warm_up=10, seed=1), sl.MLBELS(seed=1), sl.ARkNN(), sl.NoChange()
    ]),
    "HedgedMLHAT": lambda: sl.HedgedMLHAT(seed=1, decision="expected_f1"),
    "SMART": lambda: sl.SMART(warm_up=10, seed=1, decision="expected_f1"),
    "OnlineLogistic": lambda: sl.OnlineLogistic(),
    "OnlineLogistic, fading .999": lambda: sl.OnlineLogistic(fading=0.999),
    "RankedKNN": lambda: sl.RankedKNN(),
    "RankedKNN, window 1,000": lambda: sl.RankedKNN(window=1000),
    "ARkNN": lambda: sl.ARkNN(decision="expected_f1"),
    "NoChange": lambda: sl.NoChange(),
}  # fmt: skip
"""All but no-change answer by expected F1; SMART row by row."""


def after_drift(options: Sequence[str]) -> None:
    """Every label takes the next one's name half-way: example F1 on the same rows with and without it."""
    given = asked("after_drift", options, sets=list(LATE), learners=list(LEARNERS), keep=False)
    heads = ("", "learner", "before", f"next {SOON}: without", "with", "rest: without", "with")
    sheet, rows = Sheet("example F1 of rows before and after a rotation half-way", heads), []
    for name, source in sources_of(sources(given.sets), SHARED).items():
        stream = stream_of(source.recipe, source.identity)
        at = stream.n_rows // 2 if stream.n_rows else 0
        for learner in given.learners:
            calm, turned = (f1_of_rows(each, LEARNERS[learner]()) for each in (stream, sl.rotate_labels(stream, at=at)))
            parts = {"before": slice(at - SOON, at), "soon": slice(at, at + SOON), "rest": slice(at + SOON, None)}
            found: dict[str, Any] = {"stream": name, "learner": learner, "at": at}
            for part, place in parts.items():
                found |= {part: float(turned[place].mean()), f"{part}_calm": float(calm[place].mean())}
            rows.append(found)
            cells = ("before", "soon_calm", "soon", "rest_calm", "rest")
            sheet.add(name, learner, *(figure(found[each], 3) for each in cells))
    sheet.show()
    if given.keep:
        made = {"versions": versions(), "machine": machine(), "ended": time.strftime("%Y-%m-%d")}
        keep(pd.DataFrame(rows).assign(**made), AFTER_DRIFT)


def f1_of_rows(stream: sl.Stream, model: Learner) -> np.ndarray:
    """Return the F1 of each row, answered before it is learned; 0 where nothing is true or nothing is answered."""
    size = 1 if model.predicts_whole_chunks else CHUNK
    model.bind(stream.schema)
    found = []
    for chunk in stream.chunks(CHUNK):
        for start in range(0, len(chunk.Y), size):
            X, Y = chunk.X[start : start + size], chunk.Y[start : start + size]
            _, labels = model.test_then_train(X, Y)
            total = labels.sum(axis=1, dtype=np.int64) + Y.sum(axis=1, dtype=np.int64)
            found.append(2 * (labels & Y).sum(axis=1) / np.maximum(total, 1))
    return np.concatenate(found)
