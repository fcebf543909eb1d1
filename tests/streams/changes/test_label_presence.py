"""Labels that appear and vanish, with the labels below them."""

from __future__ import annotations

import numpy as np

from streamlab.schema import Feature, Hierarchy, Schema
from streamlab.streams.changes.label_presence import new_label, vanish_label
from streamlab.streams.readers.arrays import ArrayStream
from streamlab.streams.stream import Drift
from tests.streams.changes.made import N, Y, plain, rows_of


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
