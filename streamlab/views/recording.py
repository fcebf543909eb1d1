"""What the pictures of a run draw, written down while the run goes on: for a replay, or to look back."""

from __future__ import annotations

import logging
import math
from functools import partial
from typing import TYPE_CHECKING

from streamlab._checks import checked_count
from streamlab.lab.frame import Reader, ReadingFailed
from streamlab.lab.view_log import ViewLog
from streamlab.views.kit.picture import Budget, Drawn, Picture, fitting, subject_of
from streamlab.views.pictures import pictures

if TYPE_CHECKING:
    from streamlab.lab import Run

__all__ = ["record"]

logger = logging.getLogger("streamlab")

ENTRIES = 200
"""Entries of a recording, unless it is told otherwise."""
BUDGET = 2**30
"""Bytes of a recording: far more than its entries take, for a file is to be made of them."""


def key_of(picture: Picture, learner: str) -> str:
    """Return what a view log calls the readings of a picture: with the learner, unless it is the same for all."""
    return f"picture {picture.name} of {learner}" if picture.of_learner else f"picture {picture.name}"


def readers_of(run: Run) -> dict[str, Reader]:
    """Return what reads each picture's data out of a run, by the keys of a view log.

    There is a reader for each picture and each learner of the run that it fits; one for a picture that is the same for
    all learners. A reader returns a ``Drawn`` with nothing selected.
    """
    return {key_of(picture, name): partial(_read, picture, name) for picture, names in drawable(run) for name in names}


def drawable(run: Run) -> list[tuple[Picture, tuple[str, ...]]]:
    """Return the pictures that fit a learner of a run, each with the learners that it is drawn of.

    A picture of another package that cannot say what it fits is left out, with a warning in the log; one of what
    matters also where nobody asks.
    """
    found, asks = [], any(each.importance is not None for each in run.learner_runs.values())
    for picture in pictures():
        try:
            names = tuple(fitting(picture, run)) if asks or not picture.asks else ()
        except Exception:
            logger.warning("the picture %r cannot be recorded", picture.name, exc_info=True)
            continue
        if names:
            found.append((picture, names if picture.of_learner else names[:1]))
    return found


def _read(picture: Picture, learner: str, run: Run) -> Drawn:
    subject = subject_of(learner, run)
    if subject is None:
        raise ValueError(f"{learner} is not in the run here")
    return picture.columns(subject, None, Budget())


def record(run: Run, n: int | None = None, *, entries: int = ENTRIES, views: ViewLog | None = None) -> ViewLog:
    """Let a run go on, and write down what its pictures draw, evenly spaced, the beginning and the end included.

    The end of each chunk is among the places, or of every second, third, … chunk: the curves have their points there.

    The answers are those that the run gives without being recorded.

    Parameters
    ----------
    run
        The run; no player may have it.
    n
        Instances to go on by; None: to the end of the stream.
    entries
        About how many times the pictures are read. Where the stream's length is not known, there are between half as
        many and as many.
    views
        The log that is continued; None: a new one.

    Returns
    -------
    ViewLog
        The log. A picture that fails at an instant is not in that entry.

    Raises
    ------
    ValueError
        If ``entries`` is below 2, ``n`` is negative, a player has the run, or a log is given that is ahead of it; else
        as ``Run.advance``.

    Examples
    --------
    >>> import streamlab as sl
    >>> run = sl.Run("yeast", {"SMART": sl.SMART(seed=1, n_trees=2)})
    >>> views = record(run, 300, entries=3)
    >>> run.position, len(views.entries)
    (300, 3)
    """
    checked_count("entries", entries, 2)
    checked_count("n", n, optional=True)
    if run._is_elsewhere:
        raise ValueError("a player has the run, and its thread alone may read it; close the player or view first")
    log = ViewLog(BUDGET) if views is None else views
    left = None if run.n_rows is None else run.n_rows - run.position
    total = left if n is None else n if left is None else min(n, left)
    step = run.chunk if total is None else _step(run.chunk, total / (entries - 1))
    before, since = run.position, len(log)
    log.add(run.position, readings_of(run))
    while n is None or run.position < before + n:
        to_next = step - run.position % step
        if run.advance(to_next if n is None else min(to_next, before + n - run.position)) == 0:
            break
        log.add(run.position, readings_of(run))
        if total is None and len(log) - since > entries:
            del log.entries[since + 1 :: 2]
            step *= 2
    return log


def recalled(run: Run) -> ViewLog:
    """Let a run go through its past once more, and write down what its pictures draw; it stands then where it stood.

    Raises
    ------
    ValueError
        If a player has the run, or it cannot go back.
    """
    position = run.position
    run.seek(0)
    views = record(run, position)
    run.seek(position)
    return views


def _step(chunk: int, wanted: float) -> int:
    """Return the whole part of a chunk, or the multiple of it, that is nearest to ``wanted`` rows, as a ratio."""
    if wanted >= chunk:
        return chunk * round(wanted / chunk)
    parts = (chunk // n for n in range(1, chunk + 1) if chunk % n == 0)
    return min(parts, key=lambda part: abs(math.log(part / max(wanted, 1.0))))


def readings_of(run: Run) -> dict[str, Drawn | ReadingFailed]:
    """Return what each picture draws of a run now, or why it cannot be drawn, by the keys of a view log."""
    readings: dict[str, Drawn | ReadingFailed] = {}
    for key, reader in readers_of(run).items():
        try:
            readings[key] = reader(run)
        except Exception as error:  # a picture or a learner of another package may raise anything
            readings[key] = ReadingFailed(str(error) or type(error).__name__)
            logger.warning("the reader %r failed", key, exc_info=True)
    return readings
