"""What the catalogue knows of a stream before it is loaded."""

from __future__ import annotations

import csv
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from streamlab.streams.blocks import check_contract
from streamlab.streams.stream import Stream

__all__ = ["StreamEntry"]


@cache
def package_table(name: str, key: str) -> dict[str, dict[str, str]]:
    """Return the rows of a table that comes with the package, by what stands in one of its columns."""
    text = files("streamlab").joinpath("data", name).read_text("utf-8")
    return {row[key]: row for row in csv.DictReader(text.splitlines())}


def told_of(name: str) -> dict[str, Any]:
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
    return StreamEntry(name, loader=loader, **told_of(name))
