"""What reading one file may take (bytes, rows, columns, names, seconds), how it is cancelled, and how far it is."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np

from streamlab._checks import checked_count, is_number

__all__ = ["LoadCancelled", "LoadLimits"]

MAX_CATEGORIES = 1000
"""Different values of one nominal column, from a file or from memory."""
UNPACKED_BYTES = 16 << 20
"""Bytes up to which a file may be packed as well as it can be."""
MOST_DEPTH, DEEPEST = 64, 500
"""How deep JSON nests, unless a limit is given; and at most: Python shows no value of 1,000 levels."""
NAME_BYTES = 32
"""What a name counts beside its letters: about what Python needs to keep it."""


@dataclass(frozen=True)
class LoadLimits:
    """What reading one file may take. A file beyond a limit is refused, with its place and the option to raise.

    Parameters
    ----------
    bytes
        Bytes of the file, unpacked. Default 4 GiB.
    rows
        Rows, where opening counts them (CSV, LibSVM, Parquet). Default 100 million.
    features, labels
        Columns of each kind. Default 100,000 and 10,000.
    line_bytes
        Bytes of one line of text, of one record of a CSV file, or of one text in a Parquet file. Default 8 MiB.
    categories
        Different values of one nominal column. Default 1,000.
    names_bytes
        Bytes of all names of columns and categories together, each with 32 bytes more for keeping it; and of the XML
        file of the labels. Default 16 MiB.
    seconds
        Time to open the file. Default None: without limit.
    depth
        How deep a JSON value may nest, 1 to 500. Default 64; parsers that call themselves end the process.
    expansion
        How many times as large as its packed bytes a gzipped file may become, once it has more than 16 MiB. Default
        250: text that is packed well becomes 3 to 100 times as large, a bomb 1,000 times.

    Raises
    ------
    ValueError
        If a limit is not a number above 0.

    Examples
    --------
    >>> LoadLimits(features=500_000).features
    500000
    """

    bytes: int = 4 << 30
    rows: int = 100_000_000
    features: int = 100_000
    labels: int = 10_000
    line_bytes: int = 8 << 20
    categories: int = MAX_CATEGORIES
    names_bytes: int = 16 << 20
    seconds: float | None = None
    depth: int = MOST_DEPTH
    expansion: int = 250

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name != "seconds":
                checked_count(f"LoadLimits: {each.name}", value, 1, DEEPEST if each.name == "depth" else None)
            elif value is not None and not (is_number(value) and value > 0):
                raise ValueError(f"LoadLimits: seconds={value!r}: expected a number, above 0, or None")


DEFAULT_LIMITS = LoadLimits()


class LoadCancelled(ValueError):
    """Raised where ``cancel`` asked a reader to stop.

    Examples
    --------
    >>> import streamlab as sl
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "notes.csv"
    ...     _ = path.write_text("pitch,loud\\n60,1\\n62,0\\n")
    ...     try:
    ...         sl.load(path, labels=["loud"], cancel=lambda: True)
    ...     except LoadCancelled:
    ...         print("stopped")
    stopped
    """


class LoadWatch:
    """Compare what one reader does with its limits; ask between blocks whether it has to stop.

    Parameters
    ----------
    path
        The file, for messages.
    limits
        What it may take; None: the defaults.
    cancel
        Called without arguments between blocks while the file is opened; the reader stops if it returns true.

    Attributes
    ----------
    stop
        The byte before which the file ends for its reader, as others append to it; None: where it ends.
    """

    def __init__(
        self, path: Path, limits: LoadLimits | None = None, cancel: Callable[[], object] | None = None
    ) -> None:
        if limits is not None and not isinstance(limits, LoadLimits):
            raise ValueError(f"{path}: limits={type(limits).__name__} is unknown; expected LoadLimits(...)")
        if cancel is not None and not callable(cancel):
            raise ValueError(f"{path}: cancel={type(cancel).__name__} cannot be called; expected a function")
        self.path = path
        self.stop: int | None = None
        self.limits = limits or DEFAULT_LIMITS
        self._cancel = cancel
        self._end = None if self.limits.seconds is None else time.monotonic() + self.limits.seconds
        self._names = 0

    def step(self) -> None:
        """Raise ``LoadCancelled`` if the reader has to stop, or a ValueError if its time is over."""
        if self._cancel is not None and self._cancel():
            raise LoadCancelled(f"{self.path}: loading was cancelled")
        if self._end is not None and time.monotonic() > self._end:
            raise self.over("seconds", str(self.path), f"opening it takes more than {self.limits.seconds:g} seconds")

    def left(self) -> LoadLimits:
        """Return the limits with the seconds that are left of them."""
        if self._end is None:
            return self.limits
        self.step()
        return replace(self.limits, seconds=max(self._end - time.monotonic(), 1e-3))

    def opened(self) -> None:
        """Stop asking: the file is open, and its rows may be read as slowly as their reader likes."""
        self._cancel = self._end = None

    def over(self, option: str, where: str, what: str) -> ValueError:
        """Return the error of a limit that is passed: where, what is wrong, and which option raises the limit."""
        return ValueError(
            f"{where}: {what}; if the file is sound, raise the limit with limits=LoadLimits({option}=...)"
        )

    def count(self, option: str, n: int, where: str, what: str) -> None:
        """Raise a ValueError if ``n`` is above the limit of that name; ``what`` names what was counted."""
        limit = getattr(self.limits, option)
        if n > limit:
            found = f"{n:,}" if n < 10**15 else "too many"
            raise self.over(option, where, f"{found} {what}; expected at most {limit:,}")

    def names(self, letters: int, where: str, n: int = 1) -> None:
        """Count ``n`` names of this many bytes in all; raise a ValueError if those of the file are above the limit."""
        self._names += letters + n * NAME_BYTES
        if self._names > self.limits.names_bytes:
            limit = f"{self.limits.names_bytes:,} bytes"
            raise self.over("names_bytes", where, f"the names of columns and categories take more than {limit}")

    def unpacked(self, n: int, packed: int) -> None:
        """Raise a ValueError if ``n`` bytes came of so few packed ones that they are not data."""
        if n > UNPACKED_BYTES and n > self.limits.expansion * packed:
            what = f"{n:,} bytes and more were packed into {packed:,}; expected at most {self.limits.expansion:,} times"
            raise self.over("expansion", str(self.path), what)

    def nesting(self, text: bytes, line: int) -> None:
        """Raise a ValueError if JSON that begins at this line nests deeper than it may."""
        lines = too_deep(text, self.limits.depth)
        if lines is not None:
            what = f"JSON nested more than {self.limits.depth} deep"
            raise self.over("depth", f"{self.path}, line {line + lines}", what)

    def columns(self, n_features: int, n_labels: int, where: str) -> None:
        """Raise a ValueError if there are more features or labels than the limits allow."""
        self.count("features", n_features, where, "features")
        self.count("labels", n_labels, where, "labels")

    def all_columns(self, n: int, where: str) -> None:
        """Raise a ValueError if there are more columns than features and labels together."""
        if n > self.most_columns:
            raise self.over("features", where, f"{n:,} columns; expected at most {self.most_columns:,}")

    @property
    def most_columns(self) -> int:
        """Columns that a file may have: features and labels together."""
        return self.limits.features + self.limits.labels


_ESCAPED = re.compile(rb"\\[^\n]")
_OTHERS = bytes(set(range(256)) - set(b'"[]{}\n'))
_STEPS = np.zeros(256, np.int8)
_STEPS[list(b"[{")], _STEPS[list(b"]}")] = 1, -1


def too_deep(text: bytes, most: int = MOST_DEPTH) -> int | None:
    """Return the lines before the place where JSON nests deeper than ``most``, or None if it nowhere does.

    It reads no values: what it finds is found before a parser can call itself so often.
    """
    if text.count(b"[") + text.count(b"{") <= most:
        return None
    if b"\\" in text:
        text = _ESCAPED.sub(b"", text)
    marks = np.frombuffer(text.translate(None, _OTHERS), np.uint8)
    inside = np.cumsum(marks == ord('"'), dtype=np.uint8) % 2
    deep = np.cumsum(_STEPS[marks] * (1 - inside), dtype=np.int32) > most
    return int((marks[: np.argmax(deep)] == ord("\n")).sum()) if deep.any() else None


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
