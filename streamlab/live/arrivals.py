"""When the labels of a joined stream's rows came: a number for each row, in a file beside its journal."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from streamlab.streams.labelling import NEVER, Labelling

FILE = "arrivals"
MAGIC = b"SLARRIV1"
HEADER_BYTES = 16
KIND = np.dtype("<i8")


class Arrivals:
    """A file of the positions after which labels came: eight bytes for each row of a journal, in their order.

    It is written before the rows, so that it never has fewer than the journal.

    Parameters
    ----------
    folder
        The journal's.
    journal_id
        The journal's own mark, 16 hexadecimal digits.
    write
        Whether to write to it; the file is made if it is not there.

    Raises
    ------
    ValueError
        If the file is that of another journal, or is not there and not to be made.
    """

    def __init__(self, folder: Path, journal_id: str, *, write: bool = False) -> None:
        self.path = folder / FILE
        self._map: np.ndarray | None = None
        self._file = -1
        header = MAGIC + bytes.fromhex(journal_id)[:8].ljust(8, b"\0")
        if write:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
            if os.fstat(self._file).st_size < HEADER_BYTES:  # new, or a crash came while it was begun
                self._put(header, 0)
                os.fsync(self._file)
        try:
            with open(self.path, "rb") as file:
                found = file.read(HEADER_BYTES)
        except FileNotFoundError:
            found = b""
        if found != header:
            self.close()
            raise ValueError(f"{self.path}: it does not say when the labels of this journal's rows came")

    def write(self, row: int, arrives: np.ndarray) -> None:
        """Write those of the rows from ``row`` on, and let the disk have them.

        Raises
        ------
        OSError
            If the disk does not take them.
        """
        self._put(np.ascontiguousarray(arrives, KIND).tobytes(), HEADER_BYTES + row * KIND.itemsize)
        os.fsync(self._file)

    def _put(self, raw: bytes, at: int) -> None:
        os.lseek(self._file, at, os.SEEK_SET)
        left = memoryview(raw)
        while left:
            left = left[os.write(self._file, left) :]

    def of(self, rows: np.ndarray) -> np.ndarray:
        """Return the values of some rows, given as integers of shape (n,); int64 of shape (n,).

        Raises
        ------
        ValueError
            If a row is not there, or the file was altered.
        """
        if not len(rows):
            return np.zeros(0, np.int64)
        low, high = int(rows.min()), int(rows.max())
        if self._map is None or high >= len(self._map):
            n = (self.path.stat().st_size - HEADER_BYTES) // KIND.itemsize
            if low < 0 or high >= n:
                raise ValueError(f"{self.path}: row {low if low < 0 else high:,} is not there; it has {n:,}")
            self._map = np.memmap(self.path, KIND, "r", offset=HEADER_BYTES, shape=(n,))
        elif low < 0:
            raise ValueError(f"{self.path}: row {low:,} is not there; it has {len(self._map):,}")
        found = np.asarray(self._map[rows], np.int64)
        if (found < rows).any():
            wrong = int(rows[found < rows][0])
            raise ValueError(f"{self.path}: the labels of row {wrong:,} came before it; expected what was written")
        return found

    def close(self) -> None:
        """Write no more; a second time does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path, "_map": None, "_file": -1}


@dataclass(frozen=True)
class JoinedLabelling(Labelling):
    """When the labels of a joined stream came, and what else delays or hides them.

    Parameters
    ----------
    arrivals
        The file that says it.
    """

    arrivals: Arrivals | None = None

    def arrives(self, rows: np.ndarray) -> np.ndarray:
        rows = np.asarray(rows, np.int64)
        assert self.arrivals is not None, "a joined stream has it"
        further = super().arrives(rows)
        came = self.arrivals.of(rows)
        return np.where(further == NEVER, NEVER, further - rows + came)
