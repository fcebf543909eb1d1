"""Tables of thousands of columns: what a call for each column would do is done for many of them at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from streamlab._arrays import NoNumber, is_plain, is_text, numbers_in
from streamlab._cells import value_of
from streamlab.streams.tables import kinds
from streamlab.streams.tables.kinds import ColumnGuess

if TYPE_CHECKING:
    import pyarrow as pa

Columns = dict[str, Any]
"""Arrow arrays by name."""

MANY, AT_ONCE = 256, 512
"""From how many columns on they are looked at together, and how many at a time."""
MOST_OTHERS = 64
"""Columns that are no numbers in lines of JSON that are read here."""
MOST_WHOLE = 2.0**53


def columns_of(
    names: Sequence[str], head: Sequence[pa.Array], decimal: str, missing: frozenset[str], separator: str | None
) -> list[ColumnGuess]:
    """Return what ``column_of`` does for each column; those of numbers are looked at together."""
    found: dict[int, ColumnGuess] = {}
    for positions, values, cells in _numbers(head, decimal, missing) if len(names) >= MANY else ():
        n_rows, wholes, gaps = values.shape[1], np.floor(values) == values, np.isnan(values)
        some = np.where(gaps.all(axis=1, keepdims=True), 0.0, values)
        low, high = np.nanmin(some, axis=1).tolist(), np.nanmax(some, axis=1).tolist()
        is_whole, n_gaps = (wholes | gaps).all(axis=1), gaps.sum(axis=1).tolist()
        # one that is 0 or 1 but for a few cells is looked at alone
        is_plain_one = ~is_whole & ~((values == 0).any(axis=1) & (values == 1).any(axis=1))
        for j, position in enumerate(positions):
            name, first = names[position], cells[j * n_rows : (j + 1) * n_rows]
            if is_plain_one[j] and not kinds.TIME.match(name):
                guess = kinds.of_range(name, low[j], high[j])
            else:
                guess = kinds.of_parsed(name, values[j])
            found[position] = kinds.completed(guess, first, missing, gaps=n_gaps[j])
    return [
        found.get(j) or kinds.column_of(name, cells, decimal, missing, separator)
        for j, (name, cells) in enumerate(zip(names, head, strict=True))
    ]


def _numbers(
    head: Sequence[pa.Array], decimal: str, missing: frozenset[str]
) -> Iterator[tuple[list[int], np.ndarray, list[Any]]]:
    """Yield the positions of some columns of numbers, these (a row for each column), and their cells."""
    import pyarrow as pa

    by_kind: dict[Any, list[int]] = {}
    for position, cells in enumerate(head):
        is_one = is_plain(cells.type)
        if len(cells) and (is_one or (is_text(cells.type) and _begins(cells[0].as_py(), decimal, missing))):
            by_kind.setdefault((cells.type, len(cells)), []).append(position)
    for (_, n_rows), positions in by_kind.items():
        for begin in range(0, len(positions), AT_ONCE):
            own = positions[begin : begin + AT_ONCE]
            joined = pa.concat_arrays([head[position] for position in own])
            try:
                values = numbers_in(joined, decimal, missing, flags=False)
            except NoNumber:
                continue
            yield own, values.reshape(len(own), n_rows), joined.to_pylist()


def _begins(cell: str | None, decimal: str, missing: frozenset[str]) -> bool:
    return cell is None or value_of(cell, missing, decimal, flags=False) is not None


def columns_of_numbers(block: bytes, read: Callable[[bytes], tuple[Columns, int]]) -> tuple[Columns, int] | None:
    """Return the columns of lines of JSON, and how many rows, as ``read`` does: its parser takes 30 µs for each column.

    None where that has to read them: objects of few names, of others than the first has, or with other objects in them,
    or more than a few columns that are no numbers.
    """
    import pyarrow as pa

    if block.count(b'":', 0, block.find(b"\n")) < MANY:
        return None
    try:
        lines = [line for line in block.split(b"\n") if line.strip()]
        rows = [msgspec.json.decode(line) for line in lines]
        names = list(rows[0])
        # as many as are written: none twice, and none in another object
        if any(list(row) != names or line.count(b'":') != len(row) for row, line in zip(rows, lines, strict=True)):
            return None
    except (TypeError, ValueError):
        return None
    cells = [list(row.values()) for row in rows]
    is_int, others = np.ones(len(names), bool), set[int]()
    for own in cells:
        kinds_of = list(map(type, own))
        is_int &= [kind is int for kind in kinds_of]
        if not {*kinds_of} <= {int, float}:
            others |= {j for j, kind in enumerate(kinds_of) if kind is not int and kind is not float}
    if len(others) > MOST_OTHERS:
        return None
    lines = [json.dumps({names[j]: own[j] for j in others}).encode() + b"\n" for own in cells if others]
    apart = read(b"".join(lines))[0] if lines else {}
    for own in cells:
        for j in others:
            own[j] = 0
    try:
        values = np.array(cells, np.float64)
    except OverflowError:
        return None
    if not np.isfinite(values).all() or (abs(values[:, is_int]) >= MOST_WHOLE).any():
        return None
    n_rows, columns = len(rows), dict[str, Any].fromkeys(names)
    for chosen, kind in ((~is_int, np.float64), (is_int, np.int64)):
        own_names = [names[j] for j in np.flatnonzero(chosen).tolist()]
        joined = pa.array(values[:, chosen].T.astype(kind).ravel())
        columns.update((name, joined.slice(j * n_rows, n_rows)) for j, name in enumerate(own_names))
    return columns | apart, n_rows
