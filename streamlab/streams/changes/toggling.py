"""What drifts share: those that come and go at positions, and the labels or features that a drift changes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from streamlab._checks import checked_count, checked_number, few, is_count, near
from streamlab.schema import Feature
from streamlab.streams.blocks import csr_rows
from streamlab.streams.draws import count_passed, key_base, ramp, uniform
from streamlab.streams.stream import Drift, Stream
from streamlab.streams.wrapped import WrappedStream, positions

Changed = tuple[np.ndarray, np.ndarray]
"""Rows of X and of Y."""


def place_of(names: Sequence[str], which: str | int, argument: str, noun: str, source: str) -> int:
    """Return the position of a label or feature given by its name or its position.

    Raises
    ------
    ValueError
        If there is none; it names the argument, the source and what there is.
    """
    if isinstance(which, str) and which in names:
        return list(names).index(which)
    if is_count(which) and 0 <= which < len(names):
        return int(which)
    hint = near(which, names) if isinstance(which, str) else ""
    raise ValueError(
        f"{argument}={which!r}: {source} has no such {noun}{hint}; expected a position from 0 to {len(names) - 1} "
        f"or one of {few(names)}"
    )


def pair_of(names: Sequence[str], a: str | int, b: str | int, noun: str, source: str) -> tuple[int, int]:
    first, second = place_of(names, a, "a", noun, source), place_of(names, b, "b", noun, source)
    if first == second:
        raise ValueError(f"a={a!r} and b={b!r} are the same {noun} of {source}; expected two")
    return first, second


def chosen_features(features: Sequence[Feature], columns: Sequence[int]) -> str:
    """Return in words which features are chosen, by their places: how many, and the name of the first."""
    n, first = len(columns), features[columns[0]].name
    if n == len(features) > 1:
        return f"all {n} features"
    return f"{n} of {len(features)} features ({first}{' among them' if n > 1 else ''})"


def drawn_places(places: Iterable[int], n: int, seed: int, key: int) -> tuple[int, ...]:
    """``n`` of the places in random order."""
    places = np.array(list(places))
    # rows behind all that a stream has, so that no row's draw is used twice
    order = np.argsort(uniform(seed, key, np.iinfo(np.int64).max - places), kind="stable")
    return tuple(places[order[:n]].tolist())


def drawn_features(stream: Stream, share: float, seed: int, key: int) -> tuple[int, ...]:
    """Return the places, ascending, of a share of a stream's features, at least one."""
    n_features = stream.schema.n_features
    n = max(1, round(checked_number("share", share, 0, 1, above=True) * n_features))
    return tuple(sorted(drawn_places(range(n_features), n, seed, key)))


def check_arrays(stream: Stream, why: str) -> None:
    """Raise a ValueError if a stream gives sparse rows; ``why`` says what is against them."""
    if stream.is_sparse:
        raise ValueError(f"{stream.name} is sparse: {why}; expected arrays (sl.load(..., sparse=False))")


def moved_columns(values: np.ndarray, rows: np.ndarray, places: Sequence[int], sources: Sequence[int]) -> np.ndarray:
    """Return a copy in which, in the rows given, the columns ``places`` take the values of the columns ``sources``."""
    moved = values.copy()
    moved[np.ix_(rows, np.asarray(places))] = values[np.ix_(rows, np.asarray(sources))]
    return moved


def moved_values(values: Any, rows: np.ndarray, places: Sequence[int], sources: Sequence[int]) -> Any:
    """Return CSR whose columns have moved as in ``moved_columns``; ``places`` and ``sources`` are the same set."""
    target = np.arange(values.shape[1], dtype=np.int32)
    target[np.asarray(sources)] = places
    row = np.repeat(np.arange(values.shape[0]), np.diff(values.indptr))
    changed = np.zeros(values.shape[0], np.bool_)
    changed[rows] = True
    column = np.where(changed[row], target[values.indices], values.indices)
    order = np.lexsort((column, row))
    return csr_rows(values.indptr, column[order], values.data[order], values.shape[1])


class TogglingDrift(WrappedStream):
    """A stream with a change that begins at the first of its positions, ends at the second, begins again at the third …

    Parameters
    ----------
    stream, at, width, seed, until
        As in ``swap_labels``.
    what
        What was done to the stream, added to its name.
    """

    kinds: tuple[str, str]
    """What the ground truth calls the change's coming and its going."""

    def __init__(
        self, stream: Stream, at: int | Sequence[int] | None, width: int, seed: int, until: int | None, what: str
    ) -> None:
        super().__init__(stream, what)
        self.seed = checked_count("seed", seed)
        self.width = checked_count("width", width, 1)
        self.at = positions(at, stream, apart=self.width)
        if until is not None:
            if len(self.at) > 1:
                raise ValueError(f"until={until!r} goes with one position, not with at={list(self.at)}")
            (end,) = positions(until if is_count(until) else (until,), stream, what="until")
            if end < self.at[0] + self.width:
                raise ValueError(
                    f"until={end}: expected a position from at + width = {self.at[0] + self.width} on, "
                    "when the change is complete"
                )
            self.at = (*self.at, end)
        self._key = key_base(self.kinds[0])
        self._own = tuple(Drift(position, self.width, self.kinds[i % 2]) for i, position in enumerate(self.at))

    def _describe(self, came: str, went: str) -> None:
        """Say what the change's coming and its going mean for the rows, as ``Drift.about`` has it."""
        self._own = tuple(replace(drift, about=(came, went)[i % 2]) for i, drift in enumerate(self._own))

    def share(self, rows: np.ndarray) -> np.ndarray:
        """Return the chance that each row is changed; float64."""
        signs = (1 - 2 * (i % 2) for i in range(len(self.at)))
        parts = [sign * ramp(rows, position, self.width) for sign, position in zip(signs, self.at, strict=True)]
        return np.sum(parts, axis=0)

    def is_changed(self, rows: np.ndarray) -> np.ndarray:
        """Return whether each row is changed: the ground truth; bool."""
        return count_passed(rows, self.at, self.width, self.seed, self._key) % 2 == 1

    def _change(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        changed = np.flatnonzero(self.is_changed(rows))
        return self._change_rows(X, Y, rows, changed) if len(changed) else (X, Y)

    @abstractmethod
    def _change_rows(self, X: np.ndarray, Y: np.ndarray, rows: np.ndarray, changed: np.ndarray) -> Changed:
        """Return the rows with those at the indices ``changed`` changed; X and Y are not written to."""
