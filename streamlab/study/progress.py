"""How long cells will take, by those that have ended; and a bar with the time left, or a line a minute."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from streamlab.study.cell import DONE, Cell, canonical

EVERY_S = 60.0
"""Seconds between two lines where no bar can be drawn."""


AT_FIRST = 1e-7
"""CPU seconds for a row, feature and label, of a learner of which nothing is known."""


class Expected:
    """Estimates, which improve with each cell that ends.

    Parameters
    ----------
    known
        Cells that have ended, with what their results say.
    """

    def __init__(self, known: Iterable[tuple[Cell, Mapping[str, Any]]] = ()) -> None:
        self._rates: dict[str, list[float]] = {}
        for cell, about in known:
            self.learn(cell, about)

    def learn(self, cell: Cell, about: Mapping[str, Any]) -> None:
        """Take in how long a cell took."""
        if about["status"] == DONE and about.get("cpu_seconds"):
            self._rates.setdefault(_learner(cell), []).append(about["cpu_seconds"] / cell.work)

    def known(self, cell: Cell) -> float:
        """Return the CPU seconds that a cell should take; NaN where no cell of its learner is done."""
        rates = self._rates.get(_learner(cell))
        return math.nan if rates is None else statistics.median(rates) * cell.work

    def seconds(self, cell: Cell) -> float:
        """Return the same, with a guess where nothing is known: the slowest learner's rate, so that it begins early."""
        found = self.known(cell)
        if not math.isnan(found):
            return found
        slowest = max((statistics.median(rates) for rates in self._rates.values()), default=AT_FIRST)
        return slowest * cell.work


def _learner(cell: Cell) -> str:
    return canonical(cell.description)


@contextmanager
def shown_progress(wanted: bool, name: str, cells: list[Cell], expected: Expected, workers: int) -> Iterator[Any]:
    """Yield what is called with each cell that has ended, which draws a bar where one is wanted."""
    if not wanted:
        yield lambda cell, about: expected.learn(cell, about)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[left]}"))
    waiting = {cell.key: cell for cell in cells}
    console, last = Console(stderr=True), time.monotonic()
    with Progress(*columns, console=console) as bar:
        task = bar.add_task(name or "study", total=len(cells), left="")

        def ended(cell: Cell, about: dict[str, Any]) -> None:
            nonlocal last
            expected.learn(cell, about)
            waiting.pop(cell.key, None)
            seconds = sum(expected.seconds(each) for each in waiting.values()) / workers
            remaining = f"about {_duration(seconds)} left" if waiting else ""
            bar.update(task, advance=1, left=remaining)
            is_drawn = console.is_terminal or console.is_jupyter
            if not is_drawn and waiting and time.monotonic() - last >= EVERY_S:
                last = time.monotonic()
                console.print(f"{len(cells) - len(waiting)} of {len(cells)} cells, {remaining}", markup=False)
            if about["status"] != DONE:
                seed = "" if cell.seed is None else f", seed {cell.seed}"
                bar.console.print(
                    f"{cell.learner} on {cell.stream}{seed}: {about['status']}: {about['message']}", markup=False
                )

        yield ended


def _duration(seconds: float) -> str:
    minutes = seconds / 60
    return f"{seconds:.0f} s" if minutes < 1.5 else f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
