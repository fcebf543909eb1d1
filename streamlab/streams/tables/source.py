"""Where the rows of a table come from: Parquet files, tables in memory, lines of JSON (``csv_source``: texts)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from streamlab._arrays import is_list, is_number, is_plain, is_text
from streamlab._checks import check_unique, few, shown
from streamlab.schema import Feature
from streamlab.streams.blocks import csr_rows
from streamlab.streams.limits import LoadWatch
from streamlab.streams.readers._text import COLUMN_BYTES, MOST_BLOCK_BYTES, TextRows

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from streamlab.streams.tables.kinds import ColumnGuess

Columns = dict[str, Any]
"""Arrow arrays by name."""

BLOCK_CELLS, BLOCK_ROWS, MOST_BLOCK_ROWS = 1 << 18, 1024, 8192
"""Cells of a batch, of few rows or many; a call for each column of a batch takes longer than some rows."""
HEAD_ROWS, HEAD_CELLS, FEWEST_ROWS = 1000, 1 << 19, 20
"""Rows that guesses are made from; of wide tables fewer."""
LONG_TEXT = 4096
"""Bytes above which the texts of a column, on average, are too long to be its categories."""
LONG_NUMBER, LONG_HEAD = 32, 64
"""Bytes that a cell of another column takes at most, and how many cells the heads of a column are worth."""


class Pairs(NamedTuple):
    """The numbers of sparse rows that are not 0, row by row, by the positions of their columns."""

    n_rows: int
    rows: np.ndarray
    positions: np.ndarray
    values: np.ndarray

    def where(self, kept: Any) -> Pairs:
        """Return those that a mask or a slice picks."""
        return self._replace(rows=self.rows[kept], positions=self.positions[kept], values=self.values[kept])

    def cut(self, begin: int, end: int) -> Pairs:
        """Return those of the rows from ``begin`` to ``end``."""
        own = self.where(slice(*np.searchsorted(self.rows, (begin, end))))
        return own._replace(n_rows=end - begin, rows=own.rows - begin)

    def among(self, positions: Sequence[int], n_columns: int) -> Pairs:
        """Return those of some of the columns, by their places among these."""
        at = np.full(n_columns, -1)
        at[list(positions)] = np.arange(len(positions))
        places = at[self.positions]
        return self._replace(positions=places).where(places >= 0)

    def dense(self, n_columns: int, out: np.ndarray | None = None) -> np.ndarray:
        """Return the rows as an array (n_rows, n_columns), of float64, or written to ``out``."""
        found = np.empty((self.n_rows, n_columns)) if out is None else out
        found[:] = 0
        found[self.rows, self.positions] = self.values
        return found

    def csr(self, n_columns: int) -> Any:
        """Return the rows as CSR."""
        ends = np.searchsorted(self.rows, np.arange(self.n_rows + 1))
        return csr_rows(ends, self.positions, self.values, n_columns)


class Batch(NamedTuple):
    """Some rows: the cells of the columns that were asked for, the position of the first row, and what it was cut from.

    ``text`` and ``line`` are a text file's block and the number of its first line, ``skipped`` the rows of the block
    before the first one. Of sparse rows the numbers are in ``pairs``, and None in ``cells``.
    """

    cells: list[Any]
    start: int
    text: bytes = b""
    line: int = 0
    skipped: int = 0
    pairs: Pairs | None = None

    @property
    def n_rows(self) -> int:
        return self.pairs.n_rows if self.pairs is not None else len(self.cells[0]) if self.cells else 0

    def cut(self, begin: int, end: int) -> Batch:
        """Return the rows from ``begin`` to ``end``."""
        end = min(end, self.n_rows)
        if (begin, end) == (0, self.n_rows):
            return self
        cells = [each and each.slice(begin, end - begin) for each in self.cells]
        pairs = None if self.pairs is None else self.pairs.cut(begin, end)
        return self._replace(cells=cells, pairs=pairs, start=self.start + begin, skipped=self.skipped + begin)


class Source(ABC):
    """Rows with named columns, read in bounded memory as often as asked for.

    Attributes
    ----------
    path
        The file; of a table in memory, what it is called.
    columns
        The names of all columns, all different.
    n_rows
        How many rows there are; None where only reading them tells.
    """

    path: Path
    columns: list[str]
    watch: LoadWatch
    n_rows: int | None = None

    @abstractmethod
    def batches(self, start: int, positions: Sequence[int]) -> Iterator[Batch]:
        """Yield the rows from ``start`` on, with the cells of the columns at these positions."""

    def read_lines(self, positions: Sequence[int], at: int, block: bytes, line: int) -> Batch:
        """Return the rows of whole lines in UTF-8, of which ``at`` is the first; a ValueError if one is none."""
        raise NotImplementedError

    def first_batches(self, positions: Sequence[int]) -> Iterator[Batch]:
        """Yield the rows that guesses are made from, and perhaps more."""
        return self.batches(0, positions)

    def head(self, n_columns: int | None = None) -> list[pa.Array]:
        """Return the first cells of each column, or of the first ones; of types that mean nothing to a learner none."""
        positions = range(len(self.columns))[:n_columns]
        batches: list[Batch] = []
        n_rows, most = 0, min(HEAD_ROWS, max(HEAD_CELLS // max(len(self.columns), 1), FEWEST_ROWS))
        for batch in self.first_batches(positions):
            batches.append(batch)
            n_rows += batch.n_rows
            if n_rows >= most:
                break
        return [_joined([batch.cells[j] for batch in batches]).slice(0, most) for j in range(len(positions))]

    def place(self, batch: Batch, row: int, position: int) -> str:
        """Return where a cell of a batch is, for messages; rows are counted from 1."""
        return f"{self.path}, row {batch.start + row + 1}, column {shown(self.columns[position])}"

    def declared(self) -> list[ColumnGuess] | None:
        """Return what the source itself says of its columns; None: that is guessed from their first cells."""
        return None

    def is_of_numbers(self, position: int) -> bool:
        """Return whether the type of a column lets nothing but numbers in."""
        return False

    def categories_of(self, position: int) -> tuple[str, ...] | None:
        """Return the categories that the source itself declares, in its order."""
        return None

    def feature_of(self, position: int) -> Feature | None:
        """Return the feature whose cells come as numbers, or as the places of its categories."""
        return None

    def labels_of(self, position: int) -> Mapping[str, tuple[str, ...]] | None:
        """Return the labels that the source declares, in its order, and those that stand above each."""
        return None

    def checked(self, cells: pa.Array, position: int) -> pa.Array:
        """Return cells of a file that may be damaged; raise a ValueError if one is too long."""
        import pyarrow.compute as pc
        import pyarrow.types as types

        is_coded = types.is_dictionary(cells.type)
        if is_coded or types.is_nested(cells.type):
            cells.validate(full=True)
        texts = cells.dictionary if is_coded else cells
        if types.is_string_view(texts.type):
            texts = texts.cast("large_string")
        if len(texts) and (is_text(texts.type) or is_list(texts.type)):
            sizes = pc.list_value_length(texts) if is_list(texts.type) else pc.binary_length(texts)
            longest = self.watch.limits.line_bytes
            if (pc.max(sizes).as_py() or 0) > longest:
                what = f"a text has more than {longest:,} characters"
                raise self.watch.over("line_bytes", f"{self.path}, column {shown(self.columns[position])}", what)
        return cells


class ParquetSource(Source):
    """A Parquet file.

    Parameters
    ----------
    path
        The file.
    watch
        Its limits hold.
    texts
        Columns of long texts; those of all others are kept once each: a file of some kB can repeat one millions of
        times.
    """

    def __init__(self, path: Path, watch: LoadWatch, texts: Sequence[str] = ()) -> None:
        self.path, self.watch = path, watch
        self._words: list[str] = []
        with readable(path), self._open() as file:
            check_size(path, file.metadata, watch)
            arrow = file.schema_arrow
            self.columns, self._kinds = list(arrow.names), list(arrow.types)
            self._meta, self.n_rows = file.metadata, file.metadata.num_rows
        kinds = zip(self.columns, self._kinds, strict=True)
        self._long = [name for name, kind in kinds if _is_worded(kind) and name not in texts]
        self._words = [n for n in self._long if not is_list(self._kinds[self.columns.index(n)])] if self._long else []
        watch.names(sum(map(len, self.columns)), str(path), len(self.columns))
        check_unique(f"{path}: the column", self.columns)

    def _open(self) -> pq.ParquetFile:
        import pyarrow.parquet as pq

        return pq.ParquetFile(self.path, read_dictionary=self._words)

    def batches(self, start: int, positions: Sequence[int]) -> Iterator[Batch]:
        import pyarrow as pa

        names = [self.columns[position] for position in positions]
        read = [name for name, position in zip(names, positions, strict=True) if _is_read(self._kinds[position])]
        if set(read) & set(self._long):
            self._check_words()
        with readable(self.path), self._open() as file:
            groups, at = _groups_from(file, start)
            for table in file.iter_batches(n_rows_of(positions), row_groups=groups, columns=read):
                self.watch.step()
                skipped, n = max(start - at, 0), table.num_rows
                if skipped < n:
                    cells = [
                        self.checked(table.column(name), position)
                        if _is_read(self._kinds[position])
                        else pa.nulls(n, pa.binary())
                        for name, position in zip(names, positions, strict=True)
                    ]
                    yield Batch(cells, at).cut(skipped, n)
                at += n

    def is_of_numbers(self, position: int) -> bool:
        return is_number(self._kinds[position])

    def _check_words(self) -> None:
        """Check that the texts are short ones, as far as the footer tells: a page of them is unpacked at once.

        The sizes are those of row groups, not of their columns: pyarrow (tried with version 26) ends the process when
        it is asked for a column of a damaged footer.
        """
        meta, n_words = self._meta, len(self._long)
        for group in range(meta.num_row_groups):
            self.watch.step()
            part = meta.row_group(group)
            n_bytes = part.total_byte_size
            expected = part.num_rows * LONG_TEXT * n_words
            expected += (part.num_rows + LONG_HEAD) * LONG_NUMBER * meta.num_columns
            if n_bytes > self.watch.limits.line_bytes and n_bytes > expected:
                what = (
                    f"its {part.num_rows:,} rows take {n_bytes:,} bytes; expected short texts in the column "
                    f"{few(self._long)}"
                )
                raise self.watch.over("line_bytes", f"{self.path}, row group {group + 1}", what)


class FrameSource(Source):
    """A table of pyarrow in memory.

    Parameters
    ----------
    frame
        The table.
    name
        What it is called.
    watch
        Its limits hold.
    """

    def __init__(self, frame: pa.Table, name: str, watch: LoadWatch) -> None:
        self.path, self.watch, self.frame = Path(name), watch, frame
        self.columns, self.n_rows, self._kinds = list(frame.column_names), frame.num_rows, frame.schema.types

    def batches(self, start: int, positions: Sequence[int]) -> Iterator[Batch]:
        at = start
        for table in self.frame.select(list(positions)).slice(start).to_batches(max_chunksize=n_rows_of(positions)):
            self.watch.step()
            yield Batch(table.columns, at)
            at += table.num_rows

    def is_of_numbers(self, position: int) -> bool:
        return is_number(self._kinds[position])

    def categories_of(self, position: int) -> tuple[str, ...] | None:
        import pyarrow.types as types

        column = self.frame.column(position)
        if not types.is_dictionary(column.type) or not column.num_chunks:
            return None
        found = [str(value) for value in column.chunk(0).dictionary.to_pylist()]
        alike = all(chunk.dictionary.equals(column.chunk(0).dictionary) for chunk in column.chunks)
        return tuple(found) if alike and len(set(found)) == len(found) else None


class JsonSource(Source):
    """A text file of a JSON object in each line; its columns are those of the first rows."""

    def __init__(self, path: Path, encoding: str, watch: LoadWatch) -> None:
        self.path, self.watch = path, watch
        self.text = TextRows(path, encoding, watch, JSON_BYTES)
        self.columns = next((list(self._columns(block, line)[0]) for block, line, _ in self.text.blocks()
                             if block.strip(b"\r\n")), [])  # fmt: skip
        if not self.columns:
            raise ValueError(f"{path}: the file is empty; expected a JSON object in each line")
        self._known = set(self.columns)
        self.text.size = max(JSON_BYTES, min(len(self.columns) * COLUMN_BYTES, MOST_BLOCK_BYTES))
        watch.all_columns(len(self.columns), str(path))
        watch.names(sum(map(len, self.columns)), str(path), len(self.columns))

    def batches(self, start: int, positions: Sequence[int]) -> Iterator[Batch]:
        return self.text.batches(start, partial(self._read, positions))

    def _read(self, positions: Sequence[int], at: int, block: bytes, line: int) -> Iterator[Batch]:
        if block.strip(b"\r\n"):
            yield self.read_lines(positions, at, block, line)

    def read_lines(self, positions: Sequence[int], at: int, block: bytes, line: int) -> Batch:
        import pyarrow as pa

        names = [self.columns[position] for position in positions]
        there, n_rows = self._columns(block, line)
        if new := [name for name in there if name not in self._known]:
            place = f"{self.path}, row {at + 1} or behind it"
            raise ValueError(f"{place}: the column {shown(new[0])} is new; expected {few(self.columns)}")
        return Batch([there[name] if name in there else pa.nulls(n_rows) for name in names], at)

    def _columns(self, block: bytes, line: int) -> tuple[Columns, int]:
        """Return the columns of some lines by name, and the number of rows."""
        import pyarrow as pa

        self.watch.nesting(block, line)
        try:
            return _read_json(block)
        except pa.ArrowInvalid as error:
            what = str(error).removeprefix("JSON parse error: ").splitlines()[0][:200]
            raise ValueError(f"{self.path}, line {line} or behind it: no lines of JSON objects ({what})") from None


JSON_BYTES = 1 << 18


def _read_json(text: bytes) -> tuple[Columns, int]:
    import pyarrow as pa
    import pyarrow.json as json

    options = json.ReadOptions(use_threads=False, block_size=len(text) + 1)
    table = json.read_json(pa.BufferReader(text), options)
    pairs = zip(table.column_names, table.columns, strict=True)
    return {name: _joined(column.chunks) for name, column in pairs}, table.num_rows


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turn what pyarrow raises into a ValueError that names the file."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError, OverflowError, UnicodeError) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise ValueError(f"{path}: no Parquet file that can be read ({first[:200]})") from None


def check_size(path: Path, meta: pq.FileMetaData, watch: LoadWatch) -> None:
    """Check what the file's footer says of rows, columns and bytes, before anything is read."""
    source = str(path)
    watch.all_columns(meta.num_columns, source)
    watch.count("rows", meta.num_rows, source, "rows")
    n_bytes = sum(meta.row_group(group).total_byte_size for group in range(meta.num_row_groups))
    watch.count("bytes", n_bytes, source, "bytes unpacked")


def _groups_from(file: pq.ParquetFile, start: int) -> tuple[list[int], int]:
    """Return the row groups that hold row ``start`` and those after it, and the position of their first row."""
    n_groups = file.num_row_groups
    ends = np.cumsum([0, *(file.metadata.row_group(group).num_rows for group in range(n_groups))])
    first = int(np.searchsorted(ends[1:], start, "right"))
    return list(range(first, n_groups)), int(ends[first])


def n_rows_of(positions: Sequence[int]) -> int:
    return min(max(BLOCK_CELLS // max(len(positions), 1), BLOCK_ROWS), MOST_BLOCK_ROWS)


def _joined(arrays: Sequence[pa.Array]) -> pa.Array:
    """Return arrays one behind the other; of several types as texts."""
    import pyarrow as pa

    if len(arrays) == 1:
        return arrays[0]
    arrays = [array for array in arrays if len(array)]
    if len({array.type for array in arrays}) > 1:
        known = {array.type for array in arrays if not pa.types.is_null(array.type)}
        kind = known.pop() if len(known) == 1 else pa.float64() if all(map(is_plain, known)) else pa.string()
        arrays = [array.cast(kind) for array in arrays]
    if arrays and pa.types.is_dictionary(arrays[0].type):
        return pa.chunked_array(arrays).unify_dictionaries().combine_chunks()
    return pa.concat_arrays(arrays) if arrays else pa.nulls(0)


def _is_worded(kind: pa.DataType) -> bool:
    import pyarrow.types as types

    return types.is_dictionary(kind) or is_text(kind) or is_list(kind)


def _is_read(kind: pa.DataType) -> bool:
    """Whether the cells are numbers, flags, texts, lists of such, or times."""
    import pyarrow.types as types

    if types.is_dictionary(kind) or is_list(kind):
        kind = kind.value_type
    return not (types.is_nested(kind) or types.is_binary(kind) or types.is_fixed_size_binary(kind))
