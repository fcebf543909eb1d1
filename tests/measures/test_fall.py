"""How far a curve falls after a drift: by the definition, and against what cannot be."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from streamlab.measures.fall import fall_after

POSITIONS = np.arange(100, 1100, 100)


@given(
    st.lists(st.integers(0, 100).map(lambda n: n / 100), min_size=10, max_size=10), st.integers(3, 9), st.integers(1, 3)
)
def test_a_loss_is_the_mirror_of_a_gain(values, n_before, latest):
    start = int(POSITIONS[n_before - 1])
    gain = fall_after(POSITIONS, values, start, latest=latest)
    loss = fall_after(POSITIONS, 1 - np.array(values), start, latest=latest, higher_is_better=False)
    assert gain.lost == pytest.approx(loss.lost, abs=1e-12)
    assert gain.won_back == pytest.approx(loss.won_back, abs=1e-12)
    assert 0 <= gain.won_back <= gain.lost <= 1
    assert gain.level == pytest.approx(np.median(values[:n_before]))
    assert gain.worst == min(values[n_before:])


def test_what_does_not_fall_by_more_than_its_spread_is_not_harmed():
    noisy = [0.6, 0.7, 0.6, 0.7, 0.6, 0.58, 0.64]
    assert not fall_after(POSITIONS[:7], noisy, 500).is_harm
    assert fall_after(POSITIONS[:7], [*noisy[:5], 0.3, 0.35], 500).is_harm


def test_the_first_answers_of_a_new_learner_do_not_hide_its_fall():
    learned = [0.0, 0.56, 0.58, 0.62, 0.61, 0.6]
    fall = fall_after(POSITIONS[:7], [*learned, 0.4], 600)
    assert fall.is_harm
    assert fall.level == pytest.approx(0.59)


def test_the_next_drift_ends_the_look():
    values = [0.8, 0.8, 0.8, 0.5, 0.6, 0.1, 0.2]
    assert fall_after(POSITIONS[:7], values, 300, until=500).lost == pytest.approx(0.3)
    assert fall_after(POSITIONS[:7], values, 300).lost == pytest.approx(0.7)


def test_without_points_there_is_no_fall():
    assert fall_after([], [], 0) is None
    assert fall_after([100, 200, 300], [0.5] * 3, 100) is None, "too few before"
    assert fall_after([100, 200, 300], [0.5] * 3, 300) is None, "none after"
    assert fall_after([100, 200, 300, 400], [math.nan, 0.5, 0.5, 0.4], 300) is None, "one of them has no value"
    with pytest.raises(ValueError, match="expected two of one length"):
        fall_after([1, 2], [0.5], 1)
