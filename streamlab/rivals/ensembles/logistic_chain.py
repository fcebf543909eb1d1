"""Members that are a chain of logistic regressions, learned by stochastic gradients."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from streamlab.learners.base.row_learner import category_counts
from streamlab.learners.base.storage import Array, Number, Storage, moved_places
from streamlab.rivals.ensembles import _logistic_chain as kernels
from streamlab.rivals.ensembles.member import ORDER, Features, Member, Rows, lengthened_order
from streamlab.rivals.isoupt.growth import widths_of


class LogisticChain(Member):
    """A chain of logistic regressions in a drawn order: each sees the row and the labels before it; a vote is its
    probability.

    Features are taken as they come, as River's ``LogisticRegression`` does, whose steps these are.
    """

    storage: ClassVar[Storage] = Storage(
        ORDER,
        Number("n_learned", low=0),
        Array("coefficients", ("labels", "width"), finite=True),
        Array("constants", ("labels",), finite=True),
    )

    def _begin(self, rng: np.random.Generator) -> None:
        super()._begin(rng)
        self._n_categories, self._starts = np.zeros(0, np.int64), np.zeros(0, np.int64)

    @classmethod
    def bytes_of(cls, features: Features, n_labels: int) -> int:
        """Return the bytes of its coefficients."""
        return 8 * n_labels * (int(widths_of(category_counts(features)).sum()) + n_labels)

    def widen(self, features: Features, n_labels: int) -> None:
        """Take columns and categories that were added: their coefficients are 0."""
        counts = category_counts(features)
        widths = widths_of(counts)
        columns = moved_places(widths_of(self._n_categories), widths)
        places = np.concatenate([columns, int(widths.sum()) + np.arange(self.n_labels)])
        order = lengthened_order(self.arrays["order"], n_labels, self._rng)
        self.features, self.n_labels = tuple(features), n_labels
        self.arrays |= self.storage.resize(self.arrays, self.sizes(), {"width": places}) | {"order": order}
        self._n_categories, self._starts = counts, np.cumsum(widths) - widths

    def sizes(self) -> dict[str, int]:
        """Return the lengths of its dimensions."""
        return super().sizes() | {"width": int(widths_of(category_counts(self.features)).sum()) + self.n_labels}

    def _model(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        own = self.arrays
        return own["coefficients"], own["constants"], own["order"], self._n_categories, self._starts

    def _answer(self, X: np.ndarray, votes: np.ndarray, labels: np.ndarray) -> None:
        kernels.answer(*self._model(), X, votes, labels)

    def _run(self, rows: Rows, first: int, answers: bool) -> int:
        step = float(self.settings.step)
        kernels.run(*self._model(), rows.X, rows.Y, rows.weights, answers, step, rows.votes, rows.labels)
        return len(rows.X)
