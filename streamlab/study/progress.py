"""A bar of the cells that have ended, with the time left; where there is no terminal, a line a minute."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from streamlab.study.cell import Cell
from streamlab.study.run_cell import DONE, Expected

EVERY_S = 60.0
"""Seconds between two lines where no bar can be drawn."""


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
            said = f"about {_duration(seconds)} left" if waiting else ""
            bar.update(task, advance=1, left=said)
            is_drawn = console.is_terminal or console.is_jupyter
            if not is_drawn and waiting and time.monotonic() - last >= EVERY_S:
                last = time.monotonic()
                console.print(f"{len(cells) - len(waiting)} of {len(cells)} cells, {said}", markup=False)
            if about["status"] != DONE:
                seed = "" if cell.seed is None else f", seed {cell.seed}"
                bar.console.print(
                    f"{cell.learner} on {cell.stream}{seed}: {about['status']}: {about['message']}", markup=False
                )

        yield ended


def _duration(seconds: float) -> str:
    minutes = seconds / 60
    return f"{seconds:.0f} s" if minutes < 1.5 else f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
