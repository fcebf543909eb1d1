"""Labels that come late, and a label that comes late itself: the first answer, and the one asked again meanwhile.

``python -m benchmarks delays [--sets …] [--learners …] [--keep]``

A row is answered when it comes; its labels come so many rows later. Just before they do, it is answered once more, by
what was learned meanwhile: the last of the answers that M. Grzenda, H. M. Gomes and A. Bifet ("Delayed labelling
evaluation for data streams", Data Mining and Knowledge Discovery 34, 2020) ask for while a label is awaited. In another
run of each stream its second most frequent label first comes half-way.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse
from sklearn.metrics import f1_score

import streamlab as sl
from benchmarks.data import SHARED
from benchmarks.harness import Sheet, asked, figure
from benchmarks.kept import DELAYS, keep, machine, versions
from benchmarks.study_sets import sources
from streamlab.learners import Learner
from streamlab.study.definition import sources_of, stream_of

__all__ = ["WAITS", "answered_twice", "delays"]

WAITS = (0, 100, 1000)
"""Rows after which labels come."""
STEP = 20
"""Rows answered, and learned, at a time."""
ROWS = 5000
"""Rows of each stream, at most."""
PUBLISHED = ("yeast", "scene", "enron", "slashdot", "tmc")
MADE = "syn-regions"
"""The sixth stream is generated, and has drifts of its own."""
LEARNERS: dict[str, Callable[[], Learner]] = {
    "Council": lambda: sl.Council(seed=1),
    "OnlineLogistic": lambda: sl.OnlineLogistic(),
    "RankedKNN": lambda: sl.RankedKNN(),
    "HedgedMLHAT": lambda: sl.HedgedMLHAT(seed=1, decision="expected_f1"),
    "SMART": lambda: sl.SMART(warm_up=10, seed=1, decision="expected_f1"),
    "MLBELS": lambda: sl.MLBELS(seed=1, decision="expected_f1"),
    "NoChange": lambda: sl.NoChange(),
}


def delays(options: Sequence[str]) -> None:
    """Example F1 of the first answer and of the one just before the labels come, for three delays; and a new label."""
    given = asked("delays", options, sets=[*PUBLISHED, MADE], learners=list(LEARNERS), keep=False)
    heads = ("stream", "learner", "delay", "first answer", "asked again", "new label: first answer", "asked again")
    sheet, rows = Sheet("example F1; of the new label its own F1 from half-way on", heads), []
    found = {
        name: stream_of(each.recipe, each.identity) for name, each in sources_of(sources(given.sets), SHARED).items()
    }
    if MADE in given.sets:
        found[MADE] = sl.load(MADE, n_rows=ROWS, seed=1)
    for name, stream in found.items():
        X, Y, schema = first_rows(stream)
        half, label = len(Y) // 2, int(np.argsort(-Y.sum(axis=0, dtype=np.int64), kind="stable")[1])
        emerging = Y.copy()
        emerging[:half, label] = 0
        for learner in given.learners:
            for wait in WAITS:
                plain = answered_twice(LEARNERS[learner](), schema, X, Y, wait)
                late = answered_twice(LEARNERS[learner](), schema, X, emerging, wait)
                cells: dict[str, Any] = {"stream": name, "learner": learner, "delay": wait}
                for which, labels, others in zip(("first", "again"), plain, late, strict=True):
                    cells[which] = f1_score(Y, labels, average="samples", zero_division=0)
                    cells[f"new_{which}"] = f1_score(Y[half:, label], others[half:, label], zero_division=0)
                rows.append(cells)
                figures = (figure(cells[each]) for each in ("first", "again", "new_first", "new_again"))
                sheet.add(name, learner, f"{wait:,}", *figures)
    sheet.show()
    if given.keep:
        made = {"versions": versions(), "machine": machine(), "ended": time.strftime("%Y-%m-%d")}
        keep(pd.DataFrame(rows).assign(**made), DELAYS)


def first_rows(stream: sl.Stream) -> tuple[Any, np.ndarray, sl.Schema]:
    """Return the first rows of a stream as whole arrays, (n, features) and uint8 (n, labels), and its schema."""
    Xs, Ys, n = [], [], 0
    for chunk in stream.chunks(100):
        Xs.append(chunk.X)
        Ys.append(chunk.Y)
        n += len(chunk.Y)
        if n >= ROWS:
            break
    X = scipy.sparse.vstack(Xs, format="csr") if scipy.sparse.issparse(Xs[0]) else np.concatenate(Xs)
    return X[:ROWS], np.concatenate(Ys)[:ROWS], stream.schema


def answered_twice(
    model: Learner, schema: sl.Schema, X: Any, Y: np.ndarray, wait: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the labels that a learner answers to each row as it comes, and just before its labels come.

    ``X`` (n, features) may be sparse, ``Y`` is uint8 (n, labels), and so are both answers; labels come ``wait`` rows
    late. Rows whose labels have not come at the end are not asked again: their first answer stands.
    """
    model.bind(schema)
    first = np.zeros(Y.shape, np.uint8)
    again = np.zeros(Y.shape, np.uint8)
    kept: dict[int, np.ndarray | None] = {}
    for start in range(0, len(Y), STEP):
        stop = min(start + STEP, len(Y))
        _, first[start:stop], kept[start] = model._answer_waiting(X[start:stop])
        again[start:stop] = first[start:stop]
        due = start - wait
        if due >= 0:
            end = min(due + STEP, len(Y))
            if wait:
                again[due:end] = model.answer_many(X[due:end])[1]
            model._learn_late(X[due:end], Y[due:end], kept.pop(due))
    return first, again
