"""The streams by name: the benchmark sets that are fetched, and those that this package and others add."""

from __future__ import annotations

from functools import cache, partial

from streamlab._checks import checked_count, shown
from streamlab.papers import EXPECTED, are_papers
from streamlab.plugins import Registry
from streamlab.streams.fetch import fetch, remote_files
from streamlab.streams.stream import Stream
from streamlab.streams.stream_entry import StreamEntry, told_of

__all__ = ["STREAMS"]

SOURCE = "https://github.com/mrapp-ke/Boomer-Datasets"
ELSEWHERE = "yeast"
"""River brings this one along, so that it is not fetched."""


@cache
def benchmark_sets() -> dict[str, StreamEntry]:
    """Return the benchmark sets by name, in alphabetical order; read from the package, never from the network."""
    found = {}
    for file in sorted(remote_files()):
        name, _, kind = file.rpartition(".")
        if kind != "arff" or name == ELSEWHERE:
            continue
        base = name.removesuffix("_test").removesuffix("_training")
        told = {"what": "multi-label benchmark", **told_of(base), "source": SOURCE}
        if name != base:
            told["what"] += f"; its published {name.removeprefix(base + '_')} part"
            told |= {of: told_of(name).get(of) for of in ("rows", "features", "labels")}
        files = (file, f"{base}.xml")
        found[name] = StreamEntry(name, loader=partial(_load, files), files=files, **told)
    return found


def _load(files: tuple[str, str], /, *, mirror: str | None = None, progress: bool = True) -> Stream:
    from streamlab.streams.readers.arff import ArffStream

    data, xml = files
    # The small file first: without a network the answer comes at once.
    labels = fetch(xml, mirror=mirror, progress=False)
    return ArffStream(fetch(data, mirror=mirror, progress=progress), labels=labels)


def _check(name: str, entry: StreamEntry) -> None:
    if name in benchmark_sets():
        raise ValueError(f"the stream {name!r} has the name of a benchmark set; expected another name")
    package = STREAMS.package(name)
    said = f"the stream {name!r}{f' of the package {package}' if package else ''}"
    for what in ("what", "licence", "source"):
        if not isinstance(getattr(entry, what), str):
            raise ValueError(f"{said}: {what}={shown(getattr(entry, what))}: expected a text")
    for what in ("rows", "features", "labels"):
        checked_count(f"{said}: {what}", getattr(entry, what), optional=True)
    if not isinstance(entry.files, tuple) or not all(isinstance(file, str) for file in entry.files):
        raise ValueError(f"{said}: files={shown(entry.files)}: expected a tuple of the names of files")
    if not are_papers(entry.papers):
        raise ValueError(f"{said}: papers={shown(entry.papers)}: expected {EXPECTED}")
    try:
        _ = entry.options
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{said}: its loader is {shown(entry.loader)} ({error}); expected a function whose "
            "parameters are the options of load"
        ) from None


STREAMS: Registry[StreamEntry] = Registry("streamlab.streams", "stream", _check, of=StreamEntry)
"""Streams by name: those of the entry points ``streamlab.streams`` and those added in this session."""
