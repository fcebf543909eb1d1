"""River's own checks on transformers and a pipeline of River's; River's pipelines, models and mini-batches."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pandas as pd
import pytest
import river.checks
from river import (
    base,
    evaluate,
    feature_extraction,
    linear_model,
    metrics,
    multioutput,
    naive_bayes,
    preprocessing,
    tree,
)

import streamlab as sl
from streamlab.streams.readers.river import RiverStream
from tests.learners.generated import generated, rows, schema_of

MODELS = {
    "SMART": lambda: sl.SMART(n_trees=3, height=5, seed=1),
    "SMART warmed up": lambda: sl.SMART(n_trees=3, height=5, warm_up=10, seed=1),
    "MLHAT": lambda: sl.MLHAT(grace_period=20, cardinality_threshold=40, seed=1),
    "HedgedMLHAT": lambda: sl.HedgedMLHAT(grace_period=20, tau=0.5, seed=1),
    "MLHT": lambda: sl.MLHT(grace_period=20, tau=0.5),
    "PrunedSets": lambda: sl.PrunedSets(buffer=10, grace_period=20, tau=0.5),
    "HoeffdingTrees": lambda: sl.HoeffdingTrees(grace_period=20, tau=0.5),
    "HierarchicalKNN": lambda: sl.HierarchicalKNN(window=20),
    "HierarchicalKNN with detectors": lambda: sl.HierarchicalKNN(window=7, drift_delta=0.1),
    "FlatKNN": lambda: sl.FlatKNN(window=20),
    "ARkNN": lambda: sl.ARkNN(window=20),
    "MLSAMPkNN": lambda: sl.MLSAMPkNN(window=20, min_window=4),
    "MLSAkNN": lambda: sl.MLSAkNN(window=20, min_window=4),
    "NoChange": sl.NoChange,
    "MajorityLabels": sl.MajorityLabels,
    "BalancedKNN": lambda: sl.BalancedKNN(window=20, chunk=16),
    "BalancedKNN on chunks": lambda: sl.BalancedKNN(train_on="chunk", chunk=16),
    "MLBELS": lambda: sl.MLBELS(n_windows=4, window_nodes=2, chunk=16, seed=1),
    "GOOWE": lambda: sl.GOOWE(n_models=3, chunk=20, grace_period=20, tau=0.5, seed=1),
    "OnlineBagging": lambda: sl.OnlineBagging(n_models=3, detector="adwin", grace_period=20, tau=0.5, seed=1),
    "MLKNN": lambda: sl.MLKNN(n_neighbors=3, chunk=16),
    "Pipeline": lambda: sl.Pipeline(sl.StandardScaler(), sl.BalancedLDA(), sl.BalancedKNN(window=20), chunk=16),
    "OnePerLabel": lambda: sl.OnePerLabel(tree.HoeffdingTreeClassifier()),
    "RiverClassifier": lambda: sl.RiverClassifier(tree.HoeffdingTreeClassifier()),
    "RiverMultiLabel": lambda: sl.RiverMultiLabel(multioutput.ClassifierChain(linear_model.LogisticRegression())),
    "TargetsAsLabels": lambda: sl.TargetsAsLabels(tree.ISOUPTreeRegressor(grace_period=20)),
    "StandardScaler": sl.StandardScaler,
    "BalancedLDA": lambda: sl.BalancedLDA(chunk=16),
    "River's scaler before SMART": lambda: preprocessing.StandardScaler() | sl.SMART(n_trees=3, height=5, seed=1),
}

KINDS = ("numbers", "numbers and strings")
SCALER = "River's scaler before SMART"
CHECKED = ("StandardScaler", "BalancedLDA", SCALER)
"""The learners are checked in ``tests/test_testing.py``."""
EXPECTED_FAILURES = {
    ("StandardScaler", "check_learn_many_matches_learn_one", "numbers and strings"): "the check makes floats of all",
    **{
        ("BalancedLDA", check, kind): reason
        for kind in KINDS
        for check, reason in {
            "check_transform_one": "the check takes it for a transformer that learns without labels",
            "check_learn_many_matches_learn_one": "the check hands label sets over as a Series of dictionaries",
        }.items()
    },
    **{
        (SCALER, f"check_{check}", "numbers and strings"): "River's scaler takes numbers only"
        for check in (
            "learn_one", "pickling", "shuffle_features_no_impact", "emerging_features", "disappearing_features",
            "radically_disappearing_features", "no_state_aliasing_with_input", "clone_is_independent", "debug_one",
            "bounded_memory_growth",
        )
    },
}  # fmt: skip
"""By model, check and data, with the reason."""


def data_of(kind: str):
    """Return a function in place of River's, which fetches label sets from the web and gives transformers floats."""
    schema = schema_of(8, n_labels=4, ranges=False) if kind == "numbers" else schema_of(5, 2, 4, ranges=False)

    def datasets(model, scale: int = 1):
        yield rows(schema, *generated(schema, 50 * scale))

    return datasets


def checks():
    for name in CHECKED:
        make = MODELS[name]
        for kind in KINDS:
            with mock.patch("river.checks._yield_datasets", data_of(kind)):
                model = make()
                for check in river.checks.yield_checks(model):
                    # without data it is the same check again
                    if check.__name__ in model._unit_test_skips() or (kind != "numbers" and not hasattr(check, "func")):
                        continue
                    reason = EXPECTED_FAILURES.get((name, check.__name__, kind))
                    marks = () if reason is None else pytest.mark.xfail(reason=reason, strict=True)
                    yield pytest.param(make, check, id=f"{name}-{check.__name__}-{kind}", marks=marks)


@pytest.mark.parametrize(("make", "check"), list(checks()))
def test_rivers_checks(make, check):
    check(make().clone())


def test_the_checks_are_all_there():
    names = {param.values[1].__name__ for param in checks()}
    assert {"check_emerging_features", "check_pickling", "check_mutable_attributes_exist"} <= names
    assert {"check_transform_one", "check_learn_many_matches_learn_one"} <= names
    assert len(names) >= 28
    expected = {(param.id.split("-")[0], param.values[1].__name__) for param in checks() if param.marks}
    assert expected == {key[:2] for key in EXPECTED_FAILURES}


# ---------------------------------------------------------------------- mini-batches and pipelines of River's

X = pd.DataFrame(np.random.default_rng(0).random((60, 3)), columns=list("abc"))
Y = pd.DataFrame({"p": X.a > 0.5, "q": X.b > 0.5})


@pytest.mark.parametrize("name", [name for name in MODELS if name not in CHECKED])
def test_mini_batches_go_through_rivers_pipelines(name):
    if name == "Pipeline":
        pytest.skip("ours takes no transformers of River's")
    model = preprocessing.StandardScaler() | MODELS[name]()
    alone, scaler = MODELS[name](), preprocessing.StandardScaler()
    for start in range(0, 60, 20):
        chunk, labels = X[start : start + 20], Y[start : start + 20]
        model.learn_many(chunk, labels)
        scaler.learn_many(chunk)
        alone.learn_many(scaler.transform_many(chunk), y=labels)
    assert list(model.predict_many(X).columns) == ["p", "q"]
    pd.testing.assert_frame_equal(model.predict_proba_many(X), alone.predict_proba_many(scaler.transform_many(X)))


def test_our_scaler_goes_before_rivers_classifiers():
    model = sl.StandardScaler() | naive_bayes.GaussianNB()
    model.learn_many(X, Y.p)
    assert (model.predict_many(X) == Y.p).mean() > 0.9
    by_row = sl.StandardScaler() | linear_model.LogisticRegression()
    for x, y in zip(X.to_dict("records"), Y.p, strict=True):
        by_row.learn_one(x, y)
    assert by_row.predict_one({"a": 1.0, "b": 0.5, "c": 0.5})


def test_columns_come_and_go_in_the_scalers_tables_as_in_dictionaries():
    by_table, by_row = sl.StandardScaler(), sl.StandardScaler()
    for table in (X[["b", "a"]], X[["a"]], X[["c"]], X.assign(d=1.0)):
        by_table.learn_many(table)
        for x in table.to_dict("records"):
            by_row.learn_one(x)
        ours = by_table.transform_many(table)
        for i in (0, 30):
            theirs = by_row.transform_one(table.iloc[i].to_dict())
            assert set(ours.columns) == set(theirs)
            assert ours.iloc[i].to_dict() == pytest.approx(theirs, abs=1e-12)


def test_where_columns_are_declared_one_that_a_table_lacks_is_missing():
    schema = schema_of(2)
    scaler = sl.StandardScaler().bind(schema)
    scaler.learn_many(pd.DataFrame({"x0": [1.0, 3.0]}))
    answer = scaler.transform_many(pd.DataFrame({"x1": [1.0], "other": [2.0]}))
    assert list(answer.columns) == ["x0", "x1"]
    assert np.isnan(answer.x0[0])
    assert answer.x1[0] == 1.0


def test_a_bad_table_leaves_none_of_its_columns_behind():
    scaler = sl.StandardScaler()
    scaler.learn_many(X)
    before = scaler.state()
    with pytest.raises(ValueError, match="feature 'd': inf"):
        scaler.learn_many(X.assign(d=np.inf))
    after = scaler.state()
    assert before.keys() == after.keys()
    for key, value in before.items():
        np.testing.assert_array_equal(value, after[key])


@pytest.mark.parametrize("name", ["BalancedLDA", "SMART", "MLKNN"])
def test_a_target_that_is_no_label_set_is_refused(name):
    with pytest.raises(ValueError, match=r"y is 43.5; expected a dictionary"):
        MODELS[name]().learn_one({"a": 1.0}, 43.5)


# ---------------------------------------------------------------------- River's models in runs

CLASSIFIERS = {
    "chain": lambda: multioutput.ClassifierChain(linear_model.LogisticRegression()),
    "probabilistic chain": lambda: multioutput.ProbabilisticClassifierChain(linear_model.LogisticRegression()),
    "encoder": lambda: multioutput.MultiClassEncoder(tree.HoeffdingTreeClassifier()),
    "per output": lambda: multioutput.PerOutputClassifier(linear_model.LogisticRegression()),
    "pipeline": lambda: preprocessing.StandardScaler() | multioutput.ClassifierChain(naive_bayes.GaussianNB()),
}


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_rivers_multi_label_classifiers_answer_in_a_run_as_alone(name):
    schema = schema_of(4, n_labels=3)
    values, flags = generated(schema, 120)
    run = sl.Run((values, flags), {"theirs": CLASSIFIERS[name]()}, chunk=50)
    run.advance()
    model, right = CLASSIFIERS[name](), 0
    names, labels = run.stream.schema.feature_names, run.stream.schema.labels
    for row, truth in zip(values.tolist(), flags.tolist(), strict=True):
        x = dict(zip(names, row, strict=True))
        said = model.predict_one(x) or {}
        right += sum(bool(said.get(label, False)) == bool(flag) for label, flag in zip(labels, truth, strict=True))
        model.learn_one(x, {label: bool(flag) for label, flag in zip(labels, truth, strict=True)})
    assert run.summary.hamming_loss["theirs"] == pytest.approx(1 - right / flags.size)
    assert sl.prequential((values, flags), CLASSIFIERS[name](), n=40).summary.bytes.iloc[0] > 0


def takes(made, model) -> bool:
    last = list(model.steps.values())[-1] if hasattr(model, "steps") else model
    several = isinstance(last, base.MultiTargetRegressor)
    return several if made is sl.TargetsAsLabels else isinstance(last, base.Regressor) and not several


@pytest.mark.parametrize(
    "make",
    [
        lambda: multioutput.RegressorChain(linear_model.LinearRegression()),
        lambda: preprocessing.StandardScaler() | multioutput.PerOutputRegressor(linear_model.LinearRegression()),
    ],
    ids=["chain", "pipeline"],
)
def test_regressors_of_several_targets_learn_labels(make):
    run = sl.Run("yeast", {"theirs": make(), "ours": sl.TargetsAsLabels(make())})
    run.advance(200)
    assert run.summary.micro_f1["theirs"] == run.summary.micro_f1["ours"] > 0.3


@pytest.mark.costly
@pytest.mark.parametrize(
    "make",
    [
        lambda **given: multioutput.ClassifierChain(tree.HoeffdingTreeClassifier(**given)),
        lambda **given: multioutput.MultiClassEncoder(tree.HoeffdingTreeClassifier(**given)),
        lambda **given: multioutput.PerOutputClassifier(tree.HoeffdingTreeClassifier(**given)),
        lambda **given: (
            preprocessing.StandardScaler()
            | multioutput.MonteCarloClassifierChain(tree.HoeffdingTreeClassifier(**given), m=3, seed=1)
        ),
    ],
    ids=["chain", "label sets", "outputs", "sampled chain"],
)
def test_multi_label_models_are_tuned_as_what_they_are_made_of(make):
    schema = sl.load("segments").schema
    chunk = next(sl.load("segments").chunks(300))
    first, tuned = (sl.RiverMultiLabel(make(**given)).bind(schema) for given in ({"grace_period": 40, "tau": 0.9}, {}))
    assert [each.name for each in tuned.tunables][:1] == ["classifier__grace_period"]
    for model in (first, tuned):
        model.learn_many(chunk.X[:20], chunk.Y[:20])
    # no leaf has looked for a split before
    tuned.tune(classifier__grace_period=40, classifier__tau=0.9)
    for model in (first, tuned):
        model.learn_many(chunk.X[20:], chunk.Y[20:])
    np.testing.assert_array_equal(first.predict_proba_many(chunk.X), tuned.predict_proba_many(chunk.X))
    untuned = sl.RiverMultiLabel(make()).bind(schema)
    untuned.learn_many(chunk.X, chunk.Y)
    assert (untuned.predict_proba_many(chunk.X) != tuned.predict_proba_many(chunk.X)).any()


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (linear_model.LinearRegression(), "LinearRegression"),
        (preprocessing.StandardScaler() | linear_model.LinearRegression(), "LinearRegression"),
        (preprocessing.StandardScaler(), "StandardScaler"),
    ],
    ids=["regressor", "pipeline", "transformer"],
)
def test_what_predicts_no_labels_is_refused_by_name(model, name):
    for call in (sl.Run, sl.prequential):
        with pytest.raises(ValueError, match=rf"learners\['it'\] is River's {name}; expected a learner"):
            call("yeast", {"it": model})
    for made in (sl.OnePerLabel, sl.TargetsAsLabels):
        # each takes regressors, of one target or of several, and no transformer
        if not takes(made, model):
            with pytest.raises(ValueError, match=r"expected (a River classifier or|one of River's multi-target)"):
                made(model)
    with pytest.raises(ValueError, match="expected one of River's multi-label classifiers"):
        sl.RiverMultiLabel(model)


TEXTS = [("free money", True), ("see you at six", False), ("free lunch money", True), ("at six, then", False)] * 5


def test_texts_are_learned_as_in_rivers_own_loop():
    def model(on):
        return feature_extraction.BagOfWords(on=on) | naive_bayes.MultinomialNB()

    alone = metrics.Accuracy()
    evaluate.progressive_val_score(iter(TEXTS), model(None), alone)
    pairs = [({"body": text}, is_spam) for text, is_spam in TEXTS]
    frame = pd.DataFrame({"body": [text for text, _ in TEXTS], "spam": [is_spam for _, is_spam in TEXTS]})
    for stream in (RiverStream(pairs), sl.load(frame, labels="spam", classes="spam", features=["body"])):
        result = sl.prequential(stream, {"bayes": model("body")}, measures=["accuracy"])
        # River leaves out the first row, for which there is no answer
        assert round(result.summary.accuracy["bayes"] * len(TEXTS)) == round(alone.get() * (len(TEXTS) - 1)) == 18
    with pytest.raises(ValueError, match=r"BagOfWords.*on='body'"):
        sl.RiverClassifier(model(None))
    with pytest.raises(ValueError, match=r"row 0: expected a dictionary.*found 'free money'"):
        RiverStream(TEXTS)
