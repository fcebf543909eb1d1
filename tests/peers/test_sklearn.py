"""scikit-learn's own checks of our estimators, and each of its meta-estimators that must work with them."""

from __future__ import annotations

import inspect
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from joblib import Parallel, delayed
from river import linear_model, multioutput, tree
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import make_multilabel_classification
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_val_score, learning_curve
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks

import streamlab as sl
from streamlab.learners.base import sklearn_adapter
from streamlab.learners.base.registry import LEARNERS as REGISTRY
from streamlab.testing import SKLEARN_EXCEPTIONS, sklearn_exceptions

ALL = {
    "check_estimator_tags_renamed": "River's Estimator, which all are, has a method _more_tags of another meaning",
    "check_do_not_raise_errors_in_init_or_set_params": "parameters are checked as soon as they are given",
}
EXPECTED_FAILURES = {
    "BalancedLDA": ALL,
    "StandardScaler": ALL
    | dict.fromkeys(
        ("check_estimator_sparse_array", "check_estimator_sparse_matrix"),
        "the check knows the name from scikit-learn's scaler, and sets its parameter with_mean",
    ),
}


@parametrize_with_checks(
    [sl.BalancedLDA(), sl.StandardScaler()],
    expected_failed_checks=lambda estimator: EXPECTED_FAILURES[type(estimator).__name__],
    xfail_strict=True,
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def logistic():
    return linear_model.LogisticRegression()


AROUND_RIVERS = {
    "OnePerLabel": lambda: sl.OnePerLabel(logistic()),
    "RiverClassifier": lambda: sl.RiverClassifier(tree.HoeffdingTreeClassifier()),
    "RiverMultiLabel": lambda: sl.RiverMultiLabel(multioutput.ClassifierChain(logistic())),
    "Oversampling": lambda: sl.Oversampling(sl.HedgedMLHAT(seed=1), seed=1),
    "TargetsAsLabels": lambda: sl.TargetsAsLabels(tree.ISOUPTreeRegressor()),
    "Pipeline": lambda: sl.StandardScaler() | sl.BalancedLDA() | sl.BalancedKNN(),
}
REGISTERED = [n for n in REGISTRY.names() if issubclass(REGISTRY.load(n), sl.Learner)]
QUICK = ("MLHAT", "SMART", "Pipeline")


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.nightly) for n in REGISTERED])
def test_scikit_learns_checks_fail_where_it_is_said_and_nowhere_else(name):
    kind = REGISTRY.load(name)
    seed = {"seed": 1} if "seed" in inspect.signature(kind).parameters else {}
    model = AROUND_RIVERS[name]() if name in AROUND_RIVERS else kind(**seed)
    results = check_estimator(model, on_fail=None, on_skip=None)
    failed = {result["check_name"] for result in results if result["status"] == "failed"}
    expected = sklearn_exceptions(name).keys()
    if not model.get_params():
        # nothing of its can be refused
        expected = expected - {"check_do_not_raise_errors_in_init_or_set_params"}
    assert failed == expected
    assert sum(result["status"] == "passed" for result in results) >= 50


def test_the_page_lists_the_checks_that_fail_with_their_reasons():
    page = (Path(__file__).parents[2] / "docs" / "start" / "scikit_learn.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| `check_")]
    told = {check.strip("`"): (reason, names) for check, names, reason in rows}
    assert told == {check: (reason, ", ".join(names) or "all") for check, (reason, names) in SKLEARN_EXCEPTIONS.items()}


# ---------------------------------------------------------------------- a learner of streams


@pytest.mark.parametrize("name", ["MLHAT", "Council"])
def test_a_stream_learner_is_fitted_part_by_part(name):
    make = {
        "MLHAT": lambda: sl.MLHAT(grace_period=20, seed=1),
        "Council": lambda: sl.Council(["MLHAT", "MLKNN"], seed=1),
    }[name]
    whole, parts, stream = make().fit(X, Y), make(), make()
    for start in range(0, 200, 50):
        rows = slice(start, start + 50)
        assert parts.partial_fit(X[rows], Y[rows], classes=[0, 1]) is parts
    stream.learn_many(X, Y)
    for model in (whole, parts):
        np.testing.assert_array_equal(model.predict_proba(X), stream.predict_proba_many(X))
    assert whole.predict(X).dtype == Y.dtype
    np.testing.assert_array_equal(whole.decision_function(X), whole.predict_proba(X) - 0.5)
    assert whole.score(X, Y) == (whole.predict(X) == Y).all(axis=1).mean()
    assert whole.classes_.tolist() == [0, 1, 2]
    assert whole.n_features_in_ == 6


@pytest.mark.parametrize("name", ["MLHAT", "Council"])
def test_a_stream_learner_learns_classes_that_it_is_told_at_first(name, tmp_path):
    model = {
        "MLHAT": lambda: sl.MLHAT(grace_period=20, seed=1),
        "Council": lambda: sl.Council(["MLHAT", "MLKNN"], seed=1),
    }[name]()
    dogs = np.flatnonzero(CLASSES == "dog")
    model.partial_fit(X[dogs[:5]], CLASSES[dogs[:5]], classes=["dog", "cat", "bird"])
    model.partial_fit(X, CLASSES)
    assert model.classes_.tolist() == ["bird", "cat", "dog"]
    assert (model.predict(X) == CLASSES).mean() > 0.7
    model.save(tmp_path / "model")
    twin = sl.load_model(tmp_path / "model")
    np.testing.assert_array_equal(twin.predict(X), model.predict(X))
    with pytest.raises(ValueError, match="y has the class 'horse'; expected one of"):
        twin.partial_fit(X[:2], ["dog", "horse"])
    with pytest.raises(ValueError, match="y has the class 'bird'; expected one of"):
        sl.MLHAT().partial_fit(X, CLASSES, classes=["cat", "dog"])
    with pytest.raises(ValueError, match=r"classes=.*: y has label sets; expected None, or 0 and 1"):
        sl.MLHAT().partial_fit(X, Y, classes=["a", "b", "c"])


def test_parameters_are_set_by_name():
    model = sl.SMART(warm_up=50, seed=1).fit(X, Y)
    assert model.set_params(half_life=50, warm_up=50).half_life == 50
    assert model.get_params()["half_life"] == 50
    model.predict(X)
    # not tunable: it would have begun otherwise
    model.set_params(warm_up=40)
    with pytest.raises(NotFittedError):
        model.predict(X)
    with pytest.raises(ValueError, match="half_life=-1"):
        model.set_params(warm_up=30, half_life=-1)
    assert model.warm_up == 40
    with pytest.raises(ValueError, match="Invalid parameter 'warmth' for SMART; expected one of"):
        model.set_params(warmth=5)
    pipeline = sl.StandardScaler() | sl.BalancedLDA() | sl.BalancedKNN()
    assert clone(pipeline).set_params(balancedknn__n_neighbors=3).get_params()["balancedknn__n_neighbors"] == 3
    ours = sl.OnePerLabel(tree.HoeffdingTreeClassifier())
    assert clone(ours).set_params(classifier__grace_period=50).get_params()["classifier__grace_period"] == 50
    assert ours.get_params()["classifier__grace_period"] == 200


def test_a_learner_of_streams_stands_in_searches_and_pipelines():
    search = GridSearchCV(make_pipeline(sl.StandardScaler(), sl.SMART(seed=1)), {"smart__n_trees": [3, 9]}, cv=3)
    assert search.fit(X, Y).best_params_["smart__n_trees"] in (3, 9)
    scores = learning_curve(sl.MLHAT(seed=1), X, Y, train_sizes=[50, 100], exploit_incremental_learning=True, cv=3)[2]
    assert scores.shape == (2, 3)


# ---------------------------------------------------------------------- a class for each row

LEARNERS = {
    "BalancedKNN": sl.BalancedKNN,
    "MLKNN": sl.MLKNN,
    "Pipeline": lambda: sl.StandardScaler() | sl.BalancedLDA() | sl.BalancedKNN(),
}
ESTIMATORS = {name: LEARNERS[name] for name in ("BalancedKNN", "MLKNN")}
X, Y = make_multilabel_classification(200, 6, n_classes=3, n_labels=2, random_state=0)
CLASSES = np.array(["dog", "cat", "bird"])[np.argmax(X[:, :3], axis=1)]
BINARY = (X[:, 0] > X[:, 1]).astype(int)


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("target", [CLASSES, BINARY, BINARY == 1, BINARY * 2.0 - 1.0, pd.Series(CLASSES)])
def test_classes_come_back_as_they_were(name, target):
    model = LEARNERS[name]().fit(X, target)
    answer, scores = model.predict(X), model.predict_proba(X)
    assert answer.shape == (200,)
    np.testing.assert_array_equal(model.classes_, np.unique(target))
    assert answer.dtype == model.classes_.dtype
    assert (answer == target).mean() > 0.8
    assert scores.shape == (200, len(model.classes_))
    np.testing.assert_allclose(scores.sum(axis=1), 1.0)
    np.testing.assert_array_equal(model.classes_[scores.argmax(axis=1)], answer)


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize("target", [CLASSES, BINARY, BINARY * 2.0 - 1.0])
def test_classes_are_saved(name, target, tmp_path):
    model = LEARNERS[name]().fit(X, target)
    model.save(tmp_path / "model")
    twin = sl.load_model(tmp_path / "model")
    np.testing.assert_array_equal(twin.predict(X), model.predict(X))
    np.testing.assert_array_equal(twin.classes_, model.classes_)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    state = model.state()
    state["names"] = state["names"].replace(str(model.schema.labels[0]), "zzz") if target is CLASSES else "[[],[]]"
    with pytest.raises(ValueError, match="contradicts itself"):
        type(model).from_state(state)


def test_fitted_again_with_label_sets_it_answers_with_label_sets():
    model = sl.MLKNN().fit(X, CLASSES).fit(X, Y)
    np.testing.assert_array_equal(model.predict(X), sl.MLKNN().fit(X, Y).predict(X))
    assert list(model.classes_) == [0, 1, 2]
    assert list(model.fit(X, pd.DataFrame(Y, columns=list("abc"))).classes_) == list("abc")
    assert "one_class" not in model.state()


def test_of_classes_the_label_sets_are_those_of_one_label_each():
    one_hot = (CLASSES[:, None] == np.unique(CLASSES)).astype(np.uint8)
    for make in ESTIMATORS.values():
        by_class, by_set = make().fit(X, CLASSES), make().fit(X, one_hot)
        np.testing.assert_array_equal(by_class.predict_proba_many(X), by_set.predict_proba_many(X))
        by_class.learn_many(X[:20], one_hot[:20])
        by_set.learn_many(X[:20], one_hot[:20])
        np.testing.assert_array_equal(by_class.predict_proba_many(X), by_set.predict_proba_many(X))


def test_on_classes_the_projection_is_that_of_linear_discriminant_analysis():
    ours = sl.BalancedLDA(shrinkage=1e-12).fit(X, CLASSES)
    theirs = LinearDiscriminantAnalysis(solver="eigen").fit(X, CLASSES)
    for a, b in zip(ours.transform(X).T, theirs.transform(X).T, strict=True):
        assert abs(np.corrcoef(a, b)[0, 1]) == pytest.approx(1.0, abs=1e-6)


def test_classes_come_in_parts():
    parts, whole = sl.BalancedLDA(), sl.BalancedLDA().fit(X, CLASSES)
    for start in range(0, 200, 50):
        parts.partial_fit(X[start : start + 50], CLASSES[start : start + 50])
    np.testing.assert_allclose(parts.scalings_, whole.scalings_, atol=1e-9)
    with pytest.raises(ValueError, match="y has the class 'horse'; expected one of"):
        parts.partial_fit(X[:2], ["dog", "horse"])


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (X[:, 0] / 3, "Unknown label type"),
        (None, "requires y to be passed"),
        (np.where(BINARY, np.nan, 1.0), "NaN"),
        (CLASSES[:5], r"Y has the shape \(5, "),
        (Y[:, :1] + 1, "Y row 0, label"),
    ],
)
def test_targets_that_are_no_classes_are_refused(target, message):
    for make in (sl.BalancedKNN, sl.MLKNN, sl.BalancedLDA):
        with pytest.raises(ValueError, match=message):
            make().fit(X, target)


def test_classes_are_refused_where_labels_were_declared():
    schema = sl.BalancedKNN().fit(X, Y).schema
    with pytest.raises(ValueError, match=r"y has the shape \(200,\); expected \(200, 3\), as the labels were declared"):
        sl.BalancedKNN().bind(schema).fit(X, CLASSES)


# ---------------------------------------------------------------------- tables

EVERY = {**ESTIMATORS, "BalancedLDA": sl.BalancedLDA, "StandardScaler": sl.StandardScaler}


def answered(model, table):
    return model.predict_proba(table) if hasattr(model, "predict_proba") else model.transform(table)


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("kind", [scipy.sparse.csr_array, scipy.sparse.csc_matrix, scipy.sparse.coo_array])
def test_sparse_tables_are_made_dense_up_to_a_limit(name, kind, monkeypatch):
    model = EVERY[name]().fit(kind(X), kind(Y))
    np.testing.assert_array_equal(answered(model, kind(X)), answered(EVERY[name]().fit(X, Y), X))
    if getattr(model, "takes_sparse", False):
        # nothing is made dense
        return
    monkeypatch.setattr(sklearn_adapter, "DENSE_LIMIT", X.size - 1)
    with pytest.raises(
        ValueError, match="X is sparse, and would have 1,200 values as an array; expected at most 1,199"
    ):
        model.fit(kind(X), Y)
    with pytest.raises(ValueError, match="X is sparse"):
        answered(model, kind(X))


def test_a_huge_sparse_table_is_refused_at_once():
    table = scipy.sparse.csr_array((2**30, 2**30))
    with pytest.raises(ValueError, match="1,152,921,504,606,846,976 values"):
        sl.StandardScaler().fit(table)


@pytest.mark.parametrize("name", EVERY)
def test_before_fit_there_are_no_columns_and_no_answers(name):
    model = EVERY[name]()
    for attribute in ("n_features_in_", "feature_names_in_"):
        assert not hasattr(model, attribute)
    with pytest.raises(NotFittedError, match="has learned nothing yet; call fit first"):
        answered(model, X)
    model.fit(X, Y)
    assert model.n_features_in_ == 6
    assert not hasattr(model, "feature_names_in_")
    frame = pd.DataFrame(X, columns=list("abcdef"))
    model.fit(frame, Y)
    assert list(model.feature_names_in_) == list("abcdef")
    np.testing.assert_array_equal(answered(model, frame[list("fedcba")]), answered(model, X))
    with pytest.raises(ValueError, match="X lacks the feature 'f'"):
        answered(model, frame[list("abcde")])
    with pytest.raises(ValueError, match=r"X has 5 features, but .* is expecting 6 features as input"):
        answered(model, X[:, :5])
    with pytest.raises(ValueError, match="Complex data not supported"):
        answered(model, X + 1j)


# ---------------------------------------------------------------------- meta-estimators


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("method", ["predict", "predict_proba"])
@pytest.mark.parametrize("target", [Y, CLASSES, BINARY], ids=["label sets", "classes", "two classes"])
def test_cross_val_predict(name, method, target):
    folds = KFold(3)
    answer = cross_val_predict(ESTIMATORS[name](), X, target, method=method, cv=folds)
    for train, test in folds.split(X):
        by_hand = getattr(ESTIMATORS[name]().fit(X[train], target[train]), method)(X[test])
        np.testing.assert_array_equal(answer[test], by_hand)
    assert len(answer) == 200
    if method == "predict":
        assert (answer == target).mean() > 0.6
    else:
        assert answer.shape == (200, 2 if target is BINARY else 3)
        assert answer.min() >= 0.0
        assert answer.max() <= 1.0


@pytest.mark.parametrize("name", ESTIMATORS)
def test_classifier_chain(name):
    chain = ClassifierChain(ESTIMATORS[name](), cv=3, random_state=0).fit(X, Y)
    assert chain.predict(X).shape == chain.predict_proba(X).shape == (200, 3)
    assert (chain.predict(X) == Y).mean() > 0.75


@pytest.mark.parametrize("name", ESTIMATORS)
def test_multi_output_classifier(name):
    model = MultiOutputClassifier(ESTIMATORS[name]()).fit(X, Y)
    assert (model.predict(X) == Y).mean() > 0.75
    assert [p.shape for p in model.predict_proba(X)] == [(200, 2)] * 3


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("target", [BINARY, CLASSES], ids=["two classes", "classes"])
@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibrated_classifier(name, target, method):
    model = CalibratedClassifierCV(ESTIMATORS[name](), method=method, cv=3).fit(X, target)
    scores = model.predict_proba(X)
    np.testing.assert_allclose(scores.sum(axis=1), 1.0)
    assert (model.predict(X) == target).mean() > 0.8


@pytest.mark.parametrize("name", ESTIMATORS)
def test_grid_search_clones_and_pipelines(name):
    search = GridSearchCV(ESTIMATORS[name](), {"n_neighbors": [1, 5]}, cv=3).fit(X, Y)
    assert search.best_params_["n_neighbors"] in (1, 5)
    pipeline = make_pipeline(sl.StandardScaler(), sl.BalancedLDA(), clone(search.best_estimator_))
    assert cross_val_score(pipeline, X, CLASSES, cv=3).min() > 0.7
    both = make_pipeline(sl.StandardScaler(), sl.BalancedLDA(), LogisticRegression())
    assert cross_val_score(both, X, CLASSES, cv=3).min() > 0.7


# ---------------------------------------------------------------------- other processes


def worked(model, table, labels):
    """Answer, learn and tune in another process, whose copies are read-only maps of files."""
    assert not table.flags.writeable
    if isinstance(model, sl.Learner):
        model.predict_many(table)
        model.learn_many(table, labels)
        model.tune(**{tunable.name: getattr(model, tunable.name) for tunable in model.tunables})
        model.learn_many(table, labels)
        return model.predict_proba_many(table)
    return model.partial_fit(table, labels).transform(table)


# sent to the other process as it is, not by name: an installed package may be called ``tests`` too, and be found first
worked.__module__ = "__main__"


MAPPED = {
    "BalancedKNN": sl.BalancedKNN,
    "MLBELS": lambda: sl.MLBELS(chunk=16, n_windows=4, seed=1),
    "GOOWE": lambda: sl.GOOWE(n_models=3, chunk=20, grace_period=20, tau=0.5, seed=1),
    "OnlineBagging": lambda: sl.OnlineBagging(n_models=3, detector="adwin", grace_period=20, tau=0.5, seed=1),
    "MLKNN": sl.MLKNN,
    "BalancedLDA": sl.BalancedLDA,
    "StandardScaler": sl.StandardScaler,
    "SMART": lambda: sl.SMART(n_trees=3, height=5, seed=1),
    "MLHAT": lambda: sl.MLHAT(grace_period=20, seed=1),
    "HedgedMLHAT": lambda: sl.HedgedMLHAT(grace_period=20, seed=1),
    "FlatKNN": sl.FlatKNN,
    "Pipeline": LEARNERS["Pipeline"],
}


def made():
    models = {name: make() for name, make in MAPPED.items()}
    for model in models.values():
        model.partial_fit(X, Y) if hasattr(model, "partial_fit") else model.learn_many(X, Y)
    return models


def read_only():
    table, labels = X.copy(), Y.astype(np.uint8)
    table.flags.writeable = labels.flags.writeable = False
    return table, labels


@pytest.mark.nightly
def test_joblibs_memory_maps():
    answers = Parallel(2, max_nbytes=10)(delayed(worked)(model, X, Y) for model in made().values())
    for (name, model), answer in zip(made().items(), answers, strict=True):
        np.testing.assert_array_equal(worked(model, *read_only()), answer, err_msg=name)


@pytest.mark.parametrize("name", MAPPED)
def test_read_only_buffers_as_dask_hands_them_over(name):
    model, buffers = made()[name], []
    data = pickle.dumps(model, protocol=5, buffer_callback=buffers.append)
    twin = pickle.loads(data, buffers=[buffer.raw().toreadonly() for buffer in buffers])
    assert buffers
    np.testing.assert_array_equal(worked(twin, *read_only()), worked(model, *read_only()))
