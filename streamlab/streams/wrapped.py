"""Streams that change another stream, and the positions where a change begins; labels put under new ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from streamlab._checks import checked_count, few, near
from streamlab.schema import Hierarchy, Schema
from streamlab.streams.draws import key_base
from streamlab.streams.stream import Drift, Stream

__all__ = ["NestedLabels", "WrappedStream", "nest_labels"]


class WrappedStream(Stream):
    """A stream made of another one: with its name, schema, length, labelling and drifts, and drifts of its own.

    A subclass overrides ``_change`` (row by row) or ``blocks``. What it draws for a row depends on its seed and the
    row's position alone: neither chunks nor the starting row matter.

    Parameters
    ----------
    stream
        The stream below.
    what
        What was done to it, added to its name.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> class Doubled(WrappedStream):
    ...     def _change(self, X, Y, rows):
    ...         return 2 * X, Y
    >>> next(Doubled(ArrayStream([[1.0], [2.0]], [[0], [1]]), "doubled").chunks()).X.tolist()
    [[2.0], [4.0]]
    """

    def __init__(self, stream: Stream, what: str) -> None:
        self.stream, self.streams = stream, (stream,)
        self.name = f"{stream.name}, {what}"
        self.schema = stream.schema
        self.labelling, self.is_sparse, self.is_live = stream.labelling, stream.is_sparse, stream.is_live
        self.moments = stream.moments
        self._own: tuple[Drift, ...] = ()

    def has_rows(self, start: int, n: int) -> bool:
        return self.stream.has_rows(start, n)

    def why_waiting(self) -> str:
        return self.stream.why_waiting()

    @property
    def n_rows(self) -> int | None:  # type: ignore[override]
        return self.stream.n_rows

    @property
    def most_rows(self) -> int | None:
        """A bound for ``n_rows`` where that is unknown, or None."""
        return most_rows(self.stream)

    @property
    def drifts(self) -> tuple[Drift, ...]:  # type: ignore[override]
        return in_order((*self.stream.drifts, *self._own))

    def row_below(self, row: int) -> int | None:
        """Return the position in the stream below of a row; None where that is not known."""
        return row

    def origin_of(self, row: int) -> tuple[Stream, int] | None:
        below = self.row_below(row)
        return None if below is None else (self.stream, below)

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        at = start
        for X, Y in self.stream.checked_blocks(start):
            yield self._change(X, Y, np.arange(at, at + len(Y)))
            at += len(Y)

    def _change(self, X: Any, Y: np.ndarray, rows: np.ndarray) -> tuple[Any, np.ndarray]:
        """Return the rows at these positions, changed; X and Y may belong to others and are not written to.

        X is CSR where the stream ``is_sparse``.
        """
        return X, Y


def chain_key(kind: str, stream: Stream, of: type[WrappedStream]) -> int:
    """Return the first key of this kind of draw for one more wrapper of the class ``of`` around ``stream``.

    Other keys for each such wrapper that the stream is already made of, so that two of them in a chain draw
    independently from the same seed.
    """
    depth = 0
    while isinstance(stream, WrappedStream):
        depth += isinstance(stream, of)
        stream = stream.stream
    return key_base(kind, depth)


def positions(
    at: int | Sequence[int] | None,
    stream: Stream | None,
    *,
    apart: int | None = None,
    what: str = "at",
    optional: bool = False,
) -> tuple[int, ...]:
    """Return one or several positions in a stream as a tuple.

    Parameters
    ----------
    at
        A position, or a sequence of them, in rows counted from 0.
    stream
        What they are positions in: where its length is known, they lie before its end. None: no bound.
    apart
        If given, each must be at least this many rows behind the one before.
    what
        What the argument is called, for messages.
    optional
        Whether there may be none.

    Raises
    ------
    ValueError
        If one is not an integer, negative or behind the end, if there is none, or if they are not far enough apart.
    """
    given: tuple[object, ...] = tuple(at) if isinstance(at, Iterable) else (at,)
    found: list[int] = [checked_count(what, position) for position in given]
    if not found and not optional:
        raise ValueError(f"{what}=() is empty; expected at least one position")
    n_rows = None if stream is None else most_rows(stream)
    if n_rows is not None and max(found, default=-1) >= n_rows:
        raise ValueError(f"{what}={max(found)}: expected a position before the end of the {n_rows:,} rows")
    if apart is not None:
        check_ascending(found, apart, what)
    return tuple(found)


def check_ascending(found: Sequence[int], width: int, what: str = "at") -> None:
    """Raise a ValueError unless each position lies at least ``width`` rows behind the one before."""
    for before, position in pairwise(found):
        if position < before + width:
            raise ValueError(
                f"{what}={position} follows {before}: expected ascending positions, at least width={width} apart"
            )


def spans(start: int, n_rows: int | None, size: int) -> Iterator[tuple[int, int]]:
    """Yield the first position of each block of rows that is made at once, and that behind its last.

    Parameters
    ----------
    start
        The first row.
    n_rows
        How many rows there are; None: without end.
    size
        Rows of a block.
    """
    while n_rows is None or start < n_rows:
        stop = start + size if n_rows is None else min(start + size, n_rows)
        yield start, stop
        start = stop


def most_rows(stream: Stream) -> int | None:
    """Return the length of a stream or, where that is unknown, what it cannot exceed; None if neither is known."""
    return stream.n_rows if stream.n_rows is not None else getattr(stream, "most_rows", None)


def in_order(drifts: Iterable[Drift]) -> tuple[Drift, ...]:
    """Return drifts sorted by their start; those that start together keep their order."""
    return tuple(sorted(drifts, key=lambda drift: drift.start))


def check_labels_at_once(streams: Iterable[Stream], what: str) -> None:
    """Raise a ValueError if labels of a stream come late or are hidden, which has to be put in after ``what``."""
    for stream in streams:
        if stream.labelling is not None:
            raise ValueError(
                f"{stream.name}: its labels come late or are hidden; expected that to be put in after {what}"
            )


def check_not_live(streams: Iterable[Stream], what: str) -> None:
    """Raise a ValueError if a stream is live: how many of its rows ``what`` needs for one of its own is not known."""
    for stream in streams:
        if stream.is_live:
            raise ValueError(
                f"{stream.name}: {what} is not possible on a live stream; expected a stream with stored rows"
            )


class NestedLabels(WrappedStream):
    """A stream whose labels are put under others; see ``nest_labels`` for the parameters and errors.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> stream = nest_labels(ArrayStream([[0.0]], [[1, 0]]), {"y0": "high", "y1": "high"})
    >>> type(stream).__name__, stream.schema.labels
    ('NestedLabels', ('high', 'y0', 'y1'))
    """

    def __init__(self, stream: Stream, parents: Mapping[str, str]) -> None:
        if stream.schema.hierarchy is not None:
            raise ValueError(f"{stream.name}: its labels form a hierarchy already; expected a flat stream")
        check_labels_at_once([stream], "the nesting")
        super().__init__(stream, "labels nested")
        given = stream.schema.labels
        known = {*given, *parents.values()}
        for label in parents:
            if label not in known:
                raise ValueError(
                    f"parents: {label!r} is neither a label of {stream.name} nor above one"
                    f"{near(str(label), sorted(map(str, known)))}; expected {few(given)}"
                )
        for label in parents.values():
            if label in given:
                raise ValueError(f"parents: {label!r} is a label of {stream.name}; expected a new name for one above")
        ancestors = {label: _ancestors(label, parents) for label in given}
        # depth first: sort each label by the first labels of its ancestors, from the top down, then by its own place
        places = {
            label: [*(_first(a, given, ancestors) for a in ancestors[label][::-1]), i] for i, label in enumerate(given)
        }
        paths = [(*ancestors[label][::-1], label) for label in sorted(given, key=places.__getitem__)]
        names, self._tree = Hierarchy.from_paths(paths)
        unused = [label for label in parents.values() if label not in names]
        if unused:
            raise ValueError(f"parents: no label of {stream.name} is below {unused[0]!r}; expected at least one")
        self.schema = Schema(stream.schema.features, names, self._tree)
        self._columns = [names.index(label) for label in given]

    def _change(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        nested = np.zeros((len(Y), self.schema.n_labels), np.uint8)
        nested[:, self._columns] = Y
        return X, self._tree.with_ancestors(nested)


def nest_labels(stream: Stream, parents: Mapping[str, str]) -> NestedLabels:
    """Put the labels of a flat stream under others, which are added and set wherever one below them is.

    Parameters
    ----------
    stream
        Any stream with flat labels, all known at once.
    parents
        For a label of the stream, or one above it, the name of its parent; a label that is not named is at the top.

    Returns
    -------
    NestedLabels
        With a hierarchy in its schema. A label comes directly before those below it, which keep their order.

    Raises
    ------
    ValueError
        If the stream has a hierarchy or its labels come late, a name is not known, a label of the stream would be
        above another, or the names form a cycle.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> stream = nest_labels(ArrayStream([[0.0]] * 2, [[1, 0], [0, 1]]), {"y0": "high", "y1": "high"})
    >>> stream.schema.labels, stream.schema.hierarchy.parents, next(stream.chunks()).Y.tolist()
    (('high', 'y0', 'y1'), (-1, 0, 0), [[1, 1, 0], [1, 0, 1]])
    """
    return NestedLabels(stream, parents)


def _ancestors(label: str, parents: Mapping[str, str]) -> list[str]:
    """Return the ancestors of a label, its parent first."""
    found: list[str] = []
    while label in parents:
        label = parents[label]
        if label in found:
            raise ValueError(f"parents: {label!r} is above itself; expected no cycle")
        found.append(label)
    return found


def _first(above: str, given: tuple[str, ...], ancestors: Mapping[str, list[str]]) -> int:
    """Return the place of the first label below ``above``, by which the labels above are ordered."""
    return next(i for i, label in enumerate(given) if above in ancestors[label])
