"""What people call the rows of a stream: from a list, or from a column of its file, read a block at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from streamlab._cells import written
from streamlab._checks import shown
from streamlab.streams.tables.roles import named_positions

if TYPE_CHECKING:
    from streamlab.streams.tables.source import Batch, Source

MOST_LETTERS = 300
"""Of a title."""


def title_in(titles: Sequence[Any], row: int) -> str:
    """Return the title of a row, where there is one for each in memory; "" behind the end."""
    return _title(titles[row]) if row < len(titles) else ""


class ColumnTitles:
    """Titles from a column of a file.

    The rows of a run come in order, and so are the titles read: what lies between two rows is passed over once, and
    going back begins again from there.

    Parameters
    ----------
    source
        The file.
    position
        The column's.
    """

    def __init__(self, source: Source, position: int) -> None:
        self._source, self._position = source, position
        self._lock = threading.Lock()
        self._blocks: Iterator[Batch] | None = None
        self._start = 0
        self._cells: list[Any] = []

    def __call__(self, row: int) -> str:
        with self._lock:
            if self._blocks is None or row < self._start:
                self._start, self._cells = row, []
                self._blocks = self._source.batches(row, [self._position])
            while row >= self._start + len(self._cells):
                self._start += len(self._cells)
                batch = next(self._blocks, None)
                if batch is None:
                    # behind the end
                    self._blocks = None
                    return ""
                self._cells = batch.cells[0].to_pylist()
            return _title(self._cells[row - self._start])

    def __getstate__(self) -> dict[str, Any]:
        return {"_source": self._source, "_position": self._position}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["_source"], state["_position"])  # type: ignore[misc]


def title_position(columns: Sequence[str], title: Any, labels: Sequence[str], source: str) -> int:
    """Return the position of the column that ``title`` names.

    Raises
    ------
    ValueError
        If there is no such column, or it is a label.
    """
    if not isinstance(title, str):
        raise ValueError(f"{source}: title={title!r}: expected the name of a column")
    (position,) = named_positions(list(columns), [title], source, "title=")
    if title in labels:
        raise ValueError(f"{source}: title= names {shown(title)}, which is a label")
    return position


def _title(cell: Any) -> str:
    return " ".join(written(cell).split())[:MOST_LETTERS]
