"""Find the columns of a table that are named: which are labels, which are nominal, which to leave out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from streamlab._checks import check_unique, few, is_count, near, shown


def label_range(n: int, n_columns: int, what: str) -> list[int]:
    """MEKA's convention: the positions of the first ``n`` columns, or of the last ``-n``.

    Raises
    ------
    ValueError
        If ``n`` is 0 or leaves no column for a feature; the message begins with ``what`` and ``n``.
    """
    if n_columns < 2:
        raise ValueError(f"{what}{n}: there is only one column; expected at least one label and one feature")
    if not 0 < abs(n) < n_columns:
        raise ValueError(f"{what}{n}: expected 1 to {n_columns - 1} labels (negative: the last columns)")
    return list(range(n)) if n > 0 else list(range(n_columns + n, n_columns))


def label_positions(columns: Sequence[str], labels: int | str | Sequence[str], source: str) -> list[int]:
    """Return the positions of the labels among the named columns, in the order of the columns.

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
        If ``labels`` names no column, or one twice, or a number of them that leaves no feature.
    """
    if is_count(labels):
        return label_range(int(labels), len(columns), f"{source}: labels=")
    names: list[Any] = [labels] if isinstance(labels, str) else list(labels)  # type: ignore[arg-type]
    if not names:
        raise ValueError(f"{source}: labels=[] is empty; expected at least one column")
    check_unique(f"{source}: labels=: the column", names)
    known = {name: i for i, name in enumerate(columns)}
    return sorted(_position(known, name, source, "labels=") for name in names)


def named_positions(columns: Sequence[str], names: Sequence[str], source: str, what: str) -> set[int]:
    """Return the positions of the columns named; ``what`` is the argument that names them, for the message.

    Raises
    ------
    ValueError
        If a name is not a column.
    """
    known = {name: i for i, name in enumerate(columns)}
    return {_position(known, name, source, what) for name in ([names] if isinstance(names, str) else names)}


def _position(columns: dict[str, int], name: str, source: str, what: str) -> int:
    try:
        return columns[name]
    except (KeyError, TypeError):
        known = list(columns)
        # a table may have numbers as names, which are texts wherever they are typed
        alike = [i for other, i in columns.items() if str(other) == name]
        if len(alike) == 1:
            return alike[0]
        hint = near(str(name), [str(c) for c in known])
        raise ValueError(f"{source}: {what} names {shown(name)}, which is not a column{hint} ({few(known)})") from None
