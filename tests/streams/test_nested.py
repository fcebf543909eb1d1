"""Labels put under others: names in order, ancestors set, what cannot be refused."""

from __future__ import annotations

import numpy as np
import pytest

import streamlab as sl
from streamlab.streams.readers.arrays import ArrayStream

Y = np.eye(4, dtype=np.uint8)


def flat():
    schema = sl.Schema((sl.Feature("x"),), ("a", "b", "c", "d"))
    return ArrayStream(np.arange(4.0)[:, None], Y, schema=schema, name="flat", drifts=[sl.Drift(2)])


def test_deep_and_uneven():
    stream = sl.nest_labels(flat(), {"a": "inner", "inner": "top", "c": "top", "d": "other"})
    assert stream.schema.labels == ("top", "inner", "a", "c", "b", "other", "d")
    assert stream.schema.hierarchy.parents == (-1, 0, 1, 0, -1, -1, 5)
    chunk = next(stream.chunks())
    assert chunk.Y.tolist() == [
        [1, 1, 1, 0, 0, 0, 0],
        [0, 0, 0, 0, 1, 0, 0],
        [1, 0, 0, 1, 0, 0, 0],
        [0, 0, 0, 0, 0, 1, 1],
    ]
    assert chunk.Y.dtype == np.uint8
    assert (stream.n_rows, stream.drifts) == (4, (sl.Drift(2),))
    np.testing.assert_array_equal(next(stream.chunks(start=2)).Y, chunk.Y[2:])


def test_several_labels_at_once_share_what_is_above():
    below = ArrayStream([[0.0]] * 2, [[1, 1], [0, 0]])
    stream = sl.nest_labels(below, {"y0": "both", "y1": "both"})
    assert next(stream.chunks()).Y.tolist() == [[1, 1, 1], [0, 0, 0]]


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ({"e": "top"}, "'e' is neither a label of flat"),
        ({"a": "b"}, "'b' is a label of flat"),
        ({"a": "p", "p": "q", "q": "p"}, "'p' is above itself"),
        ({"p": "q", "q": "p"}, "no label of flat is below"),
    ],
)
def test_bad_parents(parents, message):
    with pytest.raises(ValueError, match=message):
        sl.nest_labels(flat(), parents)


def test_bad_streams():
    nested = sl.nest_labels(flat(), {"a": "top"})
    with pytest.raises(ValueError, match="form a hierarchy already"):
        sl.nest_labels(nested, {"b": "another"})
    with pytest.raises(ValueError, match="put in after the nesting"):
        sl.nest_labels(sl.delay_labels(flat(), 2), {"a": "top"})
    with pytest.raises(ValueError, match="hierarchy, which a rotation would break"):
        sl.rotate_labels(nested, at=1)
