"""The streams that are loaded by name: those that packages register, and the benchmark sets that are fetched."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

from streamlab._checks import checked_count, near, shown
from streamlab.papers import EXPECTED, are_papers
from streamlab.plugins import Registry
from streamlab.streams.blocks import check_contract
from streamlab.streams.fetch import fetch, is_cached, package_table, remote_files
from streamlab.streams.stream import Stream

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["STREAMS", "StreamEntry", "catalogue"]


def row_of(name: str) -> dict[str, Any]:
    """Return what the package's table says of a stream, by the parameters of ``StreamEntry``; {} if it is not there."""
    row = package_table("streams.csv", "name").get(name)
    if row is None:
        return {}
    sizes = {of: int(row[of]) if row[of] else None for of in ("rows", "features", "labels")}
    texts = {of: row[of] for of in ("what", "licence", "source") if row[of]}
    return {**sizes, **texts, "papers": tuple(row["papers"].split())}


@dataclass(frozen=True)
class StreamEntry:
    """A stream of the catalogue: a name, a sentence and a loader.

    A package adds a stream by one line of its ``pyproject.toml``, with the stream's name on the left and the entry on
    the right::

        [project.entry-points."streamlab.streams"]
        tides = "my_package.streams:TIDES"

    Parameters
    ----------
    name
        What ``load`` calls it.
    what
        What its instances and labels are, in one sentence.
    loader
        Returns the stream. Its keyword parameters are the options of ``load``. It should import what it needs when it
        is called, so that listing the catalogue stays quick.
    rows, features, labels
        How many there are, with the loader's defaults; None where that is not known before loading.
    licence
        Of the data, as an SPDX identifier where it has one; ``"see source"`` where it is not known.
    source
        Where the data come from: an address or a citation.
    files
        The names of the files that are fetched, the data first; empty where nothing is fetched. Names that are not in
        ``remote_files()`` do not count: their package fetches them.
    papers
        What is cited for the data: keys of ``papers.bib``, or BibTeX entries.

    Examples
    --------
    >>> from streamlab.streams import STREAMS
    >>> from streamlab.streams.readers.arrays import ArrayStream
    >>> def tides(days: int = 2) -> ArrayStream:
    ...     return ArrayStream([[0.0], [1.0]] * days, [[0], [1]] * days, name="tides")
    >>> remove = STREAMS.add("tides", StreamEntry("tides", "water levels; flood", tides, 4, 1, 1, "CC0-1.0"))
    >>> import streamlab as sl
    >>> sl.load("tides", days=3)
    <ArrayStream 'tides': 6 rows, 1 features, 1 labels>
    >>> remove()
    """

    name: str
    what: str
    loader: Callable[..., Stream]
    rows: int | None = None
    features: int | None = None
    labels: int | None = None
    licence: str = "see source"
    source: str = ""
    files: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()

    @cached_property
    def options(self) -> tuple[str, ...]:
        """The names of the options that the loader takes."""
        kinds = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        return tuple(p.name for p in inspect.signature(self.loader).parameters.values() if p.kind in kinds)

    def load(self, **options: Any) -> Stream:
        """Return the stream.

        Raises
        ------
        ValueError
            If the loader needs an option that is not given, or returns something else; or as the loader does.
        """
        try:
            inspect.signature(self.loader).bind(**options)
        except TypeError as error:
            raise ValueError(f"{self.name}: {error}; expected the options of its loader") from None
        stream = self.loader(**options)
        if not isinstance(stream, Stream):
            raise ValueError(f"{self.name}: its loader returned a {type(stream).__name__}; expected a Stream")
        check_contract(stream)
        return stream


def described(name: str, loader: Callable[..., Stream]) -> StreamEntry:
    """Return the entry of a stream that the package's table describes."""
    return StreamEntry(name, loader=loader, **row_of(name))


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
        known = {"what": "multi-label benchmark", **row_of(base), "source": SOURCE}
        if name != base:
            known["what"] += f"; its published {name.removeprefix(base + '_')} part"
            known |= {of: row_of(name).get(of) for of in ("rows", "features", "labels")}
        files = (file, f"{base}.xml")
        found[name] = StreamEntry(name, loader=partial(_load, files), files=files, **known)
    return found


def _load(files: tuple[str, str], /) -> Stream:
    from streamlab.streams.readers.arff import ArffStream

    data, xml = files
    # The small file first: without a network the answer comes at once.
    labels = fetch(xml)
    return ArffStream(fetch(data), labels=labels)


def _check(name: str, entry: StreamEntry) -> None:
    if name in benchmark_sets():
        raise ValueError(f"the stream {name!r} has the name of a benchmark set; expected another name")
    package = STREAMS.package(name)
    who = f"the stream {name!r}{f' of the package {package}' if package else ''}"
    for what in ("what", "licence", "source"):
        if not isinstance(getattr(entry, what), str):
            raise ValueError(f"{who}: {what}={shown(getattr(entry, what))}: expected a text")
    for what in ("rows", "features", "labels"):
        checked_count(f"{who}: {what}", getattr(entry, what), optional=True)
    if not isinstance(entry.files, tuple) or not all(isinstance(file, str) for file in entry.files):
        raise ValueError(f"{who}: files={shown(entry.files)}: expected a tuple of the names of files")
    if not are_papers(entry.papers):
        raise ValueError(f"{who}: papers={shown(entry.papers)}: expected {EXPECTED}")
    try:
        _ = entry.options
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"{who}: its loader is {shown(entry.loader)} ({error}); expected a function whose "
            "parameters are the options of load"
        ) from None


STREAMS: Registry[StreamEntry] = Registry("streamlab.streams", "stream", _check, of=StreamEntry)
"""Streams by name: those of the entry points ``streamlab.streams`` and those added in this session."""


OWN = "streamlab"


def catalogue() -> pd.DataFrame:
    """List every stream that ``load`` knows by name; never asks the network.

    Returns
    -------
    pandas.DataFrame
        Columns name; rows, features and labels (missing where not known before loading); megabytes (to be fetched);
        licence; what; and where: ``"bundled"``, ``"cached"`` (fetched before), ``"fetched"`` (when it is loaded), the
        name of another package that brings the stream along, or ``"this session"``.

    Examples
    --------
    >>> import streamlab as sl
    >>> table = sl.catalogue().set_index("name")
    >>> table.loc["yeast", ["rows", "features", "labels"]].tolist()
    [2417, 103, 14]
    """
    import pandas as pd

    table = pd.DataFrame(
        [
            (e.name, e.rows, e.features, e.labels, _megabytes(e), e.licence, e.what, _where(e))
            for e in entries().values()
        ],
        columns=["name", "rows", "features", "labels", "megabytes", "licence", "what", "where"],
    )
    return table.astype({"rows": "Int64", "features": "Int64", "labels": "Int64", "megabytes": "Float64"})


def entries() -> dict[str, StreamEntry]:
    """Return every entry by name: registered ones, this package's own first, then the benchmark sets."""
    return {**dict(STREAMS.items()), **benchmark_sets()}


def generated_names() -> frozenset[str]:
    """Return the names of streams that are made as they are read: those that take a seed."""
    return frozenset(entry.name for entry in entries().values() if "seed" in entry.options)


def is_name(text: str) -> bool:
    """Return whether ``load`` knows a stream of this name; imports nothing."""
    return text in STREAMS or text in benchmark_sets()


def find_entry(name: str) -> StreamEntry:
    """Return the entry of this name.

    Raises
    ------
    ValueError
        If there is none (near names are suggested), or what is registered under it cannot be imported.
    """
    if name in benchmark_sets():
        return benchmark_sets()[name]
    if name in STREAMS:
        return STREAMS.load(name)
    hint = near(name, [*STREAMS.names(), *benchmark_sets()])
    raise ValueError(
        f"{shown(name)} is neither a file nor in the catalogue{hint}; streamlab.catalogue() lists the names"
    )


def fetched_files(entry: StreamEntry) -> list[str]:
    """Return the files of an entry that this package fetches; another package may fetch files of its own."""
    return [file for file in entry.files if file in remote_files()]


def _where(entry: StreamEntry) -> str:
    files = fetched_files(entry)
    if files:
        return "cached" if all(map(is_cached, files)) else "fetched"
    package = STREAMS.package(entry.name)
    return "bundled" if package == OWN else package or "this session"


def _megabytes(entry: StreamEntry) -> float | None:
    files = fetched_files(entry)
    return round(sum(remote_files()[file].n_bytes for file in files) / 1e6, 1) if files else None
