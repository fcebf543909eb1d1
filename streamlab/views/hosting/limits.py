"""What one server process gives to its pages: how many live at once, how much each may upload, and a folder for that.

Uploads are in one folder per process, which goes with the process however it ends.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import os
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from streamlab._checks import checked_choice
from streamlab.lab.snapshots import DEFAULT_BUDGET
from streamlab.streams.limits import LoadLimits

MEGABYTE = 1_000_000
LOADING = LoadLimits(bytes=1 << 30, seconds=120)
"""What opening an uploaded file may take: 1 GiB unpacked, and 120 seconds.

A table of 100 MB takes 8 seconds of a processor that it has to share with the pages that play. The page shows how much
has been read, and stops reading when people choose something else or leave.
"""


@dataclass
class Limits:
    """Limits of a server; set before it serves.

    Parameters
    ----------
    pages
        Pages with a run that live at once; the default is 20, or the environment's ``STREAMLAB_MOST_PAGES``.
    upload_megabytes
        Size of an upload, all of its files together; the default is 200, or ``STREAMLAB_MOST_UPLOAD_MB``.
    live
        Whether pages may open live streams: anyone with a page open can then read files and servers as the server's
        user does. The default is no, or yes where ``STREAMLAB_LIVE`` is 1.
    """

    pages: int
    upload_megabytes: int
    live: bool = False

    @classmethod
    def of_environment(cls) -> Limits:
        """Return the limits that the environment's variables ask for.

        Raises
        ------
        ValueError
            If a variable is not a whole number from 1 on, or ``STREAMLAB_LIVE`` is neither 0 nor 1.
        """
        live = os.environ.get("STREAMLAB_LIVE", "") or "0"
        checked_choice("STREAMLAB_LIVE", live, ("0", "1"))
        return cls(_number("STREAMLAB_MOST_PAGES", 20), _number("STREAMLAB_MOST_UPLOAD_MB", 200), live == "1")

    @property
    def snapshot_bytes(self) -> int:
        """What the snapshots of one page's run may take: all pages together 1 GiB, and a page at least 32 MiB."""
        return min(DEFAULT_BUDGET, max(2**25, 2**30 // self.pages))

    @property
    def upload_bytes(self) -> int:
        """Size of an upload in bytes."""
        return self.upload_megabytes * MEGABYTE


def _number(name: str, default: int) -> int:
    text = os.environ.get(name, "")
    if not text:
        return default
    if not text.isdecimal() or int(text) < 1:
        raise ValueError(f"{name}={text!r}: expected a whole number from 1 on")
    return int(text)


class Seats:
    """Places for the pages that have a run; a page takes one and gives it back, at the latest when it is forgotten."""

    def __init__(self) -> None:
        self._taken: weakref.WeakSet[Any] = weakref.WeakSet()
        self._lock = threading.Lock()

    def take(self, page: Any, most: int) -> bool:
        """Take a place for a page, which may have it already; False if all are taken."""
        with self._lock:
            if page not in self._taken and len(self._taken) >= most:
                return False
            self._taken.add(page)
            return True

    def full(self, most: int) -> bool:
        """Whether all places are taken."""
        with self._lock:
            return len(self._taken) >= most

    def leave(self, page: Any) -> None:
        """Give a page's place back; it may have none."""
        with self._lock:
            self._taken.discard(page)


LIMITS = Limits.of_environment()
"""The limits of this process."""
SEATS = Seats()
"""Of the pages that this process serves."""

GIVE_BACK_S = 8.0
"""So long after a page has ended its memory is given back, together with that of others that end meanwhile.

Panel's own tasks hold the document that was closed last for five seconds or more.
"""
_ending: list[float] = []
"""When the pages ended whose memory is still to be given back; while there is one, a timer runs."""
_ending_lock = threading.Lock()


def give_back_memory() -> None:
    """Give the memory of pages that have ended back to the system, soon, in a thread of its own.

    Their parts refer to each other, so that only the garbage collector frees them, which else comes when others have
    taken as much. What is free then, glibc would keep: up to a third of what many pages took together.
    """
    with _ending_lock:
        _ending.append(time.monotonic())
        if len(_ending) == 1:
            _begin_timer()


def _begin_timer() -> None:
    timer = threading.Timer(GIVE_BACK_S, _give_back)
    timer.name, timer.daemon = "streamlab memory", True
    timer.start()


def _give_back() -> None:
    gc.collect()
    if sys.platform == "linux":
        # not every C library has it
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)
    with _ending_lock:
        # what ended meanwhile may not be free yet
        _ending[:] = [each for each in _ending if time.monotonic() - each < GIVE_BACK_S]
        if _ending:
            _begin_timer()


def full_message() -> str:
    """Return what a page says for which there is no place."""
    pages = "1 page is" if LIMITS.pages == 1 else f"{LIMITS.pages:,} pages are"
    full = f"This server is full: {pages} open, which is the most it allows."
    return f"{full} Close another one, and reload this page half a minute later."


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


def remove_at_exit_signal() -> None:
    """Have SIGTERM and SIGHUP end Python as Ctrl-C does, by way of what is registered for its end; on the main thread.

    Without it a signal ends Python at once, and uploads stay. Where somebody else hears a signal, it is left to them.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, lambda received, _: sys.exit(128 + received))


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
