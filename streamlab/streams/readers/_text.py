"""Text files as blocks of whole lines: plain or gzipped, in any encoding, in bounded memory."""

from __future__ import annotations

import codecs
import gzip
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

from streamlab.streams._checks import shown
from streamlab.streams.limits import LoadWatch
from streamlab.streams.progress import say_reading

__all__ = [
    "checked_encoding",
    "existing_file",
    "line_blocks",
    "numbered_lines",
    "only_line_ends",
    "raw_blocks",
    "stem_of",
]

BLOCK_BYTES = 1 << 20
LINE_BLOCK_BYTES = 1 << 16  # as Python strings the lines of a block take several times its size
_BOMS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def existing_file(path: str | Path) -> Path:
    """Return the path if there is a file.

    Raises
    ------
    ValueError
        If it does not exist or is a folder.
    """
    given = str(path)
    if "\0" in given:
        raise ValueError(f"{shown(given)}: a path cannot hold the character NUL; expected a file")
    try:
        path = Path(path).expanduser()
    except RuntimeError:
        raise ValueError(f"{shown(given)}: there is no such home folder; expected a file") from None
    # os.path answers False for a name that is too long, where Path's methods raise an OSError
    if os.path.isdir(path):
        raise ValueError(f"{path} is a folder; expected a file")
    if not os.path.isfile(path):
        raise ValueError(f"{path} does not exist; expected a file")
    return path


def stem_of(path: Path) -> str:
    """Return the file's name without folder, ``.gz`` and format: ``scene-train`` for ``data/scene-train.arff.gz``."""
    name = path.name
    if name.lower().endswith(".gz"):
        name = name[:-3]
    return Path(name).stem


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
    path: Path, encoding: str = "utf-8", size: int = BLOCK_BYTES, watch: LoadWatch | None = None
) -> Iterator[tuple[bytes, int]]:
    """Yield ``(block, line)``: whole lines as UTF-8, each ended by a newline, and the number of the first of them.

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
        None: the default limits.

    Yields
    ------
    block : bytes
        UTF-8 without byte order mark.
    line : int
        Counted from 1.

    Raises
    ------
    ValueError
        If the file is not in that encoding (named by line and byte column), it cannot be read, its gzip is damaged, or
        a limit is passed.
    """
    watch = watch or LoadWatch(path)
    most, longest = watch.limits.bytes, watch.limits.line_bytes
    newline_is_a_byte = "\n".encode(encoding) == b"\n"
    raw = raw_blocks(path, size)
    if not newline_is_a_byte:
        raw = _transcoded(raw, encoding, path)

    def checked(block: bytes, line: int) -> bytes:
        if not newline_is_a_byte:
            return block
        if encoding not in ("utf-8", "ascii"):
            return _decoded(block, line, encoding, path).encode()
        if not block.isascii():
            _decoded(block, line, encoding, path)
        return block

    def too_long(at: int) -> ValueError:
        return watch.over("line_bytes", f"{path}, line {at}, column 1", f"the line has more than {longest:,} bytes")

    line, passed, waiting = 1, 0, 0
    unfinished: list[bytes] = []
    for data in raw:
        watch.step()
        passed += len(data)
        if passed > most:
            raise watch.over("bytes", f"{path}, line {line}", f"the file has more than {most:,} bytes unpacked")
        cut = data.rfind(b"\n") + 1
        waiting += data.index(b"\n") if cut else len(data)
        if waiting > longest:
            raise too_long(line)
        if cut == 0:
            unfinished.append(data)
            continue
        block = b"".join((*unfinished, data[:cut]))
        if len(block) > longest:
            lengths = map(len, block.split(b"\n"))
            at = next((i for i, n in enumerate(lengths) if n > longest), None)
            if at is not None:
                raise too_long(line + at)
        unfinished = [data[cut:]] if cut < len(data) else []
        waiting = len(data) - cut
        if waiting > longest:
            raise too_long(line + block.count(b"\n"))
        yield checked(block, line), line
        line += block.count(b"\n")
    if unfinished:
        yield checked(b"".join((*unfinished, b"\n")), line), line


def numbered_lines(
    path: Path,
    encoding: str = "utf-8",
    watch: LoadWatch | None = None,
    empty_count: Callable[[], bool] = lambda: True,
) -> Iterator[tuple[int, str]]:
    """Yield ``(number, line)``, counted from 1, the line without its end; raises as ``line_blocks`` does.

    Blocks of empty lines alone are passed over where ``empty_count`` returns false: millions of them are read at once.
    """
    for block, number in line_blocks(path, encoding, LINE_BLOCK_BYTES, watch):
        if not empty_count() and only_line_ends(block):
            continue
        lines = block.decode().split("\n")
        lines.pop()
        if b"\r" in block:
            lines = [text.removesuffix("\r") for text in lines]
        yield from enumerate(lines, number)


def only_line_ends(block: bytes) -> bool:
    """Return whether there is nothing else in the block; six times as fast as ``not block.strip()``."""
    n = block.count(b"\n")
    return n == len(block) or n + block.count(b"\r") == len(block)


def raw_blocks(path: Path, size: int) -> Iterator[bytes]:
    """Yield the file's bytes, unpacked, without the byte order mark of UTF-8."""
    packed = path.name.lower().endswith(".gz")
    first = True
    try:
        with path.open("rb") as on_disk, gzip.open(on_disk, "rb") if packed else nullcontext(on_disk) as file:
            whole = os.fstat(on_disk.fileno()).st_size
            while data := file.read(size):
                yield data.removeprefix(codecs.BOM_UTF8) if first else data
                first = False
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


def _transcoded(raw: Iterator[bytes], encoding: str, path: Path) -> Iterator[bytes]:
    """UTF-16 and the like, whose newline is not the byte of ASCII, as UTF-8."""
    decoder = codecs.getincrementaldecoder(encoding)()
    width = len("\n\n".encode(encoding)) - len("\n".encode(encoding))
    line, column = 1, 1
    for data in _with_end(raw):
        try:
            text = decoder.decode(data or b"", final=data is None)
        except UnicodeDecodeError as error:
            good = error.object[: error.start].decode(error.encoding, errors="replace")
            line += good.count("\n")
            column = (len(good) - good.rfind("\n") - 1) * width + 1 + (0 if "\n" in good else column - 1)
            raise _wrong_encoding(path, line, column, error.object[error.start], encoding) from None
        except UnicodeError as error:
            # UTF-16 and UTF-32 whose order of bytes nothing says
            expected = f"expected a file in {encoding}, or name its own with encoding="
            raise ValueError(f"{path}, line {line}, byte column {column}: {error}; {expected}") from None
        line += text.count("\n")
        column = (len(text) - text.rfind("\n") - 1) * width + 1 + (0 if "\n" in text else column - 1)
        if text:
            yield text.removeprefix("\ufeff").encode()


def _with_end(raw: Iterator[bytes]) -> Iterator[bytes | None]:
    yield from raw
    yield None


def _wrong_encoding(path: Path, line: int, column: int, byte: int, encoding: str, block: bytes = b"") -> ValueError:
    hint = "; it looks like UTF-16 or UTF-32" if line == 1 and block.startswith(_BOMS) else ""
    return ValueError(
        f"{path}, line {line}, byte column {column}: the byte 0x{byte:02x} is not {encoding}{hint}; "
        f"expected a file in {encoding}, or name its own with encoding="
    )
