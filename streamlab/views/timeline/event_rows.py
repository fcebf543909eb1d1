"""What happened in a run: its drifts, and its events with the numbers behind them, as plain data for the browser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from streamlab.lab.events import RUN_EVENTS, Event
from streamlab.learners.base.events import EventKind
from streamlab.measures import DEFAULT_WITHIN
from streamlab.views.kit.text import MOST_MESSAGE, number_text, shown


@dataclass
class Truth:
    """A known drift: where it begins, over how many instances, and which learners have noticed it."""

    start: int
    width: int = 1
    seen: set[str] = field(default_factory=set)


class Noticed:
    """Drifts and detections in the order in which they were logged.

    Parameters
    ----------
    within
        Instances after a drift is complete in which a detection is of it; as in ``measures.match_alarms``.
    """

    def __init__(self, within: int = DEFAULT_WITHIN) -> None:
        self._within = within
        self.truths: list[Truth] = []

    def begin(self, start: int, width: int = 1) -> None:
        """A drift has begun."""
        self.truths.append(Truth(start, width))

    def delay(self, learner: str, position: int) -> int | None:
        """Return the instances from a drift to its detection; None without a drift, or if it was noticed before."""
        # a truth is logged when its first row has passed, so the latest that began before the event is its own
        truth = next((t for t in reversed(self.truths) if t.start <= position), None)
        if truth is None or learner in truth.seen or position >= truth.start + truth.width + self._within:
            return None
        truth.seen.add(learner)
        return position - truth.start


MOST_EVENTS = 4000
"""Events of learners that are kept; tunings and detections come first, then the newest."""

RUN_KINDS = {
    "tuned": EventKind("A setting was changed"),
    "put in": EventKind("A drift was put in"),
    "forked": EventKind("A fork begins"),
    "joined": EventKind("A learner joins"),
    "finished": EventKind("The end of the stream"),
    "failed": EventKind("The run broke off"),
}
SENTENCES = {
    "label rotation": "every label took the place of another one",
    "label swap": "two labels changed places",
    "feature swap": "features changed places",
    "feature noise": "features became noisy",
    "prior shift": "a label became more common, or less, than before",
    "new label": "a label appeared that was not there before",
    "label vanishing": "a label vanished",
    "label sets of a branch": "in one region of the data, the labels changed",
    "tests and label sets of a branch": "one region of the data was replaced by another, with other labels",
    "new players": "other players took up the instruments",
    "worse microphone": "the microphone became worse",
    "sudden": "what the labels depend on changed at once",
    "gradual": "what the labels depend on began to change, row by row",
    "incremental": "what the labels depend on began to move slowly",
    "recurrent": "what the labels depended on before came back",
}
"""What a kind of drift does, for drifts that do not say themselves what they did (``Drift.about``)."""


class EventRows:
    """Events of a run as rows that the browser draws, taken in as they come.

    Parameters
    ----------
    learners
        By name the kinds of events that each learner reports, in the run's order.
    most
        Rows that are kept; beyond twice as many the least telling and oldest go.
    groups
        Names of learners that count as one, such as the seeds of one learner, by the group's name; default: each alone.
        A place is then that of the group, and of several members the first that notices a drift counts.

    Attributes
    ----------
    drifts
        The drifts that the run has met, in order: ``at``, ``width``, ``name`` (the log's words) and
        ``what`` they did, in words for people.
    kinds
        The kinds of events: ``title``, ``rule``, ``shape`` and ``weight`` (2: it says that the concept has changed, or
        it was done by the user; 1: an alarm of one label; 0: else).
    rows
        The events of learners and of the user: ``[position, learner's place or -1, place of its kind, message, [[words,
        number], ...], rows since the drift that it noticed first or None]``, in the order of the log.
    left_out
        How many events are not among the rows any longer.
    edition
        Counts how often rows have gone: what was sent before is then to be sent again.
    """

    def __init__(
        self,
        learners: Mapping[str, Mapping[str, EventKind]],
        most: int | None = None,
        groups: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        parts = {name: [name] for name in learners} if groups is None else groups
        self._places = {name: i for i, members in enumerate(parts.values()) for name in members} | {"": -1}
        known = {name: {**RUN_KINDS, **kinds, **RUN_EVENTS} for name, kinds in learners.items()}
        self._known: dict[str, Mapping[str, EventKind]] = {**known, "": RUN_KINDS}
        self._most = MOST_EVENTS if most is None else most
        self._noticed = Noticed()
        self._kind_places: dict[tuple[str, str], int] = {}
        self.drifts: list[dict[str, Any]] = []
        self.kinds: list[dict[str, Any]] = []
        self.rows: list[list[Any]] = []
        self.left_out = self.edition = 0

    def add(self, events: Iterable[Event]) -> None:
        """Take in events in the order in which they were logged."""
        for event in events:
            if event.kind == "drift" and not event.learner:
                self._noticed.begin(event.position, event.detail.get("width", 1))
                self.drifts.append(self._drift(event))
                self.drifts.sort(key=lambda drift: drift["at"])
            elif event.learner in self._known:
                self.rows.append(self._row(event))
        if len(self.rows) > 2 * self._most:
            self.prune()

    def prune(self) -> None:
        """Keep the most telling rows, then the newest."""
        count = len(self.rows)
        if count > self._most:
            order = sorted(range(count), key=lambda i: (-self.kinds[self.rows[i][2]]["weight"], -i))
            self.rows = [self.rows[i] for i in sorted(order[: self._most])]
            self.left_out += count - self._most
            self.edition += 1

    def _drift(self, event: Event) -> dict[str, Any]:
        said = event.detail.get("about") or SENTENCES.get(event.message.partition(", over ")[0], event.message)
        name = shown(event.message, MOST_MESSAGE)
        return {
            "at": event.position,
            "width": int(event.detail.get("width", 1)),
            "name": name,
            "what": shown(said, MOST_MESSAGE),
        }

    def _row(self, event: Event) -> list[Any]:
        kind = self._known[event.learner].get(event.kind, EventKind(event.kind.strip().capitalize() or "Event"))
        key = (kind.title, event.kind)
        if key not in self._kind_places:
            self._kind_places[key] = len(self.kinds)
            self.kinds.append(_described(event.kind, kind))
        who = self._places[event.learner]
        delay = self._noticed.delay(str(who), event.position) if kind.is_detection else None
        numbers = [
            [shown(words), shown(number_text(event.detail[name]))]
            for name, words in kind.numbers.items()
            if event.detail.get(name) is not None
        ]
        return [event.position, who, self._kind_places[key], shown(event.message, MOST_MESSAGE), numbers, delay]


def drifts_of(log: Iterable[Event]) -> list[dict[str, Any]]:
    """Return the drifts that a run has met, in order, as ``EventRows.drifts`` has them."""
    rows = EventRows({})
    rows.add(event for event in log if event.kind == "drift" and not event.learner)
    return rows.drifts


def events_of(
    log: Iterable[Event], learners: Mapping[str, Mapping[str, EventKind]]
) -> tuple[list[dict[str, Any]], list[list[Any]], int]:
    """Return the kinds, the rows (ascending by position) and how many are left out, as ``EventRows`` has them."""
    events = EventRows(learners)
    events.add(log)
    events.prune()
    return events.kinds, sorted(events.rows, key=lambda row: row[0]), events.left_out


def _described(name: str, kind: EventKind) -> dict[str, Any]:
    by_hand = name in RUN_KINDS
    weight = 2 if by_hand or kind.is_detection else 1 if name in RUN_EVENTS else 0
    return {
        "name": name,
        "title": shown(kind.title),
        "rule": shown(kind.rule, MOST_MESSAGE),
        "shape": "bar" if by_hand else kind.shape if weight else "tick",
        "weight": weight,
    }


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence has them: ``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
