"""What is drawn of a learner: a folder for each picture, and the registry that other packages add theirs to."""

from __future__ import annotations

import inspect
import logging

from streamlab.plugins import Registry
from streamlab.views.kit.picture import Picture

__all__ = ["PICTURES"]

logger = logging.getLogger("streamlab")


def _check(name: str, thing: object) -> None:
    if not (isinstance(thing, type) and issubclass(thing, Picture)) or inspect.isabstract(thing):
        raise ValueError(f"the picture {name!r} is {thing!r}; expected a subclass of Picture with its four duties")
    missing = [each for each in ("name", "title", "help") if not isinstance(getattr(thing, each, None), str)]
    if missing:
        raise ValueError(f"the picture {name!r} ({thing.__qualname__}) lacks {', '.join(missing)}; expected a text")
    if thing.name != name:
        raise ValueError(f"the picture {name!r} ({thing.__qualname__}) has the name {thing.name!r}; expected the same")
    if isinstance(thing.order, bool) or not isinstance(thing.order, (int, float)):
        raise ValueError(
            f"the picture {name!r} ({thing.__qualname__}) has the order {thing.order!r}; expected a number"
        )


PICTURES: Registry[type[Picture]] = Registry("streamlab.pictures", "picture", _check)
"""Every picture by its name."""


def pictures() -> list[Picture]:
    """Return one of each picture, in the order of their tabs; what cannot be made is left out, with one warning."""
    made = []
    for name, kind in PICTURES.items():
        try:
            made.append(kind())
        except Exception as error:  # user code may raise anything, and the page goes on without it
            if kind not in _warned:
                _warned.add(kind)
                package = PICTURES.package(name)
                logger.warning(
                    "the picture %r%s cannot be made: %s: %s; expected that it is made without arguments",
                    name, f" of the package {package}" if package else "", type(error).__name__, error,
                )  # fmt: skip
    return sorted(made, key=lambda picture: (picture.order, picture.title))


_warned: set[type[Picture]] = set()
