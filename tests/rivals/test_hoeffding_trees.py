"""HoeffdingTrees against River's trees and scikit-learn's naive Bayes, and the contract of a learner."""

from __future__ import annotations

import numpy as np
import pytest
from river import tree
from river.tree.utils import BranchFactory
from sklearn.naive_bayes import CategoricalNB

from streamlab.learners import OnePerLabel
from streamlab.rivals import HoeffdingTrees
from streamlab.rivals import _hoeffding as kernels
from streamlab.schema import Feature, Schema
from tests.learners.generated import generated, schema_of
from tests.learners.mlhat.streams import learn_in_chunks, stump_stream
from tests.learners.states import assert_altered_is_refused, set_entry

QUICK = {"grace_period": 60, "delta": 0.05, "tau": 0.1, "max_share_to_split": 1.0}


@pytest.fixture(scope="module")
def learned():
    """A learner that the tests share; whoever changes it takes a copy."""
    schema, X, Y = stump_stream(1500, missing=0.05, flips=(900,))
    model = HoeffdingTrees(**QUICK).bind(schema)
    answers = learn_in_chunks(model, X, Y)
    return schema, X, Y, model, answers, model.copy().take_events()


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("parameters", [{}, {"max_depth": 1, "min_branch_fraction": 0.2}])
def test_it_is_rivers_tree_for_each_label(seed, parameters, monkeypatch):
    # in River not to split has the merit -inf; here a gain of 0, as a feature without any gain has
    _, *others = BranchFactory.__init__.__defaults__
    monkeypatch.setattr(BranchFactory.__init__, "__defaults__", (0.0, *others))
    schema = schema_of(4, n_labels=3)
    X, Y = generated(schema, 800, seed=seed)
    # River takes the first class that came for the first of equals
    Y[0] = 0
    own = HoeffdingTrees(**QUICK | {"delta": 0.2, "tau": 0.0} | parameters).bind(schema)
    theirs = OnePerLabel(
        tree.HoeffdingTreeClassifier(
            # it takes the difference of sums, which may be short of 60 by its rounding
            grace_period=59.5, delta=0.2, tau=0.0, max_share_to_split=1.0, max_depth=parameters.get("max_depth"),
            min_branch_fraction=parameters.get("min_branch_fraction", 0.01),
        )
    ).bind(schema)  # fmt: skip
    if parameters:
        # River's leaves at the greatest depth answer by majority alone: the tests are compared, not the answers
        own.learn_many(X, Y)
        theirs.learn_many(X, Y)
    else:
        (scores, labels), (expected, expected_labels) = own.test_then_train(X, Y), theirs.test_then_train(X, Y)
        np.testing.assert_allclose(scores, expected, atol=1e-7)
        np.testing.assert_array_equal(labels, expected_labels)
    nodes = own.nodes()
    for label, model in zip(schema.labels, theirs._models, strict=True):
        branches = nodes[(nodes.label == label) & ~nodes.is_leaf]
        assert len(branches) == model.n_branches
        if model.n_branches:
            assert (model._root.feature, model._root.threshold) == (
                branches.feature.iloc[0],
                pytest.approx(branches.threshold.iloc[0]),
            )
    assert not nodes.is_leaf.all()


def test_nominal_features_are_those_of_categorical_naive_bayes():
    rng = np.random.default_rng(3)
    n_categories = (3, 4)
    schema = Schema(tuple(Feature(f"c{j}", tuple("abcd"[:n])) for j, n in enumerate(n_categories)), ("l",))
    X = np.column_stack([rng.integers(0, n, 400) for n in n_categories]).astype(float)
    Y = ((X[:, 0] == 1) ^ (rng.random(400) < 0.2)).astype(np.uint8)[:, None]
    model = HoeffdingTrees(grace_period=1000).bind(schema)
    model.learn_many(X, Y)
    assert model.nodes().answers_by.tolist() == ["naive Bayes"]
    expected = CategoricalNB(alpha=1.0, min_categories=n_categories).fit(X.astype(int), Y[:, 0])
    np.testing.assert_allclose(model.predict_proba_many(X)[:, 0], expected.predict_proba(X.astype(int))[:, 1])
    tests = HoeffdingTrees(grace_period=100).bind(schema)
    tests.learn_many(X, Y)
    assert [(event["feature"], "c0 is b" in event["message"]) for event in tests.take_events()][:1] == [("c0", True)]


@pytest.mark.parametrize("column", [kernels.LEFT, kernels.SLOT, kernels.FEATURE])
def test_an_altered_tree_is_refused(learned, column):
    state = learned[3].state()
    links = state["links"]
    is_leaf = links[:, kernels.FEATURE] < 0
    row = int(np.flatnonzero(is_leaf if column == kernels.SLOT else ~is_leaf)[-1])
    # the root again, a slot that another has, a feature that is not there
    value = {kernels.LEFT: 0, kernels.FEATURE: 99}.get(column, links[np.flatnonzero(is_leaf)[0], column])
    assert_altered_is_refused(HoeffdingTrees, state, set_entry("links", (row, column), value), "links")


def test_other_categories_than_the_schemas_are_refused(learned):
    state = learned[3].state()
    with pytest.raises(ValueError, match="n_categories is another"):
        HoeffdingTrees.from_state(state | {"n_categories": state["n_categories"] * 1000})


def test_a_new_label_has_a_tree_without_history_and_a_new_category_a_place():
    model = HoeffdingTrees(**QUICK)
    rng = np.random.default_rng(5)
    for i in range(700):
        x = {
            "a": float(rng.random()),
            "colour": str(rng.choice(["red", "blue"] if i < 300 else ["red", "blue", "grey"])),
        }
        if i >= 200:
            x["late"] = str(rng.choice(["yes", "no"]))
        y = {"l": x["a"] > 0.5} | ({"new": x["colour"] == "grey"} if i >= 350 else {})
        model.learn_one(x, y)
    weights = model.nodes().query("parent == -1").weight.tolist()
    assert weights == [700, 350]
    assert model.predict_one({"a": 0.9, "colour": "grey", "late": "no"}) == {"l": True, "new": True}
    assert model.predict_one({"a": 0.1, "colour": "red"}) == {"l": False, "new": False}


def test_a_row_beyond_all_gaussians_is_answered_by_the_majority():
    X = np.array([[0.0], [1e-60], [0.0], [1e-60], [1e-60]])
    Y = np.array([[0], [0], [1], [1], [1]], np.uint8)
    model = HoeffdingTrees()
    model.learn_many(X, Y)
    assert model.predict_proba_many(np.array([[1e99]])).tolist() == [[0.6]]
