"""What learners share that score and learn sparse and dense rows one by one, over one coordinate for each number."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from streamlab.bundle import Bundle
from streamlab.learners.base.decision import Deciding, Decision
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.parameters import kept, like
from streamlab.learners.base.point_learner import widths
from streamlab.learners.base.rows import SparseRows

NO_ROWS = SparseRows.none(0)
NO_ARRAY = np.zeros((0, 0))


class RowLearner(Deciding, Learner):
    """A learner whose kernel scores rows and learns each after it was scored, until its arrays have no room.

    A numeric feature is one coordinate, a nominal one of k categories k - 1 (at least one): the first category is 0 in
    all of them.
    """

    predicts_whole_chunks: ClassVar[bool] = False
    takes_sparse: ClassVar[bool] = True
    _bundle: ClassVar[type[Bundle]]
    """The arrays that the kernel takes: those of the storage, and ``starts`` and ``n_categories``."""

    decision: Decision = like(default="expected_f1", kw_only=True)
    # coordinates of each feature, and its first
    _widths: np.ndarray = kept()
    _starts: np.ndarray = kept()
    # the arrays packed for kernels, if they are
    _packed: list[Any] = kept()

    @abstractmethod
    def _score(
        self, model: Any, X: np.ndarray, sparse: SparseRows, Y: np.ndarray, start: int, scores: np.ndarray
    ) -> int:
        """Score rows from ``start`` on, of ``X`` or, if it has none, ``sparse``; learn them if ``Y`` has rows.

        Returns
        -------
        int
            The row for which the arrays have no room, of which nothing is learned yet; or the number of rows.
        """

    @abstractmethod
    def _make_room(self, X: Any) -> None:
        """Change the arrays so that the first row of ``X`` can be learned."""

    def _lay_out(self) -> None:
        """Find which coordinates are whose."""
        self._packed = []
        self._widths = widths(self._n_categories, contrasts=True)
        self._starts = np.cumsum(self._widths) - self._widths

    def _sizes(self) -> dict[str, int]:
        return super()._sizes() | {"coordinates": int(self._widths.sum())}

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"_packed": []}

    def _model(self) -> Any:
        """Return the arrays as kernels take them: to pack them takes as long as 20 rows, so they stay packed."""
        arrays = {name: getattr(self, f"_{name}") for name in self._bundle.names}
        if not self._packed or any(getattr(self._packed[0], name) is not array for name, array in arrays.items()):
            self._packed = [self._bundle(**arrays)]
        return self._packed[0]

    def _predict(self, X, missing):
        scores = self._run(X, np.zeros((0, len(self._labels)), np.uint8))
        return scores, self._decided(scores, _above_half(scores))

    def _learn(self, X, Y, missing) -> None:
        scores = self._run(X, Y)
        if self.follows:
            self._followed(scores, _above_half(scores), Y)

    def _test_then_train(self, X, Y, missing):
        scores = self._run(X, Y)
        return scores, self._followed(scores, _above_half(scores), Y)

    def _run(self, X: Any, Y: np.ndarray) -> np.ndarray:
        """Return the scores of rows; with labels they are learned too, each after it was scored."""
        scores, done = np.zeros((len(X), len(self._labels))), 0
        array, sparse = (NO_ARRAY, X) if isinstance(X, SparseRows) else (X, NO_ROWS)
        while True:
            done = self._score(self._model(), array, sparse, Y, done, scores)
            if done == len(X):
                return scores
            self._make_room(X[done:])


def _above_half(scores: np.ndarray) -> np.ndarray:
    return (scores >= 0.5).astype(np.uint8)
