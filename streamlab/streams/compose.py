"""Streams one after another: joined, or each in the place of the one before, suddenly or gradually, perhaps again."""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from streamlab._checks import checked_count
from streamlab.schema import NumberedFeatures, Schema
from streamlab.streams.blocks import stacked
from streamlab.streams.draws import count_passed, key_base
from streamlab.streams.stream import Drift, Rows, Stream
from streamlab.streams.wrapped import (
    check_ascending,
    check_labels_at_once,
    check_not_live,
    in_order,
    most_rows,
    positions,
    spans,
)

__all__ = ["ComposedStream", "JoinedStream", "compose", "join"]

BLOCK_ROWS = 1024


class ComposedStream(Stream):
    """Rows of several streams, one stream after another; see ``compose`` for the parameters and errors.

    ``streams`` are the different ones among those given, in the order in which they come first.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> before, after = (ArrayStream([[x]] * 4, [[1]] * 4) for x in (0.0, 1.0))
    >>> stream = compose([before, after], at=[2])
    >>> type(stream).__name__, next(stream.chunks(4)).X.ravel().tolist()
    ('ComposedStream', [0.0, 0.0, 1.0, 1.0])
    """

    def __init__(
        self,
        streams: Sequence[Stream],
        at: int | Sequence[int],
        *,
        width: int = 1,
        n_rows: int | None = None,
        seed: int = 0,
    ) -> None:
        given = _given(streams)
        self.streams: list[Stream] = []
        for stream in given:
            if not any(stream is known for known in self.streams):
                self.streams.append(stream)
        check_not_live(given, "a composition")
        self._parts = np.array([next(i for i, s in enumerate(self.streams) if s is stream) for stream in given])
        self.width = checked_count("width", width, 1)
        how = "sudden" if self.width == 1 else "gradual"
        self.seed = checked_count("seed", seed)
        self._wanted = checked_count("n_rows", n_rows, 1, optional=True)
        self.schema = common_schema(given)
        self.is_sparse = given[0].is_sparse
        self.name = " → ".join(stream.name for stream in given)
        self._key = key_base("composition")
        self.at: tuple[int, ...] = positions(at, self)
        check_ascending(self.at, self.width)
        if len(self.at) != len(given) - 1:
            raise ValueError(
                f"at={list(self.at)}: {len(given)} streams change places {len(given) - 1} times; "
                f"expected {len(given) - 1} positions"
            )
        self.n_rows = self._length()
        self.drifts = tuple(
            Drift(position, self.width, "recurrent" if part in self._parts[:i] else how)
            for i, (position, part) in enumerate(zip(self.at, self._parts[1:], strict=True), 1)
        )

    @property
    def most_rows(self) -> int | None:
        """A bound for ``n_rows`` where that is unknown, or None."""
        bounds = [most_rows(stream) for stream in self.streams]
        known = [bound for bound in bounds if bound is not None]
        return self._wanted if self._wanted is not None or len(known) < len(bounds) else sum(known)

    def concept_of(self, rows: np.ndarray) -> np.ndarray:
        """Return the ground truth row by row: which of ``self.streams`` the rows at these positions come from.

        Parameters
        ----------
        rows
            Positions in the stream, integers of shape (n,).

        Returns
        -------
        numpy.ndarray
            int64 of shape (n,), indices of ``self.streams``.
        """
        rows = np.asarray(rows, np.int64)
        return self._parts[count_passed(rows, self.at, self.width, self.seed, self._key)]

    def origin_of(self, row: int) -> tuple[Stream, int]:
        part = int(self.concept_of(np.array([row]))[0])
        return self.streams[part], int(self._delivered(row)[part])

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        counts = self._delivered(start)
        readers = [Rows(stream, int(count)) for stream, count in zip(self.streams, counts, strict=True)]
        for at, stop in spans(start, self.n_rows, BLOCK_ROWS):
            parts = self.concept_of(np.arange(at, stop))
            n = len(parts)
            came: list[tuple[np.ndarray, Any, np.ndarray]] = []
            for part in np.unique(parts):
                places = np.flatnonzero(parts == part)
                X, Y = readers[part].take(len(places))
                if len(Y):
                    came.append((places[: len(Y)], X, Y))
                if len(Y) < len(places):  # this one has come to its end, and the composition with it
                    n = min(n, int(places[len(Y)]))
            if n:
                at_places, X, Y = (stacked(each) for each in zip(*came, strict=True))
                order = np.argsort(at_places)[:n]
                yield X[order], Y[order]
            if n < len(parts):
                if self._wanted is not None:
                    raise ValueError(
                        f"n_rows={self._wanted}: {self.name} ends at row {at + n:,}; expected longer streams"
                    )
                return

    def _delivered(self, stop: int) -> np.ndarray:
        """Return how many rows each part has delivered before row ``stop``."""
        counts = np.zeros(len(self.streams), np.int64)
        begin = 0
        for part, position in zip(self._parts, (*self.at, stop), strict=True):
            counts[part] += max(min(position, stop) - begin, 0)
            begin = position
            if self.width > 1 and position < stop:
                begin += self.width
                drawn = self.concept_of(np.arange(position, min(begin, stop)))
                counts += np.bincount(drawn, minlength=len(counts))
        return counts

    def _length(self) -> int | None:
        """Return the number of rows if it can be known: where a part is first asked for a row behind its end.

        Raises
        ------
        ValueError
            If more rows are needed.
        """
        lengths = [stream.n_rows for stream in self.streams]
        last = self.at[-1] + self.width + (lengths[self._parts[-1]] or 0)
        most = last + 1 if self._wanted is None else self._wanted
        ends = [
            (bisect.bisect_right(range(most), length, key=lambda row: int(self._delivered(row)[part])) - 1, part)
            for part, (length, asked) in enumerate(zip(lengths, self._delivered(most), strict=True))
            if length is not None and asked > length
        ]
        if not ends:
            return self._wanted
        over, part = min(ends)
        of, place = self.streams[part], int(np.argmax(self._parts == part))
        needed = f"{of.name} (streams[{place}]) ends after {of.n_rows:,} rows, at row {over:,}"
        if self._wanted is not None:
            raise ValueError(f"n_rows={self._wanted}: {needed}; expected a longer stream, or n_rows of at most {over}")
        if self.at[-1] >= over:
            raise ValueError(f"at={self.at[-1]}: {needed}; expected positions before it, or a longer stream")
        return over if all(lengths[p] is not None for p in np.flatnonzero(self._delivered(over))) else None


def compose(
    streams: Sequence[Stream],
    at: int | Sequence[int],
    width: int = 1,
    seed: int = 0,
    n_rows: int | None = None,
) -> Stream:
    """Streams one after another: at each position the next takes the place of the one before.

    Parameters
    ----------
    streams
        Two or more streams with the same features and labels. The same object given again is a concept that comes
        again: ``compose([a, b, a], at=[100, 300])``; it goes on where it was left, not from its first row.
    at
        Where each but the first begins: a position in the resulting stream, or a list of them, counted from 0 and at
        least ``width`` apart.
    width
        Over how many rows a change comes about. 1 (default) is sudden; else the chance that a row comes from the next
        stream grows over ``[at, at + width)`` as a logistic curve from 0.7 % to 99.3 %, and is 0 before and 1 after.
        Parameters of concepts that change step by step are those of ``MultiLabelGenerator(how="incremental")``.
    seed
        Which rows come from which stream in a gradual change: drawn for each row from its position and the seed, so
        that neither chunks nor the starting row have an influence.
    n_rows
        The length of the resulting stream. Default None: it ends where a stream is asked for its next row and has
        none; known beforehand if the lengths of all are.

    Returns
    -------
    ComposedStream
        ``concept_of(rows)`` says which stream each row comes from; each stream delivers all its rows in order.
        ``drifts`` holds the changes (kinds ``"sudden"``, ``"gradual"``, and ``"recurrent"`` for a stream that comes
        again), not the drifts of the parts, whose positions move. Their ``labelling`` is not passed on either: delay or
        hide the labels of the result. Names and categories are those of all; a feature's declared range includes those
        of all.

    Raises
    ------
    ValueError
        If there are fewer than two streams, their features or labels differ (the first difference is named), one
        follows itself, a stream ends before the last change or before ``n_rows``, there are not as many positions as
        changes, or a parameter is out of range.

    References
    ----------
    MOA's ConceptDriftStream and RecurrentConceptDriftStream: Bifet et al., "MOA: Massive Online Analysis", Journal of
    Machine Learning Research 11 (2010). A change begins at ``at``, see ``rotate_labels``.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> low = ArrayStream([[float(i)] for i in range(4)], [[0]] * 4)
    >>> high = ArrayStream([[float(i)] for i in range(10, 14)], [[1]] * 4)
    >>> there_and_back = compose([low, high, low], at=[2, 4])
    >>> next(there_and_back.chunks()).X.ravel().tolist()
    [0.0, 1.0, 10.0, 11.0, 2.0, 3.0]
    >>> there_and_back.n_rows
    6
    """
    return ComposedStream(streams, at, width=width, n_rows=n_rows, seed=seed)


def _given(streams: Sequence[Stream]) -> list[Stream]:
    given = list(streams)
    for i, stream in enumerate(given):
        if not isinstance(stream, Stream):
            raise ValueError(f"streams[{i}] is a {type(stream).__name__}; expected a Stream: open it with load()")
    if len(given) < 2:
        raise ValueError(f"streams has {len(given)} stream{'s' * (len(given) != 1)}; expected at least two")
    for i in range(1, len(given)):
        if given[i] is given[i - 1]:
            raise ValueError(f"streams[{i}] is the same stream as the one before it; expected another")
    return given


def common_schema(streams: Sequence[Stream]) -> Schema:
    """Return the schema of all, with ranges that hold those of all."""
    schema = streams[0].schema
    for i, stream in enumerate(streams[1:], 1):
        difference = schema.difference(stream.schema, ranges=False)
        if difference is not None:
            raise ValueError(
                f"streams[0] ({streams[0].name}) and streams[{i}] ({stream.name}) have different schemas: "
                f"{difference}; expected the same features and labels"
            )
        if stream.is_sparse != streams[0].is_sparse:
            raise ValueError(
                f"streams[0] ({streams[0].name}) and streams[{i}] ({stream.name}): one is sparse, the other gives "
                "arrays; expected all of one kind (sl.load(..., sparse=...))"
            )
        if isinstance(schema.features, NumberedFeatures):
            continue
        pairs = zip(schema.features, stream.schema.features, strict=True)
        schema = schema.with_features({j: mine.with_range_of(its) for j, (mine, its) in enumerate(pairs)})
    return schema


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
        check_labels_at_once(self.streams, "the joining")
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
