"""Open a file of rows and columns: as it is where its reader can, else as it is guessed to be meant."""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from streamlab._checks import call, check_only, existing_file, few, is_count, shown
from streamlab._frames import arrow_of, is_frame
from streamlab.streams.guess.columns import ColumnGuess, column_of
from streamlab.streams.guess.guess import OF_FILES, Guess, guess_of, guess_table
from streamlab.streams.guess.layout import Layout, guess_layout
from streamlab.streams.limits import LoadCancelled, LoadLimits, LoadWatch
from streamlab.streams.readers._csv_records import CsvRecords
from streamlab.streams.readers._table_source import HEAD_ROWS, CsvTable, FrameTable, ParquetTable, Table
from streamlab.streams.readers._text import checked_encoding, numbered_lines
from streamlab.streams.readers.arrays import FrameStream
from streamlab.streams.readers.csv import CsvStream
from streamlab.streams.readers.parquet import ParquetStream
from streamlab.streams.readers.text import TextStream
from streamlab.streams.stream import Stream
from streamlab.streams.titles import ColumnTitles, title_position

TABLE_OPTIONS = (
    "classes", "tags", "ignore", "nominal", "missing", "tag_separator", "separator", "decimal", "encoding", "header",
    "skip_lines", "title", "limits", "cancel",
)  # fmt: skip
"""What ``open_table`` takes beside the path and ``labels``."""
_OF_CSV = {"ignore", "nominal", "separator", "encoding", "limits", "cancel"}
_OF_PARQUET = {"ignore", "nominal", "limits", "cancel"}
_OF_FRAME = {"ignore", "nominal", "title", "name"}
_OF_GUESS = ("classes", "tags", "missing", "tag_separator")
_PLAIN = (("1", "0"), ("true", "false"))
_PAIR = re.compile(r"(^|\s)\d+:\S")


def open_table(path: Path, *, labels: Any = None, limits: Any = None, cancel: Any = None, **options: Any) -> Stream:
    """Open a CSV, TSV or Parquet file; parameters as those of ``guess_table``.

    ``CsvStream`` and ``ParquetStream`` read a file that they can read as it is, if its labels are given and are 0 and
    1. For any other file, what is not given is guessed; a UserWarning names columns of texts that are left out.

    Raises
    ------
    ValueError
        As ``guess_table`` and the readers.
    """
    path = existing_file(path)
    began = time.monotonic()
    # only the options that are given: None stands for a guess
    options = {name: value for name, value in options.items() if value is not None}
    is_parquet = path.suffix.lower() == ".parquet"
    plain = _is_plain_parquet if is_parquet else _is_plain_csv
    known = _OF_PARQUET if is_parquet else _OF_CSV
    watch = LoadWatch(path, limits, cancel)
    title = options.get("title")
    own = _without_title(options)
    if labels is not None and own.keys() <= known and plain(path, labels, own, watch):
        reader: Callable[..., Stream] = ParquetStream if is_parquet else CsvStream
        # first: of a title that is not a column, or a label, the reader would say another thing
        titles = None if title is None else _titles(path, title, labels, own)
        stream = reader(path, labels=labels, limits=_left(limits, began, watch), cancel=cancel, **own)
        stream.titles = titles
        return stream
    guess = guess_table(path, labels=labels, limits=_left(limits, began, watch), cancel=cancel, **options)
    if "ignore" not in options:
        _warn_of_texts(guess)
    return guess.stream(limits=_left(limits, began, watch), cancel=cancel)


def open_frame(frame: Any, *, labels: Any, limits: Any = None, cancel: Any = None, **options: Any) -> Stream:
    """Open a table of pandas, polars, pyarrow or the dataframe interchange; parameters as those of ``guess_table``.

    ``FrameStream`` reads it if its labels are 0 and 1; for any other, what is not given is guessed as for a file.

    Raises
    ------
    ValueError
        As ``guess_table`` and ``FrameStream``.
    """
    options = {name: value for name, value in options.items() if value is not None}
    name = str(options.get("name", "DataFrame"))
    if "text" in options:
        raise ValueError(f"{name}: {OF_FILES}")
    check_only(name, options, [*sorted(_OF_FRAME), *_OF_GUESS])
    watch = LoadWatch(Path(name), limits, cancel)
    if is_frame(labels) or (options.keys() <= _OF_FRAME and _is_plain_frame(frame, labels, options, watch)):
        return call(FrameStream, name, frame, labels=labels, **options)
    options.pop("name", None)
    try:
        table = FrameTable(arrow_of(frame), name, watch)
    except ValueError as error:
        raise ValueError(f"{name}: {error}; expected numbers, texts or lists of texts in a column") from None
    guess = guess_of(table, labels=labels, **options)
    if "ignore" not in options:
        _warn_of_texts(guess, f" ({OF_FILES})", depth=4)
    stream = guess.stream(limits=limits, cancel=cancel)
    stream.name = name
    watch.opened()
    return stream


def _is_plain_frame(frame: Any, labels: Any, options: dict[str, Any], watch: LoadWatch) -> bool:
    try:
        # pandas copies texts
        table = FrameTable(arrow_of(frame.iloc[:HEAD_ROWS] if hasattr(frame, "iloc") else frame), "", watch)
    except ValueError:
        return True  # its reader says what is wrong
    return _are_plain_columns(table, labels, options)


def _warn_of_texts(guess: Guess, where: str = "", depth: int = 6) -> None:
    names = [column.name for column in guess.columns if column.kind == "texts" and column.role == "ignore"]
    if names:
        said = f"{few(names)} {'holds' if len(names) == 1 else 'hold'} texts and {'is' if len(names) == 1 else 'are'}"
        text = f"text={shown(names[0])} to learn from hashed words in place of the other columns"
        warnings.warn(
            f"{guess.path}: {said} left out: expected {text}{where}, "
            f"or ignore={guess.options()['ignore']!r} to leave out the same without a word",
            stacklevel=depth,  # the line that calls load
        )


def open_texts(path: Path, *, labels: Any, limits: Any = None, cancel: Any = None, **options: Any) -> Stream:
    """Open a file whose texts are learned from; where it is not said how it is written, that is guessed.

    Raises
    ------
    ValueError
        As ``TextStream``.
    """
    path = existing_file(path)
    began, watch = time.monotonic(), LoadWatch(path, limits, cancel)
    title = options.pop("title", None)
    if path.suffix.lower() != ".parquet" and not {"separator", "encoding"} & options.keys():
        named = [options.get("text"), labels]
        names = [name for each in named for name in ([each] if isinstance(each, str) else each or ())]
        header = _plain_header(path, options, watch)
        if header is None or not set(map(str, names)) <= set(header):
            layout = guess_layout(path, watch, header=options.get("header"), skip_lines=options.get("skip_lines"))
            found = {each: getattr(layout, each) for each in ("separator", "encoding", "header", "skip_lines")}
            options = {**found, **options}
    stream = TextStream(path, labels=labels, limits=_left(limits, began, watch), cancel=cancel, **options)
    stream.titles = None if title is None else _titles(path, title, labels, options)
    return stream


def _without_title(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options with which the title's column is left out of the features."""
    if "title" not in options:
        return options
    own = {name: value for name, value in options.items() if name != "title"}
    ignored = own.get("ignore", ())
    return {**own, "ignore": [*([ignored] if isinstance(ignored, str) else ignored), options["title"]]}


def _titles(path: Path, title: Any, labels: Any, options: dict[str, Any]) -> ColumnTitles:
    """Return the titles that a column of a file has; raise a ValueError if it is not a column, or a label."""
    # the limits hold while the stream is opened
    watch = LoadWatch(path)
    watch.opened()
    table: Table
    if path.suffix.lower() == ".parquet":
        table = ParquetTable(path, watch)
    else:
        given = {each: options[each] for each in ("separator", "encoding", "header", "skip_lines") if each in options}
        table = CsvTable(path, Layout(**given), watch)
    named = () if is_count(labels) else [labels] if isinstance(labels, str) else labels
    return ColumnTitles(table, title_position(table.columns, title, named, str(path)))


def is_libsvm(path: Path, limits: Any = None, cancel: Any = None) -> bool:
    """Return whether the first lines of a text file look like LibSVM or like no known format."""
    watch = LoadWatch(path, limits, cancel)
    try:
        lines = [line for _, line in islice(numbered_lines(path, "utf-8", watch), 20) if line.strip()]
    except LoadCancelled:
        raise
    except ValueError:
        return False
    if any(_PAIR.search(line) for line in lines):
        return True
    return not any(separator in line for line in lines for separator in ",;\t| ")


def _left(limits: LoadLimits | None, began: float, watch: LoadWatch) -> LoadLimits | None:
    """Return the limits with the seconds that are left of them."""
    if limits is None or limits.seconds is None:
        return limits
    watch.step()
    return replace(limits, seconds=max(limits.seconds - (time.monotonic() - began), 1e-3))


def _plain_header(path: Path, options: dict[str, Any], watch: LoadWatch) -> list[str] | None:
    """Return the names in the header of a CSV file, or None if it cannot be read as it is said to be written."""
    separator, encoding = options.get("separator", ","), checked_encoding(options.get("encoding", "utf-8"))
    try:
        return CsvRecords(path, separator, encoding, watch).columns
    except LoadCancelled:
        raise
    except ValueError:
        watch.step()
        return None


def _is_plain_csv(path: Path, labels: Any, options: dict[str, Any], watch: LoadWatch) -> bool:
    columns = _plain_header(path, options, watch)
    if columns is None or (len(columns) == 1 and "separator" not in options):
        return False
    ignored = options.get("ignore", ())
    kept = [name for name in columns if name not in ([ignored] if isinstance(ignored, str) else ignored)]
    chosen = _chosen(kept, labels)
    if chosen is None:
        return "separator" in options
    separator, encoding = options.get("separator", ","), checked_encoding(options.get("encoding", "utf-8"))
    try:
        _, rows = next(CsvRecords(path, separator, encoding, watch).batches(0), ([], []))
    except LoadCancelled:
        raise
    except ValueError:
        # the reader says what is wrong, or the guess does better
        return "separator" in options or "encoding" in options
    by_column = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
    own = {name: [cell.strip() for cell in cells[:200]] for name, cells in zip(columns, by_column, strict=True)}
    if separator != "," and guess_layout(path, watch, separator=separator, encoding=encoding).decimal == ",":
        return False
    return _are_plain([column_of(name, own[name], ".") for name in chosen], own)


def _is_plain_parquet(path: Path, labels: Any, options: dict[str, Any], watch: LoadWatch) -> bool:
    return _are_plain_columns(ParquetTable(path, watch), labels, options)


def _are_plain_columns(table: ParquetTable, labels: Any, options: dict[str, Any]) -> bool:
    import pyarrow.types as types

    ignored = options.get("ignore", ())
    kept = [name for name in table.columns if name not in ([ignored] if isinstance(ignored, str) else ignored)]
    chosen = _chosen(kept, labels)
    if chosen is None:
        return True
    for name in kept:
        kind = table.kinds[table.columns.index(name)]
        if name in chosen:
            if not (types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind)):
                return False
        elif types.is_nested(kind) or types.is_temporal(kind) or types.is_binary(kind):
            return False
    places = [table.columns.index(name) for name in chosen]
    head = table.head(places)
    own = {name: head[place] for name, place in zip(chosen, places, strict=True)}
    return _are_plain([column_of(name, own[name], ".") for name in chosen], own)


def _are_plain(columns: list[ColumnGuess], cells: dict[str, list[Any]]) -> bool:
    """Whether the labels are 0 and 1, or nothing that could be meant otherwise: their reader says what is wrong."""
    flags = [column for column in columns if column.kind == "flags"]
    for column in columns:
        if column.kind == "flags":
            if column.flags not in _PLAIN:
                return False
        elif column.kind == "numbers":
            # a 2 among labels of 0 and 1 is an error; a column of its own is a class
            if not flags and column.values:
                return False
        elif column.kind != "empty" and not {"0", "1"} & set(map(str, cells[column.name])):
            return False
    return True


def _chosen(names: list[str], labels: Any) -> list[str] | None:
    """Return the names of the labels, or None if they are not all there."""
    if is_count(labels):
        n = int(labels)
        return (names[:n] if n > 0 else names[n:]) if 0 < abs(n) < len(names) else None
    given = [labels] if isinstance(labels, str) else labels
    if not isinstance(given, (list, tuple)) or not given or not all(isinstance(name, str) for name in given):
        return None
    return list(given) if set(given) <= set(names) else None
