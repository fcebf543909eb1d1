"""scikit-learn's face: ``fit`` on a whole table, ``predict`` and ``predict_proba``."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np

from streamlab.learners.base.answers import probabilities
from streamlab.learners.base.contradictions import contradiction
from streamlab.learners.base.learner import Learner
from streamlab.learners.base.saving import State
from streamlab.learners.base.sklearn_face import SklearnFace
from streamlab.learners.base.storage import Number


class BatchFace(SklearnFace, Learner):
    """A learner that may also be trained on a table as a whole, by ``_fit``.

    Trained on label sets, y of shape (n, n_labels), it answers with label sets. Trained on a class for each row, y of
    shape (n,), each class is a label of which a row has exactly one: it answers with a class for each row, the one of
    highest score, and its thresholds have no say. The stream's verbs (``learn_many``, ``predict_many`` …) speak of
    label sets in either case.
    """

    # of a class for each row: the classes, rising
    _classes: np.ndarray | None = None
    # scikit-learn answers in the type that it was asked in
    _answer_dtype: np.dtype = np.dtype(np.uint8)

    def fit(self, X: Any, y: Any) -> Self:
        """Forget everything, then learn from these rows as a whole.

        Parameters
        ----------
        X
            Array of shape (n, n_features), sparse matrix (of at most ``DENSE_LIMIT`` values, unless it takes sparse
            rows), or DataFrame.
        y
            Array of shape (n, n_labels) or DataFrame, of 0 and 1; or a class for each row, (n,).

        Returns
        -------
        This learner.

        Raises
        ------
        ValueError
            As ``learn_many``, and for no row; nothing is forgotten then.
        """
        fresh = self._fresh_clone()
        X = fresh._as_table(X, known=fresh._bound)
        if not X.shape[0]:
            raise ValueError("X has no row; expected at least one")
        y, classes = fresh._as_target(y)
        X, Y, _, _ = fresh._checked(X, y)
        if classes is not None:
            fresh._name_labels(classes)
        fresh._classes = classes
        kind = getattr(y, "dtype", None)
        fresh._answer_dtype = kind if kind is not None and kind.kind in "buif" else np.dtype(np.uint8)
        fresh._know_ranges(X)
        fresh._fit(X, Y)
        self._become(fresh)
        return self

    @property
    def classes_(self) -> np.ndarray:
        """The classes, rising; or the labels, in the order of the columns. An AttributeError before any is known."""
        if self._classes is not None:
            return self._classes.copy()
        if not self._labels:
            raise AttributeError(f"this {type(self).__name__} knows no labels yet")
        return np.array(self._labels)

    def predict(self, X: Any) -> np.ndarray:
        """Predict, having been fitted or having learned: scikit-learn's name for ``predict_many``.

        Returns
        -------
        Label sets of shape (n, n_labels), of the type of ``fit``'s y (uint8 without one); or classes of shape (n,).

        Raises
        ------
        NotFittedError
            Where nothing has been learned.
        """
        scores, labels = self._sklearn_answer(X)
        if self._classes is None:
            return labels.astype(self._answer_dtype, copy=False)
        return self._classes[scores.argmax(axis=1)]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return scores, float64 (n, n_labels), or (n, n_classes) with rows that sum to 1.

        Raises
        ------
        NotFittedError
            Where nothing has been learned.
        """
        scores = probabilities(self._sklearn_answer(X)[0])
        if self._classes is None:
            return scores
        total = scores.sum(axis=1, keepdims=True)
        return np.where(total > 0.0, scores / np.where(total > 0.0, total, 1.0), 1.0 / scores.shape[1])

    def _sklearn_answer(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        if not self._labels:
            self._refuse_unfitted()
        return self.answer_many(self._as_table(X, known=True))

    def _get_state(self) -> State:
        state = super()._get_state()
        return state if self._classes is None else state | {"one_class": True}

    def _set_state(self, state: State) -> None:
        super()._set_state(state)
        owner = type(self).__name__
        if not Number("one_class", bool).checked(owner, "one_class", state.get("one_class", False)):
            return
        classes = np.array(self._label_names)
        if classes.ndim != 1 or classes.dtype.kind not in "buifU" or not (classes[1:] > classes[:-1]).all():
            raise contradiction(owner, "one_class is True, but its labels are not classes; expected ascending names")
        self._classes = classes

    @abstractmethod
    def _fit(self, X: np.ndarray, Y: np.ndarray) -> None:
        """Learn checked rows as a whole, having learned nothing before."""
