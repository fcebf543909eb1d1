"""How the messages of an address are read: columns declared, named by a header, or learnt from the first messages."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from msgspec.structs import replace
from streamlab._checks import check_unique, few, is_count, near, number_in, shown

from streamlab_live.addresses import Address
from streamlab_live.columns import LiveColumn, declared_columns, inferred_columns
from streamlab_live.decoding import CHOICES, MESSAGE_BYTES, Decoding, Refused, is_header, names_in, parsed
from streamlab_live.source import Message, Source

LEARN_MESSAGES, LEARN_SECONDS = 200, 5.0
FIRST_SECONDS = 30.0
"""How long the first message, or the server, is waited for where columns are learnt from it."""


def as_number(labels: Sequence[str]) -> int | None:
    """Return the number of labels that stands in place of their names, or None."""
    if len(labels) == 1 and re.fullmatch("-?[0-9]{1,5}", labels[0]):
        return int(labels[0])
    return None


@dataclass(frozen=True)
class Header:
    """The columns of CSV, all of them in their order.

    Parameters
    ----------
    names, separator
        Of the columns; between their cells.
    text
        The message that holds them; "" where it is none that the source gives.
    pending
        Messages that were polled to read it: the source stands behind them.
    """

    names: list[str]
    separator: str
    text: str = ""
    pending: tuple[Message, ...] = ()


def decoding_of(
    address: Address,
    source: Source,
    cancel: Callable[[], object] | None = None,
    *,
    labelled: bool = True,
    order: list[str] | None = None,
) -> tuple[Decoding, list[Message]]:
    """Return how messages are read, and those that were polled to learn it: the source stands behind them.

    ``labelled`` says whether they hold labels, too; else these come by another way. Of a topic of labels, whose
    ``columns=`` are those that are wanted, ``order`` are all columns of its CSV: empty where a header names them.

    Raises
    ------
    ValueError
        If columns are declared wrongly, or cannot be learnt.
    """
    own = getattr(source, "format", None)
    defaults = {"format": own} if own in CHOICES["format"] else {}
    options: dict[str, Any] = {
        name: address.choice(name, known, defaults.get(name, known[0])) for name, known in CHOICES.items()
    }
    format = options["format"]
    options["separator"] = address.text("separator", ",")
    options["most_bytes"] = address.count("most_bytes", MESSAGE_BYTES)
    labels: Any = address.names("labels")
    if labels is not None and as_number(labels) is not None:
        labels = as_number(labels)
    apart: dict[str, Any] = {
        "ignore": address.names("ignore") or [],
        "key": address.text("key"),
        "time": address.text("time"),
    }
    named = {name: _words(address, name) for name in ("words", "classes", "tags")}
    names = address.names("columns")
    if format != "csv" and "header" in address.options:
        raise ValueError(f"{address.shown}: header= goes with CSV, and the format is {format}; expected format=csv")
    header = _header(address, source, order, cancel) if format == "csv" else None
    pending: list[Message] = []
    if header is not None:
        options["separator"], options["header"], pending = header.separator, header.text, list(header.pending)
    if format == "csv" and header is None and (names is None or order is not None):
        raise ValueError(
            f"{address.shown}: which columns has the CSV? expected columns= with all names in their order "
            "(label_columns= of labels), or header=yes"
        )
    if names is not None or any(named.values()):
        listed = header.names if names is None and header is not None else names
        columns = _declared(address, listed, labels, named, apart, labelled)
        if header is not None:
            columns = _in_order(columns, header.names, address)
    else:
        cells, pending = _first_cells(address, source, options, header, cancel)
        nominal = address.names("nominal") or []
        columns = inferred_columns(cells, labels, nominal=nominal, source=source.name, labelled=labelled, **apart)
    gone = tuple(address.names("missing") or ())
    columns = tuple(replace(each, missing=gone) if each.role == "number" else each for each in columns)
    return Decoding(columns, **options), pending


def _in_order(columns: Sequence[LiveColumn], header: Sequence[str], address: Address) -> tuple[LiveColumn, ...]:
    """Return the columns in the order of the header, and those of the header that are not declared as left out."""
    for column in columns:
        if column.name not in header:
            hint = near(column.name, header)
            raise ValueError(
                f"{address.shown}: {shown(column.name)} is not a column{hint} (the header has {few(header)})"
            )
    declared = {column.name: column for column in columns}
    return tuple(declared.get(name, LiveColumn(name, "ignore")) for name in header)


def _declared(
    address: Address,
    names: Sequence[str] | None,
    labels: Any,
    named: Mapping[str, Any],
    apart: Mapping[str, Any],
    labelled: bool,
) -> tuple[LiveColumn, ...]:
    listed = list(names or [])
    if is_count(labels):
        if not 0 < abs(labels) < len(listed):
            raise ValueError(
                f"{address.shown}: labels={labels}: expected fewer than the {len(listed)} columns, and not 0"
            )
        labels = listed[:labels] if labels > 0 else listed[labels:]
    if labelled and not labels and not named["classes"] and not named["tags"]:
        raise ValueError(f"{address.shown}: which columns are labels? expected labels= with their names")
    return declared_columns(listed, labels or [], **named, **apart, source=address.shown)


def _words(address: Address, name: str) -> dict[str, list[str]]:
    """Return an option such as ``colour:red|green,shape:round|flat``."""
    found: dict[str, list[str]] = {}
    for part in filter(None, address.options.get(name, "").split(",")):
        column, colon, words = part.partition(":")
        if not colon or not column or not all(words.split("|")):
            raise ValueError(
                f"{address.shown}: {name}={shown(part)}: expected a column and its words, such as colour:red|green"
            )
        found[unquote(column)] = [unquote(word) for word in words.split("|")]
    return found


def _header(
    address: Address, source: Source, order: list[str] | None, cancel: Callable[[], object] | None
) -> Header | None:
    """Return the columns of CSV as they are declared, or as a file or the first message names them; None: they do not.

    Raises
    ------
    ValueError
        If the first message cannot hold names.
    ConnectionError
        If the server cannot be reached, or the file is not there.
    """
    separator, is_given = address.text("separator"), "header" in address.options
    is_known = "columns" in address.options if order is None else bool(order)
    is_there = address.choice("header", ("yes", "no"), "no" if is_known else "yes") == "yes"
    columns = getattr(source, "columns", None)
    if columns is not None:  # a file: it leaves its first line out itself
        until = time.monotonic() + FIRST_SECONDS
        while True:
            try:
                found = columns(separator)
                break
            except ConnectionError:
                if time.monotonic() > until or (cancel is not None and cancel()):
                    raise
                time.sleep(0.1)
        if found is not None:
            if order and order != found[0]:
                raise ValueError(
                    f"{address.shown}: the header has {few(found[0])}, and label_columns= says {few(order)}; expected "
                    "the same, or label_header=no"
                )
            return Header(*found)
    if order and (columns is not None or not is_there):
        return Header(order, separator or ",")
    if columns is not None or not is_there:
        return None
    pending = _polled(address, source, 1, lambda message: True, cancel)
    if not pending:
        raise ValueError(f"{source.name}: no message came to name the columns; {_OTHERWISE}")
    first = pending[0].value
    names, found_separator = names_in(first, separator, source.name)
    wrong = next((name for name in names if not name or number_in(name) is not None), None)
    if not is_given and wrong is not None:
        raise ValueError(
            f"{source.name}: the first message holds {shown(wrong)}; expected the names of the columns; {_OTHERWISE}"
        )
    check_unique(f"{source.name}: the column", names)
    return Header(names, found_separator, first.decode("utf-8-sig").strip("\r\n"), tuple(pending))


_OTHERWISE = "without a header say columns= with all names in their order (label_columns= of labels)"


def _first_cells(
    address: Address,
    source: Source,
    options: Mapping[str, Any],
    header: Header | None,
    cancel: Callable[[], object] | None,
) -> tuple[dict[str, list[Any]], list[Message]]:
    """Return the cells of the first messages by column, and the messages."""
    names = [] if header is None else header.names
    rows: list[dict[str, Any]] = []
    text = "" if header is None else header.text

    def takes(message: Message) -> bool:
        if is_header(message.value, text):
            return False
        try:
            rows.append(parsed(message.value, options["format"], options["separator"], names, options["most_bytes"]))
        except Refused:
            return False
        return True

    waiting = () if header is None else header.pending
    pending = _polled(address, source, address.count("learn", LEARN_MESSAGES), takes, cancel, waiting)
    if not rows:
        what = (
            f"{len(pending):,} messages came, and none is {options['format'].upper()}" if pending else "no message came"
        )
        raise ValueError(
            f"{source.name}: {what}; columns cannot be learnt: declare them with columns= and labels=, or wait longer "
            "with learn_seconds="
        )
    found = list(names) or list(dict.fromkeys(name for row in rows for name in row))
    return {name: [row.get(name) for row in rows] for name in found}, pending


def _polled(
    address: Address,
    source: Source,
    most: int,
    takes: Callable[[Message], bool],
    cancel: Callable[[], object] | None,
    waiting: Sequence[Message] = (),
) -> list[Message]:
    """Return the first messages, until as many as ``most`` were taken or time is over; ``begun`` are the first of them.

    Raises
    ------
    ConnectionError
        If the server cannot be reached.
    """
    seconds = address.number("learn_seconds", LEARN_SECONDS) or 0.0
    first = FIRST_SECONDS if "learn_seconds" not in address.options and not waiting else 0.0
    until = time.monotonic() + max(first, seconds)
    pending = list(waiting)
    taken = sum(map(takes, pending))
    is_sought, enough = bool(waiting), taken >= most
    while not enough:
        try:
            if not is_sought:
                source.seek({})
                is_sought = True
            polled = source.poll(most, 0.1)
        except ConnectionError:
            is_sought = bool(pending) and is_sought
            if time.monotonic() > until or pending:
                raise
            polled = []
            time.sleep(0.1)
        if polled and not pending:
            until = time.monotonic() + seconds
        pending += polled
        taken += sum(map(takes, polled))
        stopped = cancel is not None and cancel()
        enough = taken >= most or len(pending) >= 10 * most or time.monotonic() > until or bool(stopped) or source.ended
    return pending
