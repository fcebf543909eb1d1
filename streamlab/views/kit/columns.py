"""The columns that a picture's frames carry, described once: what is checked, what is copied, what travels.

A picture says in one :class:`ColumnTable` which columns it takes and how each travels to the browser. The check of what
a learner gives, the copies and the binary message all follow from it. The message names its columns and its flags
itself, so that no number is agreed upon in two languages: ``unpack`` in ``kit/js/panel.js`` turns each flag back into a
column of its own. What several columns refer to by their places among names, ``Names`` and ``largest`` find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from streamlab._checks import checked_choice

__all__ = ["Column", "ColumnTable"]


UNIT = 65535
"""Scale of shares in 0..1 that travel as 16-bit fixed point: a step is 0.0015 %."""

KINDS = ("f8", "f4", "u4", "i4", "u2", "i2", "u1", "id", "flag")
MOST_FLAGS = 16

Spec = list[list[Any]]


@dataclass(frozen=True)
class Column:
    """One column of a picture.

    Parameters
    ----------
    name
        Its name, the same in Python and in the browser.
    kind
        How it travels: ``"f8"``, ``"f4"``, ``"u4"``, ``"i4"``, ``"u2"``, ``"i2"`` or ``"u1"`` (NumPy's item types);
        ``"id"``: ``u4``, or ``f8`` once a value exceeds 32 bits; ``"flag"``: true or false, one bit.
    meaning
        What it says, with unit and range.
    scale
        For an integer kind, what the values are multiplied by before they are rounded; the browser divides by it.
    optional
        Whether a table is complete without it.
    made
        Whether the picture works it out itself (a place, for example), so that it is not asked of the learner.
    """

    name: str
    kind: str
    meaning: str
    scale: int = 1
    optional: bool = False
    made: bool = False

    def __post_init__(self) -> None:
        checked_choice(f"column {self.name!r}: kind", self.kind, KINDS)


class ColumnTable:
    """The columns of one kind of row.

    Parameters
    ----------
    row
        What a row stands for, such as ``"node"``; used in messages.
    *columns
        The columns. Names must differ; at most 16 are flags.

    Examples
    --------
    >>> table = ColumnTable("cell", Column("id", "id", "never reused"), Column("new", "flag", "first seen now"))
    >>> table.check({"id": [4, 9], "new": [True, False]})
    2
    >>> spec, buffer = pack((table, {"id": [4, 9], "new": [True, False]}))
    >>> spec
    [['id', 'u4', 2, 1], ['flags', 'u1', 2, ['new']]]
    """

    def __init__(self, row: str, *columns: Column) -> None:
        self.row = row
        self.columns = {column.name: column for column in columns}
        self.flags = tuple(column.name for column in columns if column.kind == "flag")
        if len(self.columns) < len(columns):
            raise ValueError(f"columns of a {row}: a name is used more than once: {[c.name for c in columns]}")
        if len(self.flags) > MOST_FLAGS:
            raise ValueError(f"columns of a {row}: {len(self.flags)} flags, at most {MOST_FLAGS} can travel")

    @property
    def needed(self) -> tuple[str, ...]:
        """Names that must be given: neither optional nor worked out by the picture."""
        return tuple(c.name for c in self.columns.values() if not (c.optional or c.made))

    def check(self, given: Mapping[str, Any], needed: Iterable[str] | None = None, what: str = "columns") -> int:
        """Return the number of rows.

        Parameters
        ----------
        given
            Arrays by name; further ones than described are allowed.
        needed
            Names that must be there; default: :attr:`needed`.
        what
            What messages call the table.

        Raises
        ------
        ValueError
            If a needed column is missing, or columns differ in length.
        """
        needed = self.needed if needed is None else tuple(needed)
        missing = [name for name in needed if name not in given]
        if missing:
            raise ValueError(f"{what}: missing {', '.join(missing)}; a row per {self.row} needs {', '.join(needed)}")
        lengths = {name: len(values) for name, values in given.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"{what}: lengths differ: {lengths}")
        return next(iter(lengths.values()), 0)

    def copy(self, given: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
        """Check the columns and return copies of those described."""
        self.check(given)
        return {name: np.array(given[name]) for name in self.columns if name in given}


def pack(*parts: tuple[ColumnTable, Mapping[str, Any]]) -> tuple[Spec, bytes]:
    """Put tables into one binary buffer, the cheapest message there is (one buffer costs one header, ten cost ten).

    Parameters
    ----------
    *parts
        Tables, each with its columns. Optional columns that are not given do not travel. Values are scaled; for an
        integer kind they are rounded and clipped to the kind's range. The flags of a table travel as one column.

    Returns
    -------
    spec, buffer
        ``spec`` has ``[name, item type, length, scale]`` per column in buffer order, widest items first, so that each
        column begins at a multiple of its item size; for flags the list of their names, lowest bit first, stands in the
        scale's place. ``buffer`` is little-endian.
    """
    wire = [column for table, columns in parts for column in _wire(table, columns)]
    spec: Spec = []
    buffers: list[bytes] = []
    for name, values, kind, scale in sorted(wire, key=lambda column: -int(column[2][1])):
        spec.append([name, kind, int(values.size), scale])
        buffers.append(values.astype(f"<{kind}").tobytes())
    return spec, b"".join(buffers)


def _wire(table: ColumnTable, columns: Mapping[str, Any]) -> list[tuple[str, NDArray[Any], str, Any]]:
    """Name, values in their range, item type, and scale (or the flags' names) of a table's columns."""
    wire: list[tuple[str, NDArray[Any], str, Any]] = []
    for column in table.columns.values():
        if column.name not in columns:
            if not column.optional:
                raise ValueError(f"columns: missing {column.name}; a row per {table.row} cannot travel without it")
            continue
        if column.kind == "flag":
            continue
        values = np.asarray(columns[column.name])
        kind = column.kind
        if kind == "id":
            kind = "u4" if not values.size or int(values.max()) < 2**32 else "f8"
        if column.scale != 1:
            values = values * column.scale
        if kind[0] != "f":
            limits = np.iinfo(kind)
            values = np.clip(np.rint(values) if values.dtype.kind == "f" else values, limits.min, limits.max)
        wire.append((column.name, values, kind, column.scale))
    if table.flags:
        bits = sum(np.asarray(columns[name]).astype(bool) * (1 << i) for i, name in enumerate(table.flags))
        wire.append(("flags", np.asarray(bits), "u1" if len(table.flags) <= 8 else "u2", list(table.flags)))
    return wire


class Names:
    """What features are called, each once, in the order in which they are asked for.

    ``name_of`` tells it of a feature's number.
    """

    def __init__(self, name_of: Callable[[int], str]) -> None:
        self._name_of, self._at = name_of, dict[int, int]()
        self.found: list[str] = []

    def places(self, terms: np.ndarray) -> np.ndarray:
        """Return the places of terms among the names, -1 where a term is; one after the other."""
        return np.array([-1 if term < 0 else self._place(term) for term in terms.ravel().tolist()], np.int64)

    def _place(self, term: int) -> int:
        if term not in self._at:
            self._at[term] = len(self.found)
            self.found.append(self._name_of(term))
        return self._at[term]


def at_places(values: np.ndarray, places: np.ndarray, columns: np.ndarray | None = None) -> np.ndarray:
    """Return the values at places, (labels, most), of each label's column or of one for all; 0 where a place is -1."""
    if not len(values):
        return np.zeros(places.shape)
    rows = np.maximum(places, 0)
    return np.where(places >= 0, values[rows] if columns is None else values[rows, columns[:, None]], 0.0)


def largest(values: np.ndarray, most: int) -> np.ndarray:
    """Return the terms of the largest magnitudes for each label, int64 (labels, most); -1 where there is no more."""
    found = np.full((values.shape[1], most), -1)
    n = min(most, len(values))
    if n and values.shape[1]:
        size = np.abs(values)
        part = np.argpartition(-size, n - 1, axis=0)[:n]
        order = np.lexsort((part, -np.take_along_axis(size, part, axis=0)), axis=0)
        part = np.take_along_axis(part, order, axis=0)
        found[:, :n] = np.where(np.take_along_axis(size, part, axis=0) > 0, part, -1).T
    return found
