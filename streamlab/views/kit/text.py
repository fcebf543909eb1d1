"""Text from outside as text: labels, features, learners, file names and messages, whatever they are made of."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from html import escape
from typing import Any, SupportsFloat

CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
MOST_NAME, MOST_MESSAGE = 80, 600
"""Characters of a name, and of a message, that are displayed."""
MOST_TITLE = 6_000
"""Characters of the whole that a title attribute keeps."""
TAIL = 16
"""Characters at the end of a long text that stay: names often differ there."""
HIDDEN = {"Cc", "Cf", "Zl", "Zp", "Cs", "Co"}
"""Unicode categories without a glyph of their own, or that change how their neighbours are drawn."""


def _visible(character: str) -> str:
    """Return a character, or what stands for one that cannot be seen."""
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"⟨U+{code:04X}⟩" if unicodedata.category(character) in HIDDEN else character


@lru_cache(maxsize=20_000)
def _shown(text: str, most: int) -> str:
    if len(text) > most:
        text = f"{text[: most - TAIL - 1]}…{text[-TAIL:]}"
    # marks that stack on one letter reach over the lines above it
    stacked = 0
    parts = []
    for character in text:
        stacked = stacked + 1 if unicodedata.combining(character) else 0
        if stacked <= 3:
            parts.append(_visible(character))
    return "".join(parts)


def shown(text: Any, most: int = MOST_NAME) -> str:
    """Return a text as it may be displayed where nothing is parsed.

    Control and bidirectional characters are written as symbols (``␀``, ``⟨U+202E⟩``); a long text is cut in its middle.

    Parameters
    ----------
    text
        The text; anything else is written as ``str`` has it.
    most
        Characters kept.
    """
    text = str(text)
    if text.isascii() and text.isprintable() and len(text) <= most:
        return text
    return _shown(text, most)


def all_shown(names: Iterable[str], most: int = MOST_NAME) -> list[str]:
    """Return names as :func:`shown` has them, each of them different: one that would repeat gets a number."""
    known: set[str] = set()
    found = []
    for name in names:
        short, number = shown(name, most), 1
        text = short
        while text in known:
            number += 1
            text = f"{short} ({number})"
        known.add(text)
        found.append(text)
    return found


def as_html(text: Any, most: int = MOST_NAME) -> str:
    """Return a text as HTML that shows it as :func:`shown` does; the whole of a cut one is in a title attribute."""
    text = str(text)
    brief = escape(shown(text, most))
    if len(text) <= most:
        return brief
    return f'<span title="{escape(shown(text, MOST_TITLE))}">{brief}</span>'


def message_html(text: Any) -> str:
    """Return a message as HTML, with more room than a name has; each line of it stays a line."""
    lines = shown("\n".join(line for line in str(text).splitlines() if line.strip()), MOST_MESSAGE)
    return escape(lines).replace("\u240a", "<br>")


def numbered(n: int) -> str:
    """Return the mark of the ``n``-th drift, from 1: ``"①"``."""
    return CIRCLED[n - 1] if 1 <= n <= len(CIRCLED) else f"({n})"


def with_minus(number: str) -> str:
    """Return a number as people read it: with a true minus sign."""
    return number.replace("-", "−")


def signed_text(value: float, digits: int = 2) -> str:
    """Return a difference with its sign and so many digits."""
    return with_minus(f"{value:+.{digits}f}")


def roughly(n: int) -> int:
    """Return an estimated number of rows in two figures, as more of them would not be true.

    >>> roughly(5803), roughly(96)
    (5800, 96)
    """
    return round(n, 2 - len(str(n)))


def score_text(value: SupportsFloat, digits: int = 2) -> str:
    """Return a measure with so many digits, rounded as the browser rounds it: what is halfway goes away from 0.

    Examples
    --------
    >>> score_text(0.125), score_text(-0.5)
    ('0.13', '−0.50')
    """
    return with_minus(str(Decimal(float(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)))


def number_text(value: Any, digits: int = 4) -> str:
    """Return a number of an event's detail as people read it: with digits enough to follow a difference of two."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, (int, float)):
        return str(value)
    return with_minus(f"{value:,.0f}" if isinstance(value, int) or abs(value) >= 100 else f"{value:.{digits}g}")


def in_bytes(n: float) -> str:
    """Return a number of bytes for people."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n >= size:
            return f"{n / size:,.3g} {unit}"
    return f"{n:.0f} B"


def shown_within(value: Any) -> Any:
    """Return a message to the browser with all texts in it, at any depth, as :func:`shown` has them."""
    if isinstance(value, str):
        return shown(value, MOST_MESSAGE)
    if isinstance(value, dict):
        return {key: shown_within(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [shown_within(each) for each in value]
    return value
