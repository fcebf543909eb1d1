"""Sparse rows in MLHAT and HedgedMLHAT: what is learned and answered is, to the bit, what it is of arrays."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.learners import MLHAT, HedgedMLHAT
from streamlab.schema import Feature, Schema
from tests.learners.mlhat.streams import QUICK
from tests.learners.sparse_streams import csr, wide
from tests.learners.states import assert_same


def test_nominal_features_may_come_in_sparse_rows():
    X, Y = wide(300, 30)
    X[:, 20:] = np.abs(np.floor(X[:, 20:] * 3)) % 3
    schema = Schema(
        (*(Feature(f"x{i}") for i in range(20)), *(Feature(f"c{i}", ("a", "b", "c")) for i in range(10))),
        tuple("abcd"),
    )
    dense, sparse = MLHAT(**QUICK).bind(schema), MLHAT(**QUICK).bind(schema)
    for mine, its in zip(sparse.test_then_train(csr(X), Y), dense.test_then_train(X, Y), strict=True):
        np.testing.assert_array_equal(mine, its)
    assert_same(dense.state(), sparse.state())


def test_a_leaf_that_would_be_too_large_is_told_before_it_is_made():
    X, Y = csr(np.eye(3, 1_000_000)), np.zeros((3, 60), np.uint8)
    for model in (MLHAT(), HedgedMLHAT()):
        with pytest.raises(ValueError, match=r"1,000,000 columns x \(60 labels x 10 models \+ 170 rows\) = 6.2 GB"):
            model.test_then_train(X, Y)
        assert model.n_bytes < 1e8
        assert model.now == 0


def test_fewer_columns_that_are_no_compact_tree_are_told_to_take_one_leaf(monkeypatch):
    monkeypatch.setattr(MLHAT, "COMPACT_FROM", 1 << 60)
    with pytest.raises(ValueError, match=r"300,000 columns x .*GB.*max_depth=0"):
        MLHAT().test_then_train(csr(np.eye(3, 300_000)), np.zeros((3, 60), np.uint8))
