"""When a learner that learns in chunks does so: at places that depend on the count of instances alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Turn", "turns"]


class Turn(NamedTuple):
    """A piece of the rows that came: ``start`` to ``stop``; whether something is ``due`` then, and a chunk ``full``."""

    start: int
    stop: int
    due: bool
    full: bool


def turns(n: int, since: int, every: int, young: bool) -> Iterator[Turn]:
    """Cut ``n`` new rows where a chunk of ``every`` rows is full, so that no cut of the stream changes what is learned.

    Parameters
    ----------
    n
        Number of new rows.
    since
        Rows since the last full chunk.
    every
        Rows of a chunk, 1 or more.
    young
        Whether no chunk has been full yet; then something is due too whenever the rows have doubled (1, 2, 4, ...),
        lest a learner be silent for a whole chunk.
    """
    start = 0
    while start < n:
        ahead = max(every - since, 1)
        if young:
            ahead = min(ahead, (1 << since.bit_length()) - since)
        stop = min(start + ahead, n)
        since += stop - start
        full = since >= every
        yield Turn(start, stop, full or (young and stop - start == ahead), full)
        if full:
            since, young = 0, False
        start = stop
