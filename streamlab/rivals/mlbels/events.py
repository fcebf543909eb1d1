"""The events of ML-BELS: what each kind means, and the words for what came of the learners."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from streamlab._checks import counted
from streamlab.learners.base.registry import EventKind

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


def events_of(changes: np.ndarray, names: Sequence[Any], position: int) -> list[dict[str, Any]]:
    """Return an event for each kind of change after a chunk; ``position``: rows learned then.

    ``changes`` int64 (4, labels) counts the learners of each label, in the order of ``VERBS``.
    """
    events = []
    for kind, n, counts in zip(VERBS, changes.sum(axis=1).tolist(), changes, strict=True):
        if not n:
            continue
        some = np.flatnonzero(counts).tolist()
        whose = ", ".join(str(names[label]) for label in some[:MOST_NAMES])
        if len(some) > MOST_NAMES:
            whose += f" and {len(some) - MOST_NAMES} more"
        verb = VERBS[kind].format(counted(n, "learner"))
        events.append(
            {"kind": kind, "message": f"{verb}: {whose}", "position": position, "learners": n, "labels": len(some)}
        )
    return events
