"""A file that grows, CSV or JSON lines: read by byte offset, a line as soon as its end is there."""

from __future__ import annotations

import os
import stat
import time
import zlib
from collections.abc import Mapping, Sequence
from io import FileIO
from pathlib import Path
from typing import ClassVar

from streamlab._checks import checked_count, shown
from streamlab.streams.readers._text import cr_alone

from streamlab_live.addresses import Address
from streamlab_live.decoding import MESSAGE_BYTES, names_in
from streamlab_live.source import Message, Offset, Source, waited_for

__all__ = ["FileSource"]

BLOCK_BYTES = 1 << 20
HEAD_BYTES = 1 << 16
"""Bytes at the beginning of a file that are compared with what they were, at most."""
LOOK_SECONDS = 0.05


class FileSource(Source):
    """The lines of a file to which others append.

    A line counts when its line end is there. Offsets are bytes from the file's beginning, after the line. A file that
    was cut short or replaced by another is an error that names the offset; nothing is read a second time.

    Parameters
    ----------
    path
        The file. While it is not there, the reader waits for it.
    format
        ``"csv"`` or ``"json"`` (an object on each line); None: as the file's name ends.
    header
        Whether the first line of a CSV file holds the names of its columns. Default True.
    most_bytes
        Bytes of a line; of a longer one only this many are kept in memory, and it is handed on as too long.

    Raises
    ------
    ValueError
        If the path is invalid, or its name does not tell the format; while reading: if it is not a regular file.
    """

    options: ClassVar[Mapping[str, str]] = {"header": "yes or no: whether the first line of CSV holds the names"}
    of_files = True
    title = "A file that grows (CSV, JSON lines)"
    where = ("Path of the file", "/var/log/requests.csv")
    guarantee = (
        "Exactly once, also after a crash: rows and byte offsets are one record of the journal. The file must only "
        "grow; one that was cut short or replaced stops the reading with the offset."
    )

    def __init__(
        self,
        path: str | Path,
        *,
        format: str | None = None,
        header: bool = True,
        most_bytes: int = MESSAGE_BYTES,
    ) -> None:
        if "\0" in str(path) or not str(path):
            raise ValueError(f"{shown(str(path))}: expected the path of a file")
        self.path = Path(path).expanduser().absolute()
        if os.path.isdir(self.path):
            raise ValueError(f"{self.path} is a folder; expected a file (parts:FOLDER reads Parquet files of a folder)")
        suffix = self.path.suffix.lower()
        known = {".csv": "csv", ".tsv": "csv", ".jsonl": "json", ".ndjson": "json", ".json": "json"}
        if format is None and suffix not in known:
            raise ValueError(f"{self.path}: the name does not tell the format; expected format=csv or format=json")
        self.format = known[suffix] if format is None else format
        self.has_header = self.format == "csv" and header
        self.name = f"tail:{self.path}"
        self.partition = self.path.name
        self.most_bytes = most_bytes
        self._file: FileIO | None = None
        self._at = 0
        self._searched = 0
        self._head: tuple[int, int] | None = None
        self._has_noted_head = False
        self._notes: tuple[str, ...] = ()

    @classmethod
    def from_address(cls, address: Address) -> FileSource:
        """Return the source of ``tail:/path/to/file``."""
        return cls(
            address.path,
            format=None if "format" not in address.options else address.choice("format", ("csv", "json"), "csv"),
            header=address.choice("header", ("yes", "no"), "yes") == "yes",
            most_bytes=address.count("most_bytes", MESSAGE_BYTES),
        )

    def columns(self, separator: str | None = None) -> tuple[list[str], str] | None:
        """Return the names in the header of a CSV file, and what separates its cells; None where there is no header.

        Raises
        ------
        ConnectionError
            If the file is not there, or its first line has no end yet.
        ValueError
            If the first line is not a valid CSV, or the separator is not one character.
        """
        return names_in(self._header(), separator, f"{self.path}, line 1") if self.has_header else None

    def _header(self) -> bytes:
        """Return the first line, with its end."""
        file = self._opened()
        file.seek(0)
        line = file.readline(max(self.most_bytes, MESSAGE_BYTES) + 1)
        if not line.endswith(b"\n"):
            if b"\r" in line.rstrip(b"\r"):
                raise cr_alone(self.path, 1)
            raise ConnectionError(f"{self.path}: its first line has no end yet; expected the names of the columns")
        return line

    def seek(self, offsets: Mapping[str, Offset]) -> None:
        self._close_file()
        at = checked_count(f"{self.path}: offset", offsets.get(self.partition), optional=True)
        if at is None:
            at = len(self._header()) if self.has_header else 0
        self._at = self._searched = at
        self._check()

    def poll(self, most: int, timeout: float) -> list[Message]:
        found = waited_for(lambda: self._lines(most), timeout, LOOK_SECONDS)
        if not found:
            self._check_place()
        return found

    def notes(self) -> Sequence[str]:
        return self._notes

    def settled(self, refused: Mapping[int, str]) -> None:
        self._notes = ()

    def remember(self, notes: Sequence[str]) -> None:
        for note in notes:
            kind, _, rest = note.partition(" ")
            length, _, checksum = rest.partition(" ")
            if kind == "head" and length.isdigit() and checksum.isdigit():
                self._head, self._has_noted_head = (int(length), int(checksum)), True

    def lag(self) -> int | None:
        """Return how many bytes wait to be read."""
        return None if self._file is None else max(0, os.fstat(self._file.fileno()).st_size - self._at)

    def close(self) -> None:
        self._close_file()

    # ------------------------------------------------------------------ helpers

    def _opened(self) -> FileIO:
        if self._file is None:
            try:
                if not stat.S_ISREG(os.stat(self.path).st_mode):  # to open a pipe would wait for who writes to it
                    raise ValueError(
                        f"{self.path} is not a regular file; expected a growing file that can be read again from any "
                        "byte on"
                    )
                # without a buffer: what was written over must be seen
                self._file = open(self.path, "rb", buffering=0)  # noqa: SIM115
            except FileNotFoundError:
                raise ConnectionError(f"{self.path} is not there") from None
            except OSError as error:
                raise ConnectionError(f"{self.path} cannot be read: {error.strerror}") from None
        return self._file

    def _close_file(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _check(self) -> None:
        """Raise a ValueError if the file is not the one that was read before."""
        file = self._opened()
        size = os.fstat(file.fileno()).st_size
        if size < self._at:
            raise ValueError(
                f"{self.path} was cut short: it has {size:,} bytes and was read up to byte {self._at:,}; nothing is "
                "read a second time. Begin a new journal to read it from its beginning"
            )
        if self._head is not None:
            file.seek(0)
            if zlib.crc32(file.read(self._head[0])) != self._head[1]:
                raise self._replaced()
        if self._at > 0:
            file.seek(self._at - 1)
            if file.read(1) != b"\n":
                raise self._replaced()

    def _check_place(self) -> None:
        """Raise a ValueError if another file has taken the place of the one that is read, which is read to its end."""
        assert self._file is not None, "it was opened"
        own = os.fstat(self._file.fileno())
        try:
            there = os.stat(self.path)
        except OSError:
            self._close_file()
            raise ConnectionError(f"{self.path} is not there any more; it was read up to byte {self._at:,}") from None
        if (own.st_dev, own.st_ino) != (there.st_dev, there.st_ino):
            raise self._replaced()

    def _replaced(self) -> ValueError:
        return ValueError(
            f"{self.path} is another file than the one that was read up to byte {self._at:,}: it was replaced or "
            "written over. Begin a new journal to read it"
        )

    def _lines(self, most: int) -> list[Message]:
        self._check()
        file = self._opened()
        file.seek(self._searched)
        raw = file.read(BLOCK_BYTES)
        end = raw.rfind(b"\n")
        if end < 0:
            self._searched += len(raw)  # a line that goes on: look behind it the next time
            return []
        if self._searched > self._at:
            found = [self._long(file, self._searched + raw.index(b"\n") + 1)]
            self._searched = self._at
            return [message for message in found if message.value.strip()]
        messages: list[Message] = []
        now, at = time.time(), self._at
        for line in raw[:end].split(b"\n"):
            at += len(line) + 1
            self._at = at
            if line.strip():
                messages.append(Message(self.partition, at, now, line[: self.most_bytes + 1].rstrip(b"\r\n")))
                if len(messages) >= most:
                    break
        self._searched = self._at
        self._know_head(file, messages)
        return messages

    def _long(self, file: FileIO, end: int) -> Message:
        """Return a line longer than a block; only so much of it is kept as shows that it is too long."""
        file.seek(self._at)
        value = file.read(min(end - self._at, self.most_bytes + 1)).rstrip(b"\r\n")
        self._at = end
        return Message(self.partition, end, time.time(), value)

    def _know_head(self, file: FileIO, messages: Sequence[Message]) -> None:
        """Keep a checksum of the file's first line of data and what stands before it, by which it is known again."""
        if self._has_noted_head or not messages or not isinstance(messages[0].offset, int):
            return
        length = min(messages[0].offset, HEAD_BYTES)
        file.seek(0)
        self._head, self._has_noted_head = (length, zlib.crc32(file.read(length))), True
        self._notes = (f"head {self._head[0]} {self._head[1]}",)
