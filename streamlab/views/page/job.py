"""What a page is asked to load, and to run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from streamlab.lab import Run
from streamlab.learners import Learner
from streamlab.streams import Stream
from streamlab.views.hosting.limits import LIMITS

__all__ = ["Job"]


@dataclass(frozen=True)
class Job:
    """What is to be loaded, and whether people have chosen something else since, or left.

    Parameters
    ----------
    source, options
        What ``load`` takes.
    learners, river
        Names of learners, and of River's classifiers.
    chunk, seed, seeds
        Of the run, of everything random in the learners, and how many learners of each there are, with a seed each.
    parameters
        By learner, those that are not as the page makes them.
    drifts
        Those that are put into the stream before the run begins, as ``drift_links.drifts_of`` writes them.
    left
        What names a run that a page left, which goes on here; None: another begins.
    played
        Rows that have passed when the run shows.
    instead
        Called before the run shows; a true answer says that something else was done in place of that.
    """

    source: Any
    options: dict[str, Any]
    learners: tuple[str, ...]
    river: tuple[str, ...]
    chunk: int
    seed: int
    seeds: int
    parameters: Mapping[str, Mapping[str, Any]]
    drifts: tuple[str, ...] = ()
    left: str | None = None
    played: int = 0
    instead: Callable[[], bool] = bool
    cancelled: threading.Event = field(default_factory=threading.Event)

    def run(self, stream: Stream, learners: Mapping[str, Learner]) -> Run:
        """Return the run of a stream that has been loaded, with the rows passed that are to be."""
        run = Run(
            stream, learners, chunk=self.chunk, alarms="label", snapshots=LIMITS.snapshot_bytes, seeds=self.seeds
        )  # fmt: skip
        run.advance(self.played)
        return run
