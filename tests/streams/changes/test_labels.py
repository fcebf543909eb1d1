"""Drifts of labels: rotation, swap, labels that come and go."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.schema import Feature, Hierarchy, Schema
from streamlab.streams.changes.labels import RotatedLabels, new_label, rotate_labels, swap_labels, vanish_label
from streamlab.streams.readers.arrays import ArrayStream
from streamlab.streams.readers.river import RiverStream
from streamlab.streams.stream import Drift
from tests.streams.changes.made import N, Y, plain, rows_of


def zeroth(n=1100, m=4, **options):
    """Row i has exactly the label 0, so the label seen is the number of places moved."""
    Y = np.zeros((n, m), np.uint8)
    Y[:, 0] = 1
    return ArrayStream(np.arange(n, dtype=float)[:, None], Y, **options)


def moved(stream, size=100, start=0):
    return np.concatenate([c.Y.argmax(1) for c in stream.chunks(size, start=start)])


def test_one_step_is_numpy_roll():
    Y = np.random.default_rng(0).integers(0, 2, (50, 6))
    stream = rotate_labels(ArrayStream(np.zeros((50, 1)), Y), at=20, by=1)
    got = np.concatenate([c.Y for c in stream.chunks(7)])
    np.testing.assert_array_equal(got[:20], Y[:20])
    np.testing.assert_array_equal(got[20:], np.roll(Y, 1, axis=1)[20:])
    assert got.dtype == np.uint8
    assert stream.drifts == (Drift(20, 1, "label rotation"),)
    assert isinstance(stream, RotatedLabels)
    assert stream.preview(5).shape == (5, 7)


def test_chained_keeps_all_drifts_in_order():
    inner = rotate_labels(zeroth(drifts=[Drift(5)]), at=600)
    outer = rotate_labels(inner, at=300)
    assert [d.start for d in outer.drifts] == [5, 300, 600]
    assert moved(outer)[[0, 299, 300, 599, 600]].tolist() == [0, 0, 1, 1, 2]


def test_eleven_stages():
    stream = rotate_labels(zeroth(n=22_000), stages=11, seed=3)
    assert [d.start for d in stream.drifts] == list(range(2000, 22_000, 2000))
    shares = moved(stream, 1000).reshape(11, 2000)
    assert set(np.unique(shares)) == {0, 1}
    assert not shares[0].any()
    assert shares[10].all()
    np.testing.assert_allclose(shares.mean(1), np.arange(11) / 10, atol=0.03)
    np.testing.assert_allclose(stream.share(np.arange(22_000)).reshape(11, 2000)[:, 5], np.arange(11) / 10)


def test_unknown_length_and_hierarchy():
    from river.datasets import synth

    endless = RiverStream(synth.Agrawal(seed=1))
    assert rotate_labels(endless, at=10**9).n_rows is None
    with pytest.raises(ValueError, match="stages=11: expected a stream of known length"):
        rotate_labels(endless, stages=11)
    schema = Schema((Feature("x"),), ("a", "b"), Hierarchy((-1, 0)))
    with pytest.raises(ValueError, match="form a hierarchy"):
        rotate_labels(ArrayStream([[0.0]], [[1, 1]], schema=schema), at=0)


def test_labels_change_places_and_change_back():
    stream = swap_labels(plain(), "news", "food", at=[100, 300, 500])
    _, got = rows_of(stream)
    swapped = Y[:, [3, 1, 2, 0]]
    for begin, end, expected in ((0, 100, Y), (100, 300, swapped), (300, 500, Y), (500, N, swapped)):
        np.testing.assert_array_equal(got[begin:end], expected[begin:end])
    assert stream.drifts == tuple(Drift(p, 1, "label swap") for p in (100, 300, 500))
    same = swap_labels(plain(), 0, 3, at=100, until=300)
    np.testing.assert_array_equal(rows_of(same)[1][:500], got[:500])
    assert same.drifts == stream.drifts[:2]


def test_gradual_share_and_truth_by_row():
    n = 20_000
    Y = np.zeros((n, 2), np.uint8)
    Y[:, 0] = 1
    stream = swap_labels(ArrayStream(np.zeros((n, 1)), Y), 0, 1, at=2000, width=6000, until=10_000, seed=4)
    is_swapped = rows_of(stream)[1][:, 1] == 1
    np.testing.assert_array_equal(is_swapped, stream.is_changed(np.arange(n)))
    assert not is_swapped[:2000].any()
    assert is_swapped[8000:10_000].all()
    assert not is_swapped[16_000:].any()
    share = stream.share(np.arange(n))
    np.testing.assert_allclose(is_swapped.reshape(20, 1000).mean(1), share.reshape(20, 1000).mean(1), atol=0.05)
    assert stream.drifts == (Drift(2000, 6000, "label swap"), Drift(10_000, 6000, "label swap"))


def test_a_swap_keeps_the_hierarchy():
    schema = Schema((Feature("x"),), ("root", "a", "a1", "a11", "b"), Hierarchy((-1, 0, 1, 2, 0)))
    tree = ArrayStream(np.zeros((4, 1)), np.ones((4, 5)), schema=schema)
    with pytest.raises(ValueError, match="'a' and 'b' would break their hierarchy; expected two with the same parent"):
        swap_labels(tree, "a", "b", at=0)
    schema = Schema((Feature("x"),), ("root", "a", "b"), Hierarchy((-1, 0, 0)))
    twins = ArrayStream([[0.0]], [[1, 1, 0]], schema=schema)
    assert rows_of(swap_labels(twins, "a", "b", at=0))[1].tolist() == [[1, 0, 1]]


def test_labels_come_and_go():
    stream = new_label(plain(), "sport", at=[100, 300])
    _, got = rows_of(stream)
    expected = Y.copy()
    expected[:100, 1] = 0
    expected[300:, 1] = 0
    np.testing.assert_array_equal(got, expected)
    assert stream.drifts == (Drift(100, 1, "new label"), Drift(300, 1, "label vanishing"))
    stream = vanish_label(plain(), 1, at=100, width=50, until=300)
    _, got = rows_of(stream)
    expected = Y.copy()
    expected[stream.is_changed(np.arange(N)), 1] = 0
    np.testing.assert_array_equal(got, expected)
    assert not got[150:300, 1].any()
    assert got[100:150, 1].any()
    assert stream.drifts == (Drift(100, 50, "label vanishing"), Drift(300, 50, "new label"))
    assert stream.name == "arrays, sport vanishes"


def test_labels_below_vanish_too():
    schema = Schema((Feature("x"),), ("root", "a", "a1", "a11", "b"), Hierarchy((-1, 0, 1, 2, 0)))
    tree = ArrayStream(np.zeros((4, 1)), np.ones((4, 5)), schema=schema)
    assert rows_of(vanish_label(tree, "a", at=2))[1].tolist() == [[1] * 5] * 2 + [[1, 0, 0, 0, 1]] * 2
