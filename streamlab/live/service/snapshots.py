"""The snapshots of a service: archives of its run; and whether the run began as the service's file says now."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlab._files import remove_part
from streamlab.lab import Run
from streamlab.lab.checks import under
from streamlab.lab.described import describe_whole, make_described
from streamlab.lab.script import code_of
from streamlab.live.service.definition import Definition
from streamlab.streams import Stream

FOLDER = "snapshots"
_NAME = re.compile(r"(\d{15})\.slab")
_PART = re.compile(r"\.\d{15}\.slab\..*\.part")


def listed(folder: Path) -> list[tuple[int, Path]]:
    """Return the snapshots of a service's folder, the newest first: rows that had passed, and the file."""
    where = folder / FOLDER
    found = [(_NAME.fullmatch(each.name), each) for each in where.iterdir()] if where.is_dir() else []
    return sorted(((int(name[1]), each) for name, each in found if name), reverse=True)


def save_run(run: Run, folder: Path, keep: int) -> Path:
    """Save a run in a service's folder, then remove the oldest but ``keep``.

    Raises
    ------
    OSError, ValueError
        As ``Run.save``; the snapshots of before are all there then.
    """
    where = folder / FOLDER
    where.mkdir(parents=True, exist_ok=True)
    path = where / f"{run.position:015d}.slab"
    run.save(path)
    for _, old in listed(folder)[keep:]:
        old.unlink(missing_ok=True)
    return path


def remove_left_over(folder: Path) -> int:
    """Remove what services that were killed had not finished; returns how many files those were."""
    where = folder / FOLDER
    parts = [each for each in where.iterdir() if _PART.fullmatch(each.name)] if where.is_dir() else []
    return sum(map(remove_part, parts))


def newest_run(folder: Path, stream: Stream | Any, tell: Callable[[str], object] = print, **options: Any) -> Run | None:
    """Return the run of the newest snapshot that is whole; None where there is none.

    Parameters
    ----------
    folder
        The service's.
    stream
        The stream with which it goes on.
    tell
        Called with a sentence for each snapshot that cannot be opened.
    **options
        Of ``Run.open``.

    Raises
    ------
    ValueError
        If there are snapshots, and none of them can be opened.
    """
    refused = ""
    for _, path in listed(folder):
        try:
            return Run.open(path, stream, **options)
        except (OSError, ValueError) as error:
            refused = str(error)
        tell(f"a snapshot cannot be opened: {refused}")
    if refused:
        raise ValueError(f"{folder / FOLDER}: no snapshot can be opened; the newest said: {refused}")
    return None


def check_begun(run: Run, definition: Definition) -> None:
    """Raise a ValueError if a run began with other learners, parameters, seeds or another chunk than a file says.

    What was tuned later does not count: the learners are compared as they were at the run's beginning, which every
    snapshot holds. One whose state no snapshot holds, as of River's, is not compared.

    Parameters
    ----------
    run
        Of the newest snapshot.
    definition
        What the file says now.

    Raises
    ------
    ValueError
        It names the folder, the learner and the parameter, with both values.
    """
    expected = "; expected the same, or another folder= to begin again"
    if list(run.learner_runs) != list(definition.learners):
        raise ValueError(
            f"{definition.folder}: its snapshots have the learners {', '.join(run.learner_runs)}; expected "
            f"{', '.join(definition.learners)}, or another folder"
        )
    if run.chunk != definition.chunk:
        raise ValueError(
            f"{definition.folder}: it was begun with chunk={run.chunk}, and the file says {definition.chunk}{expected}"
        )
    first = next(iter(run._machine.store), None)
    state = {"learners": []} if first is None or first.position else first.state()
    for place, name in enumerate(state["learners"]):
        # both bound, so that each has filled in what the other one has
        begun = run._learners.learner_of(name, under(state, f"learner.{place}."))
        wanted = make_described(definition.learners[name], definition.seed).bind(run.stream.schema)
        try:
            one, other = describe_whole(begun), describe_whole(wanted)
            was, says = code_of(one, name), code_of(other, name)
        except ValueError:  # of an object nothing can be said
            continue
        if one != other and was != says:
            raise ValueError(
                f"{definition.folder}: the learner {name!r} was begun as {was}, and the file says {says}{expected}"
            )
