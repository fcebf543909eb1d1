"""What a service is made of: the TOML file, checked and made plain; and what ``watch --check`` prints of it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct, field
from msgspec.structs import asdict
from streamlab._cells import MISSING
from streamlab._checks import few, shown, within
from streamlab.lab.described import learners_of
from streamlab.measures import measure_names
from streamlab.streams import Stream, load
from streamlab.streams.blocks import is_csr
from streamlab.validation import read_toml

from streamlab_live.addresses import SOURCES, Address, checked_options, is_address, parse_address
from streamlab_live.columns import LiveColumn
from streamlab_live.decoding import Decoding
from streamlab_live.join import LABELS, ROWS, KeyedStream
from streamlab_live.journal import Journal, is_journal
from streamlab_live.record import LETTERS
from streamlab_live.stream import LiveStream

REFUSED = {
    "journal": "the service keeps the journal in its own folder",
    "keep_rows": (
        "the journal deletes rows that were read; without them no snapshot can be saved or opened, and the "
        "service cannot continue after a stop"
    ),
}
"""Options of the stream that a service cannot have, and why."""

Text = Annotated[str, Meta(min_length=1)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Whole = Annotated[int, Meta(ge=1, le=2**53)]


class Snapshots(Struct, frozen=True, forbid_unknown_fields=True):
    """Snapshots of a service.

    Parameters
    ----------
    every_seconds
        Seconds between two on disk.
    keep
        How many are kept there.
    look_back_bytes
        Bytes in memory, and in each file, with which whoever opens it can step back.
    """

    every_seconds: Annotated[float, Meta(gt=0, le=1e9, description="seconds, above 0")] = 60.0
    keep: Whole = 3
    look_back_bytes: Count = 2**25


class Metrics(Struct, frozen=True, forbid_unknown_fields=True):
    """Where the metrics of a service are served, and the faded measures that they hold; without a port: nowhere.

    ``hosts`` are further names of this machine under which they are asked for, as of a container.
    """

    port: Annotated[int, Meta(ge=0, le=65535)] | None = None
    address: Text = "127.0.0.1"
    hosts: tuple[Text, ...] = ()
    measures: tuple[str, ...] = ("example_f1", "micro_f1")

    def __post_init__(self) -> None:
        measure_names(self.measures)


class Alarms(Struct, frozen=True, forbid_unknown_fields=True):
    """Alarms of a service.

    Parameters
    ----------
    webhook_from
        The variable of the environment that holds the address to which they are posted.
    kinds
        Events that are posted; empty: all that are detections.
    """

    webhook_from: Text = "STREAMLAB_WEBHOOK"
    kinds: tuple[str, ...] = ()


class File(Struct, frozen=True, forbid_unknown_fields=True):
    """What the file of a service may say.

    Parameters
    ----------
    stream
        What ``load`` takes: an address or a path; or a table of it, ``use``, and further options.
    learners
        By name, as ``study`` describes them.
    folder
        Where the service keeps its journal and its snapshots; default the file's name without its ending.
    chunk
        Rows that are answered before any of them is learned, by learners that answer whole chunks.
    seed
        Of every learner that takes one.
    snapshots, metrics, alarms
        What it keeps and tells.
    """

    stream: Annotated[
        Text | dict[str, Any],
        Meta(description='an address such as "kafka://host/topic?labels=a,b", or a table with use = …'),
    ]
    learners: Annotated[dict[str, Any], Meta(min_length=1, description="a table with at least one entry")]
    folder: Text | None = None
    chunk: Whole = 100
    seed: Count = 1
    snapshots: Snapshots = Snapshots()
    metrics: Metrics = Metrics()
    alarms: Alarms = Alarms()


class Definition(File, frozen=True, kw_only=True):
    """A service, as plain values: of a stream that has no address, further options of ``load`` stand beside it."""

    stream: str | Address  # type: ignore[assignment]
    folder: Path  # type: ignore[assignment]
    options: dict[str, Any] = field(default_factory=dict)

    def open_stream(self) -> Stream:
        """Return the stream; a live one goes on after what its journal holds.

        Raises
        ------
        ValueError, ConnectionError, ImportError
            As ``load``.
        """
        if isinstance(self.stream, str):
            return load(self.stream, **self.options)
        from streamlab_live.own_process import open_address

        return open_address(self.stream)


def read_definition(path: str | Path) -> Definition:
    """Return the service of a TOML file.

    Raises
    ------
    ValueError
        If it cannot be read, is not valid TOML, or has an unknown entry or an impossible value; it names the file and
        the entry.
    """
    path = Path(path)
    file = read_toml(path, File)
    with within(str(path), TypeError):
        definition = _resolved(file, path)
    return definition


def _resolved(file: File, path: Path) -> Definition:
    """Return the service with its learners described, and its paths from the file's folder on."""
    beside = path.resolve().parent
    folder = (beside / (file.folder or path.with_suffix("").name)).resolve()
    stream, options = _stream(file.stream)
    if not is_address(stream):
        found: str | Address = str(beside / stream) if (beside / stream).exists() else stream
    else:
        address, options = checked_options(parse_address(stream), options), {}
        for name, why in REFUSED.items():
            if name in address.options:
                raise ValueError(f"stream: {why}; expected no {name}=")
        found = checked_options(_from(address, beside), {"journal": folder / "journal"})
    changed = {"stream": found, "options": options, "folder": folder, "learners": learners_of(file.learners)}
    return Definition(**(asdict(file) | changed))


def _stream(given: str | dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if isinstance(given, str):
        return given, {}
    if not isinstance(given.get("use"), str):
        raise ValueError("stream.use: expected an address or a path")
    return given["use"], {name: value for name, value in given.items() if name != "use"}


def _from(address: Address, folder: Path) -> Address:
    """Return an address whose relative paths, also of labels that come by another way, begin at a folder."""
    if not SOURCES.load(address.scheme).of_files:
        return address
    path = str(folder / Path(address.path).expanduser()) if address.path else ""
    topic = address.text("label_topic")
    topics = {"label_topic": folder / Path(topic).expanduser()} if topic else {}
    return checked_options(replace(address.without(topics), path=path), topics)


# ---------------------------------------------------------------------- what --check prints

WAIT_SECONDS = 5.0
"""How long the first rows are waited for."""
MOST_ROWS, MOST_COLUMNS, EXAMPLES = 200, 200, 3
"""Rows that are looked at; columns that are shown; examples of each."""
WIDTHS = (32, 40)
"""Letters of a name and of a range."""


def report_lines(stream: Stream, seconds: float = WAIT_SECONDS) -> Iterator[str]:
    """Yield lines about a stream: its columns with kind, range and examples, what is refused, and what was.

    Parameters
    ----------
    stream
        Any; of a live one the rows that came within some seconds are looked at.
    seconds
        How long the first rows are waited for.
    """
    if not isinstance(stream, LiveStream):
        chunk = next(iter(stream.chunks(MOST_ROWS)), None)
        yield f"{stream.name}:"
        if chunk is not None:
            columns = [LiveColumn(each.name, "words" if each.categories else "number", each.categories or ())
                       for each in stream.schema.features]  # fmt: skip
            columns += [LiveColumn(name, "label") for name in stream.schema.labels]
            yield from _table(columns, chunk.X, chunk.Y, None)
        return
    folder = stream.journal.folder
    topics = [folder / ROWS, folder / LABELS] if isinstance(stream, KeyedStream) else [folder]
    until = time.monotonic() + seconds
    while time.monotonic() < until and not stream.reader.has_stopped and not all(map(_has_rows, topics)):
        time.sleep(0.05)
    for each in topics:
        yield from _of_topic(Journal.open(each))
    if isinstance(stream, KeyedStream):
        time.sleep(min(seconds, 0.5))  # rows and labels that have just come are joined
    status = stream.status()
    if status.unlabelled is not None:
        held = sum(status.held.values())
        yield (
            f"joined by key: of {status.rows + status.unlabelled + held:,} rows {status.rows:,} are in the stream with "
            f"their labels, {status.unlabelled:,} got none in time and are left out, {held:,} are held; "
            f"{status.counts['without_row']:,} labels had no row"
        )
        if status.why_held:
            yield f"held: {status.why_held}"
    for name, (n, why) in status.refused.items():
        yield f"refused: {n:,} ({name}); the last: {why}"
    if status.refused:
        yield f"they are set aside in {few([str(each / LETTERS) for each in topics])}"
    if status.trouble:
        yield f"trouble: {status.trouble}"


def _has_rows(folder: Path) -> bool:
    return is_journal(folder) and Journal.open(folder).n_rows > 0


def _of_topic(journal: Journal) -> Iterator[str]:
    decoding = Decoding.from_json(journal.decoding)
    record = next(journal.read(journal.first_row), None)
    yield f"{journal.source} ({decoding.format}), {journal.n_rows:,} rows:"
    if record is None:
        yield from _table(decoding.columns, None, None, None)
    else:
        yield from _table(decoding.columns, record.X[:MOST_ROWS], record.Y[:MOST_ROWS], record.keys)
    yield "would refuse, and set aside with an alarm:"
    yield from (f"  {each}" for each in _refusals(decoding))


def _table(columns: Sequence[LiveColumn], X: Any, Y: Any, keys: Sequence[str] | None) -> Iterator[str]:
    """Yield a line for each column: name, kind, range, examples."""
    X = X.toarray() if X is not None and is_csr(X) else X
    feature = label = 0
    for column in columns[:MOST_COLUMNS]:
        span, examples = "", ""
        if column.role == "number":
            span, examples = _numbers(None if X is None else X[:, feature])
        elif column.role == "words":
            span = _short(column.values)
            examples = "" if X is None else _words(X[:, feature], column.values)
        elif column.is_label:
            n = len(column.values) if column.role != "label" else 1
            span = " or ".join(filter(None, column.flags)) if column.role == "label" else _short(column.values)
            examples = "" if Y is None else f"in {_shares(Y[:, label : label + n])} of the rows"
            label += n
        elif column.role == "key" and keys is not None:
            examples = ", ".join(keys[:EXAMPLES])
        elif column.role == "ignore":
            span = "left out"
        feature += column.is_feature
        yield f"  {_cut(column.name, WIDTHS[0])}{column.role:<8}{_cut(span, WIDTHS[1])}{examples}".rstrip()
    if len(columns) > MOST_COLUMNS:
        yield f"  … {len(columns):,} columns in all"


def _numbers(values: np.ndarray | None) -> tuple[str, str]:
    there = np.array([]) if values is None else values[np.isfinite(values)]
    if values is None or not len(there):
        return "no number came yet", ""
    gaps = len(values) - len(there)
    span = f"{there.min():.6g} to {there.max():.6g}" + (f", {gaps:,} of {len(values):,} missing" if gaps else "")
    return span, ", ".join(f"{each:.6g}" for each in there[:EXAMPLES])


def _words(values: np.ndarray, words: Sequence[str]) -> str:
    return ", ".join(words[int(each)] for each in values[np.isfinite(values)][:EXAMPLES])


def _shares(Y: np.ndarray) -> str:
    shares = [f"{share:.0%}" for share in Y.mean(axis=0)[:EXAMPLES]]
    return ", ".join(shares) + (" …" if Y.shape[1] > EXAMPLES else "")


def _short(words: Sequence[str]) -> str:
    return ", ".join(words[:8]) + (f" … ({len(words):,})" if len(words) > 8 else "")


def _cut(text: str, width: int) -> str:
    """Return a text that ends with a blank, and is as wide as a column of the table."""
    return f"{text:<{width - 1}} " if len(text) < width else f"{text[: width - 2]}… "


def _refusals(decoding: Decoding) -> Iterator[str]:
    """Yield what is refused in these columns, each with the option that takes it."""
    if decoding.format == "csv":
        yield f"a line that has not {len(decoding.columns):,} cells"
    else:
        if decoding.extra == "refuse":
            yield "another column (extra=ignore leaves it out)"
        if decoding.absent == "refuse" and decoding.schema.n_features:
            yield "a message without one of the features (absent=missing takes it as missing)"
    numbers = [column for column in decoding.columns if column.role == "number"]
    if numbers:
        gone = [*sorted(filter(None, MISSING)), *numbers[0].missing]
        yield f"in columns of numbers: a word, but for {', '.join(gone)} (missing= names others)"
    flags = dict.fromkeys(column.flags for column in decoding.columns if column.role == "label")
    for pair in flags:
        names = [column.name for column in decoding.columns if column.role == "label" and column.flags == pair]
        yield f"in {few(names)}: what is neither {' nor '.join(each or 'empty' for each in pair)}"
    for column in decoding.columns[:MOST_COLUMNS]:
        name = shown(column.name)
        if column.role == "words" and decoding.new_words == "refuse":
            yield f"{name}: another word than {_short(column.values)} (new_words=missing takes it as missing)"
        elif column.role in ("class", "tags"):
            yield f"{name}: another {'class' if column.role == 'class' else 'tag'} than {_short(column.values)}"
