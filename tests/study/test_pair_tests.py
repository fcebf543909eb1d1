"""Tests of pairs against other programs, and their algebra."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from streamlab.study import bayesian_signed_rank, holm, wilcoxon_holm
from streamlab.study.pair_tests import wilcoxon
from tests.study.score_tables import tables


@pytest.mark.nightly
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
@settings(deadline=None, max_examples=50)
def test_holm_is_that_of_statsmodels(p):
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    assert holm(p) == pytest.approx(multitest.multipletests(p, method="holm")[1])


@given(tables(unfinished=False, streams=(5, 9)), st.booleans())
@settings(deadline=None, max_examples=50)
def test_wilcoxon_is_that_of_scipy_for_each_pair(table, higher):
    names = list(table)
    pairs = [(names[0], name) for name in names[1:]]
    found = wilcoxon_holm(table, pairs, higher_is_better=higher)
    for row, (a, b) in zip(found.itertuples(), pairs, strict=True):
        differences = table[a] - table[b]
        is_plain = differences.all() and differences.abs().is_unique
        oracle = stats.wilcoxon(differences, method="exact" if is_plain else "approx") if differences.any() else None
        assert row.p_raw == pytest.approx(1.0 if oracle is None else oracle.pvalue)
        better, worse = (table[a] > table[b]).sum(), (table[a] < table[b]).sum()
        assert (row.wins, row.losses) == ((better, worse) if higher else (worse, better))
        assert row.wins + row.ties + row.losses == len(table)
    assert (found.p >= found.p_raw).all()


def test_p_with_ties_is_by_the_normal_distribution_and_without_is_counted_out():
    """By hand: six differences of which five are positive, and two tie."""
    tied = np.array([0.1, 0.1, 0.2, 0.3, 0.4, -0.2])
    # ranks 1.5 1.5 3.5 5 6 −3.5, so W⁻ = 3.5; mean 10.5; variance 6·7·13/24 less Σ(t³ − t)/48 for two pairs of ties
    z = (3.5 - 10.5) / np.sqrt(6 * 7 * 13 / 24 - 2 * 6 / 48)
    zero = np.array([0.0, 0.1, 0.2, 0.3, 0.4, -0.25])
    # the zero is left out: W⁻ = 3 of five
    z_less = (3 - 7.5) / np.sqrt(5 * 6 * 11 / 24)
    assert wilcoxon(np.stack([tied, zero], axis=1)) == pytest.approx(2 * stats.norm.cdf([z, z_less]))
    plain = np.array([0.1, 0.11, 0.2, 0.3, 0.4, -0.15])
    # W⁻ = 3: of 64 signs those with a sum of at most 3 are ∅, 1, 2, 3 and 1 + 2
    assert wilcoxon(plain[:, None])[0] == pytest.approx(2 * 5 / 64)
    many = np.arange(1.0, 52.0) * np.where(np.arange(51) % 3, 1, -1)
    assert wilcoxon(many[:, None])[0] == pytest.approx(stats.wilcoxon(many, method="approx").pvalue)


def test_a_missing_score_is_named():
    table = pd.DataFrame({"A": [0.1, 0.2], "B": [0.3, None]}, index=["one", "two"])
    with pytest.raises(ValueError, match="stream 'two', learner 'B': no score"):
        wilcoxon_holm(table, [("A", "B")])


@pytest.mark.parametrize("rope", [0.0, 0.01, 0.1])
@pytest.mark.parametrize("shift", [-0.1, 0.0, 0.05])
def test_bayesian_signed_ranks_are_those_of_baycomp(rope, shift):
    baycomp = pytest.importorskip("baycomp")
    rng = np.random.default_rng(3)
    x = rng.random(25)
    y = x + shift + 0.1 * rng.standard_normal(25)
    np.random.seed(1)  # baycomp draws from the global generator
    known = baycomp.SignedRankTest(y, x, rope=rope, nsamples=50_000).probs()
    assert bayesian_signed_rank(y - x, rope=rope) == pytest.approx(known, abs=0.012)


def test_bayesian_signed_ranks_by_hand():
    """One difference d = 1 and the prior: better where w² + 2 w (1 − w) > 1/2, that is w > 1 − √½; w ~ Beta(1, ½)."""
    above, within, below = bayesian_signed_rank([1.0], rope=0.1, draws=200_000)
    assert above == pytest.approx(stats.beta(1, 0.5).sf(1 - 0.5**0.5), abs=0.004)
    assert (within, below) == (pytest.approx(1 - above), 0.0)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=12), st.floats(0, 0.5))
@settings(deadline=None, max_examples=50)
def test_the_other_way_round_the_ends_change_places(differences, rope):
    there = bayesian_signed_rank(differences, rope=rope, draws=500)
    back = bayesian_signed_rank([-each for each in differences], rope=rope, draws=500)
    assert sum(there) == pytest.approx(1.0)
    assert there == pytest.approx(back[::-1], abs=0.02)


def test_equals_are_as_likely_better_as_worse_without_a_rope():
    assert bayesian_signed_rank([0.0] * 10, rope=0.0, draws=500) == (0.5, 0.0, 0.5)
    assert bayesian_signed_rank([0.0] * 10, draws=500) == (0.0, 1.0, 0.0)
    assert bayesian_signed_rank([0.0] * 9 + [-0.05], rope=0.0, draws=500) == (0.0, 0.0, 1.0)


def test_bad_differences_are_said():
    for bad in ([], [0.1, np.nan], [[0.1]]):
        with pytest.raises(ValueError, match="differences: expected finite numbers"):
            bayesian_signed_rank(bad)
    with pytest.raises(ValueError, match="rope=-1"):
        bayesian_signed_rank([0.1], rope=-1)
    with pytest.raises(ValueError, match="draws=0"):
        bayesian_signed_rank([0.1], draws=0)
