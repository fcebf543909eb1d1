"""The ensembles of ML-BELS: a few ridge regressions for each label, who of them stays, and what came of the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from streamlab._checks import counted
from streamlab.learners.base.parameters import kept, parameter, tunable
from streamlab.learners.base.registry import EventKind
from streamlab.learners.base.storage import between, index_into
from streamlab.rivals import _mlbels_ensembles as kernels
from streamlab.rivals._mlbels_ensembles import IN_ENSEMBLE, LEFT, NEVER, SET_ASIDE
from streamlab.rivals.roster import HISTORY, Roster

if TYPE_CHECKING:
    import pandas as pd


STATUS = {IN_ENSEMBLE: "answers", SET_ASIDE: "set aside", LEFT: "removed"}
LEARNING = "learns its first chunk"

SLOTS = ("grams", "moments", "weights")


class Ensembles(Roster):
    """Keeps the learners of each label; a seat is among those of a label."""

    measure: ClassVar[str] = "right answers"

    max_learners: int = tunable(
        1, 20, default=3, limit=1000, title="Learners of each label",
        help="More remember more of what was; each costs the same again.",
        says="keeps up to {value} learners for each label",
    )  # fmt: skip
    ridge: float = tunable(
        1e-12, 100, default=2.0**-30, kw_only=True, logarithmic=True, limit=1e6,
        help="Added to the diagonal of each regression: more keeps the weights small.",
    )  # fmt: skip
    chunk: int = parameter(2, 1000, default=50, kw_only=True, limit=1_000_000)
    _label_of: np.ndarray = kept("members", dtype=np.int64, rules=(index_into("labels"),))
    _status: np.ndarray = kept("members", dtype=np.int64, rules=(between(IN_ENSEMBLE, LEFT),))
    _slots: np.ndarray = kept("members", dtype=np.int64, rules=(
        index_into("slots", none=NEVER),
        index_into("slots", where=lambda arrays: arrays["status"] != LEFT),
    ))  # fmt: skip
    _entered: np.ndarray = kept("members", dtype=np.int64)
    _learned: np.ndarray = kept("members", dtype=np.int64)
    _came_from: np.ndarray = kept("members", dtype=np.int64)
    _grams: np.ndarray = kept("slots", "packed", finite=True)
    _moments: np.ndarray = kept("slots", "width", 2, finite=True)
    _weights: np.ndarray = kept("slots", "width", 2, finite=True)
    _right: np.ndarray = kept("labels", dtype=np.int64)
    _counted: np.ndarray = kept("labels", dtype=np.int64)
    _without: np.ndarray = kept("width", "labels", finite=True)
    _present: np.ndarray = kept("width", "labels", finite=True)
    _answering: np.ndarray = kept("labels", dtype=np.int64)
    _n_chunks: int = kept(low=0)

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        self._start_learners(np.arange(n_labels, len(self._labels)), self._n_seen)

    def _forget_ensembles(self) -> None:
        """Begin with one learner for each label, which knows nothing."""
        self._keep_members(np.zeros(0, np.int64))
        for array in (self._right, self._counted, self._without, self._present, self._answering):
            array[:] = 0
        self._take({name: getattr(self, f"_{name}")[: len(self._labels)] for name in SLOTS})
        self._next_id = 0
        self._start_learners(np.arange(len(self._labels)), 0)

    # ------------------------------------------------------------------ the table

    def _start_learners(self, labels: np.ndarray, now: int, returning: np.ndarray | None = None) -> None:
        """Put a learner that knows nothing at the end of these labels' ensembles, and then those that come back.

        These were set aside, and keep all that they know.
        """
        slots, back = self._free_slots(len(labels)), np.zeros(0, np.int64) if returning is None else returning
        for array in (self._grams, self._moments, self._weights):
            array[slots] = 0.0
        starting = {"label_of": labels, "slots": slots, "born": now, "learned": 0, "came_from": NEVER}
        n_starting, n = len(labels), len(labels) + len(back)
        if n == 0:
            return
        rows: dict[str, Any] = {"status": IN_ENSEMBLE, "entered": now}
        for name, values in starting.items():
            rows[name] = np.empty(n, np.int64)
            rows[name][:n_starting] = values
            rows[name][n_starting:] = getattr(self, f"_{'ids' if name == 'came_from' else name}")[back]
        self._let_go(back, now)
        rows["seats"] = kernels.free_seats(
            self._label_of, self._status, self._seats, len(self._labels), rows["label_of"]
        )
        self._append_members(n, **rows)

    def _free_slots(self, n: int) -> np.ndarray:
        """Return slots that nobody has, the first ones; there are more of them if they are not enough."""
        has_nobody = np.ones(len(self._grams) + 1, np.bool_)
        has_nobody[self._slots] = False
        has_nobody[NEVER] = False
        free = np.flatnonzero(has_nobody)
        if n > len(free):
            more = max(n - len(free), len(self._grams) // 4)
            free = np.concatenate([free, len(self._grams) + np.arange(more)])
            self._take(self.storage.resize(self._kept(), {"slots": len(self._grams) + more}))
        return free[:n]

    def _let_go(self, rows: np.ndarray, now: int) -> None:
        """Forget what these learners know; they stay in the table for the picture."""
        self._left[rows] = np.where(self._left[rows] == NEVER, now, self._left[rows])
        self._status[rows] = LEFT
        self._slots[rows] = NEVER

    def _forget_gone(self, now: int) -> None:
        """Remove the learners that left before the period that the picture shows."""
        stays = (self._status != LEFT) | (self._left > now - HISTORY * int(self.chunk))
        if not stays.all():
            self._keep_members(np.flatnonzero(stays))

    # ------------------------------------------------------------------ a chunk

    def _evaluate(self, Z: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how good each learner was on a chunk, and where the ensembles were wrong: see ``evaluate``."""
        accuracies, wrong = np.empty(len(self._ids)), np.empty(Y.shape, np.bool_)
        kernels.evaluate(
            Z, Y, self._label_of, self._status, self._learned, self._slots, self._weights, self._answering, accuracies,
            wrong,
        )  # fmt: skip
        return accuracies, wrong

    def _learn_ensembles(self, Z: np.ndarray, Y: np.ndarray, wrong: np.ndarray, gram: np.ndarray) -> None:
        kernels.learn_members(
            Z, Y, wrong, gram, self._label_of, self._status, self._slots, self._learned, float(self.ridge), self._grams,
            self._moments, self._weights,
        )  # fmt: skip

    def _add_up(self) -> None:
        """Sum the weights of each ensemble."""
        kernels.totals(
            self._label_of, self._status, self._learned, self._slots, self._weights, self._without, self._present,
            self._answering,
        )  # fmt: skip

    def _rearrange(self, accuracies: np.ndarray, now: int) -> np.ndarray:
        """Start, remove, set aside and take back learners, by how good they were on the chunk that was learned.

        Returns
        -------
        int64 (4, labels)
            How many of each label were started, removed, set aside and taken back.
        """
        changes = np.zeros((4, len(self._labels)), np.int64)
        returning = kernels.rearrange(
            self._label_of, self._status, self._slots, self._left, accuracies, self._right, self._counted,
            int(self.max_learners), now, changes,
        )  # fmt: skip
        self._start_learners(np.flatnonzero(changes[0]), now, returning)
        self._forget_gone(now)
        return changes

    def _note(self, accuracies: np.ndarray) -> None:
        """Keep for the picture how good those of the ensembles were."""
        self._extend_history(np.where(self._status == IN_ENSEMBLE, accuracies, np.nan))

    def _bound_ensembles(self, most: int, now: int) -> None:
        """Remove the learners of each label beyond so many: those least right on the latest chunk, never the first."""
        gone = [np.zeros(0, np.int64)]
        for label in range(len(self._labels)):
            rows = np.flatnonzero((self._label_of == label) & (self._status == IN_ENSEMBLE))
            surplus = len(rows) - most
            if surplus > 0:
                latest = np.nan_to_num(self._history[rows[1:], -1].astype(np.float64), nan=-1.0)
                gone.append(rows[1:][np.argsort(latest, kind="stable")[:surplus]])
        if len(gone) > 1:
            self._let_go(np.concatenate(gone), now)
            self._add_up()

    # ------------------------------------------------------------------ the learners, to look at

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

    def _stretches(self) -> tuple[int, int, int]:
        return self._n_chunks, int(self.chunk), self._n_chunks * int(self.chunk)

    def nodes(self) -> pd.DataFrame:
        """Return ``node_columns`` as a table, with labels and status in words: one row a learner, indexed by ``id``."""
        table = super().nodes()
        table.insert(0, "label", [str(self._labels[label]) for label in self._label_of.tolist()])
        return table

    def _further_story(self, row: int) -> dict[str, Any]:
        label = int(self._label_of[row])
        answers = self._status[row] == IN_ENSEMBLE and self._learned[row] > 0
        return {
            "label": str(self._labels[label]),
            # the share of right answers of its label's ensemble so far
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
    ),
    "removed": EventKind(
        "Learners were removed",
        "A learner that was right less often in the latest chunk than the learners of its label are together on the "
        "whole makes room for another. The first of a label always stays, and the last of those that were poor.",
        numbers=NUMBERS,
    ),
    "set_aside": EventKind(
        "Learners were set aside",
        "More than half of a label's learners were poor in the latest chunk: the stream may have changed. They are not "
        "forgotten: what they know may be true again.",
        numbers=NUMBERS,
    ),
    "came_back": EventKind(
        "Learners came back",
        "A learner that had been set aside was right for more than half of the latest chunk, and there was room.",
        numbers=NUMBERS,
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
