"""Oversampling: rows with rare labels are learned more often, by any learner, however the stream is cut."""

from __future__ import annotations

import numpy as np
import pytest
from river.naive_bayes import GaussianNB

import streamlab as sl

INSIDE = {
    "MLHAT": lambda: sl.MLHAT(seed=1),
    "MLKNN": lambda: sl.MLKNN(chunk=40),
    "SMART": lambda: sl.SMART(seed=1),
    "pipeline": lambda: sl.StandardScaler() | sl.BalancedKNN(),
    "OnePerLabel": lambda: sl.OnePerLabel(GaussianNB()),
}
ROWS = 160
WHO = [pytest.param(name, marks=pytest.mark.nightly) if name == "OnePerLabel" else name for name in INSIDE]
"""A second a time: it asks a model of River's for each label."""


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    chunk = next(sl.load("yeast").chunks(ROWS))
    return np.ascontiguousarray(chunk.X[:, :10]), chunk.Y


def times(model: sl.Oversampling, Y: np.ndarray) -> np.ndarray:
    """How often each row is learned, as the docstring says it."""
    shares, wanted = np.zeros(Y.shape[1]), np.ones(len(Y))
    for i, y in enumerate(Y):
        kept = min(model.fading, i / (i + 1))
        shares = kept * shares + (1 - kept) * y
        if y.any():
            rare = shares[y == 1].min()
            wanted[i] = min(max(1, (1 - rare) / rare), model.most)
    return wanted


@pytest.mark.parametrize("name", WHO)
def test_the_learner_inside_learns_each_row_so_often_and_answers_before_the_first(name, rows):
    X, Y = rows
    model = sl.Oversampling(INSIDE[name](), most=6, fading=0.95, seed=3)
    inside, answers, learned = INSIDE[name](), [], []
    learn = model.model._learn
    took = model.model._test_then_train

    def noted(X, Y, missing, take):
        learned.append(len(X))
        return take(X, Y, missing)

    model.model._learn = lambda X, Y, missing: noted(X, Y, missing, learn)
    if not model.predicts_whole_chunks:
        model.model._test_then_train = lambda X, Y, missing: noted(X, Y, missing, took)
    for at in range(ROWS):
        answers.append(model.test_then_train(X[at : at + 1], Y[at : at + 1]))
    wanted = times(model, Y)
    if name != "OnePerLabel":  # its _learn may call its _test_then_train
        copies = np.array(learned)
        assert ((copies == np.floor(wanted)) | (copies == np.ceil(wanted))).all()
        assert abs(copies.sum() - wanted.sum()) < 4 * np.sqrt(ROWS)
        assert copies.max() == 6
    else:
        copies = np.array(learned)
    for at, n in enumerate(copies.tolist()):
        scores, labels = inside.test_then_train(X[at : at + 1], Y[at : at + 1])
        np.testing.assert_array_equal(answers[at][0][0], scores[0])
        np.testing.assert_array_equal(answers[at][1][0], labels[0])
        for _ in range(n - 1):
            inside.learn_many(X[at : at + 1], Y[at : at + 1])


def test_weights_by_label_tuning_and_labels_that_come_later(rows):
    X, Y = rows
    seen = []
    model = sl.Oversampling(sl.MajorityLabels(), weights={"Class2": 3}, seed=1)
    model.bind(sl.load("yeast").schema)
    model.model._test_then_train = lambda X, Y, missing: (seen.append(len(X)), (np.zeros(Y.shape), Y))[1]
    for y in Y[:50]:
        model.test_then_train(np.zeros((1, 103)), y[None])
    assert seen == [3 if y[1] else 1 for y in Y[:50]]
    model.tune(most=2, fading=0.9)
    model.test_then_train(np.zeros((1, 103)), np.ones((1, 14), np.uint8))
    assert seen[-1] == 2
    growing = sl.Oversampling(sl.MLHAT(seed=1), seed=1)
    for x, y in zip(X[:60], Y[:60], strict=True):
        growing.learn_one(dict(enumerate(x.tolist())), dict(enumerate(map(bool, y))))
    growing.learn_one(dict(enumerate(X[60].tolist())), {"new": True})
    assert growing._shares[-1] == pytest.approx(1 / 61)
    assert "new" in growing.predict_one(dict(enumerate(X[61].tolist())))
    growing.tune(model__grace_period=77)
    assert growing.model.grace_period == 77
    assert growing.clone({"model__grace_period": 50, "most": 3.0}).model.grace_period == 50


def test_what_cannot_be_is_refused_by_name():
    for wrong, given in {
        "model=GaussianNB": {"model": GaussianNB()},
        "weights='rare': expected 'balanced', or weights from 1 on by label": {"weights": "rare"},
        r"weights\['a'\]=0.5": {"weights": {"a": 0.5}},
        "most=0.5: expected a number": {"most": 0.5},
    }.items():
        with pytest.raises(ValueError, match=wrong):
            sl.Oversampling(**({"model": sl.NoChange()} | given))
    model = sl.Oversampling(sl.NoChange(), {"no such": 2})
    with pytest.raises(ValueError, match=r"weights\['no such'\]: there is no such label; the labels are"):
        sl.prequential("yeast", model, n=10)
