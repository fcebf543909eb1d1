"""Noise on features: how much, on which, from where to where."""

from __future__ import annotations

import numpy as np

from streamlab.schema import Feature, Schema
from streamlab.streams.changes.feature_noise import feature_noise
from streamlab.streams.readers.arrays import ArrayStream
from streamlab.streams.stream import Drift
from tests.streams.changes.made import COLOURS, X, plain, rows_of


def test_noise_in_units_of_the_features():
    n = 20_000
    rng = np.random.default_rng(0)
    schema = Schema(
        (Feature("small"), Feature("large", None, -9e3, 9e3), Feature("flat"), Feature("k", COLOURS)), ("y",)
    )
    values = np.stack([rng.normal(0, 0.1, n), rng.normal(0, 1e3, n), np.ones(n), np.zeros(n)], axis=1)
    values[::10, :] = np.nan
    stream = feature_noise(ArrayStream(values, np.ones((n, 1)), schema=schema), at=n // 2, strength=2.0, sample=5000)
    got, _ = rows_of(stream, 1000)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(values))
    np.testing.assert_array_equal(got[: n // 2], values[: n // 2])
    added = (got - values)[n // 2 :]
    np.testing.assert_allclose(np.nanstd(added[:, :2], axis=0), [0.2, 2e3], rtol=0.05)
    np.testing.assert_allclose(np.nanmean(added[:, :2] / [0.2, 2e3], axis=0), 0, atol=0.04)
    assert abs(np.corrcoef(added[np.isfinite(added[:, 0]), :2].T)[0, 1]) < 0.03
    assert np.nanmax(abs(added[:, 2])) == 0
    kept = added[~np.isnan(added[:, 3]), 3]
    np.testing.assert_allclose([np.mean(kept == c) for c in range(3)], [0.2 + 0.8 / 3, 0.8 / 3, 0.8 / 3], atol=0.02)
    assert [f.low for f in stream.schema.features] == [None] * 4
    assert stream.drifts == (Drift(n // 2, 1, "feature noise"),)


def test_noise_ends_and_takes_a_share_of_the_features():
    stream = feature_noise(plain(), at=200, until=400, share=0.4, seed=2)
    got, _ = rows_of(stream)
    changed = ~((got == X) | np.isnan(X))
    assert not changed[:200].any()
    assert not changed[400:].any()
    assert len(stream.columns) == 2
    assert set(np.flatnonzero(changed.any(0))) == set(stream.columns)
    assert stream.drifts == (Drift(200, 1, "feature noise"), Drift(400, 1, "feature noise"))
    lone = feature_noise(ArrayStream([[3.0]], [[1]]), at=0)
    assert rows_of(lone)[0].tolist() == [[3.0]]


def test_noise_twice_is_independent():
    one = ArrayStream(np.random.default_rng(0).normal(0, 1, (5000, 1)), np.ones((5000, 1)))
    single, double = feature_noise(one, at=0), feature_noise(feature_noise(one, at=0), at=0)
    first = rows_of(single)[0] - rows_of(one)[0]
    second = rows_of(double)[0] - rows_of(single)[0]
    assert abs(np.corrcoef(first.T, second.T)[0, 1]) < 0.05
