"""Reads a study for its pages, and writes its figures as people read them: with units, or words.

In however many browsers it is looked at, its folder is looked through once a second.
"""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pandas as pd

from streamlab.lab import Run
from streamlab.measures import MEASURES
from streamlab.study import Study
from streamlab.study.page.choice import Offered
from streamlab.study.scores import measure_title

COSTS = {
    "seconds": "what the learner took of a processor for the whole stream; less is better.",
    "bytes": "what the learner held at the end of the stream; less is better.",
}
"""What a study measures beside its measures, and its explanation."""
STATUS_WORDS = {
    "running": "running", "failed": "failed", "seconds": "over the time limit", "memory": "out of memory",
    "open": "not run yet",
}  # fmt: skip
"""Status of a cell that is not done; a table shows the first that applies to several cells."""
NEVER = ("failed", "seconds", "memory")
"""Ends without a figure."""


def titled(measure: str) -> str:
    """Return what people call a measure."""
    return measure_title(measure)


def explained(measure: str) -> str:
    """Return a sentence that explains a measure."""
    if measure in COSTS:
        return f"{titled(measure)}: {COSTS[measure]}"
    own = MEASURES[measure]
    better, best = ("more", own.range[1]) if own.higher_is_better else ("less", own.range[0])
    sets = " (Y: the true labels of a row, Z: those answered)" if re.search(r"\bY\b", own.formula) else ""
    return f"{titled(measure)}: {own.formula}{sets}; {better} is better, {best:g} is best."


def higher_is_better(measure: str) -> bool:
    """Return whether more of it is better."""
    return measure not in COSTS and MEASURES[measure].higher_is_better


def written(measure: str, value: float) -> str:
    """Return a figure as a table has it.

    Examples
    --------
    >>> written("micro_f1", 0.60739), written("seconds", 12.345), written("seconds", 0.0013)
    ('0.607', '12.3 s', '1.30 ms')
    """
    if measure in COSTS:
        scale, unit = unit_of(measure, value)
        scaled = value / scale
        digits = 2 - math.floor(math.log10(scaled)) if scaled > 0 else 0
        return f"{scaled:,.{max(digits, 0)}f} {unit}"
    return f"{value:.3f}" if abs(value) < 10 else f"{value:.4g}"


def unit_of(measure: str, most: float) -> tuple[float, str]:
    """Return the unit that figures up to ``most`` are written in, and what one of it is; 1 and "" for a measure."""
    if measure == "bytes":
        return 1e6, "MB"
    return (1.0, "") if measure != "seconds" else (1.0, "s") if most >= 1 else (1e-3, "ms")


@dataclass(frozen=True)
class Entry:
    """An entry of the table: a learner on a stream.

    Parameters
    ----------
    value
        The mean over the seeds that are done; NaN where none is.
    text
        What the table shows: the figure, or the status.
    lines
        What is said of it where there is room.
    key
        Of the cell that opens.
    at
        The row that it opens at; None: as the page does by itself.
    has_ended
        Whether nothing more will come of it.
    seeds
        How many runs it stands for.
    """

    value: float
    text: str
    lines: list[str]
    key: str
    at: int | None
    has_ended: bool
    seeds: int


def entry_of(measure: str, cells: Sequence[Mapping[str, Any]]) -> Entry:
    """Return the entry of a learner on a stream.

    Parameters
    ----------
    measure
        A measure of the study, or of ``COSTS``.
    cells
        One for each seed: ``seed``, ``status``, ``message``, ``value``, ``rows``, ``key``.
    """
    done = [cell for cell in cells if cell["status"] == "done"]
    values = [cell["value"] for cell in done if cell["value"] == cell["value"]]
    first = (done or [c for c in cells if c["status"] in NEVER] or list(cells))[0]
    # who failed is opened where it did
    at = int(first["rows"]) if first["status"] in NEVER and first["rows"] == first["rows"] else None
    ended = all(cell["status"] == "done" or cell["status"] in NEVER for cell in cells)
    lines = _spread(measure, values, len(cells)) if values else []
    for cell in cells:
        if cell["status"] != "done":
            seed = f"Seed {cell['seed']}: " if cell["seed"] is not None and len(cells) > 1 else ""
            word = STATUS_WORDS[cell["status"]]
            why = f": {cell['message']}" if cell["message"] else ""
            text = f"{seed}{word}{why}"
            lines.append(f"{text[0].upper()}{text[1:]}.".replace("..", "."))
    if values:
        mean = math.fsum(values) / len(values)
        return Entry(mean, written(measure, mean), lines, first["key"], at, ended, len(cells))
    word = next(
        (text for status, text in STATUS_WORDS.items() if any(c["status"] == status for c in cells)), "no value"
    )
    return Entry(math.nan, word, lines, first["key"], at, ended, len(cells))


def _spread(measure: str, values: Sequence[float], of: int) -> list[str]:
    if of == 1:
        return []
    low, high = min(values), max(values)
    if len(values) == 1:
        return [f"One seed is done: {written(measure, low)}."]
    return [f"Mean over {len(values)} seeds, from {written(measure, low)} to {written(measure, high)}."]


def counts_sentence(statuses: Sequence[str]) -> str:
    """Return how many cells there are, and how they stand.

    Examples
    --------
    >>> counts_sentence(["done", "done", "failed", "open"])
    '4 runs: 2 done, 1 failed, 1 not run yet.'
    """
    words = {"done": "done", **STATUS_WORDS}
    counts = {word: sum(status == name for status in statuses) for name, word in words.items()}
    if counts["done"] == len(statuses):
        return f"All {len(statuses):,} runs are done." if len(statuses) > 1 else "Its one run is done."
    counted = ", ".join(f"{n:,} {word}" for word, n in counts.items() if n)
    return f"{len(statuses):,} run{'s' if len(statuses) > 1 else ''}: {counted}."


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
