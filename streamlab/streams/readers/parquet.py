"""Parquet files as streams: categories found in one pass, rows read in bounded memory."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from streamlab.schema import Feature, Schema, first_duplicate
from streamlab.streams._checks import few, shown
from streamlab.streams.readers._table_columns import MAX_CATEGORIES, label_positions, named_positions
from streamlab.streams.readers._text import existing_file, stem_of
from streamlab.streams.stream import Stream

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

__all__ = ["ParquetStream"]

BLOCK_ROWS = 1024


class ParquetStream(Stream):
    """A Parquet file, read in bounded memory as often as asked for.

    Parameters
    ----------
    path
        The file.
    labels
        Names of the columns that are labels (0 and 1, or bool), or a number: the first n columns, or the last if n is
        negative.
    ignore
        Columns to leave out.
    nominal
        Columns of integers to be taken as nominal.

    Attributes
    ----------
    schema : Schema
        Columns of numbers and bools are numeric, columns of text (also dictionary-encoded) nominal, with the
        categories sorted.
    n_rows : int

    Raises
    ------
    ValueError
        On opening and while reading, naming file, row (counted from 1) and column: no Parquet, no rows, a column of
        another type, more than 1,000 different texts, an infinite value, a label that is missing or not 0 or 1.

    Notes
    -----
    Opening reads the text columns once, to find their categories.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        labels: int | str | Sequence[str] | None,
        ignore: Sequence[str] = (),
        nominal: Sequence[str] = (),
    ) -> None:
        self.path = existing_file(path)
        self.name = stem_of(self.path)
        file = self._open()
        with file:
            arrow = file.schema_arrow
            columns = list(arrow.names)
            source = str(self.path)
            twice = first_duplicate(columns)
            if twice is not None:
                raise ValueError(f"{source}: the column {twice!r} occurs twice")
            dropped = named_positions(columns, ignore, source, "ignore=")
            kept = [c for j, c in enumerate(columns) if j not in dropped]
            chosen = {kept[j] for j in label_positions(kept, labels, source)}
            forced = {columns[j] for j in named_positions(columns, nominal, source, "nominal=")}
            if forced & chosen:
                raise ValueError(f"{source}: nominal= names {min(forced & chosen)!r}, which is a label")
            self.n_rows = file.metadata.num_rows
            if self.n_rows == 0:
                raise ValueError(f"{source}: no rows; expected at least one")
            self._labels = [c for c in kept if c in chosen]
            self._features = [c for c in kept if c not in chosen]
            words = [c for c in self._features if c in forced or self._is_text(arrow.field(c).type, c)]
            for c in self._labels:
                if self._is_text(arrow.field(c).type, c):
                    raise ValueError(f"{source}, column {c!r}: the label holds text; expected 0 and 1 or bool")
            self._meanings = self._categories(file, words)
        self.schema = Schema(
            tuple(Feature(c, tuple(self._meanings[c]) if c in self._meanings else None) for c in self._features),
            tuple(self._labels),
        )

    def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        columns = [*self._features, *self._labels]
        with self._open() as file:
            groups, position = self._groups_from(file, start)
            start -= position
            for batch in file.iter_batches(BLOCK_ROWS, row_groups=groups, columns=columns):
                if start >= batch.num_rows:
                    start -= batch.num_rows
                    position += batch.num_rows
                    continue
                batch = batch.slice(start)
                position += start
                start = 0
                X = np.empty((batch.num_rows, len(self._features)))
                Y = np.empty((batch.num_rows, len(self._labels)), np.uint8)
                for j, column in enumerate(self._features):
                    X[:, j] = self._values(batch.column(column), column, position)
                for j, column in enumerate(self._labels):
                    values = self._values(batch.column(column), column, position)
                    bad = (values != 0) & (values != 1)
                    if bad.any():
                        i = int(np.argmax(bad))
                        found = "it is missing" if math.isnan(values[i]) else f"found {values[i]}"
                        raise self._error(column, position + i, f"expected the label to be 0 or 1, {found}")
                    Y[:, j] = values
                position += batch.num_rows
                yield X, Y

    def _open(self) -> pq.ParquetFile:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            return pq.ParquetFile(self.path)
        except (pa.ArrowInvalid, OSError) as error:
            raise ValueError(f"{self.path}: no Parquet file that can be read ({str(error).splitlines()[0]})") from None

    @staticmethod
    def _groups_from(file: pq.ParquetFile, start: int) -> tuple[list[int], int]:
        """Return the row groups that hold row ``start`` and those after it, and the position of their first row."""
        position = 0
        for group in range(file.num_row_groups):
            n = file.metadata.row_group(group).num_rows
            if position + n > start:
                return list(range(group, file.num_row_groups)), position
            position += n
        return [], position

    def _is_text(self, kind: pa.DataType, column: str) -> bool:
        import pyarrow.types as types

        if types.is_dictionary(kind):
            kind = kind.value_type
            if types.is_integer(kind) or types.is_floating(kind):
                return True  # a categorical of numbers is still one
        if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
            return True
        numeric = types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_decimal(kind)
        if numeric or types.is_null(kind):
            return False
        raise ValueError(
            f"{self.path}, column {column!r}: it is of type {kind}; expected numbers, bools or text: "
            "leave it out with ignore= or encode it"
        )

    def _categories(self, file: pq.ParquetFile, columns: list[str]) -> dict[str, dict[str, float]]:
        found: dict[str, set[str]] = {column: set() for column in columns}
        batches = file.iter_batches(BLOCK_ROWS * 16, columns=columns) if columns else ()
        for batch in batches:
            for column in columns:
                found[column].update(v for v in _texts(batch.column(column).unique()) if v is not None)
                if len(found[column]) > MAX_CATEGORIES:
                    raise ValueError(
                        f"{self.path}, column {column!r}: more than {MAX_CATEGORIES:,} different values; expected "
                        "numbers or few words: drop it with ignore= or encode it"
                    )
        return {column: {c: float(i) for i, c in enumerate(sorted(words))} for column, words in found.items()}

    def _values(self, array: pa.Array, column: str, position: int) -> np.ndarray:
        import pyarrow as pa
        import pyarrow.types as types

        meanings = self._meanings.get(column)
        if meanings is not None:
            values = np.empty(len(array))
            for i, text in enumerate(_texts(array)):
                value = math.nan if text is None else meanings.get(text)
                if value is None:
                    raise self._error(
                        column, position + i, f"expected one of {few(list(meanings))}, found {shown(text)}"
                    )
                values[i] = value
            return values
        if types.is_boolean(array.type):
            array = array.cast(pa.uint8())
        values = array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        bad = np.isinf(values)
        if bad.any():
            i = int(np.argmax(bad))
            raise self._error(column, position + i, f"expected a finite number, found {values[i]}")
        return values

    def _error(self, column: str, row: int, what: str) -> ValueError:
        return ValueError(f"{self.path}, row {row + 1}, column {column!r}: {what}")


def _texts(array: pa.Array) -> list[str | None]:
    return [None if v is None else str(v) for v in array.to_pylist()]
