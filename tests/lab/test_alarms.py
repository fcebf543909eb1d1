"""Alarms of a run: raised when errors rise, at their instance, and measured against the truth."""

from __future__ import annotations

import numpy as np
import pytest
from river import drift as river_drift

import streamlab as sl
from streamlab.lab import Run
from streamlab.learners import MajorityLabels, NoChange
from streamlab.learners.base.registry import EventKind
from streamlab.streams import Drift, rotate_labels
from streamlab.streams.readers.arrays import ArrayStream
from tests.lab.made import Lagging, made_stream


def turning(n=6000, at=3000):
    """Labels that follow from the features, and change places half-way."""
    rng = np.random.default_rng(2)
    X = rng.random((n, 4))
    Y = (X[:, :3] > 0.5).astype(np.uint8)
    return rotate_labels(ArrayStream(X, Y, name="turning"), at=at)


def alarms(run, kind="alarm"):
    return [event for event in run.log if event.kind == kind]


@pytest.mark.parametrize("steps", [[6000], [17] * 353])
def test_an_alarm_comes_when_errors_rise_and_not_when_they_fall(steps):
    run = Run(turning(), {"SMART": sl.SMART(seed=1), "majority": MajorityLabels()}, alarms="label")
    for n in steps:
        run.advance(n)
    found = [event for event in alarms(run) if event.learner == "SMART"]
    assert len(found) >= 1
    assert 3000 < found[0].position < 3200
    assert found[0].detail["after"] > found[0].detail["before"]
    assert found[0].message.startswith("Hamming loss rose: 0")
    labels = {event.detail["label"] for event in alarms(run, "label alarm") if event.learner == "SMART"}
    assert labels == set(run.stream.schema.labels)
    table = run.detection().set_index("learner")
    assert table.loc["SMART", ["drifts", "detected", "missed"]].tolist() == [1, 1, 0]
    assert table.loc["SMART", "mean_time_to_detection"] == found[0].position - 3000
    assert table.loc["majority", "detected"] == 0
    assert 0 < table.loc["SMART", "recovery_time"] < 3000


def test_the_alarm_is_where_river_would_raise_it():
    run = Run(turning(), {"SMART": sl.SMART(seed=1)})
    run.advance()
    twin, theirs = sl.SMART(seed=1).bind(run.stream.schema), river_drift.ADWIN()
    position, at = 0, []
    for chunk in run.stream.chunks(100):
        _, labels = twin.test_then_train(chunk.X, chunk.Y)
        for loss in (labels != chunk.Y).mean(axis=1):
            before = theirs.estimation
            theirs.update(loss)
            position += 1
            if theirs.drift_detected and theirs.estimation > before:
                at.append(position)
    assert [event.position for event in alarms(run)] == at


def test_no_alarms_when_none_are_asked_for():
    run = Run(turning(), {"SMART": sl.SMART(seed=1)}, alarms=None)
    run.advance()
    assert alarms(run) == []
    assert run.detection().empty
    with pytest.raises(ValueError, match="alarms='all': expected 'learner', 'label' or None"):
        Run(turning(), {"SMART": sl.SMART()}, alarms="all")
    with pytest.raises(ValueError, match="delta=2"):
        Run(turning(), {"SMART": sl.SMART()}, alarm_delta=2)


def test_by_label_the_silent_ones_are_listed_too():
    run = Run(turning(), {"no-change": NoChange()}, alarms="label")
    run.advance()
    table = run.detection("label")
    assert table["label"].tolist() == list(run.stream.schema.labels)
    assert table["detected"].tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="by='leaf'"):
        run.detection("leaf")
    with pytest.raises(ValueError, match="unknown measure"):
        run.detection(measure="luck")


def test_events_of_nodes_are_measured_by_node():
    learner = Lagging()
    learner.events = {
        "drift": EventKind("A drift", is_detection=True, source="own detectors"),
        "alternate_promoted": EventKind("A promotion", is_detection=True, source="promotions"),
        "split": EventKind("A split"),
    }
    stream = made_stream(400, drifts=(Drift(200),))
    run = Run(stream, {"tree": learner}, chunk=100)
    run.advance(200)
    learner.happened = [
        {"kind": "drift", "message": "node 3", "node": 3},
        {"kind": "alternate_promoted", "message": "node 9 takes over", "node": 9},
        {"kind": "split", "message": "no alarm", "node": 1},
    ]
    run.advance()
    table = run.detection("node").set_index("node")
    assert sorted(table.index) == [3, 9]
    assert table.loc[3, "mean_time_to_detection"] == 100
    sources = run.detection().set_index("source")
    assert set(sources.index) == {"errors", "own detectors", "promotions"}
    assert sources.loc["promotions", "detected"] == 1
