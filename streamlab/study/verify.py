"""Run a study again from its manifest, and say what comes out differently."""

from __future__ import annotations

import math
import random
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from streamlab._checks import checked_count
from streamlab.streams import from_recipe
from streamlab.study.cell import Cell, canonical, versions
from streamlab.study.definition import identity_of
from streamlab.study.local import run_locally
from streamlab.study.manifest import Ended, Manifest, read_manifest
from streamlab.study.progress import shown_progress
from streamlab.study.run_cell import DONE, Expected, Limits, versions_here
from streamlab.study.store import Store

__all__ = ["Verification", "verify"]


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
    told = {ended.key: ended for ended in whole.cells if ended.status == DONE}
    chosen = list(told)
    if sample is not None and sample < len(chosen):
        drawn = set(random.Random(seed).sample(chosen, sample))
        chosen = [key for key in chosen if key in drawn]
    differences = list(_versions(whole, [told[key] for key in chosen]))
    pairs, data = [], dict[str, str]()
    for ended in (told[key] for key in chosen):
        try:
            cell = whole.cell(ended, folder)
            source = canonical([cell.recipe, cell.identity])
            if source not in data:
                data[source] = _data(cell)
            said = [data[source]] if data[source] else list(_altered(cell, ended, whole))
        except ValueError as error:
            said = [f"{_name(ended)}: {error}"]
        else:
            pairs += [] if data[source] else [(cell, ended)]
        differences += [line for line in said if line not in differences]
    same = 0
    with tempfile.TemporaryDirectory(prefix="streamlab-verify-") as place:
        again, expected = Store(place), Expected()
        cells = list({cell.key: cell for cell, _ in pairs}.values())
        with shown_progress(progress, "verify", cells, expected, workers) as ran:
            run_locally(cells, again, Limits(), workers, expected, ran)
        for cell, ended in pairs:
            said = list(_others(again.about(cell.key), ended)) or list(_kept(folder, ended))
            differences += said
            same += not said
    return Verification(len(pairs), same, tuple(differences), path.name, others)


def _name(one: Ended) -> str:
    return f"{one.learner} on {one.stream}" + ("" if one.seed is None else f", seed {one.seed}")


def _versions(manifest: Manifest, told: list[Ended]) -> Iterator[str]:
    """Yield a line for each package of another version than some cell ran with."""
    here = versions_here()
    ran = [manifest.places[ended.place].versions for ended in told if ended.place is not None]
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
