"""SMART on tmc2007-500: instances/s and bytes against dense trees, the paper's literal form, River; profile; limit."""

from __future__ import annotations

import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator

import numba
import numpy as np
from rich.console import Console
from rich.table import Table
from river.tree import HoeffdingTreeClassifier

from benchmarks._data import tmc2007
from benchmarks._dense_trees import DenseTrees
from streamlab.learners import SMART, OnePerLabel
from streamlab.learners.smart import _kernels as kernels

CHUNK = 100
REPEATS = 7
RIVER_ROWS = 1500
SEED = 1
PAPER_RATE = 14_973

console = Console()


def main() -> None:
    words, schema, X, Y = tmc2007()
    n_rows = len(X)
    console.print(f"{words}: {n_rows:,} x {X.shape[1]}, {Y.shape[1]} labels; chunks of {CHUNK}, one thread, CPU time")

    forward = DenseTrees(schema, literal=False, seed=SEED, kernels=kernels)
    literal = DenseTrees(schema, literal=True, seed=SEED, kernels=kernels)
    agree(SMART(seed=SEED).bind(schema), forward, literal, X[:3000], Y[:3000])

    def smart() -> Callable:
        return SMART(seed=SEED).bind(schema).test_then_train

    def dense(trees: DenseTrees) -> Callable[[], Callable]:
        def make() -> Callable:
            trees.forget()
            return trees.test_then_train

        return make

    contenders = {
        "SMART": smart,
        "dense, forward fading": dense(forward),
        "dense, fading at every visit": dense(literal),
    }
    for make in contenders.values():
        cpu_seconds(make(), X, Y)
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(REPEATS):
        for name, make in contenders.items():
            seconds[name].append(cpu_seconds(make(), X, Y))
    rates = {name: n_rows / statistics.median(values) for name, values in seconds.items()}
    river = OnePerLabel(HoeffdingTreeClassifier()).bind(schema).test_then_train
    rates[f"River, first {RIVER_ROWS:,} rows"] = RIVER_ROWS / cpu_seconds(river, X[:RIVER_ROWS], Y[:RIVER_ROWS])
    show_rates(rates, {name: n_rows / min(values) for name, values in seconds.items()})
    show_memory(schema, X, Y, forward)
    del forward, literal
    show_profile(SMART(seed=SEED).bind(schema), X, Y)


def chunks(X: np.ndarray, Y: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    for start in range(0, len(X), CHUNK):
        yield X[start : start + CHUNK], Y[start : start + CHUNK]


def cpu_seconds(test_then_train: Callable, X: np.ndarray, Y: np.ndarray) -> float:
    start = time.process_time()
    for chunk in chunks(X, Y):
        test_then_train(*chunk)
    return time.process_time() - start


def agree(model: SMART, forward: DenseTrees, literal: DenseTrees, X: np.ndarray, Y: np.ndarray) -> None:
    """Who is compared must do the same work: equal scores and labels over the first rows."""
    for chunk in chunks(X, Y):
        scores, labels = model.test_then_train(*chunk)
        for peer in (forward, literal):
            peer_scores, peer_labels = peer.test_then_train(*chunk)
            np.testing.assert_allclose(scores, peer_scores, rtol=1e-9, atol=1e-12)
            # of scores that are equal but for rounding any may come first
            assert (labels != peer_labels).mean() < 1e-3
    console.print(f"equal scores over the first {len(X):,} rows")


def show_rates(rates: dict[str, float], best: dict[str, float]) -> None:
    table = Table("", "instances/s (median)", "best", "SMART is faster by", title="test, then train")
    for name, rate in rates.items():
        table.add_row(
            name, f"{rate:,.0f}", f"{best[name]:,.0f}" if name in best else "", f"{rates['SMART'] / rate:,.2f}"
        )
    table.add_row("the paper (2.27 GHz Xeon)", f"{PAPER_RATE:,}", "", f"{rates['SMART'] / PAPER_RATE:,.2f}")
    console.print(table)


def show_memory(schema, X: np.ndarray, Y: np.ndarray, dense: DenseTrees) -> None:
    tracemalloc.start()
    model = SMART(seed=SEED).bind(schema)
    for chunk in chunks(X, Y):
        model.test_then_train(*chunk)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    counts = dense.c.nbytes
    table = Table("", "MB", "share of the dense label counts", title="memory")
    for name, n_bytes in (
        ("SMART, arrays held (n_bytes)", model.n_bytes),
        ("SMART, peak of all allocations", peak),
        ("dense, label counts", counts),
        ("dense, all arrays", dense.n_bytes),
    ):
        table.add_row(name, f"{n_bytes / 1e6:,.2f}", f"{n_bytes / counts:.4f}")
    console.print(table)


# ---------------------------------------------------------------------- where the time goes, and how little it could be


class Stopwatch:
    """CPU time of this thread, added up by name."""

    def __init__(self) -> None:
        self.ns: dict[str, int] = {}

    def __call__(self, name: str, call: Callable, *arguments):
        start = time.thread_time_ns()
        answer = call(*arguments)
        self.ns[name] = self.ns.get(name, 0) + time.thread_time_ns() - start
        return answer


def show_profile(model: SMART, X: np.ndarray, Y: np.ndarray) -> None:
    """Once to fill the arena, then as a whole, stage by stage, and the least work of each stage, over all rows each."""
    whole, stages, floors = Stopwatch(), Stopwatch(), Stopwatch()
    for _ in range(2):
        # the first round compiles
        whole.ns, stages.ns, floors.ns = {}, {}, {}
        for chunk in chunks(X, Y):
            whole("whole", model.test_then_train, *chunk)
        for chunk in chunks(X, Y):
            staged(model, *chunk, stages)
        for chunk_X, _ in chunks(X, Y):
            floors("read X once", read, chunk_X)
        for chunk in chunks(X, Y):
            least(model, *chunk, floors)
    n_rows = len(X)
    # reading the clock costs too
    clock = Stopwatch()
    for _ in range(10_000):
        clock("read", int)
    cost = clock.ns["read"] / 10_000 * len(range(0, n_rows, CHUNK))
    per_chunk = CHUNK / n_rows / 1000
    table = Table("per chunk", "µs", "share", "least work", "µs", title="where the time goes")
    total = whole.ns["whole"] - cost
    known = 0.0
    floor_total = 0.0
    for name, floor_name in (
        ("input checks", "read X once"),
        ("find the paths", "follow the links"),
        ("predict", "sum the last nodes"),
        ("add", "add to the sums touched"),
    ):
        spent, floor = stages.ns[name] - cost, floors.ns[floor_name] - cost
        known += spent
        floor_total += floor
        table.add_row(
            name, f"{spent * per_chunk:,.1f}", f"{spent / total:.0%}", floor_name, f"{floor * per_chunk:,.1f}"
        )
    rest = total - known
    table.add_row("Python between them", f"{rest * per_chunk:,.1f}", f"{rest / total:.0%}", "none", "0.0")
    table.add_row("all", f"{total * per_chunk:,.1f}", "100%", "all", f"{floor_total * per_chunk:,.1f}")
    console.print(table)
    rate, limit = n_rows / total * 1e9, n_rows / floor_total * 1e9
    console.print(
        f"limit {limit:,.0f} instances/s on this machine, if each stage did its least work and nothing else; "
        f"SMART reaches {rate:,.0f} here, {rate / limit:.0%} of it"
    )


def staged(model: SMART, X: np.ndarray, Y: np.ndarray, stages: Stopwatch) -> None:
    """What ``test_then_train`` does, stage by stage."""
    X, Y, missing, _ = stages("input checks", model._checked, X, Y)
    scores, labels = model._blank(len(X))
    path = stages("find the paths", model._find_paths, X, missing)
    stages("predict", model._answer, path, scores, labels)
    timestamps = np.arange(model.now + 1, model.now + 1 + len(X))
    stages("add", model._add, X, Y, missing, timestamps, path)


def least(model: SMART, X: np.ndarray, Y: np.ndarray, floors: Stopwatch) -> None:
    """The least work of the stages, over the learner's own arrays, which it leaves as they are."""
    path = model._find_paths(X, np.zeros(len(X), np.bool_))
    sides = (model._place[path, kernels.HEAP] % 2 == 0) & (path > 0)
    sides = np.ascontiguousarray(sides[:, :, 1:])
    last = path[np.arange(len(X))[:, None], np.arange(path.shape[1]), (path > 0).sum(axis=2) - 1]
    rows, columns = np.nonzero(Y)
    starts, columns = np.searchsorted(rows, np.arange(len(X) + 1)), columns + kernels.COUNTS
    floors("follow the links", follow, model._nodes, model._roots, sides)
    floors("sum the last nodes", sum_last, last, model._sums, Y.shape[1], np.zeros(Y.shape))
    floors("add to the sums touched", touch, path, model._sums, starts, columns, 0.0)


@numba.njit(cache=True)
def read(X):
    """Every value once."""
    total = np.uint64(0)
    bits = X.view(np.uint64)
    for i in range(bits.shape[0]):
        for j in range(bits.shape[1]):
            total |= bits[i, j]
    return total


@numba.njit(cache=True)
def follow(nodes, roots, sides):
    """The dependent loads of every path, level by level over all trees, with the outcome of each test known."""
    n, n_trees, n_steps = sides.shape
    at = np.empty(n_trees, np.uint32)
    total = np.uint32(0)
    for i in range(n):
        for t in range(n_trees):
            at[t] = roots[t]
        for h in range(n_steps):
            for t in range(n_trees):
                at[t] = nodes[at[t], np.uint32(kernels.LEFT) + np.uint32(sides[i, t, h])]
        for t in range(n_trees):
            total += at[t]
    return total


@numba.njit(cache=True)
def sum_last(last, sums, n_labels, scores):
    """The label sums of the last node of every tree, added up."""
    for i in range(last.shape[0]):
        for t in range(last.shape[1]):
            s = last[i, t]
            for j in range(n_labels):
                scores[i, j] += sums[s, np.uint32(kernels.COUNTS + j)]


@numba.njit(cache=True)
def touch(path, sums, starts, columns, weight):
    """Weight, sizes and the counts of the labels present, at every node of every path, tree by tree."""
    for t in range(path.shape[1]):
        for i in range(path.shape[0]):
            size = weight * (starts[i + 1] - starts[i])
            for h in range(path.shape[2]):
                s = path[i, t, h]
                sums[s, kernels.WEIGHT] += weight
                sums[s, kernels.SIZES] += size
                for j in range(starts[i], starts[i + 1]):
                    sums[s, columns[j]] += weight


if __name__ == "__main__":
    main()
