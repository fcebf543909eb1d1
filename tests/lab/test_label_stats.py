"""Prevalence and co-occurrence of labels, and hits and misses of classes, equal plain sums over all instances."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.lab.label_stats import ClassRecords, LabelStatistics
from streamlab.schema import Hierarchy


def naive(Y: np.ndarray, fading: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Row by row: faded share of each label, share of each label, faded share of each pair."""
    n, m = Y.shape
    weight, now, whole, together = 0.0, np.zeros(m), np.zeros(m), np.zeros((m, m))
    for row in Y.astype(float):
        weight = fading * weight + 1.0
        now = fading * now + row
        together = fading * together + np.outer(row, row)
        whole = whole + row
    return now / weight, whole / n, together / weight


@settings(max_examples=60, deadline=None)
@given(
    lengths=st.lists(st.integers(0, 40), min_size=1, max_size=8).filter(any),
    n_labels=st.integers(1, 6),
    fading=st.sampled_from([0.5, 0.9, 0.995, 1.0]),
    seed=st.integers(0, 1000),
)
def test_equal_to_naive_however_cut(lengths, n_labels, fading, seed):
    Y = (np.random.default_rng(seed).random((sum(lengths), n_labels)) < 0.4).astype(np.uint8)
    statistics = LabelStatistics(n_labels, fading)
    for part in np.split(Y, np.cumsum(lengths)[:-1]):
        statistics.add(part)
    at_once = LabelStatistics(n_labels, fading)
    at_once.add(Y)
    for name, kept in at_once.state().items():
        np.testing.assert_array_equal(statistics.state()[name], kept)
    now, whole, together = naive(Y, fading)
    assert statistics.n == len(Y)
    np.testing.assert_allclose(statistics.now, now, rtol=0, atol=1e-12)
    np.testing.assert_allclose(statistics.whole, whole, rtol=0, atol=1e-12)
    np.testing.assert_allclose(statistics.together, together, rtol=0, atol=1e-12)


def test_with_very_many_labels_only_prevalence_is_kept():
    rng = np.random.default_rng(0)
    Y = (rng.random((50, 300)) < 0.1).astype(np.uint8)
    statistics = LabelStatistics(300)
    statistics.add(Y)
    weights = 0.995 ** np.arange(49, -1, -1.0)
    np.testing.assert_allclose(statistics.now, weights @ Y / weights.sum(), rtol=1e-12)
    np.testing.assert_allclose(statistics.whole, Y.mean(axis=0), rtol=1e-12)
    assert statistics.together.shape == (0, 0)


def test_long_streams_come_back_to_scale():
    Y = (np.random.default_rng(0).random((2500, 3)) < 0.4).astype(np.uint8)
    for fading in (1e-9, 0.5, 0.999):
        statistics = LabelStatistics(3, fading)
        statistics.add(Y)
        now, _, together = naive(Y, fading)
        np.testing.assert_allclose(statistics.now, now, rtol=1e-12)
        np.testing.assert_allclose(statistics.together, together, rtol=1e-12)


def test_goes_on_from_a_state():
    Y = (np.random.default_rng(0).random((60, 4)) < 0.4).astype(np.uint8)
    whole, first, second = (LabelStatistics(4) for _ in range(3))
    whole.add(Y)
    first.add(Y[:25])
    second.set_state(copy.deepcopy(first.state()))
    second.add(Y[25:])
    assert second.n == 60
    np.testing.assert_array_equal(second.together, whole.together)
    np.testing.assert_array_equal(second.now, whole.now)


# ---------------------------------------------------------------------- classes of a hierarchy


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_scores_are_those_of_all_below_with_older_instances_fading(data):
    n_labels = data.draw(st.integers(1, 7))
    tree = Hierarchy(tuple(data.draw(st.integers(-1, label - 1)) for label in range(n_labels)))
    rng = np.random.default_rng(data.draw(st.integers(0, 9999)))
    n, fading = data.draw(st.integers(1, 30)), data.draw(st.sampled_from([0.9, 0.995, 1.0]))
    Y, Z = rng.integers(0, 2, (2, n, n_labels), dtype=np.uint8)
    records = ClassRecords(tree, fading)
    cuts = sorted(rng.integers(0, n + 1, 2).tolist())
    for start, stop in zip([0, *cuts], [*cuts, n], strict=True):
        records.add(Y[start:stop], Z[start:stop])
    scores = records.scores()
    true, predicted = (tree.with_ancestors(labels).astype(float) for labels in (Y, Z))
    weights = fading ** np.arange(n - 1, -1, -1.0)[:, None]
    assert np.allclose(records.weight, (weights * true).sum(axis=0))
    for label in range(n_labels):
        here = [label, *tree.descendants(label)]
        hits, said, asked = ((weights * each)[:, here].sum() for each in (true * predicted, predicted, true))
        for name, over in (("hp", said), ("hr", asked), ("hf", (said + asked) / 2)):
            expected = hits / over if over else np.nan
            assert scores[name][label] == pytest.approx(expected, nan_ok=True), (name, label)


def test_how_well_each_class_was_answered_is_kept_at_a_mark_and_goes_with_the_state():
    tree = Hierarchy((-1, 0, 0))
    records, other = ClassRecords(tree), ClassRecords(tree)
    assert np.isnan(records.was).all()
    Y = np.array([[1, 1, 0], [1, 0, 1]], np.uint8)
    records.add(Y, Y[[0, 0]])
    records.mark()
    before = records.scores()["hf"]
    records.add(Y, Y)
    other.set_state(copy.deepcopy(records.state()))
    for each in (records, other):
        np.testing.assert_array_equal(each.was, before)
        assert not np.array_equal(each.scores()["hf"], before)
