"""The algebra of ranks, for any table; and the tests on ranks against other programs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from streamlab.study import (
    bonferroni_dunn,
    bonferroni_dunn_distance,
    friedman,
    groups_within,
    nemenyi,
    nemenyi_distance,
    rank_streams,
)
from tests.study.score_tables import tables


@given(tables(), st.booleans())
@settings(deadline=None, max_examples=50)
def test_ranks_sum_to_what_ranks_sum_to(table, higher):
    ranks = rank_streams(table, higher_is_better=higher)
    k = table.shape[1]
    assert np.allclose(ranks.sum(axis=1), k * (k + 1) / 2)
    assert ranks.to_numpy().min() >= 1
    assert ranks.to_numpy().max() <= k


@given(tables(), st.booleans(), st.randoms())
@settings(deadline=None, max_examples=50)
def test_the_order_of_learners_and_streams_does_not_matter(table, higher, random):
    learners, streams = list(table), list(table.index)
    random.shuffle(learners)
    random.shuffle(streams)
    ranks = rank_streams(table, higher_is_better=higher)
    shuffled = rank_streams(table.loc[streams, learners], higher_is_better=higher)
    pd.testing.assert_frame_equal(ranks.loc[streams, learners], shuffled)
    assert friedman(shuffled) == pytest.approx(friedman(ranks), nan_ok=True)


@given(tables(), st.booleans())
@settings(deadline=None, max_examples=50)
def test_equals_share_a_rank_and_the_better_is_before(table, higher):
    ranks = rank_streams(table, higher_is_better=higher)
    for stream in table.index:
        for a in table:
            for b in table:
                x, y = table.loc[stream, [a, b]]
                better = (x > y if higher else x < y) or (np.isnan(y) and not np.isnan(x))
                if better:
                    assert ranks.loc[stream, a] < ranks.loc[stream, b]
                elif x == y or (np.isnan(x) and np.isnan(y)):
                    assert ranks.loc[stream, a] == ranks.loc[stream, b]


@given(tables(unfinished=False))
@settings(deadline=None, max_examples=50)
def test_a_loss_ranks_the_other_way_round(table):
    there, back = rank_streams(table), rank_streams(table, higher_is_better=False)
    assert np.allclose(there + back, table.shape[1] + 1)


@given(tables(learners=(3, 6)))
@settings(deadline=None, max_examples=50)
def test_the_corrected_chi2_is_that_of_scipy(table):
    ranks = rank_streams(table)
    found = friedman(ranks)
    with np.errstate(invalid="ignore", divide="ignore"):
        known = stats.friedmanchisquare(*ranks.T.to_numpy())
    if np.isnan(known.statistic):
        assert (found.chi2, found.p) == (0.0, 1.0), "all equal in every stream: nothing differs"
    else:
        assert found.chi2 == pytest.approx(known.statistic, abs=1e-9)
        assert found.p == pytest.approx(known.pvalue, abs=1e-9)
    assert found.chi2 >= found.chi2_plain - 1e-9


def test_where_all_agree_f_is_infinite():
    found = friedman(rank_streams(pd.DataFrame([[3, 2, 1]] * 4, columns=list("ABC"))))
    assert (found.chi2, found.F, found.p_F) == (8.0, np.inf, 0.0)


@given(tables())
@settings(deadline=None, max_examples=50)
def test_nemenyi_p_and_distance_agree(table):
    ranks = rank_streams(table)
    distance = nemenyi_distance(table.shape[1], len(table), 0.1)
    p, means = nemenyi(ranks), ranks.mean()
    apart = np.abs(np.subtract.outer(means.to_numpy(), means.to_numpy()))
    decided = np.abs(apart - distance) > 1e-6
    assert ((p.to_numpy() < 0.1) == (apart > distance))[decided].all()


@given(tables())
@settings(deadline=None, max_examples=50)
def test_bonferroni_dunn_p_and_distance_agree(table):
    means = rank_streams(table).mean()
    p = bonferroni_dunn(means, len(table), "L0")
    distance = bonferroni_dunn_distance(table.shape[1], len(table), 0.1)
    for name in p.index:
        apart = abs(means[name] - means["L0"])
        if abs(apart - distance) > 1e-6:
            assert (p[name] < 0.1) == (apart > distance)


@given(st.lists(st.floats(1, 9), min_size=1, max_size=9), st.floats(0.1, 8))
@settings(deadline=None, max_examples=50)
def test_groups_are_the_largest_within_the_distance(values, distance):
    ranks = pd.Series(values, index=[f"L{i}" for i in range(len(values))])
    groups = groups_within(ranks, distance)
    for group in groups:
        assert len(group) > 1
        assert ranks[list(group)].max() - ranks[list(group)].min() < distance
        assert not any(set(group) < set(other) for other in groups)
    for a in ranks.index:
        for b in ranks.index:
            together = any({a, b} <= set(group) for group in groups)
            assert a == b or together == (abs(ranks[a] - ranks[b]) < distance) or abs(
                abs(ranks[a] - ranks[b]) - distance
            ) < 1e-9  # fmt: skip


def test_what_ranks_cannot_be_tested_is_said():
    with pytest.raises(ValueError, match="1 streams: expected at least 2"):
        friedman(pd.DataFrame([[1.0, 2.0]], columns=["A", "B"]))
    with pytest.raises(ValueError, match="1 learners: expected at least 2"):
        nemenyi_distance(1, 10)
    with pytest.raises(ValueError, match="ranks of stream 'two' do not sum to 3"):
        friedman(pd.DataFrame([[1.0, 2.0], [1.0, 1.0]], columns=["A", "B"], index=["one", "two"]))
    with pytest.raises(ValueError, match=r"alpha=1\.5"):
        bonferroni_dunn_distance(3, 10, 1.5)
    with pytest.raises(ValueError, match="control='Z': expected 'A' or 'B'"):
        bonferroni_dunn(pd.Series({"A": 1.0, "B": 2.0}), 10, "Z")
