"""Text files of rows and cells as a source of batches, read by ``pyarrow.csv`` a block of whole records at a time."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING

from streamlab._checks import shown
from streamlab.streams.limits import LoadWatch
from streamlab.streams.readers._text import (
    COLUMN_BYTES,
    MOST_BLOCK_BYTES,
    TextRows,
    cr_alone,
    lines_of,
)
from streamlab.streams.tables.source import Batch, Source

if TYPE_CHECKING:
    import pyarrow as pa


BLOCK_BYTES = 1 << 19
"""Bytes read at a time; of a wide file more."""
MOST_HEAD_BLOCKS = 4
CELLS_AT_ONCE = 1 << 18
"""Cells of one record that are always split: fewer than any limit on columns may be commas in quoted texts."""


@dataclass(frozen=True)
class Layout:
    """How the rows of a text file are written.

    Parameters
    ----------
    separator, decimal
        Between cells, and in numbers: ``"."`` or ``","``.
    encoding
        As Python calls it.
    header
        Whether the first record holds the names of columns.
    skip_lines
        Lines above the table.
    unsure
        Which of these are guessed from little: their names.
    """

    separator: str = ","
    decimal: str = "."
    encoding: str = "utf-8"
    header: bool = True
    skip_lines: int = 0
    unsure: tuple[str, ...] = ()


LAYOUT = tuple(each.name for each in fields(Layout) if each.name != "unsure")
"""Options that say how a text file is written."""


class CsvSource(Source):
    """A text file of rows, each of as many cells as the first.

    Parameters
    ----------
    path
        The file.
    layout
        How it is written. A name that comes twice, or is empty, is given another.
    watch
        Its limits hold for records and columns.

    Raises
    ------
    ValueError
        For an invalid separator, an empty file, a ragged row, a quote that does not end, an exceeded limit.
    """

    def __init__(self, path: Path, layout: Layout, watch: LoadWatch) -> None:
        separator = layout.separator
        if not isinstance(separator, str) or len(separator) != 1 or separator in "\r\n\"'" or not separator.isascii():
            raise ValueError(f"separator={separator!r}: expected one character such as ',' or ';'")
        self.path, self.watch, self.layout = path, watch, layout
        self._separator, self._encoding = separator, layout.encoding
        self.text = TextRows(path, layout.encoding, watch, BLOCK_BYTES, layout.skip_lines + 1)
        self._records, self._lines, self._record, self._cell = _patterns(re.escape(separator).encode())
        self.columns = self._header(layout.header)
        self.text.size = block_bytes(len(self.columns))

    def batches(self, start: int, positions: Sequence[int]) -> Iterator[Batch]:
        return self.text.batches(start, partial(self._read, positions), self._whole)

    def _read(self, positions: Sequence[int], at: int, block: bytes, line: int, goes_on: bool) -> Iterator[Batch]:
        table = self._table(block, line, goes_on, positions)
        yield Batch(_arrays_of(table), at, block, line)

    def read_lines(self, positions: Sequence[int], at: int, block: bytes, line: int) -> Batch:
        if b'"' in block and _matched(self._lines, block) < len(block):
            raise self._behind_a_quote(block, line)
        return next(self._read(positions, at, block, line, False))

    def first_batches(self, positions: Sequence[int]) -> Iterator[Batch]:
        """Yield the first rows that have as many cells as the first."""
        for block, line, _, goes_on in islice(self._whole(self.text.blocks()), MOST_HEAD_BLOCKS):
            table = self._table(block, line, goes_on, positions, ragged="skip")
            if table.num_rows == 0:
                self._table(block, line, goes_on, [0])  # says where a row has too few cells, or too many
            yield Batch(_arrays_of(table), 0)

    def place(self, batch: Batch, row: int, position: int) -> str:
        line = self._line_of(batch.text, batch.line, batch.skipped + row)
        return f"{self.path}, line {line}, column {position + 1} ({shown(self.columns[position])})"

    def _header(self, has_names: bool) -> list[str]:
        record: list[str] | None = None
        for block, line, *_ in self._whole(self.text.blocks()):
            if not block.strip(b"\r\n"):
                continue
            lines = lines_of(block)
            empty = next(i for i, text in enumerate(lines) if text)
            self._check_width(lines[empty], line + empty)
            try:
                reader = csv.reader((f"{text}\n" for text in lines[empty:]), delimiter=self._separator)
                record = next(reader)
            except csv.Error as error:
                if "new-line character" in str(error):
                    raise cr_alone(self.path, line + empty) from None
                raise ValueError(f"{self.path}, line {line + empty}: no valid CSV ({error})") from None
            first, after = line + empty, line + empty + reader.line_num
            break
        if record is None:
            raise ValueError(f"{self.path}: the file is empty; expected a header and rows")
        if has_names:
            self.text.first_line = after
        names = [name.strip() for name in record] if has_names else [""] * len(record)
        where = f"{self.path}, line {first}"
        self.watch.all_columns(len(names), where)
        self.watch.names(sum(map(len, names)), where, len(names))
        return _distinct(names)

    def _check_width(self, line: str, number: int) -> None:
        most = max(self.watch.most_columns, CELLS_AT_ONCE)
        if line.count(self._separator) > most:
            raise self.watch.over("features", f"{self.path}, line {number}", f"more than {most:,} cells in a row")

    def _whole(self, blocks: Iterator[tuple[bytes, int, int | None]]) -> Iterator[tuple[bytes, int, int | None, bool]]:
        """Yield blocks of whole records, and whether cells in quotes go on in the next line: pyarrow is slower then."""
        rest, rest_line, rest_offset = b"", 0, None
        longest = self.watch.limits.line_bytes
        for block, line, offset in blocks:
            if rest:
                block, line, offset = rest + block, rest_line, rest_offset
            end = len(block)
            goes_on = b'"' in block and _matched(self._lines, block) < end
            if goes_on:
                end = _matched(self._records, block)
                rest, rest_line = block[end:], line + block.count(b"\n", 0, end)
                if self._record.match(rest):
                    raise self._behind_a_quote(rest, rest_line)
                rest_offset = None if offset is None else offset + self._n_bytes(block[:end])
                if len(rest) > longest:
                    what = f"the record has more than {longest:,} characters; a quote may not end"
                    raise self.watch.over("line_bytes", f"{self.path}, line {rest_line}", what)
            else:
                rest = b""
            if end and block[:end].strip(b"\r\n"):
                yield block[:end], line, offset, goes_on
        if rest:
            raise ValueError(f"{self.path}, line {rest_line}: no valid CSV (a quote opens here and does not end)")

    def _behind_a_quote(self, record: bytes, line: int) -> ValueError:
        """Return the error of a record in which something stands behind the quote that ends a cell."""
        column, begin = 1, 0
        while match := self._cell.match(record, begin):
            column, begin = column + 1, match.end()
        line += record.count(b"\n", 0, begin)
        found = shown(record[begin : record.index(b"\n", begin)].decode()[:40])
        what = "expected a separator behind the quote that ends a cell; a quote within one is written twice"
        return ValueError(f"{self.path}, line {line}, column {column}: {what}, found {found}")

    def _n_bytes(self, text: bytes) -> int:
        """Return how many bytes of the file a text in UTF-8 is."""
        return len(text) if self._encoding in ("utf-8", "ascii") else len(text.decode().encode(self._encoding))

    def _line_of(self, block: bytes, first: int, record: int) -> int:
        """Return the number of the line at which a record of a block begins."""
        begin = 0
        for match in self._record.finditer(block):
            if match[0].strip(b"\r\n"):
                begin = match.start()
                if record == 0:
                    break
                record -= 1
        return first + block.count(b"\n", 0, begin)

    def _table(
        self, block: bytes, line: int, goes_on: bool, positions: Sequence[int], ragged: str = "error"
    ) -> pa.Table:
        """Return the columns at these positions, as texts, called ``"0"``, ``"1"`` …"""
        import pyarrow as pa

        if not goes_on and b"\r" in block and (alone := re.search(rb"\r(?!\n)", block)):
            raise cr_alone(self.path, line + block.count(b"\n", 0, alone.start()))
        n_columns = len(self.columns)
        kinds = dict.fromkeys(map(str, positions), pa.string())
        try:
            return read_cells(block, n_columns, kinds, self._separator, quotes=True, goes_on=goes_on, ragged=ragged)
        except Ragged as error:
            first, column = "header" if self.layout.header else "first row", min(error.found, n_columns) + 1
            where = f"{self.path}, line {self._line_of(block, line, error.row)}, column {column}"
            what = f"expected {n_columns} cells as in the {first}, found {error.found}"
            raise ValueError(f"{where}: {what}") from None
        except pa.ArrowInvalid as error:
            raise ValueError(f"{self.path}, line {line} or behind it: no valid CSV ({error})") from None


def block_bytes(n_columns: int) -> int:
    """Return how many bytes of a file of so many columns are read at a time."""
    return min(max(BLOCK_BYTES, COLUMN_BYTES * n_columns), MOST_BLOCK_BYTES)


class Ragged(ValueError):
    """Raised for a row of more or fewer cells than there are columns; rows are counted from 0."""

    def __init__(self, row: int, found: int) -> None:
        super().__init__()
        self.row, self.found = row, found


def read_cells(
    text: bytes,
    n_columns: int,
    kinds: Mapping[str, pa.DataType],
    separator: str,
    *,
    missing: str | None = "",
    quotes: bool = False,
    goes_on: bool = False,
    ragged: str = "error",
) -> pa.Table:
    """Return the columns ``"0"``, ``"1"`` … of a text that have a kind; all are checked for their number.

    Parameters
    ----------
    text
        Whole records.
    n_columns, kinds
        How many columns there are; types by column.
    missing
        The cell that stands for no value; None: none does.
    quotes, goes_on
        Whether cells may stand in quotes, and hold line breaks there.
    ragged
        ``"skip"``: rows of other widths are left out.

    Raises
    ------
    Ragged
        For a row of another width.
    pyarrow.ArrowInvalid
        If a cell is not of its column's type.
    """
    import pyarrow as pa
    import pyarrow.csv as arrow

    wrong: list[Ragged] = []

    def note(row: arrow.InvalidRow) -> str:
        wrong.append(Ragged(row.number - 1, row.actual_columns))
        return ragged

    if not text.strip():
        return pa.table({name: pa.array([], kind) for name, kind in kinds.items()})
    names = [str(j) for j in range(n_columns)]
    try:
        return arrow.read_csv(
            pa.BufferReader(text),
            arrow.ReadOptions(use_threads=False, block_size=len(text) + 1, column_names=names),
            arrow.ParseOptions(
                delimiter=separator,
                quote_char='"' if quotes else False,
                newlines_in_values=goes_on,
                invalid_row_handler=note,
            ),
            arrow.ConvertOptions(
                check_utf8=False,
                column_types=kinds,
                include_columns=list(kinds),
                null_values=[] if missing is None else [missing],
                strings_can_be_null=True,
            ),
        )
    except pa.ArrowInvalid:
        if wrong:
            raise wrong[0] from None
        raise


def _patterns(separator: bytes) -> tuple[re.Pattern[bytes], ...]:
    """Return patterns of whole records, of those whose cells have no newline, of one record, and of its good cells.

    One record is found also where something stands behind the quote that ends a cell, which is an error.
    """

    def cell_of(quoted: bytes, behind: bytes) -> bytes:
        # a quote means something only where a cell begins
        plain = b"[^" + separator + rb"\n]*+"
        inner = b'"' + quoted + b'*+(?:""' + quoted + b'*+)*+"' + behind
        return b"(?:" + inner + b'|[^"' + separator + rb"\n]" + plain + b"|)"

    def record(cell: bytes) -> bytes:
        return cell + b"(?:" + separator + cell + rb")*+\n"

    blank = b"[\r" + b"".join(each for each in (b" ", b"\t") if re.escape(each) != separator) + b"]*+"
    cell = cell_of(b'[^"]', blank)
    loose = cell_of(b'[^"]', b"[^" + separator + rb"\n]*+")
    patterns = (
        b"(?:" + record(cell) + b")*+",
        b"(?:" + record(cell_of(rb'[^"\n]', blank)) + b")*+",
        record(loose),
        cell + separator,
    )
    return tuple(map(re.compile, patterns))


def _matched(pattern: re.Pattern[bytes], block: bytes) -> int:
    found = pattern.match(block)
    return 0 if found is None else found.end()


def _distinct(names: list[str]) -> list[str]:
    """Return the names with ``column 3`` in place of an empty one, and ``x (2)`` for the second ``x``."""
    taken: set[str] = set()
    given = {name for name in names if name}
    distinct: list[str] = []
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(2))
    for place, name in enumerate(names, 1):
        own = name or f"column {place}"
        while own in taken or (own != name and own in given):
            own = f"{name or 'column'} ({next(numbers[name])})"
        taken.add(own)
        distinct.append(own)
    return distinct


def _arrays_of(table: pa.Table) -> list[pa.Array]:
    """Return the columns of a table of one chunk; from its batch, as each chunked column costs a call."""
    batches = table.to_batches()
    return batches[0].columns if batches else [column.chunk(0) for column in table.columns]
