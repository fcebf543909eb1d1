"""The results of a study in a folder: a Parquet file for each cell, complete or absent, and locks of workers."""

from __future__ import annotations

import io
import json
import os
import secrets
import socket
import time
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamlab._checks import with_type
from streamlab._files import write_whole

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


def psutil() -> Any:
    """Return the module psutil.

    Raises
    ------
    ImportError
        If it is not installed.
    """
    try:
        import psutil as found
    except ModuleNotFoundError as error:
        raise ImportError(f'running a study needs psutil ({error}): pip install "streamlab[study]"') from None
    return found


META = b"streamlab study"
"""What the file's own word for its cell is called in Parquet's metadata."""
CHECK = b"streamlab check"
"""What the checksums are called there, of that word and of the curve: CRC-32 in hexadecimal."""
TOLD = ("key", "status", "message")
"""What every result says in words."""
STALE_S = 60.0
"""Seconds without a sign of life after which another machine's lock is ignored."""


def marked(table: pa.Table, about: Mapping[str, Any]) -> pa.Table:
    """Return a curve with what its result says of the cell, and with checksums of both, as metadata."""
    content = json.dumps(about, ensure_ascii=False).encode()
    return table.replace_schema_metadata({META: content, CHECK: _checks(content, table.to_pandas())})


def _checks(content: bytes, curve: pd.DataFrame) -> bytes:
    """Return the checksums of what is said of a cell, and of the names, types and values of its curve."""
    known = 0
    for name in curve:
        values = curve[name].to_numpy()
        known = zlib.crc32(f"{name} {values.dtype} {values.shape}".encode(), known)
        # numbers all of them; what a damaged file makes of them may be objects
        plain = repr(values.tolist()).encode() if values.dtype.hasobject else values.tobytes()
        known = zlib.crc32(plain, known)
    return f"{zlib.crc32(content):08x} {known:08x}".encode()


class Store:
    """A folder of results, which several processes and machines may share.

    Parameters
    ----------
    folder
        Made if it is not there.

    Raises
    ------
    ValueError
        If there is a file of that name, or the folder cannot be made.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.cells = self.folder / "cells"
        try:
            self.cells.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(
                f"results={str(folder)!r}: the folder cannot be made ({error.strerror or error})"
            ) from None
        self._mine: dict[str, str] = {}
        self._known: dict[str, tuple[tuple[int, int], dict[str, Any]]] = {}

    def path(self, key: str) -> Path:
        """Return where the result of a cell is, or will be."""
        return self.cells / f"{key}.parquet"

    def has(self, key: str) -> bool:
        """Return whether the result of a cell is there."""
        return self.path(key).is_file()

    # ------------------------------------------------------------------ results

    def write(self, key: str, content: bytes) -> None:
        """Keep a result."""
        self.put(self.path(key), content)

    def put(self, path: Path, content: bytes) -> None:
        """Write a file of the folder, which is there whole or not at all."""
        write_whole(path, content)

    def about(self, key: str) -> dict[str, Any] | None:
        """Return what a result says about its cell: status, figures, times, versions; None if there is no result.

        Raises
        ------
        ValueError
            If the file is not a result; it names the file.
        """
        path = self.path(key)
        try:
            # who looks often, as a page does while a study runs, reads each file once
            state = path.stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ValueError(f"{path}: it is not a result of a study ({error})") from None
        version = state.st_mtime_ns, state.st_size
        if key in self._known and self._known[key][0] == version:
            return self._known[key][1]
        try:
            found, _ = self._read(key)
        except FileNotFoundError:  # set aside between the two looks
            return None
        self._known[key] = version, found
        return found

    def curve(self, key: str) -> pd.DataFrame:
        """Return the curve of a cell: a row for each point.

        Raises
        ------
        ValueError
            If there is none, or the file is not a result; it names the file.
        """
        try:
            return self._read(key)[1]
        except FileNotFoundError as error:
            raise ValueError(f"{self.path(key)}: it cannot be read ({error})") from None

    def _read(self, key: str) -> tuple[dict[str, Any], pd.DataFrame]:
        """Return what a result says of its cell, and its curve.

        Raises
        ------
        FileNotFoundError
            If there is none.
        ValueError
            If it is damaged, or no result of this cell.
        """
        import pyarrow.parquet as pq

        path = self.path(key)
        try:
            file = pq.ParquetFile(io.BytesIO(path.read_bytes()))
            metadata = file.metadata.metadata
            content = metadata[META]
            found, curve = json.loads(content), file.read().to_pandas()
            checks = _checks(content, curve)
        except FileNotFoundError:
            raise
        except Exception as error:  # a damaged file makes pyarrow and pandas raise whatever they meet
            raise ValueError(f"{path}: it is not a result of a study ({with_type(error)})") from None
        # results of before have no checksums
        if metadata.get(CHECK, checks) != checks:
            raise ValueError(f"{path}: it is damaged; its checksums do not match. Remove it, and its cell runs again")
        if not isinstance(found, dict) or not all(isinstance(found.get(name), str) for name in TOLD):
            raise ValueError(f"{path}: it is not a result of a study; it lacks {', '.join(TOLD)}")
        if found["key"] != key:
            raise ValueError(f"{path}: it is the result of another cell")
        return found, curve

    def set_aside(self, key: str) -> None:
        """Move a result away, so that its cell runs again; nothing is overwritten."""
        aside = self.folder / "set_aside"
        aside.mkdir(exist_ok=True)
        os.replace(self.path(key), aside / f"{key}-{time.time_ns()}.parquet")

    def sweep(self) -> None:
        """Remove what processes that were killed have left: half-written results, and locks that nobody holds.

        A worker may end its cell when its parent has just been killed: then there is a result and a lock.
        """
        for part in (*self.cells.glob(".*.part"), *self.folder.glob(".*.part")):
            try:
                if time.time() - part.stat().st_mtime > STALE_S:
                    part.unlink()
            except OSError:
                continue
        for lock in self.cells.glob("*.lock"):
            self._remove_stale(lock)

    # ------------------------------------------------------------------ locks

    def take(self, key: str) -> bool:
        """Take a cell, unless it has a result or another process has it; True: this process has it now."""
        if self.has(key):
            return False
        lock = self._lock(key)
        pid = os.getpid()
        owner = {"host": socket.gethostname(), "pid": pid, "begun": _process_start(pid), "token": secrets.token_hex(8)}
        token = json.dumps(owner)
        for _ in range(2):
            try:
                with open(lock, "x") as file:
                    file.write(token)
            except FileExistsError:
                if not self._remove_stale(lock):
                    return False
                continue
            if self.has(key):  # it ended between the two looks
                lock.unlink(missing_ok=True)
                return False
            self._mine[key] = token
            return True
        return False

    def leave(self, key: str) -> None:
        """Let go of a cell that was taken."""
        if key in self._mine:
            self._lock(key).unlink(missing_ok=True)
            del self._mine[key]

    def is_taken(self, key: str) -> bool:
        """Return whether a process that lives is at work on a cell."""
        lock = self._lock(key)
        return lock.exists() and not self._is_stale(lock)

    def show_life(self) -> None:
        """Say that this process is still at work on what it has taken."""
        for key in self._mine:
            try:
                os.utime(self._lock(key))
            except OSError:
                continue

    def _lock(self, key: str) -> Path:
        return self.cells / f"{key}.lock"

    def _is_stale(self, lock: Path) -> bool:
        try:
            changed = lock.stat().st_mtime
            owner = json.loads(lock.read_text())
        except FileNotFoundError:
            return False
        except (OSError, ValueError):
            owner = {}
        if isinstance(owner, Mapping) and owner.get("host") == socket.gethostname() and "pid" in owner:
            return _process_start(owner["pid"]) != owner.get("begun")
        return time.time() - changed > STALE_S

    def _remove_stale(self, lock: Path) -> bool:
        """Remove a lock that nobody holds any more; True: it is gone. Of several processes one has the rename."""
        try:
            known = lock.read_bytes()
        except OSError:
            return not lock.exists()
        if not self._is_stale(lock):
            return False
        beside = lock.with_suffix(f".{secrets.token_hex(4)}.stale")
        try:
            os.rename(lock, beside)
        except OSError:
            return False
        if beside.read_bytes() != known:  # another process was quicker, and this is its new lock
            with suppress(OSError):
                os.link(beside, lock)
            beside.unlink(missing_ok=True)
            return False
        beside.unlink(missing_ok=True)
        return True


def _process_start(pid: Any) -> float | None:
    """Return when a process of this machine began, as numbers are used again; None if it has ended."""
    try:
        return psutil().Process(int(pid)).create_time()
    except (psutil().Error, ValueError, TypeError, OverflowError):
        return None
