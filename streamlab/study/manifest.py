"""The manifest of a study: what was run on which data, with which seeds and versions, where, and what came out.

From it a study is run again, and what comes out differently is said.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import random
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from streamlab._checks import checked_choice, checked_count
from streamlab._packed import packed, unpacked
from streamlab.lab.described import imports_of
from streamlab.streams import from_recipe
from streamlab.study.cell import DONE, Cell, Limits, Settings, canonical, versions, versions_here
from streamlab.study.definition import identity_of, with_files
from streamlab.study.local import run_locally
from streamlab.study.progress import Expected, shown_progress
from streamlab.study.store import Store
from streamlab.validation import validated

__all__ = ["Verification", "verify"]

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
    plain = packed(json.loads(json.dumps(msgspec.to_builtins(manifest))))
    content = msgspec.json.format(msgspec.json.encode(plain), indent=1) + b"\n"
    with suppress(OSError, ValueError):
        if _timeless(path.read_bytes()) == _timeless(content):
            return
    store.put(path, content)


def _timeless(content: bytes) -> Any:
    fields = json.loads(content)
    return {**fields, "written": ""} if isinstance(fields, dict) else fields


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
        one = validated(unpacked(json.loads(path.read_text("utf-8"))), Manifest)
        if any(each.place is not None and not 0 <= each.place < len(one.places) for each in one.cells):
            raise ValueError("a cell ran at a place that is not among its places")
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: it is not the manifest of a study ({error})") from None
    return one


class Verification(NamedTuple):
    """What came out of running a study again.

    Attributes
    ----------
    cells
        How many were run again.
    same
        How many of them gave the study's figures, to the bit.
    differences
        A line for each thing that differs: a version, data, or a cell's figures; empty where nothing does.
    manifest
        The name of the file that says what was run.
    others
        The names of the folder's other manifests: of the study before it was edited, or of other studies.

    Examples
    --------
    >>> numpy = "version: numpy is 2.4.6; the study ran with 2.3.0"
    >>> Verification(cells=2, same=2, differences=(numpy,), manifest="manifest-1f2e3d4c.json").same
    2
    """

    cells: int
    same: int
    differences: tuple[str, ...]
    manifest: str
    others: tuple[str, ...] = ()


def verify(
    folder: str | Path,
    sample: int | None = None,
    *,
    seed: int = 1,
    workers: int = 1,
    progress: bool = False,
    manifest: str | None = None,
) -> Verification:
    """Run the cells of a folder of results again, and compare versions, data and figures.

    Cells that did not come to their end are left out, and so are those whose data are not the study's.

    Parameters
    ----------
    folder
        The folder of results, with the manifest that ``Study.run`` wrote. Nothing is written into it.
    sample
        Run only so many cells, drawn at random; default: all.
    seed
        Of the draw.
    workers
        Processes, each in one thread.
    progress
        Whether to show a bar with the time left on standard error.
    manifest
        The name of the manifest, where the folder has several; default: the one that was written last.

    Returns
    -------
    Verification

    Raises
    ------
    ValueError
        If there is no such manifest, or it is not what was written; for numbers out of range.

    Examples
    --------
    >>> import tempfile
    >>> import streamlab as sl
    >>> from streamlab.study import verify
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     study = sl.Study({"yeast": {"rows": 100}}, ["NoChange"], measures=["micro_f1"], results=folder)
    ...     study.run(1)
    ...     found = verify(folder)
    >>> found.cells, found.same, found.differences
    (1, 1, ())
    """
    checked_count("sample", sample, 1, optional=True)
    checked_count("workers", workers, 1)
    folder = Path(folder)
    path, whole, others = read_manifest(folder, manifest)
    ended_cells = {ended.key: ended for ended in whole.cells if ended.status == DONE}
    chosen = list(ended_cells)
    if sample is not None and sample < len(chosen):
        drawn = set(random.Random(seed).sample(chosen, sample))
        chosen = [key for key in chosen if key in drawn]
    differences = list(_versions(whole, [ended_cells[key] for key in chosen]))
    pairs, data = [], dict[str, str]()
    for ended in (ended_cells[key] for key in chosen):
        try:
            cell = whole.cell(ended, folder)
            source = canonical([cell.recipe, cell.identity])
            if source not in data:
                data[source] = _data(cell)
            found = [data[source]] if data[source] else list(_altered(cell, ended, whole))
        except ValueError as error:
            found = [f"{_name(ended)}: {error}"]
        else:
            pairs += [] if data[source] else [(cell, ended)]
        differences += [line for line in found if line not in differences]
    same = 0
    with tempfile.TemporaryDirectory(prefix="streamlab-verify-") as place:
        again, expected = Store(place), Expected()
        cells = list({cell.key: cell for cell, _ in pairs}.values())
        with shown_progress(progress, "verify", cells, expected, workers) as ran:
            run_locally(cells, again, Limits(), workers, expected, ran)
        for cell, ended in pairs:
            found = list(_others(again.about(cell.key), ended)) or list(_kept(folder, ended))
            differences += found
            same += not found
    return Verification(len(pairs), same, tuple(differences), path.name, others)


def _name(one: Ended) -> str:
    return f"{one.learner} on {one.stream}" + ("" if one.seed is None else f", seed {one.seed}")


def _versions(manifest: Manifest, cells: list[Ended]) -> Iterator[str]:
    """Yield a line for each package of another version than some cell ran with."""
    here = versions_here()
    ran = [manifest.places[ended.place].versions for ended in cells if ended.place is not None]
    for package, now in here.items():
        for then in sorted({str(known.get(package)) for known in ran} - {str(now)}):
            yield f"version: {package} is {now}; the study ran with {then}"


def _altered(cell: Cell, ended: Ended, manifest: Manifest) -> Iterator[str]:
    """Yield why a cell has another key than when it ran, but for River's version, which is among the packages'."""
    if cell.key == ended.key:
        return
    then, now = manifest.learners[ended.learner].answers, dict(versions(cell.description))
    for name in sorted(then.keys() | now.keys()):
        if then.get(name) != now.get(name) and name != "river":
            yield f"version: the answers of {name} are {now.get(name)}; the study ran with {then.get(name)}"
    if then == now:
        yield f"{_name(ended)}: its key is not that of what the manifest says of it; one of them was altered"


def _data(cell: Cell) -> str:
    """Return a line that says how the data of a cell differ; "": they are the study's."""
    try:
        found = identity_of(from_recipe(cell.recipe, files=True, fetch=True))
    except (ValueError, OSError, ImportError) as error:
        return f"data: {cell.stream}: {error}"
    if found == cell.identity:
        return ""
    parts = (_leaves(each) for each in (cell.recipe, found["recipe"], cell.identity["recipe"]))
    for place, now, then in zip(*parts, strict=False):
        if now != then:
            return f"data: {cell.stream}: {place} has SHA-256 {now[:12]}…; the study's has {str(then)[:12]}…"
    return f"data: {cell.stream}: its first {found['first rows']['rows']:,} rows are not the study's"


def _leaves(part: Any) -> Iterator[Any]:
    if isinstance(part, Mapping):
        for name in sorted(part):
            yield from _leaves(part[name])
    elif isinstance(part, list):
        for each in part:
            yield from _leaves(each)
    else:
        yield part


def _others(about: Any, ended: Ended) -> Iterator[str]:
    """Yield how a cell came out differently from what is told of it."""
    if about["status"] != DONE:
        yield f"{_name(ended)}: {about['status']}: {about['message']}"
        return
    found = {"rows": about["rows"], **about["measures"]}
    for name, then in {"rows": ended.rows, **ended.measures}.items():
        now = found.get(name)
        # NaN is not equal to itself; manifests of before have None for it
        if now != then and not (now is not None and math.isnan(now) and (then is None or math.isnan(then))):
            yield f"number: {_name(ended)}: {name} is {now!r}; the study has {then!r}"


def _kept(folder: Path, ended: Ended) -> Iterator[str]:
    """Yield how a result in the folder differs from what its manifest says of it."""
    try:
        about = Store(folder).about(ended.key)
    except ValueError as error:
        yield str(error)
        return
    if about is not None:
        yield from (f"{Store(folder).path(ended.key)}: {line}" for line in _others(about, ended))
