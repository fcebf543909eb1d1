"""Two labels swapped: where, how gradually, and back; the positions that every toggling drift takes."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.schema import Feature, Hierarchy, Schema
from streamlab.streams.changes.label_swap import swap_labels
from streamlab.streams.readers.arrays import ArrayStream
from streamlab.streams.stream import Drift
from tests.streams.changes.made import N, Y, plain, rows_of


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
