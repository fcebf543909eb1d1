"""What cells of tables are written as: yes and no, numbers with a comma, dates, tags, lists, names of labels."""

from __future__ import annotations

import ast
import csv
import json
import math
import re
from collections.abc import Iterable, Sequence

from streamlab._checks import number_in, shown

ALWAYS_MISSING = frozenset({"", "?"})
MISSING_WORDS = frozenset({"NA", "N/A", "NaN", "nan", "null", "NULL"})
MISSING = ALWAYS_MISSING | MISSING_WORDS
"""What stands for no value; "None" does so among numbers alone: among words it is one."""

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

PATH_SEPARATORS = ("/", ">", "::")
"""What stands between two steps of a path of labels, in the order in which it is looked for."""
SEPARATOR = PATH_SEPARATORS[0]
"""What stands between the steps of a label whose levels are in columns of their own."""
MOST_LEVELS = 64
"""Steps that a path may have."""

_MONTH = (
    r"(?:jan|feb|mar|m\u00e4r|apr|avr|may|mai|jun|jul|aug|ao[u\u00fb]|sep|oct|okt|nov|dec|dez|d\u00e9c|f\u00e9v|ene|abr|ago|dic)"
    r"\w{0,7}\.?"
)
_CLOCK = r"\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?[ap]\.?m\.?)?"
_DAY = "|".join(
    (
        r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}",
        r"\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}",
        r"\d{4}-\d\d",
        rf"\d{{1,2}}(?:st|nd|rd|th|\.)?[ -]{_MONTH},?[ -]\d{{2,4}}",
        rf"{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}",
        rf"{_MONTH},? \d{{4}}",
        rf"{_MONTH} {{1,2}}\d{{1,2}} {_CLOCK}(?: [A-Z]{{3,4}}| [+-]\d{{4}})? \d{{4}}",
    )
)
_DATE = re.compile(
    rf"(?:(?:\w{{2,10}}\.?,? )?(?:{_DAY})(?:(?:[T ]|,? (?:at )?){_CLOCK})?|{_CLOCK})"
    r"(?: ?(?:Z|[A-Z]{3,4}|(?:UTC|GMT)?[+-]\d\d:?\d\d))?",
    re.IGNORECASE,
)
WITH_COMMA = (
    r"^(?:[+-]?(?:[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]*)?|[0-9]+(?:,[0-9]*)?|,[0-9]+)(?:[eE][+-]?[0-9]+)?|[nN][aA][nN])$"
)
"""A number with a decimal comma, and perhaps points between thousands, in the patterns of Python and of pyarrow."""
_WITH_COMMA = re.compile(WITH_COMMA)
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
        if len(cell) > LONGEST_CELL or _WITH_COMMA.match(cell) is None:
            return None  # a point that is not a mark of thousands: "1.5" among "1,5" is not understood
        cell = cell.replace(".", "").replace(",", ".")
    return number_in(cell)


BOOLS = {"true": 1.0, "false": 0.0}


def value_of(cell: str, missing: frozenset[str] = MISSING, decimal: str = ".", *, flags: bool = True) -> float | None:
    """Return what a cell of numbers stands for, NaN where there is none; None if it is no number.

    ``numbers_in`` says the same of whole columns.

    Examples
    --------
    >>> value_of(" 1.5 "), value_of("NA"), value_of("true"), value_of("12 kg")
    (1.5, nan, 1.0, None)
    """
    text = cell.strip()
    if text in missing or text in ALWAYS_MISSING or (text == "None" and missing):
        return math.nan
    number = number_of(text, decimal)
    return BOOLS.get(text.lower()) if number is None and flags else number


def is_numeric(name: str) -> bool:
    """Return whether a label that is called so would be taken for a number: it is called ``column=3`` then."""
    number = number_in(name)
    return number is not None and number == number


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
    """Return the tags of a cell, without blanks and quotes around them; those of a list that is written out.

    A cell that begins like a list and is none, as its end is missing or it holds lists itself, stays whole.

    Examples
    --------
    >>> split_tags("['a', 'b']", ","), split_tags("<a><b>", "><"), split_tags("a b", " ")
    (['a', 'b'], ['a', 'b'], ['a', 'b'])
    """
    cell = cell.strip()
    found = list_in(cell)
    if found is not None and not (len(found) == 1 and separator and separator in found[0]):
        return found
    cell = cell if found is None else found[0]
    if separator == "><":
        parts: Sequence[str] = cell.removeprefix("<").removesuffix(">").split("><")
    else:
        parts = cell.split(separator) if separator else [cell]
    if cell.startswith(("[", "{")) and not all(map(_is_closed, parts)):
        return [cell]
    stripped = (part.strip() for part in parts)
    return [tag for part in stripped if (tag := part[1:-1].strip() if _is_quoted(part) else part)]


def path_in(cell: str, separator: str) -> tuple[str, ...]:
    """Return the steps of a path of labels, from the top down, without blanks around them.

    Raises
    ------
    ValueError
        If a step is empty, or there are too many.

    Examples
    --------
    >>> path_in("winds / reeds / oboe", "/")
    ('winds', 'reeds', 'oboe')
    """
    path = tuple(step.strip() for step in cell.split(separator))
    if not all(path) or len(path) > MOST_LEVELS:
        what = "a step is empty" if not all(path) else f"it has {len(path):,} steps"
        example = f"a{separator}b"
        raise ValueError(f"the path {shown(cell)}: {what}; expected 1 to {MOST_LEVELS} steps, such as {shown(example)}")
    return path


def list_in(cell: str) -> list[str] | None:
    """Return the items of a list as Python, JSON, PostgreSQL or numpy writes one out; None if the cell is none.

    Examples
    --------
    >>> list_in('["a, b", "c"]'), list_in("{x,'y z'}"), list_in("[0 1 1]"), list_in("a, b")
    (['a, b', 'c'], ['x', 'y z'], ['0', '1', '1'], None)
    """
    if cell == "set()":
        return []
    if len(cell) < 2 or (cell[0], cell[-1]) not in BRACKETS or len(cell) > LONGEST_LIST:
        return None
    within = cell[1:-1].strip()
    if not within:
        return []
    found: object = None
    # numpy has no commas, and Python would join its texts
    if not _WITHOUT_COMMAS.search(within):
        for read in (json.loads, ast.literal_eval):
            try:
                found = read(cell)
                break
            except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
                continue
    if isinstance(found, (list, tuple, set, frozenset)):
        items = sorted(found, key=str) if isinstance(found, (set, frozenset)) else found
        if any(isinstance(item, (list, tuple, set, dict)) for item in items):
            return None
        return [text for item in items if (text := written(item))]
    if isinstance(found, dict) or cell[0] == "(" or any(bracket in _QUOTED.sub("", within) for bracket in "[]{}"):
        return None
    if "," not in within:
        tokens = _TOKEN.findall(within)
        return [token[1:-1] if _is_quoted(token) else token for token in tokens] if cell[0] == "[" else [_bare(within)]
    quote = "'" if "'" in within and '"' not in within else '"'
    try:
        parts = next(csv.reader([within], quotechar=quote, skipinitialspace=True, escapechar="\\"), [])
    except csv.Error:
        return None
    return [text for part in parts if (text := part.strip()) and text != "NULL"]


def is_like_list(value: object) -> bool:
    """Return whether a cell looks like a list, but its items cannot be told: they are cut off, or lists or records."""
    if isinstance(value, list):
        return any(isinstance(item, (list, tuple, dict)) for item in value)
    if not isinstance(value, str):
        return False
    return value.startswith(("[", "{")) and list_in(value) is None and split_tags(value, ",") == [value]


def _is_closed(part: str) -> bool:
    bare = _QUOTED.sub("", part)
    return bare.count("[") == bare.count("]") and bare.count("{") == bare.count("}")


BRACKETS = (("[", "]"), ("{", "}"), ("(", ")"))
LIST = "[]"
"""In place of a separator: the cells are lists that are written out."""
LONGEST_LIST = 1 << 16
_TOKEN = re.compile(r"'[^']*'|\"[^\"]*\"|\S+")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_WITHOUT_COMMAS = re.compile(r"['\"]\s+['\"]")


def _bare(text: str) -> str:
    return text[1:-1] if _is_quoted(text) else text


def bits_in(value: object, width: int) -> list[int]:
    """Return the 0 and 1 of a vector, a list or one that is written out with commas or blanks between.

    Raises
    ------
    ValueError
        If it is none of this width.
    """
    text = "" if isinstance(value, list) else str(value)
    items = value if isinstance(value, list) else split_tags(text, "," if "," in text else " ")
    bits = [BOOLS.get(text.lower(), number_in(text)) for text in map(written, items)]
    if len(bits) != width or any(bit not in (0, 1) for bit in bits):
        raise ValueError(f"expected {width} times 0 or 1, found {shown(value)}")
    return [int(bit or 0) for bit in bits]


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
