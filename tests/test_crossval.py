"""Cross-validation: stratified folds, streamlab's and scikit-learn's learners on the same ones."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import streamlab as sl


def made(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, (X[:, :3] + 0.5 * rng.normal(size=(n, 3)) > [0.0, 0.8, 1.5]).astype(np.uint8)


def test_folds_are_stratified_parts():
    _, Y = made(200)
    parts = list(sl.stratified_folds(Y, folds=5, repeats=2, seed=3))
    assert [(repeat, fold) for repeat, fold, *_ in parts] == [(r, f) for r in range(2) for f in range(5)]
    for repeat in range(2):
        tests = [test for r, _, _, test in parts if r == repeat]
        np.testing.assert_array_equal(np.sort(np.concatenate(tests)), np.arange(200))
        for test in tests:
            assert (np.abs(Y[test].sum(axis=0) - Y.sum(axis=0) / 5) <= 1.5).all()
    assert not np.array_equal(parts[0][3], parts[5][3])
    again = list(sl.stratified_folds(Y, folds=5, repeats=2, seed=3))
    assert all(np.array_equal(a[3], b[3]) for a, b in zip(parts, again, strict=True))
    for _, _, train, test in parts:
        assert not set(train) & set(test)


def test_one_label_is_stratified_too():
    Y = (np.arange(40) % 4 == 0).astype(np.uint8)[:, None]
    assert all(Y[test].sum() == 2 for *_, test in sl.stratified_folds(Y, folds=5))


def test_measures_are_those_of_the_folds():
    X, Y = made()
    neighbours = make_pipeline(StandardScaler(), KNeighborsClassifier(3))
    learners = {"kNN": neighbours, "BKNN": sl.StandardScaler() | sl.BalancedKNN(), "SMART": sl.SMART(seed=1)}
    result = sl.cross_validate((X, Y), learners, folds=4, repeats=2, seed=5)
    assert len(result.folds) == 3 * 8
    expected = []
    for repeat, fold, train, test in sl.stratified_folds(Y, 4, 2, 5):
        Z = make_pipeline(StandardScaler(), KNeighborsClassifier(3)).fit(X[train], Y[train]).predict(X[test])
        folds = result.folds
        row = folds[(folds.learner == "kNN") & (folds["repeat"] == repeat) & (folds.fold == fold)].iloc[0]
        assert row.macro_precision == pytest.approx(precision_score(Y[test], Z, average="macro", zero_division=0))
        assert row.micro_f1 == pytest.approx(f1_score(Y[test], Z, average="micro"))
        expected.append(row.macro_precision)
    by_repeat = np.reshape(expected, (2, 4)).mean(axis=1)
    summary = result.summary
    assert list(summary.index) == list(learners)
    assert summary.macro_precision["kNN"] == pytest.approx(by_repeat.mean())
    assert summary.macro_precision_spread["kNN"] == pytest.approx(by_repeat.std(ddof=1))
    assert (summary.average_precision > 0.5).all()
    # clones are trained, not what was given
    assert not hasattr(neighbours[-1], "classes_")
    assert learners["BKNN"].schema.n_labels == 0


def test_a_label_that_a_fold_never_sees_scores_nothing():
    X, Y = made(40)
    Y[:, 2] = 0
    result = sl.cross_validate((X, Y), {"kNN": KNeighborsClassifier(3), "ML-KNN": sl.MLKNN()}, folds=2)
    assert np.isfinite(result.summary.average_precision).all()


def test_emotions_as_the_paper_of_bknn_has_it(shared_data):
    stream = sl.load(shared_data / "emotions.arff.gz", labels=str(shared_data / "emotions.xml"))
    model = sl.StandardScaler() | sl.BalancedLDA(n_components=5) | sl.BalancedKNN(n_neighbors=5, alpha=0.5)
    summary = sl.cross_validate(stream, {"BKNN": model}).summary
    # the paper's 36.2 % is little above what predicting every label gives (31.1 %)
    assert summary.macro_precision["BKNN"] > 0.55
    assert summary.average_precision["BKNN"] > 0.75


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: sl.cross_validate(d, sl.MLKNN(), folds=1), "folds=1"),
        (lambda d: sl.cross_validate(d, sl.MLKNN(), folds=500), "there are 120 rows"),
        (lambda d: sl.cross_validate(d, sl.MLKNN(), repeats=0), "repeats=0"),
        (lambda d: sl.cross_validate(d, {}), "at least one"),
        (lambda d: sl.cross_validate(d, {"a": sl.MLKNN}), r"learners\['a'\]"),
        (lambda d: sl.cross_validate(d, {"a": object()}), r"learners\['a'\]"),
        (lambda d: sl.cross_validate(d, sl.MLKNN(), measures=["nonsense"]), "nonsense"),
    ],
)
def test_bad_arguments_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call(made())
