"""The journal of a live stream: accepted rows on disk in the order of arrival, with the source's offsets."""

from __future__ import annotations

import errno
import json
import os
import secrets
import sqlite3
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Self

import numpy as np
from streamlab._checks import shown
from streamlab.schema import Schema
from streamlab.validation import validated

from streamlab_live.record import Damaged, Record, read_record, sealed, unsealed, written
from streamlab_live.source import Offset

__all__ = ["Journal"]

FILE, LOCK = "journal.db", "lock"
FORMAT = 2
MOST_NOTES = 10_000
"""Notes that a journal remembers."""
TABLES = """
PRAGMA journal_mode = WAL;
CREATE TABLE told (name TEXT PRIMARY KEY, raw BLOB NOT NULL);
CREATE TABLE records (first INTEGER PRIMARY KEY, raw BLOB NOT NULL);
CREATE TABLE notes (number INTEGER PRIMARY KEY, text TEXT NOT NULL);
"""
ABOUT = {"id": str, "schema": str, "source": str, "decoding": dict[str, Any]}
OF_OFFSETS, OF_BAD = dict[str, int | str], dict[str, int]
STATE = {"n_rows": int, "first_row": int, "offsets": OF_OFFSETS, "bad": OF_BAD, "dead_bytes": int, "ended": bool}
DISK = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_BUSY: errno.EBUSY,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_PERM: errno.EACCES,
    sqlite3.SQLITE_CANTOPEN: errno.EACCES,
    sqlite3.SQLITE_NOMEM: errno.ENOMEM,
}
"""What SQLite says of the disk and not of the file, and the system's word for it."""


class Locked(ValueError):
    """Somebody else writes to the journal."""


def is_journal(folder: Path) -> bool:
    """Return whether there is a journal in this folder."""
    return (folder / FILE).is_file()


class Journal:
    """Rows in an SQLite file, in whole records, each with its checksum; the row's number is its place.

    Made with ``create`` or ``open``. One writes; any number read, also in other threads and processes.

    What was appended is on the disk: neither the end of the process nor a power cut takes it back. Rows and the offsets
    after them are one transaction: either both are there or neither, and the source is asked for them again.

    Attributes
    ----------
    schema
        What its rows look like.
    source
        The name of where they came from.
    decoding
        How messages are read, as JSON has it.
    n_rows, first_row
        Rows written so far, and the first that is kept: 0, unless rows were given up.
    offsets
        By partition: the offset after which the source goes on.
    bad
        Refused messages by reason.
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

    def __init__(self, folder: Path, lock: sqlite3.Connection | None) -> None:
        self.folder, self.path = folder, folder / FILE
        with _opened(self.path) as file:
            about, state = _read_record(file, "about", ABOUT), _read_record(file, "state", STATE)
            found = file.execute("SELECT text FROM notes ORDER BY number").fetchall()
            try:
                self.schema = Schema.from_json(about["schema"])
            except (ValueError, LookupError, TypeError) as error:
                raise Damaged(f"its schema cannot be read: {error}") from None
            self._file = None if lock is None else _connection(self.path, "rw")
        self.source, self.id = about["source"], about["id"]
        self.decoding: Mapping[str, Any] = about["decoding"]
        self.notes: deque[str] = deque((text for (text,) in found), MOST_NOTES)
        self._take(state)
        self._latest: tuple[int, np.ndarray] = 0, np.zeros(0, np.int64)
        self._alone = threading.Lock()
        self._lock = lock

    def _take(self, state: dict[str, Any]) -> None:
        self._state = state
        self.offsets: dict[str, Offset] = state["offsets"]
        self.bad: dict[str, int] = state["bad"]
        self.dead_bytes: int = state["dead_bytes"]
        self.first_row: int = state["first_row"]
        self.n_rows: int = state["n_rows"]
        self.ended: bool = state["ended"]  # last: whoever sees it has all rows

    # ------------------------------------------------------------------ make and open

    @classmethod
    def create(
        cls,
        folder: str | Path,
        schema: Schema,
        *,
        source: str = "",
        decoding: Mapping[str, Any] | None = None,
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
        part = f"{FILE}.part"
        if any(each.name != LOCK and not each.name.startswith(part) for each in folder.iterdir()):
            raise ValueError(f"{folder}: the folder of a journal holds other files; expected an empty folder")
        about = {
            "format": FORMAT, "id": secrets.token_hex(8), "schema": schema.to_json(), "source": source,
            "decoding": dict(decoding or {}),
        }  # fmt: skip
        state = {"n_rows": 0, "first_row": 0, "offsets": {}, "bad": {}, "dead_bytes": 0, "ended": False}
        lock = _locked(folder)
        try:
            for each in folder.glob(f"{part}*"):  # a crash came while it was made
                each.unlink()
            with _opened(folder / part, "rwc") as file:
                file.executescript(TABLES)
                with file:
                    entries = [("about", _json(about)), ("state", _json(state))]
                    file.executemany("INSERT INTO told VALUES (?, ?)", entries)
            os.replace(folder / part, folder / FILE)
            return cls(folder, lock)
        except BaseException:
            lock.close()
            raise

    @classmethod
    def open(cls, folder: str | Path, *, write: bool = False) -> Self:
        """Open a journal: to read what is there now, or to go on writing.

        Raises
        ------
        ValueError
            If there is none, it is of another format, damaged, or somebody writes to it already.
        OSError
            If it cannot be read.
        """
        folder = Path(folder)
        if "\0" in str(folder) or not is_journal(folder):
            raise ValueError(
                f"{shown(str(folder))}: there is no journal of a live stream; expected a folder with {FILE}"
            )
        lock = _locked(folder) if write else None
        try:
            return cls(folder, lock)
        except BaseException:
            if lock is not None:
                lock.close()
            raise

    def look(self) -> None:
        """Take in what somebody else has written or given up since.

        Raises
        ------
        ValueError
            If the file is damaged or gone.
        """
        with _opened(self.path) as file:
            self._take(_read_record(file, "state", STATE))

    # ------------------------------------------------------------------ write

    def append(
        self,
        X: Any,
        Y: np.ndarray,
        when: np.ndarray | Sequence[float],
        offsets: Mapping[str, Offset],
        *,
        keys: Sequence[str] | None = None,
        arrives: np.ndarray | None = None,
        bad: Mapping[str, int] | None = None,
        dead_bytes: int | None = None,
        notes: Sequence[str] = (),
    ) -> int:
        """Append rows, perhaps none, with what is known after them, on the disk; returns how many rows there are now.

        Parameters
        ----------
        X, Y, when
            The rows; float64 seconds since 1970 of each.
        offsets
            By partition: the offset of the last message that they, and those refused among them, came from. Partitions
            that are not named stay as they are.
        keys, arrives
            What each row is about; where labels come by another way, the row after which they came.
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
        record = Record(X, Y, np.asarray(when, np.float64), keys, arrives)
        raw = written(record, self.schema)
        with self._writing() as (file, state):
            if len(record):
                file.execute("INSERT INTO records VALUES (?, ?)", (self.n_rows, sealed(raw, self.n_rows)))
            if notes:
                file.executemany("INSERT INTO notes (text) VALUES (?)", [(note,) for note in notes])
                file.execute("DELETE FROM notes WHERE number <= (SELECT max(number) FROM notes) - ?", (MOST_NOTES,))
            state["n_rows"] += len(record)
            state["offsets"] = {**self.offsets, **offsets}
            if bad is not None:
                state["bad"] = dict(bad)
            if dead_bytes is not None:
                state["dead_bytes"] = dead_bytes
        self.notes.extend(notes)
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
            with closing(self.open(self.folder, write=True)) as again:
                again.end()
            self.look()
            return
        with self._writing() as (_, state):
            state["ended"] = True

    def give_up(self, before: int) -> None:
        """Delete the records all of whose rows lie before this one; does nothing once it has ended or was closed.

        Any thread may ask for it. The last record is kept, and the place of the others is used again.

        Raises
        ------
        OSError
            If the disk does not take it; nothing is changed then.
        """
        if self._file is None or self.ended:
            return
        with self._writing() as (file, state):
            (first,) = file.execute("SELECT max(first) FROM records WHERE first <= ?", (before,)).fetchone()
            if first is not None:
                file.execute("DELETE FROM records WHERE first < ?", (first,))
                state["first_row"] = first

    @contextmanager
    def _writing(self) -> Iterator[tuple[sqlite3.Connection, dict[str, Any]]]:
        """Give the file and a copy of the state, to be changed in one transaction, and let the disk have both."""
        with self._alone, _in_words(self.path):
            if self._file is None:
                raise ValueError(f"{self.folder}: the journal is not open to be written")
            if self.ended:
                raise ValueError(f"{self.folder}: the journal has ended; nothing can be appended")
            state = dict(self._state)
            with self._file:
                yield self._file, state
                if state != self._state:
                    self._file.execute("UPDATE told SET raw = ? WHERE name = 'state'", (_json(state),))
            self._take(state)

    def close(self) -> None:
        """Let others write; what is there can still be read. A second time does nothing."""
        with self._alone:
            file, lock, self._file, self._lock = self._file, self._lock, None, None
        for each in (file, lock):
            if each is not None:
                each.close()

    # ------------------------------------------------------------------ read

    def read(self, start: int = 0) -> Iterator[Record]:
        """Yield the records from a row on, the first cut to begin there, up to the last row that is there now.

        Raises
        ------
        ValueError
            If rows from ``start`` on were given up, or the file is damaged or gone: then naming it and the row.
        OSError
            If it cannot be read.
        """
        stop = self.n_rows
        if start >= stop:
            return
        with _opened(self.path) as file:
            while start < stop:
                found = file.execute(
                    "SELECT first, raw FROM records WHERE first <= ? ORDER BY first DESC LIMIT 1", (start,)
                ).fetchall()  # whole: a transaction that stays open keeps the log of SQLite from being used again
                if not found:
                    raise self._missing(file, start)
                first, raw = found[0]
                try:
                    record = read_record(unsealed(raw, first), self.schema)
                except Damaged as error:
                    raise Damaged(f"row {first:,}: {error}") from None
                if not first <= start < first + len(record):  # in a damaged file, also what was not asked for is found
                    raise self._missing(file, start)
                yield record.cut(start - first)
                start = first + len(record)

    @property
    def is_joined(self) -> bool:
        """Whether the labels of its rows came by another way; ``arrives`` says when."""
        return "join" in self.decoding

    def arrives(self, rows: np.ndarray) -> np.ndarray:
        """Return after which rows the labels of some rows came, given as integers of shape (n,); int64 of shape (n,).

        Raises
        ------
        ValueError
            As ``read``; or if the journal does not say it.
        """
        low, stop = int(rows.min(initial=self.n_rows)), int(rows.max(initial=-1)) + 1
        parts, at = [np.zeros(0, np.int64)], low
        while at < stop:
            parts.append(self._arrivals_from(at))
            at += len(parts[-1])
        return np.concatenate(parts)[rows - low]

    def _arrivals_from(self, row: int) -> np.ndarray:
        """Return after which rows the labels came of those from one on, up to its record's end."""
        first, came = self._latest
        if not first <= row < first + len(came):
            record = next(self.read(row), None) if row >= 0 else None
            if record is None:
                raise ValueError(f"{self.path}: row {row:,} is not there; it has {self.n_rows:,}")
            if record.arrives is None or (record.arrives < row + np.arange(len(record))).any():
                raise Damaged(f"row {row:,}: it does not say after which row its labels came")
            first, came = self._latest = row, record.arrives
        return came[row - first :]

    def _missing(self, file: sqlite3.Connection, row: int) -> ValueError:
        first = _read_record(file, "state", STATE)["first_row"]
        if row >= first:
            return Damaged(f"row {row:,} is missing")
        return ValueError(f"{self.folder}: the rows before {first:,} were given up; row {row:,} is not there any more")


# ---------------------------------------------------------------------- the file


def _json(content: Mapping[str, Any]) -> bytes:
    return sealed(json.dumps(content, separators=(",", ":")).encode())


def _read_record(file: sqlite3.Connection, name: str, kinds: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the journal tells of itself, checked."""
    found = file.execute("SELECT raw FROM told WHERE name = ?", (name,)).fetchall()
    try:
        content = validated(json.loads(unsealed(found[0][0] if found else None)), dict[str, Any])
        if content.get("format", FORMAT) != FORMAT:
            raise Damaged(f"its format is unknown; expected {FORMAT}")
        return content | {each: validated(content.get(each), kind, each) for each, kind in kinds.items()}
    except (ValueError, RecursionError) as error:
        raise Damaged(str(error)) from None


def _connection(path: Path, mode: str = "ro") -> sqlite3.Connection:
    if mode == "ro" and not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists():
        mode = "ro&immutable=1"  # else SQLite makes files beside it
    found = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, check_same_thread=False)
    found.execute("PRAGMA synchronous = FULL")  # what is committed is on the disk
    return found


@contextmanager
def _opened(path: Path, mode: str = "ro") -> Iterator[sqlite3.Connection]:
    if mode == "ro" and not path.is_file():
        raise ValueError(f"{path}: it is not there any more")
    with _in_words(path), closing(_connection(path, mode)) as file:
        yield file


@contextmanager
def _in_words(path: Path) -> Iterator[None]:
    """Raise what is wrong with the file as a ValueError, and what is wrong with the disk as an OSError."""
    try:
        yield
    except (sqlite3.Error, UnicodeError, Damaged) as error:  # the module decodes what a damaged file holds
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in DISK:
            raise OSError(DISK[code], str(error), str(path)) from error
        raise ValueError(f"{path}: it is damaged: {error}") from None


def _locked(folder: Path) -> sqlite3.Connection:
    """Return a lock on a folder, which the system lets go when its process ends.

    Raises
    ------
    Locked
        If somebody else has it, in this process or another.
    """
    with _in_words(folder / LOCK):
        lock = sqlite3.connect(folder / LOCK, timeout=0, check_same_thread=False)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            lock.close()
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise Locked(
                    f"{folder}: another process writes to this journal; open it with sl.load to read it meanwhile"
                ) from None
            raise
        return lock
