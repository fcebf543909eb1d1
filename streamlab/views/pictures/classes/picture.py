"""The picture of the classes: how common each is now, against the whole stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import param

from streamlab.views.kit.component import bundled
from streamlab.views.kit.details import how_to_read
from streamlab.views.kit.picture import Subject
from streamlab.views.pictures.labels.picture import LabelsPicture, LabelView

if TYPE_CHECKING:
    from streamlab.schema import Schema


class ClassView(LabelView):
    """The rows of ``LabelView`` for classes, of which no two come together: without its matrix."""

    empty_text = param.String(default="No class yet: press play", doc="Shown while there is no class.")

    _bundle = bundled("classes")


class ClassesPicture(LabelsPicture):
    """How common each class is now and over the whole stream: the same for every learner."""

    name: ClassVar[str] = "classes"
    title: ClassVar[str] = "Classes"
    help: ClassVar[str] = how_to_read(
        "How to read the classes",
        "A bar is the share of the recent instances of a class, the tick its share of the whole stream so far.",
    )

    def fits(self, subject: Subject) -> bool:
        return subject.run.stream.schema.classes is not None

    def view(self, schema: Schema, **options: Any) -> LabelView:
        return ClassView(labels=list(schema.labels), **options)
