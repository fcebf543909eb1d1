"""The confusion matrix: what it counts, how it fades, which runs have one, and what is told of a class."""

from __future__ import annotations

import numpy as np
import pytest
from river import datasets
from sklearn.metrics import confusion_matrix

import streamlab as sl
from streamlab.views.kit.picture import Budget, subject_of
from streamlab.views.pictures.confusion.picture import ConfusionPicture, confusion_details

PICTURE = ConfusionPicture()


class Told(sl.NoChange):
    """Answers what it was made with, row by row, and nothing where that is below 0."""

    def __init__(self, answers=()):
        super().__init__()
        self.answers, self.at = answers, 0

    def test_then_train(self, X, Y):
        labels = np.zeros(Y.shape, np.uint8)
        for i in range(len(Y)):
            if (answer := self.answers[self.at]) >= 0:
                labels[i, answer] = 1
            self.at += 1
        return labels.astype(float), labels


def run_of(n=400, fading=0.995):
    rng = np.random.default_rng(1)
    own, answers = rng.integers(0, 3, n), rng.integers(-1, 3, n)
    stream = sl.load((rng.random((n, 2)), np.array(["a", "b<i>", "c"])[own]))
    run = sl.Run(stream, {"told": Told(answers)}, chunk=70, fading=fading, snapshots=0)
    run.advance()
    return run, own, answers


def test_the_counts_are_those_of_scikit_learn_and_fade_row_by_row():
    run, own, answers = run_of()
    asked = answers >= 0
    found = run.confusion("told")
    assert found.index.tolist() == found.columns.tolist() == ["a", "b<i>", "c"]
    np.testing.assert_array_equal(found, confusion_matrix(own[asked], answers[asked]))
    weights = 0.995 ** np.arange(len(own) - 1, -1, -1)
    expected = confusion_matrix(own[asked], answers[asked], sample_weight=weights[asked])
    np.testing.assert_allclose(run.confusion("told", "faded"), expected, rtol=1e-9)
    drawn = PICTURE.columns(subject_of("told", run), None, Budget())
    shares = drawn.columns["recent"].reshape(3, 4)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    missed = [weights[(own == each) & ~asked].sum() / weights[own == each].sum() for each in range(3)]
    np.testing.assert_allclose(shares[:, 3], missed, rtol=1e-9)
    for name, expected in {"row": np.arange(400) + 1, "own": own, "answer": answers}.items():
        np.testing.assert_array_equal(drawn.extra["latest"][name], expected)
    np.testing.assert_array_equal(drawn.extra["latest"]["score"], np.where(asked, 1.0, np.nan))


def test_a_run_that_goes_back_has_the_matrix_of_that_row():
    stream = sl.load(datasets.ImageSegments(), n_rows=900)
    run, twin = (sl.Run(stream, {"SMART": sl.SMART(seed=1, n_trees=3)}) for _ in range(2))
    run.advance()
    run.seek(630)
    twin.advance(630)
    ours, theirs = (each.learner_runs["SMART"].tracker.recent for each in (run, twin))
    assert len(ours.own) == 500
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one, other)
    for over in ("cumulative", "faded"):
        np.testing.assert_array_equal(run.confusion("SMART", over), twin.confusion("SMART", over))
    assert run.confusion("SMART").to_numpy().trace() == pytest.approx(630 * run.summary.loc["SMART", "accuracy"])


def test_label_sets_have_none():
    run = sl.Run("yeast", sl.NoChange())
    run.advance(100)
    assert not PICTURE.fits(subject_of("NoChange", run))
    with pytest.raises(ValueError, match="has label sets; expected up to 30 classes"):
        run.confusion("NoChange")
    with pytest.raises(ValueError, match="nobody"):
        run.confusion("nobody")


def test_of_a_cell_it_is_told_how_its_class_was_answered():
    run, own, answers = run_of(fading=1.0)
    subject = subject_of("told", run)
    cell = 1 * 4 + 2
    html = confusion_details("told", PICTURE.columns(subject, cell, Budget()).story)
    assert "rows of b&lt;i&gt;" in html
    share = ((own == 1) & (answers == 2)).sum() / (own == 1).sum()
    assert f"{100 * share:.1f} %" in html
    assert f"{(own == 1).sum():,}" in html
    assert PICTURE.columns(subject, 99, Budget()).story is None


def test_a_row_that_people_want_to_see_is_told_once_and_nothing_else_is():
    view = PICTURE.view(sl.load(datasets.Phishing()).schema)
    told = []
    view.param.watch(lambda event: told.append(event.new), "visit")
    for row in (7, 7, -1, "7", None, True):
        view._handle_msg({"kind": "visit", "row": row})
    assert [row for row in told if row is not None] == [7, 7]
