"""Open a live stream from an address: its journal new or gone on with."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from streamlab._checks import few, near, shown

from streamlab_live.addresses import Address, source_of
from streamlab_live.decoding import MESSAGE_BYTES, Decoding
from streamlab_live.journal import Journal, is_journal
from streamlab_live.learning import as_number, decoding_of
from streamlab_live.reader import MOST_AHEAD, Reader
from streamlab_live.record import DeadLetters
from streamlab_live.source import Message, Source
from streamlab_live.stream import LiveStream

OPTIONS: dict[str, str] = {
    "labels": "the columns that are labels: names separated by commas, or a number (the first n; negative: the last)",
    "columns": "all columns, numbers unless stated otherwise; without it they are learnt from the first messages",
    "words": "columns of words with the words that may come: colour:red|green,shape:round|flat",
    "classes": "label columns of one class each, with the classes: species:a|b|c",
    "tags": "label columns of several tags each, with the tags: genres:rock|pop",
    "nominal": "columns that are words though they hold numbers, where columns are learnt",
    "ignore": "columns to leave out",
    "key": "the column that says what a row is about",
    "time": "the column that says when a row was made: seconds since 1970, or ISO 8601",
    "format": "json (an object for each message) or csv (a line)",
    "separator": "between the cells of csv",
    "header": "yes or no: whether the first line or message of csv holds the names; of a topic with columns= no",
    "missing": "words that stand for no value in columns of numbers, beside the usual ones: off,n/a",
    "journal": "the folder of the journal; without it, one that is deleted when the stream is closed",
    "keep_rows": "rows that stay in the journal after they were read; without it all",
    "most_ahead": f"rows that the journal may be ahead of the reader, {MOST_AHEAD:,}",
    "most_bytes": f"bytes of a message, {MESSAGE_BYTES:,}",
    "learn": "messages that columns are learnt from, 200",
    "learn_seconds": "seconds to wait for them, 5",
    "extra": "refuse or ignore columns that are not known, of labels that come by another way, too",
    "absent": "refuse a message without one of the features, or take it as missing",
    "new_words": "refuse words that are not known, or take them as missing",
}
"""Options of every live source, by name."""
DECODING = ("format", "separator", "most_bytes", "extra", "absent", "new_words")


def open_live(address: Address, cancel: Callable[[], object] | None = None) -> LiveStream:
    """Open the live stream of an address, of rows that hold their labels.

    Parameters
    ----------
    address
        With ``OPTIONS`` and the source's own options.
    cancel
        Asked while the first messages are waited for; a true answer stops it.

    Raises
    ------
    ValueError
        If the address or an option is wrong, no message comes from which columns can be learnt, or the journal is of
        another source or columns.
    ConnectionError
        If the server cannot be reached where columns have to be learnt from it.
    ImportError
        If the source needs a package that is not installed.
    """

    def read(folder: Path, undo: ExitStack) -> Reader:
        source = undo.enter_context(closing(source_of(address, OPTIONS)))
        return reading_of(address, source, folder, cancel)

    return LiveStream(*reading(address, read))


def reading(address: Address, read: Callable[[Path, ExitStack], Any]) -> tuple[Any, Callable[[], None] | None]:
    """Return what reads into the journal of an address, and what deletes that when the stream is closed; None: keep it.

    Where ``read`` fails, what it has put on its stack is closed, and a journal for this time alone is deleted.

    Raises
    ------
    ValueError
        If a file is in the journal's place, or where a folder above it would be; or as ``read``.
    """
    given = address.text("journal")
    if given is None:
        temporary = tempfile.TemporaryDirectory(prefix="streamlab-journal-", ignore_cleanup_errors=True)
        folder, clean_up = Path(temporary.name), temporary.cleanup
    else:
        folder, clean_up = Path(given).expanduser(), None
        there = next((each for each in (folder, *folder.parents) if os.path.lexists(each)), folder)
        if os.path.lexists(there) and not there.is_dir():
            raise ValueError(f"{address.shown}: journal={shown(given)}: {there} is a file; expected a folder")
    with ExitStack() as undo:
        if clean_up is not None:
            undo.callback(clean_up)
        reader = read(folder, undo)
        undo.pop_all()
    return reader, clean_up


def reading_of(address: Address, source: Source, folder: Path, cancel: Callable[[], object] | None = None) -> Reader:
    """Return the reader of a source into the journal in a folder; the journal is made if it does not exist.

    Raises
    ------
    ValueError
        As ``open_live``.
    """
    bounds_of(address)  # what is wrong there is said before anything is waited for
    if is_journal(folder):
        return resumed_reading(address, source, folder)
    return new_reading(address, source, folder, *decoding_of(address, source, cancel))


def resumed_reading(address: Address, source: Source, folder: Path) -> Reader:
    """Return the reader of a source into an existing journal.

    Raises
    ------
    ValueError
        If it is of another source, or of other columns than the address says.
    """
    journal = Journal.open(folder, write=True)
    try:
        if journal.source != source.name:
            raise ValueError(
                f"{folder}: the journal is of {journal.source!r}, not of {source.name!r}; expected another folder"
            )
        decoding = Decoding.from_json(journal.decoding)
        _check_same(address, decoding, folder)
        if decoding.schema.to_json() != journal.schema.to_json():
            raise ValueError(f"{folder}: how its messages are read does not go with its schema")
        source.most_bytes = decoding.most_bytes
        dead = DeadLetters(folder, journal.dead_bytes, journal.bad)
        return Reader(source, journal, decoding, dead, **bounds_of(address))
    except BaseException:
        journal.close()
        raise


def new_reading(
    address: Address, source: Source, folder: Path, decoding: Decoding, pending: Sequence[Message]
) -> Reader:
    """Return the reader of a source into a journal that is made; ``pending`` are messages that were polled already."""
    bounds = bounds_of(address)
    journal = Journal.create(folder, decoding.schema, source=source.name, decoding=decoding.to_json())
    return Reader(source, journal, decoding, DeadLetters(folder), pending=pending, **bounds)


def bounds_of(address: Address) -> dict[str, Any]:
    """Return how many rows a reader may be ahead, and how many are kept."""
    keep = address.count("keep_rows", 1) if "keep_rows" in address.options else None
    return {"most_ahead": address.count("most_ahead", MOST_AHEAD), "keep_rows": keep}


def _check_same(address: Address, decoding: Decoding, folder: Path) -> None:
    """Raise a ValueError if the address says other columns or another format than the journal has."""
    fields = decoding.to_json()
    for name in DECODING:
        if name in address.options and unquote(address.options[name]) != str(fields[name]):
            raise ValueError(
                f"{folder}: the journal was begun with {name}={fields[name]}, not {unquote(address.options[name])}; "
                "expected the same, or another folder"
            )
    labels = address.names("labels")
    known = [column.name for column in decoding.columns]
    if labels is not None and as_number(labels) is None:
        own = [column.name for column in decoding.columns if column.is_label]
        if sorted(labels) != sorted(own):
            raise ValueError(
                f"{folder}: the labels of the journal are {few(own)}, not {few(labels)}; expected the same"
            )
    columns = address.names("columns")
    if columns is not None and (missing := [name for name in columns if name not in known]):
        raise ValueError(f"{folder}: the journal has no column {shown(missing[0])}{near(missing[0], known)}")
