"""Features swapped: pairs and shares, with their declared ranges."""

from __future__ import annotations

import numpy as np
import pytest

from streamlab.schema import Feature, Schema
from streamlab.streams.changes.feature_swap import swap_features
from streamlab.streams.readers.arrays import ArrayStream
from tests.streams.changes.made import COLOURS, X, plain, rows_of


def test_features_change_places_and_so_do_their_ranges():
    stream = swap_features(plain(), "u", "w", at=100)
    got, _ = rows_of(stream)
    np.testing.assert_array_equal(got[100:], X[100:][:, [4, 1, 2, 3, 0]])
    schema = Schema((Feature("a", None, 0.0, 1.0), Feature("b", None, -5.0, 0.5)), ("y",))
    ranged = swap_features(ArrayStream([[0.5, -5.0]], [[1]], schema=schema), 0, 1, at=0)
    assert [(f.low, f.high) for f in ranged.schema.features] == [(-5.0, 1.0)] * 2
    assert swap_features(plain(), "v", "w", at=1).schema.features[2] == Feature("v")


@pytest.mark.parametrize(("share", "n"), [(0.01, 2), (0.5, 10), (1.0, 20)])
def test_a_share_of_the_features_moves_in_a_circle(share, n):
    values = np.tile(np.arange(20.0), (4, 1))
    stream = swap_features(ArrayStream(values, np.ones((4, 1))), share=share, at=2, seed=1)
    got, _ = rows_of(stream)
    assert (got[0] == values[0]).all()
    assert (got[2] != values[2]).sum() == n
    assert sorted(got[2]) == sorted(values[2])
    assert sorted(stream.places) == np.flatnonzero(got[2] != values[2]).tolist()
    again = swap_features(ArrayStream(values, np.ones((4, 1))), share=share, at=2, seed=2)
    assert again.places != stream.places


def test_a_share_needs_two_numeric_features():
    schema = Schema((Feature("x"), Feature("c", COLOURS)), ("y",))
    with pytest.raises(ValueError, match=r"share=0.5: arrays has 1 numeric features; expected two"):
        swap_features(ArrayStream([[0.0, 1.0]], [[1]], schema=schema), share=0.5, at=0)
