"""The bounded past of a learner's measures: counts per chunk, two neighbours added into one whenever it is full."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from streamlab._checks import shown
from streamlab.measures import LEVELS, MEASURES, TERMS, Count, Counts, Measure, evaluate, measure_names
from streamlab.measures.hierarchical import level_values
from streamlab.schema import Schema


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
    kept
        Counts beside the built-in ones that come with every chunk: ``Tracker.kept_along``.
    n_levels
        Levels of the labels' hierarchy, for counts that need one; None where there is none.

    Attributes
    ----------
    stride
        Chunks to a point: 1, 2, 4 …; whoever draws increments must draw all points again when it changes.
    positions
        Position just after each point's last instance, shape (points,).
    unasked
        Measures that are NaN where they fail: ``Tracker.unasked``.
    since
        Position from which on there are counts: curves are NaN before it.
    """

    def __init__(
        self,
        n_labels: int,
        limit: int = 2000,
        zero_division: float = 0.0,
        kept: Iterable[Count] = (),
        n_levels: int | None = None,
    ) -> None:
        if limit < 2 or limit % 2:
            raise ValueError(f"history={limit} must be an even number, at least 2")
        self.n_labels, self.limit, self.zero_division = n_labels, limit, zero_division
        self._kept = tuple(kept)
        self.unasked: frozenset[str] = frozenset()
        self.stride = 1
        self.since = 0
        self._n = 0
        self._in_last = 0
        rows = min(limit, 256)
        self._positions = np.zeros(rows, np.int64)
        empty = _sums(Counts.zeros(n_labels, self._kept, n_levels=n_levels))
        # by name: the sums of each point, shape (rows, *shape of the sum)
        self._chunk = {name: np.zeros((rows, *total.shape)) for name, total in empty.items()}
        self._faded = {name: np.zeros((rows, *total.shape)) for name, total in empty.items()}

    def __len__(self) -> int:
        """Complete points; the one that is still growing is not counted."""
        return self._n

    @property
    def positions(self) -> np.ndarray:
        return self._positions[: self._n]

    def append(self, position: int, chunk: Counts, faded: Counts) -> None:
        """Add the counts of the chunk that ends at ``position``, and the faded counts as they are there."""
        if self._n == len(self._positions):
            self._enlarge()
        for name, total in _sums(chunk).items():
            if self._in_last == 0:
                self._chunk[name][self._n] = 0.0
            self._chunk[name][self._n] += total
        sums = _sums(faded)
        for name, past in self._faded.items():
            past[self._n] = sums[name]
        self._positions[self._n] = position
        self._in_last += 1
        if self._in_last == self.stride:
            self.finish()

    def finish(self) -> None:
        """Let the point that is still growing be complete, for nothing more will come."""
        if self._in_last:
            self._n += 1
            self._in_last = 0
            if self._n == self.limit:
                self._thin()

    def _thin(self) -> None:
        half = self.limit // 2
        for past in self._chunk.values():
            past[:half] = past[0 : self.limit : 2] + past[1 : self.limit : 2]
        for past in self._faded.values():
            past[:half] = past[1 : self.limit : 2]
        self._positions[:half] = self._positions[1 : self.limit : 2]
        self._n = half
        self.stride *= 2

    def _enlarge(self) -> None:
        rows = min(2 * len(self._positions), self.limit)
        self._positions = _enlarged(self._positions, rows)
        for sums in (self._chunk, self._faded):
            sums.update(_enlarged_each(sums, rows))

    def curve(self, measure: str, over: str = "chunk", start: int = 0) -> np.ndarray:
        """The values of ``measure`` at the points from ``start`` on.

        Parameters
        ----------
        measure
            Of ``streamlab.measures.MEASURES``, of those with a curve (``Measure.has_curve``).
        over
            ``"chunk"`` (each point's own instances), ``"cumulative"`` (all up to it) or ``"faded"``.
        start
            First point wanted.
        """
        return self.curves((measure,), over, start)[measure]

    def curves(self, measures: Iterable[str], over: str = "chunk", start: int = 0) -> dict[str, np.ndarray]:
        """Return several measures at the points from ``start`` on, by name; as ``curve``, quicker than one by one."""
        names, sums = tuple(measures), self._rows(over, start)
        counts = (self._counts(sums, point) for point in range(len(sums["sums"])))
        values = [evaluate(each, names, zero_division=self.zero_division, unasked=self.unasked) for each in counts]
        found = {name: np.array([value[name] for value in values]) for name in names}
        if self.since:
            for value in found.values():
                value[self.positions[start:] <= self.since] = np.nan
        return found

    def end_whole(self, measures: Iterable[str], chunk: int) -> dict[str, float]:
        """Return several measures over the rows of the last two points together, if the last holds fewer than others.

        A run that ends amid a chunk leaves a point of a few rows, which one should not conclude from alone.

        Parameters
        ----------
        measures
            As in ``curves``.
        chunk
            Rows of a whole chunk.

        Returns
        -------
        dict
            By measure; empty where the last point is whole, is the only one, or the one before has no counts.
        """
        if self._n < 2 or self.positions[-2] <= self.since or np.diff(self.positions)[-1] >= self.stride * chunk:
            return {}
        rows = self._rows("chunk", self._n - 2)
        together = self._counts({name: past.sum(axis=0, keepdims=True) for name, past in rows.items()}, 0)
        return evaluate(together, tuple(measures), zero_division=self.zero_division, unasked=self.unasked)

    def concluded(self, measure: str, chunk: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the positions and the values per chunk that one concludes from: ``end_whole`` for the last two points.

        Parameters are those of ``end_whole``.
        """
        positions, values, whole = self.positions.copy(), self.curve(measure), self.end_whole((measure,), chunk)
        if not whole:
            return positions, values
        return np.delete(positions, -2), np.append(values[:-2], whole[measure])

    def _rows(self, over: str, start: int) -> dict[str, np.ndarray]:
        if over == "cumulative":
            return {name: np.cumsum(past[: self._n], axis=0)[start:] for name, past in self._chunk.items()}
        if over in ("chunk", "faded"):
            sums = self._chunk if over == "chunk" else self._faded
            return {name: past[start : self._n] for name, past in sums.items()}
        raise ValueError(f"over={over!r} must be chunk, cumulative or faded")

    def _counts(self, sums: dict[str, np.ndarray], point: int) -> Counts:
        extra = {count.name: sums[count.name][point] for count in self._kept}
        return Counts(sums["per_label"][point], sums["sums"][point], self._kept, extra)

    def level_curves(self, over: str = "chunk", start: int = 0) -> dict[str, np.ndarray]:
        """``precision``, ``recall``, ``f1`` and ``first_wrong`` at each level, as ``measures.per_level`` has them.

        Parameters are those of ``curve``. Each array has the shape (points, n_levels), the top level first.

        Raises
        ------
        ValueError
            If the labels have no hierarchy.
        """
        if LEVELS not in self._kept:
            raise ValueError("the labels have no hierarchy, and so no levels")
        sums = self._rows(over, start)
        return level_values(sums[LEVELS.name], sums["sums"][:, TERMS.index("n")], self.zero_division)

    def begin_beside(self, other: History, since: int) -> None:
        """Have the points of another history, without counts: whoever is counted here joins it at ``since``."""
        blank = {
            name: value if name == "positions" or not isinstance(value, np.ndarray) else np.zeros_like(value)
            for name, value in other.state().items()
        }
        self.set_state(blank | {"since": since})

    def state(self) -> dict[str, Any]:
        """Return the state, as a flat dictionary of arrays (not copies) and plain values."""
        rows = self._n + (self._in_last > 0)
        state: dict[str, Any] = {
            "stride": self.stride,
            "since": self.since,
            "n": self._n,
            "in_last": self._in_last,
            "positions": self._positions[:rows],
        }
        for kind, sums in (("chunk", self._chunk), ("faded", self._faded)):
            state |= {f"{kind}.{name}": past[:rows] for name, past in sums.items()}
        return state

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Continue from a ``state()`` of a history that was made as this one, which is copied."""
        self.stride, self.since, self._n, self._in_last = (state[name] for name in ("stride", "since", "n", "in_last"))
        room = min(self.limit, max(256, 2 * len(state["positions"])))
        self._positions = _enlarged(state["positions"], room)
        self._chunk = {name: _enlarged(state[f"chunk.{name}"], room) for name in self._chunk}
        self._faded = {name: _enlarged(state[f"faded.{name}"], room) for name in self._faded}

    @property
    def n_bytes(self) -> int:
        return self._positions.nbytes + sum(
            past.nbytes for sums in (self._chunk, self._faded) for past in sums.values()
        )


def with_curves(measures: Iterable[str | Measure] | str, schema: Schema | None = None) -> tuple[str, ...]:
    """The names, once each; a ValueError names the one that is unknown, or has no curve for such labels."""
    names = measure_names(measures)
    for name in names:
        if schema is not None:
            MEASURES[name].refuse(schema)
    drawn = [name for name, measure in MEASURES.items() if measure.has_curve]
    for name in names:
        if name not in drawn:
            raise ValueError(f"measure {name!r} has no curve; choose among {', '.join(drawn)}")
    return names


def _sums(counts: Counts) -> dict[str, np.ndarray]:
    return {"sums": counts.sums, "per_label": counts.per_label, **counts.extra}


def _enlarged_each(sums: Mapping[str, np.ndarray], rows: int) -> dict[str, np.ndarray]:
    return {name: _enlarged(past, rows) for name, past in sums.items()}


def _enlarged(old: np.ndarray, rows: int) -> np.ndarray:
    new = np.zeros((rows, *old.shape[1:]), old.dtype)
    new[: len(old)] = old
    return new


# ---------------------------------------------------------------------- the curves of a run as a file

POSITIONS = ("positions",)


def curves_of(histories: Mapping[str, tuple[History, list[str]]]) -> dict[tuple[str, ...], np.ndarray]:
    """Return curves by over, measure and learner, and ``POSITIONS``, the instances up to their points."""
    found: dict[tuple[str, ...], np.ndarray] = {POSITIONS: next(iter(histories.values()))[0].positions}
    for over in ("chunk", "cumulative", "faded"):
        for name, (history, measures) in histories.items():
            found |= {(over, each, name): values for each, values in history.curves(measures, over).items()}
    return found


def curves_bytes(histories: Mapping[str, tuple[History, list[str]]]) -> bytes:
    """Return curves as a safetensors file, for ``read_curves`` and other programs."""
    from safetensors.numpy import save

    return save({json.dumps(key): np.ascontiguousarray(each) for key, each in curves_of(histories).items()})


def read_curves(content: bytes) -> dict[Any, np.ndarray]:
    """Return the curves of an archive by over, measure and learner, and ``POSITIONS``; of a file of anyone's.

    Raises
    ------
    ValueError
        If they are something else.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        found = {tuple(json.loads(name)): array for name, array in load(content).items()}
    except (SafetensorError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise ValueError(f"its curves cannot be read ({type(error).__name__})") from None
    n = len(found.get(POSITIONS, ()))
    for name, array in found.items():
        is_curve = len(name) == 3 and all(isinstance(each, str) for each in name) and array.dtype == np.float64
        if array.shape != (n,) or not (is_curve or (name == POSITIONS and array.dtype == np.int64)):
            raise ValueError(f"its curves contradict themselves: {shown(name)} is {array.dtype} {array.shape}")
    return found
