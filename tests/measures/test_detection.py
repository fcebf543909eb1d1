"""Alarms against the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.measures import match_alarms
from streamlab.streams import Drift


def drifts(*starts, width=1):
    return [Drift(start, width) for start in starts]


def test_the_first_alarm_is_the_detection_and_those_after_it_are_repetitions():
    found = match_alarms(drifts(1000, 4000), [1030, 1500, 2999, 4000], 6000)
    assert found.detected.tolist() == [1030, 4000]
    assert found.delays.tolist() == [30, 0]
    assert found.mean_time_to_detection == 15
    assert (found.n_detected, found.n_missed, found.n_false) == (2, 0, 0)
    assert found.mean_time_between_false_alarms == math.inf
    assert found.missed_rate == 0


def test_missed_and_false():
    found = match_alarms(drifts(1000, 4000, 8000), [100, 999, 3001, 8100], 10_000)
    assert found.detected.tolist() == [-1, -1, 8100]
    assert found.n_missed == 2
    assert found.missed_rate == pytest.approx(2 / 3)
    assert found.false_alarms.tolist() == [100, 999, 3001]
    assert found.mean_time_between_false_alarms == pytest.approx(10_000 / 3)
    np.testing.assert_array_equal(found.delays, [np.nan, np.nan, 100])


def test_alarms_at_random_places_are_as_quick_as_often_as_it_says():
    """The closed form beside alarms that are drawn: a detector that fires often is quick, and tells nothing."""
    rng, n = np.random.default_rng(1), 4000
    for delays, others in (((59, 211), 3), ((59, 211), 100), ((0, 5), 1)):
        alarms = [1000 + delays[0], 3000 + delays[1], *([3500] * others)]
        found = match_alarms(drifts(1000, 3000), alarms, n)
        drawn = rng.integers(0, n + 1, (20_000, len(alarms)))
        since = zip((1000, 3000), delays, strict=True)
        there = [((drawn >= start) & (drawn <= start + delay)).any(axis=1) for start, delay in since]
        assert found.by_chance == pytest.approx(np.mean(there), abs=0.01)
    assert match_alarms(drifts(1000), [1059], n).by_chance == pytest.approx(60 / 4001)
    # what was missed is not counted as slow
    assert match_alarms(drifts(1000, 3000), [1059, 3999], n, within=100).by_chance == pytest.approx(
        1 - (1 - 60 / 4001) ** 2
    )
    assert math.isnan(match_alarms(drifts(1000), [500], n).by_chance)


def test_the_width_belongs_to_the_drift():
    assert match_alarms(drifts(1000, width=500), [1700], 5000, within=300).n_detected == 1
    assert match_alarms(drifts(1000, width=500), [1800], 5000, within=300).n_missed == 1
    # an alarm after the next drift has begun is the next one's
    found = match_alarms(drifts(1000, 1200), [1250], 5000)
    assert found.detected.tolist() == [-1, 1250]


def test_what_has_not_happened_is_not_missed():
    found = match_alarms(drifts(1000, 4000), [1100], 2000)
    assert (found.n_detected, found.n_missed) == (1, 0)
    nothing = match_alarms([], [5], 10)
    assert (nothing.n_false, nothing.n_missed) == (1, 0)
    assert math.isnan(nothing.missed_rate)
    assert math.isnan(nothing.mean_time_to_detection)


def test_without_a_limit_an_alarm_is_the_last_drift_s():
    found = match_alarms(drifts(1000, 4000), [10, 3999, 9000], 10_000, within=None)
    assert found.detected.tolist() == [3999, 9000]
    assert found.false_alarms.tolist() == [10]


def test_drifts_with_the_same_start_are_one():
    assert len(match_alarms([Drift(10, 1), Drift(10, 50)], [100], 200, within=40).drifts) == 1
    assert match_alarms([Drift(10, 1), Drift(10, 50)], [95], 200, within=40).n_detected == 1


@settings(max_examples=100, deadline=None)
@given(
    starts=st.lists(st.integers(0, 5000), max_size=6, unique=True),
    width=st.integers(1, 400),
    alarms=st.lists(st.integers(0, 6000), max_size=30),
    within=st.one_of(st.none(), st.integers(0, 2000)),
)
def test_by_hand(starts, width, alarms, within):
    """The definition, drift by drift and alarm by alarm."""
    n = 6000
    found = match_alarms(drifts(*starts, width=width), alarms, n, within=within)
    true = set()
    for start, detected in zip(sorted(starts), found.detected, strict=True):
        following = min((other for other in starts if other > start), default=10**9)
        own = [a for a in alarms if start <= a < following and (within is None or a < start + width + within)]
        assert detected == (min(own) if own else -1)
        true.update(own)
    assert found.false_alarms.tolist() == sorted(a for a in alarms if a not in true)


def test_an_alarm_is_of_the_drift_that_its_evidence_reaches_back_to():
    drifts = [Drift(1208), Drift(1300)]
    of_both = match_alarms(drifts, [1312], 2000, since=[1190])
    assert (of_both.detected.tolist(), of_both.n_false) == ([1312, -1], 0)
    of_the_second = match_alarms(drifts, [1450, 1312], 2000, since=[None, 1250])
    assert of_the_second.detected.tolist() == [-1, 1312]
    assert match_alarms(drifts, [1312, 1450], 2000, since=[1190, 1310]).detected.tolist() == [1312, 1450]
    assert match_alarms(drifts, [1312], 2000, within=50, since=[1190]).n_false == 1
    with pytest.raises(ValueError, match="since has 1 entries"):
        match_alarms(drifts, [1312, 1320], 2000, since=[1190])


def test_bad_input():
    with pytest.raises(ValueError, match="n=-1"):
        match_alarms([], [], -1)
    with pytest.raises(ValueError, match="within=-5"):
        match_alarms([], [], 1, within=-5)
    with pytest.raises(ValueError, match="an alarm at 11; expected positions from 0 to 10"):
        match_alarms([], [3, 11], 10)
