"""How far a file has been read: readers say it block by block to listeners on their thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

__all__ = ["hear_reading", "say_reading"]

Hear = Callable[[Path, int, int], None]
_hear: ContextVar[Hear | None] = ContextVar("streamlab_reading", default=None)


@contextmanager
def hear_reading(hear: Hear) -> Iterator[None]:
    """Call ``hear(path, done, size)`` after each block that this thread reads of a text file.

    Parameters
    ----------
    hear
        ``done`` and ``size`` are bytes of the file as it is on disk, packed or not. A file may be read more than once:
        its first block alone, and then the whole.

    Examples
    --------
    >>> import streamlab as sl
    >>> heard = []
    >>> with hear_reading(lambda path, done, size: heard.append(f"{done / size:.0%} of {path.name}")):
    ...     stream = sl.load("yeast")
    >>> heard[-1]
    '100% of yeast.csv.gz'
    """
    token = _hear.set(hear)
    try:
        yield
    finally:
        _hear.reset(token)


def say_reading(path: Path, done: int, size: int) -> None:
    """Tell the listener of this thread, if there is one, how many bytes of a file have been read."""
    hear = _hear.get()
    if hear is not None:
        hear(path, done, size)
