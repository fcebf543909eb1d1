"""Parquet files as streams: categories found in one pass, rows read in bounded memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from streamlab._checks import check_unique, existing_file, few, shown, within
from streamlab.schema import Feature, Schema
from streamlab.streams.limits import LoadLimits, LoadWatch
from streamlab.streams.readers._table_columns import label_positions, named_positions
from streamlab.streams.readers._text import stem_of
from streamlab.streams.stream import Stream

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

__all__ = ["ParquetStream"]

BLOCK_ROWS = 1024
LONG_TEXT = 4096
"""Bytes above which the texts of a column, on average, are too long to be its categories."""
LONG_NUMBER, LONG_HEAD = 32, 64
"""Bytes that a cell of another column takes at most, and how many cells the heads of a column are worth."""


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
    limits
        What reading the file may take; default ``LoadLimits()``.
    cancel
        Called without arguments between blocks while the file is opened; opening stops with ``LoadCancelled`` if it
        returns true.

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
        another type, too many different texts, an infinite value, a label that is missing or not 0 or 1, damaged
        data, a limit passed.

    Notes
    -----
    Opening reads the text columns once, to find their categories.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import pandas as pd
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "notes.parquet"
    ...     pd.DataFrame({"pitch": [60, 62], "loud": [True, False]}).to_parquet(path)
    ...     chunk = next(ParquetStream(path, labels=["loud"]).chunks(10))
    >>> chunk.X.tolist(), chunk.Y.tolist()
    ([[60.0], [62.0]], [[1], [0]])
    """

    def __init__(
        self,
        path: str | Path,
        *,
        labels: int | str | Sequence[str] | None,
        ignore: Sequence[str] = (),
        nominal: Sequence[str] = (),
        limits: LoadLimits | None = None,
        cancel: Callable[[], object] | None = None,
    ) -> None:
        self.path = existing_file(path)
        self._watch = LoadWatch(self.path, limits, cancel)
        self.name = stem_of(self.path)
        self._words: list[str] = []
        with self._open() as file, readable(self.path):
            check_size(self.path, file.metadata, self._watch)
            arrow = file.schema_arrow
            columns = list(arrow.names)
            source = str(self.path)
            check_unique(f"{source}: the column", columns)
            dropped = named_positions(columns, ignore, source, "ignore=")
            kept = [c for j, c in enumerate(columns) if j not in dropped]
            chosen = {kept[j] for j in label_positions(kept, labels, source)}
            forced = {columns[j] for j in named_positions(columns, nominal, source, "nominal=")}
            if forced & chosen:
                raise ValueError(f"{source}: nominal= names {shown(min(forced & chosen))}, which is a label")
            self.n_rows = file.metadata.num_rows
            if self.n_rows == 0:
                raise ValueError(f"{source}: no rows; expected at least one")
            self._labels = [c for c in kept if c in chosen]
            self._features = [c for c in kept if c not in chosen]
            self._watch.columns(len(self._features), len(self._labels), source)
            self._words = [c for c in self._features if c in forced or self._is_text(arrow.field(c).type, c)]
            for c in self._labels:
                if self._is_text(arrow.field(c).type, c):
                    raise ValueError(f"{source}, column {shown(c)}: the label holds text; expected 0 and 1 or bool")
            if not dropped:  # what is left out may hold long texts
                check_words(self.path, file.metadata, self._words, self._watch)
        # The texts of a column are kept once each: a file of some kB can repeat a long one millions of times.
        with self._open() as file, readable(self.path):
            self._meanings = self._categories(file, self._words)
        meanings = self._meanings
        features = tuple(Feature(c, tuple(meanings[c]) if c in meanings else None) for c in self._features)
        with within(str(self.path)):
            self.schema = Schema(features, tuple(self._labels))
        self._watch.opened()

    def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        columns = [*self._features, *self._labels]
        with self._open() as file, readable(self.path):
            for position, batch in batches_from(file, start, columns):
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
        import pyarrow.parquet as pq

        with readable(self.path):
            return pq.ParquetFile(self.path, read_dictionary=self._words)

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
            f"{self.path}, column {shown(column)}: it is of type {kind}; expected numbers, bools or text: "
            "leave it out with ignore= or encode it"
        )

    def _categories(self, file: pq.ParquetFile, columns: list[str]) -> dict[str, dict[str, float]]:
        found: dict[str, set[str]] = {column: set() for column in columns}
        batches = file.iter_batches(BLOCK_ROWS * 16, columns=columns) if columns else ()
        most = self._watch.limits.categories
        for batch in batches:
            self._watch.step()
            for column in columns:
                where = f"{self.path}, column {shown(column)}"
                words = found[column]
                for text in texts_of(batch.column(column).unique()):
                    if text is None or text in words:
                        continue
                    words.add(text)
                    self._watch.names(len(text), where)
                    if len(words) > most:
                        what = (
                            f"more than {most:,} different values; expected numbers or few words: "
                            "drop it with ignore= or encode it"
                        )
                        raise self._watch.over("categories", where, what)
        return {column: {c: float(i) for i, c in enumerate(sorted(words))} for column, words in found.items()}

    def _values(self, array: pa.Array, column: str, position: int) -> np.ndarray:
        import pyarrow as pa
        import pyarrow.types as types

        meanings = self._meanings.get(column)
        if meanings is not None:
            values = np.empty(len(array))
            for i, text in enumerate(texts_of(array)):
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
        return ValueError(f"{self.path}, row {row + 1}, column {shown(column)}: {what}")


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
    if meta.num_columns > watch.most_columns:
        what = f"{meta.num_columns:,} columns; expected at most {watch.most_columns:,}"
        raise watch.over("features", source, what)
    watch.count("rows", meta.num_rows, source, "rows")
    n_bytes = sum(meta.row_group(group).total_byte_size for group in range(meta.num_row_groups))
    watch.count("bytes", n_bytes, source, "bytes unpacked")


def check_words(path: Path, meta: pq.FileMetaData, columns: Sequence[str], watch: LoadWatch) -> None:
    """Check that the texts of columns are short ones, as far as the footer tells: a page of them is unpacked at once.

    The sizes are those of row groups, not of their columns: pyarrow (tried with version 26) ends the process when it is
    asked for a column of a damaged footer.
    """
    n_words = len(columns)
    for group in range(meta.num_row_groups if n_words else 0):
        watch.step()
        part = meta.row_group(group)
        n_bytes = part.total_byte_size
        expected = part.num_rows * LONG_TEXT * n_words + (part.num_rows + LONG_HEAD) * LONG_NUMBER * meta.num_columns
        if n_bytes > watch.limits.line_bytes and n_bytes > expected:
            what = (
                f"its {part.num_rows:,} rows take {n_bytes:,} bytes; expected short texts in the column {few(columns)}"
            )
            raise watch.over("line_bytes", f"{path}, row group {group + 1}", what)


def groups_from(file: pq.ParquetFile, start: int) -> tuple[list[int], int]:
    """Return the row groups that hold row ``start`` and those after it, and the position of their first row."""
    position = 0
    for group in range(file.num_row_groups):
        n = file.metadata.row_group(group).num_rows
        if position + n > start:
            return list(range(group, file.num_row_groups)), position
        position += n
    return [], position


def batches_from(file: pq.ParquetFile, start: int, columns: Sequence[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield the rows of some columns from row ``start`` on, in batches, each with the position of its first row."""
    groups, position = groups_from(file, start)
    for batch in file.iter_batches(BLOCK_ROWS, row_groups=groups, columns=list(columns)):
        skipped = max(start - position, 0)
        if skipped < batch.num_rows:
            yield position + skipped, batch.slice(skipped)
        position += batch.num_rows


def texts_of(array: pa.Array) -> list[str | None]:
    """Return the texts of a column, each of which is kept once if the column is dictionary-encoded."""
    import pyarrow as pa

    if isinstance(array, pa.DictionaryArray):
        array.validate(full=True)  # a damaged file may hold indices beyond its dictionary
    if isinstance(array, pa.DictionaryArray) and len(array.dictionary) <= len(array):
        # each text once, however often it occurs
        texts = [None if v is None else str(v) for v in array.dictionary.to_pylist()]
        return [None if i is None else texts[i] for i in array.indices.to_pylist()]
    return [None if v is None else str(v) for v in array.to_pylist()]
