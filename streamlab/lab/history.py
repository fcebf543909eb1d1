"""The bounded past of a learner's measures: counts per chunk, two neighbours added into one whenever it is full."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from streamlab.measures import LEVEL_TERMS, MEASURES, TERMS, Counts, evaluate
from streamlab.measures.catalogue import measure_names
from streamlab.measures.hierarchical import level_values

__all__ = ["NO_CURVE", "History", "with_curves"]

N_TERMS = len(TERMS)
# the one measure that is no sum of counts
NO_CURVE = "macro_average_precision"


class History:
    """Counts of every chunk so far, thinned so that there are never more than ``limit`` points.

    Counts are additive, so a thinned point is not an average of measures but the measure over its chunks together.

    Parameters
    ----------
    n_labels
        Number of labels.
    limit
        Most points kept, an even number; reaching it halves them.
    zero_division
        What a measure says for 0/0.
    n_levels
        Levels of the labels' hierarchy; None where there is none.

    Attributes
    ----------
    stride
        Chunks to a point: 1, 2, 4 …; whoever draws increments must draw anew when it changes.
    positions
        Position just after each point's last instance, shape (points,).
    """

    def __init__(
        self, n_labels: int, limit: int = 2000, zero_division: float = 0.0, n_levels: int | None = None
    ) -> None:
        if limit < 2 or limit % 2:
            raise ValueError(f"history={limit} must be an even number, at least 2")
        self.n_labels, self.limit, self.zero_division, self.n_levels = n_labels, limit, zero_division, n_levels
        # what comes before the labels, which may become more
        self._ahead = N_TERMS + (0 if n_levels is None else n_levels * len(LEVEL_TERMS))
        self.stride = 1
        self._n = 0
        self._in_last = 0
        rows = min(limit, 256)
        self._positions = np.zeros(rows, np.int64)
        self._chunk = np.zeros((rows, self._ahead + 3 * n_labels))
        self._faded = np.zeros((rows, self._ahead + 3 * n_labels))

    def __len__(self) -> int:
        """Complete points; the one that is still growing is not counted."""
        return self._n

    @property
    def positions(self) -> np.ndarray:
        return self._positions[: self._n]

    def append(self, position: int, chunk: Counts, faded: Counts) -> None:
        """Add the counts of the chunk that ends at ``position``, and the faded counts as they stand there."""
        if chunk.n_labels > self.n_labels:
            self._widen(chunk.n_labels)
        if self._n == len(self._positions):
            self._enlarge()
        row = self._chunk[self._n]
        if self._in_last == 0:
            row[:] = 0.0
        row += _flat(chunk)
        self._faded[self._n] = _flat(faded)
        self._positions[self._n] = position
        self._in_last += 1
        if self._in_last == self.stride:
            self._n += 1
            self._in_last = 0
            if self._n == self.limit:
                self._thin()

    def finish(self) -> None:
        """Let the point that is still growing be complete, for nothing more will come."""
        if self._in_last:
            self._n += 1
            self._in_last = 0
            if self._n == self.limit:
                self._thin()

    def _thin(self) -> None:
        half = self.limit // 2
        self._chunk[:half] = self._chunk[0 : self.limit : 2] + self._chunk[1 : self.limit : 2]
        self._faded[:half] = self._faded[1 : self.limit : 2]
        self._positions[:half] = self._positions[1 : self.limit : 2]
        self._n = half
        self.stride *= 2

    def _enlarge(self) -> None:
        rows = min(2 * len(self._positions), self.limit)
        for name in ("_positions", "_chunk", "_faded"):
            old = getattr(self, name)
            new = np.zeros((rows, *old.shape[1:]), old.dtype)
            new[: len(old)] = old
            setattr(self, name, new)

    def _widen(self, n_labels: int) -> None:
        for name in ("_chunk", "_faded"):
            old = getattr(self, name)
            ahead, shape = self._ahead, (len(old), 3, self.n_labels)
            new = np.zeros((len(old), ahead + 3 * n_labels))
            new[:, :ahead] = old[:, :ahead]
            new[:, ahead:].reshape(len(old), 3, n_labels)[:, :, : self.n_labels] = old[:, ahead:].reshape(shape)
            setattr(self, name, new)
        self.n_labels = n_labels

    def curve(self, measure: str, over: str = "chunk", start: int = 0) -> np.ndarray:
        """The values of ``measure`` at the points from ``start`` on.

        Parameters
        ----------
        measure
            Of ``streamlab.measures.MEASURES``, but for ``macro_average_precision``, which is no sum of counts.
        over
            ``"chunk"`` (each point's own instances), ``"cumulative"`` (all up to it) or ``"faded"``.
        start
            First point wanted.
        """
        rows = self._rows(over, start)
        return np.array(
            [evaluate(self._counts(row), (measure,), zero_division=self.zero_division)[measure] for row in rows]
        )

    def _rows(self, over: str, start: int) -> np.ndarray:
        if over == "cumulative":
            return np.cumsum(self._chunk[: self._n], axis=0)[start:]
        if over in ("chunk", "faded"):
            return getattr(self, f"_{over}")[start : self._n]
        raise ValueError(f"over={over!r} must be chunk, cumulative or faded")

    def _counts(self, row: np.ndarray) -> Counts:
        levels = None if self.n_levels is None else row[N_TERMS : self._ahead].reshape(self.n_levels, len(LEVEL_TERMS))
        return Counts(row[self._ahead :].reshape(3, self.n_labels), row[:N_TERMS], None, levels)

    def level_curves(self, over: str = "chunk", start: int = 0) -> dict[str, np.ndarray]:
        """``precision``, ``recall``, ``f1`` and ``first_wrong`` at each level, as ``measures.per_level`` has them.

        Parameters are those of ``curve``. Each array has the shape (points, n_levels), the top level first.

        Raises
        ------
        ValueError
            If the labels have no hierarchy.
        """
        if self.n_levels is None:
            raise ValueError("the labels have no hierarchy, and so no levels")
        rows = self._rows(over, start)
        levels = rows[:, N_TERMS : self._ahead].reshape(len(rows), self.n_levels, len(LEVEL_TERMS))
        return level_values(levels, rows[:, 0], self.zero_division)

    @property
    def n_bytes(self) -> int:
        return self._chunk.nbytes + self._faded.nbytes + self._positions.nbytes


def with_curves(measures: Iterable[str] | str, hierarchy: bool = True) -> tuple[str, ...]:
    """The names, once each; a ValueError names the one that is unknown or has no curve (without a hierarchy)."""
    names = measure_names(measures)
    for name in names:
        if MEASURES[name].needs_hierarchy and not hierarchy:
            raise ValueError(f"measure {name!r} needs a hierarchy of the labels, and there is none")
    if NO_CURVE in names:
        others = ", ".join(name for name in MEASURES if name != NO_CURVE)
        raise ValueError(f"measure {NO_CURVE!r} has no curve; choose among {others}")
    return names


def _flat(counts: Counts) -> np.ndarray:
    levels = () if counts.levels is None else (counts.levels.ravel(),)
    return np.concatenate([counts.sums, *levels, counts.per_label.ravel()])
