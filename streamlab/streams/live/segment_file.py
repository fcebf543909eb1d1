"""The file that a journal appends to: what is appended is there whole or not at all."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

__all__ = ["SegmentFile"]

FLAGS = os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0)


class SegmentFile:
    """A file to which one thread appends, and which any thread may bring to the disk.

    Made with ``begin`` or ``resume``.

    Attributes
    ----------
    size
        Bytes of what was appended whole.
    """

    def __init__(self, file: int, size: int) -> None:
        self.size = size
        self._file = file
        self._is_torn = self._is_unsynced = False
        self._synced_at = time.monotonic()
        self._alone = threading.Lock()

    @classmethod
    def begin(cls, path: Path, raw: bytes) -> Self:
        """Make a file that begins with these bytes, and let the disk have it.

        Raises
        ------
        OSError
            If the disk does not take it; then there is no such file.
        """
        made = cls(os.open(path, FLAGS | os.O_CREAT | os.O_TRUNC, 0o600), 0)
        try:
            made.append(raw)
            made.sync()
            _sync_folder(path.parent)
        except BaseException:
            made._let_go()
            with suppress(OSError):
                path.unlink()
            raise
        return made

    @classmethod
    def resume(cls, path: Path, size: int) -> Self:
        """Go on in a file, of which so many bytes are whole; what stands behind them is cut off.

        Raises
        ------
        OSError
            If the disk does not let it.
        """
        found = cls(os.open(path, FLAGS), size)
        try:
            if os.fstat(found._file).st_size > size:
                os.ftruncate(found._file, size)
            os.fsync(found._file)
        except BaseException:
            found._let_go()
            raise
        return found

    def append(self, raw: bytes) -> None:
        """Append bytes: they go to the system at once, and to the disk with ``sync``.

        Raises
        ------
        OSError
            If the disk does not take them; nothing is appended then.
        """
        if self._is_torn:
            self._cut_off()
        left = memoryview(raw)
        try:
            while left:
                left = left[os.write(self._file, left) :]
        except BaseException:
            self._is_torn = True
            with suppress(OSError):  # else before the next bytes
                self._cut_off()
            raise
        self.size += len(raw)
        self._is_unsynced = True

    def _cut_off(self) -> None:
        os.ftruncate(self._file, self.size)
        self._is_torn = False

    def sync(self) -> None:
        """Let the disk have everything that was appended.

        Raises
        ------
        OSError
            If it does not take it; what was appended stays appended, and the next time tries again.
        """
        with self._alone:
            if self._is_unsynced and self._file >= 0:
                # before the disk is asked: it may not have what is appended meanwhile
                self._is_unsynced = False
                try:
                    os.fsync(self._file)
                except BaseException:
                    self._is_unsynced = True
                    raise
                self._synced_at = time.monotonic()

    def sync_if_due(self, seconds: float) -> None:
        """Do so, if so many seconds have passed since the last time."""
        if self._is_unsynced and time.monotonic() - self._synced_at >= seconds:
            self.sync()

    def close(self) -> None:
        """Let the disk have everything, and append no more; a second time does nothing."""
        try:
            self.sync()
        finally:
            self._let_go()

    def _let_go(self) -> None:
        with self._alone:
            if self._file >= 0:
                os.close(self._file)
                self._file = -1


def _sync_folder(folder: Path) -> None:
    """Let the disk have the names of the files in a folder."""
    if hasattr(os, "O_DIRECTORY"):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
