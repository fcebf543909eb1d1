"""Compact trees: columns get places as they are first seen; what is learned and answered is as if all had places."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.learners import MLHAT, HedgedMLHAT
from streamlab.learners.mlhat import _tree as arena
from streamlab.learners.mlhat import growth
from streamlab.schema import Feature, NumberedFeatures, Schema
from tests.learners.mlhat.streams import HEDGED_QUICK, QUICK, same_states
from tests.learners.sparse_streams import chunkings, csr, wide

KINDS = [(MLHAT, QUICK), (HedgedMLHAT, HEDGED_QUICK)]


@pytest.fixture(autouse=True)
def _compact_from_a_hundred(monkeypatch):
    monkeypatch.setattr(MLHAT, "COMPACT_FROM", 100)


class WholeMLHAT(MLHAT):
    COMPACT_FROM = 1 << 60


class WholeHedgedMLHAT(HedgedMLHAT):
    COMPACT_FROM = 1 << 60


WHOLE = {MLHAT: WholeMLHAT, HedgedMLHAT: WholeHedgedMLHAT}


def late(n, n_features, n_labels=4, *, seed=0, density=0.05, **how):
    """Rows whose columns come bit by bit, in no order, and some of them twice in the stream."""
    X, Y = wide(n, n_features, n_labels, density=density, seed=seed, **how)
    rng = np.random.default_rng(seed)
    first = np.where(rng.random(n_features) < 0.3, 0, rng.integers(0, n, n_features))
    X[np.arange(n)[:, None] < first] = 0.0
    # a few columns that tell labels, and those of equal counts: ties in the search
    strong = rng.choice(n_features, 3, replace=False)
    for j, column in enumerate(strong):
        X[:, column] = np.where(rng.random(n) < 0.4, 1.0, 0.0)
        Y[:, j] = (X[:, column] > 0) ^ (rng.random(n) < 0.02)
    twins = rng.choice(n_features, 2, replace=False)
    X[:, twins] = X[:, strong[:1]]
    again = rng.integers(0, n, n // 10)
    X[again], Y[again] = X[again // 2], Y[again // 2]
    return X, Y


def compare(kind, parameters, X, Y, schema=None, tune=None):
    """Learn the rows in both ways; return both learners."""
    S = csr(X, explicit=0.02)
    compact, whole = kind(**parameters), WHOLE[kind](**parameters)
    for model in (compact, whole) if schema is not None else ():
        model.bind(schema)
    for part in chunkings(len(X), 3):
        for mine, its in zip(
            compact.test_then_train(S[part], Y[part]), whole.test_then_train(S[part], Y[part]), strict=True
        ):
            np.testing.assert_array_equal(mine, its)
        # rows of the future too, with columns that nobody has seen
        np.testing.assert_array_equal(compact.predict_proba_many(S[::7]), whole.predict_proba_many(S[::7]))
        if tune:
            for model in (compact, whole):
                model.tune(**tune)
    assert len(compact._tree.place_cursor)
    assert not len(whole._tree.place_cursor)
    return compact, whole


@pytest.mark.parametrize(("kind", "parameters"), KINDS)
@pytest.mark.parametrize("start", ["fresh", "inherit"])
@pytest.mark.parametrize(
    "how", [{}, {"missing": 0.002}, {"density": 0.4}, {"strays": 0.001}], ids=["plain", "missing", "dense", "strays"]
)
def test_answers_and_trees_are_those_of_a_tree_that_knows_all_columns(kind, parameters, start, how):
    X, Y = late(1200, 400, seed=len(how), **how)
    compact, whole = compare(kind, parameters | {"leaf_start": start}, X, Y)
    mine, its = compact.take_events(), whole.take_events()
    assert mine == its
    assert "split" in {event["kind"] for event in mine}
    for name, values in whole.node_columns().items():
        np.testing.assert_array_equal(compact.node_columns()[name], values, err_msg=name)
    assert compact.nodes().drop(columns="bytes").equals(whole.nodes().drop(columns="bytes"))
    for node in whole.node_columns()["id"]:
        assert compact.describe_node(int(node)) == whole.describe_node(int(node))


@pytest.mark.parametrize(("kind", "parameters"), KINDS)
def test_another_order_of_appearance_changes_no_tie(kind, parameters):
    X, Y = late(900, 200, seed=5)
    trees = []
    for order in ("as it is", "all at once, from the last"):
        rows = np.vstack([np.zeros((1, 200)), X])
        if order != "as it is":
            rows[0] = 1.0
        model, whole = compare(kind, parameters, rows, np.vstack([Y[:1], Y]))
        trees.append((model.nodes(), whole.nodes()))
        places = model._tree.column_of[: model._tree.place_cursor[arena.PLACES]]
        assert (np.diff(places) < 0).any() == (order == "as it is")
    for mine, its in trees:
        assert mine["best"].tolist() == its["best"].tolist()
        assert mine["second_best"].tolist() == its["second_best"].tolist()
        assert mine["feature"].tolist() == its["feature"].tolist()
