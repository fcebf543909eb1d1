"""MLHAT's arrays grow with the tree and the schema, within the bounds of depth and memory."""

from __future__ import annotations

from collections import Counter

import numpy as np

from streamlab.learners import MLHAT
from tests.learners.mlhat.columns import arena
from tests.learners.mlhat.streams import QUICK, learn_in_chunks


def test_a_schema_that_grows_equals_one_that_was_whole():
    rng = np.random.default_rng(2)
    X = rng.random((600, 3))
    X[:250, 2] = 0.0
    Y = (X > 0.6).astype(np.uint8)
    whole = MLHAT(**QUICK)
    grown = MLHAT(**QUICK)
    for i in range(600):
        names = ("a", "b", "c") if i >= 250 else ("a", "b")
        x = {n: float(X[i, j]) for j, n in enumerate(names)}
        y = {n: bool(Y[i, j]) for j, n in enumerate(names)}
        # a loss is a share of the labels known, so before the third comes the scores are compared, not the errors
        grown.learn_one(x, y)
        whole.learn_one(
            {n: float(X[i, j]) for j, n in enumerate("abc")}, {n: bool(Y[i, j]) for j, n in enumerate("abc")}
        )
    mine, theirs = grown.node_columns(), whole.node_columns()
    for name in ("id", "feature", "threshold", "weight", "depth"):
        np.testing.assert_array_equal(mine[name], theirs[name], err_msg=name)


def test_more_than_64_labels():
    rng = np.random.default_rng(0)
    X = rng.random((300, 4))
    Y = (rng.random((300, 130)) < 0.05).astype(np.uint8)
    Y[:, 129] = X[:, 0] > 0.5
    model = MLHAT(grace_period=50, seed=1)
    learn_in_chunks(model, X, Y)
    sets = {tuple(y) for y in Y.tolist()}
    assert model.node_columns()["n_labelsets"][0] == len(sets) or (~model.node_columns()["is_leaf"]).any()
    assert int(model._tree.plain_cursor[arena.SETS_USED]) == len(sets)


def test_constant_feature_and_one_label_and_no_label():
    rng = np.random.default_rng(0)
    X = np.column_stack([np.full(800, 3.0), rng.random(800)])
    for Y in (
        np.ones((800, 1), np.uint8), np.zeros((800, 1), np.uint8), np.zeros((800, 3), np.uint8),
        np.zeros((800, 0), np.uint8), (X[:, 1:] > 0.5).astype(np.uint8),
        np.column_stack([X[:, 1] > 0.5, np.zeros(800)]).astype(np.uint8),
    ):  # fmt: skip
        model = MLHAT(grace_period=50, delta=0.01, seed=1)
        scores, labels = learn_in_chunks(model, X, Y)
        assert scores.shape == Y.shape
        assert np.isfinite(scores).all()
        splits = [e for e in model.take_events() if e["kind"] == "split"]
        if len({tuple(y) for y in Y.tolist()}) < 2:
            assert not splits
            np.testing.assert_array_equal(labels[1:], Y[1:])
        else:
            assert splits[0]["feature"] == "x1"
            assert (labels[400:] == Y[400:]).mean() > 0.9


def test_the_search_may_be_spread_over_instances(learned):
    schema, X, Y, *_ = learned
    at_once, spread = (MLHAT(**QUICK | {"bootstrap": False}).bind(schema) for _ in range(2))
    spread._search_units = 1
    learn_in_chunks(at_once, X[:60], Y[:60])
    learn_in_chunks(spread, X[:60], Y[:60])
    assert spread._tree.plain_links[0, arena.SEARCH] == 1
    assert at_once._tree.plain_links[0, arena.SEARCH] == -1
    learn_in_chunks(spread, X[60:63], Y[60:63])
    assert spread._tree.plain_links[0, arena.SEARCH] == -1
    learn_in_chunks(spread, X[63:], Y[63:])
    learn_in_chunks(at_once, X[60:], Y[60:])
    first = [next(e for e in m.take_events() if e["kind"] == "split") for m in (at_once, spread)]
    assert first[0]["feature"] == first[1]["feature"]
    assert 0 <= first[1]["position"] - first[0]["position"] <= 63


def test_the_depth_is_bounded_and_the_bound_can_change(learned):
    schema, X, Y, *_ = learned
    for depth in (0, 1, 2):
        model = MLHAT(**QUICK | {"max_depth": depth}).bind(schema)
        learn_in_chunks(model, X[:900], Y[:900])
        columns = model.node_columns()
        assert columns["depth"].max() == depth
        assert not columns["active"][columns["depth"] >= depth].any()
        model.tune(max_depth=None)
        assert model.node_columns()["active"][model.node_columns()["is_leaf"]].all()
        learn_in_chunks(model, X[:900], Y[:900])
        assert model.node_columns()["depth"].max() > depth
        model.tune(max_depth=1)
        assert not model.node_columns()["active"][model.node_columns()["depth"] >= 1].any()


def test_memory_is_bounded_with_events(learned):
    schema, X, Y, *_ = learned
    free = MLHAT(**QUICK).bind(schema)
    learn_in_chunks(free, X[:900], Y[:900])
    root_only = MLHAT(**QUICK | {"max_depth": 0}).bind(schema)
    learn_in_chunks(root_only, X[:1], Y[:1])
    bound = (root_only.used_bytes + free.used_bytes) // 2
    model = MLHAT(**QUICK | {"max_bytes": bound}).bind(schema)
    for i in range(0, 1500, 10):
        model.test_then_train(X[i : i + 10], Y[i : i + 10])
        assert model.used_bytes <= bound
    events = model.take_events()
    assert Counter(e["kind"] for e in events)["memory_limit"] == 1
    assert any(e["kind"] == "split" for e in events)
    off = [e for e in events if e["kind"] == "deactivated"]
    inactive = model.node_columns()
    assert off
    assert len(model.node_columns()["id"]) < len(free.node_columns()["id"]) or not inactive["active"].all()
    # with the bound gone all grow again
    model.tune(max_bytes=None)
    assert model.node_columns()["active"][model.node_columns()["is_leaf"]].all()
    # and with a bound under what there is, none does
    model.tune(max_bytes=1)
    model.learn_many(X[:1], Y[:1])
    assert not model.node_columns()["active"].any()
    assert {"memory_limit", "deactivated"} <= {e["kind"] for e in model.take_events()}
