"""Who is ahead: a difference that its own noise does not cover."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from streamlab.measures import difference_of


def test_the_interval_is_that_of_a_paired_t_test():
    first, second = np.random.default_rng(1).uniform(size=(2, 12))
    found = difference_of(first, second)
    expected = stats.ttest_rel(first, second).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))
    gap = np.append(first, np.nan)
    assert difference_of(gap, np.append(second, 0.5)) == found


def test_of_equal_learners_one_is_said_to_be_ahead_as_seldom_as_asked():
    first, second = np.random.default_rng(2).normal(size=(2, 4000, 5))
    ahead = [difference_of(a, b).sign != 0 for a, b in zip(first, second, strict=True)]
    assert 0.03 < np.mean(ahead) < 0.07


def test_few_blocks_say_nothing():
    assert [difference_of([0.9] * n, [0.1] * n).sign for n in (0, 1, 4, 5)] == [0, 0, 0, 1]
