"""The base of every stream that is made of another one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from streamlab.streams.draws import key_base
from streamlab.streams.positions import in_order, most_rows
from streamlab.streams.stream import Drift, Stream

__all__ = ["WrappedStream", "chain_key"]


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
        self.stream = stream
        self.name = f"{stream.name}, {what}"
        self.schema = stream.schema
        self.labelling = stream.labelling
        self._own: tuple[Drift, ...] = ()

    @property
    def is_sparse(self) -> bool:  # type: ignore[override]
        return self.stream.is_sparse

    @property
    def is_live(self) -> bool:  # type: ignore[override]
        return self.stream.is_live

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

    def title_of(self, row: int) -> str:
        """Return the title that the row has in the stream below; "" where it has none, or it is not known which."""
        super().title_of(row)
        below = self.row_below(int(row))
        return "" if below is None else self.stream.title_of(below)

    @property
    def has_sound(self) -> bool:
        """Whether rows can be heard, as in the stream below."""
        return self.stream.has_sound

    def sound(self, row: int) -> tuple[np.ndarray, int]:
        """Return the sound that the row has in the stream below.

        Raises
        ------
        ValueError
            As there, or if it is not known which row it is.
        """
        below = self.row_below(row)
        if below is None:
            raise ValueError(f"{self.name}: it is not known which row of {self.stream.name} the row {row:,} is")
        return self.stream.sound(below)

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
