"""Addresses of live streams: ``tail:path?options`` is opened here, the others by the package streamlab-live."""

from __future__ import annotations

import os
import re
from typing import Any
from urllib.parse import unquote

from streamlab._checks import index_in, shown
from streamlab.streams.openers import OPENERS, Opener
from streamlab.streams.stream import Stream, with_source

TAIL = "tail"
ELSEWHERE = ("http", "kafka", "parts", "redis", "rediss")
"""Schemes of the package streamlab-live, which also opens ``tail:`` where it is installed."""
OPTIONS_ELSEWHERE = ("journal", "keep_rows", "key", "label_topic", "most_ahead", "own_process", "time")
INSTALL = "pip install ./packages/streamlab-live, in a clone of the repository"
TEXTS = ("separator", "decimal", "encoding", "tag_separator", "hierarchy")
NUMBERS = ("skip_lines", "n_labels", "n_features", "learn")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):(//)?")


def is_address(source: str | os.PathLike[str]) -> bool:
    """Return whether a source is an address, and nobody else opens addresses."""
    found = _SCHEME.match(os.fspath(source)) if "live_addresses" not in OPENERS else None
    return found is not None and (found[1].lower() in (TAIL, *ELSEWHERE) or found[2] is not None)


def option_of(name: str, value: str) -> Any:
    """Return an option of an address as ``load`` takes it: a list of names, a number, a text, yes or no."""
    if name == "header" and value in ("yes", "no"):
        return value == "yes"
    if name in NUMBERS and value.isdecimal():
        return index_in(value)
    if name in TEXTS:
        return unquote(value)
    if name == "labels" and re.fullmatch("-?[0-9]{1,5}", value):
        return int(value)
    return [unquote(each) for each in value.split(",")]


def _open_address(source: str | os.PathLike[str], **options: Any) -> Stream:
    from streamlab.streams.tables.growing import GrowingTable

    scheme, _, rest = os.fspath(source).partition(":")
    if scheme.lower() in ELSEWHERE:
        raise ValueError(f"{scheme}: needs the package streamlab-live: {INSTALL}")
    if scheme.lower() != TAIL:
        raise ValueError(f"the scheme {shown(scheme)} of the address is unknown; expected tail:")
    path, _, query = rest.partition("?")
    given = {name: value for name, value in options.items() if value is not None}
    for part in filter(None, query.split("&")):
        name, equals, value = part.partition("=")
        if not equals or name in given:
            raise ValueError(f"tail:{path}: {shown(part)}: expected options such as labels=a,b behind '?', each once")
        given[name] = option_of(name, value)
    for name in given.keys() & set(OPTIONS_ELSEWHERE):
        raise ValueError(f"tail:{path}: {name}= needs the package streamlab-live: {INSTALL}")
    stream = GrowingTable(re.sub("^///", "/", unquote(path)), **given)
    return with_source(stream, stream.name, given, is_file=True)


ADDRESSES = Opener(is_address, _open_address)
