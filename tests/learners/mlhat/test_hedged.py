"""HedgedMLHAT keeps the contract of a learner and the bounds of its memory, and says what its nodes trust."""

from __future__ import annotations

import json
import math
from collections import Counter

import numpy as np
import pytest

import streamlab as sl
from streamlab.learners import HedgedMLHAT
from streamlab.learners.mlhat._settings import KEEPS, SPLIT
from streamlab.learners.mlhat.events import hedged_event_of
from tests.learners.mlhat.columns import arena
from tests.learners.mlhat.streams import HEDGED_QUICK, learn_in_chunks, stump_stream


@pytest.fixture(scope="module")
def learned():
    schema, X, Y = stump_stream(1500, missing=0.05, flips=(900,))
    model = HedgedMLHAT(**HEDGED_QUICK).bind(schema)
    answers = learn_in_chunks(model, X, Y)
    return schema, X, Y, model, answers, model.copy().take_events()


def test_it_has_no_threshold_between_neighbours_and_regressions():
    for name in ("cardinality_threshold", "entropy_threshold"):
        with pytest.raises(ValueError, match="no tunable parameter"):
            HedgedMLHAT().tune(**{name: 1.0})
        with pytest.raises(TypeError, match=name):
            HedgedMLHAT(**{name: 1.0})


# ---------------------------------------------------------------------- growth and memory


def kept_by_hand(columns) -> int:
    return int(columns["keeps_regressions"].sum())


def test_kept_regressions_are_counted_and_given_back():
    schema, X, Y = stump_stream(6000, flips=tuple(range(600, 6000, 600)), seed=9)
    model = HedgedMLHAT(**HEDGED_QUICK).bind(schema)
    freed = False
    for i in range(0, 6000, 20):
        model.test_then_train(X[i : i + 20], Y[i : i + 20])
        tree, columns = model._tree, model.node_columns()
        assert tree.plain_kept_cursor[arena.KEPT_USED] == kept_by_hand(columns) == (~columns["is_leaf"]).sum()
        free, at = 0, int(tree.plain_kept_cursor[arena.KEPT_FREE])
        while at >= 0:
            free, at = free + 1, int(tree.kept_next[at])
        assert free == tree.plain_kept_cursor[arena.KEPT_TOP] - tree.plain_kept_cursor[arena.KEPT_USED]
        freed |= free > 0
    assert freed
    assert Counter(e["kind"] for e in model.take_events())["alternate_promoted"] > 2
    table = model.nodes()
    assert table["bytes"].sum() == pytest.approx(model.used_bytes, rel=0.5)
    bags = tree.kept_weights[0].nbytes + tree.kept_intercepts[0].nbytes + tree.kept_next.itemsize
    leaf_free = HedgedMLHAT(**HEDGED_QUICK | {"max_depth": 0}).bind(schema)
    leaf_free.learn_many(X[:1], Y[:1])
    assert (table.loc[~table["is_leaf"], "bytes"] > bags).all()
    assert model._settings()["kept_bytes"] == bags


def test_memory_is_bounded_with_kept_regressions(learned):
    schema, X, Y, *_ = learned
    free = HedgedMLHAT(**HEDGED_QUICK).bind(schema)
    learn_in_chunks(free, X[:900], Y[:900])
    root_only = HedgedMLHAT(**HEDGED_QUICK | {"max_depth": 0}).bind(schema)
    learn_in_chunks(root_only, X[:1], Y[:1])
    bound = (root_only.used_bytes + free.used_bytes) // 2
    model = HedgedMLHAT(**HEDGED_QUICK | {"max_bytes": bound}).bind(schema)
    for i in range(0, 1500, 10):
        model.test_then_train(X[i : i + 10], Y[i : i + 10])
        assert model.used_bytes <= bound
    kinds = Counter(e["kind"] for e in model.take_events())
    assert kinds["memory_limit"] == 1
    assert kinds["split"]
    assert len(model.nodes()) < len(free.nodes()) or not model.node_columns()["active"].all()


def nearest_leaf(children: dict[int, list[int]], node: int) -> int:
    return 1 + min(nearest_leaf(children, child) for child in children[node]) if children.get(node) else 0


@pytest.mark.parametrize("levels", [0, 1, 2])
@pytest.mark.parametrize("tuned", [False, True])
def test_the_root_and_the_levels_above_the_leaves_keep_their_regressions(levels, tuned):
    schema, X, Y = stump_stream(2500, flips=(1500,), seed=2)
    model = HedgedMLHAT(**HEDGED_QUICK | {"tau": 0.3}, kept_levels=None if tuned else levels).bind(schema)
    dropped = False
    for i in range(0, 2500, 50):
        model.test_then_train(X[i : i + 50], Y[i : i + 50])
        if tuned and i == 1000:
            assert model.node_columns()["keeps_regressions"].sum() == (~model.node_columns()["is_leaf"]).sum()
            model.tune(kept_levels=levels)
        if tuned and i < 1000:
            continue
        columns = model.node_columns()
        own = columns["competes_with"] < 0
        children: dict[int, list[int]] = {}
        for node, parent in zip(columns["id"][own].tolist(), columns["parent"][own].tolist(), strict=True):
            children.setdefault(parent, []).append(node)
        for k in np.flatnonzero(~columns["is_leaf"]):
            far = columns["depth"][k] > 0 and nearest_leaf(children, int(columns["id"][k])) > levels
            assert not (far and columns["keeps_regressions"][k])
            dropped |= far
        roots = ~columns["is_leaf"] & (columns["depth"] == 0)
        assert columns["keeps_regressions"][roots].all()
    assert dropped or levels == 2
    # what was dropped does not come back, what splits from now on keeps its own
    before = set(model.nodes().index[~model.nodes()["keeps_regressions"] & ~model.nodes()["is_leaf"]])
    model.tune(kept_levels=None)
    table = model.nodes()
    assert set(table.index[~table["keeps_regressions"] & ~table["is_leaf"]]) == before


# ---------------------------------------------------------------------- what it says


def test_nodes_say_what_they_trust(learned):
    model = learned[3]
    table = model.nodes()
    branch, leaf = ~table["is_leaf"], table["is_leaf"]
    assert branch.any()
    for chosen, share, first, second in (
        (branch, "share_own", "loss_own", "loss_below"),
        (leaf, "share_neighbours", "loss_neighbours", "loss_regressions"),
    ):
        assert table.loc[~chosen, [share, first, second]].isna().all().all()
        losses = table.loc[chosen, [first, second]]
        assert ((losses >= 0) & (losses <= 1)).all().all()
        expected = 1 / (1 + np.exp(np.clip(50.0 * (losses[first] - losses[second]), -30, 30)))
        np.testing.assert_allclose(table.loc[chosen, share], expected, rtol=1e-12)
    answering = leaf & table["regime"].isin(["knn", "bagging"])
    assert ((table["regime"] == "knn") == (table["share_neighbours"] >= 0.5))[answering].all()
    for node in table.index:
        story = model.describe_node(int(node))
        json.dumps(story)
        names = {"share_own", "loss_own", "loss_below"} if branch[node] else {"share_neighbours", "loss_neighbours"}
        assert names <= set(story["hedge"])
    assert "hedge" not in sl.MLHAT(seed=1).bind(learned[0]).node_columns()
    assert "share_own" not in sl.MLHAT().node_columns()
    assert "share_own" in HedgedMLHAT().node_columns()


def test_a_branch_without_regressions_has_no_shares():
    schema, X, Y = stump_stream(1500, seed=2)
    model = HedgedMLHAT(**HEDGED_QUICK | {"tau": 0.3}, kept_levels=0).bind(schema)
    learn_in_chunks(model, X, Y)
    table = model.nodes()
    bare = table.index[~table["is_leaf"] & ~table["keeps_regressions"]]
    assert len(bare)
    assert table.loc[bare, ["share_own", "loss_own", "loss_below"]].isna().all().all()
    assert model.describe_node(int(bare[0]))["hedge"] is None
    splits = [e for e in model.take_events() if e["kind"] == "split"]
    assert {e["keeps_regressions"] for e in splits} == {True, False}


def test_a_split_says_what_the_branch_keeps(learned):
    splits = [e for e in learned[5] if e["kind"] == "split"]
    assert splits
    for event in splits:
        assert event["keeps_regressions"] is True
        assert event["message"].endswith("the branch keeps its regressions")
        assert ("τ·R" in event["message"]) == event["tie"]
        json.dumps(event)
    kinds = {e["kind"] for e in learned[5]}
    assert {"alternate_started", "alternate_promoted"} <= kinds
    noted = [SPLIT, 7, 100, 0, 0.5, 0.3, 0.1, 0.05, 60, KEEPS + 1]
    assert hedged_event_of(noted, learned[0].features)["background"]
    assert not hedged_event_of([*noted[:-1], 1], learned[0].features)["keeps_regressions"]
    assert "keeps" in HedgedMLHAT.events["split"].rule
    assert set(HedgedMLHAT.events) == set(sl.MLHAT.events)
    assert "keeps_regressions" not in next(e for e in _plain_events(learned) if e["kind"] == "split")


def _plain_events(learned):
    schema, X, Y, *_ = learned
    model = sl.MLHAT(grace_period=60, tau=0.3, delta=0.1, seed=5).bind(schema)
    model.learn_many(X, Y)
    return model.take_events()


@pytest.mark.costly
@pytest.mark.parametrize("kind", [sl.MLHAT, HedgedMLHAT])
def test_a_leaf_is_ready_for_its_split_at_the_row_at_which_it_splits_and_not_before(kind):
    """The mark of the leaf's bar, against what the learner decides row by row."""
    schema, X, Y = stump_stream(600, seed=3)
    settings = {"grace_period": 60, "delta": 1e-3, "bootstrap": False, "seed": 5}
    model = kind(tau=0.2 if kind is HedgedMLHAT else 0.4, **settings).bind(schema)
    race: dict[int, dict] = {}
    splits = ties = 0
    for i in range(600):
        model.learn_many(X[i : i + 1], Y[i : i + 1])
        for event in (event for event in model.take_events() if event["kind"] == "split"):
            splits += 1
            before, lead = race[event["node"]], event["gain"] - event["second_gain"]
            # beyond the mark at the split: so it was decided, by the lead or as a tie
            assert max(lead, before["tie"]) > event["epsilon"]
            assert (lead > event["epsilon"]) != event["tie"]
            if event["tie"] and before["best"] is not None:
                ties += 1
                assert before["instances_until_split"] == 1
        columns = model.node_columns()
        ready = columns["readiness"]
        assert not (ready >= 1).any()
        race = {node: model.describe_node(node)["race"] for node in columns["id"][columns["is_leaf"]].tolist()}
        for node, share in zip(columns["id"].tolist(), ready.tolist(), strict=True):
            assert math.isnan(share) == (race.get(node, {}).get("instances_until_split") is None)
    assert splits >= 3
    assert ties


# ---------------------------------------------------------------------- what it is for


def test_a_split_that_does_not_help_costs_next_to_nothing():
    """Labels that a linear model knows: fresh leaves forget it, a hedged tree does not."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 6))
    Y = (X @ rng.normal(size=(6, 3)) > 0).astype(np.uint8)
    quick = {"tau": 0.3, "grace_period": 100, "leaf_start": "fresh", "seed": 1}
    hedged, plain = HedgedMLHAT(**quick), sl.MLHAT(**quick)
    single = HedgedMLHAT(**quick, max_depth=0)
    errors = [(learn_in_chunks(m, X, Y)[1] != Y)[1000:].mean() for m in (hedged, plain, single)]
    assert (~hedged.node_columns()["is_leaf"]).sum() > 5
    assert errors[0] < errors[1] / 3
    assert errors[0] < errors[2] + 0.01
