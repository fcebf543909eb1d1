"""ISOUPT against its plain transcription and River's tree, and the contract of a learner."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from river import linear_model, tree

import streamlab as sl
from streamlab.rivals import ISOUPT, isoupt
from streamlab.rivals import _hoeffding as base
from streamlab.rivals import _isoupt_tree as arrays
from streamlab.schema import Feature, Schema
from streamlab.views.pictures.tree.picture import tree_details
from tests.learners.generated import generated, schema_of
from tests.learners.mlhat.streams import learn_in_chunks, stump_stream
from tests.learners.states import assert_altered_is_refused, assert_same, set_entry
from tests.rivals.by_hand.isoupt import ByHand

QUICK = {"grace_period": 60, "delta": 0.1, "tau": 0.1}
KINDS = [0, 0, 0, 4]
LEAVES = ["model", "adaptive", "perceptron"]


@pytest.fixture(scope="module")
def learned():
    """A learner that the tests share; whoever changes it takes a copy."""
    schema, X, Y = stump_stream(1500, missing=0.05, flips=(900,))
    model = ISOUPT("perceptron", **QUICK).bind(schema)
    answers = learn_in_chunks(model, X, Y)
    return schema, X, Y, model, answers, model.copy().take_events()


# ---------------------------------------------------------------------- against the transcription, and River


@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize(
    "how", [{}, {"missing": 0.15, "seed": 3}, {"flips": (300,), "seed": 4}], ids=["plain", "gaps", "flip"]
)
@pytest.mark.parametrize(
    "parameters",
    [{}, {"max_depth": 1, "min_samples_split": 20, "threshold": 0.3, "learning_rate": 0.05}],
    ids=["free", "bounded"],
)
def test_it_is_its_plain_transcription(leaf, how, parameters):
    schema, X, Y = stump_stream(500, **how)
    Y[40:50] = 0
    model = ISOUPT(leaf, **QUICK | parameters).bind(schema)
    twin = ByHand(model, 3, KINDS)
    scores, labels = model.test_then_train(X, Y)
    for i in range(len(X)):
        expected_scores, expected_labels = twin.answer(X[i])
        np.testing.assert_allclose(scores[i], expected_scores, atol=1e-9, err_msg=str(i))
        assert labels[i].tolist() == expected_labels.tolist(), i
        twin.learn(X[i], Y[i])
    splits = [(e["node"], e["position"], e["feature"]) for e in model.take_events()]
    assert splits == [(node, position, schema.features[f].name) for node, position, f, _ in twin.splits]
    assert splits
    points = model._tree.values[[node for node, *_ in splits], base.POINT]
    np.testing.assert_array_equal(points, [point for *_, point in twin.splits])


def test_weights_of_rows_are_those_of_the_transcription():
    schema, X, Y = stump_stream(400, missing=0.05, seed=7)
    weights = np.random.default_rng(1).integers(0, 4, 400).astype(float)
    model = sl.OnlineBagging("isoup", n_models=1, grace_period=60, delta=0.1, tau=0.1, seed=1).bind(schema)
    model.learn_many(X[:1], Y[:1])
    member = model._made_member(0, 0)
    twin = ByHand(ISOUPT("perceptron", **QUICK), 3, KINDS)
    votes, labels = member.test_then_train(X, Y, weights)
    for i in range(len(X)):
        expected, flags = twin.answer(X[i])
        np.testing.assert_allclose(votes[i], expected, atol=1e-9, err_msg=str(i))
        assert labels[i].tolist() == flags.tolist()
        if weights[i]:
            twin.learn(X[i], Y[i], weights[i])
    assert twin.splits
    assert member.n_learned == (weights > 0).sum()


@pytest.mark.parametrize("leaf", ["model", "adaptive"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_is_rivers_tree_where_both_are_exact(leaf, seed):
    """Values of one decimal, no two bins merged; a single split, after which the two count other rows."""
    schema = schema_of(3, n_labels=3, ranges=False)
    X, Y = generated(schema, 700, seed=seed)
    X = np.round(X, 1)
    own = ISOUPT(leaf, grace_period=100, delta=0.3, tau=0.05, max_depth=1).bind(schema)
    theirs = tree.ISOUPTreeRegressor(
        grace_period=100, delta=0.3, tau=0.05, max_depth=1, leaf_prediction=leaf,
        leaf_model=linear_model.LogisticRegression() if leaf == "model" else None,
    )  # fmt: skip
    scores, labels = own.test_then_train(X, Y)
    found = np.zeros(Y.shape)
    for i, (x, y) in enumerate(zip(X.tolist(), Y.tolist(), strict=True)):
        said = theirs.predict_one(dict(enumerate(x)))
        found[i] = [float(said.get(j, 0.0)) for j in range(3)]
        theirs.learn_one(dict(enumerate(x)), dict(enumerate(map(float, y))))
    if leaf == "model":
        # its logistic regressions answer True or False
        np.testing.assert_array_equal(labels, found > 0.5)
    else:
        np.testing.assert_allclose(scores, np.clip(found, 0, 1), atol=1e-9)
    (split,) = own.take_events()
    assert split["feature"] == f"x{theirs._root.feature}"
    # River's point is the value below it, ours half-way to the next
    assert theirs._root.threshold < split["threshold"] < theirs._root.threshold + 0.1


# ---------------------------------------------------------------------- bins


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-50_000, 50_000), st.integers(0, 3)), min_size=1, max_size=300),
    st.booleans(),
)
def test_bins_hold_every_row_once_in_order_and_are_exact_up_to_64_values(values, rounded):
    X = np.array([[round(v / 1000) if rounded else v / 1000] for v, _ in values], float)
    Y = np.array([[flags & 1, flags >> 1] for _, flags in values], np.uint8)
    model = ISOUPT(grace_period=10**6)
    # with a range of its own, so that nothing is an outlier
    model.bind(Schema((Feature("x", None, -50.0, 50.0),), ("a", "b"))).learn_many(X, Y)
    state = model.state()
    low, high, weights = state["bins"].T
    sums = np.column_stack([weights, state["bin_labels"]])
    assert (low <= high).all()
    assert (low[1:] > high[:-1]).all()
    assert len(low) <= 64
    assert sums.sum(axis=0).tolist() == [len(X), *Y.sum(axis=0)]
    for k in range(len(low)):
        own = (X[:, 0] >= low[k]) & (X[:, 0] <= high[k])
        assert sums[k].tolist() == [own.sum(), *Y[own].sum(axis=0)]
    if len(np.unique(X)) <= 64:
        np.testing.assert_array_equal(low, np.unique(X))
        np.testing.assert_array_equal(low, high)


@pytest.mark.parametrize("kind", ["normal", "rising", "falling", "skewed", "uniform"])
def test_bins_have_about_the_same_weight(kind):
    rng = np.random.default_rng(1)
    x = {
        "normal": rng.normal(size=4000), "rising": np.arange(4000.0), "falling": -np.arange(4000.0),
        "skewed": np.exp(2 * rng.normal(size=4000)), "uniform": rng.random(4000),
    }[kind][:, None]  # fmt: skip
    model = ISOUPT(grace_period=10**6).bind(Schema((Feature("x"),), ("a",)))
    model.learn_many(x, (x > 0).astype(np.uint8))
    weights = model.state()["bins"][:, arrays.WEIGHT]
    assert len(weights) == 64
    assert weights.sum() > 3990
    # an equal share is 1/64
    assert weights.max() < 4 / 64 * weights.sum()
    assert np.quantile(weights, 0.1) > 1 / 4 / 64 * weights.sum()


def test_the_best_cut_of_many_values_is_near_to_the_one_of_all():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(2000, 1))
    Y = ((x > 0.37) ^ (rng.random((2000, 1)) < 0.05)).astype(np.uint8)
    model = ISOUPT(grace_period=2000, max_depth=1).bind(Schema((Feature("x"),), ("a",)))
    model.learn_many(x, Y)
    (split,) = model.take_events()
    assert split["threshold"] == pytest.approx(0.37, abs=0.1)
    left, right = (Y[x[:, 0] <= split["threshold"]], Y[x[:, 0] > split["threshold"]])
    whole = Y.var(ddof=1) - sum(len(side) / 2000 * side.var(ddof=1) for side in (left, right))
    assert split["merit"] == pytest.approx(whole)


def test_the_pool_of_bins_is_packed_when_leaves_have_split():
    schema, X, Y = stump_stream(3000, seed=2)
    model = ISOUPT(**QUICK).bind(schema)
    model.learn_many(X, Y)
    packed = len(model.state()["bins"])
    assert packed == model._tree.n_bins.sum()
    assert packed <= int(model._tree.cursor[arrays.POOL]) <= len(model._tree.bins)
    # never more than twice what is in use, and what a row may need
    assert len(model._tree.bins) < 3 * packed + 10


# ---------------------------------------------------------------------- the contract


@pytest.mark.parametrize("leaf", LEAVES)
def test_widening_leaves_the_answers_as_they_were(leaf):
    schema, X, Y = stump_stream(300, seed=5)
    model = ISOUPT(leaf, **QUICK).bind(schema)
    model.learn_many(X, Y)
    scores, _ = model.answer_many(X)
    features = [*schema.features, Feature("more"), Feature("kind", ("a", "b", "c"))]
    features[3] = Feature("c0", (*features[3].categories, "pink"))
    member = SimpleNamespace(tree=isoupt.growth.with_columns(model._tree, features, 5))
    wider, settings_now = np.column_stack([X, np.full((300, 2), np.nan)]), model._settings()
    answers, labels = np.zeros((300, 5)), np.zeros((300, 5), np.uint8)
    isoupt.kernels.answer(member.tree, wider, settings_now, answers, labels)
    np.testing.assert_array_equal(answers[:, :3], scores)


def test_an_adaptive_leaf_whose_regression_runs_away_answers_with_its_mean():
    rng = np.random.default_rng(2)
    X = 1000 * rng.random((300, 3))
    Y = (rng.random((300, 1)) < 0.8).astype(np.uint8)
    model = ISOUPT("adaptive", max_depth=0)
    scores, _ = model.test_then_train(X, Y)
    np.testing.assert_allclose(scores[200:, 0], [Y[:i].mean() for i in range(200, 300)])
    assert model.nodes().labels_by_mean.tolist() == [1]
    assert np.abs(model._tree.weights).max() > 1e6


def test_a_feature_that_many_rows_lack_counts_for_the_others():
    rng = np.random.default_rng(4)
    X = np.round(rng.random((400, 2)), 1)
    Y = (X[:, :1] > 0.5).astype(np.uint8)
    X[rng.random(400) < 0.5, 0] = np.nan
    model = ISOUPT(grace_period=400, max_depth=1)
    model.learn_many(X, Y)
    known = ~np.isnan(X[:, 0])
    (split,) = model.take_events()
    assert split["feature"] == "x0"
    assert split["merit"] == pytest.approx(Y[known].var(ddof=1) * known.mean())


def test_a_nominal_feature_splits_into_one_category_and_the_rest():
    rng = np.random.default_rng(4)
    X = rng.integers(0, 3, (300, 1)).astype(float)
    Y = (X == 1).astype(np.uint8)
    model = ISOUPT(grace_period=100).bind(Schema((Feature("c", ("r", "g", "b")),), ("l",)))
    model.learn_many(X, Y)
    (split,) = model.take_events()
    assert split["category"] == "g"
    assert "c is g" in split["message"]
    table = model.nodes()
    assert table.category.tolist()[0] == "g"
    assert table.parent.tolist() == [-1, 0, 0]
    assert model.describe_node(2)["rule"] == ["c is not g"]


# ---------------------------------------------------------------------- states that were altered


@pytest.mark.parametrize(
    ("key", "place", "value", "words"),
    [
        ("links", (0, base.LEFT), 0, "two later nodes"),
        ("links", (0, base.FEATURE), 99, "an index into"),
        ("links", (0, base.FEATURE), -1, ""),
        ("links", (-1, base.SLOT), 0, "each once"),
        ("totals", (0, 0), np.nan, "finite"),
        ("n_bins", (0, 0), 65, "0 to 64"),
        ("n_bins", (0, 0), 0, "adds up to"),
    ],
)
def test_an_altered_state_is_refused(learned, key, place, value, words):
    assert_altered_is_refused(ISOUPT, learned[3].state(), set_entry(key, place, value), words)


def test_a_test_of_no_category_is_refused(learned):
    state = learned[3].state()
    values, links = state["values"].copy(), state["links"].copy()
    values[0, base.POINT], links[0, base.FEATURE] = 2.5, 3
    with pytest.raises(ValueError, match="index of a category, 0 to 3"):
        ISOUPT.from_state(state | {"values": values, "links": links})


def test_what_cannot_fit_is_refused_with_a_number():
    with pytest.raises(ValueError, match=r"5,000 labels for each of 2,000 features in a leaf, 5\.2 GB"):
        ISOUPT().bind(schema_of(2000, n_labels=5000))
    model = ISOUPT()
    model.learn_one({"a": 1.0}, {f"l{i}": True for i in range(30)})
    before = model.state()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(isoupt, "MOST_BYTES", 100_000)
        with pytest.raises(ValueError, match="take fewer features or labels"):
            model.learn_one({f"x{i}": 1.0 for i in range(200)}, {"l0": True})
    assert_same(before, model.state())


# ---------------------------------------------------------------------- parameters, words, figures


def test_nodes_and_words(learned):
    schema, _, Y, model, _, events = learned
    table, columns = model.nodes(), model.node_columns()
    assert len(table) == 2 * len(events) + 1 == len(columns["id"])
    assert columns["depth"].tolist() == sorted(columns["depth"].tolist())
    branches = table[~table.is_leaf]
    # what came to a branch since it was one went to its children
    for node, row in branches.iterrows():
        split = next(event for event in events if event["node"] == node)
        below = table[table.parent == node].weight.sum()
        assert row.weight == pytest.approx(below + split["weight"])
    assert set(columns["regime"][columns["is_leaf"]]) == {5}
    assert columns["error"][0] == pytest.approx(np.mean(learned[4][1] != Y))
    leaf = int(table.index[table.is_leaf & table.best.notna()][0])
    words = tree_details("mine", model.describe_node(leaf))
    assert "answers by a model for each label" in words
    assert "of the labels’ variance away" in words
    assert "label sets" not in words
    assert model.describe_node(len(table)) is None
    event = events[0]
    assert event["ratio"] == pytest.approx(event["second_merit"] / event["merit"])
    assert set(ISOUPT.events["split"].numbers) <= event.keys()
    assert event["epsilon"] == pytest.approx(math.sqrt(math.log(1 / 0.1) / (2 * event["weight"])))
    fresh = ISOUPT().bind(schema)
    assert fresh.node_columns()["regime"].tolist() == [0]
    assert "has seen nothing yet" in tree_details("mine", fresh.describe_node(0))
