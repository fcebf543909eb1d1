"""Guess what a text file is written in, from its first bytes and its first that are not ASCII."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from pathlib import Path

from streamlab.streams.limits import LoadWatch
from streamlab.streams.readers._text import raw_blocks

SAMPLE_BYTES = 1 << 16
"""Bytes that are looked at; ``charset_normalizer`` takes a second for a megabyte."""
_WESTERN = frozenset("ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿŒœŠšŽžŸ€‚„…‘’“”–—°§«»¿¡ªº©®µ£²³")
_WITHIN_WORDS = re.compile(r"(?<=[A-Za-z])[^\x00-\x7f]|[^\x00-\x7f](?=[A-Za-z])|[€°§«»¿¡„“”‚‘’–—…²³©®µ£]")
BEGIN_BYTES, NEAR_BYTES = 1 << 15, 512
"""Of the file's first bytes, and of those before the first that is not ASCII."""
_OTHER = re.compile(rb"[\x80-\xff]")
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x19\x1c-\x1f\x7f]")
"""Bytes that text has next to never; pictures, programs and packed files have them all over."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),  # a byte order mark is dropped by the readers
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def guess_encoding(path: Path, watch: LoadWatch) -> tuple[str, bool]:
    """Return the encoding of a file, and whether it is sure: a byte order mark, UTF-8, or nothing but ASCII.

    A file that is ASCII far on is read up to its first other byte: what it is written in shows there alone.

    Raises
    ------
    ValueError
        If the file cannot be read, is not text, or a limit is passed.
    """
    sample = b""
    for block in _from_other(path, watch):
        for mark, name in _BOMS if not sample else ():
            if block.startswith(mark):
                return name, True
        sample += block[: SAMPLE_BYTES - len(sample)]
        if len(sample) >= SAMPLE_BYTES:
            break
    if sample.isascii() and b"\0" not in sample:
        return "utf-8", True
    zeros = sample[:4096]
    if zeros.count(0) > len(zeros) // 4:
        # letters of Latin scripts: every other byte is 0, and which one says the order
        return ("utf-16-le" if zeros[1::2].count(0) > zeros[::2].count(0) else "utf-16-be"), False
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(sample)
    except UnicodeDecodeError:
        odd = _NO_TEXT.findall(sample)
        if len(odd) > max(2, len(sample) // 50):
            share = f"{len(odd):,} of its first {len(sample):,} bytes"
            what = f"{share} are no characters, the first of them {odd[0][0]:#04x}"
            raise ValueError(
                f"{path}: this is not a text file: {what}; expected a table as text, or its encoding="
            ) from None
        return _of_one_byte(sample), False
    return "utf-8", True


def _from_other(path: Path, watch: LoadWatch) -> Iterator[bytes]:
    """Yield the first block, and then those from the first that is not ASCII."""
    first, other, passed, line = True, False, 0, 0
    for _, block in raw_blocks(path, 1 << 20, watch=watch):
        watch.step()
        passed += len(block)
        watch.count("bytes", passed, str(path), "bytes unpacked")
        end = block.rfind(b"\n")
        line = line + len(block) if end < 0 else len(block) - end - 1
        if line > watch.limits.line_bytes:
            return  # the reader refuses the line, and says where it is
        # ten times as fast as to search, where there is nothing to find
        at = None if other or block.isascii() else _OTHER.search(block)
        if other:
            yield block
        elif at is not None:
            other = True
            # the letters before it say what language it is
            begin = max(0, at.start() - NEAR_BYTES)
            yield (
                block[:BEGIN_BYTES] + block[begin:] if first and begin > BEGIN_BYTES else block[0 if first else begin :]
            )
        elif first:
            yield block[:BEGIN_BYTES]
        first = False


def _of_one_byte(sample: bytes) -> str:
    try:
        western = sample.decode("cp1252")
    except UnicodeDecodeError:
        western = ""
    others = [character for character in western if character > "\x7f"]
    within = len(_WITHIN_WORDS.findall(western))
    # letters with accents amid plain ones: a few of them are too little for statistics
    if others and all(character in _WESTERN for character in others) and within >= 0.5 * len(others):
        return "cp1252"
    from charset_normalizer import from_bytes

    best = from_bytes(sample).best()
    if best is not None and str(best) != western:
        return best.encoding
    return "cp1252" if western else "latin-1"
