"""Live streams: the rows of a journal that this process reads into, and of one that another process writes."""

from __future__ import annotations

import atexit
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from streamlab.streams.labelling import NEVER, Labelling
from streamlab.streams.stream import Stream

from streamlab_live.journal import Journal
from streamlab_live.reader import Reader, Status
from streamlab_live.record import LETTERS

__all__ = ["JournalStream", "LiveStream"]

WAIT_SECONDS = 0.5

_open: weakref.WeakSet[LiveStream] = weakref.WeakSet()


@dataclass(frozen=True)
class JoinedLabelling(Labelling):
    """When the labels of a joined stream came, as its journal says, and what else delays or hides them.

    Parameters
    ----------
    journal
        Of the stream.
    """

    journal: Journal | None = None

    def arrives(self, rows: np.ndarray) -> np.ndarray:
        rows = np.asarray(rows, np.int64)
        assert self.journal is not None, "a joined stream has it"
        further = super().arrives(rows)
        return np.where(further == NEVER, NEVER, further - rows + self.journal.arrives(rows))


class _OfJournal(Stream):
    """The rows of a journal; of a folder's, it is opened to be read."""

    def __init__(self, journal: Journal | str | Path) -> None:
        self.journal = journal = journal if isinstance(journal, Journal) else Journal.open(journal)
        self.name, self.schema = journal.source or journal.folder.name, journal.schema
        self.rows_mark = f"journal {journal.id}"
        if journal.is_joined:
            self.labelling = JoinedLabelling(journal=journal)

    @property
    def available(self) -> int:
        """The row behind the last one that can be read now."""
        return self.journal.n_rows


class JournalStream(_OfJournal):
    """The rows of a journal as an ordinary stream: those that are there when it is opened.

    Others may go on writing to it. Its length is not told beforehand (``n_rows`` is None), so that a run on it is the
    same, to the bit, as the run was while it was live.

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
    >>> from streamlab_live import Journal
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     journal = Journal.create(folder, sl.Schema.anonymous(2, 1))
    ...     _ = journal.append(np.ones((3, 2)), np.ones((3, 1), np.uint8), [0.0, 1.0, 2.0], {"part": 3})
    ...     journal.close()
    ...     [len(chunk) for chunk in sl.load(folder).chunks(2)]
    [2, 1]
    """

    @property
    def most_rows(self) -> int:
        """Rows that are there."""
        return self.journal.n_rows

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        for record in self.journal.read(start):
            yield record.X, record.Y


class LiveStream(_OfJournal):
    """Rows that come as time goes by: of a topic, a file that grows, an endpoint; read through a journal.

    ``load`` makes one of an address. A reader, in a thread of its own, writes what comes into the journal, whose rows
    can be read as often as asked for; so a run can go back, fork and be replayed as on any stream. Reading on waits for
    rows; ``has_rows`` and ``available`` say beforehand whether there are some.

    Parameters
    ----------
    reader
        Of its source, not begun yet.
    on_close
        Called when it is closed, once.

    Raises
    ------
    ValueError
        While rows are read: if reading has stopped because the source is wrong for good, as by a file that was cut
        short; what was read before can be read on.

    Examples
    --------
    >>> import tempfile, streamlab as sl
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "rows.csv"
    ...     _ = path.write_text("heat,alarm\\n" + "20,0\\n90,1\\n" * 50)
    ...     with sl.load(f"tail:{path}?labels=alarm") as stream:
    ...         chunk = next(stream.chunks(100))
    >>> len(chunk), stream.schema.labels, stream.status().bad
    (100, ('alarm',), {})
    """

    is_live = True

    def __init__(self, reader: Reader, on_close: Callable[[], None] | None = None) -> None:
        super().__init__(reader.journal)
        self.reader, self.name = reader, reader.source.name
        # a journal that is deleted cannot be opened again
        self.recipe = {"file": str(self.journal.folder.absolute()), "options": {}} if on_close is None else None
        self._on_close = on_close
        self._is_closed = False
        _open.add(self)
        # a stream that is forgotten stops reading
        weakref.finalize(self, reader.close, 0.0)
        reader.start()

    @property
    def ended(self) -> bool:
        """Whether nothing will come any more; then ``available`` is the stream's length."""
        return self.journal.ended

    @property
    def n_left_out(self) -> int:
        """Messages that are not rows, as the core's growing file counts them."""
        return sum(self.journal.bad.values())

    @property
    def dead_letters(self) -> Path:
        """The file with the messages that are not rows; there is none before the first of them."""
        return self.journal.folder / LETTERS

    @property
    def guarantee(self) -> str:
        """What holds after a crash, in a sentence or two."""
        return self.reader.source.guarantee

    def has_rows(self, start: int, n: int) -> bool:
        ended = self.ended  # first: what is available then is all
        if self.available >= start + n or ended:
            return True
        self.reader.want(start + n)
        if self.reader.failure and self.available < start + n:
            raise ValueError(self.reader.failure)
        return False

    def why_waiting(self) -> str:
        status = self.reader.status()
        return "the stream was closed" if self._is_closed else status.trouble or status.why_held

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        at = start
        while True:
            ended = self.ended or self._is_closed
            for record in self.journal.read(at):
                at += len(record)
                self.reader.has_read(at)
                yield record.X, record.Y
            if self.available > at:
                continue
            if ended:
                return
            if self.reader.failure:
                raise ValueError(self.reader.failure)
            self.reader.want(at + 1)
            self.reader.wait(at, WAIT_SECONDS)

    def status(self) -> Status:
        """Return the status: rows, bad messages by reason, lag, rate, whether the source can be reached."""
        return self.reader.status()

    def end(self) -> None:
        """Read no more, and let the stream end where it is, for good: also the journal takes no row any more.

        A stream that was closed stays as it is.
        """
        if not self._is_closed:
            self.reader.end()

    def close(self) -> None:
        """Stop reading. The rows in the journal can still be read, and the same journal can continue later.

        A journal that nobody named is deleted.
        """
        if not self._is_closed:
            self._is_closed = True
            self.reader.close()
            if self._on_close is not None:
                self._on_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@atexit.register
def _close_all() -> None:
    for stream in list(_open):
        stream.close()


LOOK_SECONDS = 0.1


class FollowedStream(_OfJournal):
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
    >>> from streamlab_live import Journal
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
