"""Binary relevance over River's classifiers against the same classifiers run by hand."""

from __future__ import annotations

import numpy as np
import pytest
from river import linear_model, naive_bayes, preprocessing, tree

from streamlab.learners import OnePerLabel
from streamlab.schema import Feature, Schema
from tests.learners.generated import generated, rows, schema_of


def pipeline():
    return preprocessing.StandardScaler() | linear_model.LogisticRegression()


@pytest.mark.parametrize(
    "make",
    [naive_bayes.GaussianNB, tree.HoeffdingTreeClassifier, pipeline],
)
def test_every_label_has_its_own_classifier(make):
    schema = schema_of(3, n_labels=3)
    X, Y = generated(schema, 200, seed=6)
    model = OnePerLabel(make()).bind(schema)
    scores, labels = model.test_then_train(X, Y)
    for j in range(3):
        alone = make()
        for i, (x, y) in enumerate(rows(schema, X, Y)):
            answer = alone.predict_proba_one(x)
            assert scores[i, j] == answer.get(True, 0.0)
            assert labels[i, j] == (answer.get(True, 0.0) > answer.get(False, 0.0))
            alone.learn_one(x, y[f"l{j}"])


def test_river_sees_names_categories_and_no_missing_values():
    schema = schema_of(1, 1)
    model = OnePerLabel(naive_bayes.GaussianNB()).bind(schema)
    assert list(model._river_rows(np.array([[0.5, 2.0], [np.nan, 0.0], [0.1, np.nan]]))) == [
        {"x0": 0.5, "c0": "blue"},
        {"c0": "red"},
        {"x0": 0.1},
    ]


def test_the_given_classifier_is_never_learned():
    classifier = naive_bayes.GaussianNB()
    schema = schema_of(2)
    model = OnePerLabel(classifier).bind(schema)
    model.learn_many(*generated(schema, 20))
    assert model.classifier is classifier
    assert classifier.predict_proba_one({"x0": 1.0}) == {}
    assert model.n_bytes > 0


def test_what_is_no_classifier_is_refused():
    with pytest.raises(ValueError, match="classifier='tree'"):
        OnePerLabel("tree")


def test_it_has_no_flat_state_but_can_be_copied():
    schema = schema_of(2)
    X, Y = generated(schema, 60)
    model = OnePerLabel(naive_bayes.GaussianNB()).bind(schema)
    model.learn_many(X[:30], Y[:30])
    with pytest.raises(ValueError, match=r"copy\(\)"):
        model.state()
    twin, before = model.copy(), model.predict_proba_many(X)
    model.learn_many(X[30:], Y[30:])
    np.testing.assert_array_equal(twin.predict_proba_many(X), before)
    assert not np.array_equal(model.predict_proba_many(X), before)


def test_background_trees_that_take_over_are_events():
    from river.tree import HoeffdingAdaptiveTreeClassifier

    n = 8000
    model = OnePerLabel(HoeffdingAdaptiveTreeClassifier(seed=1, bootstrap_sampling=False))
    X = np.random.default_rng(0).random((n, 3))
    held = (X[:, 0] > 0.5) & (X[:, 1] > 0.3)
    Y = np.column_stack([held ^ (np.arange(n) >= n // 2), held]).astype(np.uint8)
    events = []
    for start in range(0, n, 500):
        model.test_then_train(X[start : start + 500], Y[start : start + 500])
        events += [(start, event["label"], event["kind"]) for event in model.take_events()]
    assert events == [(4000, model.schema.labels[0], "alternate_promoted")]
    assert model.take_events() == []


def test_a_regressor_answers_above_one_half_and_scores_stay_between_0_and_1():
    schema = schema_of(3, n_labels=3)
    X, Y = generated(schema, 200, seed=6)
    X *= 3.0
    model = OnePerLabel(linear_model.LinearRegression()).bind(schema)
    scores, labels = model.test_then_train(X, Y)
    beyond = 0
    for j in range(3):
        alone = linear_model.LinearRegression()
        for i, (x, y) in enumerate(rows(schema, X, Y)):
            answer = alone.predict_one(x)
            beyond += not 0 <= answer <= 1
            assert scores[i, j] == min(max(answer, 0.0), 1.0)
            assert labels[i, j] == (answer > 0.5)
            alone.learn_one(x, float(y[f"l{j}"]))
    assert beyond > 0


def test_rules_that_divide_by_zero_lose_the_row_and_say_so_once():
    from streamlab.learners import make_learner

    schema = schema_of(3, n_labels=2)
    X, Y = generated(schema, 450, seed=2)
    Y[:, 1] = 0  # River's rules divide by zero at row 200, as the label is constant
    model = make_learner("AMR one per label").bind(schema)
    alone = model.classifier.clone()
    labels = model.test_then_train(X, Y)[1]
    for i, (x, y) in enumerate(rows(schema, X, Y)):
        assert labels[i, 0] == (alone.predict_one(x) > 0.5)
        alone.learn_one(x, float(y["l0"]))
    assert not labels[:, 1].any()
    assert [(event["kind"], event["label"]) for event in model.take_events()] == [("row_lost", "l1")]
    model.learn_many(X, Y)
    assert model.take_events() == []


def test_nominal_values_go_in_as_words_or_as_indicators():
    schema = Schema((Feature("size"), Feature("colour", ("red", "green"))), ("a",))
    X = np.array([[1.5, 1.0], [np.nan, 0.0], [2.0, np.nan]])
    for nominal, first, second in (
        ("words", {"size": 1.5, "colour": "green"}, {"colour": "red"}),
        ("indicators", {"size": 1.5, "colour=red": 0.0, "colour=green": 1.0}, {"colour=red": 1.0, "colour=green": 0.0}),
    ):
        model = OnePerLabel(naive_bayes.GaussianNB(), nominal=nominal).bind(schema)
        assert list(model._river_rows(X)) == [first, second, {"size": 2.0}]
    with pytest.raises(ValueError, match=r"nominal='numbers': expected 'words' or 'indicators'"):
        OnePerLabel(naive_bayes.GaussianNB(), nominal="numbers")


def test_what_river_lets_change_is_tunable():
    schema = schema_of(3, n_labels=2)
    X, Y = generated(schema, 300, seed=3)
    given = preprocessing.StandardScaler() | tree.HoeffdingTreeClassifier(grace_period=250)
    model, patient = (OnePerLabel(given).bind(schema) for _ in range(2))
    assert [each.name for each in model.tunables] == [
        "decision", "classifier__grace_period", "classifier__delta", "classifier__tau"
    ]  # fmt: skip
    model.learn_many(X[:100], Y[:100])
    patient.learn_many(X[:100], Y[:100])
    model.tune(classifier__grace_period=20, classifier__delta=0.5, classifier__tau=1)
    assert model.classifier__grace_period == 20
    assert patient.classifier__grace_period == 250
    assert given["HoeffdingTreeClassifier"].grace_period == 250  # its owner's, left alone
    model.learn_many(X[100:], Y[100:])
    patient.learn_many(X[100:], Y[100:])
    depths = [[each["HoeffdingTreeClassifier"].height for each in one._models] for one in (model, patient)]
    assert max(depths[0]) > 1
    assert max(depths[1]) <= 1
    # a label that comes later has the new values, and so has a copy
    model.learn_one(dict(zip("abc", X[0], strict=False)), {"a new one": True})
    assert [each["HoeffdingTreeClassifier"].grace_period for each in model.copy()._models] == [20] * 3
    for name, value, said in (
        ("classifier__grace_period", 0, r"classifier__grace_period=0: expected a whole number"),
        ("classifier__depth", 2, r"no tunable parameter 'classifier__depth'; tunable are: decision, classifier__grace"),
    ):
        with pytest.raises(ValueError, match=said):
            model.tune(**{name: value})
    with pytest.raises(AttributeError, match="classifier__depth"):
        _ = model.classifier__depth


def test_what_river_takes_is_taken():
    model = OnePerLabel(tree.HoeffdingTreeClassifier(grace_period=59.5))
    model.tune(classifier__grace_period=20.5)
    assert model.classifier__grace_period == 20.5


def test_a_model_of_which_river_lets_nothing_change():
    assert [each.name for each in OnePerLabel(naive_bayes.GaussianNB()).tunables] == ["decision"]
