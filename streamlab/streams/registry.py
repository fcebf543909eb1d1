"""The streams by name: the benchmark sets that are fetched, and those that this package and others add."""

from __future__ import annotations

import csv
from functools import cache, partial
from importlib.resources import files

from streamlab._checks import is_count, shown
from streamlab.plugins import Registry
from streamlab.streams.fetch import fetch, remote_files
from streamlab.streams.stream import Stream
from streamlab.streams.stream_entry import StreamEntry

__all__ = ["STREAMS", "benchmark_sets"]

SOURCE = "https://github.com/mrapp-ke/Boomer-Datasets"
ELSEWHERE = "yeast"
"""River brings this one along, so that it is not fetched."""


@cache
def benchmark_sets() -> dict[str, StreamEntry]:
    """Return the benchmark sets by name, in alphabetical order; read from the package, never from the network."""
    text = files("streamlab").joinpath("data", "benchmark_sets.csv").read_text("utf-8")
    known = {row["name"]: row for row in csv.DictReader(text.splitlines())}
    found = {}
    for file in sorted(remote_files()):
        name, _, kind = file.rpartition(".")
        if kind != "arff" or name == ELSEWHERE:
            continue
        base = name.removesuffix("_test").removesuffix("_training")
        what = known[base]["what"] if base in known else "multi-label benchmark"
        if name != base:
            what += f"; its published {name.removeprefix(base + '_')} part"
        rows, features, labels = (_size(known.get(name), of) for of in ("rows", "features", "labels"))
        files_ = (file, f"{base}.xml")
        found[name] = StreamEntry(
            name, what, partial(_load, files_), rows, features, labels, source=SOURCE, files=files_
        )
    return found


def _size(row: dict[str, str] | None, of: str) -> int | None:
    return int(row[of]) if row is not None and row[of] else None


def _load(files: tuple[str, str], /, *, mirror: str | None = None, progress: bool = True) -> Stream:
    from streamlab.streams.readers.arff import ArffStream

    data, xml = files
    # The small file first: without a network the answer comes at once.
    labels = fetch(xml, mirror=mirror, progress=False)
    return ArffStream(fetch(data, mirror=mirror, progress=progress), labels=labels)


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
