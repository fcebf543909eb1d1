"""What is drawn of a learner: a folder for each picture, and the registry that other packages add theirs to."""

from __future__ import annotations

import inspect

from streamlab.plugins import Registry
from streamlab.views.kit.picture import Picture

__all__ = ["PICTURES", "pictures"]


def _check(name: str, thing: object) -> None:
    if not (isinstance(thing, type) and issubclass(thing, Picture)) or inspect.isabstract(thing):
        raise ValueError(f"the picture {name!r} is {thing!r}; expected a subclass of Picture with its four duties")
    missing = [each for each in ("name", "title", "help") if not isinstance(getattr(thing, each, None), str)]
    if missing:
        raise ValueError(f"the picture {name!r} ({thing.__qualname__}) lacks {', '.join(missing)}; expected a text")
    if thing.name != name:
        raise ValueError(f"the picture {name!r} ({thing.__qualname__}) has the name {thing.name!r}; expected the same")


PICTURES: Registry[type[Picture]] = Registry("streamlab.pictures", "picture", _check)
"""Every picture by its name."""


def pictures() -> list[Picture]:
    """Return one of each picture, in the order of their tabs."""
    made = [picture() for _, picture in PICTURES.items()]
    return sorted(made, key=lambda picture: (picture.order, picture.title))
