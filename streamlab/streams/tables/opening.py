"""Open a file of rows and columns, or a table in memory: guess what is not said of it, and say what is left out."""

from __future__ import annotations

import re
import warnings
from dataclasses import fields, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from streamlab._cells import flags_of, is_missing, written
from streamlab._checks import caller, check_only, check_unique, existing_file, shown, within
from streamlab._frames import arrow_of
from streamlab.schema import Schema
from streamlab.streams.labelling import Labelling
from streamlab.streams.limits import LoadCancelled, LoadWatch
from streamlab.streams.readers._text import numbered_lines
from streamlab.streams.stream import Stream
from streamlab.streams.tables.csv_source import LAYOUT
from streamlab.streams.tables.guess import Guess, guess_of, guess_table
from streamlab.streams.tables.roles import Named
from streamlab.streams.tables.source import FrameSource
from streamlab.streams.tables.table_stream import TableStream

NAMED = tuple(each.name for each in fields(Named) if each.name != "labels")
WORDS = ("n_labels", "n_features", "vectorizer")
TABLE_OPTIONS = (*NAMED, *WORDS, *LAYOUT, "limits", "cancel")
"""What ``open_table`` takes beside the path and ``labels``."""
_PAIR = re.compile(r"(^|\s)\d+:\S")


def open_table(path: Path, *, labels: Any = None, limits: Any = None, cancel: Any = None, **options: Any) -> Stream:
    """Open a CSV, TSV, Parquet or JSON-lines file; parameters as those of ``guess_table`` and ``TableStream``.

    A UserWarning names columns that are left out without being named.

    Raises
    ------
    ValueError
        As ``guess_table`` and ``TableStream``.
    """
    path = existing_file(path)
    watch = LoadWatch(path, limits, cancel)
    words = _of_words(str(path), options)
    given = {name: value for name, value in options.items() if name not in words}
    guess = guess_table(path, labels=labels, limits=limits, cancel=cancel, **given)
    return _opened(guess, words, limits=watch.left(), cancel=cancel)


def open_frame(frame: Any, *, labels: Any = None, limits: Any = None, cancel: Any = None, **options: Any) -> Stream:
    """Open a table of pandas, polars, pyarrow or the dataframe interchange; parameters as those of ``open_table``.

    Raises
    ------
    ValueError
        As ``open_table``; the table is called ``name``.
    """
    name = str(options.pop("name", "DataFrame"))
    check_only(name, options, [*NAMED, *WORDS, "name"])
    words = _of_words(name, options)
    watch = LoadWatch(Path(name), limits, cancel)
    source = FrameSource(_arrow(frame, name), name, watch)
    with within(name):
        known = Named(
            labels=labels, **{key: value for key, value in options.items() if key not in words and value is not None}
        )
    stream = _opened(guess_of(source, None, known), words, limits=limits, cancel=cancel)
    stream.name = name
    watch.opened()
    return stream


def open_pair(X: Any, Y: Any, **options: Any) -> Stream:
    """Open two tables: every column of the first is a feature, every one of the second holds labels.

    Raises
    ------
    ValueError
        As ``open_frame``; or if they have not as many rows, or a column of both has the same name.
    """
    name = str(options.get("name", "DataFrame"))
    inputs, outputs = _arrow(X, name), _arrow(Y, name)
    if inputs.num_rows != outputs.num_rows:
        raise ValueError(f"{name}: X has {inputs.num_rows:,} rows, Y {outputs.num_rows:,}; expected as many")
    check_unique(f"{name}: the column", [*inputs.column_names, *outputs.column_names])
    import pyarrow as pa

    both = pa.table([*inputs.columns, *outputs.columns], names=[*inputs.column_names, *outputs.column_names])
    apart = {*_names(options.get("ignore")), *_names(options.get("text")), options.get("title"), options.get("moment")}
    named = [*_names(options.get("features")), *(each for each in inputs.column_names if each not in apart)]
    options["features"] = list(dict.fromkeys(named))
    return open_frame(both, labels=outputs.column_names, **options)


def labels_of(Y: Any, name: str, **roles: Any) -> tuple[np.ndarray, Schema, Labelling | None]:
    """Return flags (n, n_labels), the labels' schema, and which are known, of a table all of whose columns are labels.

    Parameters
    ----------
    Y
        The table.
    name
        For messages.
    roles
        As ``classes``, ``tags``, ``missing`` and ``hierarchy`` of ``guess_table``. Default: the cells say what they
        are.

    Raises
    ------
    ValueError
        As ``open_frame``.
    """
    watch = LoadWatch(Path(name))
    source = FrameSource(_arrow(Y, name), name, watch)
    guess = guess_of(source, None, Named(**{"labels": source.columns, **roles}))
    stream = TableStream(source, guess.columns, watch=watch, hierarchy=guess.hierarchy)
    say(guess, stream)
    return np.concatenate([flags for _, flags in stream.blocks()]), stream.schema, stream.labelling


def labels_in(Y: Any, name: str, are_classes: bool = False, column: str = "Y") -> LabelCells | None:
    """Return an array of classes, or of lists of names, as a table of one column; None of flags.

    Parameters
    ----------
    Y
        The array.
    name
        For messages.
    are_classes
        Whether Y has a class for each row in any case, also where it holds 0 and 1 or yes and no.
    column
        What the column is called.

    Raises
    ------
    ValueError
        If a row is neither a class nor a list of names.
    """
    import pyarrow as pa

    if hasattr(Y, "tocsr"):
        return None
    if getattr(Y, "ndim", 1) == 0:
        raise ValueError(f"{name}: the labels are {shown(Y)}; expected a row for each of X")
    rows = list(Y)
    if are_classes:
        rows = [row.item() if isinstance(row, np.generic) else row for row in rows]
        if bad := [row for row in rows if not isinstance(row, (bool, int, str))]:
            raise ValueError(f"{name}: classes=True, and Y holds {shown(bad[0])}; expected a bool, int or text a row")
    elif not any(isinstance(row, (str, list, tuple, set, np.ndarray)) for row in rows):
        # numbers: a label of 0 and 1, or classes
        plain = np.asarray(Y)
        is_whole = plain.ndim == 1 and plain.dtype.kind in "iuf" and bool((plain == np.round(plain)).all())
        if not is_whole or np.isin(plain, (0, 1)).all():
            return None
        rows = plain.astype(np.int64).tolist()
    elif (
        all(np.ndim(row) == 1 and np.asarray(row).dtype.kind in "biuf" for row in rows)
        and len(set(map(len, rows))) == 1
    ):
        return None
    cells: list[Any] = []
    for place, row in enumerate(rows):
        items = sorted(row, key=str) if isinstance(row, set) else list(row) if np.ndim(row) else [row]
        if any(not isinstance(item, (str, int, np.integer, type(None))) for item in items):
            raise ValueError(f"{name}: Y, row {place + 1}: expected a class or a list of names, found {shown(row)}")
        texts = [None if item is None else str(item) for item in items]
        cells.append(texts if np.ndim(row) or isinstance(row, set) else texts[0])
    if any(isinstance(cell, list) for cell in cells):
        cells = [cell if isinstance(cell, list) or cell is None else [cell] for cell in cells]
        roles = {"tags": column}
    else:
        words = (cell for cell in cells if cell is not None and not is_missing(cell.strip()))
        is_flag = not are_classes and flags_of(words) is not None
        roles = {} if is_flag else {"classes": column}
    # a class is what its source has, without blanks around it
    given = {str(row).strip(): row.item() if isinstance(row, np.generic) else row for row in rows if np.ndim(row) == 0}
    given = {key: key if isinstance(row, str) else row for key, row in given.items()}
    return LabelCells(pa.table({column: pa.array(cells)}), roles, given)


class LabelCells(NamedTuple):
    """An array of labels as a table of one column, its role, and the classes by what the table calls them."""

    table: Any
    roles: dict[str, str]
    given: dict[str, Any]

    def named(self, schema: Schema) -> Schema:
        """Return the schema with the classes as the array has them."""
        if schema.classes is None:
            return schema
        return replace(schema, classes=tuple(self.given[str(each)] for each in schema.classes))


def table_of_flags(Y: Any) -> Any:
    """Return an array of labels of 0 and 1 as a table of ``y0``, ``y1`` …"""
    import pyarrow as pa

    flags = np.asarray(Y.toarray() if hasattr(Y, "toarray") else Y)
    flags = flags.reshape(len(flags), -1)
    return pa.table({f"y{j}": pa.array(column) for j, column in enumerate(flags.T)})


def table_of_texts(X: Any) -> Any:
    """Return an array of texts, or of texts and numbers, as a table: of one dimension its column is ``text``.

    None if it holds numbers alone.
    """
    import pyarrow as pa

    if hasattr(X, "tocsr") or getattr(X, "dtype", np.dtype(object)).kind not in "OUST":
        return None
    try:
        cells = np.asarray(X, object)
    except ValueError:  # rows of several lengths
        return None
    if cells.ndim not in (1, 2) or not any(isinstance(cell, str) for cell in cells.flat):
        return None
    names = ["text"] if cells.ndim == 1 else list(Schema.anonymous(cells.shape[1], 1).feature_names)
    columns = cells.reshape(len(cells), len(names)).T.tolist()
    return pa.table([pa.array([written(cell) for cell in own], pa.string()) for own in columns], names=names)


def open_labelled(X: Any, Y: Any, **options: Any) -> Stream:
    """Open a table of features, and an array of flags, classes, or lists of names; errors as ``open_pair``."""
    X = _arrow(X, str(options.get("name", "(X, Y)")))
    column = "Y" if "Y" not in X.column_names else "labels of Y"
    found = labels_in(Y, "(X, Y)", options.pop("classes", None) is True, column)
    if found is None:
        return open_pair(X, table_of_flags(Y), **options)
    stream = open_pair(X, found.table, **found.roles, **options)
    stream.schema = found.named(stream.schema)
    return stream


def _names(given: Any) -> list[str]:
    return [given] if isinstance(given, str) else list(given or ())


def _arrow(frame: Any, name: str) -> Any:
    try:
        return arrow_of(frame)
    except ValueError as error:
        raise ValueError(f"{name}: {error}; expected numbers, texts or lists of texts in a column") from None


def _of_words(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that go with texts; raise a ValueError if they are given without one."""
    words = {each: options[each] for each in WORDS if options.get(each) is not None}
    if {"n_features", "vectorizer"} & words.keys() and not options.get("text"):
        raise ValueError(f"{name}: n_features= and vectorizer= go with text=, the column of texts")
    return words


def _opened(guess: Guess, words: dict[str, Any], **given: Any) -> Stream:
    stream = guess.stream(**given, **words)
    say(guess, stream)
    return stream


def say(guess: Guess, stream: TableStream) -> None:
    """Warn of what was left out, and of labels that are missing, where nobody has said so."""
    found = [stream.missing_labels(), stream.cells_alike(), stream.unsplit_cells()]
    messages = [*_left_out(guess), *filter(None, found)]
    if messages:
        warnings.warn(f"{guess.path}: {'; '.join(messages)}", stacklevel=caller())


def _left_out(guess: Guess) -> list[str]:
    """Return what was left out without being named, and how to say so, or to keep it."""
    gone = [c for c in guess.columns if c.role in ("ignore", "time") and not c.why]
    messages = []
    if gone:
        texts = [c.name for c in gone if c.kind == "texts"]
        named = ", ".join(f"{shown(c.name)} ({c.holds[:60]})" for c in gone[:8])
        more = f" and {len(gone) - 8:,} more" if len(gone) > 8 else ""
        offer = f", text={shown(texts[0])} learns from hashed words in place of the other columns" if texts else ""
        able = [c.name for c in gone if "feature" in c.roles]
        keep = f", features={[able[0]]!r} keeps one" if able else ""
        ignore = [c.name for c in gone] if len(gone) <= 8 else [*(c.name for c in gone[:8]), "..."]
        messages.append(f"left out: {named}{more}; ignore={ignore!r} says so{keep}{offer}")
    mixed = [c for c in guess.columns if c.kind == "mixed" and c.role == "feature"]
    mixed = [c for c in mixed if not {*c.missing} - {"None"} <= {*(guess.named.missing or ())}]
    if mixed:
        words = sorted({word for c in mixed for word in c.missing} - {"None"})
        named = ", ".join(shown(c.name) for c in mixed[:8])
        listed = ", ".join(map(shown, words))
        messages.append(f"{listed} among the numbers of {named} is taken as missing; missing={words!r} says so")
    return messages


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
