"""How the cost grows: CPU time a row and memory of each learner against rows, labels and features, and their slopes.

``python -m benchmarks growth [--learners …] [--axes rows labels features sparse] [--seconds 16] [--results FILE]
[--picture FILE]``

Made-up rows of 20 features and 10 labels; one of these numbers grows. Each learner answers and learns chunks of 100,
until a curve has used its seconds of CPU time: what does not end by then is left out. Against rows one learner goes on,
and the time is that of the stretch since the size before. Against labels and features each size has a learner of its
own, and the time is the median of the last 10 of 20 chunks. A slope is that of least squares of log cost against log
size, over the four largest sizes: cost ~ size^slope.
"""

from __future__ import annotations

import math
import statistics
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import streamlab as sl
from benchmarks.data import sparse
from benchmarks.harness import CHUNK, MISSING, Results, Sheet, asked, console, figure
from docs.figures.svg import WIDE, save_panels
from streamlab.learners import Learner
from streamlab.learners.points.point_learner import one_thread
from streamlab.schema import Hierarchy, NumberedFeatures, Schema

__all__ = ["AXES", "LEARNERS", "Topics", "main", "measured", "slope"]

LEARNERS: dict[str, Callable[[], Learner]] = {
    "NoChange": sl.NoChange,
    "MajorityLabels": sl.MajorityLabels,
    "SMART": lambda: sl.SMART(seed=1),
    "MLHT": sl.MLHT,
    "MLHAT": lambda: sl.MLHAT(seed=1),
    "HedgedMLHAT": lambda: sl.HedgedMLHAT(seed=1),
    "HoeffdingTrees": sl.HoeffdingTrees,
    "PrunedSets": sl.PrunedSets,
    "MLKNN": sl.MLKNN,
    "BalancedKNN": sl.BalancedKNN,
    "HierarchicalKNN": sl.HierarchicalKNN,
    "ARkNN": sl.ARkNN,
    "MLBELS": lambda: sl.MLBELS(seed=1),
    "Council": lambda: sl.Council(seed=1),
}
WITH_A_TREE = ("HierarchicalKNN",)
"""Learners whose labels are a tree, ten below each, and whose rows have one path."""
N_FEATURES, N_LABELS = 20, 10


def steps(first: int, last: int) -> tuple[int, ...]:
    """Powers of ten, and three times each but the last."""
    return (*(each * 10**power for power in range(first, last) for each in (1, 3)), 10**last)


AXES = {"rows": steps(3, 7), "labels": steps(1, 4), "features": steps(1, 5), "sparse": steps(3, 5)}
"""What grows, and its sizes; ``sparse``: features of which a row has about 30."""
N_CHUNKS = 20
MOST_BYTES = 2 << 30
"""A curve ends before a learner larger than this."""
LARGEST = 4
"""Sizes that a slope is of."""


class Topics:
    """Rows in chunks without end, each a function of its place: a topic has up to three labels, and raises 3 features.

    Parameters
    ----------
    n_features, n_labels
        How many.
    has_tree
        Whether the labels are a tree, ten below each; a row then has one path to a leaf.
    """

    def __init__(self, n_features: int = N_FEATURES, n_labels: int = N_LABELS, *, has_tree: bool = False) -> None:
        self.tree = Hierarchy(tuple(each // 10 - 1 for each in range(n_labels))) if has_tree else None
        labels = tuple(f"l{label}" for label in range(n_labels))
        self.schema = Schema(NumberedFeatures(n_features), labels, self.tree)
        self._topics = np.array(self.tree.leaves if self.tree else range(n_labels))

    def chunks(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        n_features, n_labels = self.schema.n_features, self.schema.n_labels
        rows, block = np.arange(CHUNK), 0
        while True:
            rng = np.random.default_rng((1, block))
            topic = self._topics[(len(self._topics) * rng.random(CHUNK) ** 2).astype(np.int64)]
            X = rng.random((CHUNK, n_features))
            for j in range(3):
                X[rows, (topic * 3 + j) * 7919 % n_features] += 1.0
            Y = np.zeros((CHUNK, n_labels), np.uint8)
            Y[rows, topic] = 1
            if self.tree is not None:
                Y = self.tree.with_ancestors(Y)
            else:
                for step in (1, 7):
                    Y[rows, (topic + step) % n_labels] |= rng.random(CHUNK) < 0.5
            yield X, Y
            block += 1


class Words:
    """The same of sparse rows, of which there are but a few."""

    def __init__(self, n_features: int) -> None:
        self.schema, self._X, self._Y = sparse(N_CHUNKS * CHUNK, n_features, n_labels=N_LABELS)

    def chunks(self) -> Iterator[tuple[Any, np.ndarray]]:
        for start in range(0, self._X.shape[0], CHUNK):
            yield self._X[start : start + CHUNK], self._Y[start : start + CHUNK]


def source(axis: str, size: int, name: str) -> Topics | Words:
    """Rows of a size along an axis."""
    if axis == "sparse":
        return Words(size)
    grown = {"labels": "n_labels", "features": "n_features"}
    return Topics(**({grown[axis]: size} if axis in grown else {}), has_tree=name in WITH_A_TREE)


def measured(name: str, axis: str, seconds: float, sizes: Sequence[int] = ()) -> Iterator[dict[str, Any]]:
    """Yield size, microseconds a row and bytes for each size along an axis that is done in time.

    Parameters
    ----------
    name, axis
        Of ``LEARNERS`` and ``AXES``.
    seconds
        CPU time of the whole curve.
    sizes
        In place of those of the axis, rising.
    """
    left = seconds
    warm(name, axis)
    if axis == "rows":
        yield from along_rows(name, seconds, sizes or AXES[axis])
        return
    for size in sizes or AXES[axis]:
        rows = source(axis, size, name)
        spent: list[float] = []
        model = None
        try:
            begun = time.process_time()
            model = LEARNERS[name]().bind(rows.schema)
            left -= time.process_time() - begun
            for _, (X, Y) in zip(range(N_CHUNKS), rows.chunks(), strict=False):
                spent.append(chunk_seconds(model, X, Y))
                left -= spent[-1]
                if left < 0 or model.n_bytes > MOST_BYTES:
                    return
        except (MemoryError, ValueError) as refusal:  # it says how much it would need
            console.print(f"{name}, {size:,} {axis}: {refusal}")
            return
        late = statistics.median(spent[N_CHUNKS // 2 :])
        yield {"size": str(size), "us": 1e6 * late / CHUNK, "bytes": model.n_bytes}


def along_rows(name: str, seconds: float, sizes: Sequence[int]) -> Iterator[dict[str, Any]]:
    """The same of one learner that goes on: the time is that since the size before."""
    rows = source("rows", 0, name)
    model = LEARNERS[name]().bind(rows.schema)
    chunks, seen, left = rows.chunks(), 0, seconds
    for size in sizes:
        stretch = 0.0
        for _ in range((size - seen) // CHUNK):
            stretch += chunk_seconds(model, *next(chunks))
            if left < stretch:
                return
        left -= stretch
        yield {"size": str(size), "us": 1e6 * stretch / (size - seen), "bytes": model.n_bytes}
        seen = size


def chunk_seconds(model: Learner, X: Any, Y: np.ndarray) -> float:
    """CPU seconds in which a learner answers and learns a chunk."""
    begun = time.process_time()
    model.test_then_train(X, Y)
    return time.process_time() - begun


def warm(name: str, axis: str) -> None:
    """Let kernels be compiled or read, by rows of the smallest size, and those that are called but rarely."""
    rows = source(axis, AXES[axis][0], name)
    model = LEARNERS[name]().bind(rows.schema)
    model.prepare()
    for _, (X, Y) in zip(range(30), rows.chunks(), strict=False):
        model.test_then_train(X, Y)


def reading(n_rows: int = 100_000) -> None:
    """Show CPU microseconds to read a row of 20 features and 10 labels, from files and from a generator."""
    rows = Topics()
    parts = [np.hstack(each) for _, each in zip(range(n_rows // CHUNK), rows.chunks(), strict=False)]
    table = pd.DataFrame(np.concatenate(parts), columns=[*rows.schema.feature_names, *rows.schema.labels])
    table = table.astype(dict.fromkeys(rows.schema.labels, np.uint8))
    sheet = Sheet("µs to read a row", ("from", "µs", "bytes a row"))
    with tempfile.TemporaryDirectory() as folder:
        csv, parquet = Path(folder, "rows.csv"), Path(folder, "rows.parquet")
        table.to_csv(csv, index=False)
        table.to_parquet(parquet, row_group_size=10_000)
        sources = {path.suffix[1:]: (path, {"labels": list(rows.schema.labels)}) for path in (csv, parquet)}
        sources["syn-regions, made up"] = ("syn-regions", {"n_rows": n_rows, "seed": 1})
        for name, (where, options) in sources.items():
            stream = sl.load(where, **options)
            times = []
            for _ in range(3):
                begun = time.process_time()
                deque(stream.chunks(1000), maxlen=0)
                times.append(time.process_time() - begun)
            us = 1e6 * statistics.median(times) / n_rows
            sheet.add(name, f"{us:.2f}", where.stat().st_size // n_rows if isinstance(where, Path) else None)
    sheet.show()


def slope(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return the exponent of the cost over the largest sizes; NaN for fewer than three."""
    if len(sizes) < 3:
        return math.nan
    return float(np.polyfit(np.log(sizes[-LARGEST:]), np.log(costs[-LARGEST:]), 1)[0])


def main(options: Sequence[str]) -> int:
    given = asked(
        "growth", options, learners=list(LEARNERS), axes=list(AXES), seconds=16.0, results=None, picture=None
    )  # fmt: skip
    results = Results(given.results, ("learner", "axis", "size"), ("us", "bytes"))
    with one_thread():
        for name in given.learners:
            for axis in given.axes:
                if axis == "sparse" and not LEARNERS[name]().takes_sparse:
                    continue
                if any((row["learner"], row["axis"]) == (name, axis) for row in results.rows):
                    continue
                for row in list(measured(name, axis, given.seconds)):  # a curve is kept as a whole
                    results.add({"learner": name, "axis": axis, **row})
    reading()
    for axis in given.axes:
        report(pd.DataFrame(results.rows), axis)
    if given.picture is not None:
        draw(pd.DataFrame(results.rows), given.picture)
    return 0


def report(table: pd.DataFrame, axis: str) -> None:
    """A line for each learner: microseconds a row at powers of ten, slopes of time and memory, and where it ended.

    Against rows also the hours of one processor that 10^9 rows take at the last of these times.
    """
    tens = [size for size in AXES[axis] if str(size).strip("0") == "1"]
    hours = ("10⁹ rows, h",) if axis == "rows" else ()
    heads = ("", *(f"{size:,}" for size in tens), "slope", "up to", *hours, "MB there", "slope of memory")
    sheet = Sheet(f"µs a row, by {axis}", heads)
    for name, part in table[table.axis == axis].groupby("learner", sort=False):
        sizes = part["size"].astype(int).tolist()
        at = dict(zip(sizes, part.us, strict=True))
        times = (rounded(at[size]) if size in at else MISSING for size in tens)
        of_time, of_memory = (figure(round(slope(sizes, part[what].tolist()), 2) + 0.0, 2) for what in ("us", "bytes"))
        taken = (rounded(1e3 * part.us.iloc[-1] / 3600),) if hours else ()
        sheet.add(name, *times, of_time, f"{sizes[-1]:,}", *taken, rounded(part.bytes.iloc[-1] / 1e6), of_memory)
    sheet.show()


def rounded(value: float) -> str:
    """A number of two or three digits, for a table."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}" if value >= 1 else f"{value:.2f}"


DRAWN = ("NoChange", "SMART", "MLHAT", "MLKNN", "ARkNN", "MLBELS", "Council")


def draw(table: pd.DataFrame, path: Path) -> None:
    """A panel for each axis: microseconds a row against the size, both logarithmic."""
    points = [
        (f"{'features of sparse rows' if axis == 'sparse' else axis}", name, int(size), us)
        for axis in AXES
        for name in DRAWN
        for size, us in table.loc[(table.axis == axis) & (table.learner == name), ["size", "us"]].to_numpy()
    ]
    frame = pd.DataFrame(points, columns=["panel", "curve", "x", "y"])
    save_panels(path, frame, x="", y="µs a row", across=2, log2=True, log_y=True, width=WIDE)
