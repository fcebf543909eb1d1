"""The manifest of a study: what was run on which data, with which seeds and versions, where, and what came out."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from streamlab._checks import checked_choice
from streamlab.lab.archive_values import Packer, Unpacker
from streamlab.lab.described import imports_of
from streamlab.study.cell import Cell, Settings, canonical, versions
from streamlab.study.definition import with_files
from streamlab.study.run_cell import Limits
from streamlab.validation import validated

PATTERN = "manifest-*.json"


class OfStream(Struct):
    """How a stream is made, with paths from the folder of results on; and its checksums."""

    recipe: dict[str, Any]
    identity: dict[str, Any]
    size: tuple[int, int, int]


class OfLearner(Struct):
    """A learner with all its parameters, and the versions of its answers."""

    description: dict[str, Any]
    answers: dict[str, Any]


class Place(Struct):
    """Where cells ran."""

    machine: str
    versions: dict[str, str | None]


class Ended(Struct):
    """A cell: of whom, and how it ended; ``status`` is "open" before, ``place`` counts in ``places``."""

    learner: str
    stream: str
    seed: int | None
    key: str
    status: str = "open"
    rows: int | None = None
    measures: dict[str, float | None] = {}
    place: int | None = None


class Manifest(Struct):
    """What the file says."""

    format: Literal[1]
    name: str
    written: str
    seeds: tuple[int, ...]
    settings: Settings
    limits: Limits
    streams: dict[str, OfStream]
    learners: dict[str, OfLearner]
    places: tuple[Place, ...]
    cells: tuple[Ended, ...]

    def cell(self, ended: Ended, folder: Path) -> Cell:
        """Return a cell to be run again; relative paths begin at ``folder``.

        Raises
        ------
        ValueError
            If it is of a learner or a stream that the manifest has not.
        """
        for what, name, known in (("learner", ended.learner, self.learners), ("stream", ended.stream, self.streams)):
            if name not in known:
                raise ValueError(f"a cell is of the {what} {name!r}, of which the manifest says nothing")
        stream, description = self.streams[ended.stream], self.learners[ended.learner].description
        recipe = with_files(stream.recipe, lambda path: str((folder / path).resolve()), folder)
        # a learner of this session: another process has to import it
        imports = imports_of(description)
        return Cell(
            ended.learner, ended.stream, ended.seed, description, recipe, stream.identity, stream.size, self.settings,
            imports,
        )  # fmt: skip


def write_manifest(study: Any, cells: Sequence[Cell]) -> None:
    """Write a study's manifest into its results, in place of the one of the same cells that says something else."""
    store = study.store
    folder = store.folder.resolve()

    def portable(path: str) -> str:
        # a folder with its data and results may be moved; files elsewhere have their whole path
        is_near = Path(path).resolve().is_relative_to(folder.parent)
        return os.path.relpath(Path(path).resolve(), folder) if is_near else path

    places: dict[str, int] = {}
    ended = []
    for cell in cells:
        one = Ended(cell.learner, cell.stream, cell.seed, cell.key)
        about = store.about(cell.key)
        if about is not None:
            one.status, one.rows, one.measures = about["status"], about.get("rows"), about.get("measures", {})
            place = canonical({"machine": about.get("machine", ""), "versions": about.get("versions", {})})
            one.place = places.setdefault(place, len(places))
        ended.append(one)
    manifest = Manifest(
        format=1,
        name=study.name,
        written=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        seeds=study.seeds,
        settings=study.settings,
        limits=study.limits,
        streams={
            name: OfStream(with_files(each.recipe, portable), dict(each.identity), each.size)
            for name, each in study.sources.items()
        },
        learners={name: OfLearner(each, dict(versions(each))) for name, each in study.learners.items()},
        places=tuple(Place(**json.loads(place)) for place in places),
        cells=tuple(ended),
    )
    known = canonical([study.name, *([one.learner, one.stream, one.key] for one in ended)])
    path = store.folder / PATTERN.replace("*", hashlib.sha256(known.encode()).hexdigest()[:8])
    # JSON has no infinity and no NaN: they are written as an archive writes them; tuples are lists
    plain = Packer().pack(json.loads(json.dumps(msgspec.to_builtins(manifest))))
    content = msgspec.json.format(msgspec.json.encode(plain), indent=1) + b"\n"
    with suppress(OSError, ValueError):
        if _timeless(path.read_bytes()) == _timeless(content):
            return
    store.put(path, content)


def _timeless(content: bytes) -> Any:
    said = json.loads(content)
    return {**said, "written": ""} if isinstance(said, dict) else said


def read_manifest(folder: Path, name: str | None = None) -> tuple[Path, Manifest, tuple[str, ...]]:
    """Return the path of a manifest of a folder of results, what it says, and the names of the others.

    Parameters
    ----------
    folder
        The folder of results.
    name
        Of its file; None: the one that was written last.

    Raises
    ------
    ValueError
        If there is none, or it is not what ``write_manifest`` writes; it names the file.
    """
    paths = sorted(folder.glob(PATTERN))
    if not paths:
        raise ValueError(f"{folder}: it has no manifest of a study; streamlab study run writes it beside the results")
    if name is not None:
        names = [path.name for path in paths]
        path = paths[names.index(checked_choice("manifest", Path(name).name, names))]
        found = _read(path)
    else:
        # a copy has the time of the copy: what it says counts first
        read = {path: _read(path) for path in paths}
        path = max(paths, key=lambda each: (read[each].written, each.stat().st_mtime_ns))
        found = read[path]
    return path, found, tuple(each.name for each in paths if each != path)


def _read(path: Path) -> Manifest:
    try:
        one = validated(Unpacker([], iter(())).unpack(json.loads(path.read_text("utf-8"))), Manifest)
        if any(each.place is not None and not 0 <= each.place < len(one.places) for each in one.cells):
            raise ValueError("a cell ran at a place that is not among its places")
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: it is not the manifest of a study ({error})") from None
    return one
