"""The snapshots of a service: archives of its run, the newest of them kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlab.lab import Run
from streamlab.streams import Stream

__all__ = ["FOLDER", "listed", "newest_run", "save_run"]

FOLDER = "snapshots"
_NAME = re.compile(r"(\d{15})\.slab")


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
