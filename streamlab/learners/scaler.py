"""The transformer StandardScaler: mean 0 and standard deviation 1, over arrays, batch and stream, fading if wanted."""

from __future__ import annotations

import math
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np
from river.base import MiniBatchTransformer

from streamlab._frames import pandas_of
from streamlab.learners.base.fading import share_left
from streamlab.learners.base.parameters import kept, tunable
from streamlab.learners.base.transformer import Rescaling, StreamTransformer
from streamlab.schema import Feature

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["StandardScaler"]


class StandardScaler(StreamTransformer, MiniBatchTransformer):
    """Numeric features less their mean, divided by their standard deviation; nominal ones as they are.

    Parameters
    ----------
    half_life
        Instances after which an instance weighs half; ``inf`` never forgets.

    Attributes
    ----------
    mean_
        float64 (n_features,): 0 for a nominal feature, or one never seen.
    var_
        Variance, float64 (n_features,), divided by the weight, not by the weight less one; 1 for a nominal feature, or
        one never seen.

    Notes
    -----
    A missing value is left out, and stays missing. A feature that never varied is only centred. Chunks are joined by
    their means and squares about them (Chan, Golub, LeVeque 1979), so that an offset costs no digits.

    Examples
    --------
    >>> import numpy as np
    >>> StandardScaler().fit(np.array([[1.0], [3.0]])).transform(np.array([[3.0]])).tolist()
    [[1.0]]
    """

    half_life: float = tunable(
        1e-3, 10_000, default=math.inf, logarithmic=True, infinite=True, unit="instances", title="Half-life",
        help="After this many instances an old one weighs half as much; infinite never forgets.",
    )  # fmt: skip

    _weight: np.ndarray = kept("features", finite=True)
    _mean: np.ndarray = kept("features")
    _squares: np.ndarray = kept("features")
    _n_learned: int = kept(low=0)

    def _grown(self, n_features: int, n_labels: int) -> None:
        more = len(self._features) - len(self._mean)
        # until it came, a feature that was not declared was 0
        past = max(self._weight.max(initial=0.0), 0.0)
        self._weight = np.pad(self._weight, (0, more), constant_values=past)
        self._mean, self._squares = np.pad(self._mean, (0, more)), np.pad(self._squares, (0, more))

    # ------------------------------------------------------------------ learning

    def learn_many(self, X: Any) -> None:
        """Learn a chunk: an array (n, n_features) or a DataFrame.

        Columns of a DataFrame may come and go as a dictionary's do, unless the columns were declared: one that it
        lacks is 0 in all rows (missing, where it is nominal), and a new one was 0 until now.

        Raises
        ------
        ValueError
            For a wrong shape or value, naming row and column. Nothing is learned then.
        """
        X = pandas_of(X)
        is_later_table = hasattr(X, "columns") and bool(self._features)
        with self._as_before_if_refused() if is_later_table else nullcontext():
            if is_later_table:
                self._add_columns(X)
            rows, _, _ = self._checked(X, np.zeros((len(X), len(self._labels)), np.uint8))
        rows = self._intake.outliers.learn(rows)
        self._learn(rows.values, None, rows.missing)

    def _add_columns(self, table: pd.DataFrame) -> None:
        """Take the columns of a table that are new, unless the columns were declared."""
        new = [] if self._bound else sorted(set(map(str, table.columns)) - {feature.name for feature in self._features})
        if not new:
            return
        n_features, n_labels = len(self._features), len(self._labels)
        table = table.rename(columns=str)
        kinds = [getattr(table[name], "cat", None) for name in new]
        categories = [None if kind is None else tuple(map(str, kind.categories)) for kind in kinds]
        self._intake.add_features(map(Feature, new, categories), new)
        self._intake.index()
        self._grown(n_features, n_labels)

    def _from_frame(self, X: pd.DataFrame) -> np.ndarray:
        table = X.rename(columns=str)
        lacking = [feature for feature in self._features if feature.name not in table.columns]
        values = {f.name: math.nan if self._bound or f.categories is not None else 0.0 for f in lacking}
        return super()._from_frame(table.assign(**values) if lacking else table)

    def learn_one(self, x: dict[Any, Any]) -> None:
        """Learn one instance."""
        row, _ = self._checked_one(x, {})
        self._learn(self._intake.outliers.learn(row).values, None, None)

    def _learn(self, X, Y, missing) -> None:
        n = len(X)
        if not n:
            return
        fade = share_left(np.array([n]), self.half_life)[0]
        there = ~np.isnan(X)
        weights = there * share_left(np.arange(n - 1, -1, -1), self.half_life)[:, None]
        weight = weights.sum(axis=0)
        known = np.where(there, X, 0.0)
        first = known[0]
        mean = first + (weights * (known - first)).sum(axis=0) / np.where(weight > 0, weight, 1.0)
        squares = (weights * (known - mean) ** 2).sum(axis=0)
        before = self._weight * fade
        total = before + weight
        share = np.where(total > 0, weight / np.where(total > 0, total, 1.0), 0.0)
        away = mean - self._mean
        self._squares = self._squares * fade + np.where(weight > 0, squares + away**2 * before * share, 0.0)
        self._mean = self._mean + np.where(weight > 0, away * share, 0.0)
        self._weight, self._n_learned = total, self._n_learned + n

    # ------------------------------------------------------------------ transforming

    @property
    def mean_(self) -> np.ndarray:
        """Mean of each feature, float64 (n_features,)."""
        return np.where(self._n_categories > 0, 0.0, self._mean)

    @property
    def var_(self) -> np.ndarray:
        """Variance of each feature, float64 (n_features,)."""
        variance = self._squares / np.where(self._weight > 0, self._weight, 1.0)
        # what rounding leaves of a feature that never varied
        constant = variance <= (1e-14 * np.abs(self._mean)) ** 2
        return np.where((self._n_categories > 0) | (self._weight <= 0), 1.0, np.where(constant, 0.0, variance))

    def _centre_and_width(self) -> tuple[np.ndarray, np.ndarray]:
        """Return centre and width: a value becomes (value - centre) / width."""
        variance = self.var_
        return self.mean_, np.sqrt(np.where(variance > 0, variance, 1.0))

    def _learn_rescaled(self, X, Y, change):
        old_centre, old_width = self._centre_and_width()
        super()._learn_rescaled(X, Y, change)
        if change is None:
            return None
        centre, width = self._centre_and_width()
        factor, offset = change
        return Rescaling(factor * old_width / width, (factor * old_centre + offset - centre) / width)

    def _rescale(self, factor: np.ndarray, offset: np.ndarray) -> None:
        self._mean = np.where(self._weight > 0, self._mean * factor + offset, self._mean)
        self._squares = self._squares * factor**2

    def _transform(self, X: np.ndarray) -> np.ndarray:
        centre, width = self._centre_and_width()
        return (X - centre) / width

    def _output_names(self) -> list[str]:
        return [feature.name for feature in self._features]

    def _output_features(self) -> tuple[Feature, ...]:
        # a range is not scaled with its feature, and would be wrong
        return tuple(Feature(feature.name, feature.categories) for feature in self._features)

    def _is_fitted(self) -> bool:
        return self._n_learned > 0
