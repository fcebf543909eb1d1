"""A stream of five features and four labels, some of it missing, for the tests of drift."""

from __future__ import annotations

import numpy as np

from streamlab.schema import Feature, Schema
from streamlab.streams.readers.arrays import ArrayStream

N = 900
COLOURS = ("red", "green", "blue")
SCHEMA = Schema(
    (Feature("u"), Feature("c", COLOURS), Feature("v", None, 0.0, 1.0), Feature("d", COLOURS), Feature("w")),
    ("news", "sport", "art", "food"),
)
RNG = np.random.default_rng(5)
X = RNG.random((N, 5))
X[:, [1, 3]] = RNG.integers(0, 3, (N, 2))
X[RNG.random((N, 5)) < 0.05] = np.nan
X[:, 4] *= 1000.0
Y = RNG.integers(0, 2, (N, 4)).astype(np.uint8)


def plain(n=N, **options):
    return ArrayStream(X[:n], Y[:n], schema=SCHEMA, **options)


def rows_of(stream, size=100, start=0, stop=None):
    chunks = list(stream.chunks(size, start=start, stop=stop))
    for chunk in chunks:
        assert chunk.X.dtype == np.float64
        assert chunk.Y.dtype == np.uint8
        assert chunk.X.flags.c_contiguous
        assert chunk.Y.flags.c_contiguous
        assert set(np.unique(chunk.Y)) <= {0, 1}
    assert [c.start for c in chunks] == [start + i * size for i in range(len(chunks))]
    if not chunks:
        return np.empty((0, stream.schema.n_features)), np.empty((0, stream.schema.n_labels), np.uint8)
    return np.concatenate([c.X for c in chunks]), np.concatenate([c.Y for c in chunks])


def assert_same(got, expected):
    for g, e in zip(got, expected, strict=True):
        np.testing.assert_array_equal(g, e)
