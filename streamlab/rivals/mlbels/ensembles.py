"""The ensembles of ML-BELS: a few ridge regressions for each label, who of them stays, and what came of the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from streamlab.learners.base.estimator import StreamEstimator
from streamlab.learners.base.parameters import kept, parameter, tunable
from streamlab.learners.base.storage import Array, Number, Storage, between, index_into
from streamlab.rivals.mlbels import _table as table
from streamlab.rivals.mlbels._regressions import learn_members
from streamlab.rivals.mlbels._table import IN_ENSEMBLE, LEFT, NEVER
from streamlab.rivals.mlbels.broad_features import SANE

HISTORY = 48
"""Chunks over which it is kept how often each learner was right: for its picture."""
MOST_SEATS = 10_000

SLOTS = Storage(
    Array("grams", ("slots", "packed"), finite=True, rules=(SANE,)),
    Array("moments", ("slots", "width", 2), finite=True, rules=(SANE,)),
    Array("weights", ("slots", "width", 2), finite=True, rules=(SANE,)),
)
"""What a learner knows, in a slot of its own; one that has left has none."""

ENSEMBLES = Storage(
    Array("ids", ("members",), np.int64, rules=(between(0),)),
    Array("label_of", ("members",), np.int64, rules=(index_into("labels"),)),
    Array("status", ("members",), np.int64, rules=(between(IN_ENSEMBLE, LEFT),)),
    # the line of the picture on which it is drawn, among those of its label
    Array("seats", ("members",), np.int64, rules=(between(0, MOST_SEATS),)),
    Array(
        "slots",
        ("members",),
        np.int64,
        rules=(index_into("slots", none=NEVER), index_into("slots", where=lambda arrays: arrays["status"] != LEFT)),
    ),
    # rows that had been learned when it was started, when it entered and left the ensemble, and rows it has learned
    Array("born", ("members",), np.int64, rules=(between(0),)),
    Array("entered", ("members",), np.int64, rules=(between(0),)),
    Array("left", ("members",), np.int64, rules=(between(0, none=NEVER),)),
    Array("learned", ("members",), np.int64, rules=(between(0),)),
    Array("came_from", ("members",), np.int64, rules=(between(0, none=NEVER),)),
    # share of the rows of each of the latest chunks for which it was right, NaN where it did not answer
    Array("history", ("members", HISTORY), np.float32, rules=(between(0, 1, missing=True),)),
    *SLOTS,
    # answers of each ensemble that were right, and how many they were
    Array("right", ("labels",), np.int64, rules=(between(0),)),
    Array("counted", ("labels",), np.int64, rules=(between(0),)),
    # what follows from the above, to answer by
    Array("without", ("width", "labels"), finite=True, rules=(SANE,)),
    Array("present", ("width", "labels"), finite=True, rules=(SANE,)),
    Array("answering", ("labels",), np.int64, rules=(between(0),)),
    Number("next_id", low=0),
    # rows learned, and chunks
    Number("n_seen", low=0),
    Number("n_chunks", low=0),
)

TABLE = ("ids", "label_of", "status", "seats", "slots", "born", "entered", "left", "learned", "came_from", "history")


class Ensembles(StreamEstimator):
    """Keeps the learners of each label; needs ``ENSEMBLES`` in its storage. In the table the oldest come first."""

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
    _ids: np.ndarray = kept()
    _label_of: np.ndarray = kept()
    _status: np.ndarray = kept()
    _seats: np.ndarray = kept()
    _slots: np.ndarray = kept()
    _born: np.ndarray = kept()
    _entered: np.ndarray = kept()
    _left: np.ndarray = kept()
    _learned: np.ndarray = kept()
    _came_from: np.ndarray = kept()
    _history: np.ndarray = kept()
    _grams: np.ndarray = kept()
    _moments: np.ndarray = kept()
    _weights: np.ndarray = kept()
    _right: np.ndarray = kept()
    _counted: np.ndarray = kept()
    _without: np.ndarray = kept()
    _present: np.ndarray = kept()
    _answering: np.ndarray = kept()
    _next_id: int = kept()
    _n_seen: int = kept()
    _n_chunks: int = kept()

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        self._widen_ensembles(n_labels, self._n_seen)

    def _forget_ensembles(self) -> None:
        """Begin with one learner for each label, which knows nothing."""
        for name in TABLE:
            setattr(self, f"_{name}", getattr(self, f"_{name}")[:0])
        for array in (self._right, self._counted, self._without, self._present, self._answering):
            array[:] = 0
        self._take({name: getattr(self, f"_{name}")[: len(self._labels)] for name in SLOTS.arrays})
        self._next_id = 0
        self._start_learners(np.arange(len(self._labels)), 0)

    def _widen_ensembles(self, n_labels: int, now: int) -> None:
        """Give labels that came since a learner each."""
        more = len(self._labels) - n_labels
        if not more:
            return
        for name in ("right", "counted", "answering"):
            setattr(self, f"_{name}", np.pad(getattr(self, f"_{name}"), (0, more)))
        for name in ("without", "present"):
            setattr(self, f"_{name}", np.pad(getattr(self, f"_{name}"), ((0, 0), (0, more))))
        self._start_learners(np.arange(n_labels, len(self._labels)), now)

    # ------------------------------------------------------------------ the table

    def _start_learners(self, labels: np.ndarray, now: int, returning: np.ndarray | None = None) -> None:
        """Put a learner that knows nothing at the end of these labels' ensembles, and then those that come back.

        These were set aside, and keep all that they know.
        """
        slots, back = self._free_slots(len(labels)), np.zeros(0, np.int64) if returning is None else returning
        for array in (self._grams, self._moments, self._weights):
            array[slots] = 0.0
        starting = {"label_of": labels, "slots": slots, "born": now, "learned": 0, "came_from": NEVER}
        n_before, n_starting, n = len(self._ids), len(labels), len(labels) + len(back)
        if n == 0:
            return
        rows: dict[str, Any] = {
            "ids": self._next_id + np.arange(n), "status": IN_ENSEMBLE, "entered": now, "left": NEVER,
            "history": np.nan,
        }  # fmt: skip
        for name, values in starting.items():
            rows[name] = np.empty(n, np.int64)
            rows[name][:n_starting] = values
            rows[name][n_starting:] = getattr(self, f"_{'ids' if name == 'came_from' else name}")[back]
        self._let_go(back, now)
        rows["seats"] = table.free_seats(self._label_of, self._status, self._seats, len(self._labels), rows["label_of"])
        for name, values in rows.items():
            old = getattr(self, f"_{name}")
            column = np.empty((n_before + n, *old.shape[1:]), old.dtype)
            column[:n_before] = old
            column[n_before:] = values
            setattr(self, f"_{name}", column)
        self._next_id += n

    def _free_slots(self, n: int) -> np.ndarray:
        """Return slots that nobody has, the first ones; there are more of them if they are not enough."""
        has_nobody = np.ones(len(self._grams) + 1, np.bool_)
        has_nobody[self._slots] = False
        has_nobody[NEVER] = False
        free = np.flatnonzero(has_nobody)
        if n > len(free):
            more = max(n - len(free), len(self._grams) // 4)
            free = np.concatenate([free, len(self._grams) + np.arange(more)])
            known = {name: getattr(self, f"_{name}") for name in SLOTS.arrays}
            self._take(SLOTS.resize(known, {"slots": len(self._grams) + more}))
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
            rows = np.flatnonzero(stays)
            for name in TABLE:
                setattr(self, f"_{name}", getattr(self, f"_{name}")[rows])

    # ------------------------------------------------------------------ a chunk

    def _evaluate(self, Z: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how good each learner was on a chunk, and where the ensembles were wrong: see ``evaluate``."""
        accuracies, wrong = np.empty(len(self._ids)), np.empty(Y.shape, np.bool_)
        table.evaluate(
            Z, Y, self._label_of, self._status, self._learned, self._slots, self._weights, self._answering, accuracies,
            wrong,
        )  # fmt: skip
        return accuracies, wrong

    def _learn_ensembles(self, Z: np.ndarray, Y: np.ndarray, wrong: np.ndarray, gram: np.ndarray) -> None:
        learn_members(
            Z, Y, wrong, gram, self._label_of, self._status, self._slots, self._learned, float(self.ridge), self._grams,
            self._moments, self._weights,
        )  # fmt: skip

    def _add_up(self) -> None:
        """Sum the weights of each ensemble."""
        table.totals(
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
        returning = table.rearrange(
            self._label_of, self._status, self._slots, self._left, accuracies, self._right, self._counted,
            int(self.max_learners), now, changes,
        )  # fmt: skip
        self._start_learners(np.flatnonzero(changes[0]), now, returning)
        self._forget_gone(now)
        return changes

    def _note(self, accuracies: np.ndarray) -> None:
        """Keep for the picture how good those of the ensembles were."""
        self._history[:, :-1] = self._history[:, 1:]
        self._history[:, -1] = np.where(self._status == IN_ENSEMBLE, accuracies, np.nan)

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
