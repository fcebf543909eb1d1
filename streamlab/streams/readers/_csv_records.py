"""The records of a CSV file, in bounded memory: its header, then batches of rows with their lines.

Python's ``csv`` splits the records, not ``pyarrow.csv.open_csv``, because every error names the line of the file. With
quoted line breaks pyarrow (tried with version 26) gives a ragged row no number and a cell that is not a number only its
column; it does not count empty lines; it decides a column's kind by its first block alone; and it reads ``"1"2`` as 12
without a word.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from streamlab.schema import first_duplicate
from streamlab.streams._checks import shown
from streamlab.streams.limits import LoadWatch
from streamlab.streams.readers._text import numbered_lines

__all__ = ["CsvRecords"]

BLOCK_ROWS = 1024
BLOCK_LETTERS = 1 << 21  # as Python strings the cells of a block take many times its size
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
        self.columns = self._header()

    def records(self) -> Iterator[tuple[int, list[str]]]:
        """Yield every record that is not empty, the header included, and the number of its first line."""
        # Characters of this record so far, and of those that wait to be taken together; the record's first line.
        self._letters = letters = [0, 0, 1]
        reader = csv.reader(self._lines(letters), delimiter=self.separator, strict=True)
        while True:
            letters[0] = 0
            try:
                record = next(reader, None)
            except csv.Error as error:
                raise ValueError(f"{self.path}, line {letters[2]}: no valid CSV ({error})") from None
            if record is None:
                return
            if record:
                yield letters[2], record

    def _lines(self, letters: list[int]) -> Iterator[str]:
        """Yield the lines with their ends; raise a ValueError before a record is too large to be split."""
        longest, most = self.watch.limits.line_bytes, max(self.watch.most_columns, CELLS_AT_ONCE)
        cells = 0
        for number, text in numbered_lines(self.path, self.encoding, self.watch, lambda: letters[0] > 0):
            if number <= self._skip_lines:
                continue
            size = len(text) + 1
            letters[1] += size
            if letters[0]:
                letters[0] += size
            else:
                # a record begins
                letters[0], letters[2], cells = size, number, 0
            if letters[0] > longest:
                what = f"the record has more than {longest:,} characters; a quote may not end"
                raise self.watch.over("line_bytes", f"{self.path}, line {number}", what)
            if size > most:
                cells += text.count(self.separator)
                if cells > most:
                    where, what = f"{self.path}, line {number}", f"more than {most:,} cells in a row"
                    raise self.watch.over("features", where, what)
            yield text + "\n"

    def _header(self) -> list[str]:
        line, record = next(self.records(), (0, None))
        if record is None:
            raise ValueError(f"{self.path}: the file is empty; expected a header and rows")
        columns = [name.strip() for name in record] if self._has_header else [""] * len(record)
        where, most = f"{self.path}, line {line}", self.watch.most_columns
        if len(columns) > most:
            what = f"{len(columns):,} columns; expected at most {most:,}"
            raise self.watch.over("features", where, what)
        self.watch.names(sum(map(len, columns)), where, len(columns))
        if self._rename or not self._has_header:
            columns = _distinct(columns)
        twice = first_duplicate(columns)
        if twice is not None:
            raise ValueError(f"{self.path}, line {line}: the column {shown(twice)} occurs twice in the header")
        return columns

    def batches(self, start: int) -> Iterator[tuple[list[int], list[list[str]]]]:
        lines: list[int] = []
        rows: list[list[str]] = []
        records = self.records()
        if self._has_header:
            next(records)
        letters = self._letters
        n_columns = len(self.columns)
        first = "header" if self._has_header else "first row"
        for line, record in records:
            if len(record) != n_columns:
                raise ValueError(
                    f"{self.path}, line {line}, column {min(len(record), n_columns) + 1}: "
                    f"expected {n_columns} cells as in the {first}, found {len(record)}"
                )
            if start > 0:
                start -= 1
                letters[1] = 0
                continue
            lines.append(line)
            rows.append(record)
            if len(rows) == BLOCK_ROWS or letters[1] > BLOCK_LETTERS:
                yield lines, rows
                lines, rows = [], []
                letters[1] = 0
        if rows:
            yield lines, rows


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
