"""What learners that learn in chunks share: where they are in the present chunk, and its rows so far."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from streamlab.learners.base.chunk_schedule import Piece, pieces
from streamlab.learners.base.storage import Array, Number, Storage, between
from streamlab.schema import Feature

__all__ = ["CHUNK_BUFFER", "CHUNK_COUNTER", "ChunkBuffer", "ChunkCounter", "widened"]

CHUNK_COUNTER = Storage(Number("since", low=0), Number("warming_up", bool, start=True, key="young"))
"""Rows since the last full chunk, and whether there was none yet."""

CHUNK_BUFFER = Storage(
    Array("chunk_X", ("chunk_rows", "features"), key="held_X"),
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

    _chunk_X: np.ndarray
    _chunk_Y: np.ndarray
    _features: list[Feature]
    _labels: list[str]

    def _fill_chunk(self, X: np.ndarray, Y: np.ndarray) -> None:
        self._chunk_X = np.concatenate([self._chunk_X, X])
        self._chunk_Y = np.concatenate([self._chunk_Y, Y])

    def _empty_chunk(self) -> None:
        self._chunk_X, self._chunk_Y = self._chunk_X[:0].copy(), self._chunk_Y[:0].copy()

    def _widen_chunk(self) -> None:
        """Give its rows the columns that have come since."""
        self._chunk_X = widened(self._chunk_X, self._features)
        self._chunk_Y = np.pad(self._chunk_Y, ((0, 0), (0, len(self._labels) - self._chunk_Y.shape[1])))


def widened(X: np.ndarray, features: list[Feature]) -> np.ndarray:
    """Return rows under the present columns: before it came, a new feature was zero, a nominal one missing."""
    added = features[X.shape[1] :]
    values = np.array([np.nan if f.is_nominal else 0.0 for f in added])
    return np.hstack([X, np.tile(values, (len(X), 1))]) if added else X
