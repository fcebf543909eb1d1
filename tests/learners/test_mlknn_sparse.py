"""ML-KNN on sparse rows: its answers are those on the same rows as an array, to the bit."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse

import streamlab as sl
from streamlab.learners.base.intake import Intake
from tests.learners.sparse_streams import csr, wide


def test_a_state_goes_on_and_an_altered_one_is_refused():
    X, Y = wide(200, missing=0.02)
    S = csr(X)
    model = sl.MLKNN(chunk=30)
    model.learn_many(S[:100], Y[:100])
    state = model.state()
    assert {"X.indptr", "held_X.indptr", "columns"} <= state.keys()
    twin = sl.MLKNN.from_state(state)
    for each in (model, twin):
        each.learn_many(S[100:150], Y[100:150])
    np.testing.assert_array_equal(model.predict_proba_many(S), twin.predict_proba_many(S))
    for key, change in (
        ("columns", lambda a: np.arange(3)),
        ("columns", lambda a: a.astype(np.int32)),
        ("X.indices", lambda a: a + 1000),
        ("points", lambda a: np.zeros((len(a), 2))),
    ):
        with pytest.raises(ValueError, match="MLKNN"):
            sl.MLKNN.from_state(state | {key: change(state[key])})
    with pytest.raises(ValueError, match="columns are not those of its points"):
        sl.MLKNN.from_state({k: v for k, v in state.items() if k != "columns"})


@pytest.mark.parametrize("missing", [0.0, 0.03])
def test_a_state_with_points_from_before_there_was_an_index_goes_on(missing, monkeypatch):
    X, Y = wide(200, missing=missing)
    S = csr(X)
    old = sl.MLKNN(chunk=30)
    with monkeypatch.context() as before:
        before.setattr(Intake, "has_nominal", lambda self: True)
        old.learn_many(S[:100], Y[:100])
        state = old.state()
    assert state["points"].shape[1] == len(state["columns"]) > 0
    for key, change in (("columns", lambda a: a[:-1]), ("columns", lambda a: a + 1000), ("fill", lambda a: a[1:])):
        with pytest.raises(ValueError, match="MLKNN"):
            sl.MLKNN.from_state(state | {key: change(state[key])})
    new, twin = sl.MLKNN(chunk=30), sl.MLKNN.from_state(state)
    new.learn_many(S[:100], Y[:100])
    for model in (new, twin):
        model.learn_many(S[100:150], Y[100:150])
    np.testing.assert_array_equal(new.predict_proba_many(S), twin.predict_proba_many(S))


def test_wide_rows_take_the_memory_of_their_values():
    rng = np.random.default_rng(0)
    X = scipy.sparse.random_array((300, 1 << 18), density=30 / (1 << 18), format="csr", rng=rng)
    Y = (rng.random((300, 5)) < 0.2).astype(np.uint8)
    model = sl.MLKNN(chunk=100)
    model.test_then_train(X[:200], Y[:200])
    # its ranges take 10 MB, and 2 MB the columns' kinds; 100 rows as an array would take 210 MB
    assert model.n_bytes < 40e6
    assert model.predict_many(X[200:]).shape == (100, 5)
