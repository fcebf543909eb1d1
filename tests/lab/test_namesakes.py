"""A class that shares its name with a registered one stays itself: going back finds it, and no file names the other."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.lab import Run
from streamlab.learners import StandardScaler
from tests.lab.made import made_stream


class NoChange(sl.NoChange):
    """Answers the opposite of the package's, as a notebook's cell may define it."""

    def _test_then_train(self, X, Y, missing):
        scores, labels = super()._test_then_train(X, Y, missing)
        return 1 - scores, 1 - labels


class Mine(sl.NoChange):
    """Is not registered."""


@pytest.mark.parametrize("kind", [NoChange, Mine])
@pytest.mark.parametrize("wrap", [lambda learner: learner, lambda learner: StandardScaler() | learner])
def test_going_back_finds_the_class_of_the_run(kind, wrap):
    run = Run(made_stream(400), {"mine": wrap(kind())})
    run.advance(300)
    before = run.summary.drop(columns="seconds", errors="ignore")
    run.seek(0)
    run.advance(300)
    run.seek(150)
    run.seek(300)
    learner = run.learner_runs["mine"].learner
    assert type(getattr(learner, "parts", [learner])[-1]) is kind
    for measure in ("micro_f1", "hamming_loss"):
        assert np.array_equal(run.summary[measure], before[measure])


@pytest.mark.parametrize("wrap", [lambda learner: learner, lambda learner: StandardScaler() | learner])
def test_no_file_names_the_other_class(wrap, tmp_path):
    model = wrap(NoChange())
    model.learn_one({"a": 1.0}, {"x": True})
    said = "NoChange has the name of another learner, streamlab.learners.baselines.NoChange: .*; rename the class"
    with pytest.raises(ValueError, match=said):
        model.save(tmp_path / "m")
    with pytest.raises(ValueError, match=said):
        model.to_bytes()
    run = Run(sl.load("yeast"), {"mine": wrap(NoChange())})
    run.advance(100)
    for write in (run.save, run.to_script):
        with pytest.raises(ValueError, match=f"^learner 'mine': .*{said}"):
            write(tmp_path / "f")
    assert list(tmp_path.iterdir()) == []


def test_two_classes_of_one_name_are_told_apart_where_the_run_goes_back():
    run = Run(made_stream(400), {"mine": NoChange(), "other": sl.NoChange()})
    run.advance(100)
    run.remove("mine")
    run.join("mine", sl.NoChange())
    run.advance(100)
    for position, kind in ((50, NoChange), (150, sl.NoChange), (100, sl.NoChange), (99, NoChange)):
        run.seek(position)
        assert type(run["mine"]) is kind
