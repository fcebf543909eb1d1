"""The rows of a CSV or Parquet file by column, in bounded memory: texts, lists of texts, or numbers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab._checks import check_unique, shown
from streamlab.streams.guess.layout import Layout, head_rows
from streamlab.streams.limits import LoadWatch
from streamlab.streams.readers.parquet import batches_from, check_size, check_words, readable, texts_of

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

__all__ = ["CsvTable", "FrameTable", "ParquetTable", "ParquetTexts", "Table"]

BLOCK_ROWS = 1024
HEAD_ROWS = 1000


class Table(ABC):
    """A file of rows and named columns.

    Attributes
    ----------
    columns
        The names of all columns, all different.
    """

    path: Path
    columns: list[str]

    @abstractmethod
    def blocks(self, start: int, places: Sequence[int]) -> Iterator[tuple[Sequence[int], list[Any]]]:
        """Yield the lines or numbers of rows from ``start`` on, and the cells of the columns at ``places``.

        The cells of a column are a list of texts, of lists or of None; or, of a Parquet file's numbers, an array of
        float64, missing ones NaN.
        """

    @abstractmethod
    def head(self, places: Sequence[int] | None = None) -> list[list[Any]]:
        """Return the cells of the first rows, column by column; of a Parquet file those of some columns alone."""

    @abstractmethod
    def place(self, number: int, position: int) -> str:
        """Return where a cell is, for messages."""


class CsvTable(Table):
    """A text file that is written as its layout says; ``rename`` as in ``CsvRecords``."""

    def __init__(self, path: Path, layout: Layout, watch: LoadWatch, *, rename: bool = True) -> None:
        self.path, self._layout, self._watch = path, layout, watch
        self._records = layout.records(path, watch, rename=rename)
        self.columns = self._records.columns

    def blocks(self, start: int, places: Sequence[int]) -> Iterator[tuple[Sequence[int], list[Any]]]:
        for lines, rows in self._records.batches(start):
            by_column = list(zip(*rows, strict=True))
            yield lines, [by_column[place] for place in places]

    def head(self, places: Sequence[int] | None = None) -> list[list[Any]]:
        rows = head_rows(self.path, self._layout, self._watch)
        width = len(self.columns)
        rows = [row for row in rows[1 if self._layout.header else 0 :] if len(row) == width]
        return [[row[j] for row in rows] for j in range(width)]

    def place(self, number: int, position: int) -> str:
        return f"{self.path}, line {number}, column {position + 1} ({shown(self.columns[position])})"


class ParquetTable(Table):
    """A Parquet file."""

    def __init__(self, path: Path, watch: LoadWatch) -> None:
        self.path, self._watch = path, watch
        self._words: list[str] = []
        with readable(path), self._open() as file:
            check_size(path, file.metadata, watch)
            arrow = file.schema_arrow
            self.columns = list(arrow.names)
            self.kinds = list(arrow.types)
            # the texts of a column are kept once each: a file of some kB can repeat a long one millions of times
            self._words = [name for name, kind in zip(self.columns, self.kinds, strict=True) if _is_text(kind)]
            lists = [name for name, kind in zip(self.columns, self.kinds, strict=True) if _is_list(kind)]
            self._meta, self._checked = file.metadata, [*self._words, *lists]
        watch.names(sum(map(len, self.columns)), str(path), len(self.columns))
        check_unique(f"{path}: the column", self.columns)

    def _open(self) -> pq.ParquetFile:
        import pyarrow.parquet as pq

        return pq.ParquetFile(self.path, read_dictionary=self._words)

    def blocks(self, start: int, places: Sequence[int]) -> Iterator[tuple[Sequence[int], list[Any]]]:
        names = [self.columns[place] for place in places]
        if set(names) & set(self._checked):
            check_words(self.path, self._meta, self._checked, self._watch)
        with readable(self.path), self._open() as file:
            for position, batch in batches_from(file, start, names):
                self._watch.step()
                numbers = range(position + 1, position + batch.num_rows + 1)
                yield numbers, [self._cells(batch.column(name), name) for name in names]

    def head(self, places: Sequence[int] | None = None) -> list[list[Any]]:
        kinds = enumerate(self.kinds)
        read = [j for j, kind in kinds if _is_read(kind)] if places is None else list(places)
        found: list[list[Any]] = [[_OTHER] for _ in self.columns]
        for j in read:
            found[j] = []
        for _, cells in self.blocks(0, read) if read else ():
            for j, column in zip(read, cells, strict=True):
                values = column.tolist() if isinstance(column, np.ndarray) else column
                found[j].extend(_cut(value) for value in values[: HEAD_ROWS - len(found[j])])
            if len(found[read[0]]) >= HEAD_ROWS:
                break
        return found

    def _cells(self, array: pa.Array, column: str) -> Any:
        import pyarrow as pa
        import pyarrow.types as types

        kind = array.type
        if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
            return array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        if _is_text(kind):
            cells = texts_of(array)
        else:
            array.validate(full=True)
            try:
                cells = array.to_pylist()
            except (OverflowError, NotImplementedError) as error:
                what = f"it holds values of type {kind} that cannot be read ({error})"
                raise ValueError(f"{self.path}, column {shown(column)}: {what}") from None
        return self._short(cells, column)

    def _short(self, cells: list[Any], column: str) -> list[Any]:
        """Return the cells; raise a ValueError if one of them is too long."""
        longest = max((len(cell) for cell in cells if isinstance(cell, (str, list))), default=0)
        if longest > self._watch.limits.line_bytes:
            what = f"a text has more than {self._watch.limits.line_bytes:,} characters"
            raise self._watch.over("line_bytes", f"{self.path}, column {shown(column)}", what)
        return cells

    def place(self, number: int, position: int) -> str:
        return f"{self.path}, row {number}, column {shown(self.columns[position])}"


class ParquetTexts(ParquetTable):
    """A Parquet file of which all that is read are texts, long ones too."""

    def __init__(self, path: Path, watch: LoadWatch) -> None:
        super().__init__(path, watch)
        self._words, self._checked = [], []

    def _cells(self, array: pa.Array, column: str) -> list[Any]:
        import pyarrow.types as types

        kind = array.type.value_type if types.is_dictionary(array.type) else array.type
        if types.is_nested(kind) and not _is_list(kind):
            raise ValueError(f"{self.path}, column {shown(column)}: it is of type {kind}; expected texts")
        array.validate(full=True)  # a damaged file may hold indices beyond its dictionary
        cells = self._short(array.to_pylist(), column)
        return [cell if cell is None or isinstance(cell, (str, list)) else str(cell) for cell in cells]


class FrameTable(ParquetTable):
    """A table of pyarrow in memory, as if it were read from a Parquet file; ``path`` is what it is called."""

    def __init__(self, frame: pa.Table, name: str, watch: LoadWatch) -> None:
        self.path, self._watch, self._frame = Path(name), watch, frame
        self.columns, self.kinds = list(frame.column_names), list(frame.schema.types)

    def blocks(self, start: int, places: Sequence[int]) -> Iterator[tuple[Sequence[int], list[Any]]]:
        position = start
        for batch in self._frame.select(list(places)).slice(start).to_batches(max_chunksize=BLOCK_ROWS):
            self._watch.step()
            numbers = range(position + 1, position + batch.num_rows + 1)
            cells = zip(batch.columns, places, strict=True)
            yield numbers, [self._cells(array, self.columns[place]) for array, place in cells]
            position += batch.num_rows


_OTHER = object()
LONG_CELL = 4096
"""Characters of a cell, or values of a list, that guesses look at."""


def _cut(value: Any) -> Any:
    return value[:LONG_CELL] if isinstance(value, (str, list)) else value


def _is_list(kind: pa.DataType) -> bool:
    import pyarrow.types as types

    return types.is_list(kind) or types.is_large_list(kind)


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow.types as types

    if types.is_dictionary(kind):
        return True
    return types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)


def _is_read(kind: pa.DataType) -> bool:
    """Whether the cells are numbers, flags, texts, lists of texts or times."""
    import pyarrow.types as types

    if types.is_dictionary(kind):
        kind = kind.value_type
    if _is_list(kind):
        kind = kind.value_type
        return types.is_string(kind) or types.is_large_string(kind) or types.is_integer(kind)
    numbers = types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind)
    return _is_text(kind) or numbers or types.is_boolean(kind) or types.is_temporal(kind) or types.is_null(kind)
