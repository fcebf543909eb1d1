"""Rows that wait for their labels: in order of arrival, each once, the lost ones never."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from streamlab.lab.course import DelayQueue

NEVER = np.iinfo(np.int64).max


@settings(max_examples=100, deadline=None)
@given(
    delays=st.lists(st.one_of(st.integers(0, 40), st.just(-1)), max_size=80),
    cuts=st.lists(st.integers(0, 80), max_size=6),
)
def test_each_row_comes_once_in_order_of_arrival(delays, cuts):
    rows = np.arange(len(delays))
    arrives = np.array([NEVER if d < 0 else row + d for row, d in enumerate(delays)], np.int64)
    pending = DelayQueue()
    taken: list[tuple[int, int]] = []
    stops = sorted({0, *[c for c in cuts if c <= len(delays)], len(delays)})
    for start, stop in zip(stops, [*stops[1:], None], strict=True):
        if stop is None:
            break
        pending.add(arrives[start:stop], rows[start:stop])
        at, *columns = pending.take(stop)
        assert (at < stop).all()
        taken += zip(at.tolist(), columns[0].tolist(), strict=True)
    assert taken == sorted(taken, key=lambda pair: pair)
    expected = sorted((a, r) for r, a in zip(rows.tolist(), arrives.tolist(), strict=True) if a < len(delays))
    assert taken == expected
    assert len(pending) == sum(len(delays) <= a < NEVER for a in arrives.tolist())


def test_an_empty_queue_gives_nothing():
    pending = DelayQueue()
    assert len(pending.take(10)[0]) == 0
    pending.add(np.array([3, NEVER]), np.array([[1.0], [2.0]]), np.array([7, 8]))
    assert len(pending) == 1
    at, X, y = pending.take(4)
    assert (at.tolist(), X.tolist(), y.tolist()) == ([3], [[1.0]], [7])
    assert len(pending) == 0
