"""The registry of learners and transformers: of this package, of other packages, of this session; kinds of events."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from streamlab.papers import EXPECTED, are_papers
from streamlab.plugins import Registry

__all__ = ["LEARNERS", "EventKind"]


EVENTS_KEPT = 10_000
"""Events that a learner keeps until somebody takes them; then the oldest go."""


@dataclass(frozen=True)
class EventKind:
    """A kind of event, as a card on the page, the log and the table of detections need it.

    A learner lists its kinds in the class attribute ``events``, a dictionary by kind, and returns what happened from
    ``take_events`` as dictionaries with ``kind``, ``message``, ``position`` and the numbers named here.

    Parameters
    ----------
    title
        What happened, in a few words: the card's heading.
    rule
        The rule that made it happen, in one or two sentences.
    numbers
        Keys of the event's dictionary that the card shows, with what people read beside each, in order.
    is_detection
        Whether the learner says by it "the concept has changed": it is then set against the stream's known drifts.
    source
        What the table of detections calls where it comes from, such as ``"own detectors"``; needed for a detection.
    replaces
        Of a detection, whether by it the learner has put something better in the place of what erred: it is marked as
        what the learner did, not as an alarm.
    noun
        What one is called, where it is a change of the learner's structure, such as ``"split"``; else empty.
    did
        What the learner did by it, as it stands after its name in a page's sentence, such as ``"grew a better
        branch"``; empty: the sentence does not tell it.
    waits
        What one does meanwhile that does it less often than another one, whose kind of this name has no ``waits``, such
        as ``"still waits to be sure"``; empty: the sentence does not tell it.
    without
        What a learner of the same picture does that has no such event, said after ``did``, such as ``"keeps its old
        one"``.

    Raises
    ------
    ValueError
        For a detection without a source.

    Examples
    --------
    >>> import streamlab as sl
    >>> any(kind.is_detection for kind in sl.MLHAT.events.values())
    True
    """

    title: str
    rule: str = ""
    numbers: Mapping[str, str] = field(default_factory=dict)
    is_detection: bool = False
    source: str = ""
    replaces: bool = False
    noun: str = ""
    did: str = ""
    waits: str = ""
    without: str = ""

    def __post_init__(self) -> None:
        if self.is_detection and not self.source:
            raise ValueError(f"the event {self.title!r} is a detection: expected a source, such as 'own detectors'")


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
    papers = getattr(thing, "papers", ())
    if not isinstance(papers, property) and not are_papers(papers):
        raise ValueError(f"{name}.papers is {papers!r}; expected {EXPECTED}")
    tunables, parameters = getattr(thing, "tunables", ()), inspect.signature(thing).parameters
    if isinstance(tunables, property) or any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
        return  # they depend on what it is made of
    for tunable in tunables:
        if tunable.name not in parameters:
            raise ValueError(f"the learner {name!r} has the tunable {tunable.name!r}, which is not a parameter of it")


LEARNERS: Registry[Any] = Registry("streamlab.learners", "learner", check=_check)
"""Every learner and transformer, by the name of its class."""
