"""The rows of a journal that another process writes, as a live stream: who follows changes nothing for the writer."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from streamlab.streams.live.journal import Journal, _Segment
from streamlab.streams.live.stream import labelling_of
from streamlab.streams.stream import Stream

__all__ = ["FollowedJournal", "FollowedStream"]

LOOK_SECONDS = 0.1


class FollowedJournal(Journal):
    """A journal that is read while another process appends to it."""

    _synced = -1, -1

    def look(self) -> None:
        """Take in what has been appended since; segments that were deleted are gone here, too.

        One thread looks; any may read meanwhile. Rows that were deleted before this journal saw them are counted, and
        reading them is refused.

        Raises
        ------
        ValueError
            If the journal is damaged before its end: then naming the segment and the byte.
        """
        # a segment may go between two looks at the folder: the next look finds those that are there
        with suppress(FileNotFoundError):
            self._look()

    def _look(self) -> None:
        if not self._segments or not self._segments[-1].path.exists():
            self._find_segments()
            return
        while len(self._segments) > 1 and not self._segments[0].path.exists():
            with self._alone:
                self._segments.pop(0)
        while True:
            self._walk_last()
            last = self._segments[-1]
            path = self.folder / f"{self.n_rows:018d}.rows"
            if path == last.path or not path.exists():
                return
            with self._alone:
                self._segments.append(_Segment(path, self.n_rows))
            if self._walk_last() is None:  # it has been begun this moment
                with self._alone:
                    self._segments.pop()
                return
            with self._alone:  # where its records are is found again in the file; who reads it keeps the old one
                self._segments[-2] = _Segment(last.path, last.first)

    def sync(self) -> None:
        """Let the disk have all rows that are known here, no matter who wrote them."""
        with self._alone:
            first, n_rows = self._synced
            files = [(each.first, each.path) for each in self._segments if each.first >= first]
            now = self.n_rows
        if now == n_rows:
            return
        for _, path in files:
            try:
                file = os.open(path, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
            except FileNotFoundError:  # given up
                continue
            try:
                os.fsync(file)
            finally:
                os.close(file)
        self._synced = files[-1][0] if files else first, now


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
    >>> from streamlab.streams import Journal
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
        self.journal = FollowedJournal.open(folder)
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
