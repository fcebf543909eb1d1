"""The tree as the page asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from streamlab.schema import NumberedFeatures
from streamlab.views.kit.details import how_to_read
from streamlab.views.kit.picture import Budget, Drawn, Picture, Subject
from streamlab.views.kit.text import shown
from streamlab.views.pictures.tree.details import tree_details
from streamlab.views.pictures.tree.mixture import mixture_columns
from streamlab.views.pictures.tree.view import TreeView

if TYPE_CHECKING:
    from streamlab.schema import Schema

__all__ = ["TreePicture"]


class TreePicture(Picture):
    """A growing Hoeffding tree. The learner has ``node_columns`` and ``describe_node``, as ``MLHAT`` has them.

    If its leaves answer in other ways than MLHAT's, its ``leaf_regimes`` are their codes: the key shows no others.
    Of a learner that mixes two answers in a node, as ``HedgedMLHAT`` does, it also draws the mix.
    """

    name: ClassVar[str] = "tree"
    title: ClassVar[str] = "Tree"
    order: ClassVar[int] = 25
    help: ClassVar[str] = how_to_read(
        "How to read the tree",
        "An instance passes the tests from the top down to a leaf, which answers. A leaf's colour says how it answers, "
        "its filling how often it is wrong; the more instances passed an edge, the wider it is. Dashed beside a node "
        "grows an alternate: a second tree that begins with a warning, and takes over if it is wrong less often.",
        "A hedged tree mixes two answers in each node; a ring around a leaf or a bar under a branch's test shows how "
        "much each counts: in a leaf its neighbours (thick) and its regressions (thin), in a branch its own answer "
        "(thick) and the one from below (thin).",
        act="Click a node, or focus the picture and press Enter, to read about it here.",
    )

    def columns(self, subject: Subject, selection: Any, budget: Budget) -> Drawn:
        learner: Any = subject.learner
        story = None if selection is None else learner.describe_node(selection)
        columns = learner.node_columns()
        # the learner's own: a stream's rows may bring features that were not known at the beginning. Up to the last
        # one that is tested: of hashed text there are a quarter of a million
        last = int(columns["feature"].max(initial=-1))
        extra: dict[str, Any] = {"features": [feature.name for feature in learner.schema.features[: last + 1]]}
        if hasattr(learner, "leaf_regimes"):
            extra["regimes"] = list(learner.leaf_regimes)
        return Drawn(subject.name, subject.run.position, columns | mixture_columns(columns), extra, story)

    def view(self, schema: Schema, **options: Any) -> TreeView:
        numbered = isinstance(schema.features, NumberedFeatures)
        nominal = [] if numbered else [place for place, f in enumerate(schema.features) if f.categories is not None]
        categories: list[list[str] | None] = [None] * (max(nominal, default=-1) + 1)
        for place in nominal:
            categories[place] = [shown(name) for name in schema.features[place].categories or ()]
        return TreeView(labels=list(schema.labels), categories=categories, **options)

    def details(self, subject: str, story: Mapping[str, Any] | None, schema: Schema) -> str:
        return tree_details(subject, story)
