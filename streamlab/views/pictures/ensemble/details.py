"""What the page tells about a member of an ensemble."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamlab.views.kit.details import facts, hint
from streamlab.views.kit.text import as_html

__all__ = ["ensemble_details"]


def ensemble_details(subject: str, story: Mapping[str, Any] | None) -> str:
    """Return what ``describe_node`` says of a member as HTML; None: it has gone."""
    if story is None:
        return hint("This learner was removed so long ago that no data about it are kept.")
    of = f" of {as_html(story['label'])}" if "label" in story else ""
    told = {"now": str(story["status"]), "started": f"when {story['born']:,} rows had been learned"}
    if story["left"] >= 0:
        told["left"] = f"when {story['left']:,} rows had been learned"
    if "rows" in story:
        told["has learned"] = f"{story['rows']:,} rows"
    if story.get("came_from", -1) >= 0:
        told["before"] = f"it was set aside as learner {story['came_from']}, and came back"
    if "others" in story:
        told["answers with"] = f"{story['others']:,} other{'' if story['others'] == 1 else 's'}"
    return f"<h3>{as_html(subject)}, learner {story['id']}{of}</h3><p>{_how_good(story)}</p>{facts(told)}"


def _how_good(story: Mapping[str, Any]) -> str:
    """Return how good it is, in a sentence."""
    value, usual = story["value"], story.get("usual", float("nan"))
    if value != value:
        return "It had no say in the latest chunk."
    if story.get("measure") == "weight":
        least = " It has the least: the next member may take its place." if value == 0 else ""
        return f"By the latest chunk its weight is <b>{value:.2f}</b>, where the best member has 1.{least}"
    if story.get("measure") == "right labels":
        return f"In the latest chunk it had <b>{100 * value:.0f} %</b> of the labels right."
    text = f"In the latest chunk it was right for <b>{100 * value:.0f} %</b> of the rows"
    if usual != usual:
        return text + "."
    if value < usual:
        return f"{text}: less than the {100 * usual:.0f} % of the learners of its label together. It may have to go."
    return f"{text}; the learners of its label reach {100 * usual:.0f} % together, on the whole."
