"""The streams that are loaded by name: those that packages register, and the benchmark sets that are fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from streamlab._checks import near, shown
from streamlab.streams.fetch import is_cached, remote_files
from streamlab.streams.registry import STREAMS, benchmark_sets
from streamlab.streams.stream_entry import StreamEntry

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["catalogue"]

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
