"""The streams that this package and others add by name."""

from __future__ import annotations

from streamlab.plugins import Registry
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


STREAMS: Registry[StreamEntry] = Registry("streamlab.streams", "stream", _check)
"""Streams by name: those of the entry points ``streamlab.streams`` and those added in this session."""
