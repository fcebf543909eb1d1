"""HierarchicalKNN: instances/s against River's kNN and scikit-learn's brute force per node; hF beside FlatKNN."""

from __future__ import annotations

import argparse
import statistics
import time
from collections import Counter, deque
from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table
from river.neighbors import KNNClassifier, LazySearch
from sklearn.neighbors import NearestNeighbors
from threadpoolctl import threadpool_limits

import streamlab as sl
from streamlab.measures import hierarchical_scores
from streamlab.schema import Feature, Hierarchy, Schema

CHUNK = 100
K, WINDOW = 3, 1000
SEEDS = (1, 2, 3, 4, 5)
START = 5
REPEATS = 3
RIVER_ROWS = 400
# the paper's problem: instruments, 9,419 examples, 30 features, 31 classes
N_ROWS, N_FEATURES, N_LEAVES = 9_419, 30, 31
STREAMS = ("segments", "instruments")
PAPER = {"instruments": (84.77, 82.22)}

console = Console(width=120)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hierarchical", description=__doc__)
    parser.add_argument("--streams", nargs="*", default=list(STREAMS), help="names of the catalogue, for the hF")
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS))
    parser.add_argument("--repeats", type=int, default=REPEATS, help="runs of which the speed is the median")
    # as ``python -m benchmarks hierarchical`` it takes the defaults
    choices = parser.parse_args() if __name__ == "__main__" else parser.parse_args([])
    sl.HierarchicalKNN.prepare()
    sl.FlatKNN.prepare()
    with threadpool_limits(1):
        show_speed(choices.repeats)
        show_quality(choices.streams, choices.seeds)


# ---------------------------------------------------------------------- speed


def generated(seed: int = 0) -> tuple[Schema, np.ndarray, np.ndarray]:
    """Rows in the shape of the paper's musical instruments: 31 leaf classes under 4 groups of up to 3 groups each."""
    rng = np.random.default_rng(seed)
    parents, leaves = [-1] * 4, []
    for top in range(4):
        for _ in range(3):
            parents.append(top)
            group = len(parents) - 1
            for _ in range(3):
                if len(leaves) < N_LEAVES:
                    parents.append(group)
                    leaves.append(len(parents) - 1)
    hierarchy = Hierarchy(tuple(parents))
    centres = rng.normal(size=(len(parents), N_FEATURES))
    ends = rng.choice(leaves, N_ROWS)
    Y = hierarchy.above[ends].astype(np.uint8)
    X = Y @ centres + 1.5 * rng.normal(size=(N_ROWS, N_FEATURES))
    features = tuple(Feature(f"x{i}") for i in range(N_FEATURES))
    return Schema(features, tuple(f"c{i}" for i in range(len(parents))), hierarchy), X, Y


class BruteForcePerNode:
    """Algorithm 1 with scikit-learn's brute-force ``kneighbors`` over the window of each node, a chunk at once.

    A chunk is predicted as a whole before it is learned, so that each node answers all of its queries in one call: the
    best case for it. The windows are what HierarchicalKNN's are at the beginning of a chunk: one of each path, and a
    node has those of the paths through it.
    """

    def __init__(self, hierarchy: Hierarchy) -> None:
        self.hierarchy = hierarchy
        self.windows = [deque(maxlen=WINDOW) for _ in range(len(hierarchy))]

    def dataset(self, c: int) -> np.ndarray:
        windows = [self.windows[below] for below in np.flatnonzero(self.hierarchy.above[:, c])]
        return np.concatenate([np.array(window) for window in windows if window] or [np.zeros((0, 0))])

    def predict(self, X: np.ndarray) -> np.ndarray:
        labels = np.zeros((len(X), len(self.hierarchy)), np.uint8)
        waiting = [(-1, np.arange(len(X)))]
        while waiting:
            node, rows = waiting.pop()
            datasets = {c: self.dataset(c) for c in self.hierarchy.children(node)} if len(rows) else {}
            children = [c for c, held in datasets.items() if len(held)]
            if not children:
                continue
            d = np.empty((len(rows), len(children)))
            for j, c in enumerate(children):
                held = datasets[c]
                search = NearestNeighbors(n_neighbors=min(K, len(held)), algorithm="brute").fit(held)
                d[:, j] = search.kneighbors(X[rows])[0].mean(axis=1)
            scaled = d / np.maximum(d.max(axis=1, keepdims=True), 1e-300)
            goes_on = (scaled - scaled.min(axis=1, keepdims=True) <= 0).sum(axis=1) == 1
            best = d.argmin(axis=1)
            for j, c in enumerate(children):
                chosen = rows[goes_on & (best == j)]
                labels[chosen, c] = 1
                waiting.append((c, chosen))
        return labels

    def test_then_train(self, X: np.ndarray, Y: np.ndarray) -> tuple[None, np.ndarray]:
        labels = self.predict(X)
        for x, end in zip(X, self.hierarchy.deepest(Y).argmax(axis=1), strict=True):
            self.windows[end].append(x)
        return None, labels


def cpu_seconds(test_then_train: Callable, X: np.ndarray, Y: np.ndarray) -> tuple[float, np.ndarray]:
    parts = []
    begun = time.process_time()
    for at in range(0, len(X), CHUNK):
        parts.append(test_then_train(X[at : at + CHUNK], Y[at : at + CHUNK])[1])
    return time.process_time() - begun, np.concatenate(parts)


def river_seconds(schema: Schema, X: np.ndarray, Y: np.ndarray, window: int) -> tuple[float, int]:
    """CPU seconds of River's kNN classifier over the rows that come once its one window is full, and their number."""
    model = KNNClassifier(n_neighbors=K, engine=LazySearch(window_size=window))
    ends = schema.hierarchy.deepest(Y).argmax(axis=1).tolist()
    rows = [dict(zip(schema.feature_names, row, strict=True)) for row in X[: window + RIVER_ROWS].tolist()]
    for x, end in zip(rows[:window], ends, strict=False):
        model.learn_one(x, end)
    begun = time.process_time()
    for x, end in zip(rows[window:], ends[window:], strict=False):
        model.predict_one(x)
        model.learn_one(x, end)
    return time.process_time() - begun, len(rows) - window


def show_speed(repeats: int) -> None:
    schema, X, Y = generated()
    console.print(
        f"GENERATED in the shape of the paper's instruments: {N_ROWS:,} x {N_FEATURES}, {schema.n_labels} classes, "
        f"windows of {WINDOW:,}, k = {K}; chunks of {CHUNK}, one thread, CPU time"
    )
    contenders = {
        "HierarchicalKNN": lambda: sl.HierarchicalKNN(K, 0.0, WINDOW).bind(schema).test_then_train,
        "HierarchicalKNN, windows by node": lambda: (
            sl.HierarchicalKNN(K, 0.0, WINDOW, window_of="node").bind(schema).test_then_train
        ),
        "FlatKNN": lambda: sl.FlatKNN(K, WINDOW).bind(schema).test_then_train,
        "scikit-learn, brute force per node": lambda: BruteForcePerNode(schema.hierarchy).test_then_train,
    }
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    answers = {}
    for _ in range(repeats):
        for name, make in contenders.items():
            spent, answers[name] = cpu_seconds(make(), X, Y)
            seconds[name].append(spent)
    ours, theirs = answers["HierarchicalKNN"], answers["scikit-learn, brute force per node"]
    share = (ours == theirs).all(axis=1).mean()
    assert share > 0.97, f"only {share:.3f} of the rows are answered alike"
    console.print(f"{share:.2%} of the rows answered alike (scikit-learn learns a chunk only after all of it)")
    rates = {name: N_ROWS / statistics.median(values) for name, values in seconds.items()}
    # one window for all classes: as many rows as ours keeps of each class, and as many as ours keeps of all together
    for window in (WINDOW, N_ROWS - RIVER_ROWS):
        spent, n = river_seconds(schema, X, Y, window)
        rates[f"River, KNNClassifier(LazySearch(window_size={window:,})), {n} rows"] = n / spent
    table = Table("", "instances/s", "HierarchicalKNN is faster by", "asked for", title="test, then train")
    asked = dict(zip(rates, ("", "", "", "1", "50", "50"), strict=True))
    for name, rate in rates.items():
        table.add_row(name, f"{rate:,.0f}", f"{rates['HierarchicalKNN'] / rate:,.2f}", asked[name])
    console.print(table)


# ---------------------------------------------------------------------- hF


def answered(learner: sl.Learner, schema: Schema, X: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What is true and what is answered after the first ``START`` examples of each class in which paths end."""
    ends = schema.hierarchy.deepest(Y)
    seen: Counter[bytes] = Counter()
    starts = np.zeros(len(Y), bool)
    for row, end in enumerate(ends):
        key = end.tobytes()
        starts[row] = seen[key] < START
        seen[key] += 1
    learner.bind(schema)
    learner.learn_many(X[starts], Y[starts])
    _, Z = cpu_seconds(learner.test_then_train, X[~starts], Y[~starts])
    return Y[~starts], Z


def hf_of(learner: sl.Learner, schema: Schema, X: np.ndarray, Y: np.ndarray) -> float:
    """hF over what is left after the first ``START`` examples of each class in which paths end have started it."""
    return 100 * hierarchical_scores(*answered(learner, schema, X, Y), schema.hierarchy)["hierarchical_f"]


def scaled(X: np.ndarray) -> np.ndarray:
    """Columns of mean 0 and spread 1 over the whole stream: not prequential, and the same for both learners."""
    spread = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


class FlatByDistance:
    """The flat learner by the rule of the walk: the leaf class whose ``K`` nearest examples are nearest on average."""

    def __init__(self) -> None:
        self._model = sl.HierarchicalKNN(n_neighbors=K, window=WINDOW)

    def bind(self, schema: Schema) -> FlatByDistance:
        self._hierarchy = schema.hierarchy
        self._leaves = np.array(schema.hierarchy.leaves)
        leaves = tuple(schema.labels[i] for i in self._leaves)
        self._model.bind(Schema(schema.features, leaves, Hierarchy((-1,) * len(leaves))))
        return self

    def learn_many(self, X: np.ndarray, Y: np.ndarray) -> None:
        self._model.learn_many(X, Y[:, self._leaves])

    def test_then_train(self, X: np.ndarray, Y: np.ndarray) -> tuple[None, np.ndarray]:
        labels = np.zeros_like(Y)
        labels[:, self._leaves] = self._model.test_then_train(X, Y[:, self._leaves])[1]
        return None, self._hierarchy.with_ancestors(labels)


# the two of the paper, then what parts them: of what the windows are, whether they overflow, how classes are chosen
LEARNERS = {
    "HierarchicalKNN": lambda: sl.HierarchicalKNN(n_neighbors=K, window=WINDOW),
    "FlatKNN": lambda: sl.FlatKNN(n_neighbors=K, window=WINDOW),
    "hierarchical, windows by node": lambda: sl.HierarchicalKNN(n_neighbors=K, window=WINDOW, window_of="node"),
    "flat, ties to the smallest": lambda: sl.FlatKNN(n_neighbors=K, window=WINDOW, ties="smallest"),
    "flat, ties at random": lambda: sl.FlatKNN(n_neighbors=K, window=WINDOW, ties="random"),
    "hierarchical, no window overflows": lambda: sl.HierarchicalKNN(n_neighbors=K, window=100_000),
    "flat, by mean distance": FlatByDistance,
}


def show_quality(names: list[str], seeds: list[int]) -> None:
    table = Table(
        "stream", "features", "HierarchicalKNN", "FlatKNN", "difference", "paper", *list(LEARNERS)[2:],
        title=f"hF in %, mean ± standard deviation over the seeds {seeds} (order of the rows), k = {K}, δ = 0",
    )  # fmt: skip
    for name in names:
        stream = sl.load(name)
        chunks = list(stream.chunks(1000))
        X, Y = (np.concatenate([getattr(chunk, side) for chunk in chunks]) for side in "XY")
        orders = [np.random.default_rng(seed).permutation(len(X)) for seed in seeds]
        # then in the order of the file alone
        tries = [("as they are", X, orders), ("scaled", scaled(X), orders)]
        for how, values, chosen in [*tries, ("as they are, in the file's order", X, [np.arange(len(X))])]:
            found: dict[str, list[float]] = {learner: [] for learner in LEARNERS}
            for order in chosen:
                for learner, scores in found.items():
                    scores.append(hf_of(LEARNERS[learner](), stream.schema, values[order], Y[order]))
            ours, flat, *others = found.values()
            table.add_row(
                name,
                how,
                _spread(ours),
                _spread(flat),
                _spread(np.subtract(ours, flat)),
                "{} against {}".format(*PAPER[name]) if name in PAPER else "",
                *map(_spread, others),
            )
    Console(width=max(190, console.width)).print(table)


def _spread(values) -> str:
    return f"{np.mean(values):.2f} ± {np.std(values, ddof=1) if len(values) > 1 else 0.0:.2f}"


if __name__ == "__main__":
    main()
