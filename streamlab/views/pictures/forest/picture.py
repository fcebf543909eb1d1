"""The forest as the page asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from streamlab.views.kit.details import how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.pictures.forest.details import forest_details
from streamlab.views.pictures.forest.view import ForestView

if TYPE_CHECKING:
    from streamlab.schema import Schema

__all__ = ["ForestPicture"]

# deeper levels, and cells with a smaller share of their tree, are too narrow to be seen
MAX_DEPTH, MIN_SHARE = 7, 0.004


class ForestPicture(Picture):
    """Every tree of an ensemble as a strip of cells.

    The learner has ``node_columns(max_depth, min_share)``, ``describe_node``, ``now``, ``half_life``, ``n_trees`` and
    ``height``, as ``SMART`` has them.
    """

    name: ClassVar[str] = "forest"
    title: ClassVar[str] = "Fading trees"
    order: ClassVar[int] = 20
    help: ClassVar[str] = how_to_read(
        "How to read the trees",
        "Each strip is one random tree, its root on top. An instance passes one cell of each level; the wider a cell, "
        "the more of the recent instances pass it. Where no instance has come for long, the colour moves along the "
        "scale and the bar gets lower: the tree forgets.",
        act="Click a cell, or focus the picture and press Enter, to read about it here.",
    )

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        learner: Any = subject.learner
        story = None if selection is None else learner.describe_node(selection)
        extra = {"half_life": learner.half_life, "n_trees": learner.n_trees, "height": learner.height}
        return Drawn(subject.name, learner.now, learner.node_columns(MAX_DEPTH, MIN_SHARE), extra, story)

    def view(self, schema: Schema, **options: Any) -> ForestView:
        return ForestView(labels=list(schema.labels), **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return forest_details(subject, story)
