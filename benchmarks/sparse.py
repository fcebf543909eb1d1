"""Hashed text, 2^18 columns: rows a second and memory of each learner that takes sparse rows, beside River's.

``python -m benchmarks sparse [--rows 1000000] [--river-rows 1000] [--chunk 100] [--learners SMART ...]``

Made-up posts: 30 words a row of a Zipf vocabulary, hashed into 2^18 columns, and 50 labels with words of their own.
Each learner runs in a process of its own, test then train, on the same rows; what is counted is the processor time of
its thread inside the learner, and how far the process's memory grew above what it was when the learner began. River's
classifiers, one for each label, get the sparse dictionaries that they are made for, which are ready before the clock
starts; they see fewer rows, and their speed falls as they learn. Slow learners see a part of the rows. The micro-F1 is
over the rows that each has seen.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import psutil
from river.linear_model import LogisticRegression
from river.naive_bayes import GaussianNB
from river.tree import HoeffdingTreeClassifier

import streamlab as sl
from benchmarks.harness import Sheet, asked, console
from streamlab.schema import NumberedFeatures, Schema
from streamlab.streams import Stream
from streamlab.streams.blocks import csr_rows

__all__ = ["HashedPosts", "main", "measured"]

N_FEATURES, N_LABELS, N_WORDS = 1 << 18, 50, 30
VOCABULARY, BLOCK = 100_000, 1000
MB = 1 << 20

OURS: dict[str, Callable[[], Any]] = {
    "no-change": sl.NoChange,
    "majority": sl.MajorityLabels,
    "SMART": lambda: sl.SMART(seed=1),
    "ML-KNN": sl.MLKNN,
    "MLHAT, one leaf": lambda: sl.MLHAT(max_depth=0, seed=1),
    "HedgedMLHAT, one leaf": lambda: sl.HedgedMLHAT(max_depth=0, seed=1),
    "MLHAT": lambda: sl.MLHAT(seed=1),
    "HedgedMLHAT": lambda: sl.HedgedMLHAT(seed=1),
}


class HashedPosts(Stream):
    """Posts of hashed words with labels, each block a function of the seed and its place.

    A post has one to three labels. Half of its words come from all, the other half from those of its labels: each has
    its own order of the vocabulary. Word r of an order has the weight 1/(r + 20).
    """

    is_sparse = True

    def __init__(self, n_rows: int = 1_000_000, seed: int = 1) -> None:
        self.name = "hashed posts"
        self.n_rows = n_rows
        self.seed = seed
        self.schema = Schema(NumberedFeatures(N_FEATURES, "h"), tuple(f"tag{j}" for j in range(N_LABELS)))
        rng = np.random.default_rng(seed)
        weights = 1.0 / (np.arange(VOCABULARY) + 20.0)
        self._share = np.cumsum(weights / weights.sum())
        self._column = rng.integers(0, N_FEATURES, VOCABULARY, dtype=np.int32)
        self._sign = rng.choice([-1.0, 1.0], VOCABULARY)
        self._shift = rng.integers(0, VOCABULARY, N_LABELS)

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        for first in range(start - start % BLOCK, self.n_rows, BLOCK):
            X, Y = self._block(np.random.default_rng((self.seed, first)))
            rows = slice(max(start - first, 0), self.n_rows - first)
            yield X[rows], Y[rows]

    def _block(self, rng: np.random.Generator) -> tuple[Any, np.ndarray]:
        labels = np.minimum(rng.exponential(N_LABELS / 5, (BLOCK, 3)).astype(np.int64), N_LABELS - 1)
        labels[:, 1:] = np.where(rng.random((BLOCK, 2)) < 0.5, labels[:, :1], labels[:, 1:])
        Y = np.zeros((BLOCK, N_LABELS), np.uint8)
        Y[np.arange(BLOCK)[:, None], labels] = 1
        draws = np.searchsorted(self._share, rng.random((BLOCK, 3 * N_WORDS)))
        topic = self._shift[np.take_along_axis(labels, rng.integers(0, 3, draws.shape), axis=1)]
        words = np.where(rng.random(draws.shape) < 0.5, draws, (draws * 7919 + topic) % VOCABULARY)
        order = np.argsort(self._column[words], axis=1)
        columns = np.take_along_axis(self._column[words], order, axis=1)
        signs = np.take_along_axis(self._sign[words], order, axis=1)
        is_new = np.concatenate([np.ones((BLOCK, 1), bool), columns[:, 1:] != columns[:, :-1]], axis=1)
        # so many of the different ones, at random
        rank = np.where(is_new, rng.random(columns.shape), 2.0)
        kept = np.sort(np.argsort(rank, axis=1)[:, :N_WORDS], axis=1)
        indices = np.take_along_axis(columns, kept, axis=1)
        data = np.take_along_axis(signs, kept, axis=1) / np.sqrt(N_WORDS)
        return csr_rows(np.arange(0, BLOCK * N_WORDS + 1, N_WORDS), indices.ravel(), data.ravel(), N_FEATURES), Y


# learners that see but one row in so many: all of them would take hours
SLOWER = {"River: Gaussian naive Bayes": 10, "River: Hoeffding tree": 10, "HedgedMLHAT": 5}
RIVERS = {
    "River: logistic regression": LogisticRegression,
    "River: Gaussian naive Bayes": GaussianNB,
    "River: Hoeffding tree": HoeffdingTreeClassifier,
}


def measured(name: str, n_rows: int, chunk: int) -> dict[str, float]:
    """Return rows, processor seconds, MB of growth and the micro-F1 of one learner."""
    stream = HashedPosts(n_rows)
    learn = _learn_river(name) if name in RIVERS else _learn_ours(name, stream.schema)
    # all that is loaded once is there before the memory is looked at
    next(stream.chunks(chunk))
    before = psutil.Process().memory_info().rss
    seconds, hits, answered, true = 0.0, 0, 0, 0
    for part in stream.chunks(chunk):
        took, labels = learn(part.X, part.Y)
        seconds += took
        hits += int((labels & part.Y).sum())
        answered += int(labels.sum())
        true += int(part.Y.sum())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    f1 = 2 * hits / max(answered + true, 1)
    return {"rows": n_rows, "seconds": seconds, "mb": (peak - before) / MB, "micro_f1": f1}


def _learn_ours(name: str, schema: Schema) -> Callable[[Any, np.ndarray], tuple[float, np.ndarray]]:
    warm = OURS[name]().bind(schema)
    for part in HashedPosts(BLOCK).chunks(200):
        # kernels are loaded
        warm.test_then_train(part.X, part.Y)
    model = OURS[name]().bind(schema)

    def learn(X: Any, Y: np.ndarray) -> tuple[float, np.ndarray]:
        begun = time.thread_time()
        labels = model.test_then_train(X, Y)[1]
        return time.thread_time() - begun, labels

    return learn


def _learn_river(name: str) -> Callable[[Any, np.ndarray], tuple[float, np.ndarray]]:
    models = [RIVERS[name]() for _ in range(N_LABELS)]

    def learn(X: Any, Y: np.ndarray) -> tuple[float, np.ndarray]:
        rows = [
            dict(zip(X.indices[start:stop].tolist(), X.data[start:stop].tolist(), strict=True))
            for start, stop in zip(X.indptr[:-1], X.indptr[1:], strict=True)
        ]
        labels, truth = np.zeros(Y.shape, np.uint8), Y.astype(bool).tolist()
        begun = time.thread_time()
        for i, (x, flags) in enumerate(zip(rows, truth, strict=True)):
            for j, model in enumerate(models):
                labels[i, j] = bool(model.predict_one(x))
                model.learn_one(x, flags[j])
        return time.thread_time() - begun, labels

    return learn


def main(options: list[str]) -> int:
    given = asked(
        "sparse", options, rows=1_000_000, river_rows=1000, chunk=100, learners=list(OURS), measure=""
    )  # fmt: skip
    if given.measure:
        sys.stdout.write(json.dumps(measured(given.measure, given.rows, given.chunk)) + "\n")
        return 0
    ours = [name for name in given.learners if OURS[name]().takes_sparse]
    found = {}
    for name in (*RIVERS, *ours):
        n = max((given.river_rows if name in RIVERS else given.rows) // SLOWER.get(name, 1), given.chunk)
        command = [sys.executable, "-m", "benchmarks", "sparse", "--measure", name, "--rows", str(n)]
        ended = subprocess.run([*command, "--chunk", str(given.chunk)], check=True, capture_output=True, text=True)
        found[name] = json.loads(ended.stdout.splitlines()[-1])
        console.print(f"{name}: {found[name]}")
    best = max(found[name]["rows"] / found[name]["seconds"] for name in RIVERS)
    title = f"hashed text, {N_FEATURES:,} columns, {N_WORDS} words, {N_LABELS} labels"
    sheet = Sheet(title, ("learner", "rows", "rows/s", "x the fastest of River's", "MB", "micro-F1"))
    for name, row in found.items():
        rate = row["rows"] / row["seconds"]
        sheet.add(name, row["rows"], f"{rate:,.0f}", f"{rate / best:,.1f}", f"{row['mb']:,.0f}", row["micro_f1"])
    sheet.show()
    return 0
