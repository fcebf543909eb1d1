"""River's classification metrics as measures: functions of sums over instances, which fade, merge and are kept."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from streamlab._checks import with_type
from streamlab.measures.batch import Batch, Count
from streamlab.measures.classes import BASELINES
from streamlab.measures.counts import Counts
from streamlab.measures.measure import Measure, ratio

PREFIX = "river.metrics."
LONGEST, DEEPEST = 300, 3
WRAPPED = "metric"
Value = Callable[[Counts], float]
SIGNED = ("CohenKappa", "MCC")
"""Metrics from -1 to 1."""


def is_river_metric(thing: Any) -> bool:
    """Whether it is an object of River's metrics, or of a class made of one."""
    return not isinstance(thing, type) and any(each.__module__.startswith(PREFIX) for each in type(thing).__mro__)


def text_of(metric: Any) -> str | None:
    """Return a metric as a text from which ``metric_of`` makes it; None if its class is not River's.

    Examples
    --------
    >>> from river import metrics
    >>> text_of(metrics.multioutput.MacroAverage(metrics.FBeta(beta=2)))
    'river.metrics.multioutput.MacroAverage(river.metrics.FBeta(beta=2))'
    """
    place = _place_of(type(metric))
    if place is None:
        return None
    given = []
    for parameter in inspect.signature(type(metric)).parameters.values():
        if parameter.name == "cm":
            continue  # a matrix that is shared with other metrics: here each has its own
        value = getattr(metric, parameter.name)
        text = text_of(value) if is_river_metric(value) else repr(value)
        if text is None:
            return None
        if value != parameter.default:
            given.append(text if parameter.name == WRAPPED else f"{parameter.name}={text}")
    return f"{place}({', '.join(given)})" if given else place


def _place_of(kind: type) -> str | None:
    from river import metrics

    places = ((PREFIX, metrics), (f"{PREFIX}multioutput.", metrics.multioutput))
    return next((prefix + kind.__name__ for prefix, at in places if getattr(at, kind.__name__, None) is kind), None)


def metric_of(text: str) -> Any:
    """Return the metric of a text, ``"river.metrics.MCC"`` or ``"river.metrics.FBeta(beta=2)"``; nothing is executed.

    Raises
    ------
    ValueError
        If River has no such metric, or it does not take these parameters.
    """
    try:
        if len(text) > LONGEST:
            raise ValueError("it is too long")
        return _made(ast.parse(text, mode="eval").body, 0)
    except (SyntaxError, TypeError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(
            f"{text[:LONGEST]}: no metric of River's ({error}); expected a text such as {PREFIX}MCC"
        ) from None


def _made(node: ast.AST, depth: int) -> Any:
    given: dict[str, Any] = {}
    if isinstance(node, ast.Call):
        if len(node.args) > 1 or depth > DEEPEST:
            raise ValueError("expected parameters by name")
        for each in (*(ast.keyword(WRAPPED, argument) for argument in node.args), *node.keywords):
            is_metric = isinstance(each.value, (ast.Call, ast.Attribute))
            given[str(each.arg)] = _made(each.value, depth + 1) if is_metric else ast.literal_eval(each.value)
        node = node.func
    path = ast.unparse(node)
    from river import metrics

    _, _, name = path.rpartition(".")
    at = metrics.multioutput if path == f"{PREFIX}multioutput.{name}" else metrics
    kind = getattr(at, name, None)
    if not isinstance(kind, type) or not issubclass(kind, metrics.base.Metric) or _place_of(kind) != path:
        raise ValueError(f"there is no {path}")
    return kind(**given)


def measure_of(metric: Any, name: str) -> Measure:
    """Return a metric as a measure.

    Parameters
    ----------
    metric
        A classification metric of River's. Alone, on a stream of classes, it is what River's own loop gives: of the
        rows that were answered, each class as the stream has it; ``pos_val`` is one of these. On label sets one of a
        confusion matrix is that of all decisions, label by label, and so is one in ``multioutput.MicroAverage``; in
        ``MacroAverage`` the mean over the labels, in ``SampleAverage`` over the instances. A mean of scores
        (``LogLoss``) is that over all decisions. It is cloned, never updated.
    name
        The measure's.

    Raises
    ------
    ValueError
        If no sums say what it is: one of regressions, of several values, over a window or over thresholds.
    """
    from river.metrics import base, multioutput

    inner = metric.metric if isinstance(metric, base.WrapperMetric) else metric
    kind, of_cm = type(metric), _is_of_matrix(inner)
    kept: tuple[Count, ...] = ()
    value: Value
    if isinstance(metric, multioutput.ExactMatch):
        averaging, value = "example", _exact
    elif isinstance(metric, multioutput.SampleAverage) and of_cm:
        kept = (Count(_identifier(name), _RowValues(inner)),)
        averaging, value = "example", _mean_of(kept[0].name)
    elif isinstance(metric, multioutput.MacroAverage) and of_cm:
        averaging, value = "macro", _macro(inner)
    elif isinstance(metric, base.MeanMetric) or (kind is multioutput.MicroAverage and _is_mean_of_scores(inner)):
        if not _is_mean_of_scores(inner):
            raise ValueError(f"{name}: a mean of label sets; expected a mean of scores, such as LogLoss()")
        terms = _score_terms(inner, inner is metric)
        kept = (Count(_identifier(name), terms, (2,), needs_scores=True, unit_scores=True),)
        averaging, value = "micro", _mean_of_scores(kept[0].name)
    elif isinstance(metric, multioutput.base.MultiOutputClassificationMetric) and _keeps_update(metric):
        averaging, value = "macro", _by_label(metric)
    elif of_cm and (inner is metric or kind is multioutput.MicroAverage):
        averaging, value = "micro", _micro(inner)
        if inner is metric:
            kept = (_binary_count(metric, name) if isinstance(metric, base.BinaryMetric) else MATRIX,)
            value = _of_classes_or(value, metric, kept[0].name)
    else:
        raise ValueError(
            f"{name}: its value does not follow from sums over instances; expected a metric of a confusion matrix, "
            "ExactMatch, a mean of scores, or one of these in MicroAverage, MacroAverage or SampleAverage"
        )
    try:
        float(value(Counts.zeros(2, kept).count([[1, 0], [0, 1]], [[1, 1], [0, 0]], [[0.9, 0.6], [0.2, 0.4]])))
    except Exception as error:  # River's report of several values raises, and user code may raise anything
        raise ValueError(f"{name}: it has no value that is a number ({with_type(error)})") from None
    better = bool(metric.bigger_is_better)
    highest = 1.0 if better else np.inf
    formula = f"River's {kind.__name__}, from the decisions of a run"
    return Measure(
        name, _title(metric), formula, averaging, _guarded(value, better), higher_is_better=better,
        needs_scores=any(count.needs_scores for count in kept), counts=kept, by_default=False,
        range=(-1.0 if type(inner).__name__ in SIGNED else 0.0, highest),
    )  # fmt: skip


def _title(metric: Any) -> str:
    inner = getattr(metric, "metric", None)
    kind = type(metric).__name__
    if not type(metric).__module__.startswith("river."):
        return kind
    return f"{kind} (River)" if inner is None else f"{type(inner).__name__} (River's {kind})"


def _identifier(name: str) -> str:
    return "river_" + "".join(c if c.isalnum() else "_" for c in name)


def _is_of_matrix(metric: Any) -> bool:
    """Whether a metric is a function of its confusion matrix alone."""
    from river.metrics import base

    plain = (base.ClassificationMetric.update, base.BinaryMetric.update)
    return isinstance(metric, base.ClassificationMetric) and metric.requires_labels and type(metric).update in plain


def _is_mean_of_scores(metric: Any) -> bool:
    from river.metrics import base

    is_mean = isinstance(metric, base.MeanMetric) and isinstance(metric, base.ClassificationMetric)
    return is_mean and not metric.requires_labels and type(metric).update is base.MeanMetric.update


def _keeps_update(metric: Any) -> bool:
    from river.metrics.multioutput.base import MultiOutputClassificationMetric

    return type(metric).update is MultiOutputClassificationMetric.update


# ---------------------------------------------------------------------- values

DECISIONS = ((True, True), (False, True), (True, False), (False, False))
"""True and predicted, in the order of tp, fp, fn, tn."""


def _guarded(value: Value, better: bool) -> Callable[[Counts, float], float]:
    def of(counts: Counts, zero_division: float) -> float:
        nothing = zero_division if better else 0.0
        return nothing if counts.n == 0.0 or not counts.n_labels else float(value(counts))

    return of


def _of_matrix(metric: Any, weights: Any) -> float:
    """Return the value of a metric for sums of tp, fp, fn and tn."""
    return _updated(metric.clone({"cm": None}), zip(DECISIONS, map(float, weights), strict=True))


def _updated(fresh: Any, cells: Iterable[tuple[tuple[Any, ...], float]]) -> float:
    """Return the value of a metric without a row, after so many of each class and answer."""
    for (true, predicted), weight in cells:
        if weight > 0.0:
            fresh.update(true, predicted, weight)
    # River counts updates in it, each of which stands for many decisions here
    fresh.cm.n_samples = fresh.cm.total_weight
    return float(fresh.get())


def _micro(metric: Any) -> Value:
    return lambda counts: _of_matrix(metric, (counts.tp.sum(), counts.fp.sum(), counts.fn.sum(), counts.tn.sum()))


def _add_to_matrix(batch: Batch, fading: float, total: np.ndarray) -> None:
    total *= fading ** len(batch)
    if batch.past is not None:
        known, own, answer = _answered(batch)
        np.add.at(total, (own, answer), fading ** (len(batch) - 1.0 - known))


MATRIX = Count("river_classes", shape=("classes", "classes"), add=_add_to_matrix, differs_of_classes=True)
"""Rows of each class by what was answered, as a metric of classes needs them; nothing of label sets."""


def _answered(batch: Batch) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows of classes that have one and an answer, and the places of both."""
    known = np.flatnonzero(batch.Y.any(axis=1) & batch.Z.any(axis=1))
    return known, batch.Y[known].argmax(axis=1), batch.Z[known].argmax(axis=1)


def _binary_count(metric: Any, name: str) -> Count:
    """Return the rows of classes by whether they have the positive one, and whether it was answered."""

    def terms(batch: Batch) -> np.ndarray:
        found = np.zeros((len(batch), len(DECISIONS)))
        if batch.past is not None:
            known, own, answer = _answered(batch)
            positive = np.array([each == metric.pos_val for each in batch.past.classes], bool)
            for place, (true, predicted) in enumerate(DECISIONS):
                found[known, place] = (positive[own] == true) & (positive[answer] == predicted)
        return found

    return Count(_identifier(name), terms, (len(DECISIONS),), differs_of_classes=True)


def _of_classes_or(value: Value, metric: Any, name: str) -> Value:
    def of_classes(counts: Counts) -> float:
        if BASELINES.name not in counts.extra:
            return value(counts)
        sums = counts.extra[name]
        cells: Iterable[Any]
        if sums.ndim == 1:
            fresh, cells = metric.clone({"cm": None, "pos_val": True}), zip(DECISIONS, sums.tolist(), strict=True)
        else:
            fresh, cells = metric.clone({"cm": None}), np.ndenumerate(sums)
        return _updated(fresh, cells)

    return of_classes


def _macro(metric: Any) -> Value:
    def value(counts: Counts) -> float:
        rows = zip(counts.tp, counts.fp, counts.fn, counts.tn, strict=True)
        return float(np.mean([_of_matrix(metric, weights) for weights in rows]))

    return value


def _by_label(metric: Any) -> Value:
    def value(counts: Counts) -> float:
        fresh = metric.clone({"cm": None})
        sums = (counts.tp, counts.fp, counts.fn, counts.tn)
        for (true, predicted), weights in zip(DECISIONS, sums, strict=True):
            for label, weight in enumerate(weights.tolist()):
                if weight > 0.0:
                    fresh.update({label: true}, {label: predicted}, weight)
        return float(fresh.get())

    return value


def _exact(counts: Counts) -> float:
    return ratio(counts.total("exact"), counts.n, 0.0)


def _mean_of(name: str) -> Value:
    return lambda counts: ratio(counts.total(name), counts.n, 0.0)


class _RowValues:
    """Returns a metric of each row of a batch alone; rows with the same numbers of decisions are worth the same."""

    def __init__(self, metric: Any) -> None:
        self._metric = metric
        self._known: dict[tuple[int, ...], float] = {}

    def __call__(self, batch: Batch) -> np.ndarray:
        Y, Z = batch.Y.astype(bool), batch.Z.astype(bool)
        sums = np.column_stack([(Y & Z).sum(1), (~Y & Z).sum(1), (Y & ~Z).sum(1), (~Y & ~Z).sum(1)])
        return np.array([self._value(tuple(row)) for row in sums.tolist()])

    def _value(self, row: tuple[int, ...]) -> float:
        if row not in self._known:
            self._known[row] = _of_matrix(self._metric, row)
        return self._known[row]


def _score_terms(metric: Any, of_classes: bool) -> Callable[[Batch], np.ndarray]:
    """Return the sum over the labels of what each decision is worth, and how many there are.

    ``of_classes``: where rows have classes, what the row is worth, and 1; 0 and 0 where it has no answer.
    """

    def terms(batch: Batch) -> np.ndarray:
        found = np.zeros((len(batch), 2))
        assert batch.scores is not None, "asked for with scores alone"
        scores = np.clip(batch.scores, 0.0, 1.0)
        if of_classes and batch.past is not None:
            classes = batch.past.classes
            came = batch.past.counts + np.cumsum(batch.Y, axis=0, dtype=np.int64) - batch.Y > 0
            for row in np.flatnonzero(batch.Y.any(axis=1) & scores.any(axis=1)).tolist():
                fresh = metric.clone()
                pairs = zip(classes, scores[row].tolist(), came[row].tolist(), strict=True)
                given = {each: p for each, p, has_come in pairs if p > 0.0 or has_come}
                fresh.update(classes[batch.Y[row].argmax()], given)
                found[row] = fresh.get(), 1.0
            return found
        for row, (true, given) in enumerate(zip(batch.Y.tolist(), scores.tolist(), strict=True)):
            fresh = metric.clone()
            for y, p in zip(true, given, strict=True):
                fresh.update(bool(y), {True: p, False: 1.0 - p})
            found[row] = fresh.get() * len(true), len(true)
        return found

    return terms


def _mean_of_scores(name: str) -> Value:
    def value(counts: Counts) -> float:
        total, n = counts.extra[name].tolist()
        return ratio(total, n, 0.0)

    return value
