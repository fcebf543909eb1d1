"""Descriptions of the learners of ML-BELS for pictures and people; no function here changes a learner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from streamlab._checks import counted
from streamlab.learners.base.parameters import kept
from streamlab.learners.base.registry import EventKind
from streamlab.rivals.mlbels._table import IN_ENSEMBLE, LEFT, SET_ASIDE
from streamlab.rivals.mlbels.ensembles import HISTORY, Ensembles

if TYPE_CHECKING:
    import pandas as pd

STATUS = {IN_ENSEMBLE: "answers", SET_ASIDE: "set aside", LEFT: "removed"}
LEARNING = "learns its first chunk"


class EnsembleTable(Ensembles):
    """Reports the learners of each label."""

    _features: Any = kept()
    _labels: list[str] = kept()

    def node_columns(self) -> dict[str, np.ndarray]:
        """Return the learners as arrays, one entry for each, those that left lately included.

        Returns
        -------
        dict
            ``id`` (never reused), ``group`` (column of its label), ``seat`` (its line among those of its label),
            ``born`` and ``entered`` (rows that had been learned when it was started, and when it came into the
            ensemble), ``left`` (when it left it; -1: it is there), ``rows`` (that it has learned), ``value`` (share of
            the rows of the latest chunk for which it was right; NaN where it did not answer), ``aside`` (whether it
            was set aside when it left: it may come back, or has), ``came_from`` (the id it had before it was set
            aside, or -1).
        """
        return {
            "id": self._ids.copy(),
            "group": self._label_of.copy(),
            "seat": self._seats.copy(),
            "born": self._born.copy(),
            "entered": self._entered.copy(),
            "left": self._left.copy(),
            "rows": self._learned.copy(),
            "value": self._history[:, -1].astype(np.float64),
            "aside": (self._status == SET_ASIDE) | np.isin(self._ids, self._came_from),
            "came_from": self._came_from.copy(),
        }

    def node_history(self) -> dict[str, Any]:
        """Return how good each learner was in the latest chunks.

        Returns
        -------
        dict
            ``values`` float32 (members, chunks), in the order of ``node_columns``, the newest chunk last, NaN where a
            learner did not answer; ``step``, the rows of a chunk; ``end``, how many rows had been learned when the
            newest was full; ``measure``, what the values are, in words.
        """
        known = min(self._n_chunks, HISTORY)
        return {
            "values": self._history[:, HISTORY - known :].copy(),
            "step": int(self.chunk),
            "end": self._n_chunks * int(self.chunk),
            "measure": "right answers",
        }

    def nodes(self) -> pd.DataFrame:
        """Return ``node_columns`` as a table, with labels and status in words: one row a learner, indexed by ``id``."""
        import pandas as pd

        table = pd.DataFrame(self.node_columns()).set_index("id").drop(columns=["group", "aside"])
        table.insert(0, "label", [str(self._labels[label]) for label in self._label_of.tolist()])
        table.insert(1, "status", [self._status_of(row) for row in range(len(self._ids))])
        return table

    def describe_node(self, node_id: int) -> dict[str, Any] | None:
        """Return the details of one learner; None if it does not exist, or no longer.

        Returns
        -------
        dict or None
            ``node_columns`` of it, with ``label``, ``status`` in words, ``usual`` (share of right answers of its
            label's ensemble so far) and ``others`` (learners that answer beside it).
        """
        rows = np.flatnonzero(self._ids == node_id)
        if not len(rows):
            return None
        row = int(rows[0])
        label = int(self._label_of[row])
        story = {name: values[row].item() for name, values in self.node_columns().items()}
        answers = self._status[row] == IN_ENSEMBLE and self._learned[row] > 0
        return story | {
            "label": str(self._labels[label]),
            "status": self._status_of(row),
            "usual": float(self._right[label] / self._counted[label]) if self._counted[label] else float("nan"),
            "others": int(self._answering[label]) - int(answers),
        }

    def _status_of(self, row: int) -> str:
        status = int(self._status[row])
        if status == IN_ENSEMBLE and self._learned[row] == 0:
            return LEARNING
        returned = np.flatnonzero(self._came_from == self._ids[row])
        if status == LEFT and len(returned):
            return f"came back, as learner {self._ids[returned[0]]}"
        return STATUS[status]


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
        named = ", ".join(str(names[label]) for label in some[:MOST_NAMES])
        if len(some) > MOST_NAMES:
            named += f" and {len(some) - MOST_NAMES} more"
        verb = VERBS[kind].format(counted(n, "learner"))
        events.append(
            {"kind": kind, "message": f"{verb}: {named}", "position": position, "learners": n, "labels": len(some)}
        )
    return events
