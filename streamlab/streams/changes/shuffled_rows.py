"""Shuffle the rows of a stream, so that what a learner gains from their order in a file is gone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from streamlab._checks import checked_count
from streamlab.streams._sparse import stacked
from streamlab.streams.changes.drift_entry import DriftEntry
from streamlab.streams.stream import Drift, Stream, makes
from streamlab.streams.wrapped import WrappedStream, check_not_live, check_told_at_once

__all__ = ["SHUFFLE_ROWS", "ShuffledRows", "shuffle_rows"]


class ShuffledRows(WrappedStream):
    """A stream in a random order; see ``shuffle_rows`` for the parameters and errors.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> stream = shuffle_rows(ArrayStream([[0.0], [1.0], [2.0]], [[1], [0], [0]]), seed=0)
    >>> type(stream).__name__, stream.row_below(0), next(stream.chunks()).X.ravel().tolist()
    ('ShuffledRows', 2, [2.0, 0.0, 1.0])
    """

    def __init__(self, stream: Stream, seed: int = 0) -> None:
        check_not_live([stream], "shuffling")
        if stream.n_rows is None:
            raise ValueError(f"{stream.name}: its length is not known; expected a stream of known length to shuffle")
        check_told_at_once([stream], "the shuffling")
        super().__init__(stream, "shuffled")
        self._order = np.random.default_rng(checked_count("seed", seed)).permutation(stream.n_rows)

    @property
    def drifts(self) -> tuple[Drift, ...]:  # type: ignore[override]
        return ()

    def row_below(self, row: int) -> int | None:
        return int(self._order[row])

    @cached_property
    def _rows(self) -> tuple[Any, np.ndarray]:
        X, Y = zip(*self.stream.checked_blocks(0), strict=True)
        return stacked(X), np.concatenate(Y)

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        X, Y = self._rows
        order = self._order[start:]
        if len(order):
            yield X[order], Y[order]


@makes(ShuffledRows)
def shuffle_rows() -> None:
    """Put the rows of a stream in a random order.

    Files are often sorted, or come in bursts of equal labels, which flatters learners that follow the latest rows: one
    that repeats the labels of the row before has an F1 of .95 on *scene* as it is published.

    Parameters
    ----------
    stream
        A stream of known length; its rows are held in memory once they are read.
    seed
        Of the order.

    Returns
    -------
    ShuffledRows
        The same rows, without ``drifts``: what changed along the stream is spread over all of it.

    Raises
    ------
    ValueError
        If the length is not known, rows come live, labels come late or are hidden, or ``seed`` is out of range.

    Examples
    --------
    >>> import streamlab as sl
    >>> shuffle_rows(sl.load("yeast-rotated"), seed=1).drifts
    ()
    """


SHUFFLE_ROWS = DriftEntry(shuffle_rows)
