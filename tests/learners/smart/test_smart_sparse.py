"""SMART on sparse rows: its answers and its state are those of the same rows as an array, to the bit."""

from __future__ import annotations

import numpy as np
import scipy.sparse

import streamlab as sl
from tests.learners.sparse_streams import csr, wide
from tests.learners.states import assert_same


def test_the_warm_up_keeps_sparse_rows_in_its_state():
    X, Y = wide(300, missing=0.01)
    S = csr(X)
    whole, first = (sl.SMART(n_trees=3, height=5, seed=1) for _ in range(2))
    whole.learn_many(S, Y)
    first.learn_many(S[:60], Y[:60])
    state = first.state()
    assert "held_X.indptr" in state
    assert "held_X" not in state
    second = sl.SMART.from_state(state)
    second.learn_many(S[60:], Y[60:])
    assert_same(whole.state(), second.state())


def test_arrays_and_sparse_rows_may_take_turns_in_the_warm_up():
    X, Y = wide(300)
    dense, mixed = (sl.SMART(n_trees=3, height=5, seed=1) for _ in range(2))
    for at in range(0, 300, 30):
        part = slice(at, at + 30)
        dense.learn_many(X[part], Y[part])
        mixed.learn_many(csr(X[part]) if at % 60 else X[part], Y[part])
    assert_same(dense.state(), mixed.state())


def test_wide_rows_take_little_memory():
    rng = np.random.default_rng(0)
    X = scipy.sparse.random_array((300, 1 << 18), density=30 / (1 << 18), format="csr", rng=rng)
    Y = (rng.random((300, 5)) < 0.2).astype(np.uint8)
    model = sl.SMART(n_trees=5, height=8, seed=1)
    model.test_then_train(X[:50], Y[:50])
    assert model.n_bytes < 20e6  # as an array the warm-up would take 105 MB
    model.test_then_train(X[50:], Y[50:])
    assert model.nodes().feature.str.fullmatch(r"x\d+").all()
    assert len(model.describe_node(int(model.nodes().index[-1]))["rule"]) > 0
