"""The first rows of a stream, as a page shows them."""

from __future__ import annotations

from typing import Any

from streamlab.streams import Stream
from streamlab.views.kit.text import as_html, counted

__all__ = ["STYLE", "first_rows_html"]

WITHOUT_DATA = "<p>The data of this run are missing: you can look at the run, but it cannot continue.</p>"
MOST_HEAD, MOST_CELL, MOST_CARRIED = 30, 24, 30


def first_rows_html(stream: Stream, table: Any) -> str:
    """Return the first rows as HTML: at most six features, and the labels that each row carries.

    Parameters
    ----------
    stream
        Where they come from.
    table
        What its ``preview`` returned; None: the data are not here.
    """
    if table is None:
        return WITHOUT_DATA
    schema = stream.schema
    rows = "unknown length" if stream.n_rows is None else counted(stream.n_rows, "instance")
    shown = [column for column in table.columns if column[0] == "feature"][:6]
    head = "".join(f"<th>{as_html(name, MOST_HEAD)}</th>" for _, name in shown)
    body = ""
    for _, row in table.iterrows():
        cells = "".join(f"<td>{as_html(_brief(row[column]), MOST_CELL)}</td>" for column in shown)
        carried = [label for label in schema.labels if row["label", label]]
        names = ", ".join(as_html(label) for label in carried[:MOST_CARRIED]) or "–"
        body += f"<tr><td class='labels'>{names}</td>{cells}</tr>"
    more = schema.n_features - len(shown)
    unseen = f" ({counted(more, 'more feature')})" if more > 0 else ""
    return (
        f"<p>{rows}, {counted(schema.n_features, 'feature')}, {counted(schema.n_labels, 'label')}. First rows"
        f"{unseen}:</p>"
        f"<div tabindex='0' role='region' aria-label='First rows'>"
        f"<table><tr><th>labels</th>{head}</tr>{body}</table></div>"
    )


def _brief(value: Any) -> str:
    if value is None or value != value:
        return "?"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


STYLE = """
:host{font:12px/1.4 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
p{margin:6px 0}div{overflow-x:auto;max-width:100%}table{border-collapse:collapse}
th,td{padding:2px 8px 2px 0;text-align:right;white-space:nowrap;font-weight:400}th{opacity:.75}
th:first-child,.labels{text-align:left;max-width:150px;overflow:hidden;text-overflow:ellipsis}
"""
