"""Read single values of an ARFF file: quoted or plain, between blanks and comments."""

from __future__ import annotations

import re

__all__ = ["BLANKS", "scan_value", "skip_blanks", "split_cells"]

BLANKS = " \t\r"

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


def split_cells(text: str) -> list[tuple[str, bool]]:
    """Return the values of a dense row and whether they were quoted."""
    cells = []
    at = 0
    while True:
        value, quoted, at = scan_value(text, at, ",")
        cells.append((value, quoted))
        if text[at : at + 1] != ",":
            rest = text[at:].strip()
            if rest and not rest.startswith("%"):
                cells[-1] = (value + text[at:], False)
            return cells
        at += 1


def scan_value(text: str, at: int, ends: str | None) -> tuple[str, bool, int]:
    """Read a value from ``at``: (value, was it quoted, position after it and the blanks that follow)."""
    at = skip_blanks(text, at)
    quote = text[at : at + 1]
    if quote in ("'", '"') and quote:
        stop = at + 1
        while stop < len(text) and text[stop] != quote:
            stop += 2 if text[stop] == "\\" else 1
        if stop < len(text):
            value = text[at + 1 : stop]
            if "\\" in value:
                value = _joined(_ESCAPE.sub(_unescaped, value))
            return value, True, skip_blanks(text, stop + 1)
    stop = at
    while stop < len(text) and text[stop] not in (ends or ""):
        if text[stop] == "%" and (stop == 0 or text[stop - 1] in BLANKS):
            break
        stop += 1
    return text[at:stop].strip(), False, stop


def skip_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in BLANKS:
        at += 1
    return at


def _joined(text: str) -> str:
    """Return the text with each pair of surrogates, which Java's escapes write, as the one character it stands for."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _unescaped(match: re.Match[str]) -> str:
    what = match[1]
    return chr(int(what[1:], 16)) if len(what) == 5 else _ESCAPED.get(what, what)
