"""Reads a study for its pages: who looks at it in how many browsers, its folder is looked through once a second."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd

from streamlab.lab import Run
from streamlab.study import Study
from streamlab.study.page.choice import Offered
from streamlab.study.page.figures import COSTS, Entry, entry_of

LOOK_S = 1.0


@dataclass(frozen=True)
class Seen:
    """A study as it stood at a moment.

    Parameters
    ----------
    cells
        Every cell: ``learner``, ``stream``, ``seed``, ``status``, ``key``, ``message``, ``rows``, and its figures.
    """

    cells: pd.DataFrame
    _entries: dict[str, dict[tuple[str, str], Entry]] = field(default_factory=dict, compare=False)

    @cached_property
    def statuses(self) -> tuple[str, ...]:
        """How each cell stands: what tells whether anything is new."""
        return tuple(self.cells.status)

    @cached_property
    def is_over(self) -> bool:
        """Whether nothing more will come: every cell has ended."""
        return not {"open", "running"} & set(self.statuses)

    def entries(self, measure: str) -> dict[tuple[str, str], Entry]:
        """Return the table of a measure, by learner and stream."""
        if measure not in self._entries:
            grouped: dict[tuple[str, str], list[dict[str, Any]]] = {}
            columns = ("learner", "stream", "seed", "status", "message", "rows", "key", measure)
            for learner, stream, seed, *rest in zip(*(self.cells[name] for name in columns), strict=True):
                about = dict(zip(("status", "message", "rows", "key", "value"), rest, strict=True))
                about["seed"] = None if pd.isna(seed) else int(seed)
                grouped.setdefault((learner, stream), []).append(about)
            self._entries[measure] = {place: entry_of(measure, cells) for place, cells in grouped.items()}
        return self._entries[measure]

    def cell(self, key: str) -> Mapping[str, Any]:
        """Return the first cell of a key."""
        return self.cells[self.cells.key == key].iloc[0].to_dict()

    def others(self, key: str) -> list[tuple[int, str]]:
        """Return seed and key of the cells of the same learner and stream; empty where there is but one."""
        one = self.cell(key)
        same = self.cells[(self.cells.learner == one["learner"]) & (self.cells.stream == one["stream"])]
        if len(same) < 2:
            return []
        return [(int(seed), other) for seed, other in zip(same.seed, same.key, strict=True)]


class Reader:
    """A study, and what its pages ask of it. Any thread may ask.

    Parameters
    ----------
    study
        The study.
    title
        What it is called on the page.
    about
        What one sees there, in a sentence or two; "" where nobody wrote it down.
    command
        How its runs are begun, for people to type; "" where they begin by themselves.
    """

    def __init__(self, study: Study, title: str, about: str = "", command: str = "") -> None:
        self.study, self.title, self.about, self.command = study, title, about, command
        self._lock = threading.Lock()
        self._seen: Seen | None = None
        self._looked = 0.0

    @cached_property
    def measures(self) -> tuple[str, ...]:
        """What can be shown: the study's measures, then time and memory."""
        return (*self.study.settings.measures, *COSTS)

    @cached_property
    def offered(self) -> Offered:
        """What links may name."""
        rows = {name: source.size[0] for name, source in self.study.sources.items()}
        cells = self.look().cells
        keys = {key: rows[stream] for key, stream in zip(cells.key, cells.stream, strict=True)}
        return Offered(self.measures, list(self.study.learners), list(self.study.sources), keys)

    def look(self) -> Seen:
        """Return how the study stands now; the same object as before where nothing has changed.

        Raises
        ------
        ValueError
            If a file of the folder is not a result.
        """
        with self._lock:
            now = time.monotonic()
            if self._seen is None or now - self._looked > LOOK_S:
                found = self._read()
                if (
                    self._seen is None
                    or found.statuses != self._seen.statuses
                    or not found.cells.equals(self._seen.cells)
                ):
                    self._seen = found
                self._looked = time.monotonic()
            return self._seen

    def _read(self) -> Seen:
        cells = self.study.cells().drop(columns="expected_seconds")
        results = self.study.results().drop_duplicates("key")
        figures = results.reindex(columns=["key", "message", "rows", *self.measures])
        return Seen(cells.merge(figures, on="key", how="left").fillna({"message": ""}))

    def curves(self, measure: str, over: str, stream: str, learners: Sequence[str]) -> pd.DataFrame:
        """Return the curves of some learners on a stream, as ``Study.curves`` does."""
        over = "cumulative" if measure in COSTS else over
        found = self.study.curves(measure, over, stream)
        return found[found.learner.isin(list(learners))]

    def run_of(self, key: str, **options: Any) -> Run:
        """Return a new run of a cell at row 0."""
        return self.study.run_of(key, **options)
