"""Cross-validation without a stream: stratified folds over the labels, several learners on the same folds."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from streamlab._checks import checked_count
from streamlab._side_by_side import cpu_seconds, shared_out
from streamlab._tables import result_html, written
from streamlab.learners import Learner, StreamEstimator
from streamlab.measures import MEASURES, Batch, Count, Counts, Measure, Past, counts_of, evaluate, measure_names
from streamlab.measures.classes import with_classes
from streamlab.streams import Stream, load, stacked

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CrossValidation", "cross_validate", "stratified_folds"]

MEASURES_OF_THE_PAPER = ("macro_precision", "average_precision", "micro_f1", "macro_f1")
"""Macro precision is what Wang, Ding and Huang call "average precision"; ``average_precision`` is the ranking one."""


def stratified_folds(
    Y: np.ndarray, folds: int = 5, repeats: int = 1, seed: int = 0
) -> Iterator[tuple[int, int, np.ndarray, np.ndarray]]:
    """Folds in which every label is about as frequent as in the whole (iterative stratification).

    Parameters
    ----------
    Y
        Array of shape (n, n_labels), of 0 and 1.
    folds
        Number of parts, 2 to n.
    repeats
        How often to divide the data afresh.
    seed
        Of the divisions.

    Yields
    ------
    repeat, fold, train, test
        Numbers from 0, and the rows of either side, int64, rising.

    Sources
    -------
    K. Sechidis, G. Tsoumakas, I. Vlahavas: "On the stratification of multi-label data", 2011, as in the package
    ``iterative-stratification``.

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[1, 0], [1, 0], [1, 0], [0, 1], [0, 1], [0, 1]])
    >>> [Y[test].sum(axis=0).tolist() for _, _, _, test in stratified_folds(Y, folds=3)]
    [[1, 1], [1, 1], [1, 1]]
    """
    from iterstrat.ml_stratifiers import RepeatedMultilabelStratifiedKFold

    Y = np.asarray(Y)
    for name, value, low in (("folds", folds, 2), ("repeats", repeats, 1)):
        checked_count(name, value, low)
    if folds > len(Y):
        raise ValueError(f"folds={folds}: there are {len(Y)} rows")
    # the stratifier wants two columns at least to see labels in them, and a column of zeros changes nothing
    flags = np.column_stack([Y, np.zeros(len(Y), Y.dtype)]) if Y.shape[1] == 1 else Y
    splitter = RepeatedMultilabelStratifiedKFold(n_splits=int(folds), n_repeats=int(repeats), random_state=int(seed))
    for number, (train, test) in enumerate(splitter.split(np.zeros((len(Y), 1)), flags)):
        yield number // folds, number % folds, train, test


def cross_validate(
    data: Any, learners: Any | Mapping[str, Any], *, folds: int = 5, repeats: int = 1,
    measures: Iterable[str | Measure] = MEASURES_OF_THE_PAPER, zero_division: float = 0.0, seed: int = 0,
    jobs: int | None = None,
) -> CrossValidation:  # fmt: skip
    """Fit every learner on each training part and measure it on the test part, all on the same folds.

    Parameters
    ----------
    data
        ``(X, Y)``, a ``Stream``, or whatever ``load`` takes; all its rows are read.
    learners
        A learner or a dictionary of learners by name: streamlab's (with ``fit``, or else ``learn_many`` on all rows),
        or scikit-learn's of multi-label targets, pipelines included. Each fold has a clone.
    folds, repeats, seed
        As in ``stratified_folds``.
    measures
        Names of ``MEASURES``, or measures.
    zero_division
        What a measure says for 0/0, such as the precision of a label that is never predicted: 0.0 or 1.0.
    jobs
        How many of streamlab's learners may work at a time, as in ``Run``, each on a fold; others follow one by one.

    Returns
    -------
    CrossValidation

    Raises
    ------
    ValueError
        For data, a name or a number that is not as described.

    Notes
    -----
    Rankings are by ``decision_function`` where there is one, else by ``predict_proba``.

    Examples
    --------
    >>> import streamlab as sl
    >>> result = sl.cross_validate("yeast", sl.StandardScaler() | sl.BalancedLDA() | sl.BalancedKNN(), folds=2)
    >>> bool(result.summary.micro_f1.iloc[0] > 0.5)
    True
    """
    names, jobs = measure_names(measures), checked_count("jobs", jobs, 1, optional=True)
    X, Y, schema = _read(data)
    if not isinstance(learners, Mapping):
        learners = {type(learners).__name__: learners}
    if not learners:
        raise ValueError("learners: expected at least one")
    for name, learner in learners.items():
        if isinstance(learner, type) or not (hasattr(learner, "fit") or isinstance(learner, Learner)):
            raise ValueError(f"learners[{name!r}] is {learner!r}; expected a learner of streamlab or scikit-learn")
    n_levels = None if schema.hierarchy is None else schema.hierarchy.n_levels
    asked: Sequence[Count] = counts_of(names)
    if schema.classes is not None:
        asked = with_classes(asked, Y.shape[1])
    empty = Counts.zeros(Y.shape[1], asked, n_levels=n_levels)

    def row_of(part: tuple[int, int, np.ndarray, np.ndarray], name: str, now: Callable[[], float]) -> dict[str, Any]:
        repeat, fold, train, test = part
        started = now()
        fitted = _fitted(learners[name], X[train], Y[train], schema)
        learned = now()
        labels, scores = _answers(fitted, X[test], Y.shape[1])
        times = {"fit_seconds": learned - started, "predict_seconds": now() - learned}
        counts = empty.copy()
        refuse = partial(MEASURES.refuse, names=names)
        row: dict[str, Any] = {
            "hierarchy": schema.hierarchy,
            "past": None if schema.classes is None else Past.none(Y.shape[1], schema.classes),
        }
        counts.add_batch(Batch(Y[test], labels, scores, counts=counts.kept, on_failure=refuse, **row))
        values = evaluate(counts, names, zero_division=zero_division)
        return {"learner": name, "repeat": repeat, "fold": fold} | values | times

    parts = list(product(stratified_folds(Y, folds, repeats, seed), learners))
    # scikit-learn has threads of its own, whose seconds are the process's
    ours = {name for name, each in learners.items() if isinstance(each, Learner) and not each.works_in_python}
    done = iter(shared_out([partial(row_of, fold, name, cpu_seconds) for fold, name in parts if name in ours], jobs))
    rows = [next(done) if name in ours else row_of(fold, name, time.process_time) for fold, name in parts]
    return CrossValidation(rows, names, list(learners))


class CrossValidation:
    """The tables of a cross-validation.

    Attributes
    ----------
    folds
        DataFrame, one row per learner and fold: ``learner``, ``repeat``, ``fold``, the measures, CPU ``fit_seconds``
        and ``predict_seconds``.
    repeats
        DataFrame, the means over each repeat's folds: ``learner``, ``repeat``, the measures.
    summary
        DataFrame by learner: each measure's mean over the repeats and, as ``<measure>_spread``, the standard deviation
        of the repeats' means (NaN with one repeat); mean ``fit_seconds`` and ``predict_seconds`` of a fold.

    Examples
    --------
    >>> import streamlab as sl
    >>> X, Y = [[i % 4, i % 3] for i in range(60)], [[i % 4 > 1, i % 3 > 0] for i in range(60)]
    >>> result = sl.cross_validate((X, Y), {"BKNN": sl.BalancedKNN()}, folds=3, measures=["micro_f1"])
    >>> len(result.folds), result.summary.index.tolist()
    (3, ['BKNN'])
    """

    folds: pd.DataFrame
    repeats: pd.DataFrame
    summary: pd.DataFrame

    def __init__(self, rows: list[dict[str, Any]], measures: tuple[str, ...], order: list[str]) -> None:
        import pandas as pd

        self.folds = pd.DataFrame(rows)
        by_repeat = self.folds.groupby(["learner", "repeat"], sort=False)[list(measures)].mean()
        self.repeats = by_repeat.reset_index()
        mean, spread = (getattr(by_repeat.groupby("learner", sort=False), what)() for what in ("mean", "std"))
        parts = {}
        for measure in measures:
            parts[measure] = mean[measure]
            parts[f"{measure}_spread"] = spread[measure]
        seconds = self.folds.groupby("learner", sort=False)[["fit_seconds", "predict_seconds"]].mean()
        self.summary = pd.DataFrame(parts).join(seconds).loc[order]

    def _repr_html_(self) -> str:
        """Return the summary, as a notebook shows it."""
        measures = [name.removesuffix("_spread") for name in self.summary.columns if name.endswith("_spread")]
        table = self.summary[[*measures, "fit_seconds", "predict_seconds"]].copy()
        for measure in measures:
            spread = self.summary[f"{measure}_spread"]
            table[measure] = [
                written(mean) + ("" if around != around else f" ± {written(around)}")
                for mean, around in zip(table[measure], spread, strict=True)
            ]
        folds = int(self.folds.groupby("learner").size().max())
        notes = ["±: standard deviation of the repeats' means."] if self.folds.repeat.nunique() > 1 else []
        return result_html(f"Cross-validation, {folds:,} folds", table, notes)

    def __repr__(self) -> str:
        return f"CrossValidation\n{self.summary}"


def _read(data: Any) -> tuple[Any, np.ndarray, Any]:
    """All rows of what is to be divided, as CSR where the stream is sparse, with its schema."""
    stream = data if isinstance(data, Stream) else load(data)
    if stream.n_rows is None:
        raise ValueError(f"{stream.name} does not end; cross-validation takes a stream of known length")
    chunks = list(stream.chunks(1000))
    if not chunks:
        raise ValueError(f"{stream.name} has no row")
    return stacked([c.X for c in chunks]), np.concatenate([c.Y for c in chunks]), stream.schema


def _fitted(learner: Any, X: Any, Y: np.ndarray, schema: Any) -> Any:
    if not isinstance(learner, StreamEstimator):
        return clone(learner).fit(X, Y)
    fresh: Any = learner.clone().bind(schema)
    if hasattr(fresh, "fit"):
        return fresh.fit(X, Y)
    fresh.learn_many(X, Y)
    return fresh


def _answers(fitted: Any, X: Any, n_labels: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels and scores, arrays (n, n_labels) whatever form they come in."""
    if isinstance(fitted, Learner):
        scores, labels = fitted.answer_many(X)
        return labels, scores
    labels = fitted.predict(X)
    labels = labels.toarray() if hasattr(labels, "toarray") else np.asarray(labels)
    if hasattr(fitted, "decision_function"):
        return labels.astype(np.uint8), np.asarray(fitted.decision_function(X))
    scores = fitted.predict_proba(X)
    if hasattr(scores, "toarray"):
        scores = scores.toarray()
    if isinstance(scores, list):
        # one table per label, with a column per class seen: that of class 1 stands last, if it was seen at all
        steps = getattr(fitted, "steps", None)
        classes = (steps[-1][1] if steps else fitted).classes_
        columns = [
            table[:, list(seen).index(1)] if 1 in seen else np.zeros(len(table))
            for table, seen in zip(scores, classes, strict=True)
        ]
        scores = np.column_stack(columns)
    return labels.reshape(-1, n_labels).astype(np.uint8), np.asarray(scores, np.float64)
