"""Rows in compressed form: slices, choices and joins are those of the arrays that they stand for."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from streamlab.learners.base.rows import SparseRows, joined, widened
from streamlab.learners.base.state import own_arrays
from streamlab.learners.base.storage import Array, Storage
from streamlab.schema import Feature
from tests.learners.sparse_streams import wide


@pytest.fixture
def X() -> np.ndarray:
    return wide(30, 12, missing=0.05)[0]


@pytest.mark.parametrize(
    "rows",
    [slice(3, 17), slice(None), slice(5, 5), slice(20, 3), slice(0, 30, 4), slice(None, None, -1), np.array([4, 4, 0])],
    ids=str,
)
def test_parts_are_those_of_the_array(X, rows):
    part = SparseRows.of(X)[rows]
    np.testing.assert_array_equal(part.dense(), X[rows])
    np.testing.assert_array_equal(part.copy().dense(), X[rows])
    np.testing.assert_array_equal(part[1:].dense(), X[rows][1:])


def test_a_mask_chooses_rows(X):
    mask = np.arange(30) % 3 == 1
    np.testing.assert_array_equal(SparseRows.of(X)[mask].dense(), X[mask])


def test_joins_and_wider_rows(X):
    rows = SparseRows.of(X)
    np.testing.assert_array_equal(
        SparseRows.joined([rows[3:9], rows[:2], rows[9:9]]).dense(), np.vstack([X[3:9], X[:2]])
    )
    np.testing.assert_array_equal(joined(X[:4], rows[4:8]).dense(), X[:8])
    np.testing.assert_array_equal(joined(rows[:0], X[4:8]).dense(), X[4:8])
    features = [*(Feature(f"x{i}") for i in range(13)), Feature("c", ("a", "b"))]
    for each in (widened(X, features), widened(rows, features).dense()):
        np.testing.assert_array_equal(each, np.hstack([X, np.zeros((30, 1)), np.full((30, 1), np.nan)]))


def test_copies_and_pickles(X):
    rows = SparseRows.of(X)
    for twin in (copy.deepcopy(rows), pickle.loads(pickle.dumps(rows))):
        np.testing.assert_array_equal(twin.dense(), X)
    rows.data.flags.writeable = False
    assert own_arrays({"rows": rows})["rows"].data.flags.writeable


TABLE = Storage(Array("X", ("rows", "features"), sparse=True, key="held"), Array("Y", ("rows", "labels"), np.uint8))
SIZES = {"features": 12, "labels": 2}


def kept(X: np.ndarray) -> dict:
    return TABLE.state({"X": SparseRows.of(X)[2:9], "Y": np.zeros((7, 2), np.uint8)}, SIZES)


def test_a_state_holds_sparse_rows(X):
    state = kept(X)
    assert set(state) == {"held.indptr", "held.indices", "held.data", "Y"}
    values = TABLE.restore("L", state, SIZES)
    np.testing.assert_array_equal(values["X"].dense(), X[2:9])
    np.testing.assert_array_equal(TABLE.resize(values, SIZES | {"features": 14})["X"].dense()[:, :12], X[2:9])


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("held.indices", lambda a: a + 100),
        ("held.indices", lambda a: a * 0),
        ("held.indices", lambda a: a.astype(np.int64)),
        ("held.indptr", lambda a: a[::-1].copy()),
        ("held.indptr", lambda a: a[:-1]),
        ("held.indptr", lambda a: a[:0]),
        ("held.data", lambda a: a[1:]),
        ("held.data", lambda a: a * np.inf),
        ("Y", lambda a: a[1:]),
    ],
)
def test_a_state_that_was_altered_is_refused(X, key, change):
    state = kept(X)
    state[key] = change(state[key])
    with pytest.raises(ValueError, match="L"):
        TABLE.restore("L", state, SIZES)
