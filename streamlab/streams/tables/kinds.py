"""Find from the first cells of a column what it holds, and what it may be to a learner."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from streamlab._arrays import NoNumber, encoded, is_list, is_number, is_text, numbers_in
from streamlab._cells import (
    BOOLS,
    LIST,
    MISSING,
    MOST_LEVELS,
    PATH_SEPARATORS,
    TAG_SEPARATORS,
    flags_of,
    is_date,
    list_in,
    number_of,
    split_tags,
    written,
)
from streamlab._checks import in_ascii, number_in, one_line, shown

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["ColumnGuess"]

ROLES: dict[str, str] = {
    "feature": "what a learner sees",
    "label": "a label: yes or no in each row",
    "class": "one label for each of its values",
    "tags": "cells of several labels",
    "path": "a path from the top of a hierarchy down, or one of its levels: a label for each step",
    "vector": "cells of as many 0 and 1 as there are labels",
    "text": "its words are what a learner sees",
    "time": "when a row was made; not learned from",
    "title": "what people call the row; shown, not learned from",
    "ignore": "left out",
}
"""What a column may be, and what that means."""
LABELS = ("label", "class", "tags", "path", "vector")
NAMING = ("words", "texts", "identifiers", "dates", "mixed")
"""Kinds of columns that can be what people call the rows."""

MOST_CLASSES = 50
"""Different values of a column that is taken as a class without being named."""
MOST_NUMBERED_CLASSES = 12
FEWEST_ROWS = 10
"""Rows whose numbers are noticed where the column's name does not say so."""
FEWEST_FLAGS, FLAGS_TO_ONE = 20, 50
"""Rows of which one that is neither 0 nor 1 may be a mistake, and for how many rows each there may be one more."""
FEW_WORDS = 2
"""Different words among numbers that are taken for missing values."""
MOST_EXAMPLES, LONG_EXAMPLE = 3, 60
_IDENTIFIER = re.compile(
    r"(|id|uuid|guid|index|idx|key|nr|no|number|nummer|row|zeile|rowid|#|unnamed.*|__index_level_\d+__|column 1)$"
    r"|.*[_ -]id$|id[_ -].*",
    re.IGNORECASE,
)
TIME = re.compile(r"(time|timestamp|date|datetime|datum|zeit|uhrzeit|created|created_at|ts|when|day)$", re.IGNORECASE)


@dataclass(frozen=True)
class ColumnGuess:
    """The guess about one column.

    Parameters
    ----------
    name
        As in the header; ``column 3`` where there is none, ``x (2)`` for the second of a name.
    kind
        What its first cells hold: ``numbers``, ``words``, ``flags`` (yes or no), ``tags``, ``texts``, ``dates``,
        ``identifiers``, ``mixed`` (numbers and words), ``others`` (nothing that can be learned from) or ``empty``.
    role
        What it is to a learner: a key of ``ROLES``.
    holds
        What its cells hold, in words.
    roles
        The roles that it can be given.
    separator
        Between tags, where its cells hold several; else "".
    missing
        Words among its numbers that stand for no value.
    values
        Its different values, or tags, where those are few.
    flags
        What stands for yes and for no, if it holds these.
    gaps
        How many of the cells that were looked at hold no value.
    why
        Why it has its role, where its cells alone do not say so.
    gone
        Words that stand for no value in any column of the table.
    width
        Of vectors: how many 0 and 1 each has.
    odd
        Of cells that are 0 or 1 but for a few, one in 50: the first's row, from 1, and what it is; else None.
    examples
        The first different cells.
    path
        Between the steps of paths, where every cell holds one; else "".
    numeric
        Whether its first cells are numbers, or texts of such.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from streamlab.streams import guess_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "films.csv"
    ...     _ = path.write_text("tempo,genre\\n" + "90,rock\\n120,jazz\\n" * 20)
    ...     tempo = guess_table(path).columns[0]
    >>> tempo.name, tempo.kind, tempo.role
    ('tempo', 'numbers', 'feature')
    """

    name: str
    kind: str
    role: str
    holds: str
    roles: tuple[str, ...]
    separator: str = ""
    missing: tuple[str, ...] = ()
    values: tuple[str, ...] = field(default=(), repr=False)
    flags: tuple[str, str] | None = None
    gaps: int = 0
    width: int = 0
    odd: tuple[int, str] | None = None
    why: str = ""
    gone: frozenset[str] = field(default=MISSING, repr=False)
    examples: tuple[str, ...] = field(default=(), repr=False, compare=False)
    path: str = ""
    numeric: bool = False


def table_of(columns: Sequence[ColumnGuess]) -> pd.DataFrame:
    """Return what columns are taken for, and why, as a table of texts: name, role, why, examples."""
    import pandas as pd

    rows = [(c.name, c.role, f"{why_of(c)}: {c.holds}", ", ".join(c.examples)) for c in columns]
    return pd.DataFrame(rows, columns=["name", "role", "why", "examples"])


def why_of(column: ColumnGuess) -> str:
    """Return why a column has its role, in a few words; ``holds`` says what is in its cells."""
    return column.why or _WHY_LEFT_OUT.get(column.kind if column.role == "ignore" else "") or _WHY[column.role]


_WHY = {
    "feature": "what is neither a label nor left out is a feature",
    "label": "it looks like a label",
    "class": "it looks like a label",
    "tags": "it looks like labels",
    "path": "it was chosen",
    "vector": "it looks like labels",
    "text": "there is nothing but texts to learn from",
    "time": "what rises with the rows, or is a date, says when",
    "title": "it is what rows are called",
    "ignore": "it is left out",
}
_WHY_LEFT_OUT = {
    "identifiers": "a number or word of its own tells a learner nothing of other rows",
    "empty": "there is nothing in it",
    "others": "such values are not read",
    "texts": "texts are learned from only if they are named, or alone",
    "tags": "tags are labels or nothing, and other columns are labels",
    "vectors": "vectors are labels or nothing, and other columns are labels",
}


def column_of(
    name: str, cells: pa.Array, decimal: str = ".", missing: frozenset[str] = MISSING, separator: str | None = None
) -> ColumnGuess:
    """Return the guess for a column on its own; which columns are labels is decided for all of them together.

    Parameters
    ----------
    name
        The column's.
    cells
        Its first ones, of any type.
    decimal
        What stands in numbers of texts, ``"."`` or ``","``.
    missing
        Words that stand for no value; among numbers ``None`` does, too, unless this is empty.
    separator
        What stands between two tags, where that is known.

    Raises
    ------
    ValueError
        For values of a type that Python does not have.
    """
    try:
        found = _column_of(name, cells, decimal, missing, separator)
        first = cells.slice(0, MOST_EXAMPLES * 8).to_pylist()
        examples = dict.fromkeys(_example(cell) for cell in first if cell is not None)
        return replace(
            found,
            roles=(*found.roles, "title") if found.kind in NAMING else found.roles,
            gone=missing,
            numeric=found.kind in ("numbers", "flags") or (found.kind == "identifiers" and "text" not in found.roles),
            gaps=0 if found.flags is not None and not found.flags[1] else found.gaps,
            examples=tuple(examples)[:MOST_EXAMPLES],
        )
    except (OverflowError, NotImplementedError) as error:
        raise unreadable(name, cells, error) from None


def unreadable(name: str, cells: pa.Array, error: Exception) -> ValueError:
    """Return the error of a column whose values mean neither numbers nor words."""
    what = f"it holds values of type {cells.type}, which cannot be read as its role needs"
    return ValueError(f"column {shown(name)}: {what} ({one_line(error, 100)})")


def _example(cell: object) -> str:
    return (", ".join(map(str, cell[:20])) if isinstance(cell, list) else str(cell).strip())[:LONG_EXAMPLE]


def _column_of(name: str, cells: pa.Array, decimal: str, missing: frozenset[str], separator: str | None) -> ColumnGuess:
    import pyarrow.types as types

    kind = cells.type.value_type if types.is_dictionary(cells.type) else cells.type
    if is_list(kind):
        return _of_lists(name, [cell for cell in cells.to_pylist() if cell is not None])
    if types.is_temporal(kind) and not types.is_duration(kind):
        first = next((str(cell) for cell in cells.to_pylist() if cell is not None), "none")
        return ColumnGuess(name, "dates", "time", f"dates, such as {first}", ("time", "ignore"))
    is_words = is_text(kind)
    if not (is_words or is_number(kind) or types.is_boolean(kind) or types.is_null(kind)):
        return ColumnGuess(name, "others", "ignore", f"values of the type {kind}", ("ignore",))
    if is_number(kind) and not types.is_dictionary(cells.type):
        return of_parsed(name, numbers_in(cells))
    if is_words:
        try:
            return of_parsed(name, numbers_in(cells, decimal, missing, flags=False))
        except NoNumber:
            pass
    codes, texts = encoded(cells, missing)
    counts = Counter({text: n for text, n in zip(texts, np.bincount(codes[codes >= 0]).tolist(), strict=False) if n})
    gaps = int((codes < 0).sum())
    present = [texts[code] for code in codes if code >= 0]
    odd = _odd(np.array([*map(number_in, texts), None], float)[codes], codes < 0, lambda row: texts[codes[row]])
    if is_number(kind):
        # a categorical of numbers is still one
        return replace(_of_words(name, present, counts, separator), gaps=gaps)
    return replace(_of_texts(name, present, counts, gaps, decimal, missing, separator), gaps=gaps, odd=odd)


def _odd(values: np.ndarray, is_gap: np.ndarray, cell: Callable[[int], str]) -> tuple[int, str] | None:
    """Return the row, from 1, and the cell of the first that is neither 0 nor 1, if only a few are."""
    is_no, is_yes = values == 0, values == 1
    if len(values) < FEWEST_FLAGS or not (is_no.any() and is_yes.any()):
        return None
    others, n = np.flatnonzero(~(is_no | is_yes | is_gap)), len(values) - int(is_gap.sum())
    if n < FEWEST_FLAGS or not 0 < len(others) <= most_odd(n):
        return None
    return int(others[0]) + 1, cell(int(others[0]))


def most_odd(n_rows: int) -> int:
    """Return how many other cells a column may have that is said to be 0 or 1 but for these."""
    return max(1, n_rows // FLAGS_TO_ONE)


def _of_lists(name: str, lists: Sequence[list[object]]) -> ColumnGuess:
    width = _width([[written(item) for item in cell] for cell in lists])
    if width:
        return _vector(name, width)
    tags = {written(tag) for cell in lists for tag in cell if tag is not None}
    return ColumnGuess(name, "tags", "ignore", f"lists of {_few(sorted(tags))}", ("tags", "ignore"))


def _width(lists: Sequence[Sequence[str]]) -> int:
    """Return how many 0 and 1 each of the lists has, or 0 if they are not vectors of these."""
    width = len(lists[0]) if lists else 0
    if width < 2 or any(len(each) != width for each in lists):
        return 0
    return width if flags_of({item for each in lists for item in each}) in _VECTORS else 0


_VECTORS = (("1", "0"), ("true", "false"))


def _vector(name: str, width: int) -> ColumnGuess:
    holds = f"vectors of {width} times 0 or 1, a label for each place"
    return replace(ColumnGuess(name, "vectors", "ignore", holds, ("vector", "ignore")), width=width)


def of_parsed(name: str, values: np.ndarray) -> ColumnGuess:
    """Return the guess for a column of numbers, NaN where there is none."""
    present = values[~np.isnan(values)]
    gaps = len(values) - len(present)
    if not len(present):
        return replace(ColumnGuess(name, "empty", "ignore", "nothing", ("ignore", "feature")), gaps=gaps)
    different = np.unique(present)
    flags = flags_of([f"{value:g}" for value in different]) if len(different) <= 2 else None
    if flags is not None:
        return replace(_of_flags(name, [f"{value:g}" for value in different], flags), gaps=gaps)
    few = len(different) <= 2 * MOST_CLASSES and bool((different == np.floor(different)).all())
    texts = _written(tuple(different.tolist())) if few else ()
    odd = _odd(values, np.isnan(values), lambda row: f"{values[row]:g}") if different[0] <= 0 else None
    return replace(_of_numbers(name, present, texts, different), gaps=gaps, odd=odd)


@functools.lru_cache(4096)
def _written(numbers: tuple[float, ...]) -> tuple[str, ...]:
    """Return whole numbers as texts, sorted as such; columns by thousands have the same ones."""
    return tuple(sorted(map(written, numbers)))


def _of_flags(name: str, values: Sequence[str], flags: tuple[str, str]) -> ColumnGuess:
    yes, no = flags
    holds = f"{no or 'empty'} and {yes}" if len(values) > 1 or not no else f"{values[0]} in all of these rows"
    roles = ("feature", "label", "class", "ignore")
    return ColumnGuess(name, "flags", "feature", holds, roles, values=tuple(values), flags=flags)


def _of_texts(
    name: str,
    texts: Sequence[str],
    counts: Counter[str],
    gaps: int,
    decimal: str,
    missing: frozenset[str],
    separator: str | None,
) -> ColumnGuess:
    # what is meant as a number is guessed as one: its reader then refuses the digits, and says where
    if not texts:
        return ColumnGuess(name, "empty", "ignore", "nothing", ("ignore", "feature"))
    values = tuple(sorted(counts))
    is_mark = gaps and len(counts) == 1 and values[0] in "xX✓"
    flags = flags_of({*counts, ""} if is_mark else counts)
    if flags is not None:
        return _of_flags(name, values, flags)
    present = [in_ascii(text) for text in texts]
    numbers = {text: BOOLS.get(text.lower(), number_of(text, decimal)) for text in dict.fromkeys(present)}
    own = Counter({text: n for text, n in Counter(present).items() if numbers[text] is None})
    none = frozenset({"None"} if missing else ())
    wrong = Counter({text: n for text, n in own.items() if text not in none})
    if not wrong and len(own) < len(numbers):
        found = [number for text in present if (number := numbers[text]) is not None]
        return replace(_of_numbers(name, np.array(found), values), missing=tuple(sorted(own)))
    if sum(map(is_date, present)) >= 0.9 * len(present):
        return ColumnGuess(name, "dates", "time", f"dates or times, such as {present[0]}", ("time", "ignore"))
    if len(wrong) <= FEW_WORDS and wrong.total() <= 0.5 * len(present) and len(present) - own.total() > 1:
        words = tuple(sorted(own))
        holds = f"numbers, and {_few(words)}"
        roles = ("feature", "ignore")
        return ColumnGuess(name, "mixed", "feature", holds, roles, missing=words, values=values)
    return _of_words(name, present, counts, separator)


def _of_numbers(
    name: str, numbers: np.ndarray, texts: tuple[str, ...], different: np.ndarray | None = None
) -> ColumnGuess:
    """``texts``: the different numbers as they are written, sorted, where these are few."""
    different = np.unique(numbers) if different is None else different
    whole = bool((numbers == np.floor(numbers)).all())
    if whole and 2 < len(numbers) == len(different):
        own = texts if len(texts) <= MOST_NUMBERED_CLASSES else ()
        counts_rows = numbers[0] in (0, 1) and len(numbers) >= FEWEST_ROWS
        if (np.diff(numbers) == 1).all() and (counts_rows or _IDENTIFIER.match(name)):
            able = ("ignore", "feature", "time")
            return ColumnGuess(name, "identifiers", "ignore", "the numbers of the rows", able, values=own)
        if _IDENTIFIER.match(name):
            holds = "a number of its own in each row"
            return ColumnGuess(name, "identifiers", "ignore", holds, ("ignore", "feature"), values=own)
    if TIME.match(name) and (np.diff(numbers) >= 0).all() and len(numbers) > 2:
        return ColumnGuess(name, "numbers", "time", "rising numbers", ("time", "feature", "ignore"))
    return of_whole(name, different, texts) if whole else of_range(name, different[0], different[-1])


def of_whole(name: str, different: np.ndarray, texts: tuple[str, ...] | None = None) -> ColumnGuess:
    """Return the guess for a column of whole numbers that are neither those of rows nor of times.

    ``different``: sorted; ``texts``: as they are written, sorted, where they are few; default: as plain numbers.
    """
    n, low, high = len(different), different[0], different[-1]
    if texts is None:
        texts = _written(tuple(different.tolist())) if n <= 2 * MOST_CLASSES else ()
    if n <= MOST_NUMBERED_CLASSES:
        holds, roles = f"{n} different whole numbers, {low:g} to {high:g}", ("feature", "class", "ignore", "time")
        return ColumnGuess(name, "numbers", "feature", holds, roles, values=texts)
    # as labels that are named they are classes, also where there are more than would be guessed
    return of_range(name, low, high, texts if len(texts) <= 2 * MOST_CLASSES else ())


def of_range(name: str, low: float, high: float, values: tuple[str, ...] = ()) -> ColumnGuess:
    """Return the guess for a column of numbers that are neither few nor those of rows or times."""
    roles = ("feature", "ignore", "time")
    return ColumnGuess(name, "numbers", "feature", f"numbers from {low:.6g} to {high:.6g}", roles, values=values)


def _of_words(name: str, present: Sequence[str], counts: Counter[str], known: str | None) -> ColumnGuess:
    n, n_different = len(present), len(counts)
    values = tuple(sorted(counts))
    separator = _tag_separator(counts, known)
    if separator:
        parted = [split_tags(text, separator) for text in present]
        if separator in (LIST, ",", " ") and known is None and (width := _width(parted)):
            return replace(_vector(name, width), separator=separator)
        tags = Counter(tag for parts in parted for tag in parts)
        between = {"><": "< >", " ": "a blank", LIST: "brackets around and a comma"}.get(separator, separator)
        holds = f"several of {_few([tag for tag, _ in tags.most_common()])}, with {between} between"
        roles = ("tags", "text", "class", "feature", "ignore")
        return ColumnGuess(name, "tags", "ignore", holds, roles, separator=separator, values=tuple(tags))
    path = path_separator(list(counts))
    able = ("path",) if path else ()
    n_words = sum(len(text.split()) for text in present) / n
    if n_words >= 4 and n_different > 0.5 * n:
        return ColumnGuess(name, "texts", "text", "texts", ("text", "tags", *able, "ignore"), path=path)
    if n_different == n and n >= 20:
        roles = ("ignore", "text", "feature", "class", *able)
        return ColumnGuess(name, "identifiers", "ignore", "another word in each row", roles, path=path)
    holds = f"{n_different} different words: {_few([word for word, _ in counts.most_common()])}"
    roles = ("feature", "class", "tags", *able, "text", "ignore")
    return ColumnGuess(name, "words", "feature", holds, roles, values=values, path=path)


def path_separator(values: Sequence[str]) -> str:
    """Return what stands between the steps of these values if each is a path, some below the same; else ""."""
    for separator in PATH_SEPARATORS:
        paths = [[step.strip() for step in value.split(separator)] for value in values]
        if all(1 < len(path) <= MOST_LEVELS and all(path) for path in paths) and len({p[0] for p in paths}) < len(
            paths
        ):
            return separator
    return ""


def _tag_separator(counts: Counter[str], known: str | None) -> str:
    """Return what separates the tags of these cells, or "" if they look like one word or a text each."""
    if known is None and sum(n for text, n in counts.items() if list_in(text) is not None) >= 0.9 * counts.total():
        return LIST
    for separator in TAG_SEPARATORS if known is None else [known] if known else []:
        if not any(separator in text for text in counts):
            continue
        parted = {text: split_tags(text, separator) for text in counts}
        if all(flags_of(parts) in _VECTORS for parts in parted.values()) and _width(list(parted.values())):
            return separator
        tags = Counter(tag for text, parts in parted.items() for tag in parts)
        several = sum(len(parts) > 1 for parts in parted.values())
        if separator == "><" and not all(text.startswith("<") and text.endswith(">") for text in counts):
            continue
        longest = max(map(len, tags), default=0)
        if separator == " " and (several < 0.3 * len(counts) or any(len(parts) > 12 for parts in parted.values())):
            continue
        # tags come again in other company; the words of a text or of a name do not
        again = sum(n for n in tags.values() if n > 1)
        total = sum(tags.values())
        each_once = all(len(set(parts)) == len(parts) for parts in parted.values())
        if longest > 40 or again < 0.5 * total or len(tags) == total:
            continue
        # "low", "very low", "high", "very high": hardly more values than words are names, not sets
        if separator != " " or (each_once and 3 * len(tags) <= 2 * len(counts)):
            return separator
    return ""


def _few(words: Sequence[str], most: int = 4) -> str:
    first = ", ".join(word if len(word) <= 24 else f"{word[:23]}…" for word in words[:most])
    return first if len(words) <= most else f"{first} …"
