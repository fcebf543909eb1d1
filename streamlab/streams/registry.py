"""The streams that this package and others add by name."""

from __future__ import annotations

from streamlab.plugins import Registry
from streamlab.streams._checks import is_count, shown
from streamlab.streams.benchmark_sets import benchmark_sets
from streamlab.streams.stream_entry import StreamEntry

__all__ = ["STREAMS"]


def _check(name: str, entry: object) -> None:
    if not isinstance(entry, StreamEntry):
        raise ValueError(f"the stream {name!r} is a {type(entry).__name__}; expected a streamlab.streams.StreamEntry")
    if entry.name != name:
        raise ValueError(f"the stream {name!r} has an entry named {entry.name!r}; expected the same name")
    if name in benchmark_sets():
        raise ValueError(f"the stream {name!r} has the name of a benchmark set; expected another name")
    for what in ("what", "licence", "source"):
        _expect(name, what, getattr(entry, what), isinstance(getattr(entry, what), str), "a text")
    for what in ("rows", "features", "labels"):
        value = getattr(entry, what)
        is_size = value is None or (is_count(value) and value >= 0)
        _expect(name, what, value, is_size, "a whole number from 0, or None where it is not known before loading")
    is_names = isinstance(entry.files, tuple) and all(isinstance(file, str) for file in entry.files)
    _expect(name, "files", entry.files, is_names, "a tuple of the names of files")
    try:
        _ = entry.options
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"the stream {name!r}{_of(name)}: its loader is {shown(entry.loader)} ({error}); expected a function whose "
            "parameters are the options of load"
        ) from None


def _expect(name: str, what: str, value: object, is_so: bool, expected: str) -> None:
    if not is_so:
        raise ValueError(f"the stream {name!r}{_of(name)}: {what}={shown(value)}; expected {expected}")


def _of(name: str) -> str:
    package = STREAMS.package(name)
    return f" of the package {package}" if package else ""


STREAMS: Registry[StreamEntry] = Registry("streamlab.streams", "stream", _check)
"""Streams by name: those of the entry points ``streamlab.streams`` and those added in this session."""
