"""ADWIN: it decides as River's does, for many rows of numbers at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from river import drift

from streamlab.detectors import ADWIN


def river_changes(values, **parameters):
    """Rows at which River notices a change, and the width and mean after every row."""
    theirs = drift.ADWIN(**parameters)
    rows, widths, means = [], [], []
    for row, value in enumerate(values):
        theirs.update(value)
        if theirs.drift_detected:
            rows.append(row)
        widths.append(theirs.width)
        means.append(theirs.estimation)
    return rows, widths, means


def steps(seed, n=3000, parts=5, binary=True):
    rng = np.random.default_rng(seed)
    level = np.repeat(rng.random(parts), n // parts)
    return (rng.random(len(level)) < level).astype(float) if binary else rng.normal(level, 0.2)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    binary=st.booleans(),
    delta=st.sampled_from([0.0005, 0.002, 0.05, 0.3]),
    clock=st.sampled_from([1, 7, 32]),
    max_buckets=st.sampled_from([2, 3, 5]),
    min_window_length=st.sampled_from([1, 5, 20]),
    grace_period=st.sampled_from([0, 10, 200]),
)
def test_as_river(seed, binary, **parameters):
    values = steps(seed, binary=binary)
    rows, widths, means = river_changes(values, **parameters)
    ours = ADWIN(**parameters)
    changes = ours.update_many(values[:, None])
    assert [change.row for change in changes] == rows
    assert ours.widths[0] == widths[-1]
    assert ours.means[0] == pytest.approx(means[-1], abs=1e-9)


def test_changes_are_found_and_told_apart():
    values = np.repeat([0.1, 0.8, 0.2], 1000) + np.random.default_rng(0).normal(0, 0.05, 3000)
    changes = ADWIN().update_many(values[:, None])
    assert len(changes) == 2
    up, down = changes
    assert 1000 <= up.row < 1000 + 64
    assert 2000 <= down.row < 2000 + 64
    assert up.rising
    assert not down.rising
    assert (up.before, up.after) == pytest.approx((0.1, 0.8), abs=0.1)
    assert (down.before, down.after) == pytest.approx((0.8, 0.2), abs=0.1)


def test_columns_do_not_disturb_each_other():
    columns = [steps(seed) for seed in range(6)]
    together = ADWIN(6)
    found = [(c.detector, c.row) for c in together.update_many(np.column_stack(columns))]
    alone = [(d, c.row) for d, column in enumerate(columns) for c in ADWIN().update_many(column[:, None])]
    assert sorted(found) == sorted(alone)
    assert found == sorted(found, key=lambda each: each[1])


@pytest.mark.parametrize("size", [1, 13, 500])
def test_cut_into_calls(size):
    values = steps(3)[:, None]
    whole, parts = ADWIN(), ADWIN()
    rows = []
    for start in range(0, len(values), size):
        rows += [start + change.row for change in parts.update_many(values[start : start + size])]
    assert rows == [change.row for change in whole.update_many(values)]
    for name, array in whole.state().items():
        np.testing.assert_array_equal(parts.state()[name], array)


def test_state_goes_on():
    values = steps(4)[:, None]
    one, other = ADWIN(), ADWIN()
    one.update_many(values[:1500])
    kept = one.state()
    other.set_state(kept)
    assert one.update_many(values[1500:]) == other.update_many(values[1500:])
    again = ADWIN()
    again.set_state(kept)  # a copy: what came after has not touched it
    assert again.widths[0] == kept["window"][0, 0]


def test_false_alarms_are_rare():
    rng = np.random.default_rng(1)
    changes = ADWIN(20).update_many((rng.random((20_000, 20)) < 0.2).astype(float))
    assert len(changes) <= 4


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"delta": 0}, "delta=0"),
        ({"delta": 1.5}, "delta=1.5"),
        ({"clock": 0}, "clock=0"),
        ({"n_detectors": 0}, "n_detectors=0"),
        ({"max_buckets": 1}, "max_buckets=1"),
        ({"grace_period": -1}, "grace_period=-1"),
        ({"min_window_length": 2.5}, "min_window_length=2.5"),
    ],
)
def test_bad_parameters(parameters, said):
    with pytest.raises(ValueError, match=said):
        ADWIN(**parameters)


def test_bad_values_feed_nothing():
    watch = ADWIN(2)
    with pytest.raises(ValueError, match=r"shape \(3, 1\); expected \(n, 2\)"):
        watch.update_many(np.zeros((3, 1)))
    with pytest.raises(ValueError, match="values row 1, detector 0: nan"):
        watch.update_many(np.array([[0.0, 1.0], [np.nan, 0.0]]))
    assert watch.widths.tolist() == [0, 0]
    with pytest.raises(ValueError, match="state: totals"):
        watch.set_state({})
    other = ADWIN(3)
    with pytest.raises(ValueError, match="expected"):
        watch.set_state(other.state())


@pytest.mark.parametrize(
    ("name", "at", "value"),
    [
        ("filled", (0, 0), 6),
        ("filled", (0, 0), -1),
        ("filled", (0, -1), 1),
        ("window", (0, 0), 7.0),
        ("changed", 0, 2),
    ],
)
def test_a_state_that_no_detector_can_have_is_refused(name, at, value):
    watch = ADWIN()
    watch.update_many(steps(4)[:, None])
    before = watch.state()
    altered = watch.state()
    altered[name][at] = value
    with pytest.raises(ValueError, match=rf"state: (window|{name})"):
        watch.set_state(altered)
    with pytest.raises(ValueError, match=rf"state: {name}"):
        watch.set_state(before | {name: before[name].astype(np.float32)})
    for key, array in watch.state().items():
        np.testing.assert_array_equal(array, before[key])
