"""CSV files as streams: kinds and categories found in one pass, rows read in bounded memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from streamlab._checks import existing_file, few, in_ascii, number_in, shown, within
from streamlab.schema import Feature, Schema
from streamlab.streams.limits import LoadLimits, LoadWatch
from streamlab.streams.readers._csv_records import MISSING, CsvPart, CsvRecords
from streamlab.streams.readers._table_columns import label_positions, named_positions
from streamlab.streams.readers._text import checked_encoding, stem_of
from streamlab.streams.stream import Stream

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["CsvStream"]

_BOOLS = {"true": 1.0, "false": 0.0}


class CsvStream(Stream):
    """A CSV file with a header, read in bounded memory and as often as needed.

    Parameters
    ----------
    path
        The file; unpacked on the way if its name ends in ``.gz``.
    labels
        Names of the columns that are labels (0 and 1, or true and false), or a number: the first n columns, or the
        last if n is negative.
    ignore
        Columns to leave out.
    nominal
        Columns to be taken as nominal although some or all of their cells are numbers.
    separator
        One character; default a comma.
    encoding
        What the file is written in; default UTF-8.
    limits
        What reading the file may take; default ``LoadLimits()``.
    cancel
        Called without arguments between blocks while the file is opened; opening stops with ``LoadCancelled`` if it
        returns true.

    Attributes
    ----------
    schema : Schema
        A column of numbers, or of true and false, is numeric; a column of words nominal, its categories sorted.
    n_rows : int

    Raises
    ------
    ValueError
        On opening and while reading, naming file, line and column: no rows, a ragged row, a column that mixes numbers
        and words, too many different words, an infinite value, a label that is missing or not 0 or 1, a quote
        that does not end, bytes in another encoding, a limit passed.

    Notes
    -----
    Opening reads the file once, to find kinds, categories and the number of rows. Empty cells and ``?``, ``NA``,
    ``N/A``, ``NaN``, ``null`` and ``None`` are missing; blanks around a cell do not count. Empty lines are passed over.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "notes.csv"
    ...     _ = path.write_text("pitch,loud\\n60,1\\n62,0\\n")
    ...     chunk = next(CsvStream(path, labels=["loud"]).chunks(10))
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
        separator: str = ",",
        encoding: str = "utf-8",
        limits: LoadLimits | None = None,
        cancel: Callable[[], object] | None = None,
    ) -> None:
        self.path = existing_file(path)
        self._watch = LoadWatch(self.path, limits, cancel)
        self.name = stem_of(self.path)
        self.encoding = checked_encoding(encoding)
        self._records = CsvRecords(self.path, separator, self.encoding, self._watch)
        columns = self._records.columns
        source = str(self.path)
        dropped = named_positions(columns, ignore, source, "ignore=")
        kept = [j for j in range(len(columns)) if j not in dropped]
        chosen = label_positions([columns[j] for j in kept], labels, source)
        forced = named_positions(columns, nominal, source, "nominal=")
        label_columns = {kept[j] for j in chosen}
        self._watch.columns(len(kept) - len(chosen), len(chosen), f"{source}, line 1")
        if forced & label_columns:
            raise ValueError(
                f"{source}: nominal= names {shown(columns[min(forced & label_columns)])}, which is a label"
            )
        self._cells = [_Column(j, columns[j], j in label_columns, j in forced) for j in kept]
        self.n_rows = self._scan()
        self._features = [c for c in self._cells if not c.is_label]
        self._labels = [c for c in self._cells if c.is_label]
        features = tuple(Feature(c.name, c.categories) for c in self._features)
        with within(str(self.path)):
            self.schema = Schema(features, tuple(c.name for c in self._labels))
        self._watch.opened()

    def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for part in self._records.parts(start):
            values = self._at_once(part)
            if values is not None:
                yield self._block(values)
                continue
            for lines, rows in part.batches():
                by_column = list(zip(*rows, strict=True))
                # their text would stay for as long as the block is read: some 20 times its size
                rows.clear()
                values = {c.position: self._values(c, by_column[c.position], lines) for c in self._cells}
                del by_column
                yield self._block(values)

    def _block(self, values: dict[int, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        n_rows = len(next(iter(values.values())))
        X = np.empty((n_rows, len(self._features)))
        Y = np.empty((n_rows, len(self._labels)), np.uint8)
        for target, columns in ((X, self._features), (Y, self._labels)):
            for j, column in enumerate(columns):
                target[:, j] = values[column.position]
        return X, Y

    def _scan(self) -> int:
        n_rows = 0
        for part in self._records.parts():
            if self._at_once(part) is not None:
                n_rows += len(part.lines)
                self._watch.count("rows", n_rows, f"{self.path}, line {part.lines[-1]}", "rows")
                continue
            for lines, rows in part.batches():
                n_rows += len(rows)
                self._watch.count("rows", n_rows, f"{self.path}, line {lines[-1]}", "rows")
                by_column = list(zip(*rows, strict=True))
                for column in self._cells:
                    self._learn_kind(column, by_column[column.position], lines)
        if n_rows == 0:
            raise ValueError(f"{self.path}: no rows after the header; expected at least one")
        for column in self._cells:
            column.decide_kind()
        return n_rows

    def _at_once(self, part: CsvPart) -> dict[int, np.ndarray] | None:
        """Return the values of all columns, or None if a cell is wrong or new: each has to be looked at then."""
        if not part.is_table:
            return None
        table = part.table({column.position: column.arrow_kind for column in self._cells})
        if table is None:
            return None
        values: dict[int, np.ndarray] = {}
        for column in self._cells:
            found = column.values_of(table.column(str(column.position)).chunk(0))
            if found is None:
                return None
            values[column.position] = found
        return values

    def _learn_kind(self, column: _Column, cells: Sequence[str], lines: Sequence[int]) -> None:
        if not column.forced:
            values = numbers_in(cells)
            if values is not None and not (column.first_word and not np.isnan(values).all()):
                if not np.isnan(values).all() and not column.first_number:
                    column.first_number = lines[int(np.argmin(np.isnan(values)))]
                self._check_numbers(column, values, cells, lines)
                return
        for cell, line in zip(cells, lines, strict=True):
            text = cell.strip()
            if text in MISSING:
                if column.is_label:
                    raise self._error(column, line, "the label is missing; expected 0 or 1")
                continue
            number = None if column.forced else number_in(text)
            if number is not None:
                self._check_numbers(column, np.array([number]), [cell], [line])
                column.first_number = column.first_number or line
            else:
                if not column.forced and in_ascii(text) is not text:
                    expected = "expected a number in the digits 0 to 9"
                    hint = "if the column holds words, name it in nominal="
                    raise self._error(column, line, f"{expected}, found {shown(text)}; {hint}")
                column.first_word = column.first_word or (line, text)
                if text not in column.words:
                    column.words.add(text)
                    self._watch.names(len(text), self._place(column, line))
                    most = self._watch.limits.categories
                    if len(column.words) > most:
                        what = (
                            f"more than {most:,} different values; expected numbers or few words: "
                            "drop it with ignore= or encode it"
                        )
                        raise self._watch.over("categories", self._place(column, line), what)
                if column.is_label and text.lower() not in _BOOLS:
                    raise self._error(column, line, f"expected the label to be 0 or 1, found {shown(text)}")
            if column.first_number and column.first_word:
                word_line, word = column.first_word
                raise self._error(
                    column,
                    word_line,
                    f"expected a number as in line {column.first_number}, found {shown(word)}; "
                    "if the column holds words, name it in nominal=",
                )

    def _values(self, column: _Column, cells: Sequence[str], lines: Sequence[int]) -> np.ndarray:
        """Return the cells of one column in one block as numbers; the kinds are known by now."""
        meanings = column.meanings
        if meanings is None:
            values = numbers_in(cells)
            if values is None:
                i = next(i for i, c in enumerate(cells) if c.strip() not in MISSING and number_in(c.strip()) is None)
                raise self._error(column, lines[i], f"expected a number, found {shown(cells[i])}")
            self._check_numbers(column, values, cells, lines)
            return values
        out = np.empty(len(cells))
        for i, cell in enumerate(cells):
            text = cell.strip()
            value = meanings.get(text)
            if value is None:
                if text not in MISSING or column.is_label:
                    raise self._error(column, lines[i], f"expected one of {few(sorted(meanings))}, found {shown(text)}")
                value = math.nan
            out[i] = value
        return out

    def _check_numbers(self, column: _Column, values: np.ndarray, cells: Sequence[str], lines: Sequence[int]) -> None:
        bad = np.isinf(values)
        if bad.any():
            i = int(np.argmax(bad))
            raise self._error(column, lines[i], f"expected a finite number, found {shown(cells[i].strip())}")
        if column.is_label:
            bad = (values != 0) & (values != 1)
            if bad.any():
                i = int(np.argmax(bad))
                if math.isnan(values[i]):
                    raise self._error(column, lines[i], "the label is missing; expected 0 or 1")
                raise self._error(column, lines[i], f"expected the label to be 0 or 1, found {shown(cells[i].strip())}")

    def _error(self, column: _Column, line: int, what: str) -> ValueError:
        return ValueError(f"{self._place(column, line)}: {what}")

    def _place(self, column: _Column, line: int) -> str:
        return f"{self.path}, line {line}, column {column.position + 1} ({shown(column.name)})"


@dataclass
class _Column:
    """What is known of one column of a CSV file."""

    position: int
    name: str
    is_label: bool
    forced: bool
    first_number: int = 0
    first_word: tuple[int, str] | None = None
    words: set[str] = field(default_factory=set)
    categories: tuple[str, ...] | None = None
    meanings: dict[str, float] | None = None

    @property
    def arrow_kind(self) -> pa.DataType:
        """What pyarrow has to read, as far as it is known: words or numbers."""
        import pyarrow as pa

        is_words = self.forced or self.first_word is not None
        return pa.dictionary(pa.int32(), pa.string()) if is_words else pa.float64()

    def values_of(self, cells: pa.Array) -> np.ndarray | None:
        """Return cells of ``arrow_kind`` as numbers, or None if one of them is wrong or was not met before.

        Words have no numbers before ``decide_kind``; then each is 0.
        """
        if self.forced or self.first_word is not None:
            words = [word.strip() for word in cells.dictionary.to_pylist()]
            meanings = dict.fromkeys(self.words, 0.0) if self.meanings is None else self.meanings
            if not self.is_label:
                meanings = {**dict.fromkeys(MISSING, math.nan), **meanings}
            if not all(word in meanings for word in words):
                return None
            return np.array([meanings[word] for word in words])[cells.indices.to_numpy()]
        values = cells.to_numpy(zero_copy_only=False)
        present = values[~np.isnan(values)]
        if len(present) + cells.null_count < len(values) or np.isinf(present).any():
            return None  # nan and inf in other writings
        if self.is_label and (len(present) < len(values) or not ((values == 0) | (values == 1)).all()):
            return None
        return values if self.first_number or not len(present) else None

    def decide_kind(self) -> None:
        """Decide whether the column is numeric or nominal, once the whole file has been read."""
        if not self.words and not self.forced:
            return
        if not self.forced and all(word.lower() in _BOOLS for word in self.words):
            self.meanings = {word: _BOOLS[word.lower()] for word in self.words}
        else:
            self.categories = tuple(sorted(self.words))
            self.meanings = {word: float(i) for i, word in enumerate(self.categories)}


def numbers_in(cells: Sequence[str]) -> np.ndarray | None:
    """Return the cells as float64, missing as NaN, or None if one is neither."""
    try:
        values = np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        return _one_by_one(cells)
    joined = "\0".join(cells)  # float() takes more than a number is here: see number_in
    return values if joined.isascii() and "_" not in joined else _one_by_one(cells)


def _one_by_one(cells: Sequence[str]) -> np.ndarray | None:
    parsed = [math.nan if (text := cell.strip()) in MISSING else number_in(text) for cell in cells]
    return None if None in parsed else np.array(parsed)
