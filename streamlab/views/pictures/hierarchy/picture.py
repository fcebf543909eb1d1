"""The hierarchy as the page asks for it, and what it tells about a class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab._checks import counted
from streamlab.views.kit.details import hint, how_to_read, number
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import as_html, score_text
from streamlab.views.pictures.hierarchy.classes import Descent, class_columns, class_story
from streamlab.views.pictures.hierarchy.view import HierarchyView, more_parents

if TYPE_CHECKING:
    from streamlab.schema import Schema


class HierarchyPicture(Picture):
    """The classes of the labels' hierarchy as any learner answers them.

    A learner whose ``picture`` is ``"hierarchy"`` goes down the hierarchy and shows the distances between which it
    decided.
    """

    contract: ClassVar[type] = Descent
    name: ClassVar[str] = "hierarchy"
    title: ClassVar[str] = "Hierarchy"
    order: ClassVar[int] = 10
    help: ClassVar[str] = how_to_read(
        "How to read the hierarchy",
        "Each disc is a class. Its colour is how well it and all below it were answered recently (hF, the last 200 "
        "rows or so), its size how many came. A group can be above all its classes: who takes a "
        "viola for a violin has the strings right. Of the latest row the solid line is the true path, the dashed "
        "line the predicted one. <i>d</i> is the distance to a class where the learner stopped, or at its last step; "
        "≈ marks those about as near.",
        act="Click a class, or focus the picture and press Enter, to read about it here.",
    )

    def fits(self, subject: Subject) -> bool:
        return subject.run.stream.schema.hierarchy is not None

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        columns = class_columns(subject.run, subject.name)
        story = None if selection is None else class_story(subject.run, subject.name, selection, columns)
        return Drawn(subject.name, subject.run.position, columns, {"before": subject.kept_from_before}, story)

    def view(self, schema: Schema, **options: Any) -> HierarchyView:
        assert schema.hierarchy is not None, "it fits labels with a hierarchy alone"
        return HierarchyView(labels=list(schema.labels), more_parents=more_parents(schema.hierarchy.parents), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return hierarchy_details(subject, story)


MOST_CHILDREN = 30

LATEST = {
    (True, True): "The latest row belongs to it, as predicted.",
    (True, False): "The latest row belongs to it; that was <b>missed</b>.",
    (False, True): "It was predicted for the latest row, <b>wrongly</b>.",
    (False, False): "The latest row does not belong to it, and it was not predicted.",
}
"""By whether the latest row carries the class, and whether it was predicted."""


def hierarchy_details(subject: str, story: Mapping[str, Any] | None) -> str:
    """Return what ``class_story`` says of a class as HTML; None: there is no such class."""
    if story is None:
        return hint("There is no such class.")
    paths = "".join(f"<p>{' › '.join(map(as_html, path))}</p>" for path in story["paths"])
    children = ", ".join(as_html(name) for name in story["children"][:MOST_CHILDREN])
    below = f"<p>Below it: {children}.</p>" if children else ""
    return (
        f"<h3>{as_html(subject)}: {as_html(story['label'])}</h3><p>{LATEST[story['true'], story['predicted']]} "
        f"<b>{story['arrivals']:,}</b> instances so far, of the recent ones <b>{100 * story['share']:.1f} %</b>; their "
        f"recent hF, with all below it, is <b>{number(story['hf'])}</b> (hP {number(story['hp'])}, hR "
        f"{number(story['hr'])}).</p>"
        f"<div class='sl-details-parts'><div>{_rivals(story)}</div><div>{paths}{below}{_window(story)}</div></div>"
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
        last = counted(story["watched"], "decision")
        watched = f"<p>Its detector: error {number(story['error'])} over the last {last}.</p>"
    return (
        f"<p>{whose} {story['held']:,} of {counted(room, 'example')}.</p>"
        f'<div class="sl-details-meter"><i style="width:{100 * share:.1f}%"></i></div>{watched}'
    )


def _distance_text(distance: float) -> str:
    """Return a distance with the digits that the picture has: of 32 bits, as it travels, and rounded as there."""
    return score_text(np.float32(distance), 0 if distance >= 100 else 1 if distance >= 10 else 2)


def _rivals(story: Mapping[str, Any]) -> str:
    """Show the distances that were compared at this class, the nearest first."""
    if not story["rivals"]:
        if story["window"] is None:
            return "<p>This learner does not go down the hierarchy: it has no distances to show.</p>"
        return "<p>The latest instance did not get this far: no distance was computed.</p>"
    most = max(distance for _, distance in story["rivals"]) or 1.0
    rows = "".join(
        f'<div class="sl-details-bar{" sl-own" if name == story["label"] else ""}"><span>{as_html(name)}</span>'
        f'<i style="width:{100 * distance / most:.1f}%"></i><b>{_distance_text(distance)}</b></div>'
        for name, distance in story["rivals"][:6]
    )
    return f"<p>Distance to the latest row, the nearest first</p>{rows}"
