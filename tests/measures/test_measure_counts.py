"""Counts add up: over shards, over chunks, faded, while labels join."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.measures import HISTOGRAMS, Counts, evaluate


def drawn(seed, n, n_labels):
    rng = np.random.default_rng(seed)
    Y, Z = (rng.random((2, n, n_labels)) < 0.4).astype(np.uint8)
    return Y, Z, rng.integers(0, 9, (n, n_labels)) / 8


def with_histograms(n_labels):
    return Counts.zeros(n_labels, [HISTOGRAMS], n_bins=9)


def assert_same(left, right, rtol=0.0):
    for (name, a), (other, b) in zip(left.state().items(), right.state().items(), strict=True):
        assert name == other
        np.testing.assert_allclose(a, b, rtol=rtol, atol=0)


sizes = st.tuples(st.integers(0, 10_000), st.integers(0, 30), st.integers(1, 6), st.integers(0, 30))


@settings(deadline=None)
@given(sizes)
def test_merged_parts_equal_the_whole(size):
    seed, n, n_labels, cut = size
    Y, Z, f = drawn(seed, n, n_labels)
    whole = with_histograms(n_labels).count(Y, Z, f)
    parts = [with_histograms(n_labels).count(Y[s], Z[s], f[s]) for s in (slice(cut), slice(cut, None))]
    assert_same(parts[0].merge(parts[1]), whole, rtol=1e-14)
    assert evaluate(parts[0].merge(parts[1])) == pytest.approx(evaluate(whole), rel=0, abs=1e-12)


@settings(deadline=None)
@given(sizes, st.sampled_from([1.0, 0.995, 0.7]))
def test_any_cut_gives_equal_counts_faded_or_not(size, fading):
    seed, n, n_labels, cut = size
    Y, Z, f = drawn(seed, n, n_labels)
    whole = with_histograms(n_labels).count(Y, Z, f, fading=fading)
    twice = with_histograms(n_labels)
    for s in (slice(cut), slice(cut, None)):
        twice.count(Y[s], Z[s], f[s], fading=fading)
    assert np.array_equal(twice.per_label, whole.per_label)  # to the last bit
    assert np.array_equal(twice.sums, whole.sums)
    assert_same(twice, whole, rtol=1e-13)


def test_faded_parts_merge_when_the_first_is_scaled():
    Y, Z, f = drawn(1, 40, 4)
    whole = with_histograms(4).count(Y, Z, f, fading=0.9)
    first, second = (with_histograms(4).count(Y[s], Z[s], f[s], fading=0.9) for s in (slice(25), slice(25, 40)))
    assert_same(first.scaled(0.9**15).merge(second), whole, rtol=1e-12)


def test_fading_reaches_the_histograms_of_rows_without_scores():
    Y, Z, f = drawn(2, 4, 2)
    counts = with_histograms(2).count(Y, Z, f, fading=0.5).count(Y, Z, fading=0.5)
    np.testing.assert_allclose(counts.extra["histograms"].sum(), 2 * (1 + 0.5 + 0.25 + 0.125) / 16)


def test_true_negatives_are_the_rest():
    Y, Z, f = drawn(3, 20, 3)
    counts = Counts.zeros(3).count(Y, Z, f)
    assert counts.tn.tolist() == ((1 - Y) & (1 - Z)).sum(axis=0).tolist()
    assert counts.tp.tolist() == (Y & Z).sum(axis=0).tolist()
    assert counts.n == counts.total("n") == 20


@pytest.mark.parametrize("kept", [(), (HISTOGRAMS,)])
def test_a_state_shares_nothing(kept):
    Y, Z, f = drawn(5, 12, 3)
    counts = Counts.zeros(3, kept, n_bins=9).count(Y, Z, f, fading=0.9)
    state = counts.state()
    counts.clear()
    assert counts.n == 0
    assert state["sums"][0] == pytest.approx((1 - 0.9**12) / 0.1)


BAD_ROWS = [
    ([[0, 2]], [[0, 1]], None, "Y holds 2 in row 0, column 1"),
    ([[0, 1]], np.array([[255, 1]], np.uint8), None, "Z holds 255 in row 0, column 0"),
    ([[0, 1]], [[0.5, 1]], None, "Z holds 0.5 in row 0, column 0"),
    ([[0, math.nan]], [[0, 1]], None, "Y holds nan in row 0, column 1"),
    ([[0, 1]], [[0, 1]], [[0.1, math.nan]], "scores holds nan in row 0, column 1; it must be a number"),
    ([0, 1], [0, 1], None, r"Y has the shape \(2,\)"),
    ([[0, 1]], [[0, 1, 1]], None, r"Z has the shape \(1, 3\), Y \(1, 2\)"),
    ([[0, 1]], [[0, 1]], [[0.1]], r"scores has the shape \(1, 1\), Y \(1, 2\)"),
    ([[0, 1, 1]], [[0, 1, 1]], None, "Y has 3 columns; these counts are of 2 labels"),
]


@pytest.mark.parametrize(("Y", "Z", "scores", "message"), BAD_ROWS)
def test_bad_rows_are_refused_before_any_is_counted(Y, Z, scores, message):
    counts = Counts.zeros(2)
    with pytest.raises(ValueError, match=message):
        counts.count(Y, Z, scores)
    assert counts.n == 0


def test_scores_outside_the_histograms_are_refused():
    with pytest.raises(ValueError, match=r"scores holds 1\.5 in row 0, column 1; it must be from 0 to 1"):
        with_histograms(2).count([[0, 1]], [[0, 1]], [[0.0, 1.5]])
    assert Counts.zeros(2).count([[0, 1]], [[0, 1]], [[-math.inf, 1.5]]).n == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Counts.zeros(-1), "n_labels=-1"),
        (lambda: Counts.zeros(2, n_bins=1), "n_bins=1"),
        (lambda: Counts.zeros(2).count([[0, 1]], [[0, 1]], fading=0.0), "fading=0.0"),
        (lambda: Counts.zeros(2).count([[0, 1]], [[0, 1]], fading=1.1), "fading=1.1"),
        (lambda: Counts.zeros(2).scaled(-1.0), "factor=-1.0"),
        (lambda: Counts.zeros(2).merge(Counts.zeros(3)), "3 labels; expected 2"),
        (lambda: Counts.zeros(2).merge(with_histograms(2)), r"histograms \(2, 2, 9\)"),
        (lambda: Counts(np.zeros((2, 3)), np.zeros(13)), r"per_label has the shape \(2, 3\)"),
        (lambda: Counts(np.zeros((3, 3)), np.zeros(12)), r"sums has the shape \(12,\)"),
        (
            lambda: Counts(np.zeros((3, 3)), np.zeros(13), [HISTOGRAMS], {"histograms": np.zeros((2, 2, 9))}),
            r"must be \(2, 3, bins\)",
        ),
        (lambda: Counts(np.zeros((3, 3)), np.zeros(13), [HISTOGRAMS], {"histograms": np.zeros((2, 3, 1))}), "bins=1"),
        (lambda: Counts(np.zeros((3, 3)), np.zeros(13), [HISTOGRAMS]), "'histograms' is missing"),
    ],
)
def test_wrong_parameters_are_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
