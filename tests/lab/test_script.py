"""A run written down as a script makes the same run again, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from river import drift, multioutput, tree

import streamlab as sl
from streamlab.streams import DriftRecipe, delay_labels, feature_noise, hide_labels, join, swap_labels
from tests.lab.test_archive import Named
from tests.lab.test_time_machine import STREAMS, same, told


def executed(code: str) -> sl.Run:
    space: dict[str, Any] = {}
    exec(compile(code, "script.py", "exec"), space)
    return space["run"]


def tuned(run: sl.Run) -> sl.Run:
    run.advance(50)
    run.tune("SMART", half_life=20.0)
    run.mark()
    run.advance(43)
    run.put_drift(DriftRecipe("feature_noise", strength=1.0), at=107)
    run.fork("SMART", 'it\'s "new"', train_on=30, height=5)
    run.fork("KNN", "k", balancedknn__n_neighbors=2)
    run.join("most", sl.MajorityLabels(), train_on=10)
    run.advance(30)
    run.remove("k")
    run.advance(60)
    run.seek(130)
    run.tune("SMART", half_life=float("inf"))
    run.advance(50)
    return run


def made(**settings: Any) -> sl.Run:
    stream = hide_labels(delay_labels(STREAMS["flat"](), (0, 45), seed=1), 0.2, per="label", seed=3)
    learners = {
        "SMART": sl.SMART(seed=1, warm_up=40),
        "KNN": sl.StandardScaler() | sl.BalancedLDA() | sl.BalancedKNN(window=30),
        "plain": sl.Pipeline(sl.StandardScaler(half_life=50), sl.MLKNN(), chunk=40),
    }
    return sl.Run(stream, learners, chunk=20, alarms="label", measures=["micro_f1", "hamming_loss"], **settings)


def test_a_script_makes_the_run_again(tmp_path):
    run = tuned(made(fading=0.99, history=100))
    run.to_script(tmp_path / "again.py")
    code = (tmp_path / "again.py").read_text()
    same(told(executed(code)), told(run))
    assert 'run.tune("SMART", half_life=float("inf"))' in code
    assert "sl.StandardScaler() | sl.BalancedLDA() | sl.BalancedKNN(window=30)" in code


def function(stream, at):
    return feature_noise(stream, at=at)


def learned() -> sl.SMART:
    model = sl.SMART(seed=1)
    stream = STREAMS["flat"]()
    chunk = next(stream.chunks(10))
    model.bind(stream.schema).learn_many(chunk.X, chunk.Y)
    return model


@pytest.mark.parametrize(
    ("stream", "learner", "drift", "why"),
    [
        ((np.zeros((50, 2)), np.ones((50, 2), np.uint8)), sl.NoChange, None, "it is not known how its stream 'arrays'"),
        ("syn-regions", lambda: Named() | tree.HoeffdingTreeClassifier(), None, "'it' is a OnePerLabel of Pipeline"),
        (STREAMS["flat"](), learned, None, "'it' had learned before the run began"),
        ("syn-regions", sl.NoChange, function, "put in after 20 instances is a Python function"),
    ],
)
def test_what_cannot_be_written_is_refused(stream, learner, drift, why, tmp_path):
    run = sl.Run(stream, {"it": learner()}, chunk=10)
    run.advance(20)
    if drift is not None:
        run.put_drift(drift)
    with pytest.raises(ValueError, match=f"cannot be written down: .*{why}"):
        run.to_script(tmp_path / "again.py")
    assert not list(tmp_path.iterdir())


def test_what_is_done_after_the_end_is_written_after_it(tmp_path):
    run = sl.Run("syn-regions", sl.NoChange(), chunk=1000)
    run.advance()
    run.fork("NoChange", "copy")
    run.to_script(tmp_path / "again.py")
    again = executed((tmp_path / "again.py").read_text())
    assert again.finished
    assert again.events.equals(run.events)


def test_river_s_learners_and_detectors_are_written(tmp_path):
    chain = multioutput.ClassifierChain(tree.HoeffdingTreeClassifier(grace_period=50))
    trees = tree.HoeffdingAdaptiveTreeClassifier(grace_period=40, seed=1)
    detectors = {"mine": (drift.ADWIN(delta=0.1), "example_f1")}
    run = sl.Run(STREAMS["flat"](), {"trees": trees}, chunk=50, detectors=detectors)
    run.advance(100)
    run.join("chain", chain)
    run.advance(100)
    run.to_script(tmp_path / "again.py")
    code = (tmp_path / "again.py").read_text()
    same(told(executed(code)), told(run))
    assert "ADWIN(delta=0.1)" in code


@pytest.mark.parametrize("rows", [None, 450])
def test_a_joined_stream_is_written_by_its_parts(rows, tmp_path):
    parts = [sl.load("syn-regions", n_rows=300), swap_labels(sl.load("syn-regions", n_rows=300, seed=2), 0, 1, at=100)]
    run = sl.Run(feature_noise(join(parts, rows), at=200), sl.MajorityLabels(), chunk=50)
    run.advance()
    run.to_script(tmp_path / "again.py")
    again = executed((tmp_path / "again.py").read_text())
    assert again.position == (rows or 600)
    assert again.stream.recipe == run.stream.recipe
    assert again.events.equals(run.events)
    assert again.curves().equals(run.curves())
