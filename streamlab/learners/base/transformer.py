"""The contract of a transformer: scikit-learn's face, River's faces, a flat state, additive so that it may fade."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, NamedTuple, Self, overload

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from streamlab._frames import Table, framed_as, is_frame
from streamlab.learners.base.estimator import StreamEstimator
from streamlab.learners.base.rows import n_rows_of
from streamlab.learners.base.sklearn_adapter import (
    as_table,
    as_target,
    known_classes,
    name_labels,
    refuse_unfitted,
    started_again,
)
from streamlab.schema import Feature

__all__ = ["StreamTransformer"]


class Rescaling(NamedTuple):
    """How columns have changed: a value has become ``value * factor + offset``, both float64 (n_features,)."""

    factor: np.ndarray
    offset: np.ndarray

    @classmethod
    def none(cls, n_features: int) -> Rescaling:
        """Return no change, of this many columns."""
        return cls(np.ones(n_features), np.zeros(n_features))

    @property
    def is_any(self) -> bool:
        """Whether a column has changed."""
        return bool((self.factor != 1.0).any() or (self.offset != 0.0).any())


class StreamTransformer(StreamEstimator, TransformerMixin, BaseEstimator):
    """A transformer over arrays, which dictionaries enter by the columns' names.

    A subclass implements ``_learn``, ``_transform``, ``_rescale``, ``_output_names`` and ``_is_fitted``.

    Examples
    --------
    >>> import numpy as np, streamlab as sl
    >>> scaler = sl.StandardScaler()
    >>> scaler.learn_many(np.array([[1.0], [3.0]]))
    >>> scaler.transform_many(np.array([[2.0], [4.0]])).tolist()
    [[0.0], [2.0]]
    """

    # ------------------------------------------------------------------ arrays

    def fit(self, X: Any, y: Any = None) -> Self:
        """Forget everything, then learn from these rows.

        Parameters
        ----------
        X
            Array of shape (n, n_features), sparse matrix of at most ``DENSE_LIMIT`` values, or DataFrame; NaN is
            missing.
        y
            Array of shape (n, n_labels) or DataFrame, of 0 and 1; or a class for each row, (n,). Not used by a
            transformer without supervision.

        Returns
        -------
        This transformer.

        Raises
        ------
        ValueError
            As ``learn_many``, and for no row; nothing is forgotten then.
        """
        fresh, X = started_again(self, X)
        # of a table that is learned as a whole nothing is an outlier
        fresh._intake.outliers.judges = False
        fresh.partial_fit(X, y)
        fresh._intake.outliers.judge_from_here()
        self._become(fresh)
        return self

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Learn a chunk more: scikit-learn's name for ``learn_many``; returns this transformer.

        X and y are as in ``fit``; the first chunk must have each of the classes, where y is of classes.
        """
        X = as_table(self, X, known=self._is_fitted())
        if not self._supervised:
            self.learn_many(X)
            return self
        if self._is_fitted() and np.ndim(y) == 1:
            y = known_classes(self, np.asarray(y))
            self.learn_many(X, y)
            return self
        y, classes = as_target(self, y)
        self.learn_many(X, y)
        if classes is not None:
            name_labels(self, classes)
        return self

    def transform(self, X: Any) -> np.ndarray:
        """Return the rows transformed: float64 (n, width).

        Raises
        ------
        NotFittedError
            Where nothing has been learned.
        ValueError
            As ``Learner.learn_many`` for X.
        """
        if not self._is_fitted():
            refuse_unfitted(self)
        return self._transform(self._checked_X(as_table(self, X, known=True)).values)

    @overload
    def transform_many(self, X: np.ndarray) -> np.ndarray: ...
    @overload
    def transform_many(self, X: Table) -> Table: ...
    def transform_many(self, X: Any) -> Any:
        """Return the rows transformed, float64 (n, width), a DataFrame if ``X`` is one; zeros if nothing is learned."""
        if not self._features and not self._labels:
            values = np.zeros((n_rows_of(X), 0))
        else:
            values = self._transform(self._checked_X(X).values)
        return framed_as(X, values, self._output_names()) if is_frame(X) else values

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the columns of ``transform``."""
        return np.array(self._output_names(), dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return self._is_fitted()

    # ------------------------------------------------------------------ River

    def transform_one(self, x: dict[Any, Any]) -> dict[Any, Any]:
        """Return the instance transformed, by the names of the columns."""
        if not self._features and not self._labels:
            return {}
        values = self._transform(self._row(x, grow=False).values)[0].tolist()
        return dict(zip(self._output_names(), values, strict=True))

    # ------------------------------------------------------------------ for subclasses

    def _output_features(self) -> tuple[Feature, ...]:
        """Return the columns it makes, for the step behind it."""
        return tuple(Feature(name) for name in self._output_names())

    def _learn_rescaled(self, X: np.ndarray, Y: np.ndarray, change: Rescaling | None) -> Rescaling | None:
        """Learn a checked chunk, in a pipeline whose steps before this one have just learned.

        Parameters
        ----------
        X, Y
            As in ``_learn``.
        change
            How the columns have changed since it last learned; None: they mix, and cannot be followed.

        Returns
        -------
        How the columns that it makes have changed; None: they mix.
        """
        if change is not None and change.is_any:
            self._rescale(*change)
        self._learn(X, Y, np.isnan(X).any(axis=1))
        return None

    @abstractmethod
    def _rescale(self, factor: np.ndarray, offset: np.ndarray) -> None:
        """Change the state as if each value had been ``value * factor + offset``, both (n_features,)."""

    @abstractmethod
    def _transform(self, X: np.ndarray) -> np.ndarray:
        """Return the rows of a checked chunk, transformed."""

    @abstractmethod
    def _output_names(self) -> list[str]:
        """Return the names of the columns it makes."""

    @abstractmethod
    def _is_fitted(self) -> bool:
        """Return whether something has been learned."""

    @abstractmethod
    def _learn(self, X: np.ndarray, Y: np.ndarray, missing: np.ndarray) -> None:
        """Learn a checked chunk."""
