"""Drift put into any stream, with the ground truth kept: what all wrappers share, and the rotation of the labels."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from streamlab.streams._columns import is_count
from streamlab.streams.stream import Drift, Stream

__all__ = ["Changed", "RotatedLabels", "rotate_labels"]

KIND = "label rotation"


class Changed(Stream):
    """A stream made of another one: its name, schema, length and labelling, its drifts and those put in.

    A subclass overrides ``_change`` (row by row) or ``blocks``. What it draws for a row depends on its seed and the
    row's position alone, so that neither chunks nor the starting row have an influence.

    Parameters
    ----------
    stream
        The stream below.
    what
        What was done to it, added to its name.
    """

    def __init__(self, stream: Stream, what: str) -> None:
        self.stream = stream
        self.name = f"{stream.name}, {what}"
        self.schema = stream.schema
        self.labelling = stream.labelling
        self._own: tuple[Drift, ...] = ()

    @property
    def n_rows(self) -> int | None:
        return self.stream.n_rows

    @property
    def most_rows(self) -> int | None:
        """A bound for ``n_rows`` where that is unknown, or None."""
        return most_rows(self.stream)

    @property
    def drifts(self) -> tuple[Drift, ...]:
        return in_order((*self.stream.drifts, *self._own))

    def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        at = start
        for X, Y in self.stream.blocks(start):
            yield self._change(X, Y, np.arange(at, at + len(Y)))
            at += len(Y)

    def _change(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rows at these positions, changed; X and Y may belong to others and are not written to."""
        return X, Y


class RotatedLabels(Changed):
    """A stream whose labels change places; see ``rotate_labels`` for the parameters and errors."""

    def __init__(
        self,
        stream: Stream,
        at: int | Sequence[int] | None = None,
        *,
        width: int = 1,
        stages: int | None = None,
        by: int = 1,
        seed: int = 0,
    ) -> None:
        if (at is None) == (stages is None):
            raise ValueError(f"at={at!r} and stages={stages!r}: expected exactly one of them")
        if not is_count(by) or by % stream.schema.n_labels == 0:
            raise ValueError(f"by={by!r}: expected a number of places that moves {stream.schema.n_labels} labels")
        if stream.schema.hierarchy is not None:
            raise ValueError(
                f"{stream.name}: its labels form a hierarchy, which a rotation would break; expected a flat stream"
            )
        super().__init__(stream, "labels rotated")
        self.by = int(by)
        self.seed = checked_seed(seed)
        self.width = checked_width(width)
        self.stages = stages
        self.at: tuple[int, ...] = ()
        if stages is not None:
            self._own = self._stage_starts(stages)
        else:
            self.at = positions(at, stream)
            self._own = tuple(Drift(position, self.width, KIND) for position in self.at)

    def _change(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return X, rotated(Y, self._turns(rows) * self.by)

    def share(self, rows: np.ndarray) -> np.ndarray:
        """For each position, the expected number of rotations done (with ``stages``: the share of new labels)."""
        if self.stages is not None:
            return np.minimum(rows * self.stages // self.n_rows, self.stages - 1) / (self.stages - 1)
        return sum(ramp(rows, position, self.width) for position in self.at)

    def _turns(self, rows: np.ndarray) -> np.ndarray:
        if self.stages is not None:
            return (uniform(self.seed, 0, rows) < self.share(rows)).astype(np.int64)
        return passed(rows, self.at, self.width, self.seed, 0)

    def _stage_starts(self, stages: int) -> tuple[Drift, ...]:
        if not is_count(stages) or stages < 2:
            raise ValueError(f"stages={stages!r} must be an integer of at least 2")
        if self.width != 1:
            raise ValueError(f"width={self.width} goes with at=, not with stages=")
        n_rows = self.stream.n_rows
        if n_rows is None:
            raise ValueError(f"stages={stages}: expected a stream of known length; {self.stream.name} has none")
        if n_rows < stages:
            raise ValueError(f"stages={stages}: expected at least as many rows, {self.stream.name} has {n_rows}")
        return tuple(Drift(-(-stage * n_rows // stages), 1, KIND) for stage in range(1, stages))


def rotate_labels(
    stream: Stream,
    at: int | Sequence[int] | None = None,
    width: int = 1,
    stages: int | None = None,
    by: int = 1,
    seed: int = 0,
) -> RotatedLabels:
    """Let the labels of a stream change places: l1→l2→…→lm→l1, so that what was learned of one holds for the next.

    Parameters
    ----------
    stream
        Any stream with flat labels.
    at
        Where a rotation begins, or a list of such positions, in rows counted from 0. Each adds to those before.
    width
        Over how many rows a rotation comes about. 1 (default) is sudden; else the chance that a row is rotated grows
        over ``[at, at + width)`` as a logistic curve from 0.7 % to 99.3 %, and is 0 before and 1 after.
    stages
        In place of ``at``: the stream is cut into so many equal stages, in which the share of rotated rows is 0, …, 1
        in equal steps. 11 is the scheme of the SMART paper: 0 %, 10 %, …, 100 %.
    by
        How many places the labels move at each rotation; default 1.
    seed
        Which rows are rotated in a gradual change: drawn for each row from its position and the seed, so that neither
        chunks nor the starting row have an influence.

    Returns
    -------
    RotatedLabels
        With the ground truth in ``drifts``, added to that of ``stream``; for stages, the beginning of each from the
        second on.

    Raises
    ------
    ValueError
        If not exactly one of ``at`` and ``stages`` is given, a position lies behind the end, a parameter is out of
        range, the labels form a hierarchy, or ``stages`` meets a stream of unknown length.

    References
    ----------
    Kong and Yu, "An Ensemble-based Approach to Fast Classification of Multi-label Data Streams" (SMART, 2011),
    section IV. The gradual change at a position is that of MOA's ConceptDriftStream except that it begins at ``at``
    and is done after ``width`` rows, where MOA's is centred there and never quite done.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> plain = ArrayStream([[0.0]] * 3, [[1, 0, 0]] * 3)
    >>> next(rotate_labels(plain, at=1).chunks()).Y.tolist()
    [[1, 0, 0], [0, 1, 0], [0, 1, 0]]
    """
    return RotatedLabels(stream, at, width=width, stages=stages, by=by, seed=seed)


def rotated(Y: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Each row of Y moved cyclically to the right by its number of places; a new array."""
    m = Y.shape[1]
    columns = (np.arange(m)[None, :] - places[:, None]) % m
    return np.take_along_axis(Y, columns, axis=1)


def checked_seed(seed: int) -> int:
    """``seed``, or a ValueError if it is no integer from 0 on."""
    if not is_count(seed) or seed < 0:
        raise ValueError(f"seed={seed!r} must be an integer from 0 on")
    return int(seed)


def checked_width(width: int) -> int:
    """``width``, or a ValueError if it is no integer of at least 1."""
    if not is_count(width) or width < 1:
        raise ValueError(f"width={width!r} must be an integer of at least 1")
    return int(width)


def positions(
    at: int | Sequence[int] | None, stream: Stream | None, *, apart: int | None = None, what: str = "at"
) -> tuple[int, ...]:
    """One or several positions in a stream as a tuple.

    Parameters
    ----------
    at
        A position, or a sequence of them, in rows counted from 0.
    stream
        What they are positions in: where its length is known, they lie before its end. None: no bound.
    apart
        If given, each lies at least so many rows behind the one before.
    what
        What the argument is called, for messages.

    Raises
    ------
    ValueError
        If one is no integer, negative or behind the end, if there is none, or if they do not lie apart.
    """
    found = (at,) if is_count(at) or not isinstance(at, Iterable) else tuple(at)
    for position in found:
        if not is_count(position) or position < 0:
            raise ValueError(f"{what}={position!r}: expected positions in the stream, integers from 0 on")
    if not found:
        raise ValueError(f"{what}=() is empty; expected at least one position")
    found = tuple(int(position) for position in found)
    n_rows = None if stream is None else most_rows(stream)
    if n_rows is not None and max(found) >= n_rows:
        raise ValueError(f"{what}={max(found)}: expected a position before the end of the {n_rows:,} rows")
    if apart is not None:
        ascending(found, apart, what)
    return found


def ascending(found: Sequence[int], width: int, what: str = "at") -> None:
    """Raise a ValueError unless each position lies at least ``width`` rows behind the one before."""
    for before, position in pairwise(found):
        if position < before + width:
            raise ValueError(
                f"{what}={position} follows {before}: expected ascending positions, at least width={width} apart"
            )


def most_rows(stream: Stream) -> int | None:
    """The length of a stream or, where that is unknown, what it cannot exceed; None if neither is known."""
    return stream.n_rows if stream.n_rows is not None else getattr(stream, "most_rows", None)


def in_order(drifts: Iterable[Drift]) -> tuple[Drift, ...]:
    """Drifts by their start; those that start together stay in the order given."""
    return tuple(sorted(drifts, key=lambda drift: drift.start))


def key_base(kind: str, stream: Stream | None = None, of: type | None = None) -> int:
    """The first of 2**32 keys for ``uniform`` that are this kind of draw's own.

    With ``stream`` and ``of``: other keys for each wrapper of the class ``of`` that the stream is already made of, so
    that two of them in a chain draw independently from the same seed.
    """
    depth = 0
    while isinstance(stream, Changed):
        depth += isinstance(stream, of)
        stream = stream.stream
    return zlib.crc32(f"{kind}/{depth}".encode()) >> 1 << 32  # and with them below 2**63, for arrays of keys


def passed(rows: np.ndarray, at: Sequence[int], width: int, seed: int, key: int) -> np.ndarray:
    """How many of the positions ``at`` each row lies behind, drawn within their widths; int64."""
    count = np.zeros(len(rows), np.int64)
    for i, position in enumerate(at):
        if width == 1:  # nothing to draw
            count += rows >= position
        else:
            count += uniform(seed, key + i, rows) < ramp(rows, position, width)
    return count


def uniform(seed: int, key: int | np.ndarray, rows: np.ndarray) -> np.ndarray:
    """A number in [0, 1) for each row that depends on seed, key and row alone (SplitMix64, three rounds).

    Keys of shape (1, k) and rows of shape (n, 1) give an array of shape (n, k).
    """
    state = _mixed(np.array([seed % 2**64], np.uint64))
    state = _mixed(state ^ np.uint64(key))
    state = _mixed(state ^ rows.astype(np.uint64))
    return (state >> np.uint64(11)) * 2.0**-53


def _mixed(x: np.ndarray) -> np.ndarray:
    """SplitMix64's step and output (Steele, Lea and Flood, 2014)."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def ramp(rows: np.ndarray, position: int, width: int) -> np.ndarray:
    """The chance that a row comes from the new concept: 0 before ``position``, 1 from ``position + width`` on."""
    after = rows - position
    if width == 1:
        return (after >= 0).astype(np.float64)
    middle = np.clip(after / width, 0.0, 1.0)
    inner = 1.0 / (1.0 + np.exp(-10.0 * (middle - 0.5)))
    return np.where(after < 0, 0.0, np.where(after >= width, 1.0, inner))
