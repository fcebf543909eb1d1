"""The contract of a learner: three faces, arrays, River's dictionaries and scikit-learn's verbs."""

from __future__ import annotations

from abc import abstractmethod
from functools import cache
from typing import Any, ClassVar, Self, overload

import numpy as np
from river.base import MultiLabelClassifier

from streamlab._checks import shown
from streamlab._frames import Frame, Table
from streamlab.learners.base.estimator import StreamEstimator
from streamlab.learners.base.intake import FLAGS, NUMBERS, chosen
from streamlab.learners.base.rows import Rows, n_rows_of
from streamlab.learners.base.sklearn_adapter import as_table, as_target, name_labels, refuse_unfitted, started_again

__all__ = ["Learner"]


FORGOTTEN = 0.25
"""Share of old evidence at which a learner has forgotten, at most."""
ROUNDING = 1e-9
"""By how much a score may be outside [0, 1] before it is no matter of rounding."""


def checked_answer(owner: str, answer: Any, n: int, n_labels: int) -> tuple[np.ndarray, np.ndarray]:
    """Return scores and labels as float64 and uint8; those that are so already are returned as they are.

    Flags, whole numbers and single precision are taken where nothing is lost. The values of float64 and uint8 are not
    looked at: measures do that.

    Parameters
    ----------
    owner
        Name of the learner, for messages.
    answer
        What its ``_predict`` returned: a pair of arrays, scores and labels.
    n, n_labels
        The shape that both must have.

    Raises
    ------
    ValueError
        For anything else, naming the learner, what was found and what was expected.
    """
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        found = f"{type(answer).__name__} of {len(answer)}" if isinstance(answer, (tuple, list)) else shown(answer)
        raise ValueError(f"{owner} answered {found}; expected two arrays, scores and labels")
    (scores, labels), shape = answer, (n, n_labels)
    are_arrays = type(scores) is type(labels) is np.ndarray and scores.shape == labels.shape == shape
    if are_arrays and scores.dtype is NUMBERS and labels.dtype is FLAGS:
        return scores, labels
    what = f"{owner} answered"
    return _array(f"{what} scores", scores, shape, NUMBERS), _array(f"{what} labels", labels, shape, FLAGS)


def probabilities(scores: np.ndarray) -> np.ndarray:
    """Return scores as who asks for probabilities is told them: within [0, 1], where rounding has put them outside.

    What is further outside stays, so that whoever checks the learner sees it. Learners and measures go on with what was
    computed.
    """
    low, high = (scores.min(), scores.max()) if scores.size else (0.0, 1.0)
    is_rounded = low >= -ROUNDING and high <= 1 + ROUNDING
    return np.clip(scores, 0.0, 1.0) if is_rounded and (low < 0 or high > 1) else scores


def _array(what: str, values: Any, shape: tuple[int, int], dtype: np.dtype) -> np.ndarray:
    """Return an answer as an array of this shape and dtype, or raise a ValueError if something would be lost."""
    try:
        array = np.asarray(values)
    except ValueError:
        # rows of several lengths
        raise ValueError(f"{what} that are not an array; expected an array of shape {shape}") from None
    if array.shape != shape:
        raise ValueError(f"{what} of shape {array.shape}; expected {shape}, a column per label")
    if np.can_cast(array.dtype, dtype, "safe"):
        return array.astype(dtype)
    if array.dtype.kind not in "iuf" or dtype is NUMBERS:
        raise ValueError(f"{what} of dtype {array.dtype}; expected {dtype}")
    if len(bad := np.argwhere((array != 0) & (array != 1))):
        row, column = bad[0].tolist()
        raise ValueError(f"{what} with {array[row, column]} in row {row}, column {column}; expected 0 or 1")
    return array.astype(dtype)


class Learner(StreamEstimator, MultiLabelClassifier):
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
    answers_one_class: ClassVar[bool] = False
    """Whether it answers at most one class by itself where the schema has classes; False: that of the highest score is
    taken, of equal ones the one learned more often, whatever its own rule for label sets."""
    line: ClassVar[str] = ""
    """What a page says of it where learners are chosen: what it is, what is seen of it, and what it costs, whether it
    is ``Fast.`` (50,000 rows a second and more on one core), ``Medium.`` or ``Slow.`` (5,000 and fewer); of this class
    alone."""
    has_scores: ClassVar[bool] = True
    """Whether its scores are of its own; False: where only answers are known, they are 0 and 1, and not shown."""
    keeps_points: ClassVar[bool] = False
    """Whether it keeps raw rows, which a pipeline lets it see as points; when that moves them, it places them again."""
    works_in_python: ClassVar[bool] = False
    """Whether Python does its work rather than kernels, so that a thread of its own gains nothing: such ones work in
    the thread of their run, one after another. For what must stay in one thread, too."""
    picture: ClassVar[str] = ""
    """Name of the picture that shows its nodes, "": none. What it then has: the ``contract`` of that picture."""

    plain_words: ClassVar[tuple[str, str]] = ("", "")
    """A plain name for it, and what it is in a few words, where it is an expert of a council; of this class alone."""

    _quick: ClassVar[dict[str, Any] | None] = None
    """Parameters of the small learner by which ``prepare`` compiles the kernels; None: there are none of its own."""

    @classmethod
    @cache
    def prepare(cls) -> None:
        """Load the kernels, or compile them, so that the first chunk is learned as quickly as the next."""
        super().prepare()
        if cls._quick is not None:
            cls._try_out(cls(**cls._quick))

    @staticmethod
    def _try_out(model: Learner) -> None:
        X, Y = np.array([[0.2, 1.0], [0.7, 0.0], [np.nan, 1.0]] * 4), np.array([[1, 0], [0, 1], [1, 1]] * 4, np.uint8)
        model.test_then_train(X, Y)
        model.predict_many(X)
        model._try_further(X)

    def _try_further(self, X: np.ndarray) -> None:
        """Do what else has kernels, such as ``tune``, having learned these rows."""

    @property
    def remark(self) -> str:
        """What a page says of it on the labels that it has, such as that they lack what it is for. Default: nothing."""
        return ""

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
        self._learn_chunk_of(X, y)

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
        intake = self._intake
        asked = intake.outliers.ask(rows) if self.predicts_whole_chunks else rows
        before = None if intake.one_class is None else intake.one_class.counts
        learned = intake.learn(rows, flags)
        if asked is learned or not self.predicts_whole_chunks:
            answer = self._test_then_train(learned.values, flags, learned.missing)
        else:
            # which values are outliers may have changed within the chunk
            answer = self._answered(asked.values, asked.missing)
            self._learn(learned.values, flags, learned.missing)
        if before is None or self.answers_one_class:
            return answer
        return self._with_one_class(answer, before, None if self.predicts_whole_chunks else flags)

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
        return self._answer_to(self._checked_X(X))

    def _answer_to(self, rows: Rows) -> tuple[np.ndarray, np.ndarray]:
        rows = self._intake.outliers.ask(rows)
        answer, one_class = self._answered(rows.values, rows.missing), self._intake.one_class
        if one_class is None or self.answers_one_class:
            return answer
        return self._with_one_class(answer, one_class.counts)

    def _answer_waiting(self, X: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
        """Answer rows whose labels come later; the third is what is kept with each until then, float64 (n, m)."""
        return *self.answer_many(X), None

    def _learn_late(self, X: Any, Y: np.ndarray, kept: np.ndarray | None) -> None:
        """Learn such rows, with what was kept of them; None: nothing was."""
        self.learn_many(X, Y)

    def mark(self) -> None:
        """Note the present content, if the picture shows how much of it remains later; learning does not change.

        A run marks the beginning of each drift. Default: nothing is noted.
        """

    # ------------------------------------------------------------------ River

    def learn_one(self, x: dict[Any, Any], y: dict[Any, Any]) -> None:
        """Learn one instance: features ``{name: number | string | None}``, labels ``{label: bool}``."""
        row, flags = self._checked_one(x, y)
        row = self._intake.learn(row, flags)
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
        scores, labels = self._answer_to(self._row(x, grow=False))
        return scores[0], labels[0]

    def _with_one_class(
        self, answer: tuple[np.ndarray, np.ndarray], counts: np.ndarray, Y: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return an answer with one class in each row; ``counts``: how often each class was learned before."""
        scores, _ = checked_answer(type(self).__name__, answer, len(answer[0]), len(self._labels))
        return scores, chosen(scores, counts, Y)

    def _answered(self, X: np.ndarray, missing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what ``_predict`` does, with the shapes and dtypes that it must have."""
        return checked_answer(type(self).__name__, self._predict(X, missing), len(X), len(self._labels))

    # ------------------------------------------------------------------ scikit-learn

    # Trained on label sets, y of shape (n, n_labels), it answers with label sets. Trained on a class for each row, y of
    # shape (n,), each class is a label of which a row has exactly one: it answers with a class for each row, the one of
    # highest score, and its thresholds have no say. The stream's verbs speak of label sets in either case.

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
        fresh, X = started_again(self, X)
        y, classes = as_target(fresh, y)
        fresh._begin_with(X, y, classes)
        fresh._fit_table(X, y)
        # the parameters stay the objects that were given, such as one of River's classifiers
        self._become(fresh)
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
        X, is_first = as_table(self, X, known=bool(self._features)), not self._labels
        y, named = as_target(self, y, classes)
        if is_first:
            self._begin_with(X, y, named)
        self.learn_many(X, y)
        return self

    def _begin_with(self, X: Any, y: Any, classes: np.ndarray | None) -> None:
        """Take the columns of the first rows, and the names of the labels where these are classes."""
        if classes is not None:
            self._checked(X, y)
            name_labels(self, classes)
            self._intake.classes = classes
        kind = getattr(y, "dtype", None)
        self._intake.answer_dtype = kind if kind is not None and kind.kind in "buif" else np.dtype(np.uint8)

    def _fit_table(self, X: Any, y: Any) -> None:
        """Learn a whole table, having learned nothing before."""
        self.learn_many(X, y)

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
            return labels.astype(self._intake.answer_dtype, copy=False)
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
            refuse_unfitted(self)
        return self.answer_many(as_table(self, X, known=True))

    def __sklearn_is_fitted__(self) -> bool:
        return bool(self._labels)

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags

        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.classifier_tags = "classifier", ClassifierTags(multi_label=True)
        tags.target_tags.required = tags.target_tags.multi_output = True
        tags.non_deterministic = getattr(self, "seed", 0) is None
        return tags

    # ------------------------------------------------------------------ what a page's sentence tells of it

    def kept_within(self, rows: int) -> tuple[int, int] | None:
        """Return how many of the rows it answers by are of the latest ``rows`` learned, and how many there are.

        None: it keeps no rows, or does not know which.
        """
        return None

    def old_within(self, rows: int) -> float | None:
        """Return which share of what it answers by is from before the latest ``rows`` rows; None: it is not known."""
        newer, kept = self.kept_within(rows) or (0, 0)
        return 1 - newer / kept if kept else None

    def did_within(self, rows: int) -> str:
        """Return what the latest ``rows`` rows changed in it, as it stands after its name; empty: nothing to tell.

        ``"forgot"``: at most a quarter of what it answers by is older.
        """
        old = self.old_within(rows)
        return "forgot" if old is not None and old <= FORGOTTEN else ""

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
