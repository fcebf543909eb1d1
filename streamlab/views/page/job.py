"""What a page is to load and run next."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from streamlab.lab import Run
from streamlab.learners import Learner
from streamlab.streams import Stream, load
from streamlab.streams.catalogue import generated_names
from streamlab.streams.stream_spec import StreamSpec
from streamlab.views.hosting.limits import LIMITS, LOADING
from streamlab.views.page.page_part import PageParts


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
    cancelled: threading.Event = field(default_factory=threading.Event)

    @property
    def generated(self) -> str:
        """The name of the catalogue's stream that is made as it is read; "" for others."""
        if isinstance(self.source, StreamSpec):
            return self.source.in_catalogue
        return self.source if isinstance(self.source, str) and self.source in generated_names() else ""

    def open(self, parts: PageParts) -> Stream:
        """Return the stream of its source; not on the document's thread, so that it may take its time."""
        if isinstance(self.source, (Stream, StreamSpec)):
            return self.source if isinstance(self.source, Stream) else self.source.make()
        opened = parts.first("open", self.source, self.cancelled.is_set)
        if opened is not None:
            return opened
        limits = LOADING if isinstance(self.source, Path) else None
        return load(self.source, **self.options, limits=limits, cancel=self.cancelled.is_set)

    def run(self, stream: Stream, learners: Mapping[str, Learner]) -> Run:
        """Return the run of a stream that has been loaded, at its first row."""
        return Run(
            stream, learners, chunk=self.chunk, alarms="label", snapshots=LIMITS.snapshot_bytes, seeds=self.seeds
        )  # fmt: skip
