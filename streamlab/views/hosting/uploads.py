"""Uploaded files on disk: one folder per server process, which goes with the process however it ends."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

PREFIX = "streamlab-uploads-"
MOST_BYTES_OF_NAME = 200
"""File systems take names of 255 bytes."""
FORBIDDEN = re.compile(r"[\x00-\x1f\x7f/\\]")

_root: Path | None = None
_lock = threading.Lock()


def new_folder() -> Path:
    """Return a new folder for a page's uploads, below the one of this process; only its owner can read it."""
    global _root
    with _lock:
        if _root is None or not _root.is_dir():
            remove_left_behind()
            _root = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
            atexit.register(_remove, _root, os.getpid())
        return Path(tempfile.mkdtemp(dir=_root))


def _remove(folder: Path, owner: int) -> None:
    # a process that was forked from the server leaves its folder alone
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def remove_left_behind() -> None:
    """Remove the folders of processes that have ended without doing so: they were killed, or the machine stopped."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        number = folder.name.removeprefix(PREFIX).split("-")[0]
        try:
            about = folder.lstat()
            mine = not hasattr(os, "getuid") or about.st_uid == os.getuid()
            if not number.isdecimal() or not mine or not folder.is_dir() or folder.is_symlink():
                continue
            if not _began_before(int(number), about.st_mtime):
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue


def _began_before(process: int, seconds: float) -> bool:
    """Whether a process that began before a time still runs; a later process may have the same number."""
    try:
        return psutil.Process(process).create_time() <= seconds + 1
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True


def remove_when_told_to_end() -> None:
    """Have SIGTERM and SIGHUP remove this process's uploads before they do what they did; call it on the main thread.

    Without it a signal ends Python at once, and nothing that was registered for its end is called.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is None:
            continue
        before = signal.getsignal(number)
        if before not in (signal.SIG_IGN, None) and not getattr(before, "_removes_uploads", False):
            signal.signal(number, _handler(before))


def _handler(before: Any) -> Callable[[int, Any], None]:
    def handle(number: int, frame: Any) -> None:
        if _root is not None:
            _remove(_root, os.getpid())
        if callable(before):
            before(number, frame)
        else:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            # the kernel ignores that for process 1, which a container's is
            os._exit(128 + number)

    handle._removes_uploads = True  # type: ignore[attr-defined]
    return handle


def path_for(folder: Path, name: str) -> Path:
    """Return the path of an upload in a folder, under a name that every file system takes.

    Parameters
    ----------
    folder
        A page's folder, which exists.
    name
        What the browser calls the file: anything. Folders in it, control characters and what is too long are left
        out; the endings, by which formats are known, stay, in small letters.
    """
    plain = FORBIDDEN.sub("", re.split(r"[/\\]", name)[-1]).encode("utf-8", "replace").decode().strip(". ") or "upload"
    stem, dot, endings = plain.partition(".") if plain.count(".") == 1 else _endings(plain)
    keep = MOST_BYTES_OF_NAME - len((dot + endings).encode())
    stem = stem.encode()[: max(keep, 1)].decode("utf-8", "ignore")
    return folder / f"{stem}{dot}{endings.lower()}"


def _endings(name: str) -> tuple[str, str, str]:
    """Split a name before its ending, of at most ten characters; ``.gz`` has another before it."""
    match = re.fullmatch(r"(.+?)\.([^.]{1,10}(?:\.gz)?)", name, re.IGNORECASE | re.DOTALL)
    return (match[1], ".", match[2]) if match else (name, "", "")
