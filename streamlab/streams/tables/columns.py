"""What the cells of a column mean, once for all sources: numbers, words' places among the categories, and labels."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab._arrays import NoNumber, encoded, is_list, is_plain, is_text, numbers_in
from streamlab._cells import (
    ALWAYS_MISSING,
    SEPARATOR,
    bits_in,
    flags_of,
    is_like_list,
    is_numeric,
    meaning_of,
    path_in,
    split_tags,
    written,
)
from streamlab._checks import check_unique, few, number_in, shown
from streamlab.streams.limits import LoadWatch
from streamlab.streams.tables.kinds import ColumnGuess
from streamlab.streams.tables.source import Batch, Source

if TYPE_CHECKING:
    import pyarrow as pa


MANY = 256
"""From how many columns on they are put together at once."""
MOST_GAPS = 1 << 24
"""Labels that may be missing in columns of one role."""
NO_ROWS = np.empty(0, np.int64)


class Reader(ABC):
    """One or more columns of a role that are read: what is learned of them on opening, and their values after that.

    ``gaps`` are the rows in which a label is not known, by the place of its column; ``n_named_missing`` in how many a
    word stood for none; ``n_unsplit`` in how many a cell looked like a list and was taken as it stands, and
    ``first_unsplit`` the first such; ``alike`` the cells that differ in blanks around them alone. ``values`` are by
    column its categories, None of numbers, or its labels, ``places`` those in X or Y, and ``paths`` the steps of labels
    that are paths.
    """

    is_label = False
    values: Sequence[tuple[str, ...] | None]
    places: Sequence[int]
    classes: tuple[str, ...] | tuple[int, ...] | None = None
    """The classes, whole numbers as such; None where a row may have several labels, or one that is left out."""
    n_named_missing, n_unsplit, first_unsplit = 0, 0, ""

    def __init__(self, source: Source, columns: Sequence[tuple[int, ColumnGuess]]) -> None:
        self._source = source
        self.positions = [position for position, _ in columns]
        self._guesses = [guess for _, guess in columns]
        self.name, self._missing = self._guesses[0].name, self._guesses[0].gone
        self.gaps: dict[int, np.ndarray] = {}
        self.alike: list[str] = []
        self.paths: dict[str, tuple[str, ...]] = {}
        self.n_gaps = 0

    @abstractmethod
    def learn(self, cells: list[pa.Array], batch: Batch) -> None:
        """Take in the cells of a batch while the file is opened."""

    def decide(self) -> None:  # noqa: B027
        """Decide once all batches have been taken in."""

    @abstractmethod
    def fill(self, out: np.ndarray, cells: list[pa.Array], batch: Batch) -> None:
        """Write the cells of a batch into columns of X, or of Y, all of which are 0."""

    def _error(self, batch: Batch, row: int, what: str, column: int = 0) -> ValueError:
        return ValueError(f"{self._where(batch, row, column)}: {what}")

    def _note_gaps(self, batch: Batch, gaps: np.ndarray, column: int, what: str) -> None:
        """Note rows in which a label is not known."""
        if self._source.watch.stop is not None:
            return  # whoever follows a growing file leaves such rows out
        rows = np.flatnonzero(gaps)
        self.n_gaps += len(rows)
        if self.n_gaps > MOST_GAPS:
            where = self._where(batch, int(rows[0]), column)
            raise ValueError(f"{where}: more than {MOST_GAPS:,} labels are missing; expected {what}")
        if len(rows):
            self.gaps[column] = np.append(self.gaps.get(column, NO_ROWS), rows + batch.start)

    def _where(self, batch: Batch, row: int, column: int = 0) -> str:
        return self._source.place(batch, row, self.positions[column])

    def _check_few(self, option: str, n: int, where: str, expected: str) -> None:
        """Raise a ValueError if ``n`` different values are above the limit of that name."""
        watch: LoadWatch = self._source.watch
        if n > getattr(watch.limits, option):
            what = f"more than {getattr(watch.limits, option):,} different values; {expected}"
            raise watch.over(option, where, f"{what}: drop it with ignore= or encode it")

    def _changed(self, batch: Batch, row: int, value: Any, column: int = 0) -> ValueError:
        return self._error(batch, row, f"{shown(value)} was not there when the file was opened", column)


class Numbers(Reader):
    """Numeric features, all at once: a call for each of 20,000 columns takes longer than their numbers."""

    def __init__(self, source: Source, columns: Sequence[tuple[int, ColumnGuess]], decimal: str) -> None:
        super().__init__(source, columns)
        self._decimal, self.values = decimal, [None] * len(columns)
        self._gone = [guess.gone | frozenset(guess.missing) for guess in self._guesses]

    def learn(self, cells: list[pa.Array], batch: Batch) -> None:
        self.fill(np.empty((len(cells[0]), len(cells))), cells, batch)

    def fill(self, out: np.ndarray, cells: list[pa.Array], batch: Batch) -> None:
        import pyarrow as pa

        if batch.pairs is not None:
            batch.pairs.among(self.positions, len(self._source.columns)).dense(len(self.positions), out)
            return
        n_rows = len(cells[0])
        by_kind: dict[Any, list[int]] = {}
        for j, cell in enumerate(cells):
            # types are slow to compare; of numbers and texts the number of the type says all
            own = cell.type
            by_kind.setdefault(own.id if is_plain(own) or is_text(own) else own, []).append(j)
        for places in by_kind.values():
            kind = cells[places[0]].type
            if is_plain(kind) and len(places) < MANY:
                for j in places:
                    out[:, j] = values = cells[j].to_numpy(zero_copy_only=False)
                    self._check_finite(batch, values, [j], cells)
                continue
            for gone in dict.fromkeys([self._gone[j] for j in places]):
                own = [j for j in places if self._gone[j] == gone]
                joined = pa.concat_arrays([cells[j] for j in own]) if len(own) > 1 else cells[own[0]]
                try:
                    values = numbers_in(joined, self._decimal if is_text(kind) else ".", gone)
                except NoNumber as error:
                    j, row = divmod(error.place, n_rows)
                    raise self._no_number(batch, row, own[j], error.cell) from None
                self._check_finite(batch, values, own, cells)
                out[:, own] = values.reshape(len(own), n_rows).T

    def _check_finite(self, batch: Batch, values: np.ndarray, columns: list[int], cells: list[pa.Array]) -> None:
        if (bad := np.isinf(values)).any():
            j, row = divmod(int(np.argmax(bad)), batch.n_rows)
            found = shown(cells[columns[j]][row].as_py())
            raise self._error(batch, row, f"expected a finite number, found {found}", columns[j])

    def _no_number(self, batch: Batch, row: int, column: int, cell: str) -> ValueError:
        comma = "" if self._decimal == "." else " with a decimal comma"
        what = (
            f"expected a number{comma} as in the rows before, found {shown(cell)}; name it in missing= if it "
            "means a missing value, or the column in nominal= if it holds words, or in ignore="
        )
        return self._error(batch, row, what, column)


class Nominal(Reader):
    """A nominal feature."""

    def __init__(self, source: Source, columns: Sequence[tuple[int, ColumnGuess]]) -> None:
        super().__init__(source, columns)
        self.categories: tuple[str, ...] = source.categories_of(self.positions[0]) or ()
        self._found: set[str] = set(self.categories)
        self._places: dict[str, int] = {}

    def learn(self, cells: list[pa.Array], batch: Batch) -> None:
        codes, values = encoded(cells[0], self._missing, numbers=self._guesses[0].numeric)
        for code in np.unique(codes[codes >= 0]).tolist():
            if values[code] in self._found:
                continue
            where = self._where(batch, int(np.argmax(codes == code)))
            self._found.add(values[code])
            self._source.watch.names(len(values[code]), where)
            self._check_few("categories", len(self._found), where, "expected numbers or few words")

    def decide(self) -> None:
        if len(self.categories) < len(self._found):
            self.categories = tuple(sorted(self._found))
        self._places, self.values = {word: place for place, word in enumerate(self.categories)}, [self.categories]

    def fill(self, out: np.ndarray, cells: list[pa.Array], batch: Batch) -> None:
        codes, values = encoded(cells[0], self._missing, numbers=self._guesses[0].numeric)
        places = np.array([*(self._places.get(value, -1) for value in values), math.nan])
        out[:, 0] = places[codes]
        if (out[:, 0] < 0).any():
            row = int(np.argmax(out[:, 0] < 0))
            raise self._changed(batch, row, values[codes[row]])


class Flags(Reader):
    """Labels of yes and no, all at once."""

    is_label = True

    def __init__(self, source: Source, columns: Sequence[tuple[int, ColumnGuess]]) -> None:
        super().__init__(source, columns)
        self.values = [(guess.name,) for guess in self._guesses]
        self._found: list[set[str]] = [set() for _ in columns]
        self._meanings: list[dict[str, int]] = [{} for _ in columns]
        # what the first rows hold is right, wherever a cell that does not go with it stands
        self._first = [("0", "1") if g.odd else g.values if g.flags else () for g in self._guesses]

    def _encoded(self, cells: list[pa.Array]) -> tuple[np.ndarray, list[str]]:
        """Return codes of shape (n_columns, n_rows), and the values that they stand for; "" is missing."""
        import pyarrow as pa

        codes, values = np.zeros((len(cells), len(cells[0])), np.int64), [""]
        for kind in dict.fromkeys(cell.type for cell in cells):
            own = [j for j, cell in enumerate(cells) if cell.type == kind]
            found, texts = encoded(pa.concat_arrays([cells[j] for j in own]), self._missing)
            codes[own] = np.where(found < 0, 0, found + len(values)).reshape(len(own), -1)
            values += texts
        return codes, values

    def learn(self, cells: list[pa.Array], batch: Batch) -> None:
        codes, values = self._encoded(cells)
        for code, value in enumerate(values):
            new = [j for j in np.flatnonzero((codes == code).any(axis=1)).tolist() if value not in self._found[j]]
            for j in new:
                known = flags_of({*self._first[j], *self._found[j]}) or self._guesses[j].flags
                # an empty cell is a no beside marks such as x; else it is a label that is missing
                marked = (self._guesses[j].flags or ("1", "0"))[1] == ""
                row = int(np.argmax(codes[j] == code))
                if value == "" and not marked:
                    self._note_gaps(batch, codes[j] == code, j, _either(known))
                    continue
                allowed = {*self._first[j], *self._found[j], value, *([""] if marked else [])}
                if flags_of(allowed) is None and allowed != {""}:
                    found = f"expected the label to be {_either(known)}, found {shown(value)}"
                    raise self._error(batch, row, f"{found}; if it holds classes, name it in classes=", j)
                self._found[j].add(value)

    def decide(self) -> None:
        for j, found in enumerate(self._found):
            flags = flags_of(found) or self._guesses[j].flags or ("1", "0")
            known = {"": 0} if self._source.watch.stop is None else {}
            self._meanings[j] = known | {word: meaning_of(word, flags) or 0 for word in found}

    def fill(self, out: np.ndarray, cells: list[pa.Array], batch: Batch) -> None:
        codes, values = self._encoded(cells)
        table = np.array([[own.get(value, 2) for value in values] for own in self._meanings], np.uint8)
        flags = table[np.arange(len(cells))[:, None], codes]
        if (flags > 1).any():
            j, row = divmod(int(np.argmax(flags > 1)), flags.shape[1])
            raise self._changed(batch, row, values[codes[j, row]], j)
        out[:] = flags.T


class Classes(Reader):
    """A column whose cells hold values, each of which is a label: classes, tags, or vectors of 0 and 1."""

    is_label = True

    def __init__(self, source: Source, columns: Sequence[tuple[int, ColumnGuess]], n_labels: int | None = None) -> None:
        super().__init__(source, columns)
        self._guess, self._n_labels = self._guesses[0], n_labels
        declared = source.labels_of(self.positions[0])
        self.above = None if self._guess.role == "path" else declared
        known = vector_names(self.name, self._guess.width) if declared is None else declared
        self._counts: Counter[str] = Counter(dict.fromkeys(map(written, known), 0))
        self._places: dict[str, int] = {}
        self._plain, self._padded = set[str](), set[str]()

    def parts_of(self, value: Any) -> list[str]:
        """Return the labels that the value of a cell names."""
        role, separator, width = self._guess.role, self._guess.separator, self._guess.width
        if role == "class":
            return [value]
        if role == "path":
            return [self._guess.path.join(path_in(value, self._guess.path))]
        if role == "vector":
            return [
                name for name, bit in zip(vector_names(self.name, width), bits_in(value, width), strict=True) if bit
            ]
        if self.above is None:
            return labels_in(value, separator)
        return self._with_those_above(labels_in(value, separator))

    def _with_those_above(self, names: Sequence[str]) -> list[str]:
        assert self.above is not None, "the source declares a hierarchy"
        for name in names:
            if name not in self.above:
                raise ValueError(f"there is no {shown(name)} in the hierarchy; expected one of {few(list(self.above))}")
        found = list(names)
        for name in found:
            found += [each for each in self.above[name] if each not in found]
        return found

    def _encoded(self, cells: list[pa.Array]) -> tuple[np.ndarray, list[Any]]:
        return encoded(cells[0], self._missing, numbers=self._guesses[0].numeric)

    def _parted(self, cells: list[pa.Array], batch: Batch) -> tuple[np.ndarray, list[Any], list[list[str]]]:
        codes, values = self._encoded(cells)
        used = np.zeros(len(values), np.bool_)
        used[codes[codes >= 0]] = True
        parts: list[list[str]] = []
        wrong: list[tuple[int, ValueError]] = []
        for code, value in enumerate(values):
            try:
                parts.append(self.parts_of(value) if used[code] else [])
            except ValueError as error:
                parts.append([])
                wrong.append((int(np.argmax(codes == code)), error))
        if wrong:
            row, first = min(wrong, key=lambda each: each[0])
            raise self._error(batch, row, str(first), getattr(first, "column", 0)) from None
        return codes, values, parts

    def learn(self, cells: list[pa.Array], batch: Batch) -> None:
        codes, values, parts = self._parted(cells, batch)
        self._count_missing(cells[0], codes)
        if self._guess.role in ("class", "path") or self.above is not None:
            self._note_gaps(batch, codes < 0, 0, "a class in each row")
        times = np.bincount(codes[codes >= 0], minlength=len(parts)).tolist()
        for code, (own, n) in enumerate(zip(parts, times, strict=True)):
            for part in dict.fromkeys(own):
                if part not in self._counts:
                    where = self._where(batch, int(np.argmax(codes == code)))
                    self._source.watch.names(len(part), where)
                    if self._n_labels is None:
                        n_found = len(self._counts) + 1
                        self._check_few("labels", n_found, where, "is it a column of labels?")
                self._counts[part] += n
        if self._guess.role in ("class", "tags") and self.above is None:
            self._count_unsplit(codes, values, times, batch)

    def _count_unsplit(self, codes: np.ndarray, values: list[Any], times: list[int], batch: Batch) -> None:
        """Count the cells that look like lists and were taken as they stand."""
        for code, (value, n) in enumerate(zip(values, times, strict=True)):
            # a class may be an interval, [1, 2)
            if n and is_like_list(value) and (self._guess.role == "tags" or value.endswith(("]", "}"))):
                self.first_unsplit = self.first_unsplit or self._where(batch, int(np.argmax(codes == code)))
                self.n_unsplit += n

    def _count_missing(self, cells: pa.Array, codes: np.ndarray) -> None:
        """Count the rows in which a word stands for no label."""
        lost = int((codes < 0).sum())
        if lost and (is_text(cells.type) or not is_list(cells.type)):
            self.n_named_missing += lost - int((encoded(cells, frozenset(ALWAYS_MISSING))[0] < 0).sum())
        self._note_blanks(cells)

    def _note_blanks(self, cells: pa.Array) -> None:
        import pyarrow.types as types

        kind = cells.type.value_type if types.is_dictionary(cells.type) else cells.type
        if is_text(kind) and self._guess.role != "tags":
            found = cells.cast("large_string").unique().to_pylist()
            self._plain.update(cell for cell in found if cell is not None and cell == cell.strip())
            self._padded.update(cell for cell in found if cell is not None and cell != cell.strip())

    def decide(self) -> None:
        if self.above is None and not any(self._counts.values()):
            raise ValueError(f"{self._source.path}, column {shown(self.name)}: no label in any row; expected one")
        times = Counter(cell.strip() for cell in (*self._plain, *self._padded))
        self.alike = sorted(cell for cell in self._padded if times[cell.strip()] > 1 and cell.strip())
        names = list(self._counts)
        often = sorted(names, key=lambda name: (-self._counts[name], name))
        if self.above is not None:
            names = list(self.above)
        elif self._guess.role in ("class", "path"):
            numbered = all(number_in(name) is not None for name in names)
            names = sorted(names, key=float) if numbered else sorted(names)
        elif self._guess.role == "tags":
            names = often
        if self._n_labels is not None:
            kept = set(often[: self._n_labels])
            names = [name for name in names if name in kept]
        self.values = [tuple(names)]
        self._places = {written(name): place for place, name in enumerate(names)}
        is_nested = self.above is not None and any(self.above.values())
        if self._guess.role == "class" and not is_nested and len(names) == len(self._counts):
            self.classes = classes_of(names)

    def fill(self, out: np.ndarray, cells: list[pa.Array], batch: Batch) -> None:
        codes, _, parts = self._parted(cells, batch)
        for code, own in enumerate(parts):
            for new in (part for part in own if part not in self._counts):
                raise self._changed(batch, int(np.argmax(codes == code)), new)
        if self._source.watch.stop is not None and self._guess.role in ("class", "path") and (codes < 0).any():
            raise self._error(batch, int(np.argmax(codes < 0)), "it has no class")
        rows = np.flatnonzero(codes >= 0)
        used, at = np.unique(codes[rows], return_inverse=True)
        table = np.zeros((len(used), out.shape[1]), np.uint8)
        for flags, code in zip(table, used.tolist(), strict=True):
            flags[[self._places[part] for part in parts[code] if part in self._places]] = 1
        out[rows] = table[at]


class GapError(ValueError):
    """Raised for a level of a path that is empty above another: its place among the columns."""

    def __init__(self, column: int, what: str) -> None:
        super().__init__(what)
        self.column = column


class Levels(Classes):
    """Columns that hold the levels of one path a row, from the top down."""

    def _encoded(self, cells: list[pa.Array]) -> tuple[np.ndarray, list[Any]]:
        found = zip(cells, self._guesses, strict=True)
        columns = [encoded(each, self._missing, numbers=guess.numeric) for each, guess in found]
        rows, codes = np.unique(np.stack([found for found, _ in columns]), axis=1, return_inverse=True)
        words = [tuple(None if code < 0 else values[code] for code, (_, values) in zip(row, columns, strict=True))
                 for row in rows.T.tolist()]  # fmt: skip
        is_empty = np.array([not any(word is not None for word in each) for each in words], np.bool_)
        return np.where(is_empty[codes.reshape(-1)], -1, codes.reshape(-1)), words

    def parts_of(self, value: Any) -> list[str]:
        path = value[: value.index(None)] if None in value else value
        below = next((word for word in value[len(path) :] if word is not None), None)
        if below is not None:
            what = f"nothing, and {shown(below)} in a level below it; expected a step, as a path ends where nothing is"
            raise GapError(len(path), what)
        name = SEPARATOR.join(path)
        if self.paths.setdefault(name, path) != path:
            raise ValueError(
                f"{few(path)} and {few(self.paths[name])} are both called {shown(name)}; expected other names"
            )
        return [name]

    def _count_missing(self, cells: pa.Array, codes: np.ndarray) -> None:
        """Nothing stands for the end of a path."""

    def decide(self) -> None:
        super().decide()
        self.values = [self.values[0], *((),) * (len(self.positions) - 1)]


def classes_of(names: Sequence[str]) -> tuple[str, ...] | tuple[int, ...]:
    """Return the values of a column of classes: whole numbers if all are, else texts."""
    numbers = tuple(int(name) for name in names if name.removeprefix("-").isdecimal() and str(int(name)) == name)
    return numbers if len(numbers) == len(names) else tuple(names)


def vector_names(name: str, width: int) -> list[str]:
    """Return the names of the labels of a column of vectors, by place."""
    return [f"{name}[{place}]" for place in range(width)]


def label_names(columns: Sequence[tuple[str, str, Sequence[str]]]) -> list[str]:
    """Return the names of the labels of columns, each given by its name, its role and the values that are labels.

    A label is called like its value, or ``column=value`` where that is a number, another label is called so, or several
    columns hold classes or tags.

    Raises
    ------
    ValueError
        If two are alike.
    """
    plain = Counter(value for *_, values in columns for value in values)
    many = sum(role != "label" for _, role, _ in columns) > 1
    names = [
        f"{name}={value}" if role in ("class", "tags") and (many or plain[value] > 1 or is_numeric(value)) else value
        for name, role, values in columns
        for value in values
    ]
    check_unique("the label", names)
    return names


def labels_in(value: Any, separator: str) -> list[str]:
    """Return the labels that a cell of tags names, a list or a text."""
    parts = value if isinstance(value, list) else split_tags(value, separator)
    return [text for part in parts if part is not None and (text := written(part))]


def _either(flags: tuple[str, str] | None) -> str:
    yes, no = flags or ("1", "0")
    return f"{no or 'empty'} or {yes}"
