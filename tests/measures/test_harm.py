"""What a drift cost: a fall counts only above what the curve varied by; area until it is back; nothing without harm."""

from __future__ import annotations

import math

import numpy as np
import pytest

from streamlab.measures import harm_of

AT = np.arange(100, 6100, 100)


def curve(before: float, after: list[float], noise: float = 0.0) -> np.ndarray:
    rng = np.random.default_rng(1)
    values = np.concatenate([np.full(30, before), after, np.full(30 - len(after), after[-1])])
    return values + noise * rng.standard_normal(60)


def test_a_fall_is_measured_from_the_level_until_it_is_back():
    harm = harm_of(AT, curve(0.8, [0.5, 0.6, 0.7, 0.8]), 3000)
    assert harm.is_harmed
    assert harm.level == pytest.approx(0.8)
    assert harm.lost == pytest.approx((0.3 + 0.2 + 0.1) * 100)
    assert harm.recovery_time == 400
    assert harm.fell == pytest.approx(0.2)


def test_a_loss_is_harmed_when_it_rises():
    harm = harm_of(AT, 1 - curve(0.8, [0.5, 0.6, 0.7, 0.8]), 3000, higher_is_better=False)
    assert harm.lost == pytest.approx(60)
    assert harm.level == pytest.approx(0.2)
    assert not harm_of(AT, curve(0.8, [0.5, 0.8]), 3000, higher_is_better=False).is_harmed


@pytest.mark.parametrize("seed", range(20))
def test_what_varies_anyway_is_not_affected(seed):
    values = 0.3 + 0.05 * np.random.default_rng(seed).standard_normal(60)
    harm = harm_of(AT, values, 3000)
    assert (harm.is_harmed, harm.lost) == (False, 0.0)
    assert math.isnan(harm.recovery_time)


def test_one_that_never_comes_back_loses_to_the_end():
    harm = harm_of(AT, curve(0.8, [0.5], 0.01), 3000)
    assert harm.recovery_time == math.inf
    assert harm.lost == pytest.approx(0.3 * 3000, rel=0.05)
    until = harm_of(AT, curve(0.8, [0.5], 0.01), 3000, until=4000)
    assert until.lost == pytest.approx(300, rel=0.05)


def test_one_low_chunk_alone_is_no_harm_in_a_noisy_curve():
    values = 0.8 + 0.05 * np.resize([1.0, -1.0, 0.5, -0.5], 60)
    values[35] = 0.55
    assert not harm_of(AT, values, 3000).is_harmed
    values[35:38] = 0.55
    assert harm_of(AT, values, 3000).is_harmed


def test_nothing_before_or_after_is_not_known():
    assert math.isnan(harm_of(AT, curve(0.8, [0.5]), 0).level)
    assert not harm_of(AT, curve(0.8, [0.5]), 6000).is_harmed
    with pytest.raises(ValueError, match="two of one length"):
        harm_of([1, 2], [1.0], 1)
