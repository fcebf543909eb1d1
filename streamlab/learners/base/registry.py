"""The registry of learners and transformers: those of this package, of other packages, and of this session."""

from __future__ import annotations

from typing import Any

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


LEARNERS: Registry[Any] = Registry("streamlab.learners", "learner", check=_check)
"""Every learner and transformer, by the name of its class."""
