"""Streams of classes: River's models and ours, counted here and by River's own evaluation."""

from __future__ import annotations

import itertools
import math
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy.stats import rankdata

import streamlab as sl
from benchmarks.harness import Sheet, alternated, asked, console, figure
from streamlab.lab.player import Player
from streamlab.lab.seeing import OwnLoop
from streamlab.views.kit.picture import Budget, Subject
from streamlab.views.page.stage import fitting, pictures
from streamlab.views.pictures import PICTURES

__all__ = ["classes", "seen"]

ROWS, HALF, WIDTH = 10_000, 5_000, 50
"""Rows of a synthetic stream, the middle of its drift, and over how many rows it comes (fewer overflow in River)."""
TREES = 10


def classes(options: Sequence[str]) -> None:
    """Accuracy and kappas of River's models and of ours on six streams, beside River's own evaluation of the same."""
    given = asked("classes", options, streams=list(streams()), learners=[*rivers(2), *ours()])
    heads = ("stream", "learner", "accuracy", "River's own", "rows unanswered", "kappa", "kappa T", "kappa M", "rows/s",
             "River's own rows/s")  # fmt: skip
    sheet, right, alike = Sheet("accuracy and kappas, row by row", heads), {}, []
    for name in given.streams:
        make, n_classes = streams()[name]
        models = {**rivers(n_classes), **ours()}
        for learner in given.learners:
            model = models[learner]()
            known = make().n_samples
            n_rows = int(known) if known and math.isfinite(known) else ROWS
            stream = sl.load(make(), n_rows=n_rows)
            own, rate, skipped = "", "", ""
            if learner in rivers(n_classes):
                value, skipped, seconds = by_river(itertools.islice(make(), n_rows), model.clone())
                own, rate = figure(value, 5), f"{n_rows / seconds:,.0f}"
            result = sl.prequential(stream, {learner: model}).summary.iloc[0]
            right[name, learner] = accuracy = float(result["accuracy"])
            if own:
                # River leaves out the rows that were not answered; right answers are whole numbers
                alike.append(round(accuracy * n_rows) == round(value * (n_rows - skipped)))
            counted = (figure(accuracy, 5), own, skipped)
            kappas = [figure(float(result[each])) for each in ("kappa", "kappa_t", "kappa_m")]
            sheet.add(name, learner, *counted, *kappas, f"{result['instances_per_second']:,.0f}", rate)
    ranked(right, given.streams, given.learners).show()
    sheet.show()
    console.print(f"as many right answers as River's own evaluation counts: {sum(alike)} of {len(alike)} runs")


def ranked(right: Mapping[tuple[str, str], float], names: Sequence[str], learners: Sequence[str]) -> Sheet:
    """Return the accuracies by learner, with its mean rank over the streams (equal ones share a rank), the best first.

    ``right``: accuracy by stream and learner.
    """
    values = np.array([[right[name, learner] for name in names] for learner in learners])
    ranks = rankdata(-values, axis=0).mean(axis=1)
    sheet = Sheet("accuracy, and the mean rank over the streams", ("learner", *names, "mean rank"))
    for place in np.argsort(ranks, kind="stable"):
        sheet.add(learners[place], *values[place], figure(float(ranks[place]), 1))
    return sheet


def streams() -> dict[str, tuple[Callable[[], Any], int]]:
    """River's streams by name, each with its number of classes."""
    from river import datasets
    from river.datasets import synth

    def drifting(made: Callable[[int], Any]) -> Callable[[], Any]:
        return lambda: synth.ConceptDriftStream(made(0), made(2), position=HALF, width=WIDTH, seed=1)

    return {
        "Phishing": (datasets.Phishing, 2),
        "ImageSegments": (datasets.ImageSegments, 7),
        "SEA, other at 5,000": (drifting(lambda variant: synth.SEA(variant=variant, seed=1)), 2),
        "Agrawal, other at 5,000": (drifting(lambda f: synth.Agrawal(classification_function=f, seed=1)), 2),
        "RBF, moving": (
            lambda: synth.RandomRBFDrift(
                1, 1, n_classes=4, n_features=10, n_centroids=20, n_drift_centroids=20, change_speed=0.001
            ), 4
        ),
        "LED, other at 5,000": (
            lambda: synth.ConceptDriftStream(
                synth.LED(seed=1, noise_percentage=0.1),
                synth.LEDDrift(seed=2, noise_percentage=0.1, n_drift_features=4),
                position=HALF, width=WIDTH, seed=1,
            ), 10,
        ),
    }  # fmt: skip


def rivers(n_classes: int) -> dict[str, Callable[[], Any]]:
    """River's models by name, with their defaults; logistic regression of more than two classes is softmax."""
    from river import ensemble, forest, linear_model, naive_bayes, preprocessing, tree

    linear = linear_model.LogisticRegression if n_classes == 2 else linear_model.SoftmaxRegression
    return {
        "Hoeffding tree": lambda: tree.HoeffdingTreeClassifier(),
        "Hoeffding adaptive tree": lambda: tree.HoeffdingAdaptiveTreeClassifier(seed=1),
        "adaptive random forest": lambda: forest.ARFClassifier(n_models=TREES, seed=1),
        "aggregated Mondrian forest": lambda: forest.AMFClassifier(n_estimators=TREES, seed=1),
        "leveraging bagging": lambda: ensemble.LeveragingBaggingClassifier(
            tree.HoeffdingTreeClassifier(), n_models=TREES, seed=1
        ),
        "streaming random patches": lambda: ensemble.SRPClassifier(n_models=TREES, seed=1),
        "naive Bayes": lambda: naive_bayes.GaussianNB(),
        "logistic regression": lambda: preprocessing.StandardScaler() | linear(),
    }


def ours() -> dict[str, Callable[[], sl.Learner]]:
    """Ours by name, with their defaults, and the two baselines."""
    return {
        "SMART": lambda: sl.SMART(seed=1),
        "HedgedMLHAT": lambda: sl.HedgedMLHAT(seed=1),
        "Council": lambda: sl.Council(seed=1),
        "no-change": lambda: sl.NoChange(),
        "majority": lambda: sl.MajorityLabels(),
    }


def by_river(rows: Iterable[Any], model: Any) -> tuple[float, int, float]:
    """Return River's own accuracy of a model, how many rows that leaves out, and the seconds.

    River's metric leaves out the rows for which a model has no answer yet.
    """
    from river import evaluate, metrics

    rows, metric, begun = list(rows), metrics.Accuracy(), time.process_time()
    evaluate.progressive_val_score(rows, model, metric)
    return metric.get(), len(rows) - int(metric.cm.n_samples), time.process_time() - begun


FRAME_SECONDS, CHUNK = 0.1, 100
"""A page draws ten times a second of its processor; flat out, it goes on by whole chunks."""


def seen(options: Sequence[str]) -> None:
    """Rows a second of River's models that are watched, by picture, beside River's own loop over the same rows."""
    given = asked("seen", options, repeats=5, learners=[*rivers(N_SEGMENTS)])
    heads = (
        "model", "picture", "River's own rows/s", "in a run, of it", "drawn, of it",
        "drawn, of a loop that asks for probabilities", "ms a picture",
    )  # fmt: skip
    sheet = Sheet("image segments, renamed half-way", heads)
    stream = segments()
    rows = rows_of(stream)
    for learner in given.learners:
        make = rivers(N_SEGMENTS)[learner]
        spent: dict[str, list[float]] = {name: [] for name in drawn_as(stream, make())}
        jobs: dict[str, Callable[[], object]] = {
            "own": partial(lambda make: by_river(read_again(rows), make()), make),
            "probabilities": partial(lambda make: by_probabilities(read_again(rows), make()), make),
            "run": partial(lambda make: played(stream, make(), "", []), make),
        }
        for name, each in spent.items():
            jobs[name] = partial(lambda make, name, each: played(stream, make(), name, each), make, name, each)
        taken = alternated(jobs, given.repeats)
        for name, each in spent.items():
            ways = (("own", "run"), ("own", name), ("probabilities", name))
            shares = [figure(taken[loop] / taken[way], 2) for loop, way in ways]
            took = statistics.fmean(each or [math.nan])
            sheet.add(learner, name, f"{len(rows) / taken['own']:,.0f}", *shares, figure(1000 * took, 1))
    sheet.show()
    heads = ("model", "loop, CPU s", "told of each row, of it", "spent in telling, of it")
    sheet = Sheet("in a loop of one's own, five times these rows", heads)
    for learner in given.learners:
        make, inside = rivers(N_SEGMENTS)[learner], []
        jobs = {
            "own": partial(in_loop, rows * 5, make, False, []),
            "told": partial(in_loop, rows * 5, make, True, inside),
        }
        taken = alternated(jobs, given.repeats, time.thread_time)
        telling = statistics.median(inside) / taken["own"]
        sheet.add(learner, figure(taken["own"], 2), figure(taken["told"] / taken["own"], 3), figure(telling, 3))
    sheet.show()


def in_loop(
    rows: Sequence[tuple[dict[str, float], str]], make: Callable[[], Any], is_told: bool, inside: list[float]
) -> None:
    """Let a loop of one's own teach a model; a player beside it draws, as that of a page does, what it is told.

    The CPU seconds of telling are added to ``inside``: what the page costs at least, where the machine is noisy.
    """
    players = []

    def begin(stream: sl.Stream, learners: dict[str, sl.Learner]) -> tuple[sl.Run, Player]:
        run = sl.Run(stream, learners, chunk=CHUNK)
        players.append(Player(run))
        players[0].play(None)
        return run, players[0]

    model, spent = make(), 0.0
    told = OwnLoop({"model": model}, begin, CHUNK, 2 * CHUNK, ()) if is_told else None
    for x, y in rows:
        answer = model.predict_one(x)
        model.learn_one(x, y)
        if told is not None:
            begun = time.thread_time()
            told.row(x, y, answer)
            spent += time.thread_time() - begun
    inside.append(spent)
    if told is not None:
        told.close()
        players[0].close()


N_SEGMENTS = 7


def segments() -> sl.Stream:
    """Image segments whose classes each take the next one's name half-way."""
    from river import datasets

    return sl.rotate_labels(sl.load(datasets.ImageSegments()), at=1155)


def rows_of(stream: sl.Stream) -> list[tuple[dict[str, float], str]]:
    """Return a stream's rows as River's loop takes them."""
    names, labels = stream.schema.feature_names, stream.schema.labels
    return [
        (dict(zip(names, x, strict=True)), labels[int(y.argmax())])
        for chunk in stream.chunks(500) for x, y in zip(chunk.X.tolist(), chunk.Y, strict=True)
    ]  # fmt: skip


def read_again(rows: Sequence[tuple[dict[str, float], str]]) -> Iterable[tuple[dict[str, float], str]]:
    """Read the data set as a run does, row by row; the classes are those of ``rows``."""
    from river import datasets

    return ((x, y) for (x, _), (_, y) in zip(datasets.ImageSegments(), rows, strict=True))


def by_probabilities(rows: Iterable[tuple[dict[str, float], str]], model: Any) -> float:
    """Return the accuracy of a loop that asks for probabilities, which pages show, and answers the likeliest class."""
    from river import metrics

    metric = metrics.Accuracy()
    for x, y in rows:
        if known := model.predict_proba_one(x):
            metric.update(y, max(known, key=known.__getitem__))
        model.learn_one(x, y)
    return metric.get()


def drawn_as(stream: sl.Stream, model: Any) -> list[str]:
    """Return the pictures of a model itself."""
    run = sl.Run(stream, {"model": model}, chunk=CHUNK)
    run.advance(CHUNK)
    return [each.name for each in pictures() if each.of_learner and fitting(each, run)]


def played(stream: sl.Stream, model: Any, picture: str, spent: list[float]) -> None:
    """Let a run learn all rows; with a picture, make it as often as a page, and note the seconds that each took."""
    run = sl.Run(stream, {"model": model}, chunk=CHUNK)
    drawn = PICTURES.load(picture)() if picture else None
    subject, last = Subject("model", run.learner_runs["model"].learner, run), time.process_time()
    while run.advance(CHUNK):
        begun = time.process_time()
        if drawn is not None and begun - last >= FRAME_SECONDS:
            drawn.columns(subject, None, Budget())
            last = time.process_time()
            spent.append(last - begun)
