"""Tables of many habits as streams: labels of yes and no, classes, tags; decimal commas; with names or without."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from streamlab._checks import number_in, shown, within
from streamlab.schema import Feature, Schema
from streamlab.streams.guess.columns import LABELS, ColumnGuess
from streamlab.streams.guess.words import flags_of, is_missing, meaning_of, number_of, split_tags, written
from streamlab.streams.limits import LoadWatch
from streamlab.streams.readers._table_source import Table
from streamlab.streams.readers._text import stem_of
from streamlab.streams.readers.csv import numbers_in
from streamlab.streams.stream import Stream

_BOOLS = {"true": 1.0, "false": 0.0}


class TableStream(Stream):
    """The rows of a table whose columns have been given roles, read in bounded memory as often as asked for.

    ``load`` and ``Guess.stream`` make it, where ``CsvStream`` and ``ParquetStream`` do not read the file as it is.

    Parameters
    ----------
    table
        Where the rows come from.
    columns
        The role of each column of the table.
    decimal
        What stands in numbers of a text file, ``"."`` or ``","``.
    nominal
        Names of features to be taken as nominal although they hold numbers.
    watch
        Its limits hold while the file is opened.

    Attributes
    ----------
    schema : Schema
        Features in the order of the columns. A column of yes and no is one label; a class has a label for each of its
        values, sorted, and a column of tags one for each tag, those of most rows first. A label is called like its
        value, or ``column=value`` where that is a number, or another label is called so.
    n_rows : int

    Raises
    ------
    ValueError
        On opening and while reading, naming file, line or row, and column, and what was expected there.

    Notes
    -----
    Opening reads the file once, to find categories, labels and the number of rows.
    """

    def __init__(
        self,
        table: Table,
        columns: Sequence[ColumnGuess],
        *,
        decimal: str = ".",
        nominal: Sequence[str] = (),
        watch: LoadWatch,
    ) -> None:
        self._table, self._watch = table, watch
        self.path, self.name = table.path, stem_of(table.path)
        self._features: list[_Feature] = []
        self._labels: list[_Label] = []
        for position, column in enumerate(columns):
            if column.role in LABELS:
                self._labels.append(_LABELS[column.role](self, position, column))
            elif column.role == "feature":
                is_nominal = column.name in nominal or column.kind in ("words", "tags", "texts")
                is_nominal = is_nominal or (column.kind == "flags" and not _is_numeric(column.values))
                kind = _Words if is_nominal else _Numbers
                self._features.append(kind(self, position, column, decimal))
        self._watch.columns(len(self._features), len(self._labels), str(self.path))
        self._places = [each.position for each in (*self._features, *self._labels)]
        self.n_rows = self._scan()
        names = self._label_names()
        self._watch.count("labels", len(names), str(self.path), "labels")
        with within(str(self.path)):
            self.schema = Schema(tuple(Feature(each.name, each.categories) for each in self._features), tuple(names))
        self._watch.opened()

    def blocks(self, start: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for numbers, cells in self._table.blocks(start, self._places):
            X = np.empty((len(numbers), len(self._features)))
            Y = np.zeros((len(numbers), self.schema.n_labels), np.uint8)
            for j, feature in enumerate(self._features):
                X[:, j] = feature.values(cells[j], numbers)
            at = 0
            for label, column in zip(self._labels, cells[len(self._features) :], strict=True):
                width = len(label.names)
                label.fill(Y[:, at : at + width], column, numbers)
                at += width
            yield X, Y

    def _scan(self) -> int:
        n_rows = 0
        each = (*self._features, *self._labels)
        for numbers, cells in self._table.blocks(0, self._places):
            n_rows += len(numbers)
            self._watch.count("rows", n_rows, self._table.place(numbers[-1], self._places[0]), "rows")
            for column, own in zip(each, cells, strict=True):
                column.learn(own, numbers)
        if n_rows == 0:
            raise ValueError(f"{self.path}: no rows; expected at least one")
        for column in each:
            column.decide()
        return n_rows

    def _label_names(self) -> list[str]:
        plain = Counter(name for label in self._labels for name in label.names)
        many = sum(len(label.names) > 1 or label.is_split for label in self._labels) > 1
        names = [
            f"{label.name}={name}"
            if label.is_split and (many or plain[name] > 1 or number_in(name) is not None)
            else name
            for label in self._labels
            for name in label.names
        ]
        twice = [name for name, n in Counter(names).items() if n > 1]
        if twice:
            raise ValueError(f"{self.path}: two labels are called {shown(twice[0])}; leave one out with ignore=")
        return names

    def error(self, number: int, position: int, what: str) -> ValueError:
        """Return the error of a cell."""
        return ValueError(f"{self._table.place(number, position)}: {what}")

    def new_word(self, word: str, number: int, position: int) -> None:
        """Count a value that has to be kept; raise a ValueError if there are too many."""
        self._watch.names(len(word), self._table.place(number, position))

    def too_many(self, option: str, n: int, number: int, position: int, what: str) -> None:
        """Raise a ValueError if ``n`` values are above the limit of that name."""
        if n > getattr(self._watch.limits, option):
            most = getattr(self._watch.limits, option)
            raise self._watch.over(option, self._table.place(number, position), f"more than {most:,} {what}")


class _Column(ABC):
    """One column that is read: what is learned of it while the file is opened, and its values after that."""

    def __init__(self, stream: TableStream, position: int, guess: ColumnGuess, decimal: str = ".") -> None:
        self._stream, self.position, self.name = stream, position, guess.name
        self._guess, self._decimal = guess, decimal

    @abstractmethod
    def learn(self, cells: Any, numbers: Sequence[int]) -> None:
        """Take in the cells of a block while the file is opened."""

    def decide(self) -> None:  # noqa: B027
        """Decide once all blocks have been taken in."""

    def _error(self, number: int, what: str) -> ValueError:
        return self._stream.error(number, self.position, what)


class _Feature(_Column):
    categories: tuple[str, ...] | None = None

    @abstractmethod
    def values(self, cells: Any, numbers: Sequence[int]) -> np.ndarray:
        """Return the cells of a block as float64."""


class _Numbers(_Feature):
    def learn(self, cells: Any, numbers: Sequence[int]) -> None:
        self.values(cells, numbers)

    def values(self, cells: Any, numbers: Sequence[int]) -> np.ndarray:
        values = self._parsed(cells)
        if values is None:
            values = np.array([self._value(cell, number) for cell, number in zip(cells, numbers, strict=True)])
        bad = np.isinf(values)
        if bad.any():
            i = int(np.argmax(bad))
            raise self._error(numbers[i], f"expected a finite number, found {shown(cells[i])}")
        return values

    def _parsed(self, cells: Any) -> np.ndarray | None:
        """All cells at once, or None if they have to be read one by one."""
        if isinstance(cells, np.ndarray):
            return cells
        if any(not isinstance(cell, str) for cell in cells):
            return None
        if self._decimal == ",":
            joined = "\0".join(cells)
            if "." in joined:
                return None
            n_cells, cells = len(cells), joined.replace(",", ".").split("\0")
            if len(cells) != n_cells:
                return None
        return numbers_in(cells)

    def _value(self, cell: Any, number: int) -> float:
        text = written(cell)
        if is_missing(text) or text in self._guess.missing:
            return math.nan
        flag = _BOOLS.get(text.lower())
        value = flag if flag is not None else number_of(text, self._decimal if isinstance(cell, str) else ".")
        if value is None:
            comma = "" if self._decimal == "." else " with a decimal comma"
            raise self._error(
                number,
                f"expected a number{comma} as in the rows before, found {shown(text)}; name it in missing= if it "
                "means a missing value, or the column in nominal= if it holds words, or in ignore=",
            )
        return value


class _Words(_Feature):
    def __init__(self, stream: TableStream, position: int, guess: ColumnGuess, decimal: str = ".") -> None:
        super().__init__(stream, position, guess, decimal)
        self._found: set[str] = set()
        self._meanings: dict[str, float] = {}

    def learn(self, cells: Any, numbers: Sequence[int]) -> None:
        for text in dict.fromkeys(written(cell) for cell in cells):
            if text in self._found or is_missing(text):
                continue
            number = next(n for cell, n in zip(cells, numbers, strict=True) if written(cell) == text)
            self._found.add(text)
            self._stream.new_word(text, number, self.position)
            what = "different values; expected numbers or few words: drop it with ignore="
            self._stream.too_many("categories", len(self._found), number, self.position, what)

    def decide(self) -> None:
        self.categories = tuple(sorted(self._found))
        self._meanings = {word: float(i) for i, word in enumerate(self.categories)}

    def values(self, cells: Any, numbers: Sequence[int]) -> np.ndarray:
        out = np.empty(len(numbers))
        for i, cell in enumerate(cells):
            text = written(cell)
            value = self._meanings.get(text)
            if value is None and not is_missing(text):
                raise self._error(numbers[i], f"{shown(text)} was not there when the file was opened")
            out[i] = math.nan if value is None else value
        return out


class _Label(_Column):
    is_split = False
    names: tuple[str, ...] = ()

    @abstractmethod
    def fill(self, Y: np.ndarray, cells: Any, numbers: Sequence[int]) -> None:
        """Set the labels of a block, of which all are 0, that its cells name."""


class _Flag(_Label):
    def __init__(self, stream: TableStream, position: int, guess: ColumnGuess, decimal: str = ".") -> None:
        super().__init__(stream, position, guess, decimal)
        self.names = (guess.name,)
        self._found: dict[str, int] = {}
        self._meanings: dict[str, int] = {}
        # an empty cell is a no beside marks such as x; else it is a label that is missing
        self._empty = guess.flags is not None and guess.flags[1] == ""

    def learn(self, cells: Any, numbers: Sequence[int]) -> None:
        for text in dict.fromkeys(written(cell) for cell in cells):
            if text in self._found:
                continue
            number = next(n for cell, n in zip(cells, numbers, strict=True) if written(cell) == text)
            known = flags_of(self._found) or self._guess.flags
            allowed = {*self._found, text, ""} if self._empty else {*self._found, text}
            if is_missing(text) and not (text == "" and self._empty):
                raise self._error(number, f"the label is missing; expected {_either(known)}")
            if flags_of(allowed) is None and allowed != {""}:
                raise self._error(number, f"expected the label to be {_either(known)}, found {shown(text)}")
            self._found[text] = number

    def decide(self) -> None:
        flags = flags_of(self._found) or self._guess.flags or ("1", "0")
        self._meanings = {word: meaning_of(word, flags) or 0 for word in self._found}

    def fill(self, Y: np.ndarray, cells: Any, numbers: Sequence[int]) -> None:
        for i, cell in enumerate(cells):
            meaning = self._meanings.get(written(cell))
            if meaning is None:
                raise self._error(numbers[i], f"{shown(cell)} was not there when the file was opened")
            Y[i, 0] = meaning


class _Split(_Label):
    """A column whose cells hold values, each of which is a label."""

    is_split = True

    def __init__(self, stream: TableStream, position: int, guess: ColumnGuess, decimal: str = ".") -> None:
        super().__init__(stream, position, guess, decimal)
        self._counts: Counter[str] = Counter()
        self._places: dict[str, int] = {}

    def _parts(self, cell: Any) -> list[str]:
        text = written(cell)
        return [] if is_missing(text) else [text]

    def learn(self, cells: Any, numbers: Sequence[int]) -> None:
        for cell, number in zip(cells, numbers, strict=True):
            for part in dict.fromkeys(self._parts(cell)):
                if part not in self._counts:
                    self._stream.new_word(part, number, self.position)
                    what = "different labels: is it a column of labels?"
                    self._stream.too_many("labels", len(self._counts) + 1, number, self.position, what)
                self._counts[part] += 1

    def decide(self) -> None:
        if not self._counts:
            raise ValueError(f"{self._stream.path}, column {shown(self.name)}: no label in any row; expected one")
        self.names = self._ordered()
        self._places = {name: j for j, name in enumerate(self.names)}

    def _ordered(self) -> tuple[str, ...]:
        if all(number_in(name) is not None for name in self._counts):
            return tuple(sorted(self._counts, key=float))
        return tuple(sorted(self._counts))

    def fill(self, Y: np.ndarray, cells: Any, numbers: Sequence[int]) -> None:
        for i, cell in enumerate(cells):
            for part in self._parts(cell):
                place = self._places.get(part)
                if place is None:
                    raise self._error(numbers[i], f"{shown(part)} was not there when the file was opened")
                Y[i, place] = 1


class _Tags(_Split):
    def _parts(self, cell: Any) -> list[str]:
        if isinstance(cell, list):
            return [text for part in cell if (text := written(part))]
        text = written(cell)
        return [] if is_missing(text) else split_tags(text, self._guess.separator)

    def _ordered(self) -> tuple[str, ...]:
        return tuple(sorted(self._counts, key=lambda tag: (-self._counts[tag], tag)))


_LABELS: dict[str, type[_Label]] = {"label": _Flag, "class": _Split, "tags": _Tags}


def _is_numeric(values: Sequence[str]) -> bool:
    return all(number_in(value) is not None or value.lower() in _BOOLS for value in values)


def _either(flags: tuple[str, str] | None) -> str:
    yes, no = flags or ("1", "0")
    return f"{no or 'empty'} or {yes}"
