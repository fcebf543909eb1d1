"""Messages as rows: JSON objects or lines of CSV, every value checked, each refusal with its reason."""

from __future__ import annotations

import csv
import json
import math
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec
import numpy as np
from streamlab._cells import MISSING, bits_in, is_missing, meaning_of, value_of, written
from streamlab._checks import checked_choice, checked_count, number_in, shown
from streamlab.schema import Schema
from streamlab.streams.limits import MOST_DEPTH, too_deep
from streamlab.streams.tables.columns import labels_in
from streamlab.validation import validated

from streamlab_live.columns import BOOLEANS, Columns, LiveColumn, schema_of

__all__ = ["Decoding"]

MESSAGE_BYTES = 1 << 20
"""Bytes of a message."""
LARGEST = 1e100
"""The magnitude up to which learners take numbers."""
KINDS = (
    "not text",
    "not JSON",
    "not CSV",
    "unknown column",
    "missing column",
    "wrong type",
    "unknown word",
    "too long",
)
"""Reasons why a message is not a row."""
CHOICES = {
    "format": ("json", "csv"),
    "extra": ("refuse", "ignore"),
    "absent": ("refuse", "missing"),
    "new_words": ("refuse", "missing"),
}
"""Options of a few words each, the usual one first."""
OPTIONS = (*CHOICES, "separator", "most_bytes", "header")
SEPARATORS = (",", ";", "\t", "|")
_TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*"')


class Refused(ValueError):
    """Raised for a message that is not a row.

    Parameters
    ----------
    kind
        One of ``KINDS``.
    why
        What is wrong, in a sentence.
    column
        The known column that is wrong; "" where it is the message as a whole.
    """

    def __init__(self, kind: str, why: str, column: str = "") -> None:
        super().__init__(why)
        self.kind, self.column = kind, column


@dataclass(frozen=True, slots=True)
class Row:
    """A message: float64 features and labels in the schema's order; what it is about and when, or None."""

    x: np.ndarray
    y: list[int]
    key: str | None
    when: float | None


def parsed(value: bytes, format: str, separator: str, names: Sequence[str], most_bytes: int) -> dict[str, Any]:
    """Return the cells of a message by column.

    Raises
    ------
    Refused
        If it is too long or not written in this format.
    """
    if len(value) > most_bytes:
        raise Refused("too long", f"more than {most_bytes:,} bytes; expected a shorter message")
    if format == "json":
        if too_deep(value) is not None:
            raise Refused("not JSON", f"nested more than {MOST_DEPTH} deep; expected numbers, texts, lists")
        try:
            found = msgspec.json.decode(value)
        except (ValueError, RecursionError):  # of msgspec's own errors too
            found = _slowly(value)
        if not isinstance(found, dict):
            raise Refused("not JSON", f"expected a JSON object, found {shown(found)}")
        # of two members with one name msgspec gives the last; a colon each
        if value.count(b":") != len(found) != _TEXTS.sub(b"", value).count(b":"):
            _slowly(value)
        return found
    text = _text(value)
    if "\n" in text.strip("\r\n"):
        raise Refused("not CSV", "expected one line")
    try:
        cells = next(csv.reader([text.strip("\r\n")], delimiter=separator, strict=True), [])
    except (csv.Error, StopIteration) as error:
        if str(error) == "unexpected end of data":
            raise Refused("not CSV", "a quote is open at the line's end; expected a row on one line") from None
        raise Refused("not CSV", str(error)[:200]) from None
    if len(cells) != len(names):
        kind = "missing column" if len(cells) < len(names) else "unknown column"
        raise Refused(kind, f"{len(cells):,} cells; expected {len(names):,}")
    return {name: cell.strip() for name, cell in zip(names, cells, strict=True)}


def names_in(line: bytes, separator: str | None, where: str) -> tuple[list[str], str]:
    """Return the names of columns in a header of CSV, and what separates cells: the most frequent, if it is not given.

    Raises
    ------
    ValueError
        If the line is not valid CSV, or the separator is not one character.
    """
    if separator and not _separates(separator):
        raise ValueError(f"{where}: separator={shown(separator)}: expected one character such as ',' or ';'")
    try:
        text = line.decode("utf-8-sig").strip("\r\n")
        found = separator or max(SEPARATORS, key=text.count)
        return [name.strip() for name in next(csv.reader([text], delimiter=found, strict=True))], found
    except (UnicodeDecodeError, csv.Error, StopIteration) as error:
        raise ValueError(f"{where}: no valid CSV ({error}); expected the names of the columns") from None


def is_header(value: bytes, header: str) -> bool:
    """Return whether a message is the one with the names of the columns, where there is one."""
    return bool(header) and value.removeprefix(BOM_UTF8).strip(b"\r\n") == header.encode()


def _separates(separator: object) -> bool:
    return isinstance(separator, str) and len(separator) == 1 and separator not in "\r\n\"'"


def _text(value: bytes) -> str:
    try:
        return value.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused("not text", f"byte {error.start:,} is not UTF-8") from None


class _Constant(str):
    """``NaN`` or ``Infinity``, which are no JSON."""


def _members(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, cell in pairs:
        if name in found:
            raise Refused("not JSON", f"the column {shown(name)} occurs twice; expected it once")
        cells = [cell]
        while cells:
            each = cells.pop()
            if isinstance(each, list):
                cells += each
            elif isinstance(each, _Constant):
                raise Refused("wrong type", f"the column {shown(name)} is {each}; expected a number, or null")
        found[name] = cell
    return found


def _slowly(value: bytes) -> Any:
    """Return what Python's own parser reads: it takes halves of surrogates, and says where it failed, and at what."""
    try:
        return json.loads(_text(value), object_pairs_hook=_members, parse_constant=_Constant)
    except Refused:
        raise
    except (ValueError, RecursionError) as error:
        raise Refused("not JSON", str(error)[:200]) from None


class Decoding:
    """How messages are read.

    Parameters
    ----------
    columns
        The columns; of CSV all of them, in their order.
    format
        ``"json"``: an object for each message; or ``"csv"``: a line.
    separator
        Between the cells of CSV.
    most_bytes
        Bytes of a message.
    extra
        What is done with a column that is not known: ``"refuse"`` the message (default), or ``"ignore"`` the column.
    absent
        What is done where a feature is not there: ``"refuse"`` (default), or take it as ``"missing"``.
    new_words
        What is done with a word that is not known: ``"refuse"`` (default), or take it as ``"missing"``; a class or tag
        that is not known is refused in any case.
    header
        Of CSV: the message with the names of the columns, which is passed over wherever it comes; "": there is none.

    Attributes
    ----------
    schema
        Of the rows.

    Raises
    ------
    ValueError
        If an option has no such value.

    Examples
    --------
    >>> from streamlab_live.columns import LiveColumn
    >>> decoding = Decoding([LiveColumn("x", "number"), LiveColumn("hot", "label")])
    >>> row = decoding.row(b'{"x": 1.5, "hot": true}')
    >>> row.x, row.y
    (array([1.5]), [1])
    """

    def __init__(
        self,
        columns: Sequence[LiveColumn],
        *,
        format: str = "json",
        separator: str = ",",
        most_bytes: int = MESSAGE_BYTES,
        extra: str = "refuse",
        absent: str = "refuse",
        new_words: str = "refuse",
        header: str = "",
    ) -> None:
        self.columns = tuple(columns)
        self.schema: Schema = schema_of(self.columns)
        given = {"format": format, "extra": extra, "absent": absent, "new_words": new_words}
        for name, known in CHOICES.items():
            checked_choice(name, given[name], known)
        if not _separates(separator):
            raise ValueError(f"separator={separator!r}: expected one character such as ',' or ';'")
        self.format, self.separator, self.header = format, separator, header
        self.extra, self.absent, self.new_words = extra, absent, new_words
        self.most_bytes = checked_count("most_bytes", most_bytes, 1, 1 << 28)
        self._names = [column.name for column in self.columns]
        self._known = frozenset(self._names)
        features = [column for column in self.columns if column.is_feature]
        self._features = [(each.name, self._reader(each), each.role == "number") for each in features]
        self._labels = [
            (column, {v: i for i, v in enumerate(column.values)}) for column in self.columns if column.is_label
        ]
        self._key = next((column.name for column in self.columns if column.role == "key"), None)
        self._time = next((column.name for column in self.columns if column.role == "time"), None)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "columns": msgspec.to_builtins(self.columns),
            **{each: getattr(self, each) for each in OPTIONS},
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Decoding:
        """Return what ``told`` said.

        Raises
        ------
        ValueError
            If it was altered.
        """
        columns = validated(fields.get("columns"), Columns, "columns")
        return cls(columns, **{name: fields[name] for name in OPTIONS if name in fields})

    def row(self, value: bytes) -> Row:
        """Return the row that a message is.

        Raises
        ------
        ValueError
            If it is not valid, with the reason: a ``Refused``, whose ``kind`` is one of ``KINDS``.
        """
        cells = parsed(value, self.format, self.separator, self._names, self.most_bytes)
        if self.extra == "refuse" and not cells.keys() <= self._known:
            name = next(name for name in cells if name not in self._known)
            raise Refused(
                "unknown column", f"the column {shown(name)} is not known; name it in ignore=, or extra=ignore"
            )
        x = self._numbers_in(cells)
        y: list[int] = []
        for column, places in self._labels:
            if column.name not in cells:
                raise Refused("missing column", f"the label {shown(column.name)} is missing", column.name)
            y += _label(column, places, cells[column.name])
        return Row(x, y, self._key_of(cells), self._time_of(cells))

    def _numbers_in(self, cells: Mapping[str, Any]) -> np.ndarray:
        """Return the features, in their order."""
        x: list[float] = []
        for name, read, is_number in self._features:
            cell = cells.get(name, self)
            if is_number and type(cell) in (float, int) and -LARGEST <= cell <= LARGEST:  # most are
                x.append(float(cell))
            elif cell is not self:
                x.append(read(cell))
            elif self.absent == "missing":
                x.append(math.nan)
            else:
                raise Refused(
                    "missing column", f"the column {shown(name)} is missing; absent=missing takes it as no value", name
                )
        return np.array(x, np.float64)

    def arrays(self, rows: Sequence[Row]) -> tuple[np.ndarray, np.ndarray]:
        """Return rows as X and Y of a chunk."""
        X = np.array([row.x for row in rows], np.float64).reshape(len(rows), self.schema.n_features)
        Y = np.array([row.y for row in rows], np.uint8).reshape(len(rows), self.schema.n_labels)
        return X, Y

    def _reader(self, column: LiveColumn) -> Callable[[Any], float]:
        if column.role == "number":
            gone, flags = MISSING | {*column.missing}, column.flags == BOOLEANS
            return lambda cell: _number(column.name, cell, gone, flags)
        places = {word: float(i) for i, word in enumerate(column.values)}
        lenient = self.new_words == "missing"
        return lambda cell: _word(column.name, cell, places, lenient)

    def _key_of(self, cells: Mapping[str, Any]) -> str | None:
        if self._key is None:
            return None
        cell = cells.get(self._key)
        if not isinstance(cell, (str, int)) or isinstance(cell, bool) or cell == "" or len(str(cell)) > 1000:
            raise Refused(
                "missing column", f"the key {shown(self._key)} is {shown(cell)}; expected a text or a number", self._key
            )
        return str(cell)

    def _time_of(self, cells: Mapping[str, Any]) -> float | None:
        if self._time is None:
            return None
        cell = cells.get(self._time)
        when = cell if isinstance(cell, (int, float)) and not isinstance(cell, bool) else number_in(str(cell))
        if when is None:
            try:
                moment = datetime.fromisoformat(str(cell))
                when = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
            except (ValueError, OverflowError):
                when = math.nan
        # in milliseconds, as JavaScript has it
        when = when / 1000 if 1e11 < when < 1e14 else when
        if not -1e11 <= when <= 1e11:
            raise Refused(
                "wrong type", f"invalid time {shown(cell)}; expected seconds since 1970, or ISO 8601", self._time
            )
        return float(when)


def _wrong(name: str, cell: Any, what: str, kind: str = "wrong type", noun: str = "column") -> Refused:
    return Refused(kind, f"the {noun} {shown(name)} is {shown(cell)}{what}", name)


def _number(name: str, cell: Any, gone: frozenset[str], flags: bool) -> float:
    value: float | None = None
    if cell is None:
        return math.nan
    if isinstance(cell, str):
        value = value_of(cell, gone, flags=flags)
    elif isinstance(cell, (int, float)) and (flags or not isinstance(cell, bool)):
        try:
            value = float(cell)
        except OverflowError:
            value = math.inf
    if value is None:
        hint = f", or missing={shown(cell.strip())[1:-1]} where it stands for no value" if isinstance(cell, str) else ""
        raise _wrong(name, cell, f"; expected a number{hint}")
    if abs(value) > LARGEST:
        raise _wrong(name, cell, f"; expected at most {LARGEST:g} in magnitude")
    return value


def _word(name: str, cell: Any, places: Mapping[str, float], lenient: bool) -> float:
    if isinstance(cell, (list, dict)):
        raise _wrong(name, cell, "; expected a word")
    text = written(cell)
    place = places.get(text)
    if place is None and not is_missing(text) and not lenient:
        raise _wrong(name, text, ", which it never was; new_words=missing", "unknown word")
    return math.nan if place is None else place


def _label(column: LiveColumn, places: Mapping[str, int], cell: Any) -> list[int]:
    if isinstance(cell, dict) or (column.role in ("label", "class") and isinstance(cell, list)):
        raise _wrong(column.name, cell, "; expected one value", noun="label")
    if column.role == "label":
        if type(cell) is int and cell in (0, 1) and column.flags == ("1", "0"):
            return [cell]
        meaning = meaning_of(written(cell), column.flags)
        if meaning is None and isinstance(cell, bool):
            meaning = int(cell)
        if meaning is None:
            yes, no = column.flags
            raise _wrong(column.name, cell, f"; expected {no} or {yes}", noun="label")
        return [meaning]
    if column.role == "vector":
        try:
            return bits_in(cell, len(places))
        except ValueError as error:
            raise Refused("wrong type", f"the label {shown(column.name)}: {error}", column.name) from None
    if isinstance(cell, list):
        words = labels_in(cell, column.separator)
        if any(isinstance(each, (list, dict)) for each in cell):
            raise _wrong(column.name, cell, "; expected a list of words", noun="label")
    else:
        text = written(cell)
        words = [] if is_missing(text) else [text] if column.role == "class" else labels_in(text, column.separator)
    out = [0] * len(places)
    for word in words:
        if word not in places:
            raise _wrong(column.name, word, ", which is not among the labels", "unknown word", "label")
        out[places[word]] = 1
    return out
