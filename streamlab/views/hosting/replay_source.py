"""What a replay is made of, taken out of a run in one go: the rest of the work needs the run no longer."""

from __future__ import annotations

import copy
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from streamlab.lab.events import Event
from streamlab.lab.frame import ReadingFailed
from streamlab.lab.history import History
from streamlab.lab.ownership import owned
from streamlab.lab.view_log import ViewEntry, ViewLog
from streamlab.learners.base.registry import EventKind
from streamlab.views.kit.picture import Picture, fitting
from streamlab.views.pictures import pictures
from streamlab.views.recording import readers_of, recalled

if TYPE_CHECKING:
    from streamlab.lab import Run
    from streamlab.schema import Schema

logger = logging.getLogger("streamlab")


@dataclass(frozen=True)
class SourceLearner:
    """What is told of a learner: the kinds of its events, its past, and the names of its measures."""

    kinds: Mapping[str, EventKind]
    history: History
    measures: tuple[str, ...]


@dataclass(frozen=True)
class Source:
    """A run as a replay tells of it; nothing in it is shared with what the run goes on to change.

    Parameters
    ----------
    stream, schema
        The stream's name and columns.
    position, n_rows, chunk
        As in the run.
    learners
        By name, in the run's order.
    log
        Its events, in order.
    views
        What the pictures drew, up to the position.
    pictures
        Each picture that fits, with the learners that it fits.
    """

    stream: str
    schema: Schema
    position: int
    n_rows: int | None
    chunk: int
    learners: Mapping[str, SourceLearner]
    log: tuple[Event, ...]
    views: tuple[ViewEntry, ...]
    pictures: tuple[tuple[Picture, tuple[str, ...]], ...]


@owned
def source_of(run: Run, views: ViewLog | None = None) -> Source:
    """Copy out of a run what a replay tells; where a player has the run, on the player's thread.

    Parameters
    ----------
    run
        The run.
    views
        What the pictures drew; None: the run's own record, and where it stands. Where that is empty, the run goes
        through its past once more; without the data, the pictures are read as they stand.
    """
    log = run.views if views is None else views
    if views is None and not len(log) and run.has_data:
        log = recalled(run)
    entries = tuple(entry for entry in log.entries if entry.position <= run.position)
    if views is None and (not entries or entries[-1].position < run.position):
        # the last row is what people compare with the page
        entries += (_as_it_stands(run),)
    return Source(
        run.stream.name,
        run.stream.schema,
        run.position,
        run.n_rows,
        run.chunk,
        {
            name: SourceLearner(each.learner.events, copy.deepcopy(each.history), tuple(each.tracker.measures))
            for name, each in run.learner_runs.items()
        },
        tuple(run.log),
        entries or (_as_it_stands(run),),
        tuple(_fitting(run)),
    )


def _as_it_stands(run: Run) -> ViewEntry:
    readings = {}
    for key, reader in readers_of(run).items():
        try:
            readings[key] = reader(run)
        except Exception as error:  # a picture or a learner of another package may raise anything
            logger.warning("the reader %r failed", key, exc_info=True)
            readings[key] = ReadingFailed(str(error) or type(error).__name__)
    return ViewEntry(run.position, readings)


def _fitting(run: Run) -> list[tuple[Picture, tuple[str, ...]]]:
    found = []
    for picture in pictures():
        try:
            names = tuple(fitting(picture, run))
        except Exception:
            logger.warning("the picture %r is not in the replay", picture.name, exc_info=True)
            continue
        if names:
            found.append((picture, names if picture.of_learner else names[:1]))
    return found
