"""The contract of a learner: three faces, arrays, River's dictionaries and scikit-learn's verbs."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar, overload

import numpy as np
from river.base import MultiLabelClassifier

from streamlab._frames import Frame, Table
from streamlab.learners.base.answers import checked_answer, probabilities
from streamlab.learners.base.classifier_face import ClassifierFace
from streamlab.learners.base.columns import n_rows_of
from streamlab.learners.base.estimator import StreamEstimator

__all__ = ["Learner"]


class Learner(ClassifierFace, StreamEstimator, MultiLabelClassifier):
    """A multi-label stream learner over arrays, which River's dictionaries enter by the columns' names.

    A subclass implements, besides what a ``StreamEstimator`` asks for, ``_predict`` and ``_learn``.

    Examples
    --------
    >>> import streamlab as sl
    >>> model = sl.SMART(seed=1)
    >>> chunk = next(sl.load("yeast").chunks(200))
    >>> scores, labels = model.test_then_train(chunk.X, chunk.Y)
    >>> scores.shape, labels.dtype
    ((200, 14), dtype('uint8'))
    """

    predicts_whole_chunks: ClassVar[bool] = True
    """Whether ``test_then_train`` predicts all of its rows before it learns any; False: row by row."""
    is_baseline: ClassVar[bool] = False
    """Whether it looks at labels alone: what others are measured against. Pages say so."""
    picture: ClassVar[str] = ""
    """Name of the picture that shows its nodes, "": none. What it then has: the ``contract`` of that picture."""

    @property
    def members(self) -> dict[str, Learner]:
        """Learners inside it by name, whose pictures a page shows too. Default: none."""
        return {}

    # ------------------------------------------------------------------ arrays

    def learn_many(self, X: np.ndarray | Frame, y: np.ndarray | Frame) -> None:
        """Learn a chunk; the same result as row by row.

        Parameters
        ----------
        X
            Array of shape (n, n_features), a sparse matrix or array of scipy's (as ``SparseRows`` where the learner
            ``takes_sparse``; else it becomes an array, if that is small), or a table (pandas, polars, pyarrow, or any
            with the dataframe interchange) with the schema's columns; NaN and null are missing, a nominal value its
            category's index (in a table also its name).
        y
            Array of shape (n, n_labels) or a table, of 0 and 1. River's pipelines hand it over by this name.

        Raises
        ------
        ValueError
            For a wrong shape, a value that is infinite, above 1e100 in magnitude or not a real number, an unknown
            category or a label other than 0 and 1, naming row and column; for a sparse matrix that is invalid, or
            too large as an array. Nothing of the chunk is learned then.
        """
        rows, Y, _ = self._checked(X, y)
        rows = self._outliers.learn(rows)
        self._learn(rows.values, Y, rows.missing)

    @overload
    def predict_many(self, X: np.ndarray) -> np.ndarray: ...
    @overload
    def predict_many(self, X: Table) -> Table: ...
    def predict_many(self, X: Any) -> Any:
        """Predict label sets: uint8 of shape (n, n_labels); a table of bool, of ``X``'s library, if it is one."""
        return self._framed(X, self.answer_many(X)[1], bool)

    @overload
    def predict_proba_many(self, X: np.ndarray) -> np.ndarray: ...
    @overload
    def predict_proba_many(self, X: Table) -> Table: ...
    def predict_proba_many(self, X: Any) -> Any:
        """Score every label: float64 in [0, 1] of shape (n, n_labels); a table, of ``X``'s library, if it is one."""
        return self._framed(X, probabilities(self.answer_many(X)[0]), np.float64)

    def test_then_train(self, X: np.ndarray | Frame, Y: np.ndarray | Frame) -> tuple[np.ndarray, np.ndarray]:
        """Predict a chunk, then learn it.

        Parameters are those of ``learn_many``.

        Returns
        -------
        scores : float64 of shape (n, n_labels)
            As computed: rounding may put one outside [0, 1] by 1e-9, which ``predict_proba_many`` does not.
        labels : uint8 of shape (n, n_labels)
        """
        rows, flags, _ = self._checked(X, Y)
        asked = self._outliers.ask(rows) if self.predicts_whole_chunks else rows
        learned = self._outliers.learn(rows)
        if asked is learned or not self.predicts_whole_chunks:
            return self._test_then_train(learned.values, flags, learned.missing)
        # which values are outliers may have changed within the chunk
        answer = self._answered(asked.values, asked.missing)
        self._learn(learned.values, flags, learned.missing)
        return answer

    def _test_then_train(self, X, Y, missing):
        answer = self._answered(X, missing)
        self._learn(X, Y, missing)
        return answer

    def _scores_row_by_row(self, X: np.ndarray, Y: np.ndarray, missing: np.ndarray) -> np.ndarray:
        """Learn checked rows; return the scores of each before it was learned, whatever the learner's own protocol."""
        n = 1 if self.predicts_whole_chunks else max(len(X), 1)
        cuts = [slice(start, start + n) for start in range(0, max(len(X), 1), n)]
        return np.concatenate([self._test_then_train(X[cut], Y[cut], missing[cut])[0] for cut in cuts])

    def answer_many(self, X: np.ndarray | Frame) -> tuple[np.ndarray, np.ndarray]:
        """Scores and labels at once, as ``test_then_train`` returns them, without learning."""
        if not self._features and not self._labels:
            n = n_rows_of(X)
            return np.zeros((n, 0)), np.zeros((n, 0), np.uint8)
        rows = self._outliers.ask(self._checked_X(X))
        return self._answered(rows.values, rows.missing)

    def mark(self) -> None:
        """Note the present content, if the picture shows how much of it remains later; learning does not change.

        A run marks the beginning of each drift. Default: nothing is noted.
        """

    # ------------------------------------------------------------------ River

    def learn_one(self, x: dict[Any, Any], y: dict[Any, Any]) -> None:
        """Learn one instance: features ``{name: number | string | None}``, labels ``{label: bool}``."""
        row, flags = self._checked_one(x, y)
        row = self._outliers.learn(row)
        self._learn(row.values, flags, row.missing)

    def predict_proba_one(self, x: dict[Any, Any], **kwargs: Any) -> dict[Any, dict[bool, float]]:
        """``{label: {False: 1 - p, True: p}}`` for every label known; ``{}`` before any is."""
        return {
            label: {False: 1.0 - p, True: p}
            for label, p in zip(self._label_names, probabilities(self._answer_one(x)[0]).tolist(), strict=True)
        }

    def predict_one(self, x: dict[Any, Any], **kwargs: Any) -> dict[Any, bool]:
        """``{label: bool}`` for every label known; ``{}`` before any is."""
        return {
            label: bool(flag) for label, flag in zip(self._label_names, self._answer_one(x)[1].tolist(), strict=True)
        }

    def _answer_one(self, x: dict[Any, Any]) -> tuple[np.ndarray, np.ndarray]:
        if not self._labels:
            return np.zeros(0), np.zeros(0, np.uint8)
        row = self._outliers.ask(self._row(x, grow=False))
        scores, labels = self._answered(row.values, row.missing)
        return scores[0], labels[0]

    def _answered(self, X: np.ndarray, missing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what ``_predict`` does, with the shapes and dtypes that it must have."""
        return checked_answer(type(self).__name__, self._predict(X, missing), len(X), len(self._labels))

    # ------------------------------------------------------------------ for subclasses

    @abstractmethod
    def _predict(self, X: np.ndarray, missing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Scores (float64) and labels (uint8) of a checked chunk, both (n, n_labels); changes nothing.

        Other dtypes are taken where nothing is lost, such as labels of bool; any other shape is refused.

        ``X`` is an array, or ``SparseRows`` where these came and the learner ``takes_sparse``; so too in ``_learn``.
        """

    @abstractmethod
    def _learn(self, X: np.ndarray, Y: np.ndarray, missing: np.ndarray) -> None:
        """Learn a checked chunk, as if row by row."""
