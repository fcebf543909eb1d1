"""River's multi-target regressors as learners of labels, against the same regressor run by hand."""

from __future__ import annotations

import numpy as np
import pytest
from river import linear_model, tree

from streamlab.learners import TargetsAsLabels
from tests.learners.generated import generated, rows, schema_of


def isoup():
    return tree.ISOUPTreeRegressor(grace_period=40, delta=0.1, leaf_model=linear_model.LinearRegression())


def test_a_label_is_answered_where_its_target_exceeds_the_threshold():
    schema = schema_of(3, n_labels=3)
    X, Y = generated(schema, 300, seed=6)
    model, alone = TargetsAsLabels(isoup(), threshold=0.4).bind(schema), isoup()
    scores, labels = model.test_then_train(X, Y)
    assert model._model.n_branches > 0, "it splits within these rows"
    for i, (x, y) in enumerate(rows(schema, X, Y)):
        answer = alone.predict_one(x)
        for j, label in enumerate(schema.labels):
            assert scores[i, j] == min(max(answer.get(label, 0.0), 0.0), 1.0)
            assert labels[i, j] == (answer.get(label, 0.0) > 0.4)
        alone.learn_one(x, {label: float(flag) for label, flag in y.items()})


def test_new_labels_and_features_become_targets_and_columns():
    model = TargetsAsLabels(isoup())
    rng = np.random.default_rng(3)
    for i in range(400):
        x = {"a": rng.random()} | ({"b": rng.random()} if i >= 100 else {})
        y = {"l": x["a"] > 0.5} | ({"late": x["a"] > 0.3} if i >= 150 else {})
        model.predict_one(x)
        model.learn_one(x, y)
    assert model.predict_one({"a": 0.9, "b": 0.5}) == {"l": True, "late": True}


def test_the_threshold_is_tuned_and_the_given_regressor_never_learned():
    schema = schema_of(2)
    X, Y = generated(schema, 60)
    regressor = isoup()
    model = TargetsAsLabels(regressor).bind(schema)
    model.learn_many(X, Y)
    assert model.regressor is regressor
    assert regressor.predict_one({"x0": 1.0}) == {}
    model.tune(threshold=1.0)
    assert not model.predict_many(X).any()
    with pytest.raises(ValueError, match=r"copy\(\)"):
        model.state()
    twin = model.copy()
    np.testing.assert_array_equal(twin.predict_proba_many(X), model.predict_proba_many(X))
    assert model.n_bytes > 0


def test_what_is_no_multi_target_regressor_is_refused():
    with pytest.raises(ValueError, match="expected one of River's multi-target regressors"):
        TargetsAsLabels(linear_model.LinearRegression())


def test_what_river_lets_change_is_tunable():
    model = TargetsAsLabels(tree.ISOUPTreeRegressor(grace_period=50))
    assert [each.name for each in model.tunables] == [
        "threshold", "regressor__grace_period", "regressor__delta", "regressor__tau"
    ]  # fmt: skip
    model.tune(regressor__tau=0.5, threshold=0.4)
    assert (model.regressor__tau, model._model.tau, model.threshold) == (0.5, 0.5, 0.4)
