"""The counting kernels against plain twins."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from streamlab.measures import TERMS, _kernels

ANY = (-math.inf, math.inf)


@st.composite
def batches(draw, max_rows=8, max_labels=6):
    """Y, Z, scores with ties, empty and full label sets, down to no row and one label."""
    shape = (draw(st.integers(0, max_rows)), draw(st.integers(1, max_labels)))
    Y = draw(hnp.arrays(np.uint8, shape, elements=st.integers(0, 1)))
    Z = draw(hnp.arrays(np.uint8, shape, elements=st.integers(0, 1)))
    scores = draw(hnp.arrays(np.float64, shape, elements=st.integers(0, 8).map(lambda k: k / 8)))
    return Y, Z, scores


def naive_order(y, scores):
    """Wrongly ordered pairs, and the sum over the relevant labels of the precision down to each."""
    labels = range(len(y))
    pairs = sum(scores[r] <= scores[q] for r in labels for q in labels if y[r] and not y[q])
    precision = 0.0
    for r in labels:
        if y[r]:
            above = [q for q in labels if scores[q] >= scores[r]]
            precision += sum(int(y[q]) for q in above) / len(above)
    return pairs, precision


def terms_of(Y, Z, scores):
    terms = np.full((len(Y), len(TERMS)), np.nan)
    given = np.empty((0, 0)) if scores is None else scores
    assert _kernels.instance_terms(Y, Z, given, *ANY, terms) == -1
    return terms


@settings(deadline=None)
@given(batches(max_rows=1, max_labels=12))
def test_both_ways_of_ordering_equal_the_naive_one(batch):
    Y, _, scores = batch
    for y, f in zip(Y, scores, strict=True):
        relevant = f[y == 1]
        scratch = np.full(len(relevant) + 1, 99, dtype=np.int64)
        expected = naive_order(y, f)
        for found in (_kernels.order_by_pairs(f, relevant), _kernels.order_by_search(y, f, relevant.copy(), scratch)):
            assert found[0] == expected[0]
            assert found[1] == pytest.approx(expected[1], abs=1e-13)


def test_many_relevant_labels_are_ordered_by_search_with_the_same_result():
    rng = np.random.default_rng(3)
    n_labels = 1_100
    Y = (np.arange(n_labels) % 2 == 0).astype(np.uint8)[None]
    scores = rng.integers(0, 500, (1, n_labels)) / 500
    assert Y.sum() > _kernels._MOST_PAIRS
    terms = dict(zip(TERMS, terms_of(Y, Y, scores)[0], strict=True))
    y, f = Y[0].astype(bool), scores[0]
    above = (f[None, :] >= f[y][:, None]).sum(axis=1)
    hits = (f[y][None, :] >= f[y][:, None]).sum(axis=1)
    assert terms["ranking_loss"] == pytest.approx((above - hits).sum() / (550 * 550), abs=1e-13)
    assert terms["average_precision"] == pytest.approx((hits / above).mean(), abs=1e-13)


@pytest.mark.parametrize(("kind", "value"), [(0, 2), (1, 3), (2, math.nan), (2, 1.5)])
def test_the_first_bad_row_is_told(kind, value):
    arrays = [np.zeros((4, 3), np.uint8), np.zeros((4, 3), np.uint8), np.zeros((4, 3))]
    arrays[kind][2, 1] = value
    assert _kernels.instance_terms(*arrays, 0.0, 1.0, np.empty((4, len(TERMS)))) == 3 * 2 + kind


def test_faded_counts_end_at_zero_and_not_among_subnormal_numbers():
    Y = np.zeros((1_000, 1), np.uint8)
    per_label, sums = np.ones((3, 1)), np.ones(len(TERMS))
    histograms = np.ones((2, 1, 3))
    _kernels.accumulate(Y, Y, terms_of(Y, Y, None), 0.5, per_label, sums)
    _kernels.bin_scores(Y, np.zeros(Y.shape), 0.5, histograms)
    assert not per_label.any()
    assert not histograms[1].any()
    assert sums[0] == 2.0
