"""BKNN, BLDA and ML-KNN: the paper's table, peers on the same folds, batch and stream speed, SMART against ML-KNN."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pandas as pd
from rich.console import Console
from rich.table import Table
from river.neighbors import KNNClassifier, LazySearch
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

import streamlab as sl
from benchmarks._data import SHARED
from streamlab.streams.fetch import is_cached

PAPER = {"BKNN": 36.2, "MLLS": 31.2, "MCGF": 30.3, "SMSE": 21.3}
REPEATS = 5
PHASE_REPEATS = 7
RIVER_ROWS = 400

console = Console()


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.balanced", description=__doc__)
    parser.add_argument("--repeats", type=int, default=10, help="of the five folds, for emotions; others take 2")
    parser.add_argument("--rows", type=int, default=None, help="of the rotating streams; default: all")
    # run by ``python -m benchmarks balanced`` the words on the command line are that one's
    options = parser.parse_args([] if arguments is None else arguments)
    if not SHARED.is_dir():
        console.print("the shared data folder is absent: only Yeast, which comes with River")
    console.width = max(console.width, 140)
    explain_the_paper(options.repeats)
    for name in ("yeast", "scene", "birds"):
        show_folds(name, repeats=2)
    batch_speed()
    where_time_goes()
    stream_speed()
    for name in ("yeast", "tmc2007-500"):
        show_rotating(name, options.rows)


def published(name: str) -> tuple[np.ndarray, np.ndarray] | None:
    """All rows of a published file, train then test; None where the shared data folder is absent."""
    parts = [f"{name}-train", f"{name}-test"] if name in ("scene", "birds") else [name]
    labels = SHARED / f"{name}.xml"
    chunks = []
    for part in parts:
        path = SHARED / f"{part}.arff.gz"
        if not path.exists():
            if name != "yeast":
                return None
            chunks += sl.load("yeast").chunks(1000)
            continue
        chunks += sl.load(path, labels=str(labels) if labels.exists() else None).chunks(1000)
    X, Y = (np.concatenate([getattr(chunk, side) for chunk in chunks]) for side in "XY")
    return X, Y


# ---------------------------------------------------------------------- folds


def skmultilearn_mlknn():
    """scikit-multilearn's MLkNN as it would be with a scikit-learn of its time; None where it is not installed."""
    try:
        from skmultilearn.adapt import MLkNN, mlknn
    except ImportError:
        return None
    # since scikit-learn 1.0 the number of neighbours must be named
    mlknn.NearestNeighbors = lambda k: NearestNeighbors(n_neighbors=k)

    class Repaired(MLkNN):
        def predict_proba(self, X):
            # theirs is not divided by the probability of the evidence, and does not rank labels
            k_true = np.asarray(super().predict_proba(X).todense())
            prior, prior_false, cond, cond_false = (
                self._prior_prob_true, self._prior_prob_false, self._cond_prob_true, self._cond_prob_false,
            )  # fmt: skip
            self._prior_prob_true, self._cond_prob_true = prior_false, cond_false
            k_false = np.asarray(super().predict_proba(X).todense())
            self._prior_prob_true, self._cond_prob_true = prior, cond
            return k_true / (k_true + k_false)

    return Repaired(k=10, s=1.0)


def peers() -> dict[str, object]:
    def scaled(*rest):
        return make_pipeline(StandardScaler(), *rest)

    table = {
        "BLDA | BKNN": scaled(sl.BalancedLDA(), sl.BalancedKNN()),
        "BKNN": scaled(sl.BalancedKNN()),
        "ML-KNN": scaled(sl.MLKNN()),
        "ML-KNN, counting itself": scaled(sl.MLKNN(count_self=True)),
        "scikit-learn's kNN, k = 5": scaled(KNeighborsClassifier(5)),
        "BLDA | scikit-learn's kNN": scaled(sl.BalancedLDA(), KNeighborsClassifier(5)),
        "every label, always": Everything(),
    }
    theirs = skmultilearn_mlknn()
    if theirs is not None:
        table["scikit-multilearn's MLkNN"] = scaled(theirs)
    return table


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


def show_summary(title: str, summary: pd.DataFrame) -> None:
    table = Table("", "macro precision", "ranking AP", "micro F1", "macro F1", "fit + predict, s", title=title)
    for name, row in summary.iterrows():
        table.add_row(
            str(name),
            *(f"{row[m]:.4f} ± {row[m + '_spread']:.4f}" for m in ("macro_precision", "average_precision", "micro_f1",
                                                                 "macro_f1")),
            f"{row.fit_seconds + row.predict_seconds:.3f}",
        )  # fmt: skip
    console.print(table)


def show_folds(name: str, repeats: int) -> pd.DataFrame | None:
    data = published(name)
    if data is None:
        console.print(f"{name}: the shared data folder is absent")
        return None
    X, Y = data
    result = sl.cross_validate(data, peers(), repeats=repeats)
    title = f"{name}: {len(X):,} x {X.shape[1]}, {Y.shape[1]} labels, density {Y.mean():.3f}; 5 folds x {repeats}"
    show_summary(title, result.summary)
    return result.summary


def explain_the_paper(repeats: int) -> pd.DataFrame | None:
    """Table 1, music emotions, with everything that the paper leaves open tried in turn."""
    data = published("emotions")
    if data is None:
        console.print("emotions: the shared data folder is absent")
        return None
    summary = show_folds("emotions", repeats)
    variants = {
        "no scaling": make_pipeline(sl.BalancedLDA(), sl.BalancedKNN()),
        "scaled": make_pipeline(StandardScaler(), sl.BalancedLDA(), sl.BalancedKNN()),
        "scaled, no BLDA": make_pipeline(StandardScaler(), sl.BalancedKNN()),
        "shrinkage 1": make_pipeline(StandardScaler(), sl.BalancedLDA(shrinkage=1.0), sl.BalancedKNN()),
        "σ = 0.5": make_pipeline(sl.BalancedLDA(), sl.BalancedKNN(sigma=0.5)),
        "σ = 0.001": make_pipeline(sl.BalancedLDA(), sl.BalancedKNN(sigma=1e-3)),
        "σ = 100": make_pipeline(sl.BalancedLDA(), sl.BalancedKNN(sigma=100.0)),
        "no scaling, no BLDA, σ = 0.5": sl.BalancedKNN(sigma=0.5),
        "b = 1": make_pipeline(StandardScaler(), sl.BalancedLDA(), sl.BalancedKNN(n_neighbors=1)),
        "f > 0 in place of the thresholds": make_pipeline(StandardScaler(), sl.BalancedLDA(), AboveMean()),
        "thresholds with a point its own neighbour": make_pipeline(StandardScaler(), sl.BalancedLDA(), OwnNeighbour()),
    }
    result = sl.cross_validate(data, variants, repeats=min(repeats, 3))
    show_summary("emotions: what the paper leaves open", result.summary)
    X, Y = data
    rows = [(fold, test, train) for _, fold, train, test in sl.stratified_folds(Y)]
    reverse = []
    for _, train, test in rows:
        model = make_pipeline(StandardScaler(), sl.BalancedLDA(), sl.BalancedKNN()).fit(X[train], Y[train])
        reverse.append(macro_precision(Y[test], model.predict(X[test])))
    console.print(
        f"trained on one fold, tested on four: {np.mean(reverse):.4f}; "
        f"every label always: {Y.mean(axis=0).mean():.4f}\n"
        f"the paper's Table 1, in %: {', '.join(f'{name} {value}' for name, value in PAPER.items())}"
    )
    return summary


def macro_precision(Y: np.ndarray, Z: np.ndarray) -> float:
    hits, predicted = (Y * Z).sum(axis=0), Z.sum(axis=0)
    return float(np.mean(hits / np.maximum(predicted, 1)))


class AboveMean(sl.BalancedKNN):
    """f > 0: without equation 6."""

    def _estimate(self, n_neighbors, alpha, sigma) -> None:
        super()._estimate(n_neighbors, alpha, sigma)
        self._thresholds = np.zeros(len(self._labels))


class OwnNeighbour(sl.BalancedKNN):
    """Thresholds from scores in which every training point is its own nearest neighbour."""

    def _estimate(self, n_neighbors, alpha, sigma) -> None:
        from streamlab.learners.base import _neighbours as kernels

        super()._estimate(n_neighbors, alpha, sigma)
        f = self._decide(self._points, np.full(len(self._points), -1), n_neighbors)
        kernels.best_thresholds(f, np.argsort(-f, axis=0, kind="stable"), self._Y, alpha, self._thresholds)


# ---------------------------------------------------------------------- speed


def seconds(call: Callable[[], object], repeats: int = REPEATS) -> SimpleNamespace:
    """The least CPU and wall time of a call."""
    call()
    cpu, wall = [], []
    for _ in range(repeats):
        begun = time.process_time(), time.perf_counter()
        call()
        cpu.append(time.process_time() - begun[0])
        wall.append(time.perf_counter() - begun[1])
    return SimpleNamespace(cpu=min(cpu), wall=min(wall))


def batch_speed(names: tuple[str, ...] = ("emotions", "yeast", "scene", "birds")) -> list[tuple]:
    """Prediction of a batch against scikit-learn's brute-force neighbours, on the same training and test points."""
    table = Table(
        "", "points", "threads", "BKNN, CPU ms", "kneighbors", "times", "KNeighborsClassifier", "times",
        "kneighbors per class", "times",
        title="batch prediction, CPU time; above 1: BKNN is faster",
    )  # fmt: skip
    measured = []
    for name in names:
        data = published(name)
        if data is None:
            continue
        X, Y = data
        X = (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)
        order = np.random.default_rng(0).permutation(len(X))
        train, test = order[: len(X) * 4 // 5], order[len(X) * 4 // 5 :]
        projection = sl.BalancedLDA().fit(X[train], Y[train])
        for kind, points in (("features", X), ("BLDA", projection.transform(X))):
            asked = np.tile(points[test], (5, 1))
            ours = sl.BalancedKNN().fit(points[train], Y[train])
            search = NearestNeighbors(n_neighbors=5, algorithm="brute").fit(points[train])
            classifier = KNeighborsClassifier(5, algorithm="brute").fit(points[train], Y[train])
            # what finds the same neighbours: a search in each class
            searches = [
                NearestNeighbors(n_neighbors=min(5, int(y.sum())), algorithm="brute").fit(points[train][y > 0])
                for y in Y[train].T
                if y.any()
            ]
            for threads in (1, None):
                with threadpool_limits(threads):
                    a = seconds(lambda: ours.predict(asked))  # noqa: B023 (called at once)
                    b = seconds(lambda: search.kneighbors(asked))  # noqa: B023
                    c = seconds(lambda: classifier.predict(asked))  # noqa: B023
                    e = seconds(lambda: [search.kneighbors(asked) for search in searches])  # noqa: B023
                measured.append((name, kind, threads, a.cpu, b.cpu, c.cpu, e.cpu, a.wall, b.wall, c.wall, e.wall))
                table.add_row(
                    f"{name}, {kind}", f"{len(asked):,} x {points.shape[1]} among {len(train):,}",
                    str(threads or "default"), f"{a.cpu * 1e3:.2f}", f"{b.cpu * 1e3:.2f}", f"{b.cpu / a.cpu:.2f}",
                    f"{c.cpu * 1e3:.2f}", f"{c.cpu / a.cpu:.2f}", f"{e.cpu * 1e3:.2f}", f"{e.cpu / a.cpu:.2f}",
                )  # fmt: skip
    console.print(table)
    return measured


def where_time_goes(names: tuple[str, ...] = ("emotions", "yeast", "scene", "birds")) -> list[tuple]:
    """µs of CPU a query in one thread: the product of points, neighbours and scores, the rest; beside kneighbors."""
    table = Table("", "kneighbors", "BKNN", "product", "neighbours and scores", "the rest", title="where the time goes")
    measured = []
    for name in names:
        data = published(name)
        if data is None:
            continue
        X, Y = data
        X = (X - X.mean(axis=0)) / np.where(X.std(axis=0) > 0, X.std(axis=0), 1.0)
        order = np.random.default_rng(0).permutation(len(X))
        train, test = order[: len(X) * 4 // 5], order[len(X) * 4 // 5 :]
        projection = sl.BalancedLDA().fit(X[train], Y[train])
        for kind, points in (("features", X), ("BLDA", projection.transform(X))):
            asked = np.tile(points[test], (5, 1))
            ours = sl.BalancedKNN().fit(points[train], Y[train])
            search = NearestNeighbors(n_neighbors=5, algorithm="brute").fit(points[train])
            located, others = ours._located(asked), np.full(len(asked), -1)
            calls = (
                lambda: search.kneighbors(asked),  # noqa: B023 (called at once)
                lambda: ours.predict(asked),  # noqa: B023
                lambda: sum(1 for _ in ours._blocks(located)),  # noqa: B023
                lambda: ours._decide(located, others, 5),  # noqa: B023
            )
            spent: list[list[float]] = [[] for _ in calls]
            with threadpool_limits(1):
                for _ in range(1 + PHASE_REPEATS):
                    for seconds_of, call in zip(spent, calls, strict=True):
                        begun = time.process_time()
                        call()
                        seconds_of.append(time.process_time() - begun)
            theirs, whole, product, decided = (1e6 * float(np.median(s[1:])) / len(asked) for s in spent)
            row = (theirs, whole, product, decided - product, whole - decided)
            measured.append((name, kind, *row))
            table.add_row(f"{name}, {kind}", *(f"{value:.2f}" for value in row))
    console.print(table)
    return measured


def stream_speed() -> dict[str, float]:
    """Yeast as a stream, chunks of 100, against River's nearest neighbours, one per label."""
    stream = sl.load("yeast")
    chunks = list(stream.chunks(100))
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

    def run(make, parts):
        model = make().bind(stream.schema)
        for part in parts:
            model.test_then_train(part.X, part.Y)

    rates = {name: stream.n_rows / seconds(lambda: run(make, chunks), 3).cpu for name, make in makers.items()}  # noqa: B023
    first = chunks[: RIVER_ROWS // 100]
    river = {}
    engines = {"default": None, "window 50": LazySearch(window_size=50), "window 200": LazySearch(window_size=200)}
    for which, engine in engines.items():
        classifier = KNNClassifier(engine=engine)
        begun = time.process_time()
        run(lambda: sl.OnePerLabel(classifier), first)  # noqa: B023
        river[which] = RIVER_ROWS / (time.process_time() - begun)
    table = Table("", "instances/s, CPU", *(f"times River's, {which}" for which in river))
    table.title = "yeast as a stream: test, then train"
    for name, rate in rates.items():
        table.add_row(name, f"{rate:,.0f}", *(f"{rate / r:,.0f}" for r in river.values()))
    for which, rate in river.items():
        table.add_row(f"River's KNNClassifier, one per label ({which}, first {RIVER_ROWS} rows)", f"{rate:,.0f}")
    console.print(table)
    return rates | {f"River, {which}": rate for which, rate in river.items()}


# ---------------------------------------------------------------------- Table III and Figure 5 of the SMART paper


def rotated(name: str) -> sl.Stream | None:
    """The stream of the SMART paper: a set by its name, whose labels rotate in 11 stages; None where it is absent."""
    path = SHARED / f"{name}.arff.gz"
    if path.exists() and name != "yeast":
        xml = SHARED / f"{name}.xml"
        stream = sl.load(path, labels=str(xml) if xml.is_file() else None)
    elif name == "yeast" or is_cached(f"{name}.arff"):
        stream = sl.load(name)
    else:
        return None
    return sl.rotate_labels(stream, stages=11, seed=0)


def rotating(name: str, rows: int | None = None) -> sl.PrequentialResult | None:
    """SMART, SMART that never forgets, and ML-KNN on chunks of 100, 200, 400, while labels rotate in 11 stages.

    ``tenths`` has micro F1 and ranking loss over each tenth of the stream, as Figure 5; ``summary`` the instances/s, as
    Table III.
    """
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


def show_rotating(name: str, rows: int | None) -> None:
    result = rotating(name, rows)
    if result is None:
        console.print(f"{name}: the shared data folder is absent")
        return
    table = Table("", "micro F1", "ranking loss", "example F1", "instances/s", "seconds", title=f"{name}, rotating")
    for learner, row in result.summary.iterrows():
        table.add_row(
            str(learner), f"{row.micro_f1:.4f}", f"{row.ranking_loss:.4f}", f"{row.example_f1:.4f}",
            f"{row.instances_per_second:,.0f}", f"{row.seconds:.3f}",
        )  # fmt: skip
    console.print(table)
    for measure in ("micro_f1", "ranking_loss"):
        by_tenth = result.tenths.pivot(index="learner", columns="tenth", values=measure).loc[result.summary.index]
        table = Table("", *map(str, by_tenth.columns), title=f"{name}, rotating: {measure} by tenth")
        for learner, values in by_tenth.iterrows():
            table.add_row(str(learner), *(f"{v:.3f}" for v in values))
        console.print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
