"""Kinds of events that a learner reports while it learns, each with its title, its rule and its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from streamlab._checks import shown

__all__ = ["EventKind"]

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
    colour
        Of the card's edge and of its marks, a CSS colour of at least 3:1 on white and on black.
    shape
        Marker of a detection in the learner's lane of the timeline, one of Bokeh's, such as ``"diamond"``.

    Raises
    ------
    ValueError
        For a detection without a source, and for what no card can show: no title, or what is not a text.

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
    colour: str = "#7F7F7F"
    shape: str = "diamond"

    def __post_init__(self) -> None:
        for field_name in ("title", "rule", "source", "colour", "shape"):
            value = getattr(self, field_name)
            if not isinstance(value, str):
                raise ValueError(f"EventKind({shown(self.title)}): {field_name} is {shown(value)}; expected a text")
        if not self.title.strip():
            raise ValueError("EventKind: the title is empty; expected what happened, in a few words")
        are_texts = isinstance(self.numbers, Mapping) and all(
            isinstance(each, str) for pair in self.numbers.items() for each in pair
        )
        if not are_texts:
            raise ValueError(
                f"EventKind({self.title!r}): numbers is {shown(self.numbers)}; expected a dictionary of words by the "
                "key of the event"
            )
        if self.is_detection and not self.source:
            raise ValueError(f"the event {self.title!r} is a detection: expected a source, such as 'own detectors'")
