"""Open rows and labels of two topics as one stream: ``label_topic=`` in an address."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

from streamlab._checks import shown
from streamlab.schema import Schema

from streamlab_live.addresses import SOURCES, Address, source_of
from streamlab_live.join_reader import JoinReader
from streamlab_live.joiner import WITHIN_ROWS, JoinCounts, Joiner
from streamlab_live.journal import Journal, is_journal
from streamlab_live.learning import as_number, decoding_of
from streamlab_live.opening import OPTIONS, bounds_of, new_reading, reading, resumed_reading
from streamlab_live.source import Source
from streamlab_live.stream import LiveStream

__all__ = ["KeyedStream"]

JOIN_OPTIONS: dict[str, str] = {
    "label_topic": "where the labels are: another topic of the same server; for tail: and parts: another path",
    "within_rows": f"labels count up to this many rows after their row, {WITHIN_ROWS:,}",
    "within_seconds": "labels count up to this many seconds after their row; without it any time",
    "quiet_seconds": "after this many seconds without a message time passes as by the clock; without it no time passes",
    "label_key": "the column of the labels' messages that says which row they are of; without it as key=",
    "label_time": "the column of the labels' messages that says when they were made; without it the message's time",
    "label_format": "json or csv, of the labels' messages; without it as format=",
    "label_separator": "between the cells of csv, of the labels' messages; without it as separator=",
    "label_header": "yes or no: whether the first line or message of the labels' csv holds the names",
    "label_columns": "all columns of the labels' csv in their order, where no header names them",
}
"""Further options of an address with ``label_topic=``."""
OF_ROWS = (
    "columns", "words", "nominal", "ignore", "time", "learn", "learn_seconds", "absent", "new_words", "missing", "key",
)  # fmt: skip
OF_LABELS = ("labels", "classes", "tags")
OF_BOTH = ("most_bytes", "extra")
WRITTEN = ("format", "separator", "header")
"""How messages are written: those of labels by the options with ``label_`` before the name, else as those of rows."""
ROWS, LABELS = "rows", "labels"
"""Folders of the two journals, in that of the joined one."""


class KeyedStream(LiveStream):
    """Rows of one topic with the labels of another one, joined by key; ``labelling`` says when the labels came.

    ``load`` makes one of an address with ``label_topic=``. Its rows are those that got labels within the limits, in the
    order of their topic; what never got any is counted and left out. A learner is told the labels of a row right after
    the last row that was written before them, by the times of the messages: so the stream depends on the two topics
    alone, however they are read.

    Parameters
    ----------
    reader
        The join, not begun yet.
    on_close
        Called when it is closed, once.

    Examples
    --------
    >>> import tempfile, streamlab as sl
    >>> from pathlib import Path
    >>> folder = tempfile.TemporaryDirectory()
    >>> rows, labels = (Path(folder.name) / name for name in ("rows.csv", "labels.csv"))
    >>> _ = rows.write_text("id,at,heat\\n" + "".join(f"{i},{i},{i % 9}\\n" for i in range(90)))
    >>> _ = labels.write_text("id,at,hot\\n" + "".join(f"{i},{i + 3},{i % 2}\\n" for i in range(80)))
    >>> stream = sl.load(
    ...     f"tail:{rows}", label_topic=str(labels), key="id", time="at", label_time="at", labels="hot", within_rows=10
    ... )
    >>> chunk = next(stream.chunks(50))
    >>> chunk.Y[:4, 0].tolist(), stream.labelling.arrives([0, 1]).tolist(), stream.counts.never
    ([0, 1, 0, 1], [3, 4], 0)
    >>> stream.close()
    >>> folder.cleanup()
    """

    @property
    def counts(self) -> JoinCounts:
        """Rows and labels so far, and what has come of them."""
        return JoinCounts(**self.status().counts)


def open_joined(address: Address, cancel: Callable[[], object] | None = None) -> KeyedStream:
    """Open the rows of an address with the labels of its ``label_topic``.

    Raises
    ------
    ValueError, ConnectionError, ImportError
        As ``open_live``; a ValueError also if no labels are declared, ``key`` is missing, or a limit is invalid.
    """
    made = SOURCES.load(address.scheme)
    if not made.has_topics:
        raise ValueError(
            f"{address.shown}: label_topic= does not go with {address.scheme}:, which has one address for all rows"
        )
    own = made.options
    address.check_options([*OPTIONS, *JOIN_OPTIONS, *own])
    rows, seconds = address.count("within_rows", WITHIN_ROWS), address.number("within_seconds")
    joiner = Joiner(within_rows=rows, within_seconds=seconds)
    bounds_of(address)
    sides = [_rows_of(address, own), _labels_of(address, own)]

    def read(folder: Path, undo: ExitStack) -> JoinReader:
        sources = [undo.enter_context(closing(source_of(each, OPTIONS))) for each in sides]
        return _reading(address, sides, sources, folder, joiner, cancel, undo)

    return KeyedStream(*reading(address, read))


def _rows_of(address: Address, own: Iterable[str]) -> Address:
    if not address.text("key"):
        raise ValueError(
            f"{address.shown}: which column says which row labels are of? expected key= beside label_topic="
        )
    taken = {*OF_ROWS, *OF_BOTH, *WRITTEN, *own}
    return replace(address, options={name: value for name, value in address.options.items() if name in taken})


def _labels_of(address: Address, own: Iterable[str]) -> Address:
    names = address.names("labels")
    if names is not None and as_number(names) is not None:
        raise ValueError(
            f"{address.shown}: labels={names[0]}: expected the labels' names, because the labels arrive separately"
        )
    if names is None and not any(name in address.options for name in OF_LABELS):
        raise ValueError(f"{address.shown}: which labels are there? expected labels=, classes= or tags=")
    topic = address.text("label_topic") or ""
    if not topic:
        raise ValueError(f"{address.shown}: label_topic= is empty; expected where the labels are")
    given, taken = address.options, {*OF_LABELS, *OF_BOTH, *own} - {*WRITTEN}
    options = {name: value for name, value in given.items() if name in taken}
    options |= {
        name: setting for name in WRITTEN if (setting := given.get(f"label_{name}", given.get(name))) is not None
    }
    if options.get("format") == "json":  # of the rows' CSV alone
        options.pop("header", None)
    options["key"] = given.get("label_key", given["key"])
    if "label_time" in given:
        options["time"] = given["label_time"]
    several = [part.partition(":")[0] for name in ("classes", "tags") for part in given.get(name, "").split(",")]
    options["columns"] = ",".join(dict.fromkeys(filter(None, [*given.get("labels", "").split(","), *several])))
    path = topic if SOURCES.load(address.scheme).of_files else f"/{topic}"
    if path == address.path:
        raise ValueError(f"{address.shown}: label_topic={shown(topic)} is where the rows are; expected another one")
    return replace(address, path=path, options=options)


def _reading(
    address: Address,
    sides: Sequence[Address],
    sources: Sequence[Source],
    folder: Path,
    joiner: Joiner,
    cancel: Callable[[], object] | None,
    undo: ExitStack,
) -> JoinReader:
    """Return what joins: into the journal in a folder, with those of the two sides in it."""
    folders = [folder / ROWS, folder / LABELS]
    name = f"{sources[0].name} with {sources[1].name}"
    limits = {"within_rows": joiner.within_rows, "within_seconds": str(joiner.within_seconds)}
    orders = address.names("label_columns") or []
    quiet_seconds = address.number("quiet_seconds", math.inf)
    assert quiet_seconds is not None, "it has a default"
    # how messages are read, as the journals say that are there already; else as declared or learnt
    known = [
        None if is_journal(each) else decoding_of(side, source, cancel, labelled=order is not None, order=order)
        for side, source, each, order in zip(sides, sources, folders, (None, orders), strict=True)
    ]
    rows, labels = (
        found[0].schema if found else Journal.open(each).schema for found, each in zip(known, folders, strict=True)
    )
    schema = Schema(rows.features, labels.labels, classes=labels.classes)
    if is_journal(folder):
        journal = Journal.open(folder, write=True)
    else:
        journal = Journal.create(folder, schema, source=name, decoding={"join": limits})
    undo.callback(journal.close)
    if journal.source != name or journal.decoding.get("join") != limits:
        options = journal.decoding.get("join")
        raise ValueError(
            f"{folder}: the journal is of {journal.source!r} with the limits {shown(options)}, not of {name!r} with "
            f"{shown(limits)}; expected another folder"
        )
    if rows.n_labels or labels.n_features or schema.to_json() != journal.schema.to_json():
        raise ValueError(f"{folder}: the columns of its rows and labels are not those that were joined")
    readers = []
    for side, source, each, found in zip(sides, sources, folders, known, strict=True):
        made = resumed_reading(side, source, each) if found is None else new_reading(side, source, each, *found)
        undo.callback(made.journal.close)
        readers.append(made)
    of_rows, of_labels = readers
    return JoinReader(of_rows, of_labels, journal, joiner, quiet_seconds=quiet_seconds, **bounds_of(address))
