"""What the page tells about a cell of the forest."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from streamlab.views.kit.details import MOST_TEST, bars, facts, hint
from streamlab.views.kit.text import as_html, numbered

__all__ = ["forest_details", "sign_of"]


def sign_of(mark: Mapping[str, Any]) -> str:
    """Return what a mark is called: ① for the first drift, ``row 1,500`` for one that people set."""
    drift = mark["drift"]
    if drift == 0:
        return f"row {mark['row']:,}"
    return numbered(drift)


def forest_details(subject: str, story: Mapping[str, Any] | None) -> str:
    """Return the details of ``SMART.describe_node`` as HTML; None: the node is gone."""
    if story is None:
        return hint("The selected cell is empty: all its evidence has faded.")
    mark, half_life, age = story["mark"], story["half_life"], story["age"]
    told = {
        "evidence kept": f"that of {story['weight']:,.1f} rows, of {story['seen']:,} that came",
        **({} if mark is None else {f"of it from before {sign_of(mark)}": _percent(story["before"] / story["weight"])}),
        "half fades in": f"{half_life:,.4g} rows" if math.isfinite(half_life) else "never: nothing fades",
        "last visited": "by the latest row" if age < 1 else f"{age:,} row{'' if age == 1 else 's'} ago",
        "labels per row": f"{story['cardinality']:.2f}",
    }
    return (
        f"<h3>{as_html(subject)} · tree {story['tree'] + 1}, level {story['depth'] + 1}</h3>"
        f"<p>{_way(story['rule'])}</p>"
        f"<div class='sl-details-parts'><div>{facts(told)}</div>"
        f"<div><p><b>Its answer</b></p>{bars(story['labels'])}</div></div>"
    )


def _way(rule: list[str]) -> str:
    """Return the path in words."""
    if not rule:
        return "Every row comes here: it is the root."
    return "Rows come here if " + ", then ".join(f"<b>{as_html(test, MOST_TEST)}</b>" for test in rule) + "."


def _percent(share: float) -> str:
    percent = round(100 * share)
    if percent == 0 and share > 0:
        return "under 1 %"
    return "over 99 %" if percent == 100 and share < 1 else f"{percent} %"
