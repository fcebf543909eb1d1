"""Tables of results: those that commands print, and for a notebook HTML with small curves, in which all is escaped."""

from __future__ import annotations

import math
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
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

WIDTH, HEIGHT, PAD = 110, 22, 2
MOST_POINTS = WIDTH // 2
COLOUR = "#3D93C4"
"""It holds 3:1 on white and on a dark notebook."""
MOST_ROWS = 60


def result_html(
    title: str,
    table: pd.DataFrame,
    curves: Mapping[tuple[Any, Any], Sequence[float]] | None = None,
    notes: Iterable[str] = (),
) -> str:
    """Return a table as HTML.

    Parameters
    ----------
    title
        What stands above it.
    table
        Numbers and texts; a row of the index each. At most 60 rows are shown.
    curves
        The values of a small curve by the row and column in whose cell it stands, below the number. Those of a column
        have one scale.
    notes
        Sentences below it.
    """
    found = {} if curves is None else curves
    scales = {column: _scale([values for (_, of), values in found.items() if of == column]) for _, column in found}
    head = "".join(f'<th style="text-align:right">{escape(str(column))}</th>' for column in table.columns)
    rows = []
    for row, values in zip(table.index[:MOST_ROWS], table.to_numpy(dtype=object), strict=False):
        cells = [
            f'<td style="text-align:right">{escape(written(value))}'
            + (f"<br>{spark(found[row, column], scales[column])}" if (row, column) in found else "")
            + "</td>"
            for column, value in zip(table.columns, values, strict=True)
        ]
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


def _scale(curves: list[Sequence[float]]) -> tuple[float, float]:
    known = [value for curve in curves for value in np.asarray(curve, float).tolist() if math.isfinite(value)]
    return (min(known), max(known)) if known else (0.0, 1.0)


def spark(values: Sequence[float], scale: tuple[float, float]) -> str:
    """Return a curve as a small SVG, from the left to the right, with a gap where a value is missing.

    Parameters
    ----------
    values
        At equal distances; of many points the mean of each few.
    scale
        The values at the foot and at the top.
    """
    points = np.asarray(values, dtype=float)
    points = np.where(np.isfinite(points), points, np.nan)
    if len(points) > MOST_POINTS:
        points = np.array([part.mean() for part in np.array_split(points, MOST_POINTS)])
    low, high = scale
    across = (WIDTH - 2 * PAD) / max(1, len(points) - 1)
    up = (HEIGHT - 2 * PAD) / ((high - low) or 1.0)
    parts: list[list[str]] = [[]]
    for i, value in enumerate(points.tolist()):
        if math.isnan(value):
            parts.append([])
        else:
            parts[-1].append(f"{PAD + i * across:.1f},{HEIGHT - PAD - (value - low) * up:.1f}")
    lines = "".join(
        # a point that stands alone is a line of no length with round ends
        f'<polyline points="{" ".join(part * 2 if len(part) == 1 else part)}"/>'
        for part in parts
        if part
    )
    return (
        f'<svg width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" fill="none" '
        f'stroke="{COLOUR}" stroke-width="1.5" stroke-linecap="round">'
        f"<title>{escape(f'scale: {written(float(low))} to {written(float(high))}')}</title>{lines}</svg>"
    )
