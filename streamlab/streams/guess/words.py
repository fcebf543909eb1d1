"""What cells of tables are written as: yes and no in some languages, numbers with a comma, dates, names of labels."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from streamlab._checks import number_in
from streamlab.streams.readers.csv import MISSING

FLAGS: tuple[tuple[str, str], ...] = (
    ("1", "0"), ("1", "-1"), ("+1", "-1"), ("true", "false"), ("t", "f"), ("yes", "no"), ("y", "n"), ("ja", "nein"),
    ("j", "n"), ("wahr", "falsch"), ("oui", "non"), ("o", "n"), ("vrai", "faux"), ("sí", "no"), ("si", "no"),
    ("s", "n"), ("vero", "falso"), ("verdadero", "falso"), ("sim", "não"), ("sim", "nao"), ("ja", "nee"),
    ("ja", "nej"), ("tak", "nie"), ("da", "ne"), ("ano", "ne"), ("да", "нет"), ("kyllä", "ei"), ("是", "否"),
    ("on", "off"), ("positive", "negative"), ("pos", "neg"), ("+", "-"), ("present", "absent"), ("x", ""), ("✓", ""),
)  # fmt: skip
"""What stands for a label that is there, and for one that is not; "" is an empty cell."""

LABEL_NAME = re.compile(
    r"(labels?|target|class(es)?|klassen?|classe|category|categories|kategorien?|catégorie|genres?|tags?|topics?"
    r"|thema|themen|outcome|y)$|(label|target|class|tag|y)[ _.:-]?\d+$|(label|target|class|is|tag)[_.:-]",
    re.IGNORECASE,
)
"""What columns of labels are often called."""

TAG_SEPARATORS = ("><", "|", ";", ",", " ")
"""What stands between two tags of a cell, in the order in which it is looked for; ``><`` is that of ``<a><b>``."""

_DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{4}-\d\d|\d{1,2} \w{3,9} \d{4})"
    r"([T ]+\d{1,2}:\d\d(:\d\d([.,]\d+)?)?( ?[AaPp][Mm])?)?( ?(Z|UTC|[+-]\d\d:?\d\d))?"
    r"|\d{1,2}:\d\d(:\d\d([.,]\d+)?)?"
)
_WITH_COMMA = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d*)(,\d+)?([eE][+-]?\d+)?")
LONGEST_CELL = 64
"""Characters of the longest cell that may be a date or a number."""


def is_missing(cell: str) -> bool:
    """Return whether a cell, without blanks around it, stands for no value."""
    return cell in MISSING


def number_of(cell: str, decimal: str = ".") -> float | None:
    """Return the number that a cell holds, or None; with ``decimal=","`` a point stands between thousands.

    Examples
    --------
    >>> number_of("1.234,5", ","), number_of("1,5"), number_of("12 kg")
    (1234.5, None, None)
    """
    if decimal == ",":
        if len(cell) > LONGEST_CELL or not any(map(str.isdigit, cell)) or _WITH_COMMA.fullmatch(cell) is None:
            number = number_in(cell)
            # a point that is not a mark of thousands: "1.5" among "1,5" is not understood
            return number if number is not None and math.isnan(number) else None
        cell = cell.replace(".", "").replace(",", ".")
    return number_in(cell)


def is_date(cell: str) -> bool:
    """Return whether a cell looks like a date, a time, or both."""
    return len(cell) <= LONGEST_CELL and _DATE.fullmatch(cell) is not None


def flags_of(words: Iterable[str]) -> tuple[str, str] | None:
    """Return what stands for yes and for no among these cells, in small letters, or None if more stands there.

    Numbers may be written in any way: ``1.0`` is 1. Empty cells are a no only beside a mark such as ``x``.

    Examples
    --------
    >>> flags_of(["Ja", "nein"]), flags_of(["1.0", "0"]), flags_of(["red", "blue"])
    (('ja', 'nein'), ('1', '0'), None)
    """
    found = {_plain(word) for word in words}
    # a column of dashes or of one letter says nothing
    if not found or found == {""} or found == {"-"} or len(found) > 2:
        return None
    for pair in FLAGS:
        if found <= set(pair) and (pair[1] or found == set(pair)):
            return pair
    return None


def _plain(word: str) -> str:
    number = number_in(word)
    if number is not None and number in (0, 1, -1):
        return f"{number:g}"
    return word.strip().casefold()


def meaning_of(word: str, flags: tuple[str, str]) -> int | None:
    """Return 1 or 0 for a cell, or None if it is neither of both."""
    plain = _plain(word)
    return 1 if plain == flags[0] else 0 if plain == flags[1] else None


def split_tags(cell: str, separator: str) -> list[str]:
    """Return the tags of a cell, without blanks, quotes and the brackets of a list around them.

    Examples
    --------
    >>> split_tags("['a', 'b']", ","), split_tags("<a><b>", "><"), split_tags("a b", " ")
    (['a', 'b'], ['a', 'b'], ['a', 'b'])
    """
    cell = cell.strip()
    if separator == "><":
        parts: Sequence[str] = cell.removeprefix("<").removesuffix(">").split("><")
    else:
        if cell.startswith("[") and cell.endswith("]"):
            cell = cell[1:-1]
        parts = [cell] if not separator else cell.split(separator)
    stripped = (part.strip() for part in parts)
    return [tag for part in stripped if (tag := part[1:-1].strip() if _is_quoted(part) else part)]


def _is_quoted(part: str) -> bool:
    return len(part) >= 2 and part[0] == part[-1] and part[0] in "'\""


def written(value: object) -> str:
    """Return a value of a Parquet file as a cell of a text file would have it.

    Examples
    --------
    >>> written(2.0), written(True), written(None), written("a ")
    ('2', 'true', '', 'a')
    """
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()
