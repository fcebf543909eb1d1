"""Late and missing labels: when they arrive, what the learner is told, in any chain of wrappers."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.schema import Feature, Hierarchy, Schema
from streamlab.streams.changes.feature_noise import feature_noise
from streamlab.streams.changes.label_rotation import rotate_labels
from streamlab.streams.changes.label_swap import swap_labels
from streamlab.streams.changes.late_labels import Labelled, delay_labels, hide_labels
from streamlab.streams.changes.prior_shift import prior_shift
from streamlab.streams.compose import compose
from streamlab.streams.labelling import NEVER, Labelling
from streamlab.streams.readers.arrays import ArrayStream
from streamlab.streams.stream import Drift

N = 20_000
ROWS = np.arange(N)


def plain(n=50, m=4, **options):
    return ArrayStream(np.arange(float(n))[:, None], np.ones((n, m)), **options)


def test_labels_are_known_at_once_unless_wrapped():
    assert plain().labelling is None
    labelling = Labelling()
    np.testing.assert_array_equal(labelling.arrives(ROWS), ROWS)
    assert labelling.max_delay == 0
    with pytest.raises(FrozenInstanceError):
        labelling.delays = ()


@settings(max_examples=50, deadline=None)
@given(low=st.integers(0, 40), more=st.integers(0, 40), seed=st.integers(0, 2**70), begin=st.integers(0, 10**12))
def test_delays_in_range_and_by_row_alone(low, more, seed, begin):
    labelling = delay_labels(plain(), (low, low + more), seed=seed).labelling
    rows = np.arange(begin, begin + 500)
    arrival = labelling.arrives(rows)
    assert arrival.dtype == np.int64
    assert low <= (arrival - rows).min() <= (arrival - rows).max() <= low + more == labelling.max_delay
    order = np.random.default_rng(0).permutation(500)
    np.testing.assert_array_equal(labelling.arrives(rows[order]), arrival[order])
    np.testing.assert_array_equal(rows, np.arange(begin, begin + 500))


def test_delays_are_uniform_and_fixed():
    delays = delay_labels(plain(), (3, 7), seed=1).labelling.arrives(ROWS) - ROWS
    np.testing.assert_allclose(np.bincount(delays, minlength=8)[3:] / N, 0.2, atol=0.02)
    np.testing.assert_array_equal(delay_labels(plain(), 9).labelling.arrives(ROWS), ROWS + 9)
    np.testing.assert_array_equal(delay_labels(plain(), 0).labelling.arrives(ROWS), ROWS)


def test_rows_and_truth_stay():
    stream = hide_labels(delay_labels(plain(drifts=[Drift(5)]), 20), 1.0)
    assert isinstance(stream, Labelled)
    chunk = next(stream.chunks(50))
    assert chunk.Y.all()
    np.testing.assert_array_equal(chunk.X[:, 0], np.arange(50))
    assert stream.drifts == (Drift(5),)
    assert stream.n_rows == 50
    assert stream.name == "arrays, labels delayed, labels hidden"


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_hidden_instances(share):
    labelling = hide_labels(plain(), share, seed=2).labelling
    arrival = labelling.arrives(ROWS)
    never = arrival == NEVER
    assert never.mean() == pytest.approx(share, abs=0.015)
    np.testing.assert_array_equal(arrival[~never], ROWS[~never])
    told = labelling.told(np.ones((N, 3), np.uint8), ROWS)
    np.testing.assert_array_equal(told, np.repeat(~never[:, None], 3, axis=1))


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_hidden_single_labels(share):
    labelling = hide_labels(plain(), share, per="label", seed=2).labelling
    np.testing.assert_array_equal(labelling.arrives(ROWS), ROWS)
    Y = np.ones((N, 3), np.uint8)
    Y[:, 1] = 0
    before = Y.copy()
    told = labelling.told(Y, ROWS)
    assert told.dtype == np.uint8
    np.testing.assert_array_equal(Y, before)
    assert not told[:, 1].any()
    assert 1 - told[:, 0].mean() == pytest.approx(share, abs=0.015)
    if share == 0.5:
        assert abs(np.corrcoef(told[:, 0], told[:, 2])[0, 1]) < 0.03
    part = np.arange(700, 900)
    np.testing.assert_array_equal(labelling.told(Y[part], part), told[part])


def test_nothing_hidden_is_not_copied():
    Y = np.ones((3, 2), np.uint8)
    assert delay_labels(plain(), 5).labelling.told(Y, np.arange(3)) is Y


def test_delays_add_and_hidings_join():
    stream = plain()
    for _ in range(2):
        stream = hide_labels(delay_labels(stream, (0, 9), seed=4), 0.5, seed=4)
    labelling = stream.labelling
    assert labelling.max_delay == 18
    arrival = labelling.arrives(ROWS)
    never = arrival == NEVER
    assert never.mean() == pytest.approx(0.75, abs=0.02)
    delays = (arrival - ROWS)[~never]
    assert delays.std() == pytest.approx(np.sqrt(2 * (100 - 1) / 12), rel=0.05)  # two independent draws
    weak = hide_labels(hide_labels(plain(), 0.5, per="label"), 0.5, per="label").labelling
    assert weak.told(np.ones((N, 1), np.uint8), ROWS).mean() == pytest.approx(0.25, abs=0.02)


def test_every_wrapper_passes_the_labelling_on():
    inner = delay_labels(plain(), (2, 30), seed=1)
    wrappers = (
        lambda s: rotate_labels(s, at=5),
        lambda s: swap_labels(s, 0, 1, at=5),
        lambda s: feature_noise(s, at=5),
        lambda s: prior_shift(s, 0, 0.5, at=5),
    )
    for wrap in wrappers:
        assert wrap(inner).labelling == inner.labelling == delay_labels(wrap(plain()), (2, 30), seed=1).labelling
    assert compose([inner, plain()], at=10).labelling is None
    assert delay_labels(compose([inner, plain()], at=10), 7).labelling.max_delay == 7


def test_what_is_told_fits_the_hierarchy():
    schema = Schema((Feature("x"),), ("a11", "a1", "a", "b"), Hierarchy((1, 2, -1, -1)))
    stream = hide_labels(plain(schema=schema), 0.3, per="label")
    told = stream.labelling.told(np.ones((N, 4), np.uint8), ROWS)
    assert (told[:, 0] <= told[:, 1]).all()
    assert (told[:, 1] <= told[:, 2]).all()
    np.testing.assert_allclose(told.mean(0), [0.7**3, 0.7**2, 0.7, 0.7], atol=0.02)


@pytest.mark.parametrize("delay", [-1, 2.5, "7", True, None, (5, 3), (1, 2, 3), (0, -1), 10**9 + 1, []])
def test_wrong_delays(delay):
    with pytest.raises(ValueError, match=r"delay=.* expected a number of rows from 0 to 1,000,000,000, or a pair"):
        delay_labels(plain(), delay)
