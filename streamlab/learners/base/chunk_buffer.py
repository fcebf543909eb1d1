"""What learners that learn in chunks share: where they are in the present chunk, and its rows so far."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from streamlab.learners.base.rows import joined, widened
from streamlab.learners.base.storage import Array, Number, Storage, between


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


CHUNK_COUNTER = Storage(Number("since", low=0), Number("warming_up", bool, start=True, key="young"))
"""Rows since the last full chunk, and whether there was none yet."""
CHUNK_BUFFER = Storage(
    Array("chunk_X", ("chunk_rows", "features"), sparse=True, key="held_X"),
    Array("chunk_Y", ("chunk_rows", "labels"), np.uint8, rules=(between(0, 1),), key="held_Y"),
)
"""The rows of the present chunk."""


class ChunkCounter:
    """Counts the rows of the present chunk; needs the parameter ``chunk``, and ``CHUNK_COUNTER`` in its storage."""

    chunk: int
    _since: int
    _warming_up: bool

    def _pieces(self, n: int) -> Iterator[Piece]:
        """Cut ``n`` new rows where something is due, and count those of each piece before it is learned."""
        for piece in pieces(n, self._since, int(self.chunk), self._warming_up):
            self._since = 0 if piece.is_full else self._since + piece.stop - piece.start
            self._warming_up = self._warming_up and not piece.is_full
            yield piece


class ChunkBuffer(ChunkCounter):
    """Keeps the rows of the present chunk; needs ``CHUNK_BUFFER`` in its storage as well."""

    # an array, or ``SparseRows`` where these came
    _chunk_X: Any
    _chunk_Y: np.ndarray
    _features: Any
    _labels: list[str]

    def _fill_chunk(self, X: Any, Y: np.ndarray) -> None:
        self._chunk_X = joined(self._chunk_X, X)
        self._chunk_Y = np.concatenate([self._chunk_Y, Y])

    def _empty_chunk(self) -> None:
        self._chunk_X = np.zeros((0, self._chunk_X.shape[1]))
        self._chunk_Y = self._chunk_Y[:0].copy()

    def _widen_chunk(self) -> None:
        """Give its rows the columns that have come since."""
        self._chunk_X = widened(self._chunk_X, self._features)
        self._chunk_Y = np.pad(self._chunk_Y, ((0, 0), (0, len(self._labels) - self._chunk_Y.shape[1])))
