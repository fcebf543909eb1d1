"""What the page tells about a class of the hierarchy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from streamlab.views.kit.details import hint, number
from streamlab.views.kit.text import as_html

__all__ = ["hierarchy_details"]

MOST_CHILDREN = 30

LATEST = {
    (True, True): "The latest instance belongs to it, as predicted.",
    (True, False): "The latest instance belongs to it; that was <b>missed</b>.",
    (False, True): "It was predicted for the latest instance, <b>wrongly</b>.",
    (False, False): "The latest instance does not belong to it, and it was not predicted.",
}
"""By whether the latest instance carries the class, and whether it was predicted."""


def hierarchy_details(subject: str, story: Mapping[str, Any] | None) -> str:
    """Return what ``class_story`` says of a class as HTML; None: there is no such class."""
    if story is None:
        return hint("There is no such class.")
    paths = "".join(f"<p>{' › '.join(map(as_html, path))}</p>" for path in story["paths"])
    children = ", ".join(as_html(name) for name in story["children"][:MOST_CHILDREN])
    below = f"<p>Below it: {children}.</p>" if children else ""
    return (
        f"<h3>{as_html(subject)}: {as_html(story['label'])}</h3>{paths}"
        f"<div class='sl-details-parts'><div><p><b>{story['arrivals']:,}</b> instances so far; of the recent ones "
        f"<b>{100 * story['share']:.1f} %</b>. Recent hF <b>{number(story['hf'])}</b> (hP {number(story['hp'])}, hR "
        f"{number(story['hr'])}), with all below it.</p><p>{LATEST[story['true'], story['predicted']]}</p>{below}</div>"
        f"<div>{_window(story)}{_rivals(story)}</div></div>"
    )


def _window(story: Mapping[str, Any]) -> str:
    """Say how full a class's window is, or those of the paths through it, and what its detector has seen."""
    if story["window"] is None:
        return ""
    room = story["window"] * story["windows"]
    whose = "Its window holds" if story["windows"] == 1 else f"The windows of its {story['windows']} paths hold"
    share = min(story["held"] / room, 1.0)
    watched = ""
    if story["watched"]:
        watched = f"<p>Its detector: error {number(story['error'])} over the last {story['watched']:,} decisions.</p>"
    return (
        f"<p>{whose} {story['held']:,} of {room:,} examples.</p>"
        f'<div class="sl-details-meter"><i style="width:{100 * share:.1f}%"></i></div>{watched}'
    )


def _rivals(story: Mapping[str, Any]) -> str:
    """Show the distances that were compared at this class, the nearest first."""
    if not story["rivals"]:
        if story["window"] is None:
            return "<p>This learner does not go down the hierarchy: it has no distances to show.</p>"
        return "<p>The latest instance did not get this far: no distance was computed.</p>"
    most = max(distance for _, distance in story["rivals"]) or 1.0
    rows = "".join(
        f'<div class="sl-details-bar{" sl-own" if name == story["label"] else ""}"><span>{as_html(name)}</span>'
        f'<i style="width:{100 * distance / most:.1f}%"></i><b>{distance:.3g}</b></div>'
        for name, distance in story["rivals"][:6]
    )
    return f"<p>Distance to the latest instance, the nearest first</p>{rows}"
