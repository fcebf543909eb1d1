"""The columns of texts of a CSV or Parquet file, some rows at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamlab.streams._checks import shown
from streamlab.streams.limits import LoadWatch
from streamlab.streams.readers._csv_records import CsvRecords
from streamlab.streams.readers._text import checked_encoding

if TYPE_CHECKING:
    import pyarrow.parquet as pq

__all__ = ["CsvTexts", "ParquetTexts", "Texts"]

BLOCK_ROWS = 256


class Texts(ABC):
    """Some columns of a file as texts.

    Attributes
    ----------
    columns
        The names of all columns.
    """

    columns: list[str]

    @abstractmethod
    def blocks(self, start: int, columns: Sequence[str]) -> Iterator[tuple[Sequence[int], dict[str, list[Any]]]]:
        """Yield the lines or numbers of rows from ``start`` on, and their cells by column: texts, lists or None."""

    @abstractmethod
    def place(self, number: int, column: str) -> str:
        """Return where a cell is, for messages."""


class CsvTexts(Texts):
    """Columns of a CSV file; parameters as those of ``CsvRecords``."""

    def __init__(
        self, path: Path, separator: str, encoding: str, watch: LoadWatch, *, header: bool = True, skip_lines: int = 0
    ) -> None:
        self.path = path
        encoding = checked_encoding(encoding)
        self._records = CsvRecords(path, separator, encoding, watch, header=header, skip_lines=skip_lines)
        self.columns = self._records.columns

    def blocks(self, start: int, columns: Sequence[str]) -> Iterator[tuple[Sequence[int], dict[str, list[Any]]]]:
        places = {name: self.columns.index(name) for name in columns}
        for lines, rows in self._records.batches(start):
            yield lines, {name: [row[at] for row in rows] for name, at in places.items()}

    def place(self, number: int, column: str) -> str:
        return f"{self.path}, line {number}, column {shown(column)}"


class ParquetTexts(Texts):
    """Columns of a Parquet file."""

    def __init__(self, path: Path, watch: LoadWatch) -> None:
        from streamlab.streams.readers.parquet import check_size, readable

        self.path, self._watch = path, watch
        with readable(path), self._open() as file:
            check_size(path, file.metadata, watch)
            self.columns = list(file.schema_arrow.names)

    def _open(self) -> pq.ParquetFile:
        import pyarrow.parquet as pq

        return pq.ParquetFile(self.path)

    def blocks(self, start: int, columns: Sequence[str]) -> Iterator[tuple[Sequence[int], dict[str, list[Any]]]]:
        from streamlab.streams.readers.parquet import batches_from, readable

        with readable(self.path), self._open() as file:
            for position, batch in batches_from(file, start, columns):
                self._watch.step()
                numbers = range(position + 1, position + batch.num_rows + 1)
                yield numbers, {name: self._cells(batch.column(name), name) for name in columns}

    def _cells(self, array: Any, column: str) -> list[Any]:
        import pyarrow.types as types

        kind = array.type.value_type if types.is_dictionary(array.type) else array.type
        if types.is_nested(kind) and not (types.is_list(kind) or types.is_large_list(kind)):
            raise ValueError(f"{self.path}, column {shown(column)}: it is of type {kind}; expected texts")
        array.validate(full=True)  # a damaged file may hold indices beyond its dictionary
        cells = array.to_pylist()
        longest = max((len(cell) for cell in cells if isinstance(cell, (str, list))), default=0)
        if longest > self._watch.limits.line_bytes:
            what = f"a text has more than {self._watch.limits.line_bytes:,} characters"
            raise self._watch.over("line_bytes", f"{self.path}, column {shown(column)}", what)
        return [cell if cell is None or isinstance(cell, (str, list)) else str(cell) for cell in cells]

    def place(self, number: int, column: str) -> str:
        return f"{self.path}, row {number}, column {shown(column)}"
