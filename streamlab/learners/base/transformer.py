"""The contract of a transformer: scikit-learn's face, River's faces, a flat state, additive so that it may fade."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.exceptions import NotFittedError

from streamlab.learners.base.estimator import StreamEstimator
from streamlab.schema import Feature

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["StreamTransformer", "fade_weights"]


def fade_weights(timestamps: np.ndarray, now: float, half_life: float) -> np.ndarray:
    """What instances of these timestamps weigh now, float64 (n,)."""
    if math.isinf(half_life):
        return np.ones(len(timestamps))
    return 2.0 ** ((timestamps - now) / half_life)


class StreamTransformer(StreamEstimator, TransformerMixin, BaseEstimator):
    """A transformer over arrays, which dictionaries enter by the columns' names.

    A subclass implements ``_learn``, ``_transform``, ``_rescale``, ``_made_names`` and ``_is_fitted``.
    """

    # ------------------------------------------------------------------ arrays

    def transform(self, X: Any) -> np.ndarray:
        """The rows transformed: float64 (n, width).

        Raises
        ------
        NotFittedError
            Where nothing has been learned.
        ValueError
            As ``Learner.learn_many`` for X.
        """
        if not self._is_fitted():
            raise NotFittedError(f"this {type(self).__name__} has learned nothing yet")
        return self._transform(self._checked_X(X if hasattr(X, "columns") else np.asarray(X))[0])

    def transform_many(self, X: np.ndarray | pd.DataFrame) -> np.ndarray | pd.DataFrame:
        """The rows transformed, float64 (n, width), a DataFrame if ``X`` is one; zeros where nothing is learned."""
        if not self._features and not self._labels:
            values = np.zeros((len(X), 0))
        else:
            values = self._transform(self._checked_X(X)[0])
        if not hasattr(X, "columns"):
            return values
        import pandas as pd

        return pd.DataFrame(values, index=X.index, columns=self._made_names())

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Names of the columns of ``transform``."""
        return np.array(self._made_names(), dtype=object)

    @property
    def n_features_in_(self) -> int:
        """Number of columns."""
        return len(self._features)

    def __sklearn_is_fitted__(self) -> bool:
        return self._is_fitted()

    # ------------------------------------------------------------------ River

    def transform_one(self, x: dict) -> dict[str, float]:
        """The instance transformed, by the names of the columns."""
        if not self._features and not self._labels:
            return {}
        return dict(zip(self._made_names(), self._transform(self._row(x, grow=False))[0].tolist(), strict=True))

    # ------------------------------------------------------------------ for subclasses

    def _afresh(self) -> Self:
        """One that has learned nothing, with the same parameters and, where it was bound, the same columns."""
        fresh = self.clone()
        return fresh.bind(self.schema) if self._bound else fresh

    def _made(self) -> tuple[Feature, ...]:
        """The columns it makes, for what stands behind it."""
        return tuple(Feature(name) for name in self._made_names())

    def _affine(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Where each column becomes (value - middle) / width by itself: middles and widths. None: they mix."""
        return None

    @abstractmethod
    def _rescale(self, factor: np.ndarray, offset: np.ndarray) -> None:
        """Be as if every instance learned had had ``value * factor + offset`` in each column, both (n_features,)."""

    @abstractmethod
    def _transform(self, X: np.ndarray) -> np.ndarray:
        """The rows of a checked chunk transformed."""

    @abstractmethod
    def _made_names(self) -> list[str]:
        """Names of the columns it makes."""

    @abstractmethod
    def _is_fitted(self) -> bool:
        """Whether something has been learned."""

    @abstractmethod
    def _learn(self, X: np.ndarray, Y: np.ndarray, missing: np.ndarray) -> None:
        """Learn a checked chunk."""
