"""MLHTPS against its plain transcription and PrunedSets, and the contract of a learner."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.rivals import MLHTPS, PrunedSets
from streamlab.rivals import _hoeffding as base
from streamlab.rivals import _pruned_sets as kernels
from tests.learners.mlhat.columns import arena
from tests.learners.mlhat.streams import learn_in_chunks, lists, stump_stream
from tests.learners.states import assert_altered_is_refused, assert_same, set_entry
from tests.rivals.by_hand.mlhtps import ByHand

QUICK = {
    "buffer": 30, "support": 4, "grace_period": 60, "delta": 0.1, "tau": 0.15, "n_split_points": 5,
    "max_share_to_split": 1.0,
}  # fmt: skip


@pytest.fixture(scope="module")
def learned():
    """A learner that the tests share; whoever changes it takes a copy."""
    schema, X, Y = stump_stream(1500, missing=0.05, flips=(900,))
    model = MLHTPS(**QUICK, reintroduce=1).bind(schema)
    answers = learn_in_chunks(model, X, Y)
    return schema, X, Y, model, answers, model.copy().take_events()


@pytest.mark.parametrize(
    "parameters",
    [{}, {"base": "bayes", "reintroduce": 2}, {"max_depth": 2, "min_branch_fraction": 0.2, "max_share_to_split": 0.7}],
    ids=["tree", "bayes", "bounded"],
)
@pytest.mark.parametrize("how", [{}, {"missing": 0.15, "seed": 3}, {"flips": (300,), "seed": 4}])
def test_it_is_its_plain_transcription(how, parameters):
    schema, X, Y = stump_stream(600, **how)
    model = MLHTPS(**QUICK | parameters).bind(schema)
    twin = ByHand(model, schema)
    scores, labels = model.test_then_train(X, Y)
    for i, (x, y) in enumerate(lists(X, Y)):
        expected_scores, expected_labels = twin.test_then_train(x, y)
        np.testing.assert_allclose(scores[i], expected_scores, atol=1e-7, err_msg=str(i))
        assert labels[i].tolist() == expected_labels, i
    splits = [event for event in model.take_events() if event["kind"] == "split"]
    assert [(e["node"], e["position"]) for e in splits] == [split[:2] for split in twin.splits]
    assert splits
    assert any(part.tree is not None for node, part in twin.parts.items() if node)


@pytest.mark.parametrize("base_kind", ["tree", "bayes"])
def test_where_it_never_splits_it_is_pruned_sets(base_kind):
    schema, X, Y = stump_stream(1200, missing=0.05, seed=2)
    given = {"buffer": 50, "support": 5, "reintroduce": 1, "base": base_kind, "grace_period": 80, "delta": 0.05}
    tree, alone = MLHTPS(**given, max_depth=0).bind(schema), PrunedSets(**given).bind(schema)
    for mine, its in zip(tree.test_then_train(X, Y), alone.test_then_train(X, Y), strict=True):
        np.testing.assert_allclose(mine, its, atol=1e-12)
    assert len(alone._forest.links) > 1


def test_leaves_that_split_give_back_what_their_pruned_sets_had(learned):
    model = learned[3]
    sets, _ = model._pair
    n_leaves = int(model.nodes().is_leaf.sum())
    state = model.state()
    assert len(state["sets.buffer_X"]) + (state["sets.roots"] >= 0).sum() <= n_leaves
    assert int(sets.cursor[kernels.BUFFERS]) >= len(state["sets.buffer_X"])
    assert len(np.unique(state["sets.links"][:, base.TREE])) == (state["sets.roots"] >= 0).sum() > 1


# ---------------------------------------------------------------------- states that were altered


@pytest.mark.parametrize(
    ("key", "column", "value", "words"),
    [
        ("sets.marks", kernels.N_CLASSES, 99, "0 to"),
        ("sets.marks", kernels.BUFFER, 99, "0 to"),
        ("sets.roots", None, -1, "its own root"),
        ("sets.links", base.FEATURE, 99, "an index into"),
        ("sets.weights", 0, np.inf, "a finite number"),
        ("best_set", None, 10**6, "best_set"),
    ],
)
def test_an_altered_state_is_refused(learned, key, column, value, words):
    state = learned[3].state()
    row = int(np.flatnonzero(state["sets.roots"] >= 0)[0]) if key in ("sets.roots", "sets.marks") else 0
    place = row if column is None else (row, column)
    assert_altered_is_refused(MLHTPS, state, set_entry(key, place, value), words)


def test_pruned_sets_of_no_leaf_are_refused(learned):
    model = learned[3].copy()
    # of the slots of leaves that became branches, one may be free; where none is, cut a leaf off
    state = model.state()
    links = state["links"]
    used = set(links[links[:, arena.LEAF] >= 0, arena.LEAF].tolist())
    free = sorted(set(range(int(state["cursor"][arena.LEAF_TOP]))) - used)
    assert free
    alter = set_entry("sets.marks", (free[0], [kernels.FILLED, kernels.N_SETS]), 1)
    assert_altered_is_refused(MLHTPS, state, alter, "sets.marks row .* of no leaf")


# ---------------------------------------------------------------------- columns, memory, words


def test_a_bound_of_memory_is_kept_and_counts_buffers_and_classifiers():
    schema, X, Y = stump_stream(1500, flips=(700,), seed=2)
    free = MLHTPS(**QUICK).bind(schema)
    free.learn_many(X, Y)
    plain = sl.MLHT(**{name: value for name, value in QUICK.items() if name not in ("buffer", "support")}).bind(schema)
    plain.learn_many(X, Y)
    assert len(plain.nodes()) == len(free.nodes())
    assert free.used_bytes > plain.used_bytes
    bound = int(0.6 * free.used_bytes)
    one, many = (MLHTPS(**QUICK, max_bytes=bound).bind(schema) for _ in range(2))
    for size, bounded in ((100, one), (7, many)):
        for i in range(0, len(X), size):
            bounded.learn_many(X[i : i + size], Y[i : i + size])
    assert one.used_bytes <= bound < free.used_bytes <= free.n_bytes
    assert_same(one.state(), many.state())
    events = one.take_events()
    assert "memory_limit" in {event["kind"] for event in events}
    assert events == many.take_events()
    assert len(one.nodes()) < len(free.nodes())
