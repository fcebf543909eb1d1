"""What happened in a run: its drifts, and its events with the numbers behind them, as plain data for the browser."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from streamlab._checks import counted, plural
from streamlab.lab.detection_report import evidence_of
from streamlab.lab.events import Event, run_events
from streamlab.learners.base.registry import EventKind
from streamlab.measures import DEFAULT_WITHIN
from streamlab.measures.detection import drifts_behind
from streamlab.views.kit.details import facts
from streamlab.views.kit.text import MOST_MESSAGE, as_html, number_text, numbered, shown


def is_of_alternate(event: Event) -> bool:
    """Whether it is of a tree that grows beside a branch: that one's own splits are other news, and are not counted."""
    return event.message.startswith("alternate node")


def as_it_was(event: Event, kind: EventKind) -> EventKind:
    """Return the kind of an event; of an error that fell, another: that is a learner that learns, and no warning."""
    if kind.noun and is_of_alternate(event):
        return replace(kind, title="A leaf of an alternate splits", noun="")
    is_fall = event.detail.get("rising") is False
    return replace(kind, title="An error fell", rule="", is_detection=False) if is_fall else kind


@dataclass
class Truth:
    """A known drift: where it begins, over how many instances, and which learners have noticed it."""

    start: int
    width: int = 1
    seen: set[str] = field(default_factory=set)


class Noticed:
    """Drifts and detections in the order in which they were logged."""

    def __init__(self) -> None:
        self.truths: list[Truth] = []

    def begin(self, start: int, width: int = 1) -> None:
        """A drift has begun."""
        self.truths.append(Truth(start, width))
        self.truths.sort(key=lambda truth: truth.start)

    def behind(self, position: int, since: int | None = None) -> tuple[int, int]:
        """Return the numbers, from 1, of the first and the last drift that a detection may be of; 0: of none."""
        first, last = drifts_behind([truth.start for truth in self.truths], position, since)
        return first + 1, last + 1

    def delay(self, learner: str, position: int, since: int | None = None) -> int | None:
        """Return the instances from a drift to its detection; None without a drift, or if it was noticed before.

        ``since`` is the row where the detection's evidence begins: it is of the drift that this reaches back to.
        """
        number, _ = self.behind(position, since)
        if not number:
            return None
        truth = self.truths[number - 1]
        if learner in truth.seen or position >= truth.start + truth.width + DEFAULT_WITHIN:
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
WORDS = {
    "label rotation": ("labels renamed", "every label took the place of another one"),
    "label swap": ("two labels swapped", "two labels changed places"),
    "feature swap": ("features swapped", "features changed places"),
    "feature noise": ("features became noisy", "features became noisy"),
    "stuck features": ("features stick", "features stick at one value"),
    "prior shift": ("a label's share changed", "a label became more common, or less, than before"),
    "new label": ("a new label", "a label appeared that was not there before"),
    "label vanishing": ("a label vanished", "a label vanished"),
    "regions and labels": ("one part changed", "one region of the data was replaced by another, with other labels"),
    "sudden": ("sudden change", "what the labels depend on changed at once"),
    "gradual": ("gradual change", "what the labels depend on began to change, row by row"),
    "incremental": ("slow change", "what the labels depend on began to move slowly"),
    "recurrent": ("the past came back", "what the labels depended on before came back"),
}
"""What a kind of drift does, in at most four words, which stand on the curve, and for drifts that do not say themselves
what they did (``Drift.about``)."""
MOST_BRIEF = 4
"""Words of others."""
HOW_MANY = re.compile(r"^(\w+ ){1,2}of the | now$")
"""What the words on the curve leave out of a drift's own."""


def clause_of(about: str) -> str:
    """Return the first clause of what a drift did in its own words (``Drift.about``); "" where it has none."""
    return shown(re.split(r"\s\(|[:;,.]", about)[0].rpartition("rows: ")[2]).strip()


def brief_of(kind: str, about: str, noun: str) -> str:
    """Return what a drift did in at most four words: its own where they are as few, so that it has one name."""
    own = HOW_MANY.sub("", clause_of(about))
    if 0 < len(own.split()) <= MOST_BRIEF:
        return own
    brief = WORDS[kind][0].replace("labels", plural(noun)) if kind in WORDS else " ".join(kind.split()[:MOST_BRIEF])
    return shown(brief.replace("label", noun))


class EventRows:
    """Events of a run as rows that the browser draws, taken in as they come.

    Parameters
    ----------
    learners
        By name the kinds of events that each learner reports, in the run's order.
    groups
        Names of learners that count as one, such as the seeds of one learner, by the group's name; default: each alone.
        A place is then that of the group, and of several members the first that notices a drift counts.
    noun
        ``Schema.noun`` of the stream: "label" or "class".

    Attributes
    ----------
    drifts
        The drifts that the run has met, in order: ``at``, ``width``, ``name`` (the log's words) and
        ``what`` they did, in words for people, and ``brief``, the same in at most four.
    kinds
        The kinds of events: ``title``, ``rule``, ``shape`` and ``is_marked`` (whether it has a mark: it says that the
        concept has changed, or it was done by the user).
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
        groups: Mapping[str, Sequence[str]] | None = None,
        noun: str = "label",
    ) -> None:
        parts = {name: [name] for name in learners} if groups is None else groups
        self._places = {name: i for i, members in enumerate(parts.values()) for name in members} | {"": -1}
        known = {name: {**RUN_KINDS, **kinds, **run_events(noun)} for name, kinds in learners.items()}
        self._known: dict[str, Mapping[str, EventKind]] = {**known, "": RUN_KINDS}
        self._noticed, self._noun = Noticed(), noun
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
        if len(self.rows) > 2 * MOST_EVENTS:
            self.prune()

    def prune(self) -> None:
        """Keep the most telling rows, then the newest."""
        count = len(self.rows)
        if count > MOST_EVENTS:
            order = sorted(range(count), key=lambda i: (not self.kinds[self.rows[i][2]]["is_marked"], -i))
            self.rows = [self.rows[i] for i in sorted(order[:MOST_EVENTS])]
            self.left_out += count - MOST_EVENTS
            self.edition += 1

    def _drift(self, event: Event) -> dict[str, Any]:
        name, kind = shown(event.message, MOST_MESSAGE), event.message.partition(", over ")[0]
        about = str(event.detail.get("about") or "")
        return {
            "at": event.position,
            "width": int(event.detail.get("width", 1)),
            "name": name,
            "what": shown(about or WORDS.get(kind, ("", event.message))[1], MOST_MESSAGE),
            "brief": brief_of(kind, about, self._noun),
        }

    def _row(self, event: Event) -> list[Any]:
        kind = self._known[event.learner].get(event.kind, EventKind(event.kind.strip().capitalize() or "Event"))
        kind = as_it_was(event, kind)
        key = (kind.title, event.kind)
        if key not in self._kind_places:
            self._kind_places[key] = len(self.kinds)
            self.kinds.append(_described(event.kind, kind))
        who = self._places[event.learner]
        since = evidence_of(event)
        delay = self._noticed.delay(str(who), event.position, since) if kind.is_detection else None
        numbers = [
            [shown(words), shown(number_text(event.detail[name]))]
            for name, words in kind.numbers.items()
            if event.detail.get(name) is not None
        ]
        first, last = self._noticed.behind(event.position, since)
        if delay is not None and first < last:
            numbers.append(["changes in its evidence", f"{numbered(first)} to {numbered(last)}: too near to tell"])
        return [event.position, who, self._kind_places[key], shown(event.message, MOST_MESSAGE), numbers, delay]


def drifts_of(log: Iterable[Event], noun: str = "label") -> list[dict[str, Any]]:
    """Return the drifts that a run has met, in order, as ``EventRows.drifts`` has them."""
    rows = EventRows({}, noun=noun)
    rows.add(event for event in log if event.kind == "drift" and not event.learner)
    return rows.drifts


def events_of(
    log: Iterable[Event], learners: Mapping[str, Mapping[str, EventKind]], noun: str = "label"
) -> tuple[list[dict[str, Any]], list[list[Any]], int]:
    """Return the kinds, the rows (ascending by position) and how many are left out, as ``EventRows`` has them."""
    events = EventRows(learners, noun=noun)
    events.add(log)
    events.prune()
    return events.kinds, sorted(events.rows, key=lambda row: row[0]), events.left_out


def _described(name: str, kind: EventKind) -> dict[str, Any]:
    by_hand = name in RUN_KINDS
    return {
        "name": name,
        "title": shown(kind.title),
        "rule": shown(kind.rule, MOST_MESSAGE),
        "did": kind.did if kind.is_detection and kind.replaces else "",
        "shape": "bar" if by_hand else "star" if kind.replaces else "alarm",
        "is_marked": by_hand or kind.is_detection,
    }


MOST_TOLD = 2
"""Events of one mark that are told in full."""


def events_html(events: EventRows, names: Sequence[str], who: int, first: int, last: int) -> str:
    """Return in sentences what happened to one between two rows: when, on what evidence, against what threshold.

    Parameters
    ----------
    events
        What happened.
    names
        What people call the learners, by their places.
    who
        A learner's place; -1: the stream and the user.
    first, last
        Rows, both included.

    Returns
    -------
    HTML, "" where nothing happened; every text in it is escaped.
    """
    here = [each for each in events.rows if each[1] == who and first <= each[0] <= last]
    here = [each for each in here if events.kinds[each[2]]["is_marked"]]
    parts: list[tuple[str, str, str, Sequence[Sequence[str]]]] = [
        (f"{numbered(i + 1)} The stream changes", _drift_sentence(drift), "", [])
        for i, drift in enumerate(events.drifts)
        if who < 0 and first <= drift["at"] <= last
    ]
    for at, _, kind, message, numbers, delay in here:
        about = events.kinds[kind]
        number = 0 if delay is None else sum(drift["at"] <= at - delay for drift in events.drifts)
        after = f", {counted(delay, 'row')} after change {numbered(number)}" if number else ""
        name = f"{names[who]}: " if 0 <= who < len(names) else ""
        parts.append((f"{name}{about['title']}", f"Row {at:,}: {message.rstrip('.')}{after}.", about["rule"], numbers))
    more = f"<p>{len(parts) - MOST_TOLD:,} more here, in the list of reports.</p>" if len(parts) > MOST_TOLD else ""
    return "".join(_event_html(*part) for part in parts[:MOST_TOLD]) + more


def _drift_sentence(drift: Mapping[str, Any]) -> str:
    over = f", over {drift['width']:,} rows" if drift["width"] > 1 else ""
    return f"Row {drift['at']:,}: {drift['what'].rstrip('.')}{over}."


def _event_html(title: str, sentence: str, rule: str, numbers: Sequence[Sequence[str]]) -> str:
    why = f"<p>{as_html(rule, MOST_MESSAGE)}</p>" if rule else ""
    known = facts({each[0]: each[1] for each in numbers}) if numbers else ""
    return f"<h3>{as_html(title, MOST_MESSAGE)}</h3><p>{as_html(sentence, MOST_MESSAGE)}</p>{why}{known}"


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence has them: ``a, b and c``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
