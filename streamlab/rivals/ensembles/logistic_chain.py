"""Members that are a chain of logistic regressions, learned by stochastic gradients."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from streamlab.learners.base.storage import Array, Number, Storage
from streamlab.rivals.ensembles import _logistic_chain as kernels
from streamlab.rivals.ensembles.member import ORDER, Features, Member, check_order, lengthened_order


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
        return 8 * n_labels * (int(_widths(_counts(features)).sum()) + n_labels)

    def widen(self, features: Features, n_labels: int) -> None:
        """Take columns and categories that were added: their coefficients are 0."""
        counts = _counts(features)
        widths, old_widths = _widths(counts), _widths(self._n_categories)
        starts, old = np.cumsum(widths) - widths, self.arrays["coefficients"]
        new = np.zeros((n_labels, int(widths.sum()) + n_labels))
        for feature, width in enumerate(old_widths.tolist()):
            part = old[:, self._starts[feature] : self._starts[feature] + width]
            new[: len(old), starts[feature] : starts[feature] + width] = part
        labels = int(widths.sum()) + np.arange(self.n_labels)
        new[: len(old), labels] = old[:, int(old_widths.sum()) :]
        self.arrays["coefficients"] = new
        self.arrays["constants"] = np.pad(self.arrays["constants"], (0, n_labels - self.n_labels))
        self.arrays["order"] = lengthened_order(self.arrays["order"], n_labels, self._rng)
        self.features, self.n_labels = tuple(features), n_labels
        self._n_categories, self._starts = counts, starts

    def sizes(self) -> dict[str, int]:
        """Return the lengths of its dimensions."""
        return super().sizes() | {"width": int(_widths(_counts(self.features)).sum()) + self.n_labels}

    def answer(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return votes and labels."""
        votes, labels = np.zeros((len(X), self.n_labels)), np.zeros((len(X), self.n_labels), np.uint8)
        own = self.arrays
        kernels.answer(
            own["coefficients"], own["constants"], own["order"], self._n_categories, self._starts, X, votes, labels
        )
        return votes, labels

    def learn(self, X: np.ndarray, Y: np.ndarray, weights: np.ndarray) -> None:
        """Learn rows with their weights."""
        self._run(X, Y, weights, answers=False)

    def test_then_train(self, X: np.ndarray, Y: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Answer rows, and learn them with their weights."""
        return self._run(X, Y, weights, answers=True)

    def _run(self, X: np.ndarray, Y: np.ndarray, weights: np.ndarray, answers: bool) -> tuple[np.ndarray, np.ndarray]:
        votes, labels = np.zeros(Y.shape), np.zeros(Y.shape, np.uint8)
        own = self.arrays
        kernels.run(
            own["coefficients"], own["constants"], own["order"], self._n_categories, self._starts, X, Y, weights,
            answers, float(self.settings.step), votes, labels,
        )  # fmt: skip
        own["n_learned"] += int(np.count_nonzero(weights))
        return votes, labels

    def restored(self, owner: str, prefix: str) -> None:
        """Check the order."""
        check_order(owner, f"{prefix}order", self.arrays["order"])


def _counts(features: Features) -> np.ndarray:
    return np.array([len(feature.categories or ()) for feature in features], np.int64)


def _widths(counts: np.ndarray) -> np.ndarray:
    """Return how many columns each feature takes: one for a number, one for each category but the first."""
    return np.where(counts > 0, counts - 1, 1)
