"""What matters to a learner: against scikit-learn, after a drift, without a trace, and at what cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from river import datasets, tree

import streamlab as sl
from benchmarks.harness import Sheet, alternated, asked, figure
from streamlab.lab.importance_report import now
from streamlab.learners import LEARNERS

__all__ = ["drifting", "importance"]

MADE: dict[str, Callable[[], Any]] = {
    "SMART": lambda: sl.SMART(seed=1),
    "MLHAT": lambda: sl.MLHAT(seed=1),
    "OnlineLogistic": sl.OnlineLogistic,
    "RankedKNN": sl.RankedKNN,
    "Council": lambda: sl.Council(seed=1),
}


def importance(options: Sequence[str]) -> int:
    """What matters to a learner: against scikit-learn, after a drift, without a trace, and at what cost."""
    given = asked("importance", options, points=["1", "2", "3", "4"], rows=20_000, repeats=5, draws=200)
    for point in given.points:
        {"1": frozen, "2": after_drift, "3": no_trace, "4": cost}[point](given)
    return 0


def drifting(half: int, features: int = 12, seed: int = 1) -> sl.Stream:
    """Return a stream of four labels, each of two features alone, their exclusive or, their sum; two others after."""
    X = np.random.default_rng(seed).random((2 * half, features))
    own = np.concatenate([X[:half, :2], X[half:, 2:4]])
    a, b = (own > 0.5).T
    Y = np.column_stack([a, b, a ^ b, own.sum(axis=1) > 1]).astype(np.uint8)
    return sl.load((X, Y))


def frozen(given: Any) -> None:
    """Compare with the permutation importance of scikit-learn, of learners that learn no more."""
    from sklearn.inspection import permutation_importance

    class Estimator:
        def fit(self) -> None:
            """Nothing: scikit-learn asks whether it is there."""

    sheet = Sheet("1. importance of frozen learners within two joint standard errors", ("", "stream", "features"))
    streams = {"two features of 12": drifting(1000), "image-segments": sl.load("image-segments")}
    for stream_name, stream in streams.items():
        chunks = list(stream.chunks(1000, stop=2000))
        X, Y = chunks[-1].X, chunks[-1].Y
        if stream_name != "image-segments":
            X, Y = chunks[0].X, chunks[0].Y
        for name in ("SMART", "MLHAT", "OnlineLogistic"):
            model = MADE[name]().bind(stream.schema)
            model.learn_many(chunks[0].X, chunks[0].Y)

            def score(_: Any, X: np.ndarray, Y: np.ndarray, model: Any = model) -> float:
                return -float(((model.answer_many(X)[0] - Y) ** 2).sum(axis=1).mean())

            theirs = permutation_importance(Estimator(), X, Y, scoring=score, n_repeats=given.draws, random_state=1)

            def whole(_: int, X: np.ndarray = X, Y: np.ndarray = Y) -> list[Any]:
                return [(X, Y)]

            ours = sl.Importance(model, before=whole, rows=100, window=1000, alpha=1e-9, share=None)
            for start in range(0, len(Y), 100):
                ours.ask(X[start : start + 100], Y[start : start + 100], at=start)
            told = now(ours).loc[[each.name for each in stream.schema.features]]
            joint = np.hypot(told["error"], theirs.importances_std / np.sqrt(given.draws))
            within = (told["value"] - theirs.importances_mean).abs() <= 2 * joint
            sheet.add(name, stream_name, f"{within.sum()} of {len(within)}")
    sheet.show()


def after_drift(given: Any) -> None:
    """Say when the two features that matter since a drift are the first two, and whether others seem to matter."""
    heads = ("", "asked of 100", "right before", "right after (rows)", "irrelevant over two errors")
    sheet = Sheet("2. two of 12 features matter, from half-way on two others", heads)
    half = given.rows // 2
    stream = drifting(half)
    names = np.array([feature.name for feature in stream.schema.features])
    for name, make in MADE.items():
        for options in ({"share": None}, {}):
            run = sl.Run(stream, {name: make()}, importance=options or True, snapshots=0)
            run.advance()
            table = run.what_matters(name)
            value, error = (
                table.pivot(index="position", columns="feature", values=each)[names] for each in ("value", "error")
            )
            best = np.sort(value.to_numpy().argsort(axis=1)[:, -2:], axis=1)
            at = value.index.to_numpy()
            known = (best[(at <= half) & (at > 1000)] == (0, 1)).all(axis=1)
            wrong = at[(at > half) & (best != (2, 3)).any(axis=1)]
            over = (value.to_numpy() > 2 * error.to_numpy())[:, 4:].mean()
            asked_importance = run.learner_runs[name].importance
            rows = f"{asked_importance.pace:.2g}" if asked_importance is not None else ""
            back = int(at[at > wrong.max(initial=half)].min(initial=2 * half + 1)) - half
            sheet.add(name, rows, f"{known.mean():.0%}" if len(known) else None, back, f"{over:.1%}")
    sheet.show()


def no_trace(given: Any) -> None:
    """Compare runs of every learner that is made without an argument, with and without being asked, sought and not."""
    sheet = Sheet("3. runs with and without being asked", ("", "learners", "equal to the bit"))
    stream = drifting(1000, 4)
    equal = []
    for name, kind in LEARNERS.items():
        try:
            learner = kind(seed=1) if "seed" in kind()._get_params() else kind()
        except (TypeError, ValueError):
            continue
        if not hasattr(learner, "answer_many"):
            continue
        runs = []
        for options in (True, False):
            run = sl.Run(stream, {name: learner.clone()}, importance=options)
            run.advance(1550)
            runs.append(run)
        before = runs[0].what_matters(name)
        runs[0].seek(700)
        runs[0].seek(1550)
        same = before.equals(runs[0].what_matters(name)) and runs[0].curves().equals(runs[1].curves())
        equal.append(same and runs[0].events.equals(runs[1].events))
        if not equal[-1]:
            sheet.add(name, 1, "no")
    sheet.add("all", len(equal), f"{sum(equal)}")
    sheet.show()


def cost(given: Any) -> None:
    """Compare the rates of runs with and without being asked."""
    sheet = Sheet("4. rows a CPU second with being asked, to those without", ("", "rows", "×", "asked of 100"))
    plain, segments = drifting(given.rows // 2), sl.load(datasets.ImageSegments())
    nested = sl.nest_labels(plain, dict.fromkeys(plain.schema.labels, "all"))
    made = {name: (make, plain) for name, make in MADE.items()}
    made["HierarchicalKNN"] = sl.HierarchicalKNN, nested
    made["River's HAT"] = (lambda: sl.RiverClassifier(tree.HoeffdingAdaptiveTreeClassifier(seed=1))), segments
    for name, (make, stream) in made.items():
        runs: list[sl.Run] = []

        def job(options: bool, make: Any = make, stream: Any = stream, runs: list[sl.Run] = runs) -> None:
            run = sl.Run(stream, {"it": make()}, importance=options, snapshots=0)
            run.advance()
            if options:
                runs.append(run)

        taken = alternated({"without": lambda job=job: job(False), "with": lambda job=job: job(True)}, given.repeats)
        asking = runs[-1].learner_runs["it"].importance
        pace = f"{asking.pace:.2g}" if asking is not None else ""
        sheet.add(name, runs[-1].position, figure(taken["without"] / taken["with"], 2), pace)
    sheet.show()
