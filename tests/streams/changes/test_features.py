"""Drifts of features: noise, swap, values that stick."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.schema import Feature, Schema
from streamlab.streams.changes.features import feature_noise, stuck_features, swap_features
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


def test_features_change_places_and_so_do_their_ranges():
    stream = swap_features(plain(), "u", "w", at=100)
    got, _ = rows_of(stream)
    np.testing.assert_array_equal(got[100:], X[100:][:, [4, 1, 2, 3, 0]])
    schema = Schema((Feature("a", None, 0.0, 1.0), Feature("b", None, -5.0, 0.5)), ("y",))
    ranged = swap_features(ArrayStream([[0.5, -5.0]], [[1]], schema=schema), 0, 1, at=0)
    assert [(f.low, f.high) for f in ranged.schema.features] == [(-5.0, 1.0)] * 2
    assert swap_features(plain(), "v", "w", at=1).schema.features[2] == Feature("v")


@pytest.mark.parametrize(("share", "n"), [(0.01, 2), (0.5, 10), (1.0, 20)])
def test_a_share_of_the_features_moves_in_a_circle(share, n):
    values = np.tile(np.arange(20.0), (4, 1))
    stream = swap_features(ArrayStream(values, np.ones((4, 1))), share=share, at=2, seed=1)
    got, _ = rows_of(stream)
    assert (got[0] == values[0]).all()
    assert (got[2] != values[2]).sum() == n
    assert sorted(got[2]) == sorted(values[2])
    assert sorted(stream.places) == np.flatnonzero(got[2] != values[2]).tolist()
    again = swap_features(ArrayStream(values, np.ones((4, 1))), share=share, at=2, seed=2)
    assert again.places != stream.places


def test_a_share_needs_two_numeric_features():
    schema = Schema((Feature("x"), Feature("c", COLOURS)), ("y",))
    with pytest.raises(ValueError, match=r"share=0.5: arrays has 1 numeric features; expected two"):
        swap_features(ArrayStream([[0.0, 1.0]], [[1]], schema=schema), share=0.5, at=0)


READINGS = np.random.default_rng(0).normal(size=(600, 4))
READINGS[::7, 0] = np.nan
READINGS[:250, 3] = np.nan


def sensors() -> ArrayStream:
    return ArrayStream(READINGS, np.ones((600, 1)))


@pytest.mark.parametrize("chunk", [7, 100, 1000])
def test_features_stick_at_their_last_known_value_and_follow_again(chunk: int) -> None:
    stream = stuck_features(sensors(), at=[204, 300, 400], share=1.0)
    got = np.concatenate([part.X for part in stream.chunks(chunk)])
    expected = READINGS.copy()
    # row 203 has no value of feature 0, and no row before 204 one of feature 3
    expected[204:300, :3] = [READINGS[202, 0], *READINGS[203, 1:3]]
    expected[400:] = [READINGS[398, 0] if np.isnan(READINGS[399, 0]) else READINGS[399, 0], *READINGS[399, 1:]]
    np.testing.assert_array_equal(got, expected)
    assert np.isnan(READINGS[203, 0])
    assert [(each.start, each.kind) for each in stream.drifts] == [(at, "stuck features") for at in (204, 300, 400)]
    assert next(stuck_features(sensors(), at=0).chunks(5)).X[1].tolist()[1:3] == READINGS[1, 1:3].tolist()


def test_a_share_of_the_features_sticks_and_a_loose_contact_lets_rows_through() -> None:
    stream = stuck_features(sensors(), at=100, until=500, share=0.5, width=200, seed=3)
    got, _ = rows_of(stream)
    stuck = np.isin(np.arange(4), stream.columns)
    assert stuck.sum() == 2
    np.testing.assert_array_equal(got[:, ~stuck], READINGS[:, ~stuck])
    column = stream.columns[0]
    is_held = got[:, column] == stream.held[0, 0]
    np.testing.assert_array_equal(got[~is_held, column], READINGS[~is_held, column])
    assert np.flatnonzero(is_held)[0] == 99
    assert 60 < is_held[100:300].sum() < 140
    assert is_held[300:500].all()
    # the end is gradual, too, and still holds the value of the beginning
    assert 60 < is_held[500:].sum() < 100


@pytest.mark.parametrize(("share", "who"), [(1.0, "all 4 features stick:"), (0.5, "2 of 4 features (")])
def test_what_is_told_names_a_feature_only_where_not_all_are_meant(share: float, who: str) -> None:
    assert stuck_features(sensors(), at=100, share=share, seed=3).drifts[-1].about.startswith(who)
