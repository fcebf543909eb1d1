"""What the page tells about a cell of the forest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamlab.views.kit.details import bars, hint, tests
from streamlab.views.kit.text import as_html

__all__ = ["forest_details"]


def forest_details(subject: str, story: Mapping[str, Any] | None) -> str:
    """Return what ``SMART.describe_node`` says as HTML; None: the node has gone."""
    if story is None:
        return hint("The selected node has faded away: nothing of it is left.")
    return (
        f"<h3>{as_html(subject)}, tree {story['tree'] + 1}, depth {story['depth']}</h3>"
        f"<p><b>{story['seen']:,}</b> instances came here; what is left weighs <b>{story['weight']:.3g}</b> "
        f"({100 * story['retained']:.2g} %). The last came <b>{story['age']:,}</b> instances ago. "
        f"On average <b>{story['cardinality']:.2f}</b> labels.</p>"
        f"<div class='sl-details-parts'><div><p>An instance comes here if</p><ol>{tests(story['rule'])}</ol></div>"
        f"<div><p>Labels remembered</p>{bars(story['labels'])}</div></div>"
    )
