"""What the page says about the selected remembered row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from streamlab.views.kit.details import facts, hint
from streamlab.views.kit.text import as_html

__all__ = ["memory_details"]


def memory_details(subject: str, story: Mapping[str, Any] | None, labels: Sequence[str]) -> str:
    """Return what ``RememberedRows.describe_node`` says as HTML; None: the row is no longer remembered."""
    if story is None:
        return hint("The selected row is forgotten: it left the memory.")
    names = [name for name, is_on in zip(labels, story["Y"], strict=False) if is_on]
    rank = story["rank"]
    told = {
        "Labels": ", ".join(names) or "none",
        "Age": f"{story['age']:,} rows",
        story["measure"].capitalize(): f"{story['standing']:.3g}, {story['leaves']}",
        "Asked": f"{story['asked']:,} times, with all labels right {story['right']:,} times",
        "Latest row": f"its neighbour number {rank}" if rank else "not asked",
    }
    return f"<h3>{as_html(subject)}, row {story['id'] + 1:,}</h3>{facts(told)}"
