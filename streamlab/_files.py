"""Write files whole: beside their place, kept by the disk, then moved there."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from streamlab._checks import shown

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

MOST_NAME = 40
"""Characters of a file's name in that of its part: the name of a file may not be long."""


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Yield a file beside ``path``, which takes its place when what is done inside is over and the disk has it.

    Whenever the program ends, ``path`` is the file of before or the new one. A program that is killed may leave the
    file beside it, whose name begins with a point and ends with ``.part``: ``remove_part`` removes it. A link stays,
    and what it leads to is replaced; a file that is replaced keeps its permissions.

    Raises
    ------
    ValueError
        If there is something at ``path`` that is no regular file: a folder, a device, a pipe.
    OSError
        If the file cannot be written; ``path`` is as it was.
    """
    given = os.fspath(path)
    if "\0" in given:
        raise ValueError(f"{shown(given)}: a path cannot hold the character NUL; expected a file")
    path = Path(os.path.realpath(given))
    try:
        mode: int | None = path.stat().st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        raise ValueError(f"{given}: there is a folder, a device, a pipe or a socket; expected a file, or none yet")
    beside = path.with_name(f".{path.name[:MOST_NAME]}.{secrets.token_hex(6)}.part")
    try:
        with open(beside, "xb") as file:
            _lock(file.fileno())
            yield file
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(beside, stat.S_IMODE(mode))
        os.replace(beside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise
    _keep_folder(path.parent)


def write_whole(path: str | os.PathLike[str], content: bytes | str) -> None:
    """Write a file, text as UTF-8, as ``replacing`` does.

    Raises
    ------
    ValueError
        As ``replacing``; also if text has a character that UTF-8 has not: half of a pair.
    OSError
        If the file cannot be written; ``path`` is as it was.
    """
    raw = content.encode("utf-8") if isinstance(content, str) else content
    with replacing(path) as file:
        file.write(raw)


def remove_part(path: Path) -> bool:
    """Remove what ``replacing`` wrote beside a file; returns False, and keeps it, if somebody still writes it."""
    try:
        with open(path, "rb") as file:
            if not _lock(file.fileno()):
                return False
            if fcntl is not None:
                path.unlink()
        if fcntl is None:  # Windows removes no file that somebody has open
            path.unlink()
    except OSError:
        return False
    return True


def _lock(handle: int) -> bool:
    """Hold a file until it is closed; False where somebody else does. A process that ends, however, holds none."""
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # also where the file system has no locks
        return False
    return True


def _keep_folder(folder: Path) -> None:
    """Have the disk keep the folder's new entry, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows opens no folders
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
