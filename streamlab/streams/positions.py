"""Positions in a stream, where drifts begin: checked, and drifts in their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from streamlab.streams._checks import is_count
from streamlab.streams.stream import Drift, Stream

__all__ = ["check_ascending", "check_not_live", "in_order", "most_rows", "positions"]


def positions(
    at: int | Sequence[int] | None, stream: Stream | None, *, apart: int | None = None, what: str = "at"
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

    Raises
    ------
    ValueError
        If one is not an integer, negative or behind the end, if there is none, or if they are not far enough apart.
    """
    given: tuple[object, ...] = tuple(at) if isinstance(at, Iterable) else (at,)
    found: list[int] = []
    for position in given:
        if not is_count(position) or position < 0:
            raise ValueError(f"{what}={position!r}: expected positions in the stream, integers from 0 on")
        found.append(int(position))
    if not found:
        raise ValueError(f"{what}=() is empty; expected at least one position")
    n_rows = None if stream is None else most_rows(stream)
    if n_rows is not None and max(found) >= n_rows:
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


def most_rows(stream: Stream) -> int | None:
    """Return the length of a stream or, where that is unknown, what it cannot exceed; None if neither is known."""
    return stream.n_rows if stream.n_rows is not None else getattr(stream, "most_rows", None)


def in_order(drifts: Iterable[Drift]) -> tuple[Drift, ...]:
    """Return drifts sorted by their start; those that start together keep their order."""
    return tuple(sorted(drifts, key=lambda drift: drift.start))


def check_not_live(streams: Iterable[Stream], what: str) -> None:
    """Raise a ValueError if a stream is live: how many of its rows ``what`` needs for one of its own is not known."""
    for stream in streams:
        if stream.is_live:
            raise ValueError(
                f"{stream.name}: {what} is not possible on a live stream; expected a stream with stored rows"
            )
