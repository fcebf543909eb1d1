"""Parquet files that arrive in a folder one after the other, read in the order of their names, by name and row."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from datetime import time as daytime
from pathlib import Path
from typing import Any, ClassVar

from streamlab._checks import one_line, shown

from streamlab_live.addresses import Address
from streamlab_live.journal import MOST_NOTES
from streamlab_live.source import Message, Offset, Source, waited_for

__all__ = ["ParquetSource"]

LOOK_SECONDS = 0.2
BATCH_ROWS = 1000
PARTITION = "parts"
NOTE, WHOLE = "part ", "whole "
MOST_KNOWN = 10_000
UNREADABLE = "value that cannot be read"
UNHELD = (ArithmeticError, LookupError, NotImplementedError, TypeError, ValueError)
"""Raised for an Arrow value that Python cannot hold: a date too late, a text that is not UTF-8."""


class ParquetSource(Source):
    """The rows of the Parquet files of a folder, to which others add files.

    Files are read in the order of their names. Each is best written under a name that begins with a dot, and then
    renamed; one that cannot be read yet is tried again. Offsets are the file's name and how many of its rows were
    read. Rows become JSON objects, dates texts of ISO 8601. A value that Python cannot hold, such as a date behind the
    year 9999 or a text that is not UTF-8, becomes one that no column takes: the row is refused if the column counts.

    Parameters
    ----------
    folder
        The folder. While it is not there, the reader waits for it.

    Raises
    ------
    ValueError
        If the path is invalid. While reading: if a new file's name sorts before one that was read, or if the file that
        is read has fewer rows than before, or disappears before all of it was read.
    """

    options: ClassVar[Mapping[str, str]] = {}
    of_files = True
    title = "A folder that Parquet files come into"
    where = ("Path of the folder", "/data/requests")
    format = "json"
    guarantee = (
        "Exactly once, also after a crash: rows and the place in their file are one record of the journal. Files "
        "have to come whole, under names that rise; one that comes under an earlier name stops the reading."
    )

    def __init__(self, folder: str | Path) -> None:
        if "\0" in str(folder) or not str(folder):
            raise ValueError(f"{shown(str(folder))}: expected the path of a folder")
        self.folder = Path(folder).expanduser().absolute()
        if os.path.isfile(self.folder):
            raise ValueError(f"{self.folder} is a file; expected a folder with Parquet files (tail:FILE reads a file)")
        self.name = f"parts:{self.folder}"
        self._file, self._row = "", 0
        # names of files that were read, and whether earlier ones were forgotten
        self._known: set[str] = set()
        self._forgot = False
        self._notes: list[str] = []
        # files of which all rows were read, with how many these are; None: as many as the journal's offset says
        self._whole: dict[str, int | None] = {}
        self._n_rows = -1
        self._rows: Iterator[tuple[int, bytes]] | None = None
        self._is_done = True

    @classmethod
    def from_address(cls, address: Address) -> ParquetSource:
        """Return the source of ``parts:/path/to/folder``."""
        return cls(address.path)

    def seek(self, offsets: Mapping[str, Offset]) -> None:
        given = offsets.get(PARTITION)
        self._rows, self._is_done = None, True
        if given is None:
            self._file, self._row = "", 0
            self._whole, self._notes = {}, []
            return
        name, _, row = str(given).rpartition(":")
        if not row.isdigit() or not name or "/" in name or "\\" in name:
            raise ValueError(f"{self.folder}: invalid offset {shown(given)}; expected a file's name and a row")
        self._file, self._row = name, int(row)
        self._is_done = name in self._whole and self._whole[name] in (None, self._row)
        # what was polled and not written is read, and noted, again; that this file is whole is still to be written
        self._whole = {name: self._row} if self._is_done else {}
        self._notes = [note for note in self._notes if self._is_done and note == f"{WHOLE}{name}"]

    def poll(self, most: int, timeout: float) -> list[Message]:
        return waited_for(lambda: self._next(most), timeout, LOOK_SECONDS)

    def notes(self) -> Sequence[str]:
        return list(self._notes)

    def remember(self, notes: Sequence[str]) -> None:
        self._forgot |= len(notes) >= MOST_NOTES  # the journal keeps no more
        for note in notes:
            if note.startswith(NOTE):
                self._know(note.removeprefix(NOTE))
            elif note.startswith(WHOLE):
                self._whole = {note.removeprefix(WHOLE): None}

    def settled(self, refused: Mapping[int, str]) -> None:
        self._notes.clear()
        self._whole = {name: rows for name, rows in self._whole.items() if name == self._file}

    def lag(self) -> int | None:
        """Return how many files wait to be read; of the one that is read, nothing is said."""
        try:
            return sum(name > self._file for name in self._names())
        except ConnectionError:
            return None

    def close(self) -> None:
        self._rows = None

    # ------------------------------------------------------------------ helpers

    def _know(self, name: str) -> None:
        """Keep the name of a file that was read: one between such names is told when it comes."""
        self._known.add(name)
        if len(self._known) > MOST_KNOWN:
            self._known.remove(min(self._known))
            self._forgot = True

    def _names(self) -> list[str]:
        try:
            found = [each for each in os.listdir(self.folder) if each.lower().endswith(".parquet")]
        except FileNotFoundError:
            raise ConnectionError(f"{self.folder} is not there") from None
        except OSError as error:
            raise ConnectionError(f"{self.folder} cannot be read: {error.strerror}") from None
        return sorted(name for name in found if not name.startswith((".", "_")))

    def _next(self, most: int) -> list[Message]:
        names = self._names()
        if self._is_done:
            self._check(names)
            later = [name for name in names if name > self._file]
            if not later:
                return []
            self._know(later[0])
            self._notes.append(f"{NOTE}{later[0]}")
            self._file, self._row, self._is_done, self._rows = later[0], 0, False, None
        if self._rows is None:
            if self._file not in names:
                if any(name > self._file for name in names):
                    raise ValueError(
                        f"{self.folder / self._file} is gone after {self._row:,} of its rows were read; it may have "
                        "had more. Begin a new journal"
                    )
                return []
            self._rows = self._read(self.folder / self._file, self._row)
        messages: list[Message] = []
        when = self._time_of(self.folder / self._file)
        for row, value in self._rows:
            self._row = row
            messages.append(Message(PARTITION, f"{self._file}:{row}", when, value))
            if row == self._n_rows:
                break  # the note that the file is whole goes into the record of its last row
            if len(messages) >= min(most, BATCH_ROWS):
                return messages
        self._rows, self._is_done = None, True
        self._whole[self._file] = self._row
        self._notes.append(f"{WHOLE}{self._file}")
        return messages

    def _check(self, names: list[str]) -> None:
        # of names before the first one that is known nothing can be said where some were forgotten
        first = "" if self._known and not self._forgot else min(self._known, default=self._file)
        for name in names:
            if first < name < self._file and name not in self._known:
                raise ValueError(
                    f"{self.folder / name} came after {self._file}, whose name is behind it: it would never be read. "
                    "Give files names that rise, such as a time, and begin a new journal"
                )

    def _time_of(self, path: Path) -> float:
        try:
            return path.stat().st_mtime
        except OSError:
            return time.time()

    def _read(self, path: Path, start: int) -> Iterator[tuple[int, bytes]]:
        """Yield the rows from one on, each with the number of rows up to it."""
        import pyarrow as pa
        import pyarrow.parquet as parquet

        if not path.is_file():  # to open a pipe would wait for who writes to it
            raise ConnectionError(f"{path} is not a regular file, or no longer exists")
        try:
            with parquet.ParquetFile(path) as file:
                if file.metadata.num_rows < start:
                    raise ValueError(
                        f"{path} has {file.metadata.num_rows:,} rows, of which {start:,} were read already: it is "
                        "another file. Begin a new journal"
                    )
                at, self._n_rows = 0, file.metadata.num_rows
                for group in range(file.metadata.num_row_groups):
                    n = file.metadata.row_group(group).num_rows
                    if at + n <= start:
                        at += n
                        continue
                    for batch in file.iter_batches(batch_size=BATCH_ROWS, row_groups=[group]):
                        rows = _rows_of(batch) if at + len(batch) > start else [None] * len(batch)
                        for row in rows:
                            at += 1
                            if at > start and row is not None:
                                yield at, _object(row)
        except (pa.ArrowInvalid, pa.ArrowException, OSError) as error:
            # perhaps it is not whole yet
            why = one_line(error, 200)
            raise ConnectionError(f"{path}: no Parquet file that can be read, behind row {start:,} ({why})") from None


def _rows_of(batch: Any) -> list[dict[str, Any]]:
    """Return the rows of a batch; a value that Python cannot hold becomes one that no column takes."""
    try:
        return batch.to_pylist()
    except UNHELD:
        return [_row_of(batch, place) for place in range(len(batch))]


def _row_of(batch: Any, place: int) -> dict[str, Any]:
    return {name: _cell(batch.column(i)[place]) for i, name in enumerate(batch.schema.names)}


def _cell(cell: Any) -> Any:
    try:
        return cell.as_py()
    except UNHELD as error:
        return {UNREADABLE: one_line(error, 200)}


def _object(row: Mapping[str, Any]) -> bytes:
    return json.dumps({name: _plain(value) for name, value in row.items()}).encode()


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, (date, datetime, daytime)):
        return value.isoformat()
    if isinstance(value, bytes):
        return value[:200].decode("utf-8", "backslashreplace")
    return str(value)
