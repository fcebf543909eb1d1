"""Guess how the rows of a text file are written: what separates cells, which lines stand above, whether names do."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from streamlab._cells import LABEL_NAME, is_date, is_missing, number_of
from streamlab._checks import checked_choice, checked_count, checked_flag, number_in
from streamlab.streams.limits import LoadWatch
from streamlab.streams.readers._text import checked_encoding, numbered_lines
from streamlab.streams.tables.csv_source import CsvSource, Layout
from streamlab.streams.tables.encoding import guess_encoding

T = TypeVar("T")

HEAD_ROWS, HEAD_COLUMNS = 200, 500
"""Rows and columns that a layout is guessed from."""
LINES, LINES_LETTERS = 200, 1 << 18
"""Lines, and letters of them, that the separator is guessed from."""
SEPARATORS = (";", "\t", ",", "|")
MOST_ABOVE = 20
"""Lines above a table."""
_NAMED = re.compile(r"sep=(.)\s*", re.IGNORECASE)
"""The first line that some spreadsheets write: it says the separator."""


def guess_layout(
    path: Path,
    watch: LoadWatch,
    *,
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    skip_lines: int | None = None,
) -> Layout:
    """Guess what is None; what is given is taken as it is.

    Raises
    ------
    ValueError
        If the file cannot be read, is empty, an option has no such value, or a limit is passed.
    """
    checked_choice(f"{path}: decimal", decimal, (".", ","), optional=True)
    checked_flag(f"{path}: header", header, optional=True)
    checked_count(f"{path}: skip_lines", skip_lines, optional=True)
    unsure: list[str] = []

    def told(name: str, given: T | None, guess: Callable[[], tuple[T, bool]]) -> T:
        if given is not None:
            return given
        found, sure = guess()
        unsure.extend([] if sure else [name])
        return found

    encoding = checked_encoding(told("encoding", encoding, lambda: guess_encoding(path, watch)))
    lines = _lines(path, encoding, watch)
    above = 0
    if separator is None:
        named = _NAMED.fullmatch(lines[0]) if lines else None
        if named is not None and skip_lines is None:
            separator = named[1]
            above = 1 + _score(lines[1:], separator)[1]
        else:
            separator, above = _separator_of(lines)
    elif skip_lines is None:
        above = _score(lines, separator)[1] if isinstance(separator, str) and len(separator) == 1 else 0
    layout = Layout(separator, ".", encoding, False, above if skip_lines is None else skip_lines)
    rows = head_rows(path, layout, watch)
    comma = told("decimal", decimal, lambda: _decimal_of(rows[1:] or rows))
    has_names = told("header", header, lambda: _has_header(rows, comma))
    return replace(layout, decimal=comma, header=has_names, unsure=tuple(unsure))


def head_rows(path: Path, layout: Layout, watch: LoadWatch) -> list[tuple[str, ...]]:
    """Return the cells of the first records, the header's among them, without blanks around them."""
    columns = [c.slice(0, HEAD_ROWS) for c in CsvSource(path, replace(layout, header=False), watch).head(HEAD_COLUMNS)]
    return list(zip(*([(cell or "").strip() for cell in cells.to_pylist()] for cells in columns), strict=True))


def _lines(path: Path, encoding: str, watch: LoadWatch) -> list[str]:
    lines: list[str] = []
    for _, line in islice(numbered_lines(path, encoding, watch), LINES):
        lines.append(line)
        if sum(map(len, lines)) > LINES_LETTERS:
            break
    return lines


def _separator_of(lines: Sequence[str]) -> tuple[str, int]:
    """Return what separates cells, and how many lines stand above the table.

    ``csv.Sniffer`` knows no lines above a table, and its patterns take quadratic time on lines that are made for it.
    """
    scores = {each: _score(lines, each) for each in SEPARATORS}
    best = max(SEPARATORS, key=lambda each: scores[each][0])
    if scores[best][0] > 0.5:
        return best, scores[best][1]
    # blanks separate cells only where nothing else does: they are in every text
    blank = _score(lines, " ", typed_only=True)
    if blank[0] > 0.5:
        return " ", blank[1]
    return (best, scores[best][1]) if scores[best][0] > 0 else (",", 0)


def _score(lines: Sequence[str], separator: str, typed_only: bool = False) -> tuple[float, int]:
    """Return how well a separator cuts the lines into cells, 0 to 1, and how many lines stand above the table."""
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=separator)
    records: list[tuple[int, list[str]]] = []
    try:
        for record in reader:
            if record:
                records.append((reader.line_num, record))
    except csv.Error:
        return 0.0, 0
    if len(records) > 2 and len(lines) >= LINES:
        records.pop()  # a quoted cell may have been cut
    if not records:
        return 0.0, 0
    widths = Counter(len(record) for _, record in records[-max(1, len(records) - MOST_ABOVE) :])
    width = max(widths, key=lambda each: (widths[each], each))
    if width < 2:
        return 0.0, 0
    first = next(i for i, (_, record) in enumerate(records) if len(record) == width)
    above = (
        records[first - 1][0] if first and all(len(record) < max(2, width - 1) for _, record in records[:first]) else 0
    )
    table = [record for _, record in (records[first:] if above else records)]
    fitting = [record for record in table if len(record) == width]
    others = [each for each in SEPARATORS if each != separator]
    cells = [cell.strip() for record in fitting for cell in record][:5000]
    good = sum(_is_clean(cell, others, typed_only) for cell in cells)
    # a line above a table is rarer than a cell of tags
    return len(fitting) / len(table) * good / len(cells) * (0.8 if above else 1.0), above


def _is_clean(cell: str, others: Sequence[str], typed_only: bool) -> bool:
    """Whether a cell is one: a number, a date, nothing, or a text without other separators."""
    if is_missing(cell) or number_in(cell) is not None or number_of(cell, ",") is not None or is_date(cell):
        return True
    return not typed_only and not any(each in cell for each in others)


def _decimal_of(rows: Sequence[Sequence[str]]) -> tuple[str, bool]:
    """Return what stands in numbers, and whether that is sure: ``1,234`` may mean a thousand."""
    commas = points = 0
    thousands = True
    for cells in zip(*(row for row in rows if len(row) == len(rows[0])), strict=True):
        present = [cell for cell in cells if not is_missing(cell)]
        written = [cell for cell in present if "," in cell or "." in cell]
        if not written:
            continue
        if all(number_in(cell) is not None for cell in present):
            points += 1
        elif all(number_of(cell, ",") is not None for cell in present):
            commas += 1
            thousands &= all(re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+", cell) is not None for cell in written)
    if commas > points:
        return ",", not thousands
    return ".", True


def _has_header(rows: Sequence[Sequence[str]], decimal: str) -> tuple[bool, bool]:
    """Return whether the first record holds names, and whether that is sure."""
    if len(rows) < 2:
        return True, True
    first, below = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    for_names = against = 0
    for j, name in enumerate(first):
        present = [row[j] for row in below if not is_missing(row[j])]
        if not present or is_missing(name):
            continue
        typed = sum(number_of(cell, decimal) is not None or is_date(cell) for cell in present)
        if typed >= 0.8 * len(present):
            if number_of(name, decimal) is None and not is_date(name):
                for_names += 1
            else:
                against += 1
    if for_names or against:
        # names such as 2019 stand among others; a number among names is a name
        return for_names > 0, for_names == 0 or against == 0
    if len(set(first)) < len(first):
        return False, True
    if any(LABEL_NAME.match(name) for name in first):
        return True, True
    again = any(name in {row[j] for row in below} for j, name in enumerate(first) if name)
    return not again, False
