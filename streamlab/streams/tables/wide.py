"""Tables of thousands of columns: what a call for each column would do is done for many of them at once."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the garbage collector off, which would go through a hundred thousand columns' objects again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def columns_of(
    names: Sequence[str], head: Sequence[pa.Array], decimal: str, missing: frozenset[str], separator: str | None
) -> list[ColumnGuess]:
    """Return what ``column_of`` does for each column; those of numbers are looked at together."""
    found: dict[int, ColumnGuess] = {}
    for positions, values, cells in _numbers(head, decimal, missing) if len(names) >= MANY else ():
        n_rows, wholes, gaps = values.shape[1], np.floor(values) == values, np.isnan(values)
        some = np.sort(np.where(gaps.all(axis=1, keepdims=True), 0.0, values), axis=1)
        is_new = np.diff(some, axis=1, prepend=np.nan) != 0
        n_different, n_gaps = is_new.sum(axis=1), gaps.sum(axis=1)
        low, high = some[:, 0].tolist(), np.nanmax(some, axis=1).tolist()
        # flags, numbers of rows, and what is 0 or 1 but for a few cells are looked at alone
        is_no, is_yes = values == 0, values == 1
        is_flagged = is_no.any(axis=1) & is_yes.any(axis=1)
        is_flagged &= (~(is_no | is_yes | gaps)).sum(axis=1) <= kinds.most_odd(n_rows)
        is_whole = wholes.all(axis=1) & (n_different > 2) & (n_different < n_rows)
        is_broken = ~(wholes | gaps).all(axis=1)
        for j, position in enumerate(positions):
            name, first = names[position], cells[j * n_rows : (j + 1) * n_rows]
            if is_flagged[j] or kinds.TIME.match(name) or not (is_whole[j] or is_broken[j]):
                guess = kinds.of_parsed(name, values[j])
            elif is_broken[j]:
                guess = kinds.of_range(name, low[j], high[j])
            else:
                guess = kinds.of_whole(name, some[j, is_new[j]])
            found[position] = kinds.completed(guess, first, missing, gaps=int(n_gaps[j]))
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
