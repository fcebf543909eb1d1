"""Streams one after another as one stream, such as the published training and test parts of a data set."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from streamlab._checks import checked_count
from streamlab.streams.compose import common_schema
from streamlab.streams.stream import Drift, Stream
from streamlab.streams.wrapped import check_not_live, check_told_at_once, in_order

__all__ = ["JoinedStream", "join"]


class JoinedStream(Stream):
    """Rows of several streams in order, and only the first of them if asked; see ``join``.

    Examples
    --------
    >>> import streamlab as sl
    >>> JoinedStream([sl.load("yeast")], n_rows=100)
    <JoinedStream 'yeast, first 100 rows': 100 rows, 103 features, 14 labels>
    """

    def __init__(self, streams: Sequence[Stream], n_rows: int | None = None, start: int = 0) -> None:
        self.streams = tuple(streams)
        if not self.streams or not all(isinstance(stream, Stream) for stream in self.streams):
            raise ValueError(f"streams={streams!r}: expected a list of at least one stream")
        checked_count("n_rows", n_rows, 1, optional=True)
        self._first = checked_count("start", start)
        check_not_live(self.streams, "joining")
        check_told_at_once(self.streams, "the joining")
        for i, stream in enumerate(self.streams):
            if stream.n_rows is None and i + 1 < len(self.streams):
                raise ValueError(f"streams[{i}] ({stream.name}): only the last stream may have an unknown length")
        self.schema = common_schema(self.streams)
        self.is_sparse = self.streams[0].is_sparse
        lengths = [stream.n_rows for stream in self.streams]
        total = None if lengths[-1] is None else sum(length or 0 for length in lengths)
        self._starts = np.cumsum([0, *(length or 0 for length in lengths[:-1])]).tolist()
        if total is not None and start >= total:
            raise ValueError(f"start={start}: expected a row before the end of the {total:,} rows")
        self._stop = None if n_rows is None else start + int(n_rows)
        end = total if self._stop is None else self._stop if total is None else min(total, self._stop)
        self.n_rows = None if end is None else end - start
        self.is_whole = not start and (self._stop is None or self._stop == total)
        """Whether it has all rows of its streams."""
        self.name = " + ".join(stream.name for stream in self.streams)
        if start:
            self.name += f", from row {start:,}"
        if n_rows is not None and self._stop != total:
            self.name += f", first {n_rows:,} rows"
        self.drifts = in_order(
            Drift(drift.start + begin - start, drift.width, drift.kind, drift.about)
            for stream, begin in zip(self.streams, self._starts, strict=True)
            for drift in stream.drifts
            if start <= drift.start + begin and (self._stop is None or drift.start + begin < self._stop)
        )
        recipes = [stream.recipe for stream in self.streams]
        if None not in recipes:
            self.recipe = {"parts": recipes, "rows": n_rows} | ({"start": start} if start else {})

    def origin_of(self, row: int) -> tuple[Stream, int]:
        row += self._first
        part = int(np.searchsorted(self._starts, row, "right")) - 1
        return self.streams[part], row - self._starts[part]

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        at = start + self._first
        for stream, begin in zip(self.streams, self._starts, strict=True):
            if stream.n_rows is not None and at >= begin + stream.n_rows:
                continue
            for X, Y in stream.checked_blocks(at - begin):
                left = len(Y) if self._stop is None else min(len(Y), self._stop - at)
                if left > 0:
                    yield X[:left], Y[:left]
                at += left
                if self._stop is not None and at >= self._stop:
                    return


def join(streams: Sequence[Stream], n_rows: int | None = None, start: int = 0) -> Stream:
    """Return the rows of several streams, one stream after another, as one stream without a drift between them.

    Parameters
    ----------
    streams
        Streams with the same features and labels; of all but the last the length must be known.
    n_rows
        Only this many first rows; None: all.
    start
        The row with which it begins.

    Raises
    ------
    ValueError
        If there is none, or no row from ``start`` on, their schemas differ, one is sparse and another not, a length is
        unknown, or labels come late in one of them.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> train, test = ArrayStream([[0.0], [1.0]], [[0], [1]]), ArrayStream([[2.0]], [[1]])
    >>> next(join([train, test]).chunks(3)).X.ravel().tolist()
    [0.0, 1.0, 2.0]
    """
    return JoinedStream(streams, n_rows, start)
