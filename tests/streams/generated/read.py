"""Read the rows of a generated stream, for tests."""

from __future__ import annotations

import numpy as np

from tests.streams.read import rows


def read(stream, n=None, size=1000, start=0):
    return rows(stream, start, n, size)


def numbers(low, high):
    return np.arange(low, high)


def all_positive(stream, value=1):
    n = stream.n_rows
    return np.full((n, stream.schema.n_labels), value, np.uint8), np.empty((n, stream.schema.n_features))
