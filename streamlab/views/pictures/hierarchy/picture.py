"""The hierarchy as the page asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from streamlab.views.kit.details import how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.pictures.hierarchy.classes import class_columns, class_story
from streamlab.views.pictures.hierarchy.details import hierarchy_details
from streamlab.views.pictures.hierarchy.view import HierarchyView, more_parents

if TYPE_CHECKING:
    from streamlab.schema import Schema

__all__ = ["HierarchyPicture"]


class HierarchyPicture(Picture):
    """The classes of the labels' hierarchy as any learner answers them.

    A learner whose ``picture`` is ``"hierarchy"`` goes down the hierarchy and shows the distances between which it
    decided, as ``HierarchicalKNN`` does.
    """

    name: ClassVar[str] = "hierarchy"
    title: ClassVar[str] = "Hierarchy"
    order: ClassVar[int] = 10
    help: ClassVar[str] = how_to_read(
        "How to read the hierarchy",
        "Each disc is a class. Its colour is how well it and all below it were answered recently (hF, the last 200 "
        "instances or so), its size how many came. Of the latest instance the solid line is the true path, the dashed "
        "line the predicted one. <i>d</i> is the distance to a class where the learner stopped, or at its last step; "
        "≈ marks those about as near.",
        act="Click a class, or focus the picture and press Enter, to read about it here.",
    )

    def fits(self, subject: Subject) -> bool:
        return subject.run.stream.schema.hierarchy is not None

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        columns = class_columns(subject.run, subject.name)
        story = None if selection is None else class_story(subject.run, subject.name, selection, columns)
        return Drawn(subject.name, subject.run.position, columns, {}, story)

    def view(self, schema: Schema, **options: Any) -> HierarchyView:
        assert schema.hierarchy is not None, "it fits labels with a hierarchy alone"
        return HierarchyView(labels=list(schema.labels), more_parents=more_parents(schema.hierarchy.parents), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return hierarchy_details(subject, story)
