"""Recovery after a drift, on made curves: who fell, who came back, how soon, and the area until then."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.measures import recovery_of

AT = np.arange(100, 6100, 100)


def curve(before: float, after: list[float], noise: float = 0.0) -> np.ndarray:
    """30 points of a level, then those given, the last of them to the end."""
    rng = np.random.default_rng(1)
    values = np.concatenate([np.full(30, before), after, np.full(30 - len(after), after[-1])])
    return values + noise * rng.standard_normal(60)


def test_a_fall_is_measured_until_the_curve_stays_at_its_level():
    found = recovery_of(AT, curve(0.8, [0.5, 0.6, 0.7, 0.8]), 3000)
    assert found.is_affected
    assert (found.level, found.plateau, found.time) == (0.8, 0.8, 400)
    assert found.low == pytest.approx(0.6)
    assert found.fell == pytest.approx(0.2)
    assert found.lost == pytest.approx((0.3 + 0.2 + 0.1) * 100)


def test_the_plateau_is_the_learners_own_on_the_new_concept():
    harder = recovery_of(AT, curve(0.8, [0.2, 0.3, 0.5]), 3000)
    assert (harder.plateau, harder.settling_time, harder.is_affected) == (0.5, 300, True)
    assert harder.settling_loss == pytest.approx((0.3 + 0.2) * 100)
    assert harder.time == math.inf, "it never comes back to its level"
    assert harder.lost == pytest.approx((0.6 + 0.5 + 28 * 0.3) * 100)
    easier = recovery_of(AT, curve(0.5, [0.2, 0.3, 0.5, 0.6, 0.8]), 3000)
    assert (easier.plateau, easier.settling_time, easier.time) == (0.8, 500, 300)
    stays_low = recovery_of(AT, curve(0.8, [0.3]), 3000)
    assert (stays_low.level, stays_low.plateau, stays_low.time) == (0.8, 0.3, math.inf)
    assert (stays_low.settling_time, stays_low.settling_loss) == (100, 0.0)


def test_it_has_to_stay_there():
    once = curve(0.8, [0.3, 0.8, 0.3, 0.3, 0.3, 0.8])
    assert recovery_of(AT, once, 3000).time == 600
    # a second fall, further on than three windows, is of something else
    twice = curve(0.8, [0.3, *[0.8] * 12, 0.3, 0.3, 0.8])
    assert recovery_of(AT, twice, 3000).time == 200


def test_one_that_still_rises_at_the_end_has_not_recovered():
    rising = curve(0.8, np.linspace(0.2, 0.8, 30).tolist())
    found = recovery_of(AT, rising, 3000)
    assert (found.is_affected, found.time) == (True, math.inf)
    assert found.settling_time == math.inf
    assert found.settling_loss == pytest.approx(100 * (found.plateau - rising[30:]).sum())
    assert recovery_of(AT, curve(0.8, [0.5, 0.8]), 3000, until=3200).time == math.inf, "two points are no plateau"


def test_what_is_lost_does_not_shrink_when_a_curve_is_found_to_be_back():
    values = curve(0.8, [0.3, 0.5, 0.6, 0.77, 0.78, 0.78, 0.79, 0.8, 0.8, 0.8])
    so_far = [recovery_of(AT[:n], values[:n], 3000) for n in range(31, 41)]
    assert all(one.lost <= other.lost for one, other in itertools.pairwise(so_far))
    assert so_far[0].time == math.inf
    assert (so_far[-1].time, so_far[-1].lost) == (400, pytest.approx(100))


@pytest.mark.parametrize("seed", range(20))
def test_chance_does_not_say_when_a_noisy_curve_stays(seed):
    # a window of three points is .03 from .4 by chance, and 5 % are .02
    noise = 0.05 * np.random.default_rng(seed).standard_normal(160)
    values = np.concatenate([np.full(30, 0.4), np.full(10, 0.1), np.full(120, 0.4)]) + noise
    found = recovery_of(np.arange(100, 16100, 100), values, 3000)
    assert 900 <= found.time <= 2000


def test_a_loss_falls_when_it_rises():
    loss = 1 - curve(0.8, [0.5, 0.6, 0.7, 0.8])
    found = recovery_of(AT, loss, 3000, higher_is_better=False)
    assert (round(found.level, 9), round(found.low, 9), found.time) == (0.2, 0.4, 400)
    assert found.lost == pytest.approx(60)
    assert not recovery_of(AT, loss, 3000).is_affected
    assert not recovery_of(AT, curve(0.8, [0.5, 0.8]), 3000, higher_is_better=False).is_affected


@pytest.mark.parametrize("seed", range(20))
def test_what_varies_anyway_is_not_affected(seed):
    values = 0.3 + 0.05 * np.random.default_rng(seed).standard_normal(60)
    found = recovery_of(AT, values, 3000)
    assert (found.is_affected, found.lost) == (False, 0.0)
    assert math.isnan(found.time)


@pytest.mark.parametrize("seed", range(20))
def test_a_fall_of_a_curve_that_was_still_rising_is_unclear(seed):
    # level and spread of the whole 2,000 rows before would be .4 and .15: the fall would be within its ups and downs
    rng = np.random.default_rng(seed)
    values = np.concatenate([np.linspace(0.1, 0.7, 30), np.full(5, 0.45), np.full(25, 0.7)])
    found = recovery_of(AT, values + 0.02 * rng.standard_normal(60), 3000)
    assert found.is_affected
    assert found.level == pytest.approx(0.65, abs=0.06), "that of its newest points"
    assert 400 <= found.time <= 900


def test_a_drift_that_does_good_is_no_fall():
    assert not recovery_of(AT, curve(0.5, [0.6, 0.9]), 3000).is_affected
    assert not recovery_of(AT, curve(0.8, [0.77]), 3000).is_affected, "within 5 % of its level"
    late = np.concatenate([np.full(55, 0.8), np.full(5, 0.2)])
    assert not recovery_of(AT, late, 3000).is_affected, "a fall 2,500 rows later is not of this drift"


def test_one_low_chunk_alone_is_no_fall_of_a_noisy_curve():
    values = 0.8 + 0.05 * np.resize([1.0, -1.0, 0.5, -0.5], 60)
    values[35] = 0.55
    assert not recovery_of(AT, values, 3000).is_affected
    values[35:38] = 0.2
    assert recovery_of(AT, values, 3000).is_affected


def test_nothing_before_or_after_is_not_known():
    for start in (0, 6000):
        found = recovery_of(AT, curve(0.8, [0.5]), start)
        assert math.isnan(found.level)
        assert (found.is_affected, found.lost) == (False, 0.0)
    gaps = curve(0.8, [0.5, 0.6, 0.7, 0.8])
    gaps[[3, 40, 59]] = np.nan
    assert recovery_of(AT, gaps, 3000).time == 400


def test_bad_curves():
    with pytest.raises(ValueError, match="two of one length"):
        recovery_of([1, 2], [1.0], 1)
    with pytest.raises(ValueError, match=r"share=1\.2"):
        recovery_of([1], [0.5], 1, share=1.2)


def test_a_drift_soon_after_another_begins_from_where_that_left_the_curve():
    values = curve(0.8, [0.2, 0.2, 0.2, 0.2, 0.1])
    assert recovery_of(AT, values, 3400).level == 0.8, "nobody said that there was one before"
    second = recovery_of(AT, values, 3400, since=3000)
    assert (second.level, second.plateau) == (0.2, 0.1)
    assert recovery_of(AT, values, 3000, since=2990).level == 0.8, "no row between them: they are one"


def test_that_a_curve_did_not_fall_takes_three_points():
    assert [recovery_of(AT, curve(0.8, [0.8]), 3000, until=until).is_judged for until in (3000, 3200, 3300)] == [
        False, False, True,
    ]  # fmt: skip
    assert recovery_of(AT, curve(0.8, [0.2]), 3000, until=3100).is_judged, "a fall is seen at once"


def test_the_trough_after_a_drift_before_is_no_level():
    rows = range(100, 2100, 100)
    curve = [0.7] * 5 + [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.7, 0.7, 0.7] + [0.4] * 6
    near = recovery_of(rows, curve, 1400, since=500)
    assert (near.level, near.is_affected) == (0.7, True)
    # without a drift before it is the same where the curve rose by the end, and else the median of ten points
    assert recovery_of(rows, curve, 1400).level == pytest.approx(0.7)
    assert recovery_of(rows, curve[::-1], 600).level == pytest.approx(0.4)


@given(st.integers(0, 10_000), st.floats(0.01, 0.08))
@settings(max_examples=40, deadline=None)
def test_what_a_fall_cost_stays_when_it_is_over(seed, noise):
    rng = np.random.default_rng(seed)
    rows = np.arange(100, 5100, 100)
    after = np.r_[np.linspace(0.3, 0.66, 6), np.linspace(0.66, 0.7, 24)]
    curve = np.r_[np.full(20, 0.7), after] + rng.normal(0, noise, 50)
    curve[35:] += rng.normal(0, 4 * noise, 15)  # it varies more once it is back
    known = {}
    for n in range(23, 51):
        found = recovery_of(rows[:n], curve[:n], 2000)
        back = int(found.time) // 100 if found.is_affected and np.isfinite(found.time) else None
        if back is not None and n >= 20 + back + 9:
            known[n] = (found.time, found.lost)
    assert len(set(known.values())) <= 1


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_level_of_a_model_that_still_learns_is_that_of_its_newest_points(sign):
    rows = range(100, 1400, 100)
    rising = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.78, 0.8, 0.81, 0.8]
    found = recovery_of(
        rows, [0.5 + sign * (each - 0.5) for each in [*rising, 0.2, 0.3, 0.4]], 1000, higher_is_better=sign > 0
    )
    assert found.level == pytest.approx(0.5 + sign * 0.3)
    # what only varies keeps the median of ten, and so does one that falls
    flat = [0.8, 0.79, 0.81, 0.78, 0.8, 0.82, 0.79, 0.81, 0.82, 0.81]
    assert recovery_of(rows, [*flat, 0.2, 0.3, 0.4], 1000).level == pytest.approx(0.805)
    assert recovery_of(rows, [*rising[::-1], 0.2, 0.3, 0.4], 1000).level == pytest.approx(0.65)
