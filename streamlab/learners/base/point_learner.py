"""What learners over points share: training points with their raw rows, distances by blocks, scikit-learn's face."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from streamlab.learners.base._one_thread import one_thread
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.point_encoding import coordinates
from streamlab.learners.base.saving import State

__all__ = ["PointLearner"]

# distances held at once: 2 MB, which stay in a core's cache
BLOCK = 250_000


class PointLearner(Learner, ClassifierMixin, BaseEstimator):
    """A learner that answers by the distances to training points, whose rows it keeps.

    A numeric feature is a coordinate; two categories of a nominal one are at distance 1. A missing value counts as the
    mean of its coordinates over the training points when these were last settled.

    In a ``Pipeline`` it keeps the raw rows, and ``_lens`` tells the points: when the transformers before it have
    learned, all its points move with them.
    """

    _lens: Callable[[np.ndarray], np.ndarray] | None = None

    # ------------------------------------------------------------------ scikit-learn

    def fit(self, X: Any, Y: Any) -> Self:
        """Forget everything, then learn from these rows as a whole.

        Parameters
        ----------
        X
            Array of shape (n, n_features) or a DataFrame.
        Y
            Array of shape (n, n_labels) or a DataFrame, of 0 and 1.

        Returns
        -------
        This learner.

        Raises
        ------
        ValueError
            As ``learn_many``, and for no row.
        """
        fresh = self.clone()
        if self._bound:
            fresh.bind(self.schema)
        X, Y = (values if hasattr(values, "columns") else np.asarray(values) for values in (X, Y))
        X, Y, _, _ = fresh._checked(X, Y)
        if not len(X):
            raise ValueError("X has no row; expected at least one")
        fresh._fit(X, Y)
        vars(self).update(vars(fresh))
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return bool(self._labels)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = tags.target_tags.multi_output = True
        tags.classifier_tags.multi_label, tags.classifier_tags.multi_class = True, False
        tags.input_tags.allow_nan = True
        return tags

    @property
    def classes_(self) -> list[Any]:
        """The labels, in the order of the columns."""
        return list(self._label_names)

    @property
    def n_features_in_(self) -> int:
        """Number of columns."""
        return len(self._features)

    def predict(self, X: Any) -> np.ndarray:
        """Label sets, uint8 of shape (n, n_labels): scikit-learn's name for ``predict_many``."""
        return self.answer_many(self._asked(X))[1]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Scores, float64 of shape (n, n_labels): scikit-learn's name for ``predict_proba_many``."""
        return self.answer_many(self._asked(X))[0]

    @staticmethod
    def _asked(X: Any) -> Any:
        return X if hasattr(X, "columns") else np.asarray(X)

    # ------------------------------------------------------------------ points

    def _reset(self) -> None:
        self._X = np.zeros((0, len(self._features)))
        self._Y = np.zeros((0, len(self._labels)), np.uint8)
        self._fill = np.zeros(0)
        self._centre = np.zeros(0)
        self._points = np.zeros((0, 0))
        self._squares = np.zeros(0)
        self._product: tuple[np.ndarray, np.ndarray] | None = None
        # rows since the last full chunk, and whether there was none yet
        self._since, self._young = 0, True

    def _grown(self, n_features: int, n_labels: int) -> None:
        self._X = self._wider(self._X)
        self._Y = np.pad(self._Y, ((0, 0), (0, len(self._labels) - self._Y.shape[1])))
        if len(self._X) and self._lens is None:
            self._place()

    def _wider(self, X: np.ndarray) -> np.ndarray:
        """Rows as they are under the present columns: before it came, a new feature was zero, a nominal one missing."""
        added = self._features[X.shape[1] :]
        values = np.array([np.nan if f.is_nominal else 0.0 for f in added])
        return np.hstack([X, np.tile(values, (len(X), 1))]) if added else X

    def _coordinates(self, X: np.ndarray) -> np.ndarray:
        return coordinates(X, self._n_categories) if self._lens is None else self._lens(X)

    def _place(self) -> None:
        """The points anew from the rows kept: what is missing, and where the middle is, by these rows alone."""
        points = self._coordinates(self._X)
        gaps = np.isnan(points)
        there = np.where(gaps, 0.0, points)
        self._fill = there.sum(axis=0) / np.maximum((~gaps).sum(axis=0), 1)
        if gaps.any():
            points = np.where(gaps, self._fill, points)
        # about their middle the products below lose no digits to a common offset
        self._centre = points.mean(axis=0) if len(points) else np.zeros(points.shape[1])
        self._points = np.ascontiguousarray(points - self._centre)
        self._squares = np.einsum("ij,ij->i", self._points, self._points)

    def _located(self, X: np.ndarray) -> np.ndarray:
        """The points of other rows, about the same middle."""
        points = self._coordinates(X)
        if points.shape[1] != len(self._fill):
            # columns, or directions, that came since the points were placed
            points = np.pad(points, ((0, 0), (0, max(len(self._fill) - points.shape[1], 0))))[:, : len(self._fill)]
        gaps = np.isnan(points)
        if gaps.any():
            points = np.where(gaps, self._fill, points)
        return np.ascontiguousarray(points - self._centre)

    def _blocks(self, points: np.ndarray) -> Iterator[tuple[slice, np.ndarray, np.ndarray]]:
        """Slices of ``points`` with their squares and, less these, their squared distances to the training points."""
        if self._product is None or self._product[0] is not self._points:
            # |p|² - 2xp in one product: (x, 1) by (-2p, |p|²)
            self._product = self._points, np.vstack([-2.0 * self._points.T, self._squares])
        step = max(BLOCK // max(len(self._points), 1), 1)
        squares = np.einsum("ij,ij->i", points, points)
        longer = np.column_stack([points, np.ones(len(points))])
        for start in range(0, len(points), step):
            part = slice(start, start + step)
            with one_thread():
                ranks = longer[part] @ self._product[1]
            yield part, squares[part], ranks

    # ------------------------------------------------------------------ state

    _ARRAYS = ("X", "Y", "fill", "centre", "points", "squares")

    def _get_state(self) -> State:
        arrays = {name: getattr(self, f"_{name}").copy() for name in self._ARRAYS}
        return arrays | {"since": self._since, "young": self._young}

    def _set_state(self, state: State) -> None:
        for name in self._ARRAYS:
            setattr(self, f"_{name}", np.array(state[name]))
        self._since, self._young = int(state["since"]), bool(state["young"])
        self._product = None
        n, width = self._points.shape
        if not (
            self._X.shape == (n, len(self._features))
            and self._Y.shape == (n, len(self._labels))
            and self._squares.shape == (n,)
            and self._fill.shape == self._centre.shape == (width,)
        ):
            raise ValueError(f"the state of {type(self).__name__} contradicts itself")
