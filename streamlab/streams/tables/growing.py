"""A table to which others append: its rows as a live stream, read by the rules of any other table."""

from __future__ import annotations

import bisect
import logging
import os
import threading
import time
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator
from itertools import islice, takewhile
from pathlib import Path
from typing import Any, Self

import numpy as np

from streamlab._checks import check_only, checked_count, existing_file, open_regular
from streamlab.streams.blocks import csr_of, stacked
from streamlab.streams.limits import LoadLimits, LoadWatch
from streamlab.streams.readers._text import Mark
from streamlab.streams.stream import Stream
from streamlab.streams.tables.guess import guess_table, kind_of
from streamlab.streams.tables.opening import TABLE_OPTIONS, say

__all__ = ["GrowingTable"]

OPTIONS = ("learn", *(name for name in TABLE_OPTIONS if name not in ("title", "moment", "limits", "cancel")))
LEARN_LINES = 500
BLOCK_BYTES = 1 << 18
LOOK_SECONDS = 0.05

logger = logging.getLogger("streamlab")


class GrowingTable(Stream):
    """The rows of a CSV or JSON-lines file to which others append, as they come.

    ``load("tail:rows.csv")`` opens one. A line is a row as soon as its end is there. The file is read again to go back,
    so it must only grow: one that is cut short or replaced is an error that names the byte. What columns hold is learnt
    from the first lines; a later line that does not go with that, or lacks a label, is left out, counted, and logged
    the first time.

    Parameters
    ----------
    path
        The file, with its first rows.
    labels, options
        As of ``load`` for a file, but for ``title`` and ``moment``; and ``learn``, of how many lines at the most
        columns are learnt, default 500: always the same ones, so that an archive finds the same columns again.
    limits, cancel
        As of ``load``; they hold for the lines that columns are learnt from, and a line's bytes for all.

    Attributes
    ----------
    available
        Rows that can be read now.
    ended
        Whether it was closed; then ``available`` is its length.
    n_left_out
        Lines that are no rows.
    why_left_out
        What is wrong with the latest of them; empty: there are none.

    Raises
    ------
    ValueError
        If the file is not there, is packed or in UTF-16, or an option does not go with it. While reading: if it was cut
        short or replaced.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = Path(folder.name) / "rows.csv"
    >>> _ = path.write_text("load,slow\\n" + "0.5,0\\n0.9,1\\n" * 10)
    >>> stream = GrowingTable(path, labels="slow")
    >>> with path.open("a") as file:
    ...     _ = file.write("hot,0\\n0.25,1\\n0.7")
    >>> stream.has_rows(0, 21), stream.available, stream.n_left_out
    (True, 21, 1)
    >>> stream.close()
    >>> sum(len(chunk) for chunk in stream.chunks(5))
    21
    >>> folder.cleanup()
    """

    is_live = True

    def __init__(
        self,
        path: str | Path,
        *,
        labels: Any = None,
        learn: int = LEARN_LINES,
        limits: LoadLimits | None = None,
        cancel: Callable[[], object] | None = None,
        **options: Any,
    ) -> None:
        self.path = existing_file(path).absolute()
        self.name = f"tail:{self.path}"
        check_only(self.name, options, OPTIONS)
        if self.path.suffix.lower() == ".gz" or kind_of(self.path) == "parquet":
            raise ValueError(f"{self.name}: expected CSV or JSON lines, not packed: a text to which lines are appended")
        watch = LoadWatch(self.path, limits, cancel)
        words = {name: options.pop(name) for name in ("n_labels", "n_features", "vectorizer") if name in options}
        with open_regular(self.path) as file:
            status = os.fstat(file.fileno())
            read = iter(lambda: file.readline(watch.limits.line_bytes + 1), b"")
            lines = list(islice(takewhile(lambda line: line.endswith(b"\n"), read), checked_count("learn", learn, 2)))
        self._place, watch.stop = (status.st_dev, status.st_ino), sum(map(len, lines))
        guess = guess_table(self.path, labels=labels, watch=watch, **options)
        encoding = "utf-8" if guess.layout is None else guess.layout.encoding
        if "\n".encode(encoding) != b"\n":
            raise ValueError(f"{self.name}: its encoding is {encoding}; expected one in which a line end is one byte")
        self._encoding, self._longest = encoding, watch.limits.line_bytes
        self._table = guess.stream(watch=watch, **words)
        say(guess, self._table)
        self.schema, self.is_sparse = self._table.schema, self._table.is_sparse
        X = np.empty((0, self.schema.n_features))
        self._none = csr_of(X) if self.is_sparse else X, np.empty((0, self.schema.n_labels), np.uint8)
        source: Any = self._table.source
        above = source.text.first_line - 1
        begin = sum(map(len, lines[:above])) or len(BOM_UTF8) * lines[0].startswith(BOM_UTF8)
        self._end = Mark(0, above + 1, begin)
        self._marks = [self._end]
        self._alone = threading.Lock()
        self.ended, self._trouble = False, ""
        self.n_left_out, self.why_left_out = 0, ""
        self._look()

    @property
    def available(self) -> int:
        """Rows that can be read now."""
        return self._end.row

    @property
    def columns(self) -> Any:
        """What each column is taken for, and why."""
        return self._table.columns

    def has_rows(self, start: int, n: int) -> bool:
        if self.available < start + n and not self.ended:
            self._look()
        return self.ended or self.available >= start + n

    def why_waiting(self) -> str:
        return self._trouble

    def blocks(self, start: int = 0) -> Iterator[tuple[Any, np.ndarray]]:
        place = self._marks[bisect.bisect_right(self._marks, start, key=lambda mark: mark.row) - 1]
        while True:
            is_all = self.ended  # first: whoever sees it has all rows
            for behind, (X, Y), _ in self._parts(place, self._end.offset):
                skipped, place = max(start - place.row, 0), behind
                if skipped < len(Y):
                    yield X[skipped:], Y[skipped:]
            if place.offset == self._end.offset:
                if is_all:
                    return
                if not self.has_rows(place.row, 1):
                    time.sleep(LOOK_SECONDS)

    def close(self) -> None:
        """Follow the file no more: the stream ends behind the rows that are there."""
        self.ended = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ------------------------------------------------------------------ helpers

    def _look(self) -> None:
        """Take in the lines that have come since."""
        with self._alone:
            try:
                status = os.stat(self.path)
            except OSError as error:
                self._trouble = f"{self.path} cannot be read: {error.strerror}"
                return
            self._trouble = ""
            for behind, _, wrong in self._parts(self._end, status.st_size):
                for why in wrong:
                    if not self.n_left_out:
                        logger.warning("a line is left out, as others like it will be: %s", why)
                    self.n_left_out, self.why_left_out = self.n_left_out + 1, why
                if behind.offset - self._marks[-1].offset >= BLOCK_BYTES:
                    self._marks.append(behind)
                self._end = behind

    def _parts(self, place: Mark, stop: int) -> Iterator[tuple[Mark, tuple[Any, np.ndarray], list[str]]]:
        """Yield the place behind some whole lines, their rows, and what is wrong with those that are none.

        Raises
        ------
        ValueError
            If the file is another than it was, or shorter, or a line is too long.
        """
        with open_regular(self.path) as file:
            status, read = os.fstat(file.fileno()), self._end.offset
            if (status.st_dev, status.st_ino) != self._place or status.st_size < read:
                how = "was cut short" if status.st_size < read else "was replaced by another file"
                raise ValueError(f"{self.path} {how}: it was read up to byte {read:,}; open it as a new stream")
            file.seek(place.offset)
            rest = b""
            while data := file.read(min(BLOCK_BYTES, stop - place.offset - len(rest))):
                end = data.rfind(b"\n") + 1
                block, rest = rest + data[:end], data[end:] if end else rest + data
                if len(rest) > self._longest:
                    where = f"{self.path}, behind line {place.line - 1:,}"
                    raise ValueError(f"{where}: a line has more than {self._longest:,} bytes")
                if end:
                    parts, wrong = self._rows_in(block, place.row, place.line)
                    X, Y = zip(*(parts or [self._none]), strict=True)
                    rows = stacked(X), np.concatenate(Y)
                    place = Mark(place.row + len(rows[1]), place.line + block.count(b"\n"), place.offset + len(block))
                    yield place, rows, wrong

    def _rows_in(self, block: bytes, row: int, line: int) -> tuple[list[tuple[Any, np.ndarray]], list[str]]:
        """Return the rows of some lines, in parts: what cannot be read is halved down to the lines that are no rows."""
        try:
            return [self._read(block, row, line)], []
        except ValueError as error:
            why = [str(error)] if block.strip() else []
        n = block.count(b"\n") // 2
        if not n:
            return [], why
        behind = block.split(b"\n", n)[n]
        found, wrong = self._rows_in(block[: -len(behind)], row, line)
        more, others = self._rows_in(behind, row, line + n)
        return found + more, wrong + others

    def _read(self, block: bytes, row: int, line: int) -> tuple[Any, np.ndarray]:
        text = block.decode(self._encoding)
        return self._table.rows_in(block if self._encoding == "utf-8" else text.encode(), row, line)
