"""What the time machine needs of a run; the run itself is built on the time machine."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Protocol

import numpy as np

from streamlab.lab.actions import Action
from streamlab.lab.delay_queue import DelayQueue
from streamlab.lab.events import EventLog
from streamlab.lab.label_stats import LabelStatistics
from streamlab.lab.learner_run import LearnerRun
from streamlab.streams import Chunk, Drift, Stream

__all__ = ["Running"]


class Running(Protocol):
    """A run, as far as it goes back in time."""

    stream: Stream
    chunk: int
    learner_runs: dict[str, LearnerRun]
    labels: LabelStatistics
    log: EventLog
    position: int
    finished: bool
    last: tuple[Any, np.ndarray] | None
    _chunks: Generator[Chunk, None, None]
    _current: Chunk | None
    _used: int
    _step: int
    _drifts: list[Drift]
    _waiting: DelayQueue
    _broken: str | None

    def _advance_whole(self, n: int | None) -> int:
        """Go on by ``n`` instances or to the end of the chunk."""

    @property
    def is_waiting(self) -> bool:
        """Whether the next chunk of a live stream is not there yet."""

    def _is_at_end(self) -> bool:
        """Whether the stream has ended; from then on the run is finished."""

    def _do(self, action: Action) -> None:
        """Repeat what was done here."""

    def _known(self, name: str, state: Mapping[str, Any], place: int) -> LearnerRun:
        """Return the learner of a state."""
