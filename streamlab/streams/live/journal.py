"""The journal of a live stream: accepted rows on disk in the order of arrival, with the source's offsets."""

from __future__ import annotations

import os
import re
import threading
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Self

import numpy as np

from streamlab.schema import Schema
from streamlab.streams._sparse import csr_rows
from streamlab.streams.live.journal_about import ABOUT, is_journal, read_about, write_about
from streamlab.streams.live.message import Offset
from streamlab.streams.live.record import (
    HEADER_BYTES,
    Damaged,
    Head,
    Record,
    read_head,
    read_payload,
    sound_from,
    written,
)
from streamlab.streams.live.segment_file import SegmentFile
from streamlab.streams.live.writer_lock import WriterLock

__all__ = ["Journal"]

SEGMENT_BYTES = 64 << 20
SEGMENT_RECORDS = 50_000
MOST_NOTES = 10_000
"""Notes that a journal remembers."""
_SEGMENT = re.compile(r"(\d{18})\.rows")


@dataclass
class _Segment:
    """A file of records: from which row on, and for the one that is written, where its records are."""

    path: Path
    first: int
    rows: array = field(default_factory=lambda: array("q"))
    places: array = field(default_factory=lambda: array("q"))
    n_records: int = 0


class Journal:
    """Rows in files of whole records, each with its length and checksums; the row's number is its place.

    Made with ``create`` or ``open``. One writes, in one thread; any number read, also in other processes.

    What is appended goes to the system at once, so that the end of the process loses nothing, and to the disk
    (``fsync``) when ``sync`` or ``sync_if_due`` says so: after a power cut what came since may be gone. Rows and the
    offsets after them are one record: either both are there or neither, and the source is asked for them again.

    Attributes
    ----------
    schema
        What its rows look like.
    is_sparse
        Whether their features are CSR.
    source
        The name of where they came from.
    decoding
        How messages are read, as JSON has it.
    n_rows, first_row
        Rows written so far, and the first that is kept.
    offsets
        By partition: the offset after which the source goes on.
    bad
        Refused messages by reason, as the last record says.
    dead_bytes
        Bytes of the file of dead letters then.
    notes
        The source's latest notes.
    ended
        Whether nothing will be appended ever again.

    Examples
    --------
    >>> import tempfile, numpy as np
    >>> folder = tempfile.TemporaryDirectory()
    >>> journal = Journal.create(folder.name, Schema.anonymous(2, 1))
    >>> journal.append(np.ones((3, 2)), np.ones((3, 1), np.uint8), [0.0, 1.0, 2.0], {"topic-0": 17})
    3
    >>> journal.close()
    >>> again = Journal.open(folder.name)
    >>> again.offsets, [len(record) for record in again.read(1)]
    ({'topic-0': 17}, [2])
    >>> folder.cleanup()
    """

    def __init__(self, folder: Path, about: Mapping[str, Any], lock: WriterLock | None, sync_seconds: float) -> None:
        self.folder = folder
        self.schema = Schema.from_json(about["schema"])
        self.is_sparse, self.source, self.id = about["is_sparse"], about["source"], about["id"]
        self.decoding: Mapping[str, Any] = about["decoding"]
        self.n_rows = 0
        self.offsets: dict[str, Offset] = {}
        self.bad: dict[str, int] = {}
        self.dead_bytes = 0
        self.notes: deque[str] = deque(maxlen=MOST_NOTES)
        self.ended = False
        self._lock = lock
        self._sync_seconds = sync_seconds
        self._file: SegmentFile | None = None
        self._size = 0
        self._segments: list[_Segment] = []
        self._alone = threading.Lock()

    # ------------------------------------------------------------------ make and open

    @classmethod
    def create(
        cls,
        folder: str | Path,
        schema: Schema,
        *,
        is_sparse: bool = False,
        source: str = "",
        decoding: Mapping[str, Any] | None = None,
        sync_seconds: float = 1.0,
    ) -> Self:
        """Make a journal in a folder that is empty or not there yet, to write to it.

        Raises
        ------
        ValueError
            If the folder holds something.
        OSError
            If it cannot be written.
        """
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        if is_journal(folder):
            raise ValueError(f"{folder}: there is a journal already; expected an empty folder")
        if any(each.name not in ("lock", f"{ABOUT}.part") for each in folder.iterdir()):
            raise ValueError(f"{folder}: the folder of a journal holds other files; expected an empty folder")
        lock = WriterLock(folder)
        try:
            made = cls(folder, write_about(folder, schema, is_sparse, source, decoding or {}), lock, sync_seconds)
            made._begin_segment()
            return made
        except BaseException:
            lock.release()
            raise

    @classmethod
    def open(cls, folder: str | Path, *, write: bool = False, sync_seconds: float = 1.0) -> Self:
        """Open a journal: to read what is there now, or to go on writing.

        To write, what a crash left unfinished at its end is cut off.

        Raises
        ------
        ValueError
            If there is none, it is of another format, somebody writes to it already, or it is damaged before its end:
            then naming the segment and the byte.
        """
        folder = Path(folder)
        about = read_about(folder)
        lock = WriterLock(folder) if write else None
        try:
            found = cls(folder, about, lock, sync_seconds)
            found._find_segments()
            return found
        except BaseException:
            if lock is not None:
                lock.release()
            raise

    def _find_segments(self) -> None:
        names = sorted(each.name for each in self.folder.iterdir() if _SEGMENT.fullmatch(each.name))
        self._segments = [_Segment(self.folder / name, int(name[:18])) for name in names]
        while self._segments:
            end = self._walk_last()
            if end is not None:
                break
            last = self._segments.pop()  # a crash came while it was begun
            if self._lock is not None:
                last.path.unlink()
        if self._lock is None:
            if not self._segments:
                return
        elif not self._segments:
            self._begin_segment()
        else:
            self._file = SegmentFile.resume(self._segments[-1].path, self._size)

    def _walk_last(self) -> int | None:
        """Read on in the last segment as far as it is whole; return where that is, None if it was never begun."""
        segment = self._segments[-1]
        with open(segment.path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            at, row = (self._size, self.n_rows) if segment.n_records else (0, segment.first)
            while True:
                file.seek(at)
                head = read_head(file.read(HEADER_BYTES))
                if head is None or at + HEADER_BYTES + head.n_bytes > size:
                    break
                try:
                    record = read_payload(head, file.read(head.n_bytes), self.schema, self.is_sparse)
                except Damaged:
                    break
                if at == 0:
                    self._take_beginning(segment, record.meta)
                else:
                    self._take_meta(record.meta)
                    if len(record):
                        segment.places.append(at)
                        segment.rows.append(row)
                row += len(record)
                segment.n_records += 1
                at += HEADER_BYTES + head.n_bytes
            if at < size and (sound := sound_from(file, at + 1, size)) is not None:
                raise ValueError(
                    f"{segment.path}: damaged at byte {at:,}, behind row {row:,}, and sound again from byte {sound:,} "
                    "on; expected what was written"
                )
        if at == 0:
            return None
        self.n_rows, self._size = row, at
        return at

    def _take_beginning(self, segment: _Segment, meta: Mapping[str, Any]) -> None:
        told = meta.get("segment")
        if not isinstance(told, dict) or told.get("id") != self.id or told.get("first") != segment.first:
            raise ValueError(f"{segment.path}: it is no segment of this journal, or stands in another's place")
        self._take_meta(meta)

    def _take_meta(self, meta: Mapping[str, Any]) -> None:
        offsets, bad, notes = meta.get("offsets", {}), meta.get("bad"), meta.get("notes", [])
        if isinstance(offsets, dict) and all(isinstance(v, (int, str)) for v in offsets.values()):
            self.offsets.update(offsets)
        if isinstance(bad, dict):
            self.bad = {str(k): int(v) for k, v in bad.items() if isinstance(v, int)}
        if isinstance(meta.get("dead"), int):
            self.dead_bytes = meta["dead"]
        self.notes.extend(str(note) for note in notes if isinstance(note, str))
        self.ended |= meta.get("end") is True

    # ------------------------------------------------------------------ write

    def append(
        self,
        X: Any,
        Y: np.ndarray,
        when: np.ndarray | Sequence[float],
        offsets: Mapping[str, Offset],
        *,
        keys: Sequence[str] | None = None,
        bad: Mapping[str, int] | None = None,
        dead_bytes: int | None = None,
        notes: Sequence[str] = (),
    ) -> int:
        """Append rows, perhaps none, with what is known after them; returns how many rows there are now.

        Parameters
        ----------
        X, Y, when
            The rows; float64 seconds since 1970 of each.
        offsets
            By partition: the offset of the last message that they, and those refused among them, came from. Partitions
            that are not named stay as they are.
        keys
            What each row is about.
        bad, dead_bytes
            Messages refused by reason since the journal's beginning; bytes of the dead letters. None: as before.
        notes
            Texts to remember, such as keys of requests; of all, the latest 10,000 are kept.

        Raises
        ------
        ValueError
            If they are no rows of the schema, or the journal has ended or is not open to be written.
        OSError
            If the disk does not take them; nothing is changed then.
        """
        meta: dict[str, Any] = {"offsets": dict(offsets)}
        if bad is not None:
            meta["bad"] = dict(bad)
        if dead_bytes is not None:
            meta["dead"] = dead_bytes
        if notes:
            meta["notes"] = list(notes)
        self._write(Record(X, Y, np.asarray(when, np.float64), meta, keys))
        return self.n_rows

    def end(self) -> None:
        """Write down that nothing will come any more, also of a journal that was closed; a second time does nothing.

        Raises
        ------
        OSError
            If the disk does not take it.
        ValueError
            If it was closed, and somebody else writes to it now.
        """
        if self.ended:
            return
        if self._file is None:
            again = self.open(self.folder, write=True)
            try:
                again.end()
            finally:
                again.close()
            self.ended = True
            return
        self._write(self._nothing({"end": True}))
        self.sync()

    def _write(self, record: Record) -> None:
        if self._file is None:
            raise ValueError(f"{self.folder}: the journal is not open to be written")
        if self.ended:
            raise ValueError(f"{self.folder}: the journal has ended; nothing can be appended")
        raw = written(record, self.schema, self.is_sparse)
        segment, file = self._segments[-1], self._file
        is_full = file.size + len(raw) > SEGMENT_BYTES or segment.n_records >= SEGMENT_RECORDS
        # a segment is called by its first row: one without rows, with refused messages alone, goes on
        if is_full and self.n_rows > segment.first:
            file.sync()
            file = self._begin_segment()
            with self._alone:  # where its records are is found again in the file; who reads it keeps the old one
                if len(self._segments) > 1:  # another thread may have given it up meanwhile
                    self._segments[-2] = _Segment(segment.path, segment.first)
            segment = self._segments[-1]
        place = file.size
        file.append(raw)
        # other threads read meanwhile, by rows that have places, up to n_rows
        if len(record):
            segment.places.append(place)
            segment.rows.append(self.n_rows)
        segment.n_records += 1
        self._take_meta(record.meta)
        self.n_rows += len(record)

    def _begin_segment(self) -> SegmentFile:
        """Begin a file; if the disk does not take its beginning, nothing is changed."""
        path = self.folder / f"{self.n_rows:018d}.rows"
        meta = {
            "segment": {"id": self.id, "first": self.n_rows},
            "offsets": dict(self.offsets),
            "bad": dict(self.bad),
            "dead": self.dead_bytes,
            "notes": list(self.notes),
        }
        begun = SegmentFile.begin(path, written(self._nothing(meta), self.schema, self.is_sparse))
        before, self._file = self._file, begun
        with self._alone:
            self._segments.append(_Segment(path, self.n_rows, n_records=1))
        if before is not None:
            before.close()
        return begun

    def _nothing(self, meta: Mapping[str, Any]) -> Record:
        n = self.schema.n_features
        X = csr_rows([0], [], [], n) if self.is_sparse else np.empty((0, n))
        return Record(X, np.empty((0, self.schema.n_labels), np.uint8), np.empty(0), meta)

    def sync_if_due(self) -> None:
        """Let the disk have what was appended, if ``sync_seconds`` have passed since the last time.

        Raises
        ------
        OSError
            If it does not take it; the rows stay appended, and the next time tries again.
        """
        if self._file is not None:
            self._file.sync_if_due(self._sync_seconds)

    def sync(self) -> None:
        """Let the disk have everything that was appended; raises as ``sync_if_due`` does."""
        if self._file is not None:
            self._file.sync()

    def give_up(self, before: int) -> None:
        """Delete the segments all of whose rows lie before this one; the last segment is kept."""
        while len(self._segments) > 1 and self._segments[1].first <= before:
            with self._alone:
                gone = self._segments.pop(0)
            gone.path.unlink(missing_ok=True)

    def close(self) -> None:
        """Let the disk have everything, and others write; a second time does nothing."""
        file, self._file = self._file, None
        try:
            if file is not None:
                file.close()
        finally:
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    # ------------------------------------------------------------------ read

    @property
    def first_row(self) -> int:
        """The first row that is kept: 0, unless rows were given up."""
        with self._alone:
            return self._segments[0].first if self._segments else 0

    def read(self, start: int = 0) -> Iterator[Record]:
        """Yield the records from a row on, the first cut to begin there, up to the last row that is there now.

        Raises
        ------
        ValueError
            If rows from ``start`` on were given up, or a segment is missing or damaged: then naming it and the byte.
        """
        stop = self.n_rows
        while start < stop:
            segment, after = self._segment_of(start)
            end = stop if after is None else min(stop, after)
            with self._opened(segment, start) as file:
                for first, head, at in self._heads(segment, file, start, after):
                    if first >= end:
                        break
                    file.seek(at + HEADER_BYTES)
                    try:
                        record = read_payload(head, file.read(head.n_bytes), self.schema, self.is_sparse)
                    except Damaged as error:
                        raise self._damage(segment, at, first, str(error)) from None
                    if first + len(record) > start:
                        yield _cut(record, start - first)
                        start = first + len(record)
            if start < end:
                raise self._damage(segment, self._size_of(segment), start, "rows are missing at its end")

    def _segment_of(self, row: int) -> tuple[_Segment, int | None]:
        with self._alone:
            segments = list(self._segments)
        place = bisect_right([each.first for each in segments], row) - 1
        if place < 0:
            first = segments[0].first if segments else 0
            raise ValueError(
                f"{self.folder}: the rows before {first:,} were given up; row {row:,} is not there any more"
            )
        return segments[place], segments[place + 1].first if place + 1 < len(segments) else None

    def _opened(self, segment: _Segment, row: int) -> BinaryIO:
        try:
            return open(segment.path, "rb")
        except FileNotFoundError:
            raise ValueError(f"{segment.path}: the segment with row {row:,} is not there any more") from None

    def _heads(
        self, segment: _Segment, file: BinaryIO, start: int, after: int | None
    ) -> Iterator[tuple[int, Head, int]]:
        """Yield the first row of each record that has rows, its head and its place, from near ``start`` on."""
        if segment.n_records:  # its records are known
            place = max(0, bisect_right(segment.rows, start) - 1)
            while place < len(segment.rows):
                file.seek(segment.places[place])
                head = read_head(file.read(HEADER_BYTES))
                if head is None:
                    raise self._damage(segment, segment.places[place], segment.rows[place], "there is no record")
                yield segment.rows[place], head, segment.places[place]
                place += 1
            return
        at, row, size = 0, segment.first, os.fstat(file.fileno()).st_size
        while at < size:
            file.seek(at)
            head = read_head(file.read(HEADER_BYTES))
            if head is None:
                raise self._damage(segment, at, row, "there is no record")
            if after is not None and row + head.n_rows > after:
                raise self._damage(segment, at, row, f"it has rows behind {after:,}, where the next segment begins")
            if row + head.n_rows > start and head.n_rows:
                yield row, head, at
            row += head.n_rows
            at += HEADER_BYTES + head.n_bytes

    def _size_of(self, segment: _Segment) -> int:
        return segment.path.stat().st_size if segment.path.exists() else 0

    def _damage(self, segment: _Segment, at: int, row: int, why: str) -> ValueError:
        return ValueError(f"{segment.path}: damaged at byte {at:,}, behind row {row:,}: {why}")


def _cut(record: Record, gone: int) -> Record:
    if gone <= 0:
        return record
    keys = None if record.keys is None else record.keys[gone:]
    return Record(record.X[gone:], record.Y[gone:], record.when[gone:], record.meta, keys)
