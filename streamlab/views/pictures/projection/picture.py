"""The projection as the page asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from streamlab.views.kit.details import how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.pictures.projection.details import projection_details
from streamlab.views.pictures.projection.view import ProjectionView

if TYPE_CHECKING:
    from streamlab.schema import Schema

__all__ = ["RECENT", "ProjectionPicture"]

RECENT = 300
"""Instances drawn at most: more cover each other, and cost 14 bytes each, ten times a second."""


class ProjectionPicture(Picture):
    """Recent instances and class means in two directions.

    The learner has ``node_columns``, ``recent`` and ``neighbourhood_of``, as ``BalancedKNN`` has them.
    """

    name: ClassVar[str] = "projection"
    title: ClassVar[str] = "Projection"
    order: ClassVar[int] = 30
    wide: ClassVar[bool] = True
    help: ClassVar[str] = how_to_read(
        "How to read the projection",
        "Points are the newest instances, in the two directions that separate the classes best; filled ones carry the "
        "label in colour. A cross is the mean of a class, its trail where it was. The learner asks, for every class, "
        "the same number of nearest instances <i>of that class</i>: a rare class has as many voices as a common one. "
        "A class is answered where its score passes its threshold. Distances count in all directions, of which two "
        "are drawn: a neighbour may look far.",
        act="Point at an instance to see its neighbours; click it, or press Enter, to pin it.",
    )

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        learner: Any = subject.learner
        story = None if selection is None else learner.neighbourhood_of(selection)
        extra = {"recent": learner.recent(budget.rows or RECENT), "neighbourhood": story}
        return Drawn(subject.name, subject.run.position, learner.node_columns(), extra, story)

    def view(self, schema: Schema, **options: Any) -> ProjectionView:
        return ProjectionView(labels=list(schema.labels), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return projection_details(subject, story, schema.labels)
