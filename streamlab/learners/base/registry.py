"""The registry of learners and transformers: those of this package, of other packages, and of this session."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from streamlab.learners.base.events import EventKind
from streamlab.learners.base.parameters import Tunable
from streamlab.papers import EXPECTED, are_papers
from streamlab.plugins import Registry

__all__ = ["LEARNERS"]

NEEDED = ("state", "from_state", "bind", "learn_many")


def _check(name: str, thing: Any) -> None:
    """Raise a ValueError unless ``thing`` is a class of learners or transformers with that name."""
    if not isinstance(thing, type) or not all(callable(getattr(thing, verb, None)) for verb in NEEDED):
        raise ValueError(
            f"the learner {name!r} is {thing!r}; expected a subclass of streamlab's Learner or StreamTransformer"
        )
    abstract = sorted(getattr(thing, "__abstractmethods__", ()))
    if abstract:
        raise ValueError(f"the learner {name!r} does not implement {', '.join(abstract)}")
    if thing.__name__ != name:
        # files say by the class's name whose state they hold
        raise ValueError(f"the learner {name!r} is the class {thing.__name__!r}; expected it under its own name")
    check_declared(thing)
    _check_tunables(name, thing)


def _check_tunables(name: str, thing: Any) -> None:
    tunables = getattr(thing, "tunables", ())
    parameters = inspect.signature(thing).parameters
    if isinstance(tunables, property) or any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return  # they depend on what it is made of
    for tunable in tunables:
        if tunable.name not in parameters:
            raise ValueError(f"the learner {name!r} has the tunable {tunable.name!r}, which is not a parameter of it")


def check_declared(kind: Any) -> None:
    """Raise a ValueError unless ``tunables``, ``events``, ``picture`` and ``papers`` of a class are what is expected.

    Properties pass: what they give depends on the object.
    """
    for attribute, fits, expected in (
        ("tunables", _are_tunables, "a tuple of Tunable, each name once"),
        ("events", _are_events, "a dictionary of EventKind by kind"),
        ("picture", lambda value: isinstance(value, str), "the name of a picture, or ''"),
        ("papers", are_papers, EXPECTED),
    ):
        value = getattr(kind, attribute, None)
        if hasattr(kind, attribute) and not isinstance(value, property) and not fits(value):
            raise ValueError(f"{kind.__name__}.{attribute} is {value!r}; expected {expected}")


def _are_tunables(value: Any) -> bool:
    if not isinstance(value, (tuple, list)) or not all(isinstance(each, Tunable) for each in value):
        return False
    return len({each.name for each in value}) == len(value)


def _are_events(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(kind, str) and kind and isinstance(each, EventKind) for kind, each in value.items()
    )


LEARNERS: Registry[Any] = Registry("streamlab.learners", "learner", check=_check)
"""Every learner and transformer, by the name of its class."""
