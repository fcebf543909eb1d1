"""A measure of a user's own, from one function."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike

from streamlab.measures.batch import Batch, Count, real
from streamlab.measures.catalogue import MEASURES
from streamlab.measures.counts import Counts
from streamlab.measures.measure import Measure, ratio
from streamlab.plugins import read_only

__all__ = ["measure"]

KINDS = {
    ("counts",): "a function of the counts",
    ("Y", "Z"): "what each row is worth",
    ("Y", "Z", "scores"): "what each row is worth, with scores",
}


@overload
def measure(function: Callable[..., Any], /) -> Measure: ...
@overload
def measure(
    *, name: str = ..., title: str = ..., higher_is_better: bool = ..., range: tuple[float, float] = ...
) -> Callable[[Callable[..., Any]], Measure]: ...
def measure(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str = "",
    title: str = "",
    higher_is_better: bool = True,
    range: tuple[float, float] = (0.0, 1.0),
) -> Measure | Callable[[Callable[..., Any]], Measure]:
    """Make a measure of a function and register it for this session: a decorator.

    Its name is then in ``MEASURES``, among the measures that are given where none is named, and in the list of every
    page of this process, those that are open too. A function defined once more under the same name takes the place of
    the former one.

    Parameters
    ----------
    function
        One of three kinds, told apart by the names of its parameters. ``function(Y, Z)`` says what each row is worth,
        an array of shape (n,), where ``Y`` and ``Z`` are the true and the predicted labels, uint8 (n, n_labels), which
        are only to be read; NaN leaves a row out; the measure is the mean. ``function(Y, Z, scores)`` does so with the
        scores, float64 (n, n_labels), and without the rows that have none. ``function(counts)`` returns the measure
        itself, a number, from a ``streamlab.measures.Counts``; it is also called for counts of no row.
    name
        Default: the function's.
    title
        As people read it, default: the name in words. The first line of the function's docstring says what it is.
    higher_is_better
        False for a loss.
    range
        Lowest and highest value, for the axis of its curve.

    Returns
    -------
    Measure
        Taken by ``measures=[...]`` too, beside names.

    Raises
    ------
    ValueError
        If the function has other parameters, or the name is that of a measure of a package or of a table's column.

    Notes
    -----
    A run that has begun has the whole curve of a measure of counts. What each row is worth is counted by runs that
    begin later; pages say so.

    Examples
    --------
    >>> import streamlab as sl
    >>> @sl.measure(higher_is_better=False)
    ... def spurious(Y, Z):
    ...     "share of the predicted labels that are wrong"
    ...     return 1.0 - (Y & Z).sum(axis=1) / Z.sum(axis=1).clip(1)
    >>> @sl.measure
    ... def exact(counts):
    ...     return counts.total("exact") / max(counts.n, 1.0)
    >>> result = sl.prequential("yeast", sl.NoChange(), n=500, measures=[spurious, exact, "micro_f1"])
    >>> list(result.summary.columns[:3])
    ['spurious', 'exact', 'micro_f1']
    >>> for each in (spurious, exact):
    ...     MEASURES.remove(each)
    """
    if function is None:
        given: dict[str, Any] = {
            "name": name, "title": title, "higher_is_better": higher_is_better, "range": range
        }  # fmt: skip
        return lambda function: _made(function, **given)
    return _made(function, name, title, higher_is_better, range)


def _made(
    function: Callable[..., Any], name: str, title: str, higher_is_better: bool, range: tuple[float, float]
) -> Measure:
    name = name or getattr(function, "__name__", "")
    if not name.isidentifier():
        raise ValueError(f"name={name!r}: expected a Python identifier as the measure's name")
    parameters = _parameters(name, function)
    words = (inspect.getdoc(function) or "").partition("\n")[0].rstrip(".")
    title = title or name.replace("_", " ").capitalize()
    needs_scores = "scores" in parameters
    counts: tuple[Count, ...] = ()
    if parameters != ("counts",):
        counts = (Count(f"{name}_rows", _terms(function, parameters), (2,), needs_scores=needs_scores),)
    value = _mean(counts[0].name, higher_is_better) if counts else _of_counts(function)
    made = Measure(
        name, title, words or KINDS[parameters], "example" if counts else "counts", value,
        higher_is_better=higher_is_better, needs_scores=needs_scores, range=range, counts=counts,
    )  # fmt: skip
    MEASURES.add(made)
    return made


def _parameters(name: str, function: Callable[..., Any]) -> tuple[str, ...]:
    try:
        found = tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        found = ()
    if found not in KINDS:
        kinds = ", ".join(f"({', '.join(kind)})" for kind in KINDS)
        raise ValueError(f"measure {name!r}: its function has the parameters ({', '.join(found)}); expected {kinds}")
    return found


def _terms(function: Callable[..., Any], parameters: tuple[str, ...]) -> Callable[[Batch], ArrayLike]:
    def terms(batch: Batch) -> np.ndarray:
        worth = real(function(*(read_only(getattr(batch, each)) for each in parameters)))
        if worth.shape != (len(batch),):
            raise ValueError(f"it returned the shape {worth.shape}; expected ({len(batch)},), a value for each row")
        known = ~np.isnan(worth)
        return np.column_stack([np.where(known, worth, 0.0), known])

    return terms


def _of_counts(function: Callable[..., Any]) -> Callable[[Counts, float], float]:
    return lambda counts, zero_division: function(counts.for_function(function))


def _mean(rows: str, higher_is_better: bool) -> Callable[[Counts, float], float]:
    def value(counts: Counts, zero_division: float) -> float:
        total, n = counts.extra[rows].tolist()
        return ratio(total, n, zero_division if higher_is_better else 0.0)

    return value
