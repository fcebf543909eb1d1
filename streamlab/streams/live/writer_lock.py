"""One writer at a time: a lock on a folder, which the system lets go when its process ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["Locked", "WriterLock"]


class Locked(ValueError):
    """Somebody else writes to the folder."""


class WriterLock:
    """A lock on a folder.

    Parameters
    ----------
    folder
        The folder, in which there is a file ``lock`` from now on.

    Raises
    ------
    Locked
        If somebody else has it, in this process or another.
    """

    def __init__(self, folder: Path) -> None:
        self._file = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(self._file, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            self._file = -1
            raise Locked(
                f"{folder}: somebody writes to this journal already; open it with sl.load to read it beside them"
            ) from None

    def release(self) -> None:
        """Let it go; a second time does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1
