"""The drift table: who fell, to what each came and how soon; an error that fell is not an alarm."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab import Run, without_drifts
from streamlab.learners.base.registry import EventKind
from streamlab.streams import Drift
from tests.lab.made import Lagging, made_stream


@pytest.fixture(scope="module")
def run():
    made = Run(
        sl.load("yeast-rotated"),
        {"no-change": sl.NoChange(), "SMART": sl.SMART(seed=1), "kept": sl.SMART(half_life=np.inf, seed=1)},
    )
    made.advance()
    return made


def test_a_baseline_that_is_as_bad_before_as_after_is_not_affected(run):
    table = run.detection()
    rows = table.set_index("learner")
    assert rows.loc["no-change", ["affected", "lost", "recovered"]].tolist() == [0, 0.0, 0]
    assert rows.loc["SMART", ["affected", "recovered"]].tolist() == [1, 1]
    assert rows.loc["kept", ["affected", "recovered", "settled"]].tolist() == [1, 0, 1]
    assert rows.loc["kept", "lost"] > 2 * rows.loc["SMART", "lost"] > 0
    # it never forgets: what it comes to stays below what it had, and it still rises
    assert rows.loc["kept", "plateau"] < 0.9 * rows.loc["kept", "level"]
    assert rows.loc["SMART", "plateau"] > 0.95 * rows.loc["SMART", "level"]
    assert rows.index.tolist() == ["SMART", "kept", "no-change"], "who does best after the drifts stands first"


def test_from_a_row_on_only_what_began_later_counts(run):
    assert run.detection(since=1200).equals(run.detection())
    later = run.detection(since=1201)
    assert not later["drifts"].any()
    assert not later["false_alarms"].sum(), "alarms of a drift before are of that one, and not false"


def test_an_alarm_has_one_delay_whichever_drifts_are_looked_at():
    run = Run(sl.load("yeast-rotated"), {"SMART": sl.SMART(seed=1)})
    run.advance(1250)
    run.set_step(50)
    run.advance(50)
    run.put_drift(sl.DriftRecipe("swap_labels", a="Class1", b="Class2"), at=1300)
    run.advance()
    both, late = (run.detection(since=since).iloc[0] for since in (0, 1201))
    assert (both.drifts, both.detected, both.mean_time_to_detection) == (2, 1, 144.0)
    assert (late.drifts, late.detected, late.false_alarms) == (1, 0, 0)


def test_a_drift_before_a_fork_is_not_the_forks():
    run = Run(sl.load("yeast-rotated"), {"SMART": sl.SMART(seed=1, n_trees=4)})
    run.advance(1800)
    run.fork("SMART", "fork", half_life=50)
    run.advance(300)
    table = run.detection().set_index("learner")
    assert table["affected"].to_dict() == {"SMART": 1, "fork": 0}


def test_what_was_put_in_is_measured_against_a_run_without_it():
    run = Run(sl.load("yeast"), {"SMART": sl.SMART(seed=1, n_trees=4)})
    run.advance(600)
    run.tune("SMART", half_life=150)
    run.advance(400)
    run.put_drift(lambda stream, at: sl.rotate_labels(stream, at=at))
    run.advance(800)
    run.fork("SMART", "fork", half_life=50)
    run.advance()
    twin = without_drifts(run)
    plain = Run(sl.load("yeast"), {"SMART": sl.SMART(seed=1, n_trees=4)})
    plain.advance(600)
    plain.tune("SMART", half_life=150)
    plain.advance()
    curves = [each.learner_runs["SMART"].history.curve("micro_f1") for each in (twin, plain)]
    assert np.array_equal(*curves)
    at, own = run.learner_runs["SMART"].history.concluded("micro_f1", 100)
    gaps = (twin.learner_runs["SMART"].history.concluded("micro_f1", 100)[1] - own)[at > 1000]
    rows = run.detection(twin=twin).set_index("learner")
    assert rows.loc["SMART", "behind"] == pytest.approx(float(np.diff(at[at >= 1000]) @ gaps))
    assert np.isnan(rows.loc["fork", "behind"]), "it was not there when the drift began"
    # the verdict is of the level before, with a twin or without
    assert rows.drop(columns="behind").equals(run.detection().set_index("learner"))


def test_without_a_drift_that_was_put_in_there_is_no_other_run():
    run = Run(made_stream(400, drifts=(Drift(200),)), {"no-change": sl.NoChange()})
    run.advance()
    assert without_drifts(run) is None


def test_an_error_that_fell_is_no_alarm():
    learner = Lagging()
    learner.events = {"drift": EventKind("A drift", is_detection=True, source="own detectors")}
    run = Run(made_stream(400, drifts=(Drift(200),)), {"tree": learner}, chunk=100, alarms=None)
    run.advance(200)
    learner.happened = [{"kind": "drift", "message": "fell", "node": 3, "rising": False}]
    run.advance(100)
    table = run.detection().set_index("source")
    assert table.loc["own detectors", ["detected", "false_alarms"]].tolist() == [0, 0]
    assert run.detection("node").empty
    learner.happened = [{"kind": "drift", "message": "rose", "node": 3, "rising": True}]
    run.advance()
    assert run.detection().set_index("source").loc["own detectors", "detected"] == 1
