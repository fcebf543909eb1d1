"""What scikit-learn hands over, as learners take it: tables, label sets, or a class for each row.

scikit-learn takes a second to import, so it is imported when somebody uses its verbs.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
import scipy.sparse

from streamlab._checks import checked_flag, shown
from streamlab._frames import pandas_of
from streamlab.learners.base.rows import refuse_lacking
from streamlab.learners.base.state import contradiction

DENSE_LIMIT = 25_000_000
"""Values that a sparse table may have once it is dense: 200 MB."""


def refuse_unfitted(model: Any) -> NoReturn:
    from sklearn.exceptions import NotFittedError

    raise NotFittedError(f"this {type(model).__name__} has learned nothing yet; call fit first")


def as_table(model: Any, X: Any, *, known: bool) -> Any:
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
        if known:
            refuse_lacking("X", "feature", [feature.name for feature in model._features], X.columns)
        return X
    if scipy.sparse.issparse(X):
        _check_width(model, X, known)
        if model.takes_sparse:
            return X
        X = _dense(X, "X")
    # one that is infinite is refused by row and column later
    try:
        X = check_array(X, dtype=np.float64, ensure_all_finite=False, ensure_min_samples=0, input_name="X")
    except ValueError as error:
        if "could not convert" not in str(error):
            raise
        raise ValueError("X: expected real numbers; a nominal value goes in as its category's index") from None
    _check_width(model, X, known)
    return X


def started_again(model: Any, X: Any) -> tuple[Any, Any]:
    """Return one like the model that has learned nothing, and ``as_table`` of its rows: at least one."""
    fresh = model._fresh_clone()
    X = as_table(fresh, X, known=fresh._bound)
    if not X.shape[0]:
        raise ValueError("X has no row; expected at least one")
    return fresh, X


def _check_width(model: Any, X: Any, known: bool) -> None:
    if known and X.shape[1] != len(model._features):
        raise ValueError(
            f"X has {X.shape[1]} features, but {type(model).__name__} is expecting {len(model._features)} features as "
            "input"
        )


def as_target(model: Any, y: Any, classes: Any = None) -> tuple[Any, np.ndarray | None]:
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
        raise ValueError(f"{type(model).__name__} requires y to be passed, but the target y is None")
    y = pandas_of(y)
    if not hasattr(y, "columns"):
        y = _dense(y, "y") if scipy.sparse.issparse(y) else np.asarray(y)
    if y.ndim != 1:
        if classes is not None and not set(np.ravel(classes).tolist()) <= {0, 1}:
            raise ValueError(f"classes={shown(classes)}: y has label sets; expected None, or 0 and 1")
        return y, None
    if model._classes is not None:
        return known_classes(model, y), None
    if model._labels:
        why = " as the labels were declared" if model._bound else " as the rows before"
        raise ValueError(f"y has the shape {y.shape}; expected ({len(y)}, {len(model._labels)}),{why}")
    return one_of_each(y, None if classes is None else np.unique(classes))


def known_classes(model: Any, y: np.ndarray) -> np.ndarray:
    """Return label sets, uint8 (n, n_labels), of a class for each row, all of which are labels.

    Raises
    ------
    ValueError
        For another class, which it names.
    """
    return one_of_each(y, np.array(model._label_names), ", those of before")[0]


def name_labels(model: Any, classes: np.ndarray) -> None:
    """Call the labels by the classes that they stand for."""
    intake = model._intake
    intake.label_names = classes.tolist()
    intake.labels = [str(name) for name in intake.label_names]
    intake.index()


def restored_classes(label_names: list[Any], owner: str, state: dict[str, Any]) -> np.ndarray | None:
    """Return the classes of a state's labels; None where these are label sets."""
    if not checked_flag(f"{owner}: one_class", state.get("one_class", False)):
        return None
    classes = np.array(label_names)
    if classes.ndim != 1 or classes.dtype.kind not in "buifU" or not (classes[1:] > classes[:-1]).all():
        raise contradiction(owner, "one_class is True, but its labels are not classes; expected ascending names")
    return classes


def one_of_each(y: np.ndarray, classes: np.ndarray | None = None, those: str = "") -> tuple[np.ndarray, np.ndarray]:
    """Return label sets of one label each, uint8 (n, n_classes), and the classes, rising; by default those of ``y``.

    Raises
    ------
    ValueError
        For what is not a class: a number with a fraction, NaN, None; and for a class that is none of those given.
    """
    from sklearn.utils.multiclass import check_classification_targets

    check_classification_targets(y)
    found, codes = np.unique(y, return_inverse=True)
    classes = found if classes is None else classes
    places = {name: column for column, name in enumerate(classes.tolist())}
    for name in found.tolist():
        if name not in places:
            raise ValueError(f"y has the class {name!r}; expected one of {list(places)[:8]}{those}")
    columns = np.array([places[name] for name in found.tolist()], np.int64)
    return (columns[codes][:, None] == np.arange(len(classes))).astype(np.uint8), classes


def _dense(table: Any, name: str) -> np.ndarray:
    size = int(np.prod(table.shape, dtype=object))
    if size > DENSE_LIMIT:
        raise ValueError(
            f"{name} is sparse, and would have {size:,} values as an array; expected at most {DENSE_LIMIT:,}: "
            "hand it over in parts, or with fewer columns"
        )
    return table.toarray()
