"""The drift table: who fell, to what each came and how soon; an error that fell is not an alarm."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.lab.detection_report import verdict
from streamlab.learners.base.events import EventKind
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
    assert rows.loc["SMART", "lost"] > 0
    # it never forgets: what it comes to stays below what it had, and it still rises
    assert rows.loc["kept", "plateau"] < 0.9 * rows.loc["kept", "level"]
    assert rows.loc["SMART", "plateau"] > 0.95 * rows.loc["SMART", "level"]
    assert rows.index.tolist() == ["SMART", "kept", "no-change"], "who does best after the drifts stands first"


def test_the_verdict_names_the_best_the_worst_and_the_spared(run):
    said = verdict(run.detection(), "micro_f1")
    assert said.startswith("By F1 (micro) of those affected SMART settled at 0.")
    assert "; kept settled at 0.49 (0.62 before), after" in said
    assert said.endswith("Not affected: no-change.")
    assert verdict(run.detection("label"), "micro_f1") == ""
    assert verdict(pd.DataFrame(), "micro_f1") == ""


def test_nobody_affected_and_one_alone():
    row = {"learner": "a", "drifts": 2, "affected": 0, "lost": 0.0, "recovered": 0, "recovery_time": np.nan}
    assert "usual variation so far" in verdict(pd.DataFrame([row]), "micro_f1")
    assert verdict(pd.DataFrame([{**row, "drifts": 0}]), "micro_f1") == ""
    alone = row | {"affected": 1, "level": 0.6, "plateau": 0.5, "lost": 132.0, "recovered": 1, "recovery_time": 820.0}
    said = "By F1 (micro) a settled at 0.50 (0.60 before), after 820 rows in which it lost 132."
    assert verdict(pd.DataFrame([alone]), "micro_f1") == said
    assert "and has not settled yet" in verdict(pd.DataFrame([{**alone, "recovered": 0}]), "micro_f1")
    assert "settled after 1 of 2 drifts on average" in verdict(pd.DataFrame([{**alone, "affected": 2}]), "micro_f1")


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
