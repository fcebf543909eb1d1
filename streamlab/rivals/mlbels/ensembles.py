"""The ensembles of ML-BELS: a few ridge regressions for each label, who of them stays, and what came of the others."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np

from streamlab.learners.base.estimator import StreamEstimator
from streamlab.learners.base.storage import Array, Number, Storage, between, index_into
from streamlab.rivals.mlbels import _kernels as kernels
from streamlab.rivals.mlbels._kernels import IN_ENSEMBLE, LEFT, SET_ASIDE
from streamlab.rivals.mlbels._regressions import learn_members
from streamlab.rivals.mlbels.broad_features import SANE

HISTORY = 48
"""Chunks over which it is kept how often each learner was right: for its picture."""
MOST_ASIDE, OLDEST = 100, 20
"""Where more learners of a label are set aside than the first number, the oldest are forgotten, so many."""
NEVER = -1
MOST_SEATS = 10_000

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
    Array("grams", ("slots", "packed"), finite=True, rules=(SANE,)),
    Array("moments", ("slots", "width", 2), finite=True, rules=(SANE,)),
    Array("weights", ("slots", "width", 2), finite=True, rules=(SANE,)),
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


class Changes(NamedTuple):
    """Which labels had learners started, removed, set aside and come back: a label for each learner."""

    started: list[int]
    removed: list[int]
    set_aside: list[int]
    came_back: list[int]


class Ensembles(StreamEstimator):
    """Keeps the learners of each label; needs ``ENSEMBLES`` in its storage. In the table the oldest come first."""

    max_learners: int
    ridge: float
    chunk: int
    _ids: np.ndarray
    _label_of: np.ndarray
    _status: np.ndarray
    _seats: np.ndarray
    _slots: np.ndarray
    _born: np.ndarray
    _entered: np.ndarray
    _left: np.ndarray
    _learned: np.ndarray
    _came_from: np.ndarray
    _history: np.ndarray
    _grams: np.ndarray
    _moments: np.ndarray
    _weights: np.ndarray
    _right: np.ndarray
    _counted: np.ndarray
    _without: np.ndarray
    _present: np.ndarray
    _answering: np.ndarray
    _next_id: int
    _n_seen: int
    _n_chunks: int

    def _grown(self, n_features: int, n_labels: int) -> None:
        super()._grown(n_features, n_labels)
        self._widen_ensembles(n_labels, self._n_seen)

    def _forget_ensembles(self) -> None:
        """Begin with one learner for each label, which knows nothing."""
        self._take(ENSEMBLES.allocate(self._sizes()))
        self._next_id = 0
        self._start_learners(list(range(len(self._labels))), 0)

    def _widen_ensembles(self, n_labels: int, now: int) -> None:
        """Give labels that came since a learner each."""
        more = len(self._labels) - n_labels
        if not more:
            return
        for name in ("right", "counted", "answering"):
            setattr(self, f"_{name}", np.pad(getattr(self, f"_{name}"), (0, more)))
        for name in ("without", "present"):
            setattr(self, f"_{name}", np.pad(getattr(self, f"_{name}"), ((0, 0), (0, more))))
        self._start_learners(list(range(n_labels, len(self._labels))), now)

    # ------------------------------------------------------------------ the table

    def _start_learners(self, labels: list[int], now: int, returning: list[int] | None = None) -> None:
        """Put a learner that knows nothing at the end of these labels' ensembles, and then those that come back.

        These were set aside, and keep all that they know.
        """
        slots, back = self._free_slots(len(labels)), returning or []
        for array in (self._grams, self._moments, self._weights):
            array[slots] = 0.0
        label_of, born, learned, came_from, own_slots = (
            column[back].tolist() for column in (self._label_of, self._born, self._learned, self._ids, self._slots)
        )
        self._let_go(back, now)
        n = len(labels)
        self._append(
            labels + label_of, slots.tolist() + own_slots, [now] * n + born, now, [0] * n + learned,
            [NEVER] * n + came_from,
        )  # fmt: skip

    def _append(
        self, labels: list[int], slots: list[int], born: list[int], now: int, learned: list[int], came_from: list[int]
    ) -> None:
        n = len(labels)
        if n == 0:
            return
        own = self._status == IN_ENSEMBLE
        busy = set(zip(self._label_of[own].tolist(), self._seats[own].tolist(), strict=True))
        seats: list[int] = []
        for label in labels:
            seats.append(next(seat for seat in itertools.count() if (label, seat) not in busy))
            busy.add((label, seats[-1]))
        rows = {
            "ids": self._next_id + np.arange(n), "label_of": labels, "status": [IN_ENSEMBLE] * n, "seats": seats,
            "slots": slots, "born": born, "entered": [now] * n, "left": [NEVER] * n, "learned": learned,
            "came_from": came_from, "history": np.full((n, HISTORY), np.nan, np.float32),
        }  # fmt: skip
        for name in TABLE:
            old = getattr(self, f"_{name}")
            setattr(
                self, f"_{name}", np.concatenate([old, np.asarray(rows[name], old.dtype).reshape(n, *old.shape[1:])])
            )
        self._next_id += n

    def _free_slots(self, n: int) -> np.ndarray:
        """Return slots that nobody has, the first ones; there are more of them if they are not enough."""
        has_nobody = np.ones(len(self._grams), np.bool_)
        has_nobody[self._slots[self._slots != NEVER]] = False
        more = n - int(np.count_nonzero(has_nobody))
        if more > 0:
            more = max(more, len(self._grams) // 4)
            for name in ("grams", "moments", "weights"):
                array = getattr(self, f"_{name}")
                setattr(self, f"_{name}", np.concatenate([array, np.zeros((more, *array.shape[1:]))]))
            has_nobody = np.pad(has_nobody, (0, more), constant_values=True)
        return np.flatnonzero(has_nobody)[:n]

    def _let_go(self, rows: list[int], now: int) -> None:
        """Forget what these learners know; they stay in the table for the picture."""
        self._left[rows] = np.where(self._left[rows] == NEVER, now, self._left[rows])
        self._status[rows] = LEFT
        self._slots[rows] = NEVER

    def _forget_gone(self, now: int) -> None:
        """Remove the learners that left before the period that the picture shows."""
        stays = (self._status != LEFT) | (self._left > now - HISTORY * int(self.chunk))
        if not stays.all():
            for name in TABLE:
                setattr(self, f"_{name}", getattr(self, f"_{name}")[stays])

    # ------------------------------------------------------------------ a chunk

    def _evaluate(self, Z: np.ndarray, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Say how good each learner was on a chunk, by the features with which it was answered.

        Returns
        -------
        accuracies : float64 (members,)
            NaN of those that did not answer.
        wrong : bool (n, labels)
            Where most learners of an ensemble were wrong; by the sum of their answers where as many said yes as no.
        """
        n, n_labels = Y.shape
        hits, votes = np.zeros(len(self._ids), np.int64), np.zeros((n, n_labels), np.int64)
        sums = np.zeros((2, n, n_labels))
        kernels.evaluate(
            Z, Y, self._label_of, self._status, self._learned, self._slots, self._weights, hits, votes, sums
        )
        answers = (self._slots != NEVER) & (self._learned > 0)
        says = np.where(votes == 0, sums[1] > sums[0], votes > 0)
        return np.where(answers, hits / n, np.nan), (says != (Y != 0)) & (self._answering > 0)

    def _learn_ensembles(self, Z: np.ndarray, Y: np.ndarray, wrong: np.ndarray, gram: np.ndarray) -> None:
        learn_members(
            Z, Y, wrong, gram, self._label_of, self._status, self._slots, float(self.ridge), self._grams,
            self._moments, self._weights,
        )  # fmt: skip
        self._learned[self._status == IN_ENSEMBLE] += len(Z)

    def _add_up(self) -> None:
        """Sum the weights of each ensemble."""
        kernels.totals(
            self._label_of, self._status, self._learned, self._slots, self._weights, self._without, self._present,
            self._answering,
        )  # fmt: skip

    def _rearrange(self, accuracies: np.ndarray, now: int) -> Changes:
        """Start, remove, set aside and take back learners, by how good they were on the chunk that was learned."""
        changes = Changes([], [], [], [])
        most = int(self.max_learners)
        by_label: list[list[int]] = [[] for _ in self._labels]
        aside: list[list[int]] = [[] for _ in self._labels]
        for row, (label, status) in enumerate(zip(self._label_of.tolist(), self._status.tolist(), strict=True)):
            if status != LEFT:
                (by_label if status == IN_ENSEMBLE else aside)[label].append(row)
        usual = np.where(self._counted > 0, self._right / np.maximum(self._counted, 1), 0.5).tolist()
        accuracy = accuracies.tolist()
        removed: list[int] = []
        set_aside: list[int] = []
        returning: list[int] = []
        for label, rows in enumerate(by_label):
            worst = [place for place, row in enumerate(rows) if accuracy[row] < usual[label]]
            n = len(rows)
            if n < most:
                changes.started.append(label)
                n += 1
            many = len(worst) > n / 2
            if not worst or (n < most and not many):
                continue
            going = [rows[place] for place in worst[:-1] if place != 0]
            if many:
                set_aside.extend(going)
                changes.set_aside.extend([label] * len(going))
            else:
                removed.extend(going)
                changes.removed.extend([label] * len(going))
            n -= len(going)
            aside[label].sort(key=self._left.__getitem__)
            good = [row for row in aside[label] if accuracy[row] > 0.5][: max(most - n, 0)]
            returning.extend(good)
            changes.came_back.extend([label] * len(good))
            waiting = [row for row in aside[label] if row not in good] + (going if many else [])
            if len(waiting) > MOST_ASIDE:
                removed.extend(waiting[:OLDEST])
        self._status[set_aside], self._left[set_aside] = SET_ASIDE, now
        self._let_go(removed, now)
        self._start_learners(changes.started, now, returning)
        self._forget_gone(now)
        return changes

    def _note(self, accuracies: np.ndarray) -> None:
        """Keep for the picture how good those of the ensembles were."""
        self._history[:, :-1] = self._history[:, 1:]
        self._history[:, -1] = np.where(self._status == IN_ENSEMBLE, accuracies, np.nan)

    def _bound_ensembles(self, most: int, now: int) -> None:
        """Remove the learners of each label beyond so many: those least right on the latest chunk, never the first."""
        gone: list[int] = []
        for label in range(len(self._labels)):
            rows = np.flatnonzero((self._label_of == label) & (self._status == IN_ENSEMBLE))
            surplus = len(rows) - most
            if surplus > 0:
                latest = np.nan_to_num(self._history[rows[1:], -1].astype(np.float64), nan=-1.0)
                gone.extend(rows[1:][np.argsort(latest, kind="stable")[:surplus]].tolist())
        if gone:
            self._let_go(gone, now)
            self._add_up()
