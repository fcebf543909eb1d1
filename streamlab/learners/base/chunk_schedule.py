"""When a learner that learns in chunks does so: at places that depend on the number of instances alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Piece", "pieces"]


class Piece(NamedTuple):
    """Rows ``start`` to ``stop`` of those that came; whether something is due after them, and a chunk is full."""

    start: int
    stop: int
    is_due: bool
    is_full: bool


def pieces(n: int, since: int, every: int, warming_up: bool) -> Iterator[Piece]:
    """Cut ``n`` new rows where a chunk of ``every`` rows is full, so that no cut of the stream changes what is learned.

    Parameters
    ----------
    n
        Number of new rows.
    since
        Rows since the last full chunk.
    every
        Rows of a chunk, 1 or more.
    warming_up
        Whether no chunk has been full yet. Then something is also due whenever the rows have doubled (1, 2, 4, ...), so
        that a learner answers before its first chunk is full.
    """
    start = 0
    while start < n:
        ahead = max(every - since, 1)
        if warming_up:
            ahead = min(ahead, (1 << since.bit_length()) - since)
        stop = min(start + ahead, n)
        since += stop - start
        is_full = since >= every
        yield Piece(start, stop, is_full or (warming_up and stop - start == ahead), is_full)
        if is_full:
            since, warming_up = 0, False
        start = stop
