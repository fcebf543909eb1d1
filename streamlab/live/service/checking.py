"""What ``streamlab watch --check`` prints: each column with what came in it, and what would be refused."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from streamlab._cells import MISSING
from streamlab._checks import few, shown
from streamlab.live.columns import LiveColumn
from streamlab.live.dead_letters import FILE
from streamlab.live.decoding import Decoding
from streamlab.live.join import LABELS, ROWS, KeyedStream
from streamlab.live.journal import Journal, is_journal
from streamlab.live.stream import LiveStream
from streamlab.streams import Stream
from streamlab.streams._sparse import is_csr

WAIT_SECONDS = 5.0
"""How long the first rows are waited for."""
MOST_ROWS, MOST_COLUMNS, EXAMPLES = 200, 200, 3
"""Rows that are looked at; columns that are shown; examples of each."""
WIDTHS = (32, 40)
"""Letters of a name and of a range."""


def told_of(stream: Stream, seconds: float = WAIT_SECONDS) -> Iterator[str]:
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
        yield f"they are set aside in {few([str(each / FILE) for each in topics])}"
    if status.trouble:
        yield f"trouble: {status.trouble}"


def _has_rows(folder: Path) -> bool:
    return is_journal(folder) and Journal.open(folder).n_rows > 0


def _of_topic(journal: Journal) -> Iterator[str]:
    decoding = Decoding.from_told(journal.decoding)
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
