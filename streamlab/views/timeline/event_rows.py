"""What happened in a run, for a replay: its drifts, and its events with the numbers behind them, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from streamlab.lab.events import RUN_EVENTS, Event
from streamlab.learners.base.events import EventKind
from streamlab.views.kit.text import MOST_MESSAGE, shown
from streamlab.views.page.event_cards import number_of_event
from streamlab.views.timeline.noticed import Noticed

__all__ = ["MOST_EVENTS", "drifts_of", "events_of", "listed"]

MOST_EVENTS = 4000
"""Events of learners that a replay holds; tunings, drifts and detections come first, then the newest."""

RUN_KINDS = {
    "tuned": EventKind("A setting was changed"),
    "put in": EventKind("A drift was put in"),
    "forked": EventKind("A fork begins"),
    "joined": EventKind("A learner joins"),
    "finished": EventKind("The end of the stream"),
    "failed": EventKind("The run broke off"),
}
SENTENCES = {
    "label rotation": "every label took the place of the next one (what was {0} is {1} now)",
    "label swap": "two labels changed places",
    "feature swap": "features changed places",
    "feature noise": "features became noisy",
    "prior shift": "some labels became more common than before",
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
"""What a kind of drift does, in words; {0} and {1} stand for the first two labels."""


def drifts_of(log: Iterable[Event], labels: Sequence[str]) -> list[dict[str, Any]]:
    """Return the drifts that a run has met, in order: ``at``, ``width``, ``what`` they did, in words."""
    names = [*map(shown, labels[:2]), "one label", "the next"][:2]
    found = []
    for event in log:
        if event.kind == "drift" and not event.learner:
            kind = event.message.partition(", over ")[0]
            words = SENTENCES.get(kind)
            what = shown(event.message, MOST_MESSAGE) if words is None else words.format(*names)
            found.append({"at": event.position, "width": int(event.detail.get("width", 1)), "what": what})
    return sorted(found, key=lambda drift: drift["at"])


def events_of(
    log: Iterable[Event], learners: Mapping[str, Mapping[str, EventKind]]
) -> tuple[list[dict[str, Any]], list[list[Any]], int]:
    """Return the kinds of events, the events of learners and of the user, and how many are left out.

    ``learners`` has the kinds of events that each learner reports, by its name, in the run's order.

    A kind has ``title``, ``rule``, ``shape`` and ``weight`` (2: it says that the concept has changed, or it was done by
    the user; 1: an alarm of one label; 0: else). An event is ``[position, learner's place or -1, place of its kind,
    message, [[words, number], ...], rows since the drift that it noticed first or None]``, ascending by position.
    """
    names = list(learners)
    known: dict[str, Mapping[str, EventKind]] = {
        name: {**RUN_KINDS, **kinds, **RUN_EVENTS} for name, kinds in learners.items()
    }
    known[""] = RUN_KINDS
    noticed, kinds, places = Noticed(), list[dict[str, Any]](), dict[tuple[str, str], int]()
    chosen: list[tuple[int, Event, list[Any]]] = []
    for event in log:
        if event.learner not in known or (event.kind == "drift" and not event.learner):
            if event.kind == "drift" and not event.learner:
                noticed.begin(event.position, event.detail.get("width", 1))
            continue
        kind = known[event.learner].get(event.kind, EventKind(event.kind.capitalize()))
        key = (kind.title, event.kind)
        if key not in places:
            places[key] = len(kinds)
            kinds.append(_described(event.kind, kind))
        delay = noticed.delay(event.learner, event.position) if kind.is_detection else None
        numbers = [
            [shown(words), shown(number_of_event(event.detail[name]))]
            for name, words in kind.numbers.items()
            if event.detail.get(name) is not None
        ]
        who = names.index(event.learner) if event.learner else -1
        row = [event.position, who, places[key], shown(event.message, MOST_MESSAGE), numbers, delay]
        chosen.append((kinds[places[key]]["weight"], event, row))
    kept = sorted(chosen, key=lambda each: (-each[0], -each[1].number))[:MOST_EVENTS]
    rows = [row for _, _, row in sorted(kept, key=lambda each: (each[1].position, each[1].number))]
    return kinds, rows, len(chosen) - len(rows)


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
