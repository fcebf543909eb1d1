"""Tables that commands print."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

WIDTH_OF_FILES = 1000


def console() -> Console:
    """Standard output; where it is not a terminal, tables are not folded to the width of one."""
    from rich.console import Console

    return Console() if sys.stdout.isatty() else Console(width=WIDTH_OF_FILES)


def print_table(
    columns: Sequence[str],
    rows: Iterable[Iterable[str]],
    *,
    title: str = "",
    right: Collection[str] = (),
    whole: Collection[str] = (),
) -> None:
    """Print rows of texts below the names of their columns.

    Parameters
    ----------
    columns, rows
        The names, and the texts of each row.
    title
        What stands above.
    right
        Columns of numbers, which end below each other.
    whole
        Columns that are not folded where there is little room.
    """
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title=escape(title) or None, title_justify="left")
    for name in columns:
        table.add_column(escape(name), justify="right" if name in right else "left", no_wrap=name in whole)
    for row in rows:
        table.add_row(*map(escape, row))
    console().print(table)
