"""Prior shift, and labels that come late or never."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.schema import Feature, Hierarchy, Schema
from streamlab.streams.changes.features import feature_noise
from streamlab.streams.changes.labels import rotate_labels, swap_labels
from streamlab.streams.changes.rows import delay_labels, hide_labels, prior_shift
from streamlab.streams.compose import compose
from streamlab.streams.labelling import NEVER, Labelling
from streamlab.streams.readers.arrays import ArrayStream
from streamlab.streams.stream import Drift


def numbered(n=2000, share=0.4, seed=0, **options):
    """The feature is the row's number, so that kept rows are recognised."""
    rng = np.random.default_rng(seed)
    return ArrayStream(np.arange(n, dtype=float)[:, None], rng.random((n, 2)) < share, **options)


def rows_of(stream, size=100, start=0):
    chunks = list(stream.chunks(size, start=start))
    if not chunks:
        return np.empty(0, np.int64), np.empty((0, 2), np.uint8)
    return np.concatenate([c.X[:, 0] for c in chunks]).astype(np.int64), np.concatenate([c.Y for c in chunks])


@settings(max_examples=60, deadline=None)
@given(
    factor=st.sampled_from([0.01, 0.3, 0.9, 1.5, 4.0, 50.0]),
    at=st.lists(st.integers(0, 800), min_size=1, max_size=3, unique=True).map(sorted),
    width=st.sampled_from([1, 2, 40, 500]),
    seed=st.integers(0, 2**40),
    size=st.integers(1, 500),
    start=st.integers(0, 2100),
)
def test_kept_rows_whatever_the_chunks_and_the_start(factor, at, width, seed, size, start):
    at = at[:1] if any(b < a + width for a, b in pairwise(at)) else at
    below = numbered()
    stream = prior_shift(below, "y1", factor, at=at, width=width, seed=seed)
    kept, Y = rows_of(stream, 10_000)
    assert (np.diff(kept) > 0).all()
    np.testing.assert_array_equal(Y, rows_of(below)[1][kept])
    np.testing.assert_array_equal(kept[: at[0]], np.arange(at[0]))
    got, _ = rows_of(stream, size, start)
    np.testing.assert_array_equal(got, kept[start:])


@pytest.mark.parametrize("factor", [0.1, 0.5, 2.0, 10.0])
def test_odds_are_multiplied(factor):
    n = 200_000
    stream = prior_shift(numbered(n), "y0", factor, at=[30_000, 60_000], seed=1)
    _, Y = rows_of(stream, 5000)

    def odds(part):
        return part.mean() / (1 - part.mean())

    base = odds(Y[:30_000, 0])
    assert odds(Y[30_000:60_000, 0]) / base == pytest.approx(factor, rel=0.12)
    assert odds(Y[60_000:, 0]) / base == pytest.approx(factor**2, rel=0.15)
    assert Y[:, 1].mean() == pytest.approx(0.4, abs=0.02)  # an independent label keeps its share


def test_both_kinds_of_row_beyond_the_change():
    stream = prior_shift(numbered(1000), 0, 1e-12, at=500)
    _, Y = rows_of(stream)
    assert not Y[500:, 0].any()
    stream = prior_shift(numbered(1000), 0, 1e12, at=500)
    assert rows_of(stream)[1][500:, 0].all()


def test_a_gradual_shift_mixes_the_two():
    stream = prior_shift(numbered(80_000), 0, 0.1, at=10_000, width=20_000)
    _, Y = rows_of(stream, 5000)
    shifted = 0.4 * 0.1 / (0.4 * 0.1 + 0.6)
    new = 1 / (1 + np.exp(-10 * ((np.arange(20) + 0.5) / 20 - 0.5)))
    np.testing.assert_allclose(Y[10_000:30_000, 0].reshape(20, 1000).mean(1), 0.4 + new * (shifted - 0.4), atol=0.05)
    assert Y[30_000:, 0].mean() == pytest.approx(shifted, abs=0.01)


def test_ground_truth_is_in_rows_of_the_result():
    below = numbered(4000, drifts=[Drift(100, 1, "a"), Drift(1500, 400, "b"), Drift(3999, 1, "c"), Drift(9999, 1, "d")])
    stream = prior_shift(below, 0, 0.2, at=500, seed=2)
    kept, _ = rows_of(stream)
    a, own, b, c = stream.drifts
    assert a == Drift(100, 1, "a")
    assert own == Drift(500, 1, "prior shift")
    assert b.start == np.searchsorted(kept, 1500)
    assert b.start + b.width == np.searchsorted(kept, 1900)
    assert c == Drift(int(np.searchsorted(kept, 3999)), 1, "c")
    assert stream.n_rows is None
    assert stream.most_rows == 4000


def test_a_drift_below_shows_where_the_truth_says():
    below = numbered(3000, share=1.0)
    below = rotate_labels(ArrayStream(np.arange(3000.0)[:, None], np.tile([1, 0, 0], (3000, 1))), at=2000)
    stream = prior_shift(below, "y0", 0.5, at=1000)
    _, Y = rows_of(stream)
    assert [d.kind for d in stream.drifts] == ["prior shift", "label rotation"]
    assert np.flatnonzero(Y[:, 1])[0] == stream.drifts[1].start


def test_chained():
    inner = prior_shift(numbered(20_000), 0, 0.5, at=2000, seed=3)
    outer = prior_shift(inner, 0, 0.5, at=2000, seed=3)
    kept, Y = rows_of(outer)
    assert set(kept) <= set(rows_of(inner)[0])
    odds = Y[2000:, 0].mean() / (1 - Y[2000:, 0].mean())
    assert odds == pytest.approx(0.25 * 0.4 / 0.6, rel=0.15)
    assert outer.most_rows == 20_000
    assert [d.start for d in outer.drifts] == [2000, 2000]
    with pytest.raises(ValueError, match="at=20000: expected a position before the end of the 20,000 rows"):
        prior_shift(inner, 0, 0.5, at=20_000)


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


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_hidden_instances(share):
    labelling = hide_labels(plain(), share, seed=2).labelling
    arrival = labelling.arrives(ROWS)
    never = arrival == NEVER
    assert never.mean() == pytest.approx(share, abs=0.015)
    np.testing.assert_array_equal(arrival[~never], ROWS[~never])
    told = labelling.labels_known(np.ones((N, 3), np.uint8), ROWS)
    np.testing.assert_array_equal(told, np.repeat(~never[:, None], 3, axis=1))


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_hidden_single_labels(share):
    labelling = hide_labels(plain(), share, per="label", seed=2).labelling
    np.testing.assert_array_equal(labelling.arrives(ROWS), ROWS)
    Y = np.ones((N, 3), np.uint8)
    Y[:, 1] = 0
    before = Y.copy()
    told = labelling.labels_known(Y, ROWS)
    assert told.dtype == np.uint8
    np.testing.assert_array_equal(Y, before)
    assert not told[:, 1].any()
    assert 1 - told[:, 0].mean() == pytest.approx(share, abs=0.015)
    if share == 0.5:
        assert abs(np.corrcoef(told[:, 0], told[:, 2])[0, 1]) < 0.03
    part = np.arange(700, 900)
    np.testing.assert_array_equal(labelling.labels_known(Y[part], part), told[part])


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
    assert weak.labels_known(np.ones((N, 1), np.uint8), ROWS).mean() == pytest.approx(0.25, abs=0.02)


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
    told = stream.labelling.labels_known(np.ones((N, 4), np.uint8), ROWS)
    assert (told[:, 0] <= told[:, 1]).all()
    assert (told[:, 1] <= told[:, 2]).all()
    np.testing.assert_allclose(told.mean(0), [0.7**3, 0.7**2, 0.7, 0.7], atol=0.02)


@pytest.mark.parametrize("delay", [-1, 2.5, "7", "soon", True, None, (5, 3), (1, 2, 3), (0, -1), 10**9 + 1, []])
def test_wrong_delays(delay):
    with pytest.raises(ValueError, match=r"delay=.* expected a number of rows from 0 to 1,000,000,000, a pair"):
        delay_labels(plain(), delay)
