"""Pipelines over arrays, River's with our parts, the scaler; the views' needs seen through a projection."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from river import compose, preprocessing
from river.naive_bayes import GaussianNB
from sklearn.base import clone
from sklearn.preprocessing import StandardScaler as TheirScaler

import streamlab as sl
from streamlab.schema import MANY, Feature, Schema


def yeast(n=700):
    stream = sl.load("yeast")
    chunk = next(iter(stream.chunks(n)))
    return stream.schema, chunk.X, chunk.Y


def three(**options):
    return sl.StandardScaler() | sl.BalancedLDA() | sl.BalancedKNN(**options)


# ---------------------------------------------------------------------- the scaler


@settings(max_examples=30, deadline=None)
@given(cuts=st.lists(st.integers(1, 79), max_size=8), offset=st.sampled_from([0.0, 1e6]))
def test_the_scaler_equals_scikit_learn_s_in_any_chunks(cuts, offset):
    X = np.random.default_rng(0).normal(size=(80, 3)) * [1.0, 20.0, 0.0] + offset
    X[::7, 1] = np.nan
    ours, theirs = sl.StandardScaler(), TheirScaler().fit(X)
    for part in np.split(np.arange(80), sorted(cuts)):
        ours.partial_fit(X[part])
    np.testing.assert_allclose(ours.mean_, theirs.mean_, rtol=1e-10)
    np.testing.assert_allclose(ours.var_, theirs.var_, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(ours.transform(X), theirs.transform(X), atol=1e-6)


def test_the_scaler_fades_and_leaves_categories():
    schema = Schema((Feature("a"), Feature("c", ("x", "y"))), ("l",))
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=90), rng.integers(2, size=90)])
    weights = 2.0 ** ((np.arange(90) - 89) / 20.0)
    mean = np.average(X[:, 0], weights=weights)
    for size in (1, 13, 90):
        scaler = sl.StandardScaler(half_life=20.0).bind(schema)
        for start in range(0, 90, size):
            scaler.learn_many(X[start : start + size])
        assert scaler.mean_[0] == pytest.approx(mean, rel=1e-10)
        assert scaler.var_[0] == pytest.approx(np.average((X[:, 0] - mean) ** 2, weights=weights), rel=1e-10)
        np.testing.assert_array_equal(scaler.transform(X)[:, 1], X[:, 1])
    twin = sl.StandardScaler.from_state(scaler.state())
    np.testing.assert_array_equal(twin.transform(X), scaler.transform(X))
    assert clone(scaler).get_params() == {"half_life": 20.0}
    with pytest.raises(ValueError, match="X row 0, feature 'a': inf"):
        scaler.learn_many([[math.inf, 0.0]])


def test_the_scaler_takes_new_columns_of_a_later_table_also_beside_numbered_ones():
    many = MANY
    rows = pd.DataFrame(np.ones((2, many)), columns=[f"x{i}" for i in range(many)])
    scaler = sl.StandardScaler()
    scaler.learn_many(np.ones((3, many)))
    scaler.learn_many(rows.assign(new=[1.0, 3.0]))
    assert [feature.name for feature in scaler.schema.features[-2:]] == [f"x{many - 1}", "new"]
    # until it came, it was 0
    assert scaler.mean_[-1] == pytest.approx(4 / 5)


# ---------------------------------------------------------------------- pipelines


def test_the_points_move_with_the_projection():
    """After any chunk the stream answers as the parts, trained on the same rows, would: no point is left behind."""
    _, X, Y = yeast()
    model = three(window=None)
    for start in range(0, 700, 100):
        model.learn_many(X[start : start + 100], Y[start : start + 100])
    batch = three().fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(X[:50]), batch.predict_proba(X[:50]), atol=1e-8)
    np.testing.assert_allclose(model.learner.thresholds_, batch.learner.thresholds_, atol=1e-7)
    seen = batch.steps["balancedlda"].transform(batch.steps["standardscaler"].transform(X))
    np.testing.assert_allclose(model.recent(10**6)["points"], seen[:, :2], atol=1e-10)


def test_the_view_sees_through_the_projection():
    schema, X, Y = yeast()
    model = three(window=50).bind(schema)
    model.learn_many(X[:650], Y[:650])
    scaler, projection, _ = model.parts
    columns = model.node_columns()
    around = model.neighbourhood(X[680])
    where = projection.transform(scaler.transform(X))
    np.testing.assert_allclose(around["point"], where[680, :2], atol=1e-10)
    np.testing.assert_allclose(model.placed(X[640:]), where[640:, :2], atol=1e-10)
    np.testing.assert_allclose(around["points"], where[around["row"], :2], atol=1e-10)
    np.testing.assert_array_equal(Y[around["row"], around["label"]], 1)
    np.testing.assert_array_equal(around["predicted"], model.predict_many(X[680:681])[0])
    assert model.nodes().label.tolist() == list(schema.labels)
    assert model.describe_node(3)["window"] == columns["window"][3]
    assert model.picture == "projection"
    with pytest.raises(ValueError, match="MLKNN has no projection"):
        (sl.StandardScaler() | sl.MLKNN()).node_columns()


# ---------------------------------------------------------------------- the protocol is that of the last step


ROW_BY_ROW = {
    "NoChange": sl.NoChange,
    "MajorityLabels": sl.MajorityLabels,
    "MLHAT": lambda: sl.MLHAT(seed=1, grace_period=50),
    "OnePerLabel": lambda: sl.OnePerLabel(GaussianNB()),
}


def by_hand(make, X, Y) -> tuple[np.ndarray, np.ndarray]:
    """What a scaler and a learner of rows answer, with two objects and a loop."""
    scaler, learner, kept = sl.StandardScaler(), make(), 0
    scores, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
    scaler.learn_many(X[:1])
    for i in range(len(X)):
        answers = learner.test_then_train(scaler.transform(X[i : i + 1]), Y[i : i + 1])
        scores[i], labels[i] = (answer[0] for answer in answers)
        if i + 1 in (2, 4, 8, 16, 32, 64, 100, 200, 300):
            scaler.learn_many(X[max(kept, 1) : i + 1])
            kept = i + 1
    return scores, labels


def test_a_pipeline_without_a_transformer_is_its_learner():
    _, X, Y = yeast(200)
    X, Y = X[:, :12], Y[:, :5]
    assert sl.Pipeline(sl.BalancedKNN()).predicts_whole_chunks
    for make in ROW_BY_ROW.values():
        piped, alone = sl.Pipeline(make()), make()
        for found, wanted in zip(piped.test_then_train(X, Y), alone.test_then_train(X, Y), strict=True):
            np.testing.assert_array_equal(found, wanted)


def test_names_and_parameters_of_the_steps():
    model = sl.Pipeline(sl.StandardScaler(), sl.StandardScaler(half_life=5.0) | sl.BalancedKNN(), chunk=50)
    assert list(model.steps) == ["standardscaler", "standardscaler2", "balancedknn"]
    names = [tunable.name for tunable in model.tunables]
    assert names[:2] == ["chunk", "balancedknn__window"], "the last step, which answers, comes first"
    assert "standardscaler2__half_life" in names
    assert model.standardscaler2__half_life == 5.0
    model.tune(balancedknn__alpha=0.7, chunk=20)
    assert (model.learner.alpha, model.chunk) == (0.7, 20)
    with pytest.raises(ValueError, match="alpha=7"):
        model.tune(chunk=30, balancedknn__alpha=7)
    assert model.chunk == 20
    fresh = model.clone({"balancedknn__alpha": 0.2, "chunk": 5})
    assert (fresh.learner.alpha, fresh.chunk, fresh.steps["standardscaler2"].half_life) == (0.2, 5, 5.0)
    assert model.learner.alpha == 0.7
    assert not hasattr(model, "nonsense__alpha")


def test_setting_a_step_s_parameter_tunes_it():
    schema, X, Y = yeast(200)
    by_name, by_tune = (three(window=40).bind(schema) for _ in range(2))
    for model in (by_name, by_tune):
        model.learn_many(X[:100], Y[:100])
    by_name.balancedlda__half_life = 5
    by_tune.tune(balancedlda__half_life=5)
    for model in (by_name, by_tune):
        assert model.balancedlda__half_life == model.steps["balancedlda"].half_life == 5.0
        model.learn_many(X[100:], Y[100:])
    np.testing.assert_array_equal(by_name.predict_proba_many(X), by_tune.predict_proba_many(X))
    for name, value, message in (
        ("balancedlda__half_life", -1, "balancedlda__half_life=-1: expected a number"),
        ("balancedlda__chunk", 5, "no tunable parameter 'balancedlda__chunk'"),
        ("nonsense__half_life", 5, "no tunable parameter 'nonsense__half_life'"),
    ):
        with pytest.raises(ValueError, match=message):
            setattr(by_name, name, value)


def test_steps_out_of_place_are_refused():
    for make, message in (
        (lambda: sl.Pipeline(), "without a step"),
        (lambda: sl.Pipeline(sl.BalancedKNN(), sl.BalancedLDA()), "BalancedKNN; a learner comes last"),
        (lambda: sl.Pipeline(TheirScaler(), sl.BalancedKNN()), "step 0 is StandardScaler"),
        (lambda: sl.Pipeline(sl.BalancedKNN), "step 0 is"),
        (lambda: sl.Pipeline(sl.BalancedKNN(), chunk=0), "chunk=0"),
        (lambda: (sl.StandardScaler() | sl.BalancedLDA()).learn_many(np.eye(2), np.eye(2)), "ends in the transformer"),
        (lambda: sl.Pipeline.from_state(sl.MLKNN().state()), "state of the learner 'MLKNN'"),
    ):
        with pytest.raises(ValueError, match=message):
            make()


# ---------------------------------------------------------------------- River


def test_river_s_pipeline_takes_our_parts():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 4)) * [1.0, 5.0, 0.1, 1.0]
    Y = (X[:, :3] / [1.0, 5.0, 0.1] + 0.3 * rng.normal(size=(150, 3)) > 0.7).astype(np.uint8)
    model = preprocessing.StandardScaler() | sl.BalancedLDA(chunk=10) | sl.BalancedKNN(window=30)
    assert isinstance(model, compose.Pipeline)
    scaler, projection, learner = preprocessing.StandardScaler(), sl.BalancedLDA(chunk=10), sl.BalancedKNN(window=30)
    for x, y in zip(X, Y, strict=True):
        x = dict(zip("abcd", x.tolist(), strict=True))
        y = dict(zip("pqr", y.astype(bool).tolist(), strict=True))
        by_hand = learner.predict_proba_one(projection.transform_one(scaler.transform_one(x)))
        assert model.predict_proba_one(x) == by_hand
        model.learn_one(x, y)
        # what a supervised transformer learns, it learns after it has transformed
        scaler.learn_one(x)
        scaled = scaler.transform_one(x)
        seen = projection.transform_one(scaled)
        projection.learn_one(scaled, y)
        learner.learn_one(seen, y)
    assert set(model.predict_one(x)) == {"p", "q", "r"}
    assert list(model["BalancedLDA"].transform_one(model["StandardScaler"].transform_one(x)))[:2] == ["blda0", "blda1"]
    scores = model.predict_proba_one(x)
    assert all(0 <= p[True] <= 1 for p in scores.values())


def test_a_label_that_comes_later_stands_at_the_top_also_behind_a_transformer():
    pipe = sl.StandardScaler() | sl.HierarchicalKNN()
    pipe.bind(sl.load("segments").schema)
    rows = next(sl.load("segments").chunks(20))
    pipe.learn_many(rows.X, rows.Y)
    names = pipe.schema.labels
    pipe.learn_one(dict(zip(pipe.schema.feature_names, rows.X[0], strict=True)), {names[0]: False, "new": True})
    assert pipe.learner.schema.labels == (*names, "new")
    assert pipe.learner.schema.hierarchy.parents[-1] == -1
    assert pipe.learner.schema.hierarchy.parents[: len(names)] == sl.load("segments").schema.hierarchy.parents
