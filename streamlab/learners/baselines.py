"""The two learners that every comparison shows: repeat the last label set, repeat the most frequent one."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import kept
from streamlab.learners.base.state import State
from streamlab.learners.base.storage import Array, Storage, between

__all__ = ["MajorityLabels", "NoChange"]

SETS = Storage(
    Array("sets", ("distinct", "labels"), np.uint8, rules=(between(0, 1),)),
    Array("set_counts", ("distinct",), np.int64),
)
"""The distinct label sets seen so far, in order of arrival, and how often each came."""


class NoChange(Learner):
    """Predicts the label set of the instance before, row by row also inside a chunk; nothing before the first.

    On a stream sorted by label it looks brilliant (0.95 on the scene file): what a learner adds is what it has above
    this. Scores are the last label set as 0 and 1.

    Examples
    --------
    >>> import numpy as np
    >>> NoChange().test_then_train(np.zeros((3, 1)), np.eye(3, dtype="uint8"))[1].tolist()
    [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    """

    line: ClassVar[str] = "Baseline: answers what the last row had; curve only. Fast."
    plain_words: ClassVar[tuple[str, str]] = ("last row", "repeats the last row")
    predicts_whole_chunks: ClassVar[bool] = False
    compile_seconds: ClassVar[float] = 2.0
    is_baseline: ClassVar[bool] = True
    answers_one_class: ClassVar[bool] = True
    takes_sparse: ClassVar[bool] = True

    _last: np.ndarray = kept("labels", dtype=np.uint8, rules=(between(0, 1),))

    def _predict(self, X, missing):
        labels = np.repeat(self._last[None], len(X), axis=0)
        return labels.astype(np.float64), labels

    def _learn(self, X, Y, missing) -> None:
        if len(Y):
            self._last = Y[-1].copy()

    def _test_then_train(self, X, Y, missing):
        labels = np.concatenate([self._last[None], Y])[: len(Y)]
        self._learn(X, Y, missing)
        return labels.astype(np.float64), labels


class MajorityLabels(Learner):
    """Predicts the most frequent label set so far, row by row also inside a chunk.

    Of equally frequent ones it answers the one that came to this count first.

    Scores are the labels' frequencies so far. Holds one row for each distinct label set.

    Examples
    --------
    >>> import numpy as np
    >>> model = MajorityLabels()
    >>> model.learn_many(np.zeros((3, 1)), np.array([[1, 0], [0, 1], [0, 1]]))
    >>> model.predict_many(np.zeros((1, 1))).tolist()
    [[0, 1]]
    """

    line: ClassVar[str] = "Baseline: answers the most frequent label set; curve only. Fast."
    predicts_whole_chunks: ClassVar[bool] = False
    compile_seconds: ClassVar[float] = 2.0
    is_baseline: ClassVar[bool] = True
    answers_one_class: ClassVar[bool] = True
    groups: ClassVar[tuple[Storage, ...]] = (*Learner.groups, SETS)
    takes_sparse: ClassVar[bool] = True

    _n_seen: int = kept(low=0)
    _counts: np.ndarray = kept("labels", dtype=np.int64)
    _best: np.ndarray = kept("labels", dtype=np.uint8, rules=(between(0, 1),))
    _best_count: int = kept(low=0)

    def _reset(self) -> None:
        super()._reset()
        # in order of arrival
        self._sets: dict[bytes, int] = {}

    def _grown(self, n_features: int, n_labels: int) -> None:
        wider = len(self._labels) - len(self._best)
        if wider > 0:
            self._sets = {key + bytes(wider): n for key, n in self._sets.items()}
        super()._grown(n_features, n_labels)

    def _predict(self, X, missing):
        scores = np.repeat((self._counts / max(self._n_seen, 1))[None], len(X), axis=0)
        return scores, np.repeat(self._best[None], len(X), axis=0)

    def _learn(self, X, Y, missing) -> None:
        # each row after it was answered
        self._test_then_train(X, Y, missing)

    def _test_then_train(self, X, Y, missing):
        labels = np.empty_like(Y)
        before = self._counts + np.cumsum(Y, axis=0, dtype=np.int64) - Y
        scores = before / np.maximum(self._n_seen + np.arange(len(Y)), 1)[:, None]
        for i, row in enumerate(Y):
            labels[i], key = self._best, row.tobytes()
            count = self._sets[key] = self._sets.get(key, 0) + 1
            if count > self._best_count:
                self._best, self._best_count = row.copy(), count
        self._counts = self._counts + Y.sum(axis=0, dtype=np.int64)
        self._n_seen += len(Y)
        return scores, labels

    @property
    def n_bytes(self) -> int:
        return super().n_bytes + sum(len(key) + 8 for key in self._sets)

    def _get_state(self) -> State:
        keys = np.frombuffer(b"".join(self._sets), np.uint8).reshape(len(self._sets), len(self._best))
        counts = np.array(list(self._sets.values()), np.int64)
        return super()._get_state() | SETS.state({"sets": keys, "set_counts": counts})

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        sets = SETS.restore(type(self).__name__, state, self._sizes())
        self._sets = {row.tobytes(): int(n) for row, n in zip(sets["sets"], sets["set_counts"], strict=True)}
