"""Rotate the labels of a stream: what was learned of one holds for the next."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from streamlab._checks import checked_count, is_count
from streamlab.streams.changes.drift_entry import WIDTH, DriftEntry, has_flat_labels
from streamlab.streams.draws import count_passed, ramp, uniform
from streamlab.streams.stream import Drift, Stream, makes
from streamlab.streams.wrapped import WrappedStream, positions

__all__ = ["ROTATE_LABELS", "RotatedLabels", "rotate_labels"]

KIND = "label rotation"


class RotatedLabels(WrappedStream):
    """A stream whose labels change places; see ``rotate_labels`` for the parameters and errors.

    Examples
    --------
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> stream = rotate_labels(ArrayStream([[0.0]] * 2, [[1, 0, 0]] * 2), at=1)
    >>> type(stream).__name__, next(stream.chunks()).Y.tolist()
    ('RotatedLabels', [[1, 0, 0], [0, 1, 0]])
    """

    def __init__(
        self,
        stream: Stream,
        at: int | Sequence[int] | None = None,
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
        self.seed = checked_count("seed", seed)
        self.width = checked_count("width", width, 1)
        self.stages = stages
        self.at: tuple[int, ...] = ()
        if stages is not None:
            self._own = self._stage_starts(stages)
        else:
            self.at = positions(at, stream)
            self._own = tuple(Drift(position, self.width, KIND, self._about()) for position in self.at)

    def _change(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return X, _rotated(Y, self._rotations(rows) * self.by)

    def share(self, rows: np.ndarray) -> np.ndarray:
        """Return the expected number of rotations done at each position (with ``stages``: the share of new labels)."""
        if self.stages is not None:
            return np.minimum(rows * self.stages // self.n_rows, self.stages - 1) / (self.stages - 1)
        return np.sum([ramp(rows, position, self.width) for position in self.at], axis=0)

    def _rotations(self, rows: np.ndarray) -> np.ndarray:
        if self.stages is not None:
            return (uniform(self.seed, 0, rows) < self.share(rows)).astype(np.int64)
        return count_passed(rows, self.at, self.width, self.seed, 0)

    def _stage_starts(self, stages: int) -> tuple[Drift, ...]:
        checked_count("stages", stages, 2)
        if self.width != 1:
            raise ValueError(f"width={self.width} goes with at=, not with stages=")
        n_rows = self.stream.n_rows
        if n_rows is None:
            raise ValueError(f"stages={stages}: expected a stream of known length; {self.stream.name} has none")
        if n_rows < stages:
            raise ValueError(f"stages={stages}: expected at least as many rows, {self.stream.name} has {n_rows}")
        return tuple(Drift(-(-stage * n_rows // stages), 1, KIND, self._about()) for stage in range(1, stages))

    def _about(self) -> str:
        labels = self.stream.schema.labels
        places = self.by % len(labels)
        who = "the next one's name" if places == 1 else f"the name of the one {places} places on"
        part = "a further part of the rows: " if self.stages is not None else ""
        return f"{part}every {self.stream.schema.noun} took {who} (what was {labels[0]} is {labels[places]} now)"


@makes(RotatedLabels)
def rotate_labels() -> None:
    """Rotate the labels of a stream: l1→l2→…→lm→l1, so that what was learned of one label holds for the next.

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
        In place of ``at``: the stream is cut into this many equal stages, in which the share of rotated rows is 0, …, 1
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


def _rotated(Y: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return each row of Y moved cyclically to the right by its number of places; a new array."""
    m = Y.shape[1]
    columns = (np.arange(m)[None, :] - places[:, None]) % m
    return np.take_along_axis(Y, columns, axis=1)


ROTATE_LABELS = DriftEntry(
    rotate_labels, "Rotate the labels", {"width": WIDTH}, has_flat_labels, about="each takes the next one's name"
)
