"""Delayed and missing labels: learned when they are known, counted with the truth."""

from __future__ import annotations

import numpy as np
import pytest
from river import metrics, naive_bayes
from river.evaluate import progressive_val_score

import streamlab as sl
from streamlab.lab import Run
from streamlab.learners import MajorityLabels, OnePerLabel
from streamlab.measures import Tracker
from streamlab.streams import delay_labels, hide_labels, rotate_labels
from tests.lab.made import made_arrays, made_stream

N = 1500


def by_hand(stream, learner, chunk):
    """The definition in plain Python: predict a chunk, then learn every row whose labels have arrived, in order."""
    schema, labelling = stream.schema, stream.labelling
    learner.bind(schema)
    rows = next(iter(stream.chunks(N)))
    arrives = labelling.arrives(np.arange(len(rows)))
    told = labelling.labels_known(rows.Y, np.arange(len(rows)))
    tracker = Tracker(schema.labels)
    order = sorted(range(len(rows)), key=lambda row: (arrives[row], row))
    learned = 0
    for start in range(0, len(rows), chunk):
        stop = min(start + chunk, len(rows))
        scores, labels = learner.answer_many(rows.X[start:stop])
        tracker.update(rows.Y[start:stop], labels, scores)
        while learned < len(order) and arrives[order[learned]] < stop:
            row = order[learned]
            learner.learn_many(rows.X[row : row + 1], told[row : row + 1])
            learned += 1
    return tracker, learned


WAYS = {
    "0": lambda s: delay_labels(s, 0),
    "10": lambda s: delay_labels(s, 10),
    "1,000": lambda s: delay_labels(s, 1000),
    "random": lambda s: delay_labels(s, (0, 300), seed=4),
    "half hidden": lambda s: hide_labels(s, 0.5, seed=2),
    "half of the labels hidden": lambda s: hide_labels(s, 0.5, per="label", seed=2),
    "delayed and hidden": lambda s: hide_labels(delay_labels(s, (5, 50)), 0.5),
}


@pytest.mark.parametrize("chunk", [1, 100])
@pytest.mark.parametrize("way", WAYS)
def test_as_by_hand(way, chunk):
    n = N if chunk > 1 else 600
    stream = WAYS[way](made_stream(n, missing=0.05))
    run = Run(stream, {"SMART": sl.SMART(n_trees=3, height=5, warm_up=40, seed=1)}, chunk=chunk)
    run.advance()
    tracker, learned = by_hand(stream, sl.SMART(n_trees=3, height=5, warm_up=40, seed=1), chunk)
    assert learned > 0 or "1,000" in way
    for name, value in tracker.values("cumulative").items():
        assert run.summary.loc["SMART", name] == pytest.approx(value, abs=1e-12), name


@pytest.mark.costly
@pytest.mark.parametrize("delay", [0, 10, 1000])
def test_as_river_with_a_delay(delay):
    X, Y = made_arrays(N)
    stream = delay_labels(made_stream(N), delay)
    run = Run(stream, {"bayes": OnePerLabel(naive_bayes.GaussianNB())})
    run.advance()
    names = stream.schema.labels
    model = OnePerLabel(naive_bayes.GaussianNB()).bind(stream.schema)
    metric = metrics.multioutput.MicroAverage(metrics.F1())
    dataset = (
        (dict(zip(stream.schema.feature_names, x, strict=True)), dict(zip(names, map(bool, y), strict=True)))
        for x, y in zip(X.tolist(), Y.tolist(), strict=True)
    )
    # River reveals what is due at t before t is predicted, here it is learned after: its delay 11 is our 10
    metric = progressive_val_score(dataset, model, metric, delay=delay and delay + 1)
    assert run.summary.loc["bayes", "micro_f1"] == pytest.approx(metric.get(), abs=1e-12)


def test_without_labels_nothing_is_learned_and_all_is_counted():
    stream = hide_labels(made_stream(500), 1.0)
    run = Run(stream, {"majority": MajorityLabels()})
    run.advance()
    assert run.learner_runs["majority"].tracker.row == 500
    assert run.summary.loc["majority", "micro_f1"] == 0


def test_an_alarm_waits_for_the_labels():
    rng = np.random.default_rng(0)
    X = rng.random((6000, 3))
    stream = rotate_labels(sl.load((X, (X > 0.5).astype(np.uint8))), at=3000)

    def first_alarm(stream):
        run = Run(stream, {"SMART": sl.SMART(seed=1)})
        run.advance()
        return next(event.position for event in run.log if event.kind == "alarm" and event.position > 3000)

    prompt, late = first_alarm(stream), first_alarm(delay_labels(stream, 500))
    assert prompt < 3300
    assert prompt + 400 <= late <= prompt + 700
