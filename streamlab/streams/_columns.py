"""Which columns of a table are labels, and other small questions that every reader asks alike."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

import numpy as np

from streamlab.schema import first_duplicate

__all__ = [
    "MAX_CATEGORIES",
    "few",
    "is_count",
    "label_positions",
    "label_range",
    "named_positions",
    "near",
    "number_in",
    "shown",
]

MAX_CATEGORIES = 1000


def few(names: Sequence[object]) -> str:
    """The first eight names, quoted, and how many there are in all."""
    first = ", ".join(map(shown, names[:8]))
    return first if len(names) <= 8 else f"{first}, … ({len(names):,} in all)"


def shown(value: object) -> str:
    """``repr``, cut after 60 characters: a message stays one line of bearable length whatever stands in a file."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…{text[0] if isinstance(value, str) else ''}"


def near(name: str, names: Sequence[str]) -> str:
    """``"; did you mean 'yeast'?"``, or nothing if no name is near."""
    close = difflib.get_close_matches(name, names, n=3)
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""


def is_count(value: object) -> bool:
    """Whether ``value`` is an integer and no bool."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def number_in(text: str) -> float | None:
    """As ``float``, but None for what is no number; ``1_000``, which Python accepts, is none."""
    try:
        return None if "_" in text else float(text)
    except ValueError:
        return None


def label_range(n: int, n_columns: int, what: str) -> list[int]:
    """MEKA's convention: the positions of the first ``n`` columns, or of the last ``-n``.

    Raises
    ------
    ValueError
        If ``n`` is 0 or leaves no column for a feature; the message begins with ``what`` and ``n``.
    """
    if n_columns < 2:
        raise ValueError(f"{what}{n}: there is but one column; expected at least one label and one feature")
    if not 0 < abs(n) < n_columns:
        raise ValueError(f"{what}{n}: expected 1 to {n_columns - 1} labels (negative: the last columns)")
    return list(range(n)) if n > 0 else list(range(n_columns + n, n_columns))


def label_positions(columns: Sequence[str], labels: int | str | Sequence[str] | None, source: str) -> list[int]:
    """The positions of the labels among the named columns, in the order of the columns.

    Parameters
    ----------
    columns
        The names of all columns.
    labels
        A name, a list of names, or a number as in ``label_range``.
    source
        What the columns belong to, for messages.

    Raises
    ------
    ValueError
        If ``labels`` is None, names no such column, names one twice, or leaves no feature.
    """
    if labels is None:
        raise ValueError(f"{source}: which columns are labels? expected labels= (names, or a number: the first n)")
    if is_count(labels):
        return label_range(int(labels), len(columns), f"{source}: labels=")
    names = [labels] if isinstance(labels, str) else list(labels)
    if not names:
        raise ValueError(f"{source}: labels=[] is empty; expected at least one column")
    twice = first_duplicate(names)
    if twice is not None:
        raise ValueError(f"{source}: labels= names {twice!r} twice")
    chosen = [_position(columns, name, source, "labels=") for name in names]
    if len(chosen) == len(columns):
        raise ValueError(f"{source}: labels= takes every column; expected at least one feature")
    return sorted(chosen)


def named_positions(columns: Sequence[str], names: Sequence[str], source: str, what: str) -> set[int]:
    """The positions of the columns named; ``what`` is the argument that names them, for the message.

    Raises
    ------
    ValueError
        If a name is no column.
    """
    return {_position(columns, name, source, what) for name in ([names] if isinstance(names, str) else names)}


def _position(columns: Sequence[str], name: str, source: str, what: str) -> int:
    try:
        return list(columns).index(name)
    except ValueError:
        hint = near(str(name), [str(c) for c in columns])
        raise ValueError(f"{source}: {what} names {name!r}, which is no column{hint} ({few(columns)})") from None
