"""MLHAT and HedgedMLHAT do what their descriptions say: against transcriptions in plain Python, and on paper."""

from __future__ import annotations

import inspect
import math
from collections import Counter

import numpy as np
import pytest

from streamlab.learners import MLHAT, HedgedMLHAT
from streamlab.schema import Feature, Schema
from tests.learners.generated import generated, schema_of
from tests.learners.mlhat.by_hand import ByHand, h
from tests.learners.mlhat.hedged_by_hand import HedgedByHand
from tests.learners.mlhat.streams import HEDGED_QUICK, QUICK, learn_in_chunks, lists, stump_stream

KINDS = {"MLHAT": (MLHAT, ByHand, QUICK), "HedgedMLHAT": (HedgedMLHAT, HedgedByHand, HEDGED_QUICK)}
"""Each learner with its transcription, and parameters by which it splits soon."""
SPLITS, STARTS = {"split"}, {"split", "alternate_started"}
GROWS = STARTS | {"alternate_promoted"}
STREAMS = {
    "MLHAT": {
        "bootstrap": ({"n": 1500, "flips": (900,)}, {}, GROWS),
        "no bootstrap": ({"n": 1200, "missing": 0.1, "flips": (600,)}, {"bootstrap": False}, STARTS),
        "strict": (
            {"n": 1200, "missing": 0.05, "flips": (500, 800)}, {"bootstrap": "strict", "poisson_rate": 1.5}, SPLITS,
        ),
        "inherit": ({"n": 1200, "flips": (700,)}, {"leaf_start": "inherit", "entropy_threshold": 1.5}, SPLITS),
        "inherit bags": ({"n": 1000, "missing": 0.05}, {"leaf_start": "inherit", "cardinality_threshold": 40}, SPLITS),
        "alone": ({"n": 1000, "flips": (600,)}, {"combine_alternates": False, "drift_measure": "subset"}, SPLITS),
        "on drift": ({"n": 1000, "flips": (600,)}, {"alternate_on": "drift", "drift_measure": "micro_f1"}, SPLITS),
        "shallow": (
            {"n": 900, "missing": 0.2}, {"drift_measure": "macro_f1", "max_depth": 1, "n_neighbors": 7}, SPLITS,
        ),
    },
    "HedgedMLHAT": {
        "bootstrap": ({"n": 1500, "flips": (900,)}, {}, GROWS),
        "inherit": (
            {"n": 1200, "missing": 0.1, "flips": (600,)}, {"bootstrap": False, "leaf_start": "inherit"}, SPLITS,
        ),
        "strict": (
            {"n": 1000, "missing": 0.05, "flips": (500,)}, {"bootstrap": "strict", "poisson_rate": 1.5}, SPLITS,
        ),
        "alone": ({"n": 1000, "flips": (600,)}, {"combine_alternates": False, "drift_measure": "subset"}, SPLITS),
        "long duels": ({"n": 1000, "flips": (500,)}, {"alternate_grace_period": 400}, STARTS),
        "slow trust": (
            {"n": 1000, "flips": (600,)}, {"eta": 5.0, "loss_memory": 40, "drift_measure": "micro_f1"}, SPLITS,
        ),
        "one level": ({"n": 1200, "flips": (700,)}, {"kept_levels": 1, "tau": 0.2}, SPLITS),
        "root only": ({"n": 900, "flips": (500,)}, {"kept_levels": 0, "loss_memory": math.inf}, SPLITS),
        "shallow": ({"n": 800, "missing": 0.2}, {"max_depth": 1, "n_neighbors": 7, "eta": 0.0}, SPLITS),
        "one leaf": ({"n": 600}, {"max_depth": 0}, set()),
    },
}  # fmt: skip


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, streams in STREAMS.items() for name in streams])
def test_generated_streams_equal_the_description(kind, name):
    learner, transcription, quick = KINDS[kind]
    stream, parameters, expected = STREAMS[kind][name]
    schema, X, Y = stump_stream(**stream, seed=3)
    model = learner(**quick | parameters).bind(schema)
    by_hand = transcription(model, schema)
    scores, labels = learn_in_chunks(model, X, Y, 173)
    wanted = np.array([by_hand.test_then_train(x, y) for x, y in lists(X, Y)])
    np.testing.assert_allclose(scores, wanted, rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(labels, wanted > 0.5)
    events = model.take_events()
    mine = [(e["kind"], e["node"], e["position"]) for e in events]
    assert sorted(mine) == sorted(e[:3] for e in by_hand.events)
    assert expected <= {kind for kind, *_ in mine}
    splits = sorted(
        (e["position"], e["node"], e["gain"], e["second_gain"], e["epsilon"]) for e in events if e["kind"] == "split"
    )
    wanted_splits = sorted((e[2], e[1], *e[5:]) for e in by_hand.events if e[0] == "split")
    np.testing.assert_allclose(splits, wanted_splits, rtol=1e-8, atol=1e-10)
    columns = model.node_columns()
    order = np.argsort(columns["id"])
    names = ("id", "depth", "background", "is_leaf", "feature", "weight")
    assert list(zip(*(columns[n][order].tolist() for n in names), strict=True)) == by_hand.structure()
    if kind == "HedgedMLHAT":
        assert_experts_equal(columns, by_hand)


def assert_experts_equal(columns, by_hand):
    for i, node in enumerate(columns["id"].tolist()):
        assert columns["keeps_regressions"][i] == (node in by_hand.kept and not columns["is_leaf"][i])
        if columns["is_leaf"][i]:
            found = columns["loss_neighbours"][i], columns["loss_regressions"][i]
        elif columns["keeps_regressions"][i]:
            found = columns["loss_own"][i], columns["loss_below"][i]
        else:
            continue
        assert found == pytest.approx(by_hand.experts[node], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("missing", "seed"), [(0.0, 1), (0.15, 2)])
def test_another_stream_equals_the_description(kind, missing, seed):
    learner, transcription, quick = KINDS[kind]
    schema = schema_of(5, 2, n_labels=4)
    X, Y = generated(schema, 900 if learner is MLHAT else 600, missing=missing, seed=seed)
    assert_equals(learner(**quick | {"bootstrap": seed == 1}).bind(schema), transcription, X, Y)


def assert_equals(model, transcription, X, Y):
    by_hand = transcription(model, model.schema)
    scores, _ = learn_in_chunks(model, X, Y)
    np.testing.assert_allclose(scores, [by_hand.test_then_train(x, y) for x, y in lists(X, Y)], rtol=1e-9, atol=1e-9)
    assert Counter(e["kind"] for e in model.take_events()) == by_hand.kinds()
    assert by_hand.kinds()["split"]


def test_sparse_rows_equal_the_description():
    rng = np.random.default_rng(4)
    n, width = 700, 30
    X = np.where(rng.random((n, width)) < 0.1, rng.normal(size=(n, width)) + 2.0, 0.0)
    X[:, :5] = np.round(X[:, :5], 1)
    X[:, 20:] = X[:, 20:] != 0
    X[:, 5] = np.where(rng.random(n) < 0.5, rng.random(n), 0.0)
    X[:, 19] = rng.random(n)  # no two rows equally far
    Y = np.column_stack([X[:, 5] > 0, X[:, 21] + X[:, 22] > 0, rng.random(n) < 0.3]).astype(np.uint8)
    categories = [None] * 20 + [("no", "yes")] * 5 + [("a", "b", "c")] * 5
    schema = Schema(tuple(Feature(f"f{i}", c) for i, c in enumerate(categories)), ("a", "b", "c"))
    assert_equals(MLHAT(**QUICK).bind(schema), ByHand, X, Y)


def test_the_defaults_are_the_descriptions():
    defaults = {
        "grace_period": 200, "delta": 1e-7, "tau": 0.05, "alternate_grace_period": 200, "switch_significance": 0.05,
        "cardinality_threshold": 750, "entropy_threshold": 0.3, "poisson_rate": 1.0, "bootstrap": True,
        "n_neighbors": 4, "window": 170, "n_models": 10, "learning_rate": 0.3, "intercept_learning_rate": 0.01,
        "drift_measure": "hamming", "alternate_on": "warning", "warning_delta": 0.01, "drift_delta": 0.002,
        "combine_alternates": True, "n_split_points": 10, "min_branch_fraction": 0.01, "max_share_to_split": 0.99,
        "max_depth": None, "max_bytes": None, "seed": None,
    }  # fmt: skip
    parameters = inspect.signature(MLHAT).parameters
    assert {name: parameters[name].default for name in defaults} == defaults
    assert set(parameters) - set(defaults) == {"leaf_start", "decision"}
    tunable = {t.name for t in MLHAT.tunables}
    assert set(defaults) - tunable == {
        *("n_models", "drift_measure", "warning_delta", "drift_delta", "n_split_points", "min_branch_fraction"),
        *("max_share_to_split", "seed"),
    }


def test_the_defaults_of_the_hedged_tree_are_its_descriptions():
    own = {"eta": 50.0, "loss_memory": 500, "tau": 0.1, "kept_levels": None}
    parameters, plain = inspect.signature(HedgedMLHAT).parameters, inspect.signature(MLHAT).parameters
    assert {name: parameters[name].default for name in own} == own
    others = set(plain) - {"cardinality_threshold", "entropy_threshold", "tau"}
    assert set(parameters) == others | set(own)
    assert all(parameters[name].default == plain[name].default for name in others)
    assert set(own) <= {tunable.name for tunable in HedgedMLHAT.tunables}


def test_three_splits_worked_by_hand():
    """A tree whose every gain, R and ε follow from counts on paper: two switches, without chance."""
    schema = Schema((Feature("a", ("off", "on")), Feature("b", ("off", "on")), Feature("c", None)), ("p", "q"))
    # a decides p; where a is on, b decides q; where it is off, c <= 1 does
    pattern = [(a, b, c, a, b if a else int(c <= 1)) for a in (0, 1) for b in (0, 1) for c in (0.0, 1.0, 2.0, 3.0)]
    order = np.random.default_rng(0).permutation(16)
    data = np.array([pattern[i] for _ in range(60) for i in order])
    X, Y = data[:, :3], data[:, 3:].astype(np.uint8)
    quick = {"grace_period": 160, "delta": 1e-2, "tau": 0.0, "bootstrap": False, "leaf_start": "fresh", "seed": 0}
    model = MLHAT(**quick, max_share_to_split=1.0).bind(schema)
    learn_in_chunks(model, X, Y)
    splits = [e for e in model.take_events() if e["kind"] == "split"]
    assert sorted((e["node"], e["feature"]) for e in splits) == [(0, "a"), (1, "c"), (2, "b")]
    by_node = {e["node"]: e for e in splits}
    # the root after k attempts of 160: p is 1/2, q is 1/2 -> H0 = 2 bits; a leaves h(1/2) on both sides for q
    root = by_node[0]
    assert root["gain"] == pytest.approx(1.0, abs=1e-12)
    # b: q is 3/4 where b is on, 1/4 where it is off; c the same, cut at 1.5
    assert root["second_gain"] == pytest.approx(1.0 - h(0.75), abs=1e-12)
    assert root["epsilon"] == pytest.approx(math.sqrt(2.0**2 * math.log(100) / (2 * root["weight"])), rel=1e-12)
    assert root["gain"] - root["second_gain"] > root["epsilon"]
    earlier = math.sqrt(2.0**2 * math.log(100) / (2 * (root["weight"] - 160))) if root["weight"] > 160 else math.inf
    assert root["gain"] - root["second_gain"] <= earlier
    # two label sets on either side: R is 1; the other features say nothing
    for node in (1, 2):
        event = by_node[node]
        assert event["gain"] == pytest.approx(1.0, abs=1e-12)
        assert event["second_gain"] == pytest.approx(0.0, abs=1e-12)
        assert event["epsilon"] == pytest.approx(math.sqrt(math.log(100) / (2 * event["weight"])), rel=1e-12)
    assert by_node[1]["threshold"] == 1.5
    # leaves are pure and stay
    columns = model.node_columns()
    assert (columns["n_labelsets"][columns["is_leaf"]] == 1).all()
    assert (columns["regime"][columns["is_leaf"]] == 1).all()
    assert not columns["entropy"][columns["is_leaf"]].any()
    np.testing.assert_array_equal(model.predict_many(X), Y)
    # as it is by default, the leaf where p is certain would not have tried
    careful = MLHAT(**quick).bind(schema)
    learn_in_chunks(careful, X, Y)
    assert [e["node"] for e in careful.take_events() if e["kind"] == "split"] == [0, 1]
