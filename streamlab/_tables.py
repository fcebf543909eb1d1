"""Tables of results: those that commands print, and for a notebook HTML, in which all is escaped."""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
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


# ---------------------------------------------------------------------- for a notebook

MOST_ROWS = 60


def result_html(title: str, table: pd.DataFrame, notes: Iterable[str] = ()) -> str:
    """Return a table as HTML.

    Parameters
    ----------
    title
        What stands above it.
    table
        Numbers and texts; a row of the index each. At most 60 rows are shown.
    notes
        Sentences below it.
    """
    head = "".join(f'<th style="text-align:right">{escape(str(column))}</th>' for column in table.columns)
    rows = []
    for row, values in zip(table.index[:MOST_ROWS], table.to_numpy(dtype=object), strict=False):
        cells = [f'<td style="text-align:right">{escape(written(value))}</td>' for value in values]
        rows.append(f'<tr><th style="text-align:left">{escape(str(row))}</th>{"".join(cells)}</tr>')
    left = len(table) - MOST_ROWS
    lines = [*([f"{left:,} rows more are not shown."] if left > 0 else []), *notes]
    return (
        f'<div style="overflow-x:auto"><p><b>{escape(title)}</b></p>'
        f'<table class="dataframe"><thead><tr><th></th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
        + (f"<p>{escape(' '.join(lines))}</p>" if lines else "")
        + "</div>"
    )


def written(value: Any) -> str:
    """Return a value as a table shows it: three decimals, thousands separated; a dash for what is missing."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        return "–" if value is None or value != value else str(value)
    number = float(value)
    if math.isnan(number):
        return "–"
    if isinstance(value, (int, np.integer)) or abs(number) >= 1000:
        return f"{number:,.0f}"
    return f"{number:.3f}"
