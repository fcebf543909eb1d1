"""The region generator: the tree that it says, local drifts, the same rows however they are asked for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import streamlab as sl
from streamlab.streams.generated import regions
from streamlab.streams.generated.regions import RegionGenerator
from tests.streams.read import rows


@pytest.fixture
def without_noise(monkeypatch):
    monkeypatch.setattr(regions, "NOISE", 0.0)


def test_without_noise_the_labels_are_those_of_the_region(without_noise):
    stream = RegionGenerator(n_rows=3000, seed=3)
    X, Y = rows(stream)
    region = stream.regions_of(X)
    np.testing.assert_array_equal(Y, stream._sets[0, region])
    assert set(region.tolist()) == set(range(16))
    assert Y.any(axis=1).all()
    assert 0 <= X.min() < X.max() <= 1
    # a tree learner finds them again
    model = DecisionTreeClassifier(random_state=0).fit(X[:2000], region[:2000])
    assert model.score(X[2000:], region[2000:]) > 0.9


@pytest.mark.parametrize("seed", range(8))
def test_a_drift_is_local(seed, without_noise):
    stream = RegionGenerator(at=[1000, 2000], n_rows=3000, seed=seed)
    assert [d.start for d in stream.drifts] == [1000, 2000]
    before, after, _ = stream._sets
    changed = np.flatnonzero((before != after).any(axis=1))
    # all changes lie below one node of the first two levels
    assert any(
        set(changed.tolist()) <= set(range(first, first + size)) for size in (8, 4) for first in range(0, 16, size)
    )
    X, Y = rows(stream, 1000, 2000)
    np.testing.assert_array_equal(Y, after[stream.regions_of(X)])
    assert stream.concept_of([0, 999, 1000, 2500]).tolist() == [0, 0, 1, 2]


def test_every_label_is_on_somewhere_and_off_somewhere():
    for seed in range(5):
        sets = RegionGenerator(seed=seed)._sets[0]
        assert sets.any(axis=0).all()
        assert not sets.all(axis=0).any()
        assert 1 <= sets.sum(axis=1).mean() <= 3.5


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 50), size=st.sampled_from([1, 7, 100, 999]), start=st.integers(0, 2500))
def test_chunks_and_start_have_no_influence(seed, size, start):
    stream = RegionGenerator(at=[1500], n_rows=2600, seed=seed)
    X, Y = rows(stream)
    again = rows(stream, start, start + 50, size)
    np.testing.assert_array_equal(again[0], X[start : start + 50])
    np.testing.assert_array_equal(again[1], Y[start : start + 50])


@pytest.mark.parametrize(("plain", "songs"), [("syn-regions", "songs"), ("syn-branches", "songs-branches")])
def test_songs_are_the_regions_to_the_bit_under_other_names(plain, songs):
    plain, named = (sl.load(name, n_rows=1000, seed=3) for name in (plain, songs))
    first, second = (next(stream.chunks(1000)) for stream in (plain, named))
    assert np.array_equal(first.X, second.X)
    assert np.array_equal(first.Y, second.Y)
    assert named.drifts == plain.drifts
    assert all("region" in drift.about for drift in plain.drifts)
    assert not any("region" in drift.about for drift in named.drifts)
    assert len({*named.schema.labels, *(each.name for each in named.schema.features)}) == 18
