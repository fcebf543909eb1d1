"""The events of ML-BELS: what each kind means, and the words for what happened after a chunk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from streamlab.learners.base.events import EventKind
from streamlab.rivals.mlbels.ensembles import Changes

__all__ = ["EVENTS", "events_of"]

NUMBERS = {"learners": "learners", "labels": "labels they are of"}
# names of labels that a message has at most
MOST_NAMES = 3

EVENTS: dict[str, EventKind] = {
    "started": EventKind(
        "Learners were started",
        "Each label may have this many learners. While it has fewer, one starts after each chunk; it answers once it "
        "has learned a chunk.",
        numbers=NUMBERS,
        colour="#009E73",
        shape="triangle",
    ),
    "removed": EventKind(
        "Learners were removed",
        "A learner that was right less often in the latest chunk than the learners of its label are together on the "
        "whole makes room for another. The first of a label always stays, and the last of those that were poor.",
        numbers=NUMBERS,
        colour="#D55E00",
        shape="inverted_triangle",
    ),
    "set_aside": EventKind(
        "Learners were set aside",
        "More than half of a label's learners were poor in the latest chunk: the stream may have changed. They are not "
        "forgotten: what they know may be true again.",
        numbers=NUMBERS,
        colour="#CC79A7",
        shape="square",
    ),
    "came_back": EventKind(
        "Learners came back",
        "A learner that had been set aside was right for more than half of the latest chunk, and there was room.",
        numbers=NUMBERS,
        colour="#0072B2",
        shape="diamond",
    ),
}

VERBS = {
    "started": "{} started", "removed": "{} removed", "set_aside": "{} set aside", "came_back": "{} came back",
}  # fmt: skip


def events_of(changes: Changes, names: Sequence[Any], position: int) -> list[dict[str, Any]]:
    """Return an event for each kind of change after a chunk; ``position``: rows learned then."""
    events = []
    for kind, labels in changes._asdict().items():
        if not labels:
            continue
        n = len(labels)
        some = sorted(set(labels))
        told = ", ".join(str(names[label]) for label in some[:MOST_NAMES])
        if len(some) > MOST_NAMES:
            told += f" and {len(some) - MOST_NAMES} more"
        verb = VERBS[kind].format(f"{n} learner{'' if n == 1 else 's'}")
        events.append(
            {"kind": kind, "message": f"{verb}: {told}", "position": position, "learners": n, "labels": len(some)}
        )
    return events
