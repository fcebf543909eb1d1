"""The ranges that values of a learner's arrays lie in, for the checks of a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from streamlab.learners.base.dimensions import length

__all__ = ["between", "index_into"]

Sizes = Mapping[str, int]
Arrays = Mapping[str, Any]


@dataclass(frozen=True)
class Rule:
    """A range that values of an array lie in; made by ``index_into`` and ``between``.

    Parameters
    ----------
    low, high
        The least and the largest value allowed: numbers, or dimensions; None: no bound.
    below
        A dimension that values lie below, as indices do. Used instead of ``high``.
    columns
        The columns (last axis) that the rule is about. None: all.
    where
        A function of all arrays of the state by name that returns the rows it is about, bool (rows,). None: all.
    none
        A value that is allowed as well, such as -1 for "nowhere".
    missing
        Whether NaN is allowed as well.
    """

    low: float | str | None = None
    high: float | str | None = None
    below: str | None = None
    columns: tuple[int, ...] | None = None
    where: Callable[[Arrays], np.ndarray] | None = None
    none: int | None = None
    missing: bool = False

    def bounds(self, counts: Sizes) -> tuple[float | None, float | None]:
        """Return the least and the largest value allowed, both included, besides ``none``."""
        low = self.low if self.low is None or not isinstance(self.low, str) else length(self.low, counts)
        if self.below is not None:
            return low, length(self.below, counts) - 1
        high = self.high if self.high is None or not isinstance(self.high, str) else length(self.high, counts)
        return low, high

    def expected(self, counts: Sizes) -> str:
        """Return what is expected, in words."""
        low, high = self.bounds(counts)
        if self.below is not None:
            text = f"an index into the {length(self.below, counts)} {self.below} in use"
        elif low is not None and high is not None:
            text = f"{low:g} to {high:g}"
        else:
            text = f"at least {low:g}" if low is not None else f"at most {high:g}"
        text += ", or NaN" if self.missing else ""
        return text if self.none is None else f"{text}, or {self.none}"

    def first_bad(self, values: np.ndarray, arrays: Arrays, counts: Sizes) -> tuple[int, ...] | None:
        """Return the index of the first value outside the range, or None."""
        low, high = self.bounds(counts)
        rows = None if self.where is None else np.flatnonzero(self.where(arrays))
        chosen = values if rows is None else values[rows]
        if self._holds_throughout(chosen, low, high):
            return None
        if self.columns is not None:
            chosen = chosen[..., list(self.columns)]
        bad = np.zeros(chosen.shape, np.bool_)
        if low is not None:
            bad |= ~(chosen >= low)
        if high is not None:
            bad |= ~(chosen <= high)
        if self.none is not None:
            bad &= chosen != self.none
        if self.missing:
            bad &= chosen == chosen
        if not bad.any():
            return None
        place = [int(i) for i in np.unravel_index(int(np.argmax(bad)), bad.shape)]
        if self.columns is not None:
            place[-1] = self.columns[place[-1]]
        if rows is not None:
            place[0] = int(rows[place[0]])
        return tuple(place)

    def _holds_throughout(self, values: np.ndarray, low: float | None, high: float | None) -> bool:
        """Whether the least and the largest value tell that all are in the range; False also for NaN."""
        if low is not None and self.none is not None and self.none == low - 1 and values.dtype.kind == "i":
            low = self.none
        parts = [values] if self.columns is None else [values[..., column] for column in self.columns]
        return all(
            not part.size or ((low is None or part.min() >= low) and (high is None or part.max() <= high))
            for part in parts
        )


def index_into(
    dimension: str,
    *,
    none: int | None = None,
    columns: int | tuple[int, ...] | None = None,
    where: Callable[[Arrays], np.ndarray] | None = None,
) -> Rule:
    """Return the rule that values are indices into the used part of a dimension.

    Parameters
    ----------
    dimension
        Name of the dimension that the values point into.
    none, columns, where
        As in ``Rule``.

    Returns
    -------
    Rule

    Examples
    --------
    >>> from streamlab.learners import Array
    >>> parents = Array("parents", ("nodes",), "int64", rules=(index_into("nodes", none=-1),))
    """
    return Rule(
        low=0, below=dimension, columns=(columns,) if isinstance(columns, int) else columns, where=where, none=none
    )


def between(
    low: float | str | None,
    high: float | str | None = None,
    *,
    columns: int | tuple[int, ...] | None = None,
    where: Callable[[Arrays], np.ndarray] | None = None,
    none: int | None = None,
    missing: bool = False,
) -> Rule:
    """Return the rule that values lie from ``low`` to ``high``, both included.

    Parameters
    ----------
    low, high
        A number, or a dimension as in ``Rule``; None: no bound.
    none, columns, where, missing
        As in ``Rule``.

    Returns
    -------
    Rule

    Examples
    --------
    >>> from streamlab.learners import Array
    >>> share = Array("share", ("labels",), rules=(between(0, 1),), finite=True)
    """
    return Rule(
        low=low,
        high=high,
        columns=(columns,) if isinstance(columns, int) else columns,
        where=where,
        none=none,
        missing=missing,
    )
