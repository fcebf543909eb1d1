"""scikit-learn's parameters and tags, and what it hands over as learners take it: tables, label sets, or classes.

scikit-learn takes a second to import, so it is imported when somebody uses the face.
"""

from __future__ import annotations

import inspect
from typing import Any, NoReturn, Self

import numpy as np
import scipy.sparse

from streamlab._checks import checked_flag, shown
from streamlab._frames import pandas_of
from streamlab.learners.base.columns import Columns
from streamlab.learners.base.contradictions import contradiction
from streamlab.schema import NumberedFeatures

DENSE_LIMIT = 25_000_000
"""Values that a sparse table may have once it is dense: 200 MB."""


class SklearnFace(Columns):
    """Parameters, columns and tags as scikit-learn asks for them, and the checks of what it hands over.

    It stands in for ``sklearn.base.BaseEstimator``, which would have to be imported with each learner.
    """

    # of a class for each row: the classes, rising
    _classes: np.ndarray | None
    # scikit-learn answers in the type that it was asked in
    _answer_dtype: np.dtype

    def _no_columns(self) -> None:
        super()._no_columns()
        self._classes, self._answer_dtype = None, np.dtype(np.uint8)

    # ------------------------------------------------------------------ parameters

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; ``deep``: also those of learners inside, as ``part__name``."""
        named = inspect.signature(type(self)).parameters.values()
        params = {each.name: getattr(self, each.name) for each in named if each.kind != each.VAR_POSITIONAL}
        return params | self._params_inside() if deep else params

    def _params_inside(self) -> dict[str, Any]:
        return {}

    def set_params(self, **params: Any) -> Self:
        """Set parameters by the names of ``get_params``, and return this estimator.

        Tunable ones take effect with the next instance, as by ``tune``. Any other that changes starts again: what was
        learned is forgotten, as by ``fit``.

        Raises
        ------
        ValueError
            For an unknown name or a value that is not allowed; nothing is changed then.
        """
        known = self.get_params()
        for name in params:
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for {type(self).__name__}; expected one of {sorted(known)}"
                )
        changed = {name: value for name, value in params.items() if not _is_same(value, known[name])}
        tunable = {each.name for each in self.tunables}  # type: ignore[attr-defined]  # of a StreamEstimator
        tuned = {name: changed.pop(name) for name in list(changed) if name in tunable}
        model: Any = self._fresh_clone(changed) if changed else self  # type: ignore[attr-defined]
        model.tune(**tuned)
        if changed:
            self._become(model)  # type: ignore[attr-defined]
        # the objects that were given, as __init__ keeps them: 10, and not the 10.0 that tune makes of it
        own = vars(self)
        own.update({n: v for n, v in params.items() if n in own and (n in changed or (_is_plain(v) and own[n] == v))})
        return self

    def __sklearn_clone__(self) -> Self:
        # parts given by position, as a pipeline's, have no name that scikit-learn could clone them by
        return self.clone()  # type: ignore[attr-defined]

    # ------------------------------------------------------------------ columns and tags

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
        from sklearn.utils import Tags, TargetTags

        tags = Tags(None, TargetTags(required=False))
        tags.input_tags.allow_nan = tags.input_tags.sparse = True
        return tags

    def _refuse_unfitted(self) -> NoReturn:
        from sklearn.exceptions import NotFittedError

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
        from sklearn.utils.validation import check_array

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

    def _as_target(self, y: Any, classes: Any = None) -> tuple[Any, np.ndarray | None]:
        """Return label sets as (n, n_labels), and None; or, of a class for each row, ``one_of_each``.

        Parameters
        ----------
        y
            Label sets, or a class for each row.
        classes
            All classes; None: those of y. Of label sets 0 and 1, or None.

        Raises
        ------
        ValueError
            If y is None, has one number for each row that is not a class (a regression's), or a class that is not one
            of ``classes``, or of those known.
        """
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        y = pandas_of(y)
        if not hasattr(y, "columns"):
            y = _dense(y, "y") if scipy.sparse.issparse(y) else np.asarray(y)
        if y.ndim != 1:
            if classes is not None and not set(np.ravel(classes).tolist()) <= {0, 1}:
                raise ValueError(f"classes={shown(classes)}: y has label sets; expected None, or 0 and 1")
            return y, None
        if self._classes is not None:
            return self._known_classes(y), None
        if self._labels:
            why = " as the labels were declared" if self._bound else " as the rows before"
            raise ValueError(f"y has the shape {y.shape}; expected ({len(y)}, {len(self._labels)}),{why}")
        return one_of_each(y) if classes is None else _one_of(np.unique(classes), y)

    def _known_classes(self, y: np.ndarray) -> np.ndarray:
        """Return label sets, uint8 (n, n_labels), of a class for each row, all of which are labels.

        Raises
        ------
        ValueError
            For another class, which it names.
        """
        return _one_of(np.array(self._label_names), y, ", those of before")[0]

    def _name_labels(self, classes: np.ndarray) -> None:
        """Call the labels by the classes that they stand for."""
        self._label_names = classes.tolist()
        self._labels = [str(name) for name in self._label_names]
        self._label_column = {name: column for column, name in enumerate(self._label_names)}
        self._schema, self._last_row_labels = None, None

    # ------------------------------------------------------------------ state

    def _class_state(self) -> dict[str, Any]:
        return {} if self._classes is None else {"one_class": True}

    def _set_classes(self, owner: str, state: dict[str, Any]) -> None:
        if not checked_flag(f"{owner}: one_class", state.get("one_class", False)):
            return
        classes = np.array(self._label_names)
        if classes.ndim != 1 or classes.dtype.kind not in "buifU" or not (classes[1:] > classes[:-1]).all():
            raise contradiction(owner, "one_class is True, but its labels are not classes; expected ascending names")
        self._classes = classes


def _is_plain(value: Any) -> bool:
    return isinstance(value, (bool, int, float, str))


def _is_same(value: Any, known: Any) -> bool:
    return value is known or (type(value) is type(known) and _is_plain(value) and value == known)


def one_of_each(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return label sets of one label each, uint8 (n, n_classes), and the classes, rising.

    Raises
    ------
    ValueError
        For what is not a class: a number with a fraction, NaN, None.
    """
    from sklearn.utils.multiclass import check_classification_targets

    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    return (codes[:, None] == np.arange(len(classes))).astype(np.uint8), classes


def _one_of(classes: np.ndarray, y: np.ndarray, those: str = "") -> tuple[np.ndarray, np.ndarray]:
    """Return ``one_of_each`` over the classes given; a ValueError for a class that is none of them."""
    Y, found = one_of_each(y)
    places = {name: column for column, name in enumerate(classes.tolist())}
    known = np.zeros((len(Y), len(classes)), np.uint8)
    for column, name in enumerate(found.tolist()):
        if name not in places:
            raise ValueError(f"y has the class {name!r}; expected one of {list(places)[:8]}{those}")
        known[:, places[name]] = Y[:, column]
    return known, classes


def _dense(table: Any, name: str) -> np.ndarray:
    size = int(np.prod(table.shape, dtype=object))
    if size > DENSE_LIMIT:
        raise ValueError(
            f"{name} is sparse, and would have {size:,} values as an array; expected at most {DENSE_LIMIT:,}: "
            "hand it over in parts, or with fewer columns"
        )
    return table.toarray()
