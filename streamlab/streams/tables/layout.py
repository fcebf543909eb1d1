"""Guess how a text file is written: its encoding, what separates cells, which lines stand above, whether names do."""

from __future__ import annotations

import codecs
import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from streamlab._cells import LABEL_NAME, is_date, is_missing, number_of
from streamlab._checks import checked_choice, checked_count, checked_flag, number_in
from streamlab.streams.limits import LoadWatch
from streamlab.streams.readers._text import checked_encoding, numbered_lines, raw_blocks
from streamlab.streams.tables.csv_source import CsvSource, Layout

SAMPLE_BYTES = 1 << 16
"""Bytes that are looked at; ``charset_normalizer`` takes a second for a megabyte."""
_WESTERN = frozenset("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœŠšŽžŸ€‚„…‘’“”–—°§«»¿¡ªº©®µ£²³")
_WITHIN_WORDS = re.compile(r"(?<=[A-Za-z])[^\x00-\x7f]|[^\x00-\x7f](?=[A-Za-z])|[€°§«»¿¡„“”‚‘’–—…²³©®µ£]")
BEGIN_BYTES, NEAR_BYTES = 1 << 15, 512
"""Of the file's first bytes, and of those before the first that is not ASCII."""
_OTHER = re.compile(rb"[\x80-\xff]")
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f\x7f]")
"""Bytes that text has next to never; pictures, programs and packed files have them all over."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),  # a byte order mark is dropped by the readers
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def guess_encoding(path: Path, watch: LoadWatch) -> tuple[str, bool]:
    """Return the encoding of a file, and whether it is sure: a byte order mark, UTF-8, or nothing but ASCII.

    A file that is ASCII far on is read up to its first other byte: what it is written in shows there alone.

    Raises
    ------
    ValueError
        If the file cannot be read, is not text, or a limit is passed.
    """
    sample = b""
    for block in _from_other(path, watch):
        for mark, name in _BOMS if not sample else ():
            if block.startswith(mark):
                return name, True
        sample += block[: SAMPLE_BYTES - len(sample)]
        if len(sample) >= SAMPLE_BYTES:
            break
    if sample.isascii() and b"\0" not in sample:
        return "utf-8", True
    zeros = sample[:4096]
    if zeros.count(0) > len(zeros) // 4:
        # letters of Latin scripts: every other byte is 0, and which one says the order
        return ("utf-16-le" if zeros[1::2].count(0) > zeros[::2].count(0) else "utf-16-be"), False
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(sample)
    except UnicodeDecodeError:
        odd = _NO_TEXT.findall(sample)
        if len(odd) > max(2, len(sample) // 50):
            share = f"{len(odd):,} of its first {len(sample):,} bytes"
            what = f"{share} are no characters, the first of them {odd[0][0]:#04x}"
            raise ValueError(
                f"{path}: this is not a text file: {what}; expected a table as text, or its encoding="
            ) from None
        return _of_one_byte(sample), False
    return "utf-8", True


def _from_other(path: Path, watch: LoadWatch) -> Iterator[bytes]:
    """Yield the first block, and then those from the first that is not ASCII."""
    first, other, passed, line = True, False, 0, 0
    for _, block in raw_blocks(path, 1 << 20, watch):
        watch.step()
        passed += len(block)
        watch.count("bytes", passed, str(path), "bytes unpacked")
        end = block.rfind(b"\n")
        line = line + len(block) if end < 0 else len(block) - end - 1
        if line > watch.limits.line_bytes:
            return  # the reader refuses the line, and says where it is
        # ten times as fast as to search, where there is nothing to find
        at = None if other or block.isascii() else _OTHER.search(block)
        if other:
            yield block
        elif at is not None:
            other = True
            # the letters before it say what language it is
            begin = max(0, at.start() - NEAR_BYTES)
            yield (
                block[:BEGIN_BYTES] + block[begin:] if first and begin > BEGIN_BYTES else block[0 if first else begin :]
            )
        elif first:
            yield block[:BEGIN_BYTES]
        first = False


def _of_one_byte(sample: bytes) -> str:
    try:
        western = sample.decode("cp1252")
    except UnicodeDecodeError:
        western = ""
    others = [character for character in western if character > "\x7f"]
    within = len(_WITHIN_WORDS.findall(western))
    # letters with accents amid plain ones: a few of them are too little for statistics
    if others and all(character in _WESTERN for character in others) and within >= 0.5 * len(others):
        return "cp1252"
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    if best is not None and str(best) != western:
        return best.encoding
    return "cp1252" if western else "latin-1"


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

    def given_or_guessed(name: str, given: T | None, guess: Callable[[], tuple[T, bool]]) -> T:
        if given is not None:
            return given
        found, sure = guess()
        unsure.extend([] if sure else [name])
        return found

    encoding = checked_encoding(given_or_guessed("encoding", encoding, lambda: guess_encoding(path, watch)))
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
    comma = given_or_guessed("decimal", decimal, lambda: _decimal_of(rows[1:] or rows))
    has_names = given_or_guessed("header", header, lambda: _has_header(rows, comma))
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
