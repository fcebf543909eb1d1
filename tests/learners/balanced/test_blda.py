"""BalancedLDA: equal to double loops, the same in any chunks and order, merged, faded, where little is given."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import streamlab as sl
from streamlab.schema import Feature, Schema
from tests.learners.balanced import by_hand


def made(n=120, p=6, K=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * rng.uniform(0.5, 3.0, p)
    Y = (X @ rng.normal(size=(p, K)) + rng.normal(size=(n, K)) > 0.5).astype(np.uint8)
    return X, Y


@pytest.mark.parametrize("seed", range(3))
def test_scatter_and_directions_equal_double_loops(seed):
    X, Y = made(seed=seed)
    model = sl.BalancedLDA().fit(X, Y)
    means, mean, between, within = by_hand.scatter(X, Y)
    values, U = by_hand.directions(between, within, 3)
    np.testing.assert_array_equal(model.class_weights_, Y.sum(axis=0))
    for ours, theirs in (
        (model.means_, means), (model.mean_, mean), (model.between_scatter_, between),
        (model.within_scatter_, within), (model.scalings_, U), (model.eigenvalues_, values),
    ):  # fmt: skip
        np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-10 * np.abs(theirs).max())
    np.testing.assert_allclose(model.transform(X), X @ U, atol=1e-10)


def test_the_largest_entry_of_each_direction_is_positive():
    U = sl.BalancedLDA().fit(*made()).scalings_
    assert (U[np.abs(U).argmax(axis=0), np.arange(U.shape[1])] > 0).all()
    W = sl.BalancedLDA().fit(*made()).within_scatter_
    np.testing.assert_allclose(U.T @ W @ U, np.eye(U.shape[1]), atol=1e-4)


@settings(max_examples=20, deadline=None)
@given(cut=st.integers(1, 118), offset=st.sampled_from([0.0, 1e4]))
def test_merged_shards_equal_the_whole(cut, offset):
    X, Y = made()
    X = X + offset
    whole = sl.BalancedLDA().fit(X, Y)
    merged = sl.BalancedLDA().fit(X[:cut], Y[:cut]).merge(sl.BalancedLDA().fit(X[cut:], Y[cut:]))
    np.testing.assert_allclose(merged.scalings_, whole.scalings_, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(merged.means_, whole.means_, rtol=1e-10)


def test_faded_shards_with_time_stamps_equal_the_whole():
    X, Y = made()
    timestamps = np.arange(1, 121)
    whole, even, odd = (sl.BalancedLDA(half_life=30.0) for _ in range(3))
    whole.learn_many(X, Y)
    even.learn_many(X[::2], Y[::2], timestamps=timestamps[::2])
    odd.learn_many(X[1::2], Y[1::2], timestamps=timestamps[1::2])
    np.testing.assert_allclose(odd.merge(even).scalings_, whole.scalings_, rtol=1e-8, atol=1e-8)
    assert odd.now == 120
    with pytest.raises(ValueError, match="timestamps row 1: 123 does not come after 125"):
        whole.learn_many(X[:2], Y[:2], timestamps=np.array([125, 123]))


def test_fading_is_the_explicit_one_in_any_chunks():
    X, Y = made()
    weights = 2.0 ** ((np.arange(120) - 119) / 25.0)
    n = weights @ Y
    for size in (1, 7, 120):
        model = sl.BalancedLDA(half_life=25.0)
        for start in range(0, 120, size):
            model.partial_fit(X[start : start + size], Y[start : start + size])
        np.testing.assert_allclose(model.class_weights_, n, rtol=1e-12)
        np.testing.assert_allclose(model.means_, (weights[:, None] * Y).T @ X / n[:, None], rtol=1e-10)


def test_merging_what_differs_is_refused():
    X, Y = made()
    model = sl.BalancedLDA().fit(X, Y)
    for other, message in (
        (sl.BalancedLDA(half_life=3.0), "half_life is inf here and 3.0 there"),
        (sl.BalancedLDA().fit(X[:, :3], Y), "the schemas differ"),
        (sl.SMART(), "BalancedLDA with SMART"),
        (model, "with itself"),
    ):
        with pytest.raises(ValueError, match=message):
            model.merge(other)


# ---------------------------------------------------------------------- where little is given


def test_singular_within_scatter():
    X, Y = made(n=10, p=30, K=3)
    X[:, 5] = 7.0
    model = sl.BalancedLDA().fit(X, Y)
    assert np.isfinite(model.scalings_).all()
    assert model.transform(X).shape == (10, 2)


def test_every_class_a_single_point():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
    model = sl.BalancedLDA().fit(X, np.eye(3, dtype=np.uint8))
    assert np.isfinite(model.scalings_).all()
    assert np.linalg.matrix_rank(model.scalings_) == 2


def test_a_class_with_one_point_and_one_with_none():
    X, Y = made()
    Y = np.column_stack([Y, np.zeros((120, 2), np.uint8)])
    Y[3, 4] = 1
    model = sl.BalancedLDA().fit(X, Y)
    *_, between, within = by_hand.scatter(X, Y)
    np.testing.assert_allclose(model.within_scatter_, within, atol=1e-10 * np.abs(within).max())
    _, U = by_hand.directions(between, within, 4)
    np.testing.assert_allclose(model.scalings_[:, :4], U, atol=1e-9 * np.abs(U).max())
    # five classes with a mean have no fifth direction between them
    np.testing.assert_array_equal(model.scalings_[:, 4], 0.0)
    np.testing.assert_allclose(model.means_[4], X[3])
    assert np.isnan(model.means_[5]).all()


def test_rows_without_a_label_change_nothing():
    X, Y = made()
    Y[::3] = 0
    there = Y.any(axis=1)
    a, b = sl.BalancedLDA().fit(X, Y), sl.BalancedLDA().fit(X[there], Y[there])
    np.testing.assert_allclose(a.scalings_, b.scalings_, rtol=1e-9, atol=1e-9)
    nothing = sl.BalancedLDA().fit(X, np.zeros_like(Y))
    np.testing.assert_array_equal(nothing.transform(X), 0.0)


def test_one_label_has_no_direction():
    X, Y = made()
    assert sl.BalancedLDA().fit(X, Y[:, :1]).transform(X).shape == (120, 0)


def test_nominal_features_are_indicators_and_missing_values_means():
    schema = Schema((Feature("size"), Feature("colour", ("red", "green", "blue"))), ("a", "b", "c"))
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=60), rng.integers(3, size=60)]).astype(float)
    Y = np.column_stack([X[:, 0] > 0, X[:, 1] == 1, X[:, 1] == 2]).astype(np.uint8)
    model = sl.BalancedLDA().bind(schema)
    model.learn_many(X, Y)
    coded = np.column_stack([X[:, 0], X[:, 1] == 1, X[:, 1] == 2]).astype(float)
    plain = sl.BalancedLDA().fit(coded, Y)
    np.testing.assert_allclose(model.transform(X), plain.transform(coded), atol=1e-9)
    gaps = np.array([[math.nan, math.nan]])
    np.testing.assert_allclose(model.transform(gaps), plain.transform(coded.mean(axis=0)[None]), atol=1e-9)


# ---------------------------------------------------------------------- faces


def test_it_is_a_scikit_learn_transformer():
    model = sl.BalancedLDA(n_components=2, shrinkage=1e-4)
    twin = clone(model)
    assert twin is not model
    assert twin.get_params() == {"n_components": 2, "shrinkage": 1e-4, "half_life": math.inf, "chunk": 100}
    assert model.set_params(n_components=1).fit_transform(*made()).shape == (120, 1)
    with pytest.raises(NotFittedError):
        twin.transform(made()[0])
