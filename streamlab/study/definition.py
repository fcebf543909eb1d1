"""What a study is made of: streams and learners by name, as people write them, checked and made plain."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct
from msgspec.structs import asdict

from streamlab._checks import checked_choice, in_unicode, shown, within
from streamlab.lab.fingerprint import Fingerprint
from streamlab.measures import MEASURES, default_measures, measure_names
from streamlab.measures.river_metric import PREFIX
from streamlab.papers import EXPECTED, are_papers
from streamlab.streams import DRIFTS, Stream, from_recipe, join, load

MOST_SEEDS = 1000
FIRST_ROWS = 1000
"""Rows of a stream whose fingerprint is part of its identity."""


@dataclass(frozen=True)
class Source:
    """A stream of a study: how to make it, what it is, how large, and what the study says is cited for it."""

    recipe: Mapping[str, Any]
    identity: Mapping[str, Any]
    size: tuple[int, int, int]
    papers: tuple[str, ...] = ()


Entries = Annotated[dict[str, Any], Meta(min_length=1, description="a table with at least one entry")]


class File(Struct, forbid_unknown_fields=True):
    """What the file of a study may say: parameters of ``Study``, which checks their values."""

    streams: Entries
    learners: Entries
    name: Any = UNSET
    seeds: Any = UNSET
    chunk: Any = UNSET
    curves_every: Any = UNSET
    fading: Any = UNSET
    zero_division: Any = UNSET
    measures: Any = UNSET
    limits: Any = UNSET

    def arguments(self) -> dict[str, Any]:
        """Return what it says, by name."""
        return {name: value for name, value in asdict(self).items() if value is not UNSET}


# ---------------------------------------------------------------------- streams


def sources_of(streams: Mapping[str, Any] | Iterable[Any], folder: Path | None = None) -> dict[str, Source]:
    """Return the streams of a study by name.

    Parameters
    ----------
    streams
        Names of the catalogue, paths and streams; or a dictionary by name of these, or of tables with ``use`` (a name
        or path; default the name itself), or ``files`` (one after another), ``rows`` (only the first so many),
        ``changes`` (a list of tables: ``put``, the name of a drift's function, and its parameters), ``papers`` (what is
        cited for it: keys of ``papers.bib`` or BibTeX entries), and options of ``load``.
    folder
        Where relative paths begin; default the present one.

    Raises
    ------
    ValueError
        For what is not a stream, what cannot be loaded, or a stream of which nobody knows how it was made.
    """
    if not isinstance(streams, Mapping):
        listed = [streams] if isinstance(streams, (str, Path, Stream)) else list(streams)
        named = {each.name if isinstance(each, Stream) else Path(each).name: each for each in listed}
        if len(named) < len(listed):
            raise ValueError("streams: two have the same name; expected a dictionary with a name for each")
        streams = named
    if not streams:
        raise ValueError("streams: expected at least one")
    return {str(name): _source(str(name), given, folder or Path.cwd()) for name, given in streams.items()}


def _source(name: str, given: Any, folder: Path) -> Source:
    with within(f"streams[{name!r}]"):
        papers: Any = ()
        if isinstance(given, Mapping):
            given = dict(given)
            papers = given.pop("papers", ())
            papers = (papers,) if isinstance(papers, str) else tuple(papers) if isinstance(papers, list) else papers
            if not are_papers(papers):
                raise ValueError(f"papers={shown(papers)}: expected {EXPECTED}")
        stream = _stream(name, given, folder)
    if stream.recipe is None:
        raise ValueError(
            f"streams[{name!r}]: it is not known how {stream.name!r} was made, so no other process can make it; "
            "expected a name, a file, or a stream from sl.load with drifts by sl.rotate_labels and similar functions"
        )
    if stream.n_rows is None:
        raise ValueError(f"streams[{name!r}]: it has no known end; expected rows=, how many of it to run")
    size = (stream.n_rows, stream.schema.n_features, stream.schema.n_labels)
    return Source(stream.recipe, identity_of(stream), size, papers)


def _stream(name: str, given: Any, folder: Path) -> Stream:
    if isinstance(given, Stream):
        return given
    if isinstance(given, (str, Path)):
        given = {"use": str(given)}
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise ValueError(f"{given!r}: expected a name, a path, a stream or a table")
    options = dict(given)
    use, files = options.pop("use", None), options.pop("files", None)
    rows, changes = options.pop("rows", None), options.pop("changes", [])
    if use is not None and files is not None:
        raise ValueError("use= and files= do not go together")
    used = [name if use is None else use] if files is None else files
    if not isinstance(used, list) or not used or not all(isinstance(each, str) for each in used):
        raise ValueError(f"files={files!r}: expected a list of paths")
    if isinstance(options.get("labels"), str) and (folder / options["labels"]).is_file():
        options["labels"] = str(folder / options["labels"])
    parts = [load(_found(each, folder), **options) for each in used]
    # a file is read again by its whole path, from wherever a worker runs
    stream = join(parts, rows) if len(parts) > 1 or rows is not None else parts[0]
    if not isinstance(changes, list) or not all(isinstance(change, Mapping) for change in changes):
        raise ValueError("changes: expected a list of tables, each with put= and the parameters of that drift")
    for change in changes:
        parameters = dict(change)
        what = parameters.pop("put", None)
        checked_choice("changes: put", what, DRIFTS.names())
        stream = DRIFTS.load(what).put(stream, **parameters)
    return stream


def _found(source: str, folder: Path) -> str:
    return str((folder / source).resolve()) if (folder / source).is_file() else source


def identity_of(stream: Stream) -> dict[str, Any]:
    """Return what a stream is, on whatever machine: its recipe with checksums for paths, and its first rows'.

    Raises
    ------
    ValueError
        If a file cannot be read.
    """
    rows = min(stream.n_rows or FIRST_ROWS, FIRST_ROWS)
    return {"recipe": with_files(stream.recipe, checksum), "first rows": Fingerprint(stream).of(rows)}


def with_files(recipe: Any, change: Callable[[str], str], folder: Path = Path()) -> Any:
    """Return a recipe with what ``change`` gives for the path of each file; labels are one if it is there.

    Parameters
    ----------
    recipe
        ``Stream.recipe``.
    change
        Takes a path.
    folder
        Where relative paths of labels begin.
    """
    if not isinstance(recipe, Mapping):
        return recipe
    if "parts" in recipe:
        return {**recipe, "parts": [with_files(part, change, folder) for part in recipe["parts"]]}
    if "change" in recipe:
        return {**recipe, "stream": with_files(recipe["stream"], change, folder)}
    if "file" not in recipe:
        return recipe
    options = dict(recipe["options"])
    if isinstance(options.get("labels"), str) and (folder / options["labels"]).is_file():
        options["labels"] = change(options["labels"])
    return {"file": change(recipe["file"]), "options": options}


def checksum(path: str | Path) -> str:
    """Return the SHA-256 of a file in hexadecimal; kept for files that did not change.

    Raises
    ------
    ValueError
        If it cannot be read, or has a name that is not UTF-8, which no result can hold.
    """
    if (plain := in_unicode(str(path))) != str(path):
        raise ValueError(f"{plain}: the name of the file is not UTF-8; expected one that is: rename it")
    try:
        known = Path(path).stat()
        return _checksum(str(path), known.st_mtime_ns, known.st_size)
    except OSError as error:
        raise ValueError(f"{path}: it cannot be read ({error.strerror or error})") from None


@lru_cache(maxsize=1000)
def _checksum(path: str, changed: int, size: int) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def stream_of(recipe: Mapping[str, Any], identity: Mapping[str, Any]) -> Stream:
    """Make the stream of a cell, and see that it is the study's.

    Raises
    ------
    ValueError
        If it cannot be made, or its files or first rows are others.
    """
    stream = from_recipe(recipe, files=True, fetch=True)
    found = identity_of(stream)
    if found != identity:
        what = "its files are" if found["recipe"] != identity["recipe"] else "its first rows are"
        raise ValueError(
            f"the stream {stream.name!r} differs from the study's: {what} not the same as when the study was defined"
        )
    return stream


def measures_of(given: Iterable[object] | None) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return the names of measures, and what another process imports for those that were added in this session."""
    if given is None:
        return tuple(name for name in default_measures(False) if MEASURES.registry.package(name)), {}
    names = measure_names(given)
    # the text of one of River's metrics says itself where it is
    places = {name: MEASURES.registry.place(name) for name in names if not name.startswith(PREFIX)}
    added = {name: place for name, place in places.items() if place is not None}
    if not added:
        return names, {}
    # whoever changes the function gets other figures: the file that it is in counts for what a cell is
    files = {name: sys.modules[place.partition(":")[0]].__file__ for name, place in added.items()}
    digests = {name: checksum(file) for name, file in files.items() if file is not None}
    return names, {"path": list(sys.path), "measures": added, "digests": digests}


def seeds_of(given: Any) -> tuple[int, ...]:
    """Return the seeds: those given, or so many from 1 on; raise a ValueError for anything else."""
    listed = range(1, given + 1) if isinstance(given, int) and not isinstance(given, bool) else given
    try:
        seeds = tuple(listed)
    except TypeError:
        seeds = ()
    plain = all(isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0 for seed in seeds)
    if not plain or not 1 <= len(seeds) <= MOST_SEEDS or len(set(seeds)) < len(seeds):
        raise ValueError(
            f"seeds={given!r}: expected how many, from 1 to {MOST_SEEDS:,}, or a list of different whole numbers from 0"
        )
    return seeds
