"""What scikit-learn hands over, as learners take it: tables dense or sparse, label sets, or a class for each row."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import scipy.sparse
from sklearn.exceptions import NotFittedError
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_array

from streamlab._frames import pandas_of
from streamlab.learners.base.columns import Columns
from streamlab.schema import NumberedFeatures

DENSE_LIMIT = 25_000_000
"""Values that a sparse table may have once it is dense: 200 MB."""


class SklearnFace(Columns):
    """The columns' names and number as scikit-learn asks for them, and the checks of what it hands over."""

    @property
    def n_features_in_(self) -> int:
        """Number of columns; an AttributeError before any is known, which scikit-learn relies on."""
        if not self._features:
            raise AttributeError(f"this {type(self).__name__} knows no columns yet")
        return len(self._features)

    @property
    def feature_names_in_(self) -> np.ndarray:
        """Names of the columns, object (n_features,); an AttributeError where these came as arrays, without names."""
        names = [] if isinstance(self._features, NumberedFeatures) else [feature.name for feature in self._features]
        if not names or names == [f"x{j}" for j in range(len(names))]:
            raise AttributeError(f"this {type(self).__name__} knows no names of columns")
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]  # of the class beside this one
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags

    def _refuse_unfitted(self) -> NoReturn:
        raise NotFittedError(f"this {type(self).__name__} has learned nothing yet; call fit first")

    def _as_table(self, X: Any, *, known: bool) -> Any:
        """Return a table as pandas has it, a sparse matrix too where it takes these, and all else as float64.

        Parameters
        ----------
        X
            A DataFrame, something like an array, or a sparse matrix, which becomes dense unless it takes sparse rows.
        known
            Whether the columns must be those that it knows.

        Raises
        ------
        ValueError
            For complex or other values that are not numbers, another shape, or a sparse matrix of more than
            ``DENSE_LIMIT`` values.
        TypeError
            For objects that no number can be made of, as scikit-learn has it.
        """
        X = pandas_of(X)
        if hasattr(X, "columns"):
            there = {str(name) for name in X.columns}
            lacking = [feature.name for feature in self._features if feature.name not in there] if known else []
            if lacking:
                raise ValueError(f"X lacks the feature {lacking[0]!r}; it has {list(X.columns)[:8]}")
            return X
        if scipy.sparse.issparse(X):
            if known and X.shape[1] != len(self._features):
                raise self._other_width(X)
            if self.takes_sparse:
                return X
            X = _dense(X, "X")
        # one that is infinite is refused by row and column later
        try:
            X = check_array(X, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=0, input_name="X")
        except ValueError as error:
            if "could not convert" not in str(error):
                raise
            raise ValueError("X: expected numbers; a nominal value goes in as its category's index") from None
        if known and X.shape[1] != len(self._features):
            raise self._other_width(X)
        return X

    def _other_width(self, X: Any) -> ValueError:
        return ValueError(
            f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {len(self._features)} features "
            "as input"
        )

    def _as_target(self, y: Any) -> tuple[Any, np.ndarray | None]:
        """Return label sets as (n, n_labels), and None; or, of a class for each row, ``one_of_each``.

        Raises
        ------
        ValueError
            If y is None, or has one number for each row that is not a class (a regression's).
        """
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        y = pandas_of(y)
        if hasattr(y, "columns"):
            return y, None
        y = _dense(y, "y") if scipy.sparse.issparse(y) else np.asarray(y)
        if y.ndim != 1:
            return y, None
        if self._bound:
            raise ValueError(
                f"y has the shape {y.shape}; expected ({len(y)}, {len(self._labels)}), as the labels were declared"
            )
        return one_of_each(y)

    def _name_labels(self, classes: np.ndarray) -> None:
        """Call the labels by the classes that they stand for."""
        self._label_names = classes.tolist()
        self._labels = [str(name) for name in self._label_names]
        self._index_schema()


def one_of_each(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return label sets of one label each, uint8 (n, n_classes), and the classes, rising.

    Raises
    ------
    ValueError
        For what is not a class: a number with a fraction, NaN, None.
    """
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    return (codes[:, None] == np.arange(len(classes))).astype(np.uint8), classes


def _dense(table: Any, name: str) -> np.ndarray:
    size = int(np.prod(table.shape, dtype=object))
    if size > DENSE_LIMIT:
        raise ValueError(
            f"{name} is sparse, and would have {size:,} values as an array; expected at most {DENSE_LIMIT:,}: "
            "hand it over in parts, or with fewer columns"
        )
    return table.toarray()
