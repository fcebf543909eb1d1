"""The log of a run: every tuning and every structural event with the position at which it happened.

And what a user does to it, in order: from the stream and these actions the run can be had again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Reversible
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from msgspec import Meta, convert

from streamlab._checks import is_count, shown
from streamlab._packed import packed, unpacked
from streamlab.learners.base.registry import EventKind

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Event"]

Count = Annotated[int, Meta(ge=0)]
LIMIT = 20_000
EVENT_BYTES = 600
"""About what an event takes in memory."""
LONGEST_TEXT = 100_000
"""Characters that the kind or the message of an event may have: what an archive takes."""
MOST_LOOSE = 100
"""Events that marks may hold beyond twice what the log holds, before they begin a new chain."""

ALARM, LABEL_ALARM, DETECTION = "alarm", "label alarm", "detection"
CAME_OR_WENT = ("forked", "joined", "removed")
RUN_EVENTS = {
    ALARM: EventKind(
        "Error alarm",
        "An ADWIN that watches the learner's Hamming loss saw it rise.",
        {"before": "error before", "after": "error after", "since": "evidence from row"},
        is_detection=True,
        source="errors",
    ),
    LABEL_ALARM: EventKind(
        "Error alarm of a label",
        "An ADWIN that watches the errors on one label saw them rise.",
        {"before": "error before", "after": "error after", "since": "evidence from row"},
    ),
    DETECTION: EventKind(
        "Detector alarm",
        "A drift detector that was given to the run saw the errors change.",
        {"detector": "detector", "before": "error before", "after": "error of the newest rows"},
        is_detection=True,
        source="detectors",
    ),
}
"""What the run itself reports of a learner, by kind: the alarm of one label alone is not a detection."""


def run_events(noun: str) -> dict[str, EventKind]:
    """Return ``RUN_EVENTS`` in the words of a stream: ``noun`` is its ``Schema.noun``, "label" or "class"."""
    alarm = RUN_EVENTS[LABEL_ALARM]
    words = {part: getattr(alarm, part).replace("label", noun) for part in ("title", "rule")}
    return {**RUN_EVENTS, LABEL_ALARM: replace(alarm, **words)}


Reported = tuple[int, str, str, dict[str, Any]]
"""What happens to one learner: instances that had passed, kind, message and numbers, as ``Event`` has them."""


@dataclass(frozen=True)
class Event:
    """Something that happened between two instances.

    Parameters
    ----------
    position
        Instances that had passed before it.
    learner
        Whose event it is; "" for one of the whole run.
    kind
        ``"tuned"``, ``"forked"``, ``"joined"``, ``"removed"``, ``"drift"`` (of no learner: the stream's ground truth),
        ``"put in"``, ``"alarm"``, ``"label alarm"``, ``"detection"``, ``"finished"``, ``"failed"``, or a learner's own
        word.
    message
        One sentence for people.
    detail
        The numbers: for ``"tuned"`` parameter, old and new.
    number
        Its place in the log, from 0.

    Examples
    --------
    >>> change = {"parameter": "half_life", "old": 200.0, "new": 50.0}
    >>> event = Event(1300, "SMART", "tuned", "half_life: 200 → 50", change, 1)
    >>> event.is_dated, event.detail["new"]
    (True, 50.0)
    """

    position: int
    learner: str
    kind: str
    message: str
    detail: dict[str, Any] = field(default_factory=dict)
    number: int = 0

    @property
    def is_dated(self) -> bool:
        """Whether it is dated on the curves: a drift of the stream's truth, a tuning, or who came or went."""
        return self.kind in ("tuned", *CAME_OR_WENT) or (self.kind == "drift" and not self.learner)


@dataclass(frozen=True, eq=False)
class EventMark:
    """A place in a log: the events since the mark before, and that mark. Marks share what lies before them."""

    before: EventMark | None
    events: tuple[Event, ...]
    next_number: int

    def chain(self) -> Iterator[EventMark]:
        """Yield it and the marks before it, the newest first."""
        at: EventMark | None = self
        while at is not None:
            yield at
            at = at.before


class EventLog:
    """Events in order; the tunings are kept forever, of the others the newest ``limit``.

    Parameters
    ----------
    limit
        How many events other than tunings are kept. A run is replayed from its tunings, so those are never dropped.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._tunings: list[Event] = []
        self._others: deque[Event] = deque(maxlen=limit)
        self.next_number = 0
        """The number that the next event will have."""
        self._mark: EventMark | None = None
        self._unmarked: list[Event] = []
        self._chained = 0

    def add(self, position: int, learner: str, kind: str, message: str, detail: dict[str, Any] | None = None) -> Event:
        """Append an event; returns it with its number."""
        event = Event(position, learner, kind, message, detail or {}, self.next_number)
        self.next_number += 1
        self._keep(event)
        self._unmarked.append(event)
        if self._chained + len(self._unmarked) > 2 * len(self) + MOST_LOOSE:
            # the marks of an endless run must not hold what its log has given up: the next one begins a new chain
            self._mark, self._unmarked, self._chained = None, list(self), 0
        return event

    def _keep(self, event: Event) -> None:
        (self._tunings if event.kind == "tuned" else self._others).append(event)

    def sort_since(self, number: int) -> None:
        """Put the events from ``number`` on, which nobody has read yet, in the order of their positions.

        Then the order does not depend on how many rows were gone on at once, one learner after the other.
        """
        if number == self.next_number:
            return
        n = next((i for i, event in enumerate(reversed(self._unmarked)) if event.number < number), len(self._unmarked))
        old = self._unmarked[len(self._unmarked) - n :]
        if all(a.position <= b.position for a, b in pairwise(old)):
            return
        moved = zip(sorted(old, key=lambda event: event.position), old, strict=True)
        new = [replace(event, number=place.number) for event, place in moved]
        self._unmarked[len(self._unmarked) - n :] = new
        for kept in (self._tunings, self._others):
            while kept and kept[-1].number >= number:
                kept.pop()
        for event in new:
            self._keep(event)

    def mark(self) -> EventMark:
        """Return this place of the log, to which ``rewind`` returns."""
        if self._mark is None or self._unmarked:
            self._chained += len(self._unmarked)
            self._mark = EventMark(self._mark, tuple(self._unmarked), self.next_number)
            self._unmarked = []
        return self._mark

    def rewind(self, mark: EventMark) -> None:
        """Return to a place of this log, or of one that shares its beginning."""
        parts = [at.events for at in mark.chain()]
        self._tunings.clear()
        self._others.clear()
        for events in reversed(parts):
            for event in events:
                self._keep(event)
        self.next_number, self._mark, self._unmarked = mark.next_number, mark, []
        self._chained = sum(map(len, parts))

    def since(self, number: int) -> list[Event]:
        """The events kept from ``number`` on, in order."""
        if number >= self.next_number:
            return []
        newer = [event for kept in (self._tunings, self._others) for event in _tail(kept, number)]
        return sorted(newer, key=lambda event: event.number)

    def __len__(self) -> int:
        return len(self._tunings) + len(self._others)

    def __iter__(self) -> Iterator[Event]:
        return iter(sorted([*self._tunings, *self._others], key=lambda event: event.number))

    def table(self) -> pd.DataFrame:
        """Columns position, learner, kind, parameter, old, new, message; one row per event, in order."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "position": e.position,
                    "learner": e.learner,
                    "kind": e.kind,
                    "parameter": e.detail.get("parameter"),
                    "old": e.detail.get("old"),
                    "new": e.detail.get("new"),
                    "message": e.message,
                }
                for e in self
            ],
            columns=["position", "learner", "kind", "parameter", "old", "new", "message"],
        )


def _tail(events: Reversible[Event], number: int) -> Iterator[Event]:
    """The last of ``events``, which are in order, back to ``number``: a screen asks for a few of very many."""
    return takewhile(lambda event: event.number >= number, reversed(events))


def event_to_json(event: Event) -> list[Any]:
    """Return an event as plain values; of what a learner of another package tells the texts."""
    try:
        detail = packed(dict(event.detail))
    except ValueError:
        detail = {str(key): str(value)[:200] for key, value in event.detail.items()}
    return [event.position, event.learner, event.kind, event.message, detail]


def log_of(events: Any) -> EventLog:
    """Return the log of what ``event_to_json`` gave of each of its events; a ValueError of anything else."""
    log = EventLog()
    for position, learner, kind, message, detail in convert(events, list[tuple[Count, str, str, str, Any]]):
        log.add(position, learner, kind, message, convert(unpacked(detail), dict[Any, Any]))
    return log


@dataclass(frozen=True)
class Step:
    """Where a learner was when a step of the run began; its events count rows learned, a run those that passed.

    Parameters
    ----------
    start
        Instances of the run that had passed.
    now
        Rows that the learner had learned. Anything but a count: it does not count them, and its events count the run's
        instances.
    due_at
        Where labels come late, for each row that it learned in this step the instance after which it did; else None.
    """

    start: int
    now: Any
    due_at: np.ndarray | None

    def passed(self, position: int, now: Any, end: int) -> int:
        """Return how many instances of the run had passed at an event's position.

        ``now``, ``end``: where the learner and the run are at the end of the step.

        Raises
        ------
        ValueError
            If that is not in the step.
        """
        first, last, what = self.start, end, "of the run"
        counts = is_count(self.now) and is_count(now)
        if counts:
            first, last, what = self.now, now, "learned"
        if not first <= position <= last:
            raise ValueError(f"position is {position:,}; expected {first:,} to {last:,}, the rows {what} in this step")
        if not counts:
            return position
        rows = position - self.now
        if self.due_at is None or not rows:
            return self.start + rows
        return max(self.start, int(self.due_at[rows - 1]) + 1)


def reported(event: Any) -> tuple[int | None, str, str, dict[str, Any]]:
    """Return position (None: not told), kind, message and the rest of an event of ``take_events``.

    Raises
    ------
    ValueError
        If it is not a dictionary, kind or message is not a text, or the position is not a whole number.
    """
    if not isinstance(event, Mapping):
        raise ValueError(f"take_events returned {shown(event)}; expected dictionaries with kind and message")
    for key in ("kind", "message"):
        text = event.get(key)
        if not isinstance(text, str) or len(text) > LONGEST_TEXT or (key == "kind" and not text):
            which = f"event {shown(event.get('kind'))}" if key == "message" else "event"
            raise ValueError(f"{which}: {key} is {shown(text)}; expected a text of at most {LONGEST_TEXT:,} characters")
    kind, message = str(event["kind"]), str(event["message"])
    position = None
    if "position" in event:
        position = event["position"]
        if isinstance(position, bool) or not isinstance(position, (int, np.integer)):
            raise ValueError(f"event {shown(kind)}: position is {shown(position)}; expected a whole number of rows")
        position = int(position)
    return position, kind, message, {k: v for k, v in event.items() if k not in ("kind", "message", "position")}


# ---------------------------------------------------------------------- what a user does

TUNE, DRIFT, FORK, JOIN, REMOVE, COMPLETE = "tune", "drift", "fork", "join", "remove", "complete"
MARK, STEP = "mark", "step"


@dataclass(frozen=True, eq=False)
class Action:
    """Something that a user did between two instances. Two actions are equal only if they are the same one.

    Parameters
    ----------
    position
        Instances that had passed before it.
    kind
        ``"tune"``, ``"drift"`` (one was put in), ``"fork"``, ``"join"`` (a learner came), ``"remove"``,
        ``"complete"`` (the curves got a point of what had passed since the last), ``"mark"`` (the learners noted what
        they held) or ``"step"`` (this many rows are answered together from here on).
    detail
        What the run needs to do it again.
    is_after_end
        Whether the stream had ended, and the run was finished, before it.
    """

    position: int
    kind: str
    detail: Mapping[str, Any]
    is_after_end: bool = False
