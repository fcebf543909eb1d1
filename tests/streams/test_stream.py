"""The contract: cutting blocks into chunks, whatever the blocks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.schema import Feature, Schema
from streamlab.streams.stream import Stream


class Blocks(Stream):
    """Rows 0, 1, 2 … in blocks of given lengths; remembers how many blocks were asked for."""

    name = "blocks"
    schema = Schema((Feature("x"),), ("l",))

    def __init__(self, lengths):
        self.lengths = lengths
        self.n_read = 0

    def blocks(self, start=0):
        at = 0
        for length in self.lengths:
            if at + length > start:
                self.n_read += 1
                rows = np.arange(max(at, start), at + length, dtype=float)
                yield rows[:, None], (rows[:, None] % 2).astype(np.uint8)
            at += length


@settings(max_examples=200, deadline=None)
@given(
    lengths=st.lists(st.integers(0, 9), max_size=12),
    size=st.integers(1, 20),
    start=st.integers(0, 60),
    stop=st.none() | st.integers(0, 60),
)
def test_chunks_are_the_rows_in_order(lengths, size, start, stop):
    n = sum(lengths)
    chunks = list(Blocks(lengths).chunks(size, start=start, stop=stop))
    expected = list(range(start, n if stop is None else min(n, stop)))
    assert [int(v) for c in chunks for v in c.X[:, 0]] == expected
    assert all(len(c) == size for c in chunks[:-1])
    assert all(c.X[0, 0] == c.start and c.stop == c.start + len(c) and len(c) > 0 for c in chunks)
    assert all(c.X.flags.c_contiguous and c.X.dtype == np.float64 and c.Y.dtype == np.uint8 for c in chunks)


def test_nothing_is_read_beyond_the_stop():
    stream = Blocks([10, 10, 10])
    assert [len(c) for c in stream.chunks(4, stop=10)] == [4, 4, 2]
    assert stream.n_read == 1
    assert list(stream.chunks(4, start=5, stop=5)) == []
    assert stream.n_read == 1


@pytest.mark.parametrize("options", [{"size": 0}, {"size": 5, "start": -1}])
def test_wrong_arguments_are_refused_at_once(options):
    with pytest.raises(ValueError, match="expected a whole number, at least"):
        Blocks([3]).chunks(**options)


def test_preview_of_fewer_and_of_no_rows():
    assert len(Blocks([3]).preview(5)) == 3
    empty = Blocks([]).preview(5)
    assert len(empty) == 0
    assert list(empty.columns) == [("feature", "x"), ("label", "l")]
