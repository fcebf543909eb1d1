"""Choose the labels or features that a drift changes, and move them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from streamlab.streams._checks import few, is_count, near
from streamlab.streams._sparse import csr_rows
from streamlab.streams.draws import uniform

__all__ = ["drawn_places", "moved_columns", "moved_values", "pair_of", "place_of"]


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


def drawn_places(places: Iterable[int], n: int, seed: int, key: int) -> tuple[int, ...]:
    """``n`` of the places in random order."""
    places = np.array(list(places))
    # rows behind all that a stream has, so that no row's draw is used twice
    order = np.argsort(uniform(seed, key, np.iinfo(np.int64).max - places), kind="stable")
    return tuple(places[order[:n]].tolist())


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
