"""How long a cell will take: from how long others of its learner took, for rows times features times labels."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping
from typing import Any

from streamlab.study.cell import Cell, canonical
from streamlab.study.run_cell import DONE

__all__ = ["Expected"]

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
