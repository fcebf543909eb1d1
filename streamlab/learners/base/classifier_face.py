"""scikit-learn's verbs of a classifier: ``fit``, ``partial_fit``, ``predict``, ``predict_proba``, ``score``."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from streamlab.learners.base.answers import probabilities
from streamlab.learners.base.sklearn_face import SklearnFace


class ClassifierFace(SklearnFace):
    """What scikit-learn calls of a learner.

    Trained on label sets, y of shape (n, n_labels), it answers with label sets. Trained on a class for each row, y of
    shape (n,), each class is a label of which a row has exactly one: it answers with a class for each row, the one of
    highest score, and its thresholds have no say. The stream's verbs (``learn_many``, ``predict_many`` …) speak of
    label sets in either case.
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Forget everything, then learn these rows: one after another, or as a whole where it is a batch estimator.

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
        given = self.get_params(deep=False)
        fresh = self._fresh_clone()  # type: ignore[attr-defined]  # here and below, of a Learner
        X = fresh._as_table(X, known=fresh._bound)
        if not X.shape[0]:
            raise ValueError("X has no row; expected at least one")
        y, classes = fresh._as_target(y)
        fresh._begin_with(X, y, classes)
        fresh._fit_table(X, y)
        # the parameters stay the objects that were given, such as one of River's classifiers
        self._become(fresh)  # type: ignore[attr-defined]
        vars(self).update(given)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn a chunk more: scikit-learn's name for ``learn_many``; returns this learner.

        Parameters
        ----------
        X, y
            As in ``fit``.
        classes
            All classes, where y has a class for each row: the first call must have them, there or in its y. Of label
            sets 0 and 1, as ``numpy.unique(y)`` gives them, or None.

        Raises
        ------
        ValueError
            As ``learn_many``; for a class that is none of those of the first call. Nothing is learned then.
        """
        X, is_first = self._as_table(X, known=bool(self._features)), not self._labels
        y, named = self._as_target(y, classes)
        if is_first:
            self._begin_with(X, y, named)
        self.learn_many(X, y)  # type: ignore[attr-defined]
        return self

    def _begin_with(self, X: Any, y: Any, classes: np.ndarray | None) -> None:
        """Take the columns of the first rows, and the names of the labels where these are classes."""
        if classes is not None:
            self._checked(X, y)
            self._name_labels(classes)
            self._classes = classes
        kind = getattr(y, "dtype", None)
        self._answer_dtype = kind if kind is not None and kind.kind in "buif" else np.dtype(np.uint8)

    def _fit_table(self, X: Any, y: Any) -> None:
        """Learn a whole table, having learned nothing before."""
        self.learn_many(X, y)  # type: ignore[attr-defined]

    @property
    def classes_(self) -> np.ndarray:
        """The classes, rising; of label sets the labels' names, or numbers where they came as an array without names.

        An AttributeError before any is known, which scikit-learn relies on.
        """
        if self._classes is not None:
            return self._classes.copy()
        if not self._labels:
            raise AttributeError(f"this {type(self).__name__} knows no labels yet")
        is_numbered = self._labels == [f"y{j}" for j in range(len(self._labels))]
        return np.arange(len(self._labels)) if is_numbered else np.array(self._labels)

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

    def decision_function(self, X: Any) -> np.ndarray:
        """Return how far the scores are above one half, float64 (n, n_labels); of two classes (n,), of the second.

        Labels need not follow from it: what a learner answers is ``predict``'s, by its own rule (``decision``).

        Raises
        ------
        NotFittedError
            Where nothing has been learned.
        """
        scores = self.predict_proba(X)
        if self._classes is not None and len(self._classes) == 2:
            return (scores[:, 1] - scores[:, 0]) / 2
        return scores - 0.5

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of the rows of which everything is predicted: scikit-learn's accuracy, 0 to 1."""
        from sklearn.metrics import accuracy_score

        return float(accuracy_score(y, self.predict(X), sample_weight=sample_weight))

    def _sklearn_answer(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        if not self._labels:
            self._refuse_unfitted()
        return self.answer_many(self._as_table(X, known=True))  # type: ignore[attr-defined]

    def __sklearn_is_fitted__(self) -> bool:
        return bool(self._labels)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags

        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.classifier_tags = "classifier", ClassifierTags(multi_label=True)
        tags.target_tags.required = tags.target_tags.multi_output = True
        tags.non_deterministic = getattr(self, "seed", 0) is None
        return tags
