"""Guess from the first cells of a column what it holds, and what it may be to a learner."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

from streamlab._checks import in_ascii
from streamlab.streams.guess.words import TAG_SEPARATORS, flags_of, is_date, is_missing, number_of, split_tags, written

__all__ = ["ColumnGuess"]

ROLES: dict[str, str] = {
    "feature": "what a learner sees",
    "label": "a label: yes or no in each row",
    "class": "one label for each of its values",
    "tags": "cells of several labels",
    "text": "its words are what a learner sees",
    "time": "when a row was made; not learned from",
    "title": "what people call the row; shown, not learned from",
    "ignore": "left out",
}
"""What a column may be, and what that means."""
LABELS = ("label", "class", "tags")
NAMING = ("words", "texts", "identifiers", "dates", "mixed")
"""Kinds of columns that can be what people call the rows."""

MOST_CLASSES = 50
"""Different values of a column that is taken as a class without being named."""
MOST_NUMBERED_CLASSES = 12
FEW_WORDS = 2
"""Different words among numbers that are taken for missing values."""
_IDENTIFIER = re.compile(
    r"(id|uuid|guid|index|idx|key|nr|no|number|nummer|row|zeile|rowid|#|unnamed.*|column 1)$|.*[_ -]id$|id[_ -].*",
    re.IGNORECASE,
)
_TIME = re.compile(r"(time|timestamp|date|datetime|datum|zeit|uhrzeit|created|created_at|ts|when|day)$", re.IGNORECASE)


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


def column_of(name: str, cells: Sequence[Any], decimal: str) -> ColumnGuess:
    """Return the guess for a column on its own; which columns are labels is decided for all of them together.

    Parameters
    ----------
    name
        The column's.
    cells
        Its first ones: texts without blanks around them; or numbers, None, lists and other values of a Parquet file.
    decimal
        What stands in numbers, ``"."`` or ``","``.
    """
    if any(isinstance(cell, (list, tuple)) for cell in cells):
        tags = {str(tag) for cell in cells if isinstance(cell, (list, tuple)) for tag in cell if tag is not None}
        return _guess(name, "tags", "ignore", f"lists of {_few(sorted(tags))}", ("tags", "ignore"))
    if any(not isinstance(cell, (str, int, float, bool, type(None))) for cell in cells):
        other = next(cell for cell in cells if not isinstance(cell, (str, int, float, bool, type(None))))
        if hasattr(other, "isoformat"):
            return _guess(name, "dates", "time", f"dates, such as {other}", ("time", "ignore"))
        return _guess(name, "others", "ignore", f"values of the kind {type(other).__name__}", ("ignore",))
    texts = [written(cell) for cell in cells]
    decimal = decimal if any(isinstance(cell, str) for cell in cells) else "."
    found = _of_texts(name, texts, decimal)
    means_no = found.flags is not None and not found.flags[1]
    return replace(found, gaps=0 if means_no else sum(map(is_missing, texts)))


def _of_texts(name: str, texts: Sequence[str], decimal: str) -> ColumnGuess:
    # what is meant as a number is guessed as one: its reader then refuses the digits, and says where
    present = [in_ascii(text) for text in texts if not is_missing(text)]
    if not present:
        return _guess(name, "empty", "ignore", "nothing", ("ignore", "feature"))
    counts = Counter(present)
    values = tuple(sorted(counts))
    flags = flags_of(set(texts) if not all(texts) and len(counts) == 1 and values[0] in "xX✓" else counts)
    if flags is not None:
        yes, no = flags
        holds = f"{no or 'empty'} and {yes}" if len(counts) > 1 or not no else f"{values[0]} in all of these rows"
        return _guess(
            name, "flags", "feature", holds, ("feature", "label", "class", "ignore"), values=values, flags=flags
        )
    numbers = [number_of(text, decimal) for text in present]
    wrong = Counter(text for text, number in zip(present, numbers, strict=True) if number is None or math.isinf(number))
    if not wrong:
        return _of_numbers(name, [number for number in numbers if number is not None], counts)
    if sum(map(is_date, present)) >= 0.9 * len(present):
        return _guess(name, "dates", "time", f"dates or times, such as {present[0]}", ("time", "ignore"))
    if len(wrong) <= FEW_WORDS and sum(wrong.values()) <= 0.5 * len(present) and len(present) - sum(wrong.values()) > 1:
        words = tuple(sorted(wrong))
        holds = f"numbers, and {_few(words)}"
        return _guess(name, "mixed", "feature", holds, ("feature", "ignore"), missing=words)
    return _of_words(name, present, counts)


def _of_numbers(name: str, numbers: Sequence[float], counts: Counter[str]) -> ColumnGuess:
    whole = all(number == int(number) for number in numbers)
    if whole and len(numbers) > 2 and len(set(numbers)) == len(numbers):
        follow = [int(b) - int(a) for a, b in pairwise(numbers)]
        if set(follow) == {1} and (numbers[0] in (0, 1) or _IDENTIFIER.match(name)):
            return _guess(name, "identifiers", "ignore", "the numbers of the rows", ("ignore", "feature", "time"))
        if _IDENTIFIER.match(name):
            return _guess(name, "identifiers", "ignore", "a number of its own in each row", ("ignore", "feature"))
    if _TIME.match(name) and all(a <= b for a, b in pairwise(numbers)) and len(numbers) > 2:
        return _guess(name, "numbers", "time", "rising numbers", ("time", "feature", "ignore"))
    low, high = min(numbers), max(numbers)
    holds = f"numbers from {low:.6g} to {high:.6g}"
    roles: tuple[str, ...] = ("feature", "ignore", "time")
    if whole and len(set(numbers)) <= MOST_NUMBERED_CLASSES:
        holds = f"{len(set(numbers))} different whole numbers, {low:g} to {high:g}"
        roles = ("feature", "class", "ignore", "time")
        return _guess(name, "numbers", "feature", holds, roles, values=tuple(sorted(counts)))
    return _guess(name, "numbers", "feature", holds, roles)


def _of_words(name: str, present: Sequence[str], counts: Counter[str]) -> ColumnGuess:
    n, n_different = len(present), len(counts)
    values = tuple(sorted(counts))
    separator = _tag_separator(counts)
    if separator:
        tags = Counter(tag for text in present for tag in split_tags(text, separator))
        between = {"><": "< >", " ": "a blank"}.get(separator, separator)
        holds = f"several of {_few([tag for tag, _ in tags.most_common()])}, with {between} between"
        roles = ("tags", "text", "class", "feature", "ignore")
        return _guess(name, "tags", "ignore", holds, roles, separator=separator, values=tuple(tags))
    n_words = sum(len(text.split()) for text in present) / n
    if n_words >= 4 and n_different > 0.5 * n:
        return _guess(name, "texts", "text", "texts", ("text", "tags", "ignore"))
    if n_different == n and n >= 20:
        return _guess(name, "identifiers", "ignore", "another word in each row", ("ignore", "text", "feature", "class"))
    holds = f"{n_different} different words: {_few([word for word, _ in counts.most_common()])}"
    return _guess(name, "words", "feature", holds, ("feature", "class", "tags", "text", "ignore"), values=values)


def _tag_separator(counts: Counter[str]) -> str:
    """Return what separates the tags of these cells, or "" if they look like one word or a text each."""
    for separator in TAG_SEPARATORS:
        parted = {text: split_tags(text, separator) for text in counts}
        if not any(separator in text for text in counts):
            continue
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
        if separator != " " or (each_once and len(tags) < len(counts)):
            return separator
    return ""


def _guess(
    name: str,
    kind: str,
    role: str,
    holds: str,
    roles: tuple[str, ...],
    *,
    separator: str = "",
    missing: tuple[str, ...] = (),
    values: tuple[str, ...] = (),
    flags: tuple[str, str] | None = None,
) -> ColumnGuess:
    if kind in NAMING:
        roles = (*roles, "title")
    return ColumnGuess(name, kind, role, holds, roles, separator, missing, values, flags)


def _few(words: Sequence[str], most: int = 4) -> str:
    first = ", ".join(word if len(word) <= 24 else f"{word[:23]}…" for word in words[:most])
    return first if len(words) <= most else f"{first} …"
