"""The records of a CSV file, in bounded memory: its header, then parts of whole records.

``pyarrow.csv`` reads a part in which each line is a record, given the kinds of its columns; ten times as fast as
Python's ``csv``. Whatever it refuses is read again by Python's ``csv``, which knows the line of each record: pyarrow
(tried with version 26) does not. It never sees a quote, as it reads ``"1"2`` as 12 without a word.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from streamlab._checks import check_unique
from streamlab.streams.limits import LoadWatch
from streamlab.streams.readers._text import Marks, cr_alone, line_blocks, lines_of, only_line_ends

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["MISSING", "CsvPart", "CsvRecords"]

BLOCK_ROWS = 1024
BLOCK_BYTES, MOST_BLOCK_BYTES = 1 << 18, 1 << 21
"""Bytes read at a time; of a wide file more, as its columns are read one by one."""
COLUMN_BYTES = 700
"""Bytes of a block for each column above which pyarrow is faster than Python's ``csv``."""
MISSING = frozenset({"", "?", "NA", "N/A", "NaN", "nan", "null", "NULL", "None"})
CELLS_AT_ONCE = 1 << 18
"""Cells of one record that are always split: fewer than any limit on columns may be commas in quoted texts."""


class CsvRecords:
    """A CSV file with a header, cut into cells.

    Parameters
    ----------
    path
        The file.
    separator
        One character.
    encoding
        As ``checked_encoding`` returned it.
    watch
        Its limits hold for records and columns.
    header
        Whether the first record holds the names; else they are ``column 1`` and so on.
    skip_lines
        Lines above the table, which are passed over.
    rename
        Whether a name that comes twice, or an empty one, is given another; else it is refused.

    Attributes
    ----------
    columns
        The names in the header.

    Raises
    ------
    ValueError
        For an invalid separator, a missing header, a repeated name, a ragged row, invalid CSV, an exceeded limit.
    """

    def __init__(
        self,
        path: Path,
        separator: str,
        encoding: str,
        watch: LoadWatch,
        *,
        header: bool = True,
        skip_lines: int = 0,
        rename: bool = False,
    ) -> None:
        if not isinstance(separator, str) or len(separator) != 1 or separator in "\r\n\"'":
            raise ValueError(f"separator={separator!r}: expected one character such as ',' or ';'")
        self.path, self.separator, self.encoding, self.watch = path, separator, encoding, watch
        self._has_header, self._skip_lines, self._rename = header, skip_lines, rename
        self._marks = Marks(path)
        self._first_line = skip_lines + 1
        self.columns = self._header()
        self._size = min(max(BLOCK_BYTES, 4 * COLUMN_BYTES * len(self.columns)), MOST_BLOCK_BYTES)

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """Yield every record that is not empty, the header included, and the number of its first line."""
        return self._from_the_top().records()

    def _from_the_top(self) -> _Splitter:
        blocks = line_blocks(self.path, self.encoding, BLOCK_BYTES, self.watch, first_line=self._skip_lines + 1)
        return _Splitter(self, blocks)

    def parts(self, start: int = 0) -> Iterator[CsvPart]:
        """Yield the rows from ``start`` on as parts of whole records."""
        mark, note = self._marks.before(start)
        row = mark.row
        blocks = line_blocks(self.path, self.encoding, self._size, self.watch, since=mark, first_line=self._first_line)
        for block in blocks:
            note(row, *block[1:])
            part = CsvPart(self, block, blocks, max(start - row, 0))
            if part.n_rows is None or part.skip < part.n_rows:
                yield part
            row += part.counted()

    def batches(self, start: int = 0) -> Iterator[tuple[Sequence[int], list[list[str]]]]:
        """Yield the lines of some rows and their cells, from row ``start`` on."""
        for part in self.parts(start):
            yield from part.batches()

    def _header(self) -> list[str]:
        splitter = self._from_the_top()
        line, record = next(splitter.records(), (0, None))
        if record is None:
            raise ValueError(f"{self.path}: the file is empty; expected a header and rows")
        if self._has_header:
            self._first_line = splitter.line + 1
        columns = [name.strip() for name in record] if self._has_header else [""] * len(record)
        where, most = f"{self.path}, line {line}", self.watch.most_columns
        if len(columns) > most:
            what = f"{len(columns):,} columns; expected at most {most:,}"
            raise self.watch.over("features", where, what)
        self.watch.names(sum(map(len, columns)), where, len(columns))
        if self._rename or not self._has_header:
            columns = _distinct(columns)
        check_unique(f"{self.path}, line {line}: in the header the column", columns)
        return columns


class CsvPart:
    """Some whole records: a block of lines, and what comes after it as long as a record goes on.

    Parameters
    ----------
    file
        The records are its.
    block
        The lines, the number of the first, and their offset in the file.
    rest
        The blocks after it.
    skip
        How many rows to pass over.

    Attributes
    ----------
    n_rows
        How many rows it has, those passed over among them; None if it has not been counted.
    lines
        Those of the rows, where ``is_table``.
    is_table
        Whether pyarrow may be able to read it.
    """

    def __init__(
        self,
        file: CsvRecords,
        block: tuple[bytes, int, int | None],
        rest: Iterator[tuple[bytes, int, int | None]],
        skip: int,
    ) -> None:
        self._file, self._block, self._rest, self.skip = file, block, rest, skip
        text, longest = block[0], file.watch.limits.line_bytes
        is_plain = len(text) < longest and b'"' not in text and _are_rows(text)
        self.n_rows = text.count(b"\n") if is_plain else None
        self.lines = range(block[1] + skip, block[1] + (self.n_rows or 0))
        self.is_table = is_plain and file.separator.isascii() and len(text) >= COLUMN_BYTES * len(file.columns)

    def table(self, kinds: dict[int, pa.DataType]) -> pa.Table | None:
        """Return the columns at these positions, called ``"0"``, ``"1"`` …; None if pyarrow cannot read them."""
        import pyarrow as pa
        import pyarrow.csv as arrow

        text, file = self._block[0], self._file
        names = [str(place) for place in range(len(file.columns))]
        try:
            table = arrow.read_csv(
                pa.BufferReader(text),
                arrow.ReadOptions(use_threads=False, block_size=len(text) + 1, column_names=names),
                arrow.ParseOptions(delimiter=file.separator, quote_char=False),
                arrow.ConvertOptions(
                    check_utf8=False,
                    column_types={names[place]: kind for place, kind in kinds.items()},
                    include_columns=[names[place] for place in kinds],
                    null_values=sorted(MISSING),
                ),
            )
        except pa.ArrowInvalid:
            return None
        return table.slice(self.skip) if table.num_rows == self.n_rows else None

    def batches(self) -> Iterator[tuple[Sequence[int], list[list[str]]]]:
        """Yield the lines of some rows and their cells, without those passed over."""
        file = self._file
        n_columns = len(file.columns)
        first = "header" if file._has_header else "first row"
        lines: list[int] = []
        rows: list[list[str]] = []
        n_rows = 0
        for line, record in _Splitter(file, iter((self._block,)), self._rest).records():
            if len(record) != n_columns:
                raise ValueError(
                    f"{file.path}, line {line}, column {min(len(record), n_columns) + 1}: "
                    f"expected {n_columns} cells as in the {first}, found {len(record)}"
                )
            n_rows += 1
            if n_rows <= self.skip:
                continue
            lines.append(line)
            rows.append(record)
            if len(rows) == BLOCK_ROWS:
                yield lines, rows
                lines, rows = [], []
        self.n_rows = n_rows
        if rows:
            yield lines, rows

    def counted(self) -> int:
        """Return how many rows it has, those passed over among them."""
        if self.n_rows is None:
            for _ in self.batches():
                pass
        return self.n_rows or 0


class _Splitter:
    """Cut lines into records with Python's ``csv``.

    Parameters
    ----------
    file
        Its limits hold.
    blocks
        The lines.
    rest
        More of them, which are read only as long as a record goes on.

    Attributes
    ----------
    line
        The last line that was taken.
    """

    def __init__(
        self,
        file: CsvRecords,
        blocks: Iterator[tuple[bytes, int, int | None]],
        rest: Iterator[tuple[bytes, int, int | None]] | None = None,
    ) -> None:
        self._file, self._blocks, self._rest = file, blocks, rest
        self.line = 0
        self._letters, self._first_line = 0, 1  # of the record that is being read

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """Yield every record that is not empty, and the number of its first line."""
        reader = csv.reader(self._lines(), delimiter=self._file.separator, strict=True)
        while True:
            self._letters = 0
            try:
                record = next(reader, None)
            except csv.Error as error:
                if "new-line character" in str(error):
                    raise cr_alone(self._file.path, self._first_line) from None
                raise ValueError(f"{self._file.path}, line {self._first_line}: no valid CSV ({error})") from None
            if record is None:
                return
            if record:
                yield self._first_line, record

    def _lines(self) -> Iterator[str]:
        """Yield the lines with their ends; raise a ValueError before a record is too large to be split."""
        path, watch, separator = self._file.path, self._file.watch, self._file.separator
        longest, most = watch.limits.line_bytes, max(watch.most_columns, CELLS_AT_ONCE)
        cells = 0
        for block, first, _ in self._all_blocks():
            if self._letters == 0 and only_line_ends(block):
                continue
            for number, text in enumerate(lines_of(block), first):
                self.line = number
                size = len(text) + 1
                if self._letters:
                    self._letters += size
                else:
                    # a record begins
                    self._letters, self._first_line, cells = size, number, 0
                if self._letters > longest:
                    what = f"the record has more than {longest:,} characters; a quote may not end"
                    raise watch.over("line_bytes", f"{path}, line {number}", what)
                if size > most:
                    cells += text.count(separator)
                    if cells > most:
                        where, what = f"{path}, line {number}", f"more than {most:,} cells in a row"
                        raise watch.over("features", where, what)
                yield text + "\n"

    def _all_blocks(self) -> Iterator[tuple[bytes, int, int | None]]:
        yield from self._blocks
        while self._rest is not None and self._letters and (block := next(self._rest, None)):
            yield block


def _are_rows(text: bytes) -> bool:
    """Return whether each line of a block is a row: none is empty, and none has a carriage return within."""
    n_returns = text.count(b"\r")
    if text.startswith((b"\n", b"\r\n")) or b"\n\n" in text:
        return False
    return n_returns == 0 or (n_returns == text.count(b"\r\n") and b"\n\r\n" not in text)


def _distinct(names: list[str]) -> list[str]:
    """Return the names with ``column 3`` in place of an empty one, and ``x (2)`` for the second ``x``."""
    taken: set[str] = set()
    given = {name for name in names if name}
    distinct: list[str] = []
    times: dict[str, int] = {}
    for place, name in enumerate(names, 1):
        own = name or f"column {place}"
        while own in taken or (own != name and own in given):
            base = name or "column"
            times[base] = times.get(base, 1) + 1
            own = f"{base} ({times[base]})"
        taken.add(own)
        distinct.append(own)
    return distinct
