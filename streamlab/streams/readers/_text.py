"""Text files as blocks of whole lines: plain or gzipped, in any encoding, in bounded memory; and where rows begin."""

from __future__ import annotations

import bisect
import codecs
import gzip
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from streamlab._checks import in_unicode, open_regular, shown
from streamlab.streams.limits import LoadWatch, say_reading

LINE_BLOCK_BYTES = 1 << 16  # as Python strings the lines of a block take several times its size
COLUMN_BYTES, MOST_BLOCK_BYTES = 2800, 1 << 24
"""Bytes of a table that are read at a time for each column, and at most: pyarrow takes its time for each of a block."""
NEWLINE = 10
GZIP = b"\x1f\x8b\x08"
_BOMS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Mark(NamedTuple):
    """A place between two blocks of a file: the rows before it, the number of its line, and its byte when unpacked."""

    row: int
    line: int
    offset: int


START = Mark(0, 1, 0)


class Block(Protocol):
    """Rows that were read at once."""

    @property
    def n_rows(self) -> int: ...

    def cut(self, begin: int, end: int) -> Any:
        """Return the rows from ``begin`` to ``end``."""


B = TypeVar("B", bound=Block)


class TextRows:
    """A text file of rows, read in blocks of lines from any row on.

    Where its blocks begin is noted as they are read: so a row is found later without what lies before it. When its
    size or time has changed, that is forgotten.

    Parameters
    ----------
    path, encoding, watch
        The file, what it is written in, and the limits that hold.
    size
        Bytes read at a time.
    first_line
        The rows begin there.
    """

    def __init__(self, path: Path, encoding: str, watch: LoadWatch, size: int, first_line: int = 1) -> None:
        self._path, self._encoding, self._watch, self._marks = path, encoding, watch, [START]
        self.size, self.first_line = size, first_line
        self._stamp = self._stamp_now()

    def blocks(self, since: Mark = START, size: int | None = None) -> Iterator[tuple[bytes, int, int | None]]:
        """Yield what ``line_blocks`` does of the lines from the first on."""
        size = self.size if size is None else size
        return line_blocks(self._path, self._encoding, size, self._watch, since=since, first_line=self.first_line)

    def batches(
        self, start: int, read: Callable[..., Iterable[B]], whole: Callable[..., Iterator[tuple]] = iter
    ) -> Iterator[B]:
        """Yield the rows from ``start`` on.

        Parameters
        ----------
        start
            Position of the first.
        read
            Called with the position of a block's first row and what there is of the block; returns its rows.
        whole
            Called with the blocks; yields them such that records are not cut, and perhaps more about each.
        """
        stamp = self._stamp_now()
        if stamp != self._stamp:
            self._stamp, self._marks = stamp, [START]
        marks = self._marks
        mark = marks[bisect.bisect_right(marks, start, key=lambda mark: mark.row) - 1]
        at = mark.row
        for block, line, offset, *more in whole(self.blocks(mark)):
            if offset is not None and at > marks[-1].row:
                # one call, so that two threads that read the file leave the marks in order
                bisect.insort(marks, Mark(at, line, offset))
            for found in read(at, block, line, *more):
                skipped, n = max(start - at, 0), found.n_rows
                if skipped < n:
                    yield found.cut(skipped, n)
                at += n

    def _stamp_now(self) -> tuple[int, int]:
        try:
            status = os.stat(self._path)
        except OSError:  # the reader says that the file cannot be read
            return 0, 0
        return status.st_size, status.st_mtime_ns


def stem_of(path: Path) -> str:
    """Return the file's name without folder, ``.gz`` and format: ``scene-train`` for ``data/scene-train.arff.gz``.

    Bytes of it that are not UTF-8 are shown as a replacement character: names of streams are sent and written.
    """
    name = path.name
    if name.lower().endswith(".gz"):
        name = name[:-3]
    return in_unicode(Path(name).stem)


def checked_encoding(encoding: str) -> str:
    """Return the codec's own name.

    Raises
    ------
    ValueError
        If Python knows no text encoding of that name.
    """
    try:
        name = codecs.lookup(encoding).name
        "".encode(name)
    except (LookupError, ValueError, TypeError):
        raise ValueError(
            f"encoding={shown(encoding)} is not known to Python; expected a name such as 'utf-8'"
        ) from None
    return "utf-8" if name == "utf-8-sig" else name  # a byte order mark is dropped in any case


def line_blocks(
    path: Path, encoding: str, size: int, watch: LoadWatch, *, since: Mark = START, first_line: int = 1
) -> Iterator[tuple[bytes, int, int | None]]:
    """Yield ``(block, line, offset)``: whole lines as UTF-8, each ended by a newline, and where the first of them is.

    Parameters
    ----------
    path
        A file, gzipped if its name ends in ``.gz``.
    encoding
        What the file is written in, as ``checked_encoding`` returned it.
    size
        Bytes read at a time; a block is about as long, or as long as a line if that is longer.
    watch
        Its limits hold for the bytes of the file and of a line, and it is asked before each block whether to stop.
    since
        Where to begin; default: at the beginning.
    first_line
        Lines before this one are checked and passed over. Default 1.

    Yields
    ------
    block : bytes
        UTF-8 without byte order mark.
    line : int
        Counted from 1.
    offset : int or None
        Of the unpacked file's bytes; None where the block does not begin at a byte that is known.

    Raises
    ------
    ValueError
        If the file is not in that encoding (named by line and byte column), it cannot be read, its gzip is damaged, or
        a limit is passed.
    """
    longest = watch.limits.line_bytes
    newline_is_a_byte = "\n".encode(encoding) == b"\n"
    raw = raw_blocks(path, size, watch, since.offset)
    if not newline_is_a_byte:
        raw = _transcoded(raw, encoding, path)

    def placed(block: bytes, line: int, offset: int) -> tuple[bytes, int, int | None]:
        if not newline_is_a_byte:
            return block, line, None
        if encoding not in ("utf-8", "ascii"):
            return _decoded(block, line, encoding, path).encode(), line, offset
        if not block.isascii():
            _decoded(block, line, encoding, path)
        return block, line, offset

    line, begin, passed, rest = since.line, since.offset, since.offset, b""
    for at_byte, data in raw:
        watch.step()
        passed += len(data)
        watch.count("bytes", passed, f"{path}, line {line}", "bytes unpacked")
        if passed == len(data) and b"\r" in data[:-1] and b"\n" not in data:
            raise cr_alone(path, 1)
        if not rest:
            begin = at_byte
        text = rest + data
        if len(text) > longest:
            for at, n in enumerate(map(len, text.split(b"\n")), line):
                if n > longest:
                    what = f"the line has more than {longest:,} bytes"
                    raise watch.over("line_bytes", f"{path}, line {at}, column 1", what)
        cut = text.rfind(b"\n") + 1
        block, rest = text[:cut], text[cut:]
        # what waits to be asked for more keeps one block, not three
        del data, text
        whole = placed(block, line, begin)
        begin += cut
        if line < first_line:
            whole = _without_lines(whole, first_line - line)
        if whole[0]:
            yield whole
        line += int(np.count_nonzero(np.frombuffer(block, np.uint8) == NEWLINE))  # bytes.count takes ten times as long
    if rest and line >= first_line:
        yield placed(rest + b"\n", line, begin)


def _without_lines(whole: tuple[bytes, int, int | None], n: int) -> tuple[bytes, int, int | None]:
    """Return a block without its first ``n`` lines, or an empty one if it has no more."""
    block, line, _ = whole
    parts = block.split(b"\n", n)
    return parts[n] if len(parts) > n else b"", line + n, None


def numbered_lines(path: Path, encoding: str, watch: LoadWatch) -> Iterator[tuple[int, str]]:
    """Yield ``(number, line)``, counted from 1, the line without its end; raises as ``line_blocks`` does."""
    for block, number, _ in line_blocks(path, encoding, LINE_BLOCK_BYTES, watch):
        yield from enumerate(lines_of(block), number)


def lines_of(block: bytes) -> list[str]:
    """Return the lines of a block, without their ends."""
    lines = block.decode().split("\n")
    lines.pop()
    return [text.removesuffix("\r") for text in lines] if b"\r" in block else lines


def cr_alone(path: Path, line: int) -> ValueError:
    """Return the error of a file whose lines end as no reader here takes them."""
    return ValueError(
        f"{path}, line {line}: a carriage return (CR) stands where a line ends, as old Macintosh programs write it; "
        "expected LF or CR LF: save the file with such line ends, as by tr '\\r' '\\n'"
    )


def raw_blocks(path: Path, size: int, watch: LoadWatch, offset: int = 0) -> Iterator[tuple[int, bytes]]:
    """Yield the file's bytes, unpacked, from a byte on, without the byte order mark of UTF-8, each with its offset.

    Raises
    ------
    ValueError
        If it cannot be read, is packed twice or is not named so, or becomes larger than ``watch`` allows.
    """
    packed = path.name.lower().endswith(".gz")
    try:
        with open_regular(path) as on_disk, gzip.open(on_disk, "rb") if packed else nullcontext(on_disk) as file:
            whole = os.fstat(on_disk.fileno()).st_size
            file.seek(offset)
            while data := file.read(size if watch.stop is None else min(size, watch.stop - offset)):
                begin, offset = offset, offset + len(data)
                if packed:
                    watch.unpacked(offset, on_disk.tell())
                if begin == 0 and data.startswith(GZIP):
                    what = "unpacked, it is a gzip file once more: unpack it by gunzip, and load what comes out"
                    raise ValueError(f"{path}: {what if packed else 'it is a gzip file: let its name end in .gz'}")
                if begin == 0 and data.startswith(codecs.BOM_UTF8):
                    begin, data = len(codecs.BOM_UTF8), data.removeprefix(codecs.BOM_UTF8)
                yield begin, data
                say_reading(path, on_disk.tell(), whole)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"{path}: the gzip file is damaged or cut short ({error})") from None
    except OSError as error:
        raise ValueError(f"{path}: the file cannot be read ({error.strerror or error})") from None


def _decoded(block: bytes, line: int, encoding: str, path: Path) -> str:
    try:
        return block.decode(encoding)
    except UnicodeDecodeError as error:
        line += block.count(b"\n", 0, error.start)
        column = error.start - block.rfind(b"\n", 0, error.start)
        raise _wrong_encoding(path, line, column, block[error.start], encoding, block) from None


def _transcoded(raw: Iterator[tuple[int, bytes]], encoding: str, path: Path) -> Iterator[tuple[int, bytes]]:
    """UTF-16 and the like, whose newline is not the byte of ASCII, as UTF-8."""
    decoder = codecs.getincrementaldecoder(encoding)()
    width = len("\n\n".encode(encoding)) - len("\n".encode(encoding))
    line, column = 1, 1

    def behind(text: str) -> tuple[int, int]:
        within = text.rpartition("\n")[2]
        return line + text.count("\n"), len(within) * width + (column if "\n" not in text else 1)

    for data in chain((block for _, block in raw), [None]):
        try:
            text = decoder.decode(data or b"", final=data is None)
        except UnicodeDecodeError as error:
            line, column = behind(error.object[: error.start].decode(error.encoding, errors="replace"))
            raise _wrong_encoding(path, line, column, error.object[error.start], encoding) from None
        except UnicodeError as error:
            # UTF-16 and UTF-32 without a mark of their byte order
            expected = f"expected a file in {encoding}, or name its own with encoding="
            raise ValueError(f"{path}, line {line}, byte column {column}: {error}; {expected}") from None
        line, column = behind(text)
        if text:
            yield 0, text.removeprefix("\ufeff").encode()


def _wrong_encoding(path: Path, line: int, column: int, byte: int, encoding: str, block: bytes = b"") -> ValueError:
    hint = "; it looks like UTF-16 or UTF-32" if line == 1 and block.startswith(_BOMS) else ""
    return ValueError(
        f"{path}, line {line}, byte column {column}: the byte 0x{byte:02x} is not {encoding}{hint}; "
        f"expected a file in {encoding}, or name its own with encoding="
    )
