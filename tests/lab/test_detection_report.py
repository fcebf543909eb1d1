"""The drift table: who fell, to what each came and how soon; an error that fell is not an alarm."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import streamlab as sl
from streamlab.lab import Run, without_drifts
from streamlab.lab.detection_report import verdict
from streamlab.learners.base.registry import EventKind
from streamlab.measures import recovery_of
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


def test_the_verdict_names_the_best_the_worst_and_the_spared(run):
    said = verdict(run.detection(), "micro_f1")
    assert said.startswith("By F1 (micro) of those affected SMART recovered after ")
    assert "; kept has not recovered (median 0.62 before, 0.47 since) and has lost " in said
    assert said.endswith("No clear fall: no-change.")
    assert verdict(run.detection("label"), "micro_f1") == ""
    assert verdict(pd.DataFrame(), "micro_f1") == ""


def test_nobody_affected_and_one_alone():
    row = {"learner": "a", "drifts": 2, "affected": 0, "judged": 2, "unjudged": 0, "unclear": 0, "brief": 0, "usual": 0,
           "lost": 0.0, "recovered": 0, "recovery_time": np.nan}  # fmt: skip
    assert "usual variation so far" in verdict(pd.DataFrame([row]), "micro_f1")
    assert verdict(pd.DataFrame([{**row, "drifts": 0}]), "micro_f1") == ""
    assert verdict(pd.DataFrame([{**row, "unjudged": 1}]), "micro_f1") == "", "too early"
    alone = row | {"affected": 1, "level": 0.6, "plateau": 0.5, "lost": 132.0, "recovered": 1, "recovery_time": 820.0}
    said = "By F1 (micro) a recovered after 820 rows (median 0.60 before, 0.50 after) and lost 132."
    assert verdict(pd.DataFrame([alone]), "micro_f1") == said
    low = pd.DataFrame([{**alone, "recovered": 0}])
    assert "has lost 132 after 1 drift, counted to the next one or to now" in verdict(low, "micro_f1")
    assert "0.50 since) and has lost 132 so far" in verdict(low.assign(drifts=1), "micro_f1")
    one = verdict(pd.DataFrame([{**alone, "affected": 2}]), "micro_f1")
    assert "recovered from 1 of 2 drifts after 820 rows (on average 0.60 before, 0.50 after)" in one


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
    found = recovery_of(at, own, 1000, reference=twin.learner_runs["SMART"].history.concluded("micro_f1", 100)[1])
    row = run.detection(twin=twin).set_index("learner").loc["SMART"]
    assert (row.lost, row.recovered) == (found.lost, int(np.isfinite(found.time)))
    assert row.lost != run.detection().set_index("learner").loc["SMART"].lost


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
