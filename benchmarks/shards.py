"""Quality against the number of shards: learners taught apart that vote, SMART added exactly, one learner of all rows.

``python -m benchmarks shards [--sets …] [--learners …] [--seeds 1 2 3] [--rows N] [--results FILE] [--picture FILE]``

The first four fifths of a set are dealt to the shards at random. Each shard has a learner of its own; all of them
answer every chunk of 100 rows, before their own rows of it are learned, and the mean of their scores is the answer. The
last fifth is answered, and not learned. SMART's shards are also added, and ``learn_in_shards`` is asked for 8.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import streamlab as sl
from benchmarks.data import missing, opened, read
from benchmarks.harness import CHUNK, Results, Sheet, asked, console, figures
from docs.figures.svg import save_panels
from streamlab.learners import Learner
from streamlab.study import learn_in_shards

__all__ = ["ADDED", "LEARNERS", "SETS", "SHARDS", "exact", "main", "measured"]

SEEDS = (1, 2, 3)
SHARDS = (1, 2, 4, 8, 16)
HELD_OUT = 0.2
SETS = ("yeast", "20ng", "tmc")
ADDED = ", added"
"""What follows the name of a learner whose shards are added; without it they vote."""
LEARNERS: dict[str, Callable[[int], Learner]] = {
    "SMART": lambda seed: sl.SMART(seed=seed),
    "SMART, never forgets": lambda seed: sl.SMART(half_life=math.inf, seed=seed),
    "MLHAT": lambda seed: sl.MLHAT(seed=seed),
    "HedgedMLHAT": lambda seed: sl.HedgedMLHAT(seed=seed),
    "HoeffdingTrees": lambda seed: sl.HoeffdingTrees(),
}
ONLY = {"HoeffdingTrees": ("yeast",)}
"""Sets of a learner that takes many minutes on the others, a tree for each label of as many shards."""
MEASURES = {"f1": "example F1", "cardinality_f1": "example F1, by cardinality", "brier_loss": "Brier score"}
WHERE = {"held": "held out", "online": "before learning"}
VALUES = (*(f"{where}_{name}" for where in WHERE for name in MEASURES), "seconds")
"""``held_…`` of the last fifth, ``online_…`` of the first four, each row before it was learned; CPU seconds."""


def main(options: list[str] | None = None) -> int:
    given = asked(
        "shards", options, sets=list(SETS), learners=list(LEARNERS), seeds=SEEDS, rows=10**9, results=None, picture=None
    )  # fmt: skip
    if missing():
        return 1
    results = Results(given.results, ("stream", "learner", "shards", "seed"), VALUES)
    for stream, learner, shards, seed in product(given.sets, given.learners, SHARDS, given.seeds):
        if stream in ONLY.get(learner, SETS) and not results.holds(stream, learner, str(shards), seed):
            for row in measured(stream, learner, shards, seed, given.rows):
                results.add(row)
    report(results.rows, given.sets)
    for stream in given.sets:
        apart = exact(stream, 8, given.seeds[0], given.rows)
        console.print(f"{stream}: learn_in_shards(…, 8) and one SMART differ by {apart:.1e} at most, of scores up to 1")
    if given.picture is not None:
        draw(results.rows, given.sets, given.picture)
    return 0


def measured(stream: str, name: str, n_shards: int, seed: int, n_rows: int | None = None) -> list[dict[str, Any]]:
    """The figures of the shards that vote, and, where they can be added, of their sum.

    Parameters
    ----------
    stream, name
        Of ``SETS`` and ``LEARNERS``.
    n_shards
        How many learners share the rows.
    seed
        Of the learners, all the same, and of the dealing of rows.
    n_rows
        Only so many first rows; None: all.
    """
    schema, X, Y = read(stream)
    X, Y = X[:n_rows], Y[:n_rows]
    n_taught = taught(len(X))
    shard_of = np.random.default_rng(seed).permutation(np.arange(n_taught) % n_shards)
    models = [begun(name, seed, X).bind(schema) for _ in range(n_shards)]
    scores = np.zeros(Y.shape)
    start_of_clock = time.thread_time()
    for start in range(0, len(X), CHUNK):
        rows = np.arange(start, min(start + CHUNK, len(X)))
        scores[rows] = voted(models, X[rows])
        if start >= n_taught:
            continue
        for shard, model in enumerate(models):
            own = rows[shard_of[rows] == shard]
            if len(own):
                # all rows keep their instants, so that what fades does so as in one learner
                clock = {"timestamps": own + 1} if isinstance(model, sl.SMART) else {}
                model.learn_many(X[own], Y[own], **clock)
    seconds = time.thread_time() - start_of_clock
    about = {"stream": stream, "shards": str(n_shards), "seed": seed, "seconds": seconds}
    found = told(Y[n_taught:], scores[n_taught:], "held") | told(Y[:n_taught], scores[:n_taught], "online")
    rows_of_table = [{**about, "learner": name, **found}]
    if isinstance(models[0], sl.SMART):
        first, *others = models
        for other in others:
            first.merge(other)
        online = dict.fromkeys((f"online_{each}" for each in MEASURES), math.nan)
        found = told(Y[n_taught:], first.predict_proba_many(X[n_taught:]), "held") | online
        rows_of_table.append({**about, "learner": name + ADDED, **found})
    return rows_of_table


def taught(n_rows: int) -> int:
    """How many of the rows are learned: four fifths, in whole chunks."""
    return round((1 - HELD_OUT) * n_rows / CHUNK) * CHUNK


def begun(name: str, seed: int, X: np.ndarray) -> Learner:
    """A learner of a shard; SMARTs draw thresholds from the range of the first rows of all, or could not be added."""
    model = LEARNERS[name](seed)
    if isinstance(model, sl.SMART):
        first = X[: model.warm_up]
        return model.clone({"bounds": (first.min(axis=0), first.max(axis=0))})
    return model


def voted(models: Sequence[Learner], X: np.ndarray) -> np.ndarray:
    """The mean of the learners' scores."""
    return np.mean([model.predict_proba_many(X) for model in models], axis=0)


def told(Y: np.ndarray, scores: np.ndarray, where: str) -> dict[str, float]:
    """The measures of scores, a label answered above one half, and by cardinality."""
    found = figures(Y, (scores > 0.5).astype(np.uint8), scores, decides=True)
    return {f"{where}_{name}": found[name] for name in MEASURES}


def exact(stream: str, n_shards: int, seed: int, n_rows: int | None = None) -> float:
    """The largest difference between the scores of ``learn_in_shards`` and of one SMART, on the rows held out."""
    _, X, _ = read(stream)
    X = X[:n_rows]
    n_taught = taught(len(X))
    first = sl.join(opened(stream), n_taught)
    merged = learn_in_shards(first, sl.SMART(seed=seed), n_shards, workers=2)
    alone = sl.SMART(seed=seed).bind(first.schema)
    for chunk in first.chunks(1000):
        alone.learn_many(chunk.X, chunk.Y)
    held = X[n_taught:]
    return float(np.abs(merged.predict_proba_many(held) - alone.predict_proba_many(held)).max())


def report(rows: list[dict[str, Any]], sets: Sequence[str]) -> None:
    """A table for each measure: a line for each set and learner, a column for each number of shards."""
    table = pd.DataFrame(rows)
    table = table[table.stream.isin(sets)]
    for where, words in WHERE.items():
        for measure, title in MEASURES.items():
            sheet = Sheet(f"{title}, {words}; mean of seeds", ("", "", *(f"shards: {n}" for n in SHARDS)))
            means = table.groupby(["stream", "learner", "shards"], sort=False)[f"{where}_{measure}"].mean()
            for (stream, learner), values in means.unstack(sort=False).dropna(how="all").iterrows():
                sheet.add(stream, learner, *(values.get(str(n), math.nan) for n in SHARDS))
            sheet.show()
    sheet = Sheet("CPU seconds of all", ("", "s"))
    for learner, seconds in table.groupby("learner", sort=False).seconds.sum().items():
        if not learner.endswith(ADDED):
            sheet.add(learner, seconds)
    sheet.show()


def draw(rows: list[dict[str, Any]], sets: Sequence[str], path: Path) -> None:
    """A panel for each set: example F1 by cardinality on the rows held out, against the shards."""
    learners = [name for name in dict.fromkeys(row["learner"] for row in rows) if name.removesuffix(ADDED) in DRAWN]
    points = [
        (stream, learner if learner.endswith(ADDED) else f"{learner}, voting", int(row["shards"]), row[MEASURE])
        for stream in sets
        for learner in learners
        for row in rows
        if (row["stream"], row["learner"]) == (stream, learner)
    ]
    table = pd.DataFrame(points, columns=["panel", "curve", "x", "y"])
    save_panels(path, table, x="shards", y="example F1, held out", log2=True)


MEASURE = "held_cardinality_f1"
DRAWN = ("SMART", "MLHAT", "HedgedMLHAT", "HoeffdingTrees")
"""What the picture shows: the same rule for which labels are answered, whatever the learner."""
