"""Neighbours: the balanced ones beside their peers on folds and streams, those in a tree of labels beside flat ones."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from river.neighbors import KNNClassifier, LazySearch
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

import streamlab as sl
from benchmarks.data import SHARED, read, rotated
from benchmarks.harness import CHUNK, Sheet, alternated, asked, console, followed, show_rates
from benchmarks.transductive import MCGF, MLLS, SMSE
from streamlab.measures import hierarchical_scores
from streamlab.schema import Feature, Hierarchy, Schema

PAPER = {"BKNN": 36.2, "MLLS": 31.2, "MCGF": 30.3, "SMSE": 21.3}
"""Table 1 of the paper on balanced neighbours, music emotions, in %."""
RIVER_ROWS = 400


def table(name: str) -> tuple[np.ndarray, np.ndarray] | None:
    """All rows of a set; None, and a word on it, where the shared data folder is absent."""
    if SHARED.is_dir():
        return read(name)[1:]
    if name == "yeast":
        chunk = next(sl.load("yeast").chunks(10_000))
        return chunk.X, chunk.Y
    console.print(f"{name}: the shared data folder is absent")
    return None


def scaled(*rest: Any) -> Any:
    """The steps behind scikit-learn's scaler, which learns from the training fold alone."""
    return make_pipeline(StandardScaler(), *rest)


def show_folds(title: str, summary: pd.DataFrame, measures: Sequence[str]) -> None:
    """A line for each learner: its measures with their spread over the repeats, and its seconds."""
    sheet = Sheet(title, ("", *measures, "fit + predict, s"))
    for name, row in summary.iterrows():
        told = (f"{row[m]:.4f} ± {row[f'{m}_spread']:.4f}" for m in measures)
        sheet.add(str(name), *told, row.fit_seconds + row.predict_seconds)
    sheet.show()


# ---------------------------------------------------------------------- balanced neighbours


def balanced(options: Sequence[str]) -> None:
    """BKNN, BLDA and ML-KNN: peers on folds, batch and stream speed, SMART beside ML-KNN while labels rotate."""
    given = asked("balanced", options, repeats=10, sets=["emotions", "yeast", "scene", "birds"], rows=10**9)
    peers = {
        "BLDA | BKNN": scaled(sl.BalancedLDA(), sl.BalancedKNN()),
        "BLDA | BKNN, not scaled": make_pipeline(sl.BalancedLDA(), sl.BalancedKNN()),
        "BKNN": scaled(sl.BalancedKNN()),
        "ML-KNN": scaled(sl.MLKNN()),
        "ML-KNN, counting itself": scaled(sl.MLKNN(count_self=True)),
        "scikit-learn's kNN, k = 5": scaled(KNeighborsClassifier(5)),
        "BLDA | scikit-learn's kNN": scaled(sl.BalancedLDA(), KNeighborsClassifier(5)),
        "every label, always": Everything(),
    }
    for name in given.sets:
        if (data := table(name)) is not None:
            repeats = given.repeats if name == "emotions" else min(given.repeats, 2)
            measures = ("macro_precision", "average_precision", "micro_f1", "macro_f1")
            show_folds(
                f"{name}, 5 folds x {repeats}", sl.cross_validate(data, peers, repeats=repeats).summary, measures
            )
    console.print(f"the paper's Table 1, in %: {PAPER}")
    batch_speed(given.sets)
    stream_speed()
    for name in ("yeast", "tmc2007-500"):
        show_rotating(name, given.rows)


class Everything(sl.Learner):
    """Predicts every label: what macro precision is worth without any learning."""

    def __init__(self) -> None:
        self._start()

    def _reset(self) -> None:
        pass

    def _predict(self, X, missing):
        ones = np.ones((len(X), len(self._labels)))
        return ones, ones.astype(np.uint8)

    def _learn(self, X, Y, missing) -> None:
        pass


def batch_speed(names: Sequence[str]) -> None:
    """Prediction of a batch in one thread beside scikit-learn's brute-force neighbours of the same points."""
    peers = ("kneighbors", "KNeighborsClassifier", "kneighbors per class")
    sheet = Sheet("batch prediction, above 1 BKNN is faster", ("points", "BKNN, CPU ms", *peers))
    for name in names:
        if (data := table(name)) is None:
            continue
        X, Y = data
        X = StandardScaler().fit_transform(X)
        order = np.random.default_rng(0).permutation(len(X))
        train, test = order[: len(X) * 4 // 5], order[len(X) * 4 // 5 :]
        projected = sl.BalancedLDA().fit(X[train], Y[train]).transform(X)
        for kind, points in (("features", X), ("BLDA", projected)):
            asked_of, known = np.tile(points[test], (5, 1)), points[train]
            search = NearestNeighbors(n_neighbors=5, algorithm="brute").fit(known)
            # what finds the same neighbours: a search in each class
            searches = [
                NearestNeighbors(n_neighbors=min(5, int(y.sum())), algorithm="brute").fit(known[y > 0])
                for y in Y[train].T
                if y.any()
            ]
            classifier = KNeighborsClassifier(5, algorithm="brute").fit(known, Y[train])
            ours = sl.BalancedKNN().fit(known, Y[train])
            jobs = {
                "BKNN": lambda ours=ours, points=asked_of: ours.predict(points),
                "all": lambda search=search, points=asked_of: search.kneighbors(points),
                "classifier": lambda ours=classifier, points=asked_of: ours.predict(points),
                "by class": lambda each=searches, points=asked_of: [one.kneighbors(points) for one in each],
            }
            with threadpool_limits(1):
                own, *others = alternated(jobs).values()
            shape = f"{len(asked_of):,} x {points.shape[1]} among {len(train):,}"
            sheet.add(f"{name}, {kind}: {shape}", f"{own * 1e3:.2f}", *(f"{each / own:.2f} ×" for each in others))
    sheet.show()


def stream_speed() -> None:
    """Yeast as a stream, chunks of 100, beside River's nearest neighbours, one per label."""
    chunk = next(sl.load("yeast").chunks(10_000))
    data = sl.load("yeast").schema, chunk.X, chunk.Y
    makers = {
        "BalancedKNN(window=50)": lambda: sl.BalancedKNN(window=50),
        "BalancedKNN()": sl.BalancedKNN,
        "BalancedKNN(train_on='chunk')": lambda: sl.BalancedKNN(train_on="chunk"),
        "StandardScaler | BalancedLDA | BalancedKNN(window=50)": lambda: (
            sl.StandardScaler() | sl.BalancedLDA() | sl.BalancedKNN(window=50)
        ),
        "MLKNN(chunk=100)": sl.MLKNN,
        "MLKNN(chunk=400)": lambda: sl.MLKNN(chunk=400),
    }
    jobs = {name: lambda make=make: followed(make(), data) for name, make in makers.items()}
    rates = {name: len(chunk.Y) / seconds for name, seconds in alternated(jobs, 3).items()}
    few = data[0], chunk.X[:RIVER_ROWS], chunk.Y[:RIVER_ROWS]
    engines = {"as it comes": None, "window 50": LazySearch(window_size=50), "window 200": LazySearch(window_size=200)}
    rivers = {name: followed(sl.OnePerLabel(KNNClassifier(engine=each)), few).rate for name, each in engines.items()}
    heads = ("", "instances/s, CPU", *(f"times River's, {name}" for name in rivers))
    sheet = Sheet(f"yeast as a stream; River's kNN, one per label, on the first {RIVER_ROWS} rows", heads)
    for name, rate in rates.items():
        sheet.add(name, f"{rate:,.0f}", *(f"{rate / each:,.0f}" for each in rivers.values()))
    sheet.show()


def show_rotating(name: str, n_rows: int) -> None:
    """SMART, SMART that never forgets, and ML-KNN while labels rotate: Table III and Figure 5 of the SMART paper."""
    result = rotating(name, n_rows)
    if result is None:
        console.print(f"{name}: the shared data folder is absent")
        return
    columns = ["micro_f1", "ranking_loss", "example_f1", "instances_per_second", "seconds"]
    sheet = Sheet(f"{name}, rotating", ("", *columns))
    for learner, row in result.summary.iterrows():
        sheet.add(str(learner), *(row[column] for column in columns))
    sheet.show()
    for measure in columns[:2]:
        by_tenth = result.tenths.pivot(index="learner", columns="tenth", values=measure).loc[result.summary.index]
        sheet = Sheet(f"{name}, rotating: {measure} by tenth", ("", *map(str, by_tenth.columns)))
        for learner, values in by_tenth.iterrows():
            sheet.add(str(learner), *values)
        sheet.show()


def rotating(name: str, rows: int | None = None) -> sl.PrequentialResult | None:
    """The learners of the SMART paper over its stream; None where the set is absent."""
    stream = rotated(name)
    if stream is None:
        return None
    learners = {
        "SMART": sl.SMART(seed=1),
        "SMART(static)": sl.SMART(half_life=float("inf"), seed=1),
        **{f"ML-KNN(w={w})": sl.MLKNN(chunk=w) for w in (100, 200, 400)},
        "no-change": sl.NoChange(),
        "majority": sl.MajorityLabels(),
    }
    measures = ["micro_f1", "ranking_loss", "example_f1", "hamming_loss"]
    return sl.prequential(stream, learners, n=rows, measures=measures, alarms=None)


# ---------------------------------------------------------------------- the rivals of balanced neighbours

MEASURES = ("macro_precision", "macro_f1", "average_precision")
RIVALS = {
    "BKNN": sl.BalancedKNN(),
    "SMSE, version 1": SMSE(),
    "SMSE, version 2": SMSE(version=2),
    "MLLS": MLLS(),
    "MCGF": MCGF(),
}


def transductive(options: Sequence[str]) -> None:
    """SMSE, MLLS and MCGF beside balanced neighbours on the same folds of emotions, with BLDA in front and without."""
    given = asked("transductive", options, repeats=3)
    found = on_emotions(given.repeats)
    if found is not None:
        summary, every = found
        show_folds(f"emotions, 5 folds x {given.repeats}", summary, MEASURES)
        console.print(f"every label, always: macro precision {every:.3f}; the paper, in %: {PAPER}")


def on_emotions(repeats: int) -> tuple[pd.DataFrame, float] | None:
    """The summary of five folds, and the macro precision of answering every label; None: no data."""
    data = table("emotions")
    if data is None:
        return None
    learners = {f"BLDA, {name}": scaled(sl.BalancedLDA(), rival) for name, rival in RIVALS.items()}
    learners |= {name: scaled(rival) for name, rival in RIVALS.items()}
    summary = sl.cross_validate(data, learners, measures=MEASURES, repeats=repeats).summary
    return summary, float(data[1].mean(axis=0).mean())


# ---------------------------------------------------------------------- neighbours in a tree of labels

K, WINDOW, START = 3, 1000, 5
SEEDS = (1, 2, 3, 4, 5)
STREAMS = ("segments", "instruments")
PRINTED = {"instruments": (84.77, 82.22)}
"""hF of the walk and of the flat vote in the paper, on recorded instruments."""


def hierarchical(options: Sequence[str]) -> None:
    """HierarchicalKNN: instances a second beside River's kNN and scikit-learn's search per node; hF beside FlatKNN."""
    given = asked("hierarchical", options, streams=list(STREAMS), seeds=SEEDS, repeats=3, rows=9_419)
    sl.HierarchicalKNN.prepare()
    sl.FlatKNN.prepare()
    with threadpool_limits(1):
        show_hierarchical_speed(given.repeats, given.rows)
        show_quality(given.streams, given.seeds)


def instruments_like(n_rows: int, seed: int = 0) -> tuple[Schema, np.ndarray, np.ndarray]:
    """Rows in the shape of the paper's musical instruments: 31 leaf classes under 4 groups of up to 3 groups each."""
    rng = np.random.default_rng(seed)
    n_features, n_leaves = 30, 31
    parents, leaves = [-1] * 4, []
    for top in range(4):
        for _ in range(3):
            parents.append(top)
            group = len(parents) - 1
            for _ in range(min(3, n_leaves - len(leaves))):
                parents.append(group)
                leaves.append(len(parents) - 1)
    hierarchy = Hierarchy(tuple(parents))
    centres = rng.normal(size=(len(parents), n_features))
    Y = hierarchy.above[rng.choice(leaves, n_rows)].astype(np.uint8)
    X = Y @ centres + 1.5 * rng.normal(size=(n_rows, n_features))
    features = tuple(Feature(f"x{i}") for i in range(n_features))
    return Schema(features, tuple(f"c{i}" for i in range(len(parents))), hierarchy), X, Y


class BruteForcePerNode:
    """Algorithm 1 with scikit-learn's brute-force ``kneighbors`` over the window of each node, a chunk at once.

    A chunk is predicted as a whole before it is learned, so that each node answers all of its queries in one call: the
    best case for it. There is a window for each path, and a node has those of the paths through it.
    """

    def bind(self, schema: Schema) -> None:
        self.hierarchy = schema.hierarchy
        self.windows = [deque(maxlen=WINDOW) for _ in range(len(self.hierarchy))]

    def take_events(self) -> list:
        return []

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
            nearest = d == d.min(axis=1, keepdims=True)
            goes_on, best = nearest.sum(axis=1) == 1, d.argmin(axis=1)
            for j, c in enumerate(children):
                chosen = rows[goes_on & (best == j)]
                labels[chosen, c] = 1
                waiting.append((c, chosen))
        return labels

    def test_then_train(self, X: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        labels = self.predict(X)
        for x, end in zip(X, self.hierarchy.deepest(Y).argmax(axis=1), strict=True):
            self.windows[end].append(x)
        return labels, labels


def show_hierarchical_speed(repeats: int, n_rows: int) -> None:
    """Instances a second by turns; scikit-learn must answer alike, but for chunks that it learns as a whole."""
    data = instruments_like(n_rows)
    schema, X, Y = data
    makers = {
        "HierarchicalKNN": lambda: sl.HierarchicalKNN(K, WINDOW),
        "HierarchicalKNN, windows by node": lambda: sl.HierarchicalKNN(K, WINDOW, window_of="node"),
        "FlatKNN": lambda: sl.FlatKNN(K, WINDOW),
        "scikit-learn, brute force per node": BruteForcePerNode,
    }
    ours, theirs = (followed(makers[name](), data).labels for name in (next(iter(makers)), list(makers)[-1]))
    # while windows are short, what a chunk brings matters
    share = (ours == theirs).all(axis=1)[n_rows // 2 :].mean()
    assert share > 0.97, f"only {share:.3f} of the rows are answered alike"
    jobs = {name: lambda make=make: followed(make(), data) for name, make in makers.items()}
    rates = {name: n_rows / seconds for name, seconds in alternated(jobs, repeats).items()}
    # one window for all classes: as many rows as ours keeps of each class, and as many as ours keeps of all together
    ends = schema.hierarchy.deepest(Y).argmax(axis=1).tolist()
    rows = [dict(zip(schema.feature_names, row, strict=True)) for row in X.tolist()]
    for window in (WINDOW, n_rows - RIVER_ROWS):
        model = KNNClassifier(n_neighbors=K, engine=LazySearch(window_size=window))
        for x, end in zip(rows[:window], ends, strict=False):
            model.learn_one(x, end)
        few = slice(window, window + RIVER_ROWS)

        def ask(model: Any = model, few: slice = few) -> None:
            for x, end in zip(rows[few], ends[few], strict=True):
                model.predict_one(x)
                model.learn_one(x, end)

        rates[f"River, {window:,} rows held"] = RIVER_ROWS / alternated({"River": ask}, 1)["River"]
    title = f"{n_rows:,} generated rows, {schema.n_labels} classes; {share:.2%} of the second half answered alike"
    show_rates(title, rates, "HierarchicalKNN")


def answered(learner: sl.Learner, schema: Schema, X: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What is true and what is answered after the first ``START`` examples of each class in which paths end."""
    seen: Counter[bytes] = Counter()
    starts = np.zeros(len(Y), bool)
    for row, end in enumerate(schema.hierarchy.deepest(Y)):
        key = end.tobytes()
        starts[row] = seen[key] < START
        seen[key] += 1
    learner.bind(schema)
    learner.learn_many(X[starts], Y[starts])
    rest_X, rest_Y = X[~starts], Y[~starts]
    pieces = [slice(at, at + CHUNK) for at in range(0, len(rest_X), CHUNK)]
    return rest_Y, np.concatenate([learner.test_then_train(rest_X[p], rest_Y[p])[1] for p in pieces])


def hf_of(learner: sl.Learner, schema: Schema, X: np.ndarray, Y: np.ndarray) -> float:
    """hF over what is left after the first ``START`` examples of each class in which paths end have started it."""
    return 100 * hierarchical_scores(*answered(learner, schema, X, Y), schema.hierarchy)["hierarchical_f"]


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


def show_quality(names: Sequence[str], seeds: Sequence[int]) -> None:
    """hF in % in random orders of the rows, as they are and scaled, and in the order of the file."""
    sheet = Sheet(f"hF in %, mean ± deviation over seeds {list(seeds)}", ("stream", "rows", *LEARNERS, "difference"))
    for name in names:
        schema, X, Y = read(name)
        orders = [np.random.default_rng(seed).permutation(len(X)) for seed in seeds]
        whole = StandardScaler().fit_transform(X)
        tries = (("as they are", X, orders), ("scaled", whole, orders), ("in the file's order", X, [np.arange(len(X))]))
        for how, values, chosen in tries:
            found = [[hf_of(make(), schema, values[o], Y[o]) for o in chosen] for make in LEARNERS.values()]
            told = (_spread(each) for each in (*found, np.subtract(found[0], found[1])))
            sheet.add(name, how, *told)
    sheet.show()
    console.print(f"the paper: {PRINTED}")


def _spread(values: Sequence[float]) -> str:
    return f"{np.mean(values):.2f} ± {np.std(values, ddof=1) if len(values) > 1 else 0.0:.2f}"
