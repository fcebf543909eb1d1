"""The rows of a journal that another process writes, as a live stream: who follows changes nothing for the writer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from streamlab.live.journal import Journal
from streamlab.live.stream import labelling_of
from streamlab.streams.stream import Stream

__all__ = ["FollowedStream"]

LOOK_SECONDS = 0.1


class FollowedStream(Stream):
    """The rows of a journal as a live stream: those that are there, and those that another process appends.

    ``load(folder, follow=True)`` makes one. A run on it is, row by row and to the bit, the run of whoever writes the
    journal, with learners of the same parameters.

    Parameters
    ----------
    folder
        The journal's.

    Raises
    ------
    ValueError
        If there is no journal, or it is damaged.

    Examples
    --------
    >>> import tempfile, numpy as np, streamlab as sl
    >>> from streamlab.live import Journal
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     journal = Journal.create(folder, sl.Schema.anonymous(2, 1))
    ...     stream = sl.load(folder, follow=True)
    ...     before = stream.has_rows(0, 3)
    ...     _ = journal.append(np.ones((3, 2)), np.ones((3, 1), np.uint8), [0.0, 1.0, 2.0], {"part": 3})
    ...     after = stream.has_rows(0, 3)
    ...     journal.close()
    >>> before, after
    (False, True)
    """

    is_live = True

    def __init__(self, folder: str | Path) -> None:
        self.journal = Journal.open(folder)
        self.name = self.journal.source or Path(folder).name
        self.schema, self.is_sparse = self.journal.schema, self.journal.is_sparse
        self.rows_mark = f"journal {self.journal.id}"
        self.labelling = labelling_of(self.journal)

    @property
    def available(self) -> int:
        """The row behind the last one that can be read now."""
        return self.journal.n_rows

    def has_rows(self, start: int, n: int) -> bool:
        if self.available < start + n and not self.journal.ended:
            self.journal.look()
        return self.available >= start + n or self.journal.ended

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, Any]]:
        at = start
        while True:
            ended = self.journal.ended
            for record in self.journal.read(at):
                at += len(record)
                yield record.X, record.Y
            if ended and self.available <= at:
                return
            if not self.has_rows(at, 1):
                time.sleep(LOOK_SECONDS)
